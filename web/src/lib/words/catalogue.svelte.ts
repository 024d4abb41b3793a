/** The catalogue of the reader's language. English is part of the page; the others are loaded when they are chosen. */
import { settings } from "../settings.svelte";
import { en } from "./en";
import { preferredLanguage, type Shown } from "./languages";
import type { Translation } from "./translation";

const LOADERS = import.meta.glob<{ default: Translation }>("./translations/*.ts");
const english: Translation = { texts: en, names: {} };

class Current {
  /** The language that the page is shown in now. */
  language: Shown = $state("en");
  translation: Translation = $state.raw(english);
  #wanted: Shown = "en";

  /** Show the page in the language of the settings. If it cannot be loaded, the page stays as it is. */
  async follow(): Promise<void> {
    const wanted = chosenLanguage();
    this.#wanted = wanted;
    const found = wanted === "en" ? english : await load(wanted);
    if (!found || this.#wanted !== wanted) return; // another one was chosen meanwhile
    this.language = wanted;
    this.translation = found;
  }
}

async function load(language: Shown): Promise<Translation | null> {
  try {
    return (await LOADERS[`./translations/${language}.ts`]?.())?.default ?? null;
  } catch {
    return null;
  }
}

/** The language that the reader wants: from the settings, or from the browser. */
export function chosenLanguage(): Shown {
  return settings.language === "auto" ? preferredLanguage(navigator.languages) : settings.language;
}

export const current = new Current();
