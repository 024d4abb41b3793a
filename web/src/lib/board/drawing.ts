/** Where everything lies on a board, ready to be drawn: the layout that comes with an edition. */
import type { Layout } from "../wire";

export type { CityPlace } from "../wire";
export type Drawing = Layout;
/** The middle of a space, and its angle in degrees, clockwise from level. */
export type Space = [x: number, y: number, angle: number];
