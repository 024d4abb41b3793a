import { mount } from "svelte";
import App from "./App.svelte";
import { keepFocus } from "./lib/focus";
import { grainImage } from "./lib/grain";
import "@fontsource-variable/besley/wght.css";
import "@fontsource-variable/public-sans/wght.css";
import { current } from "./lib/words/catalogue.svelte";
import "./style.css";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the game.");
await current.follow(); // so that no text changes its language before the reader's eyes
document.documentElement.style.setProperty("--grain-print", grainImage());
target.replaceChildren(); // removes the text that is shown if this script does not load
mount(App, { target });
keepFocus(target);
