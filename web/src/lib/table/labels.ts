/** What things on the table are called for those who hear them. */
import { t } from "../words";
import type { Atlas } from "./atlas";

export interface Standing {
  owner: number | null;
  isClosed: boolean;
  isLit: boolean;
  names: string[];
  you: number | null;
}

/** A route with everything about it: "Chicago to Pittsburgh, black, 3 spaces, free, you can claim it". */
export function routeLabel(atlas: Atlas, name: string, standing: Standing): string {
  const route = atlas.routes.get(name);
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
    a: atlas.city(route.a),
    b: atlas.city(route.b),
    colour: atlas.card(route.colour),
    spaces: t("route.spaces", { count: route.length }),
    state,
  });
}

/** A city with the routes that leave it. */
export function cityLabel(atlas: Atlas, code: string, isWanted: boolean): string {
  const ends = new Set(
    atlas.edition.routes
      .filter((route) => route.a === code || route.b === code)
      .map((route) => atlas.city(route.a === code ? route.b : route.a)),
  );
  const gaps = { city: atlas.city(code), cities: [...ends].join(", ") };
  return t(isWanted ? "city.wanted" : "city.label", gaps);
}
