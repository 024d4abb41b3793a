/** The languages of the page. */

/** Each language by its code, under its own name. */
export const LANGUAGES = {
  en: "English",
  da: "Dansk",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  nl: "Nederlands",
  nb: "Norsk bokmål",
  pl: "Polski",
  fi: "Suomi",
  sv: "Svenska",
  ja: "日本語",
} as const;
export type Language = keyof typeof LANGUAGES;

/** A language that the page can be shown in. The pseudo-locale is for tests: longer, accented, bracketed English. */
export type Shown = Language | "pseudo";

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

/** The plural forms that a language needs for whole numbers up to thousands, as Intl.PluralRules names them. */
export type PluralForm<L extends Language> = L extends "ja" ? "other" : L extends "pl" ? "one" | "few" | "many" | "other" : "one" | "other";

/** The first of the reader's languages that the page has; English if it has none of them. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split("-")[0]!;
    if (isLanguage(code)) return code;
    if (code === "no" || code === "nn") return "nb";
  }
  return "en";
}
