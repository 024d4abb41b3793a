/** The width of a name of a city at a size of 1, in the font of the board. */
const SIZE = 100;
let context: CanvasRenderingContext2D | null = null;

export function textWidth(text: string): number {
  context ??= document.createElement("canvas").getContext("2d")!;
  context.font = `600 ${SIZE}px ${getComputedStyle(document.documentElement).getPropertyValue("--font")}`;
  return context.measureText(text).width / SIZE;
}
