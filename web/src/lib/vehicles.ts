/** Drawings of what is on cards: a wagon for each colour, a locomotive, and taxis for boards that are played with them. */
import { getContext, setContext } from "svelte";

/** A vehicle seen from the side, in a box of 48 by 24. Wheels stand on the line y = 24. */
export interface Vehicle {
  body: string;
  /** Lines and windows, drawn in the colour of the card. */
  details: string;
  wheels: number[];
}

const bogies = [9, 15, 33, 39];

const WAGONS: Record<string, Vehicle> = {
  // Passenger car: a clerestory roof and a row of windows.
  purple: { body: "M2 9q0-3 3-3h7l2-2h20l2 2h7q3 0 3 3v9H2z", details: "M6 10h4v4H6zM13 10h4v4h-4zM20 10h4v4h-4zM27 10h4v4h-4zM34 10h4v4h-4zM40 10h3v4h-3z", wheels: bogies },
  // Observation car: an open platform with a roof at the end.
  pink: { body: "M2 8q0-3 3-3h38q3 0 3 2v1h-2v5h2v5H2zM36 8v5h6V8z", details: "M5 9h4v4H5zM12 9h4v4h-4zM19 9h4v4h-4zM26 9h4v4h-4zM4 15h40v.9H4z", wheels: bogies },
  // Boxcar with a sliding door and a walk on its flat roof.
  blue: { body: "M2 6h6V4h32v2h6v12H2z", details: "M18 7.5h12v9H18zM20 9v6h8V9zM8 7.5h1v9H8zM39 7.5h1v9h-1z", wheels: bogies },
  // Refrigerator car: hatches on the roof.
  orange: { body: "M2 6h3V3h6v3h26V3h6v3h3v12H2z", details: "M20 8h8v8h-8zM6 9h10v1H6zM6 13h10v1H6zM32 9h10v1H32zM32 13h10v1H32z", wheels: bogies },
  // Tank car with a dome.
  white: { body: "M8 7h11V4q0-1 1-1h8q1 0 1 1v3h11q5 0 5 5t-5 5H8q-5 0-5-5t5-5zM2 17h44v2H2z", details: "M13 8h1v8h-1zM34 8h1v8h-1zM4 11.5h40v1H4z", wheels: bogies },
  // Stock car: an arched roof over slats.
  green: { body: "M1 8q1-5 23-5t23 5v1.4h-2V18H3V9.4H1z", details: "M6 9.5h10v1.5H6zM6 12.4h10v1.5H6zM6 15.3h10v1.5H6zM20 9.5h8v7.3h-8zM32 9.5h10v1.5H32zM32 12.4h10v1.5H32zM32 15.3h10v1.5H32z", wheels: bogies },
  // Flat car with logs.
  yellow: { body: "M2 15h44v4H2zM8 15a3.6 3.6 0 1 1 7.2 0zM16 15a3.6 3.6 0 1 1 7.2 0zM24 15a3.6 3.6 0 1 1 7.2 0zM32 15a3.6 3.6 0 1 1 7.2 0zM12 9.5a3.6 3.6 0 1 1 7.2 0 3.6 3.6 0 1 1-7.2 0zM20 9.5a3.6 3.6 0 1 1 7.2 0 3.6 3.6 0 1 1-7.2 0zM28 9.5a3.6 3.6 0 1 1 7.2 0 3.6 3.6 0 1 1-7.2 0z", details: "M15 9.5a1.2 1.2 0 1 1 .1 0zM23 9.5a1.2 1.2 0 1 1 .1 0zM31 9.5a1.2 1.2 0 1 1 .1 0z", wheels: bogies },
  // Hopper with coal.
  black: { body: "M3 8h4q4-5 9-2 5-5 9-1 5-4 9 1 4-2 7 2h4l-4 10H7z", details: "M14 10l1 7h1l-1-7zM24 10v7h1v-7zM34 10l-1 7h1l1-7z", wheels: bogies },
  // Caboose with a cupola and platforms.
  red: { body: "M1 9h5V7h12V3h12v4h12v2h5v1.5h-3V18h3v1.5H1V18h3v-7.5H1z", details: "M20 5h3v2h-3zM25 5h3v2h-3zM9 10h5v4H9zM21 10h6v8h-6zM33 10h5v4h-5z", wheels: [10, 16, 32, 38] },
  // Gondola with crates.
  brown: { body: "M2 9h44v9H2zM7 9V4h9v5zM18 9V5.5h8V9zM30 9V3h10v6z", details: "M8 10.5h1v6H8zM16 10.5h1v6h-1zM24 10.5h1v6h-1zM32 10.5h1v6h-1zM40 10.5h1v6h-1z", wheels: bogies },
  // Mail car: a low roof, a lamp, and a sack at the door.
  teal: { body: "M2 7l4-3h10V2h4v2h22l4 3v11H2z", details: "M6 9h6v3H6zM15 8.5h8V18h-8zM27 9h6v3h-6zM37 9h6v3h-6z", wheels: bogies },
};

/** With a cab, a steam dome, a chimney with smoke, and a cowcatcher. */
const LOCOMOTIVE: Vehicle = {
  body: "M1 4.5h14v2h-1.5v4h8v-2q0-2.5 2.5-2.5t2.5 2.5v2h5V5h-1.5V3h7.5v2H36v5.5h3.5q2.5 0 2.5 3V17l5 6h-7l-2-3H2v-3h1V6.5H1zM38.5 2q-.5-2 2-2 1-1.5 3-.5 2.5-.5 2.5 1.3 0 1.7-2 1.5-1.5 1.5-3 .2-2 .8-2.5-.5z",
  details: "M5.5 8h5v4.5h-5zM14 13.5h24v1H14zM41 13h1.5v2H41z",
  wheels: [],
};

const TAXI: Vehicle = {
  body: "M3 13l6-1.5L15 6h5V3.5h8V6h3l8 6 5 1.5q2 .5 2 3V19H2v-3q0-2.5 1-3z",
  details: "M17 7.5L12.5 12H22V7.5zM24 7.5V12h11l-5.5-4.5zM4 14.5h40v1H4z",
  wheels: [],
};

/** The mark of a taxi and the picture of a piece, in a box of 24 by 24. */
export const TAXI_MARK =
  "M1.5 12.5l3.3-1L8 6.5h2V4h5v2.5h1.5l4 5 2 1V17h-1.7a2.9 2.9 0 0 1-5.6 0H9a2.9 2.9 0 0 1-5.6 0H1.5zM8.7 8.3l-1.8 3.2h4V8.3zM12.7 8.3v3.2h5l-2.3-3.2zM6.2 18.3a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8zM18 18.3a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8z";

const TAXI_KEY = Symbol("taxi");

/** Say, for everything inside this component, whether the board is played with taxis. */
export function provideTaxi(isTaxi: () => boolean): void {
  setContext(TAXI_KEY, isTaxi);
}

/** Return whether the board around this component is played with taxis; false where there is none. */
export function useTaxi(): () => boolean {
  return getContext<(() => boolean) | undefined>(TAXI_KEY) ?? (() => false);
}

/** Return the drawing on a card, and the radii and places of its large wheels. */
export function vehicleOf(kind: string, isTaxi: boolean): Vehicle & { large: [x: number, radius: number][] } {
  if (isTaxi) return { ...TAXI, large: [[12, 4.2], [36, 4.2]] };
  if (kind === "loco") return { ...LOCOMOTIVE, large: [[6.5, 2.8], [15, 4.4], [25, 4.4], [33.5, 2.8]] };
  return { ...(WAGONS[kind] ?? WAGONS["blue"]!), large: [] };
}
