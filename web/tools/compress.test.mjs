import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test("files are found in a folder with a space in its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "my games "));
  const built = join(folder, "src", "goldenspike", "server", "web");
  const tools = join(folder, "web", "tools");
  for (const each of [built, tools]) mkdirSync(each, { recursive: true });
  copyFileSync(join(import.meta.dirname, "compress.mjs"), join(tools, "compress.mjs"));
  writeFileSync(join(built, "index.html"), "spike ".repeat(1_000));
  execFileSync(process.execPath, [join(tools, "compress.mjs")], { stdio: "ignore" });
  expect(readdirSync(built).sort()).toEqual(["index.html", "index.html.br", "index.html.gz"]);
  rmSync(folder, { recursive: true });
});
