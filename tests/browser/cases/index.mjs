// All tests, in the order in which they run: [name, body(page), settings of the browser's context].
import { appearance } from "./appearance.mjs";
import { diagnostics } from "./diagnostics.mjs";
import { gallery } from "./gallery.mjs";
import { links } from "./links.mjs";
import { questions } from "./questions.mjs";
import { running } from "./running.mjs";
import { selection } from "./selection.mjs";
import { stepping } from "./stepping.mjs";
import { storage } from "./storage.mjs";

export const tests = [...gallery, ...running, ...stepping, ...selection, ...questions, ...links, ...storage, ...diagnostics, ...appearance];
