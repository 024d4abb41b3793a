/** The games this device has links to, so that closing the page never loses a seat. */
import { device } from "./device.svelte";

const KEY = "goldenspike.games";
const MOST = 50;

export interface KeptGame {
  game: string;
  edition: string;
  /** Links by seat; only those that were made for, or opened on, this device. */
  links: Record<number, string>;
  watch: string | null;
  /** Invitations by seat that were made here for people elsewhere, to be sent once more. */
  invites: Record<number, string>;
  /** The invitation that was accepted here, so that its address leads back to the table. */
  accepted?: string;
  /** What the server said of the seed before the game was over: the end is checked against it. */
  commitment?: string;
  names: string[];
  /** Points by seat when the game was last open here; left out in editions without points. */
  points?: number[];
  /** The people who had to move when the game was last open here, by seat. Bots move on without a page. */
  toMove?: number[];
  opened: number;
  isOver: boolean;
}

function read(found: unknown): KeptGame[] {
  if (!Array.isArray(found)) throw new TypeError("This is no list of games.");
  const sound = found.filter(isSound);
  if (sound.length < found.length) device.miss();
  return sound;
}

function isSound(found: unknown): found is KeptGame {
  const kept = found as Partial<KeptGame> | null;
  const isMap = (value: unknown): boolean => typeof value === "object" && value !== null;
  const isList = (value: unknown): boolean => value === undefined || Array.isArray(value);
  return (
    typeof kept?.game === "string" &&
    typeof kept.edition === "string" &&
    Array.isArray(kept.names) &&
    isList(kept.points) &&
    isList(kept.toMove) &&
    isMap(kept.links) &&
    isMap(kept.invites)
  );
}

class SavedGames {
  games: KeptGame[] = $state(device.recall(KEY, read) ?? []);

  constructor() {
    device.follow(KEY, () => this.#look());
  }

  find(game: string): KeptGame | undefined {
    return this.games.find((kept) => kept.game === game);
  }

  /** Keep a game, or what is new about it; the one opened last comes first. */
  keep(game: string, change: Partial<KeptGame>): void {
    this.#look();
    const known = this.find(game);
    const kept: KeptGame = {
      ...(known ?? { game, edition: "", links: {}, watch: null, invites: {}, names: [], opened: 0, isOver: false }),
      ...change,
      links: { ...known?.links, ...change.links },
    };
    this.games = [kept, ...this.games.filter((other) => other.game !== game)]
      .sort((a, b) => b.opened - a.opened)
      .slice(0, MOST);
    this.#save();
  }

  /** Drop a link that opens its seat no more. */
  drop(link: string): void {
    this.#look();
    const kept = this.games.find((each) => Object.values(each.links).includes(link));
    if (!kept) return;
    const links = Object.fromEntries(Object.entries(kept.links).filter(([, held]) => held !== link));
    if (!Object.keys(links).length && !kept.watch) this.games = this.games.filter((other) => other !== kept);
    else this.games = this.games.map((other) => (other === kept ? { ...kept, links } : other));
    this.#save();
  }

  forget(game: string): void {
    this.#look();
    this.games = this.games.filter((kept) => kept.game !== game);
    this.#save();
  }

  /** Take what is kept now: other pages of this device keep games, too, and theirs must not be lost. */
  #look(): void {
    this.games = device.recall(KEY, read) ?? this.games;
  }

  #save(): void {
    device.keep(KEY, this.games); // a browser that keeps nothing still plays, as long as the page is open
  }
}

export const savedGames = new SavedGames();
