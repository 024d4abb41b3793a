// Writes a .br and a .gz beside every built file that gets smaller, so that the server compresses nothing itself.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = fileURLToPath(new URL("../../src/goldenspike/server/web", import.meta.url));
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const data = readFileSync(path);
  const brotli = brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  if (brotli.length < data.length) writeFileSync(`${path}.br`, brotli);
  const gzip = gzipSync(data, { level: 9 });
  if (gzip.length < data.length) writeFileSync(`${path}.gz`, gzip);
}
