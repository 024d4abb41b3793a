/** SHA-256 (FIPS 180-4). Browsers offer it only over TLS, and home servers use plain HTTP. */

/** The first 32 bits of the fractional part of a number. */
function fraction(number: number): number {
  return Math.floor((number - Math.floor(number)) * 2 ** 32);
}

const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter((n) => {
  if (n < 2) return false;
  for (let by = 2; by * by <= n; by += 1) if (n % by === 0) return false;
  return true;
});
const ROOTS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The implementation without browser support. */
export function plainSha256(data: Uint8Array): string {
  const blocks = Math.ceil((data.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  data.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(data.length, 0x80);
  padded.setUint32(blocks * 64 - 4, data.length * 8);
  const hash = Uint32Array.from(START);
  const w = new Uint32Array(64);
  for (let block = 0; block < blocks; block += 1) {
    for (let i = 0; i < 16; i += 1) w[i] = padded.getUint32(block * 64 + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const [early, late] = [w[i - 15]!, w[i - 2]!];
      const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    mix(hash, w);
  }
  return [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function mix(hash: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROOTS[i]! + w[i]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i]! += word));
}

/** The hash of some bytes in hexadecimal digits. */
export async function sha256(data: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = crypto as Partial<Crypto>;
  if (!subtle) return plainSha256(data);
  const hash = new Uint8Array(await subtle.digest("SHA-256", data));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
