/** What a reader has chosen for this device. */
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

function load(): Choices {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Choices>) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Choices = $state(load());

export function saveSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** Milliseconds for something that takes `base` at normal speed; nothing where the reader wants no motion. */
export function duration(base: number): number {
  if (settings.speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return 0;
  return base / settings.speed;
}
