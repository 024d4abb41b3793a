/** Where the reader is: kept behind the # of the address, which is never sent, because links to seats are secrets. */
export type Place =
  | { screen: "start" }
  | { screen: "table"; link: string }
  | { screen: "replay"; link: string; at: number }
  | { screen: "rules"; edition: string }
  | { screen: "settings" }
  | { screen: "guide" };

export function parsePlace(hash: string): Place {
  const [, screen, ...rest] = hash.split("/");
  const value = decoded(rest[0] ?? "");
  switch (screen) {
    case "table":
      return value ? { screen, link: value } : { screen: "start" };
    case "replay":
      return value ? { screen, link: value, at: Math.max(0, Number(rest[1] ?? 0) || 0) } : { screen: "start" };
    case "rules":
      return { screen, edition: value || "usa-classic" };
    case "settings":
    case "guide":
      return { screen };
    default:
      return { screen: "start" };
  }
}

/** A text as it was before it was put into an address; one that is mangled stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function formatPlace(place: Place): string {
  switch (place.screen) {
    case "start":
      return "#/";
    case "table":
      return `#/table/${encodeURIComponent(place.link)}`;
    case "replay":
      return `#/replay/${encodeURIComponent(place.link)}/${place.at}`;
    case "rules":
      return `#/rules/${encodeURIComponent(place.edition)}`;
    default:
      return `#/${place.screen}`;
  }
}

class Here {
  place: Place = $state(parsePlace(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.place = parsePlace(location.hash)));
  }

  go(place: Place): void {
    location.hash = formatPlace(place);
  }

  /** Change the address without leaving a step to go back to. */
  replace(place: Place): void {
    try {
      history.replaceState(null, "", formatPlace(place));
    } catch {
      // Safari allows a hundred times in half a minute: then the page is right, and its address is not.
    }
    this.place = place;
  }
}

export const here = new Here();
