/** Create a game, and save its links on this device. */
import { api } from "./api";
import { decoded, formatScreen, router, type Screen } from "./router.svelte";
import { type KeptGame, savedGames } from "./savedGames.svelte";
import type { Created, Joined, Options, SeatWish } from "./messages";

export interface Dealt {
  created: Created;
  /** Invitations to send to others, by seat. */
  toShare: { seat: number; link: string }[];
  /** The link of this device: to its seat, or to watch. */
  mine: string;
}

/** Keep what the server answered to a new game, and tell which links are for whom. */
export function keepDealt(created: Created, edition: string, names: string[]): Dealt {
  const links: Record<number, string> = {};
  const toShare: Dealt["toShare"] = [];
  created.seats.forEach((link, seat) => link && (links[seat] = link));
  created.invitations.forEach((link, seat) => link && toShare.push({ seat, link }));
  const invites = Object.fromEntries(toShare.map(({ seat, link }) => [seat, link]));
  const { watch, commitment } = created;
  savedGames.keep(created.game, { edition, links, watch, invites, commitment, names, opened: Date.now() });
  const mine = Object.values(links)[0] ?? created.watch;
  return { created, toShare, mine };
}

export async function deal(edition: string, seats: SeatWish[], options: Options, names: string[]): Promise<Dealt> {
  return keepDealt(await api.create({ edition, seats, options }), edition, names);
}

export function sitDown(link: string): void {
  router.go({ screen: "table", link });
}

/** Keep the link to a seat that this device was given, and open it. */
export function takeSeat(joined: Joined, more: Partial<KeptGame> = {}): void {
  savedGames.keep(joined.game, { links: { [joined.seat]: joined.link }, opened: Date.now(), ...more });
  router.replace({ screen: "table", link: joined.link });
}

/** The address of a screen of this page. */
export function addressOf(target: Screen): string {
  return `${location.origin}${location.pathname}${formatScreen(target)}`;
}

/** The link in an address or text that the user has pasted; null if there is none. */
export function findLink(text: string): string | null {
  const found = /([A-Za-z0-9_-]{6,16}\.[A-Za-z0-9_-]{20,64})/.exec(decoded(text));
  return found?.[1] ?? null;
}
