/** How a board is looked at: moved by x and y, and enlarged k times from the size at which all of it fits. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

export interface Box {
  width: number;
  height: number;
}

export const WHOLE: Camera = { x: 0, y: 0, k: 1 };
const CLOSEST = 8;

const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value));

/** The nearest camera that neither leaves the board nor comes too close. */
export function held(camera: Camera, box: Box): Camera {
  const k = between(1, camera.k, CLOSEST);
  return {
    x: between(box.width * (1 - k), camera.x, 0),
    y: between(box.height * (1 - k), camera.y, 0),
    k,
  };
}

/** Come closer by a factor; what is at a point stays there. */
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
