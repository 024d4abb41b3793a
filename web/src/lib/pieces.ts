/** Outlines of pieces seen from above. Each seat has its own, so that pieces differ in more than colour. */

type Outline = (x: number, y: number) => string;

/** Half the length is x, half the width y; a piece points to the right. */
const TRAINS: Outline[] = [
  // round ends
  (x, y) => `M${-x + y} ${-y}H${x - y}A${y} ${y} 0 0 1 ${x - y} ${y}H${-x + y}A${y} ${y} 0 0 1 ${-x + y} ${-y}Z`,
  // pointed ends
  (x, y) => `M${-x} 0L${-x + y * 0.85} ${-y}H${x - y * 0.85}L${x} 0L${x - y * 0.85} ${y}H${-x + y * 0.85}Z`,
  // square ends
  (x, y) => `M${-x} ${-y}H${x}V${y}H${-x}Z`,
  // two halves with a waist
  (x, y) => `M${-x + y * 0.3} ${-y}H${-x * 0.16}L0 ${-y * 0.62}L${x * 0.16} ${-y}H${x - y * 0.3}L${x} ${-y * 0.7}V${y * 0.7}L${x - y * 0.3} ${y}H${x * 0.16}L0 ${y * 0.62}L${-x * 0.16} ${y}H${-x + y * 0.3}L${-x} ${y * 0.7}V${-y * 0.7}Z`,
  // platforms at both ends
  (x, y) => `M${-x} ${-y * 0.5}H${-x * 0.7}V${-y}H${x * 0.7}V${-y * 0.5}H${x}V${y * 0.5}H${x * 0.7}V${y}H${-x * 0.7}V${y * 0.5}H${-x}Z`,
];

const TAXIS: Outline[] = [
  // saloon: round at both ends
  (x, y) => `M${-x} ${-y * 0.4}Q${-x} ${-y} ${-x * 0.72} ${-y}H${x * 0.6}Q${x} ${-y * 0.9} ${x} 0T${x * 0.6} ${y}H${-x * 0.72}Q${-x} ${y} ${-x} ${y * 0.4}Z`,
  // long pointed bonnet
  (x, y) => `M${-x} ${-y * 0.8}L${-x * 0.85} ${-y}H${x * 0.1}L${x} ${-y * 0.38}V${y * 0.38}L${x * 0.1} ${y}H${-x * 0.85}L${-x} ${y * 0.8}Z`,
  // box
  (x, y) => `M${-x} ${-y}H${x * 0.92}L${x} ${-y * 0.8}V${y * 0.8}L${x * 0.92} ${y}H${-x}Z`,
  // four mudguards beside a narrow body
  (x, y) => `M${-x} ${-y * 0.62}H${-x * 0.82}V${-y}H${-x * 0.34}V${-y * 0.68}H${x * 0.3}V${-y}H${x * 0.78}V${-y * 0.62}L${x} ${-y * 0.4}V${y * 0.4}L${x * 0.78} ${y * 0.62}V${y}H${x * 0.3}V${y * 0.68}H${-x * 0.34}V${y}H${-x * 0.82}V${y * 0.62}H${-x}Z`,
  // tail that tapers
  (x, y) => `M${-x} 0Q${-x * 0.7} ${-y * 0.9} ${x * 0.1} ${-y}H${x * 0.7}Q${x} ${-y} ${x} ${-y * 0.5}V${y * 0.5}Q${x} ${y} ${x * 0.7} ${y}H${x * 0.1}Q${-x * 0.7} ${y * 0.9} ${-x} 0Z`,
];

/** Return the outline of a seat's piece of this length and width, with its middle at the origin. */
export function pieceOutline(seat: number, isTaxi: boolean, length: number, width: number): string {
  const outlines = isTaxi ? TAXIS : TRAINS;
  return outlines[seat % outlines.length]!(length / 2, width / 2);
}
