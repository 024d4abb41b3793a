import { beforeAll, describe, expect, test } from "vitest";
import { en } from "./en";
import { current } from "./catalogue.svelte";
import { cityName, list, ordinal, t, toNotation } from "./index";
import { type Language, LANGUAGES, preferredLanguage } from "./languages";
import type { Text, Translation } from "./translation";

const CODES = Object.keys(LANGUAGES).filter((code) => code !== "en") as Language[];

async function load(code: string): Promise<Translation> {
  return ((await import(`./translations/${code}.ts`)) as { default: Translation }).default;
}

const formsOf = (text: Text): string[] => (typeof text === "string" ? [text] : Object.values(text));
const gapsOf = (text: Text): string[] => [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].sort();

test("the first language of the browser that the page has is chosen", () => {
  expect(preferredLanguage(["pt-BR", "de-CH", "en"])).toBe("de");
  expect(preferredLanguage(["no"])).toBe("nb");
  expect(preferredLanguage(["nn-NO"])).toBe("nb");
  expect(preferredLanguage(["tlh"])).toBe("en");
  expect(preferredLanguage([])).toBe("en");
});

describe.each(CODES)("%s", (code) => {
  let translation: Translation;
  beforeAll(async () => {
    translation = await load(code);
    current.language = code;
    current.translation = translation;
    return () => {
      current.language = "en";
      current.translation = { texts: en, names: {} };
    };
  });

  test("has every text of the English catalogue with its gaps, and no other", () => {
    expect(Object.keys(translation.texts).sort()).toEqual(Object.keys(en).sort());
    for (const [name, text] of Object.entries(en) as [keyof typeof en, Text][]) {
      expect([name, gapsOf(translation.texts[name])]).toEqual([name, gapsOf(text)]);
    }
  });

  test("has a form for every number", () => {
    const rules = new Intl.PluralRules(code);
    for (const [name, text] of Object.entries(translation.texts)) {
      if (typeof text === "string" || name === "ordinal") continue;
      for (let count = 0; count < 1_000; count++) expect(text, `${name} for ${count}`).toHaveProperty(code === "ja" ? "other" : rules.select(count));
    }
    for (let place = 1; place <= 5; place++) expect(ordinal(place)).toMatch(new RegExp(`${place}`));
  });

  test("leaves no gap open in a sentence", () => {
    const said = t("log.claimedFor", { who: "Ann", route: "Boston – Miami", cards: t("pile.red", { count: 2 }), count: 7 });
    expect(said).toContain("Ann");
    expect(said).toContain("Boston – Miami");
    expect(said).not.toMatch(/[{}]/);
    expect(list(["a", "b", "c"])).toMatch(/a.*b.*c/);
  });

  test("typed moves may have names of cities and colours in the language, or in English", () => {
    expect(toNotation(`claim ${cityName("New York")}-${cityName("Boston")} with 2 ${t("colour.red")}`)).toBe("claim New York-Boston with 2 red");
    expect(toNotation("claim New York-Boston with 2 red")).toBe("claim New York-Boston with 2 red");
    expect(toNotation("take red")).toBe("take red");
  });
});
