/** The user's settings on this device. */
import { device } from "./device.svelte";
import { isLanguage, type Shown } from "./words/languages";
import type { SeatColour } from "./kinds";
import { COLOURS } from "./messages";

const KEY = "goldenspike.settings";

/** How long each pace shows something, compared with the normal one. */
export const PACES = { instant: 0, quick: 0.5, normal: 1, relaxed: 1.8 };
export type Pace = keyof typeof PACES;

export interface SettingValues {
  /** The language of the page; "auto" follows the browser. */
  language: Shown | "auto";
  theme: "system" | "light" | "dark";
  /** How fast the game is shown: what others do, and the animations of it. */
  pace: Pace;
  volume: number;
  name: string;
  /** The colour of one's pieces; null if any will do. */
  colour: SeatColour | null;
  /** Whether a claim of a coloured route asks for a second tap. */
  confirms: boolean;
  /** The size of all text, compared with the normal one. */
  textSize: number;
  /** Whether a notification is shown when a turn begins while the page is in the background. */
  notifies: boolean;
  /** Whether sounds have been offered. */
  isSoundOffered: boolean;
}

export const TEXT_SIZES = [0.9, 1, 1.15, 1.3];

const DEFAULTS: SettingValues = {
  language: "auto",
  theme: "system",
  pace: "normal",
  volume: 0,
  name: "",
  colour: null,
  confirms: true,
  textSize: 1,
  notifies: false,
  isSoundOffered: false,
};

/** The valid values of each setting; any other value is ignored. */
const SOUND: { [Name in keyof SettingValues]: (value: unknown) => boolean } = {
  language: (value) => typeof value === "string" && (isLanguage(value) || value === "auto" || value === "pseudo"),
  theme: (value) => ["system", "light", "dark"].includes(value as string),
  pace: (value) => Object.keys(PACES).includes(value as string),
  volume: (value) => typeof value === "number" && value >= 0 && value <= 1,
  name: (value) => typeof value === "string",
  colour: (value) => value === null || COLOURS.includes(value as SeatColour),
  confirms: (value) => typeof value === "boolean",
  textSize: (value) => TEXT_SIZES.includes(value as number),
  notifies: (value) => typeof value === "boolean",
  isSoundOffered: (value) => typeof value === "boolean",
};

function read(found: unknown): SettingValues {
  if (typeof found !== "object" || found === null) throw new TypeError("These are no settings.");
  const sound = Object.entries(found).filter(([name, value]) => SOUND[name as keyof SettingValues]?.(value));
  return { ...DEFAULTS, ...(Object.fromEntries(sound) as Partial<SettingValues>) };
}

export const settings: SettingValues = $state(device.recall(KEY, read) ?? { ...DEFAULTS });

/** Change some settings, and save them without losing changes from other tabs. */
export function choose(change: Partial<SettingValues>): void {
  Object.assign(settings, device.recall(KEY, read), change);
  device.keep(KEY, settings);
}

device.follow(KEY, () => Object.assign(settings, device.recall(KEY, read)));

/** Milliseconds that something which takes `base` at the normal pace is shown. */
export function showTime(base: number): number {
  return base * PACES[settings.pace];
}

/** Milliseconds of an animation that takes `base` at the normal pace; 0 for a reader who wants no motion. */
export function duration(base: number): number {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : showTime(base);
}
