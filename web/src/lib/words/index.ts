/** Every text that people read, by name, from the catalogue of their language. */
import { current } from "./catalogue.svelte";
import type { Text, TextName } from "./translation";

export { type Text, type TextName } from "./translation";

export function t(name: TextName, gaps: Record<string, string | number> = {}): string {
  const text: Text = current.translation.texts[name];
  const form = typeof text === "string" ? text : (text[plurals().select(Number(gaps["count"] ?? 0))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (gap, key: string) => {
    const value = gaps[key];
    return value === undefined ? gap : typeof value === "number" ? number(value) : value;
  });
}

/** Whether there is a text of this name. */
export function hasText(name: string): boolean {
  return Object.hasOwn(current.translation.texts, name);
}

/** Intl objects are slow to create, so each language's are created once. */
function once<T>(make: (language: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const language = current.language === "pseudo" ? "en" : current.language;
    if (!made.has(language)) made.set(language, make(language));
    return made.get(language)!;
  };
}

const plurals = once((language) => new Intl.PluralRules(language));
const ordinals = once((language) => new Intl.PluralRules(language, { type: "ordinal" }));
const lists = once((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const numbers = once((language) => new Intl.NumberFormat(language));

/** A place in an order: 1st, 2nd, 3rd. */
export function ordinal(place: number): string {
  const text: Text = current.translation.texts.ordinal;
  const form = typeof text === "string" ? text : (text[ordinals().select(place)] ?? text.other);
  return form.replace("{n}", number(place));
}

/** Several things in one sentence: "a, b and c", as the language joins them. */
export function list(things: string[]): string {
  return lists().format(things);
}

export function number(value: number): string {
  return numbers().format(value);
}

/** Seconds as minutes and seconds, with hours if there are any: 1:59, 1:00:00. */
export function clockText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A name that comes from data (a colour, a level, a term of the score): translated where the catalogue has it. */
export function named(kind: "colour" | "edition" | "term" | "level", name: string): string {
  const text = (current.translation.texts as Record<string, Text | undefined>)[`${kind}.${name}`];
  return typeof text === "string" ? text : name;
}

/** A city in the usual form of the language. */
export function cityName(name: string): string {
  return current.translation.names[name] ?? name;
}

/** Replace names of cities and colours in a typed move by those of the notation; English ones stay. */
export function toNotation(text: string): string {
  const { names, texts } = current.translation;
  const colours = Object.entries(texts).filter(([name]) => name.startsWith("colour."));
  const words = [
    ...Object.entries(names).map(([english, local]) => [local, english] as const),
    ...colours.map(([name, local]) => [String(local), name.slice("colour.".length)] as const),
  ];
  words.sort(([a], [b]) => b.length - a.length); // "New York City" before "New York"
  return words.reduce((typed, [local, english]) => replaceWord(typed, local, english), text);
}

/** Replace a word wherever it is not a part of a longer one; capitals and accents do not matter. */
function replaceWord(text: string, word: string, by: string): string {
  const plain = (letters: string): string => letters.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
  const chars = [...text.normalize("NFC")];
  const length = [...word.normalize("NFC")].length;
  for (let at = 0; at + length <= chars.length; at++) {
    const isWhole = !/[\p{L}\p{N}]/u.test(chars[at - 1] ?? " ") && !/[\p{L}\p{N}]/u.test(chars[at + length] ?? " ");
    if (isWhole && plain(chars.slice(at, at + length).join("")) === plain(word)) chars.splice(at, length, ...by);
  }
  return chars.join("");
}
