/** Labels of things on the table, for screen readers. */
import { t } from "../words";
import type { EditionIndex } from "./editionIndex";

export interface Standing {
  owner: number | null;
  isClosed: boolean;
  isLit: boolean;
  names: string[];
  you: number | null;
}

/** A route with everything about it: "Chicago to Pittsburgh, black, 3 spaces, free, you can claim it". */
export function routeLabel(editionIndex: EditionIndex, name: string, standing: Standing): string {
  const route = editionIndex.routes.get(name);
  if (!route) return name;
  const { owner, isClosed, isLit, names, you } = standing;
  const state =
    owner !== null
      ? owner === you
        ? t("route.yours")
        : t("route.claimed", { name: names[owner] ?? "" })
      : isClosed
        ? t("route.closed")
        : isLit
          ? t("route.open")
          : t("route.free");
  return t("route.label", {
    a: editionIndex.city(route.a),
    b: editionIndex.city(route.b),
    colour: editionIndex.card(route.colour),
    spaces: t("route.spaces", { count: route.length }),
    state,
  });
}

/** A city with the routes that leave it. */
export function cityLabel(editionIndex: EditionIndex, code: string, isWanted: boolean): string {
  const ends = new Set(
    editionIndex.edition.routes
      .filter((route) => route.a === code || route.b === code)
      .map((route) => editionIndex.city(route.a === code ? route.b : route.a)),
  );
  const gaps = { city: editionIndex.city(code), cities: [...ends].join(", ") };
  return t(isWanted ? "city.wanted" : "city.label", gaps);
}
