/** A pseudo-locale for tests: every text longer, accented and in brackets, so that one that is not in the catalogue stands out. */
import { en } from "../en";
import type { Catalogue, Text, Translation } from "../translation";

const ACCENTS: Record<string, string> = { a: "á", e: "é", i: "í", o: "ö", u: "ü", A: "Á", E: "É", I: "Í", O: "Ö", U: "Ü", n: "ñ", c: "ç" };

function disguise(text: string): string {
  const parts = text.split(/(\{\w+\})/); // gaps stay as they are
  const accented = parts.map((part, i) => (i % 2 ? part : part.replace(/[a-zA-Z]/g, (letter) => ACCENTS[letter] ?? letter)));
  const letters = parts.filter((_, i) => i % 2 === 0).join("").length;
  return `[${accented.join("")}${" ~~~".repeat(Math.ceil(letters * 0.08))}]`; // German and Finnish are about a third longer
}

function disguiseAll(text: Text): Text {
  if (typeof text === "string") return disguise(text);
  return Object.fromEntries(Object.entries(text).map(([form, one]) => [form, disguise(one)])) as Text;
}

const texts = Object.fromEntries(Object.entries(en).map(([name, text]) => [name, disguiseAll(text)])) as Catalogue;
export default { texts, names: {} } satisfies Translation;
