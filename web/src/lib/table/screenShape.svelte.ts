/**
 * The shape of the screen: wide on a laptop or a television, portrait on an upright tablet, tall on an upright phone,
 * flat on a phone in landscape.
 */
import { MediaQuery } from "svelte/reactivity";

const wide = new MediaQuery("(min-width: 900px) and (min-height: 540px) and (orientation: landscape)");
const portrait = new MediaQuery("(min-width: 700px) and (min-height: 900px) and (orientation: portrait)");
const upright = new MediaQuery("(orientation: portrait)");

export const screenShape = {
  get shape(): "wide" | "portrait" | "tall" | "flat" {
    if (wide.current) return "wide";
    if (portrait.current) return "portrait";
    return upright.current ? "tall" : "flat";
  },
  /** Whether hand, tickets and players have places of their own; on a phone they share one. */
  get isRoomy(): boolean {
    return wide.current || portrait.current;
  },
};
