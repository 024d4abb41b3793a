import { expect, test } from "vitest";
import type { Event, Told } from "../messages";
import { bytesOf, Chance, chachaBlock } from "./chance";
import type { DealtEdition } from "./deck";
import { readEvent, readRecord } from "./record";
import editionsText from "./fixtures/editions.json?raw";
import firstJourney from "./fixtures/first-journey.jsonl?raw";
import newYork from "./fixtures/new-york.jsonl?raw";
import usaClassic from "./fixtures/usa-classic.jsonl?raw";
import { plainSha256, sha256 } from "./sha256";
import { type DealClaim, verifyDeal } from "./verify";

// Real records, written by tools/verify_fixtures.
const RECORDS: Record<string, string> = { "usa-classic": usaClassic, "new-york": newYork, "first-journey": firstJourney };
const editions = JSON.parse(editionsText) as Record<string, DealtEdition>;
const GAMES = Object.keys(editions);
const commitmentOf = (record: string): string => (JSON.parse(record.slice(0, record.indexOf("\n"))) as { commitment: string }).commitment;

function claimOf(edition: string, change: Partial<DealClaim> = {}): DealClaim {
  const record = RECORDS[edition]!;
  return { record, edition: editions[edition]!, commitment: commitmentOf(record), told: [], you: null, ...change };
}

/** Every event of an action, nothing hidden but what seats are told for themselves alone. */
function toldOf(record: string): Told[] {
  const events = (n: number): Event[] =>
    readRecord(record).actions[n]!.events.filter(({ kind }) => kind !== "joined").map(({ kind, seat, details }) => ({ kind, seat, details }));
  const started: Told = { n: 0, kind: "started", at: 0 };
  return [started, ...readRecord(record).actions.map(({ n, seat }): Told => ({ n, kind: "moved", at: 0, seat, events: events(n - 1) }))];
}

test("ChaCha20 gives the block of RFC 8439, 2.3.2", () => {
  const key = Uint32Array.from({ length: 8 }, (_, i) => 0x03020100 + i * 0x04040404);
  const block = chachaBlock(key, 1, [0x09000000, 0x4a000000, 0]);
  expect([...block.slice(0, 4)].map((word) => word.toString(16))).toEqual(["e4e7f110", "15593bd1", "1fdd0f50", "c47120a3"]);
});

test("all numbers below a bound occur, and the same seed gives the same numbers", () => {
  const seed = bytesOf("ab".repeat(32));
  const found = Array.from({ length: 500 }, ((chance) => () => chance.below(7))(new Chance(seed, 0)));
  expect(new Set(found)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6]));
  expect(new Chance(seed, 0).below(7)).toBe(found[0]);
});

test("SHA-256 is the same with and without Web Crypto", async () => {
  for (const text of ["", "abc", "a".repeat(55), "b".repeat(56), "c".repeat(200)]) {
    const data = new TextEncoder().encode(text);
    expect(plainSha256(data)).toBe(await sha256(data));
  }
  expect(plainSha256(new TextEncoder().encode("abc"))).toMatch(/^ba7816bf8f01cfea/);
});

test("events survive writing and reading", () => {
  expect(readEvent("turned up slot=3 card=loco")).toMatchObject({ kind: "turned up", seat: null, details: { slot: "3", card: "loco" } });
  expect(readEvent("scored seat=0 term=tickets made points=5")).toMatchObject({ seat: 0, details: { term: "tickets made" } });
  expect(readEvent("wiped")).toMatchObject({ kind: "wiped", details: {} });
});

test.each(GAMES)("a whole game of %s fits its seed", async (edition) => {
  const record = RECORDS[edition]!;
  const count = (kind: string): number => record.split(`"${kind} `).length - 1;
  expect(count("reshuffled")).toBeGreaterThan(0);
  expect(count("offered") + count("received")).toBeGreaterThan(0);
  const inRecord = count("drew") + count("turned up") + count("offered") + count("received");
  const verdict = await verifyDeal(claimOf(edition, { told: toldOf(record) }));
  expect(verdict.misfit).toBeNull();
  const { rules, face_up } = editions[edition]!;
  expect(verdict.draws).toBeGreaterThanOrEqual(inRecord + readRecord(record).seats * (rules.opening_hand + rules.deal) + face_up);
});

test("progress is reported", async () => {
  const told: number[] = [];
  await verifyDeal(claimOf(GAMES[0]!), (done) => told.push(done));
  expect(told.slice(0, 2)).toEqual([20, 40]);
});

test("a seed that does not match the commitment is reported", async () => {
  const claim = claimOf(GAMES[0]!, { commitment: "0".repeat(64) });
  expect(await verifyDeal(claim)).toEqual({ draws: 0, misfit: { what: "seal" } });
});

test("an invalid record is reported", async () => {
  expect((await verifyDeal(claimOf(GAMES[0]!, { record: "nothing" }))).misfit?.what).toBe("record");
});

test.each(GAMES)("one changed card, ticket or reshuffle of %s is told", async (edition) => {
  const { record } = claimOf(edition);
  const changed = async (from: RegExp, to: string): Promise<unknown> => {
    const other = record.replace(from, to);
    expect(other).not.toBe(record);
    return (await verifyDeal(claimOf(edition, { record: other }))).misfit;
  };
  const drawn = /"drew seat=(\d) card=(\w+)"/.exec(record)!;
  const other = drawn[2] === "black" ? "white" : "black";
  expect(await changed(/"drew seat=\d card=\w+"/, `"drew seat=${drawn[1]} card=${other}"`)).toMatchObject({ what: "draw", expected: drawn[2], found: other });
  const kind = record.includes('"offered ') ? "offered" : "received";
  expect(await changed(new RegExp(`"${kind} seat=(\\d) ticket=[^"]+"`), `"${kind} seat=$1 ticket=NO-WHERE"`)).toMatchObject({ what: "draw", found: "NO-WHERE" });
  expect(await changed(/"reshuffled cards=\d+"/, '"reshuffled cards=1"')).toMatchObject({ what: "step", found: "reshuffled cards=1" });
});

test("who begins is checked", async () => {
  const { record } = claimOf("usa-classic");
  const began = /"turn began seat=(\d)"/.exec(record)![1]!;
  const other = record.replace(/"turn began seat=\d"/, `"turn began seat=${1 - Number(began)}"`);
  expect((await verifyDeal(claimOf("usa-classic", { record: other }))).misfit).toMatchObject({ what: "first" });
});

test("a record that differs from the observed game is reported", async () => {
  const { record } = claimOf("usa-classic");
  const told = toldOf(record);
  const place = told.findIndex((entry) => entry.events?.some((event) => event.kind === "claimed"));
  const claimed = told[place]!.events!.find((event) => event.kind === "claimed")!;
  const seen = told.map((entry, i) => (i === place ? { ...entry, events: [{ ...claimed, details: { ...claimed.details, route: "SEA-POR/1" } }] } : entry));
  expect((await verifyDeal(claimOf("usa-classic", { told: seen }))).misfit).toMatchObject({ what: "seen", action: place });
});

test("cards dealt at the start must be those of the seed", async () => {
  const started = (card: string | null): Told[] => [
    { n: 0, kind: "started", at: 0, events: [{ kind: "started", seat: 0, details: {} }, { kind: "drew", seat: 0, details: { card } }] },
  ];
  // Only the first card was told: the rest is missing, and that is told; but first the card itself.
  expect((await verifyDeal(claimOf("usa-classic", { told: started("no card"), you: 0 }))).misfit).toMatchObject({ what: "dealt", found: "no card" });
});

test("undone moves do not count", async () => {
  const { record } = claimOf("usa-classic");
  const [first, ...rest] = toldOf(record);
  const wrong: Told = { n: 1, kind: "moved", at: 0, seat: 0, events: [{ kind: "passed", seat: 0, details: {} }] };
  const told = [first!, wrong, { n: 2, kind: "undone", at: 0, seat: 0, move: 1 } as Told, ...rest.map((entry) => ({ ...entry, n: entry.n + 2 }))];
  expect((await verifyDeal(claimOf("usa-classic", { told }))).misfit).toBeNull();
});
