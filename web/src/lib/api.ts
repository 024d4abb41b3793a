/** What is asked of the server once, over HTTP. What a game says by itself comes over a socket: see connection. */
import type {
  Branch,
  Created,
  EditionCards,
  EditionInfo,
  Entries,
  Join,
  Joined,
  Lobby,
  NewGame,
  Refusal,
  Replay,
  Statistics,
  Welcome,
} from "./wire";
import { t } from "./words";

/** A sentence for the person who asked for something that was not done. */
export function sentenceOf(error: unknown): string {
  return error instanceof Refused && error.message ? error.message : t("app.offline");
}

/** Something the server refused, or that it could not be reached (code "offline"). */
export class Refused extends Error {
  constructor(
    readonly code: Refusal["code"] | "offline",
    message: string,
    readonly rule: string | null = null,
  ) {
    super(message);
  }
}

async function request(path: string, init: RequestInit = {}, link?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  if (link) headers.set("Authorization", `Bearer ${encodeURI(link)}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch {
    throw new Refused("offline", "");
  }
  if (!response.ok) {
    const refusal = (await response.json().catch(() => null)) as Refusal | null;
    throw new Refused(refusal?.code ?? "unavailable", refusal?.message ?? response.statusText, refusal?.rule);
  }
  return response;
}

async function read<T>(path: string, link?: string): Promise<T> {
  return (await request(path, {}, link)).json() as Promise<T>;
}

async function send<T>(path: string, body: unknown, link?: string): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) }, link)).json() as Promise<T>;
}

const gameOf = (link: string): string => encodeURIComponent(link.split(".")[0] ?? "");

const editions = new Map<string, Promise<EditionInfo>>();

export const api = {
  editions: () => read<EditionCards>("/api/editions/"),
  edition(id: string): Promise<EditionInfo> {
    let known = editions.get(id);
    if (!known) {
      known = read<EditionInfo>(`/api/editions/${encodeURIComponent(id)}`);
      known.catch(() => editions.delete(id));
      editions.set(id, known);
    }
    return known;
  },
  lobby: () => read<Lobby>("/api/games/"),
  create: (wish: NewGame) => send<Created>("/api/games/", wish),
  join: (game: string, wish: Join) => send<Joined>(`/api/games/${game}/join`, wish),
  game: (link: string) => read<Welcome>(`/api/games/${gameOf(link)}`, link),
  entries: (link: string, after: number) => read<Entries>(`/api/games/${gameOf(link)}/entries?after=${after}`, link),
  replay: (link: string, first: number, count: number) =>
    read<Replay>(`/api/games/${gameOf(link)}/replay?first=${first}&count=${count}`, link),
  statistics: (link: string) => read<Statistics>(`/api/games/${gameOf(link)}/statistics`, link),
  record: async (link: string) => (await request(`/api/games/${gameOf(link)}/record`, {}, link)).text(),
  branch: (link: string, wish: Branch) => send<Created>(`/api/games/${gameOf(link)}/branch`, wish, link),
  importRecord: async (text: string) =>
    (await request("/api/records/", { method: "POST", headers: { "Content-Type": "text/plain" }, body: text })).json() as Promise<Created>,
};
