import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import about from "./package.json" with { type: "json" };

// Built into the Python package, which serves it.
export default defineConfig({
  plugins: [svelte()],
  define: { __VERSION__: JSON.stringify(about.version) },
  build: {
    outDir: "../src/goldenspike/server/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the page's content policy allows no inline data but images
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
