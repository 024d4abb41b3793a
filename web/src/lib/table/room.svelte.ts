/** How much room there is: beside each other on a laptop, below each other on an upright phone, flat on one that lies. */
import { MediaQuery } from "svelte/reactivity";

const wide = new MediaQuery("(min-width: 900px) and (min-height: 540px)");
const upright = new MediaQuery("(orientation: portrait)");

export const room = {
  get shape(): "wide" | "tall" | "flat" {
    return wide.current ? "wide" : upright.current ? "tall" : "flat";
  },
};
