/** The engine's random numbers: ChaCha20 (RFC 8439) as a stream of uniform numbers, the seed as its key. */

/** The streams of a game that are needed here. */
export const CARDS = 0;
export const TICKETS = 1;
export const FIRST_SEAT = 2;

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const WORD = 2 ** 32;

/** The quarter rounds of a double round: columns, then diagonals. */
const ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** The bytes that hexadecimal digits spell. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** One block of 16 words (RFC 8439, 2.3). */
export function chachaBlock(key: Uint32Array, counter: number, nonce: readonly [number, number, number]): Uint32Array {
  const start = Uint32Array.of(...CONSTANTS, ...key, counter, ...nonce);
  const x = Uint32Array.from(start);
  for (let round = 0; round < 10; round += 1) {
    for (const [a, b, c, d] of ROUNDS) {
      x[a]! += x[b]!;
      x[d] = rotate(x[d]! ^ x[a]!, 16);
      x[c]! += x[d]!;
      x[b] = rotate(x[b]! ^ x[c]!, 12);
      x[a]! += x[b]!;
      x[d] = rotate(x[d]! ^ x[a]!, 8);
      x[c]! += x[d]!;
      x[b] = rotate(x[b]! ^ x[c]!, 7);
    }
  }
  return x.map((word, i) => word + start[i]!);
}

/** A stream of numbers from a seed. */
export class Chance {
  readonly #key: Uint32Array;
  #block: Uint32Array = new Uint32Array(0);
  #used = 0;
  #counter = 0;

  constructor(
    seed: Uint8Array,
    readonly stream: number,
  ) {
    const bytes = new DataView(seed.buffer, seed.byteOffset, seed.byteLength);
    this.#key = Uint32Array.from({ length: 8 }, (_, i) => bytes.getUint32(4 * i, true));
  }

  /** A number from 0 to bound - 1, all equally likely (Lemire's method, as in the engine). */
  below(bound: number): number {
    for (;;) {
      const product = this.#next() * bound; // below 2 ** 39 for any deck, so exact
      const low = product % WORD;
      if (low >= bound || low >= (WORD - bound) % bound) return Math.floor(product / WORD);
    }
  }

  shuffle<T>(items: T[]): void {
    for (let last = items.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other]!, items[last]!];
    }
  }

  #next(): number {
    if (this.#used === this.#block.length) {
      this.#block = chachaBlock(this.#key, this.#counter, [this.stream, 0, 0]);
      this.#counter += 1;
      this.#used = 0;
    }
    return this.#block[this.#used++]!;
  }
}
