/** A record as the page reads it: enough to follow what was drawn. */

/** One event, its details as the text of the record has them. */
export interface RecordEvent {
  kind: string;
  seat: number | null;
  details: Record<string, string>;
  /** The event as it is written. */
  text: string;
}

export interface RecordAction {
  n: number;
  seat: number;
  events: RecordEvent[];
}

export interface GameRecord {
  edition: string;
  seats: number;
  /** Who begins; null if the seed decides. */
  first: number | null;
  seed: string;
  actions: RecordAction[];
}

/** Read a record; throws if it is none. */
export function readRecord(text: string): GameRecord {
  const [header, ...lines] = text
    .split("\n")
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  if (typeof header?.["seats"] !== "number" || typeof header["seed"] !== "string") throw new Error("no header");
  if (!/^[0-9a-f]{64}$/.test(header["seed"])) throw new Error("no seed");
  const actions = lines
    .filter((line) => "n" in line)
    .map(({ n, seat, outcome }) => ({ n: Number(n), seat: Number(seat), events: (outcome as string[]).map(readEvent) }));
  const first = header["first"];
  return {
    edition: String(header["edition"]),
    seats: header["seats"],
    first: typeof first === "number" ? first : null,
    seed: header["seed"],
    actions,
  };
}

/** Read an event: its kind, then details such as "slot=3 card=red". Kinds and values may have spaces in them. */
export function readEvent(text: string): RecordEvent {
  const [kind = "", ...pairs] = text.split(/ (?=\w+=)/);
  const details = Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  const { seat, ...rest } = details;
  return { kind, seat: seat === undefined ? null : Number(seat), details: rest, text };
}
