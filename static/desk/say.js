// What happened, said for some seconds at the lower edge of the page.
import { element } from "../lesson_panel/elements.js";

/** Milliseconds. */
const SHOWN = 5000;
let timer = 0;

/** Says it; an alert stays until it is closed or something else is said. */
export function say(text, isAlert = false) {
  document.querySelector(".desk-said")?.remove();
  clearTimeout(timer);
  const close = element(
    "button",
    { class: "tool bare", "aria-label": "Close", onclick: () => said.remove() },
    "✕",
  );
  const said = element(
    "div",
    { class: "desk-said", role: isAlert ? "alert" : "status" },
    element("span", {}, text),
    close,
  );
  // An open dialog hides what is outside of it.
  (document.querySelector("dialog[open]") ?? document.body).append(said);
  if (!isAlert) timer = setTimeout(() => said.remove(), SHOWN);
}
