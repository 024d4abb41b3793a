/** Dealing a game, and keeping its links on this device. */
import { api } from "./api";
import { decoded, here } from "./place.svelte";
import { shelf } from "./shelf.svelte";
import type { Created, Options, SeatWish } from "./wire";

export interface Dealt {
  created: Created;
  /** Links to send to others, by seat. */
  toShare: { seat: number; link: string }[];
  /** Where this device sits, or watches. */
  mine: string;
}

/** Keep what the server answered to a new game, and tell which links are for whom. */
export function keepDealt(created: Created, edition: string, seats: SeatWish[], names: string[]): Dealt {
  const links: Record<number, string> = {};
  const toShare: Dealt["toShare"] = [];
  created.seats.forEach((link, seat) => {
    if (!link) return;
    if (seats[seat]?.who === "here") links[seat] = link;
    else toShare.push({ seat, link });
  });
  const invites = Object.fromEntries(toShare.map(({ seat, link }) => [seat, link]));
  shelf.keep(created.game, { edition, links, watch: created.watch, invites, names, opened: Date.now() });
  const mine = Object.values(links)[0] ?? created.watch;
  return { created, toShare, mine };
}

export async function deal(edition: string, seats: SeatWish[], options: Options, names: string[]): Promise<Dealt> {
  return keepDealt(await api.create({ edition, seats, options }), edition, seats, names);
}

export function sitDown(link: string): void {
  here.go({ screen: "table", link });
}

/** The address that opens a link in a browser. */
export function addressOf(link: string): string {
  return `${location.origin}${location.pathname}#/table/${encodeURIComponent(link)}`;
}

/** The link in an address or text that somebody has pasted; null if there is none. */
export function findLink(text: string): string | null {
  const found = /([A-Za-z0-9_-]{6,16}\.[A-Za-z0-9_-]{20,64})/.exec(decoded(text));
  return found?.[1] ?? null;
}
