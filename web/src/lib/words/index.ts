/** Every text that people read, by name, from the catalogue of their language. */
import { settings } from "../settings.svelte";
import { en } from "./en";

/** A text with {gaps}; or one for each plural form of `count`, as Intl.PluralRules names them. */
export type Text = string | { one: string; other: string; [form: string]: string };
export type Catalogue = { [Name in keyof typeof en]: Text };
export type TextName = keyof typeof en;

const CATALOGUES: Record<string, Partial<Catalogue>> = { en };

export const languages = Object.keys(CATALOGUES);

export function t(name: TextName, gaps: Record<string, string | number> = {}): string {
  const text: Text = CATALOGUES[settings.language]?.[name] ?? en[name];
  const form = typeof text === "string" ? text : (text[plural(Number(gaps["count"] ?? 0))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (gap, key: string) => {
    const value = gaps[key];
    return value === undefined ? gap : typeof value === "number" ? number(value) : value;
  });
}

/** Rules for plurals and numbers take long to make, so each language's are made once. */
function once<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const { language } = settings;
    if (!made.has(language)) made.set(language, make(language));
    return made.get(language)!;
  };
}

const plurals = once((language) => new Intl.PluralRules(language));
const lists = once((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const numbers = once((language) => new Intl.NumberFormat(language));

function plural(count: number): string {
  return plurals().select(count);
}

/** Several things in one sentence: "a, b and c", as the language joins them. */
export function list(things: string[]): string {
  return lists().format(things);
}

export function number(value: number): string {
  return numbers().format(value);
}

/** A name that comes from data (a city, a colour, an edition): translated where the catalogue has it. */
export function named(kind: "city" | "colour" | "edition" | "term" | "level", name: string): string {
  const key = `${kind}.${name}`;
  const text = (CATALOGUES[settings.language] as Record<string, Text | undefined> | undefined)?.[key];
  const fallback = (en as Record<string, Text | undefined>)[key];
  const found = text ?? fallback;
  return typeof found === "string" ? found : name;
}
