/** The view of a board: moved by x and y, and zoomed k times from the scale at which all of it fits. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

export interface Box {
  width: number;
  height: number;
}

export type Rectangle = [left: number, top: number, right: number, bottom: number];

export const WHOLE: Camera = { x: 0, y: 0, k: 1 };
const CLOSEST = 8;

const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));

/** The nearest camera within the limits of the board and of the zoom. */
export function held(camera: Camera, box: Box): Camera {
  const k = between(1, camera.k, CLOSEST);
  return {
    x: between(box.width * (1 - k), camera.x, 0),
    y: between(box.height * (1 - k), camera.y, 0),
    k,
  };
}

/** Zoom by a factor around a point. */
export function zoomed(camera: Camera, box: Box, factor: number, x: number, y: number): Camera {
  const k = between(1, camera.k * factor, CLOSEST);
  const by = k / camera.k;
  return held({ x: x - (x - camera.x) * by, y: y - (y - camera.y) * by, k }, box);
}

export function moved(camera: Camera, box: Box, dx: number, dy: number): Camera {
  return held({ ...camera, x: camera.x + dx, y: camera.y + dy }, box);
}

/** The camera that is moved as little as needed for a point (where it would be if all fitted) to be well in view. */
export function showing(camera: Camera, box: Box, x: number, y: number): Camera {
  const edge = Math.min(box.width, box.height) * 0.15;
  const [seenX, seenY] = [camera.x + x * camera.k, camera.y + y * camera.k];
  const dx = between(edge, seenX, box.width - edge) - seenX;
  const dy = between(edge, seenY, box.height - edge) - seenY;
  return moved(camera, box, dx, dy);
}

/** The camera, changed as little as needed for all of a rectangle to be in view: moved, and farther away if it is too large. */
export function framing(camera: Camera, box: Box, [left, top, right, bottom]: Rectangle): Camera {
  const edge = Math.min(box.width, box.height) * 0.12;
  const [width, height] = [box.width - 2 * edge, box.height - 2 * edge];
  const most = Math.min(width / Math.max(1, right - left), height / Math.max(1, bottom - top));
  const near = zoomed(camera, box, Math.min(1, most / camera.k), box.width / 2, box.height / 2);
  const into = (low: number, high: number, size: number): number => Math.max(edge - low, 0) || Math.min(size - edge - high, 0);
  const dx = into(near.x + left * near.k, near.x + right * near.k, box.width);
  const dy = into(near.y + top * near.k, near.y + bottom * near.k, box.height);
  return moved(near, box, dx, dy);
}
