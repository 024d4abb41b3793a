/** What a reader has chosen for this device. */
import { device } from "./device.svelte";

const KEY = "goldenspike.settings";

export interface Choices {
  language: string;
  theme: "system" | "light" | "dark";
  /** Speed of animations; 0 shows none. */
  speed: 0 | 1 | 2 | 4;
  volume: number;
  name: string;
  /** Whether a claim of a coloured route asks for a second tap. */
  confirms: boolean;
}

const DEFAULTS: Choices = { language: "en", theme: "system", speed: 1, volume: 0, name: "", confirms: true };

/** What each choice may be; one that is anything else is as if it had not been made. */
const SOUND: { [Name in keyof Choices]: (value: unknown) => boolean } = {
  language: (value) => typeof value === "string" && /^[a-z]{2}$/.test(value),
  theme: (value) => ["system", "light", "dark"].includes(value as string),
  speed: (value) => [0, 1, 2, 4].includes(value as number),
  volume: (value) => typeof value === "number" && value >= 0 && value <= 1,
  name: (value) => typeof value === "string",
  confirms: (value) => typeof value === "boolean",
};

function read(found: unknown): Choices {
  if (typeof found !== "object" || found === null) throw new TypeError("These are no settings.");
  const sound = Object.entries(found).filter(([name, value]) => SOUND[name as keyof Choices]?.(value));
  return { ...DEFAULTS, ...(Object.fromEntries(sound) as Partial<Choices>) };
}

export const settings: Choices = $state(device.recall(KEY, read) ?? { ...DEFAULTS });

/** Change some of it, and keep that beside what other pages of this device have kept. */
export function choose(change: Partial<Choices>): void {
  Object.assign(settings, device.recall(KEY, read), change);
  device.keep(KEY, settings);
}

device.follow(KEY, () => Object.assign(settings, device.recall(KEY, read)));

/** Milliseconds for something that takes `base` at normal speed; nothing where the reader wants no motion. */
export function duration(base: number): number {
  if (settings.speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return base / settings.speed;
}
