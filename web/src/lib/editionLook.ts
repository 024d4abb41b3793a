/** How editions differ in their pictures and at the table. Editions that are not named here look plain. */

export interface EditionLook {
  /** The print: style.css has its colours, under `data-look`. */
  style: "plain" | "sepia" | "marked" | "double" | "taxi" | "bright";
  /** A text on a brass plate. */
  plate?: string;
  /** The only cities that are marked; all cities of tickets if left out. */
  cities?: Set<string>;
}

const PLAIN: EditionLook = { style: "plain" };

const LOOKS: Record<string, EditionLook> = {
  "usa-1910": { style: "sepia", plate: "1910" },
  // Every ticket of this edition has at least one of these cities.
  "usa-big-cities": { style: "marked", cities: new Set(["CHI", "DAL", "HOU", "LAX", "MIA", "NYC", "SEA"]) },
  "usa-mega": { style: "double", plate: "1910" },
  "new-york": { style: "taxi" },
  "first-journey": { style: "bright" },
};

export function editionLook(id: string): EditionLook {
  return LOOKS[id] ?? PLAIN;
}
