/** Pan and zoom a board: wheel, touch and keys change the transform of one element, without a redraw. */
import { duration } from "../settings.svelte";
import { type Box, type Camera, framing, held, moved, type Rectangle, showing, WHOLE, zoomed } from "./camera";

const STEP = 1.35;
const DRAG = 6;
const SETTLE = 140;

interface Finger {
  x: number;
  y: number;
}

export class BoardCamera {
  /** Pixels for a unit of the board, as it was when the last gesture ended. */
  scale = $state(1);
  isNear = $state(false);
  /** Whether the last press became a drag, so that it is no tap. */
  wasDragged = false;
  /** Where the last press began. Browsers move the click of a finger onto something near it. */
  pressed = { x: 0, y: 0, isMouse: true };

  /** The part of the board that the frame shows, as it was when the last gesture ended. */
  area: Rectangle = $state.raw([0, 0, 1, 1]);

  #camera: Camera = WHOLE;
  /** What has to stay in view until the user moves the board, in units of the board. */
  #framed: Rectangle | null = null;
  #box: Box = { width: 1, height: 1 };
  #frame: HTMLElement | null = null;
  #moving: HTMLElement | SVGElement | null = null;
  #isPainted = true;
  #settling: ReturnType<typeof setTimeout> | undefined;
  readonly #fingers = new Map<number, Finger>();

  /** `readable` is the scale at which all names can be read. */
  constructor(
    readonly size: () => [width: number, height: number],
    readonly readable: () => number = () => 0,
  ) {}

  /** To be attached to the frame; `moving` is what is moved in it. */
  attach(frame: HTMLElement, moving: HTMLElement | SVGElement): () => void {
    this.#frame = frame;
    this.#moving = moving;
    const resized = new ResizeObserver(() => this.#fit());
    resized.observe(frame);
    frame.addEventListener("wheel", this.#onWheel, { passive: false });
    frame.addEventListener("pointerdown", this.#onDown);
    frame.addEventListener("pointermove", this.#onMove);
    frame.addEventListener("pointerup", this.#onUp);
    frame.addEventListener("pointercancel", this.#onUp);
    return () => {
      resized.disconnect();
      clearTimeout(this.#settling);
      frame.removeEventListener("wheel", this.#onWheel);
      frame.removeEventListener("pointerdown", this.#onDown);
      frame.removeEventListener("pointermove", this.#onMove);
      frame.removeEventListener("pointerup", this.#onUp);
      frame.removeEventListener("pointercancel", this.#onUp);
    };
  }

  /** Convert a point of the page to units of the board. */
  toBoard(clientX: number, clientY: number): { x: number; y: number } {
    const frame = this.#frame?.getBoundingClientRect();
    const { fit, left, top } = this.#fitting();
    const { x, y, k } = this.#camera;
    return {
      x: ((clientX - (frame?.left ?? 0) - x) / k - left) / fit,
      y: ((clientY - (frame?.top ?? 0) - y) / k - top) / fit,
    };
  }

  /** How many units of the board a number of pixels is now. */
  units(pixels: number): number {
    return pixels / (this.#fitting().fit * this.#camera.k);
  }

  /** Bring a point of the board into view. */
  show(x: number, y: number): void {
    const { fit, left, top } = this.#fitting();
    this.#glide(showing(this.#camera, this.#box, left + x * fit, top + y * fit));
  }

  /** Keep a part of the board in view, even if the frame is resized, until the user moves the board. */
  frame(part: Rectangle): void {
    this.#framed = part;
    this.#glide(this.#framing(part));
  }

  /** Zoom by a step. The first one, on a small screen, goes as far as names can be read. */
  zoom(by: 1 | -1): void {
    this.#framed = null;
    const { width, height } = this.#box;
    const enough = this.readable() / (this.#fitting().fit * this.#camera.k);
    this.#glide(zoomed(this.#camera, this.#box, by < 0 ? 1 / STEP : Math.max(STEP, enough), width / 2, height / 2));
  }

  zoomAt(factor: number, clientX: number, clientY: number): void {
    this.#framed = null;
    const frame = this.#frame?.getBoundingClientRect();
    this.#glide(zoomed(this.#camera, this.#box, factor, clientX - (frame?.left ?? 0), clientY - (frame?.top ?? 0)));
  }

  pan(dx: number, dy: number): void {
    this.#framed = null;
    this.#glide(moved(this.#camera, this.#box, dx * this.#box.width * 0.2, dy * this.#box.height * 0.2));
  }

  whole(): void {
    this.#framed = null;
    this.#glide(WHOLE);
  }

  #fitting(): { fit: number; left: number; top: number } {
    const [width, height] = this.size();
    const fit = Math.min(this.#box.width / width, this.#box.height / height);
    return { fit, left: (this.#box.width - width * fit) / 2, top: (this.#box.height - height * fit) / 2 };
  }

  #fit(): void {
    if (!this.#frame) return;
    this.#box = { width: this.#frame.clientWidth || 1, height: this.#frame.clientHeight || 1 };
    this.#move(this.#framed ? this.#framing(this.#framed) : held(this.#camera, this.#box));
    // This is no gesture that goes on: names are right from the first picture.
    this.#settle();
  }

  #framing([a, b, c, d]: Rectangle): Camera {
    const { fit, left, top } = this.#fitting();
    return framing(this.#camera, this.#box, [left + a * fit, top + b * fit, left + c * fit, top + d * fit]);
  }

  #glide(camera: Camera): void {
    if (this.#moving) this.#moving.style.transition = `transform ${duration(160)}ms ease-out`;
    this.#move(camera);
  }

  #move(camera: Camera): void {
    this.#camera = camera;
    if (this.#isPainted) {
      this.#isPainted = false;
      requestAnimationFrame(() => {
        this.#isPainted = true;
        const { x, y, k } = this.#camera;
        // translate3d by whole pixels, so that the board has its own compositing layer, and dragging moves
        // that layer without a redraw.
        const [left, top] = [Math.round(x), Math.round(y)];
        if (this.#moving) this.#moving.style.transform = `translate3d(${left}px, ${top}px, 0) scale(${k})`;
      });
    }
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settle(), SETTLE);
  }

  /** After a gesture: redraw at this scale, and update the labels. */
  #settle(): void {
    clearTimeout(this.#settling);
    if (this.#moving) this.#moving.style.willChange = "";
    this.scale = this.#fitting().fit * this.#camera.k;
    this.isNear = this.#camera.k > 1.01;
    const { fit, left, top } = this.#fitting();
    const { x, y, k } = this.#camera;
    const seen = (pixels: number, moved: number, start: number): number => ((pixels - moved) / k - start) / fit;
    const { width, height } = this.#box;
    this.area = [seen(0, x, left), seen(0, y, top), seen(width, x, left), seen(height, y, top)];
  }

  /** While the scale changes, the layer is stretched; it is redrawn only at the end. */
  #begin(isZoom: boolean): void {
    this.#framed = null;
    if (!this.#moving) return;
    this.#moving.style.transition = "";
    if (isZoom) this.#moving.style.willChange = "transform";
  }

  #onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    this.#begin(true);
    const frame = this.#frame!.getBoundingClientRect();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 32 : event.deltaY;
    const factor = Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.0016));
    this.#move(zoomed(this.#camera, this.#box, factor, event.clientX - frame.left, event.clientY - frame.top));
  };

  #onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.#fingers.size === 0) this.wasDragged = false;
    this.pressed = { x: event.clientX, y: event.clientY, isMouse: event.pointerType === "mouse" };
    this.#fingers.set(event.pointerId, this.pressed);
  };

  #onMove = (event: PointerEvent): void => {
    // If the button was released outside the frame before the pointer was captured, there was no event.
    if (event.buttons === 0) this.#fingers.delete(event.pointerId);
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (!this.wasDragged && Math.hypot(now.x - before.x, now.y - before.y) < DRAG) return;
    if (!this.wasDragged) {
      this.wasDragged = true;
      this.#frame?.setPointerCapture(event.pointerId);
      this.#begin(false);
    }
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, now);
    if (other) this.#pinch(other, before, now);
    else this.#move(moved(this.#camera, this.#box, now.x - before.x, now.y - before.y));
  };

  #pinch(other: Finger, before: Finger, now: Finger): void {
    const frame = this.#frame!.getBoundingClientRect();
    const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    const [x, y] = [(now.x + other.x) / 2 - frame.left, (now.y + other.y) / 2 - frame.top];
    this.#begin(true);
    const nearer = zoomed(this.#camera, this.#box, factor, x, y);
    this.#move(moved(nearer, this.#box, (now.x - before.x) / 2, (now.y - before.y) / 2));
  }

  #onUp = (event: PointerEvent): void => {
    this.#fingers.delete(event.pointerId);
  };
}
