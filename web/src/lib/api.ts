/** Requests to the server over HTTP. The updates of a game arrive over a socket: see connection. */
import type {
  Accept,
  BotStatus,
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
} from "./messages";
import { Refused } from "./refused";

async function request(path: string, init: RequestInit = {}, link?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  if (link) headers.set("Authorization", `Bearer ${encodeURI(link)}`);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch {
    throw new Refused("offline");
  }
  if (!response.ok) {
    const refusal = (await response.json().catch(() => null)) as Refusal | null;
    throw new Refused(refusal?.code ?? "unavailable", refusal ?? {});
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
  bots: () => read<BotStatus>("/api/bots"),
  lobby: () => read<Lobby>("/api/games/"),
  create: (wish: NewGame) => send<Created>("/api/games/", wish),
  /** Accept an invitation, which works once. */
  accept: (invitation: string, wish: Accept) => send<Joined>(`/api/games/${gameOf(invitation)}/accept`, wish, invitation),
  /** Open the seat of another device of the same player. */
  useCode: (code: string) => send<Joined>("/api/codes", { code }),
  join: (game: string, wish: Join) => send<Joined>(`/api/games/${game}/join`, wish),
  entries: (link: string, after: number) => read<Entries>(`/api/games/${gameOf(link)}/entries?after=${after}`, link),
  // Nothing in a finished game is secret, so its id is enough.
  replay: (game: string, first: number, count: number) =>
    read<Replay>(`/api/games/${encodeURIComponent(game)}/replay?first=${first}&count=${count}`),
  statistics: (game: string) => read<Statistics>(`/api/games/${encodeURIComponent(game)}/statistics`),
  record: async (game: string) => (await request(`/api/games/${encodeURIComponent(game)}/record`)).text(),
  branch: (game: string, wish: Branch) => send<Created>(`/api/games/${encodeURIComponent(game)}/branch`, wish),
  importRecord: async (text: string) =>
    (await request("/api/records/", { method: "POST", headers: { "Content-Type": "text/plain" }, body: text })).json() as Promise<Created>,
};

/** Download a text as a file. */
export function saveFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
