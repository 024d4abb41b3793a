/** Checks a translation against the English catalogue when the page is built. */
import type { en } from "./en";
import type { Language, PluralForm } from "./languages";

export type TextName = keyof typeof en;

/** A text with {gaps}; or one for each plural form of `count`. */
export type Text = string | { other: string; [form: string]: string };
export type Catalogue = Record<TextName, Text>;

/** A whole language: its texts, and names of cities and people's boards that differ from the data's names. */
export interface Translation {
  texts: Catalogue;
  names: Record<string, string>;
}

type Plural<L extends Language> = { [Form in PluralForm<L>]: string };
type TextIn<L extends Language> = L extends "ja" ? string | Plural<L> : Plural<L>;
type Shape<L extends Language> = { [Name in TextName]: (typeof en)[Name] extends string ? string : TextIn<L> };

type GapsIn<S> = S extends `${string}{${infer Gap}}${infer Rest}` ? Gap | GapsIn<Rest> : never;
type Gaps<T> = GapsIn<T extends string ? T : T[keyof T]>;
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Checked<T> = {
  [Name in keyof T]: Name extends TextName
    ? Is<Gaps<T[Name]>, Gaps<(typeof en)[Name]>> extends true
      ? T[Name]
      : { "The gaps differ from the English text": Gaps<(typeof en)[Name]> }
    : "English has no such text";
};

/**
 * Define a language. It does not compile if a text, a gap or a plural form is missing or superfluous.
 *
 * The ordinal is checked by a test instead, because languages have different forms of it.
 */
export function translation<L extends Language>(_language: L): <const T extends Omit<Shape<L>, "ordinal"> & { ordinal: Text }>(
  texts: T & Omit<Checked<T>, "ordinal">,
  names: Record<string, string>,
) => Translation {
  return (texts, names) => ({ texts: texts as Catalogue, names });
}
