import { mount } from "svelte";
import App from "./App.svelte";
import { keepFocus } from "./lib/focus";
import "./style.css";

const target = document.getElementById("app");
if (!target) throw new Error("The page has no place for the game.");
target.replaceChildren(); // what would be said, had this not been loaded
mount(App, { target });
keepFocus(target);
