/** The current screen, stored after the # of the address, because that part is never sent and links to seats are secret. */
export type Screen =
  | { screen: "start" }
  | { screen: "table"; link: string }
  | { screen: "seats"; links: Record<number, string> }
  | { screen: "invite"; link: string }
  | { screen: "code"; code: string }
  | { screen: "replay"; game: string; at: number }
  | { screen: "rules"; edition: string }
  | { screen: "settings" }
  | { screen: "guide" };

export function parseScreen(hash: string): Screen {
  const [, screen, ...rest] = hash.split("/");
  const value = decoded(rest[0] ?? "");
  switch (screen) {
    case "table":
    case "invite":
      return value ? { screen, link: value } : { screen: "start" };
    case "seats":
      return value ? { screen, links: seatsOf(value, rest.slice(1)) } : { screen: "start" };
    case "code":
      return { screen, code: value };
    case "replay":
      // The address of a replay is there to be shared, so it names the game only; older ones held a link.
      return value ? { screen, game: value.split(".")[0]!, at: Math.max(0, Number(rest[1] ?? 0) || 0) } : { screen: "start" };
    case "rules":
      return { screen, edition: value || "usa-classic" };
    case "settings":
    case "guide":
      return { screen };
    default:
      return { screen: "start" };
  }
}

/** The links to several seats at one device: the game's name, then each seat's secret, or "-" for a seat elsewhere. */
function seatsOf(game: string, secrets: string[]): Record<number, string> {
  const links = secrets.map((secret, seat): [number, string] => [seat, `${game}.${secret}`]);
  return Object.fromEntries(links.filter(([seat]) => !["", "-"].includes(secrets[seat]!)));
}

/** A text as it was before it was put into an address; a malformed one stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function formatScreen(target: Screen): string {
  switch (target.screen) {
    case "start":
      return "#/";
    case "table":
    case "invite":
      return `#/${target.screen}/${encodeURIComponent(target.link)}`;
    case "code":
      return `#/code/${encodeURIComponent(target.code)}`;
    case "replay":
      return `#/replay/${encodeURIComponent(target.game)}/${target.at}`;
    case "rules":
      return `#/rules/${encodeURIComponent(target.edition)}`;
    case "seats": // only read: goldenspike play writes it
      return "#/";
    default:
      return `#/${target.screen}`;
  }
}

class Router {
  current: Screen = $state(parseScreen(location.hash));

  constructor() {
    addEventListener("hashchange", () => (this.current = parseScreen(location.hash)));
  }

  go(target: Screen): void {
    location.hash = formatScreen(target);
  }

  /** Change the address without leaving a step to go back to. */
  replace(target: Screen): void {
    try {
      history.replaceState(null, "", formatScreen(target));
    } catch {
      // Safari allows a hundred times in half a minute: then the page is right, and its address is not.
    }
    this.current = target;
  }
}

export const router = new Router();
