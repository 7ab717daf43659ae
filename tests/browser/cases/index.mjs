// All tests, in the order in which they run: [name, body(page), settings of the browser's context,
// word of the file, must its profile be a new one].
import { accessibility } from "./accessibility.mjs";
import { appearance } from "./appearance.mjs";
import { bounded } from "./bounded.mjs";
import { cegar } from "./cegar.mjs";
import { delivery } from "./delivery.mjs";
import { desk } from "./desk.mjs";
import { diagnostics } from "./diagnostics.mjs";
import { embedding } from "./embed.mjs";
import { engine } from "./engine.mjs";
import { exchanged } from "./exchange.mjs";
import { exercises } from "./exercises.mjs";
import { explaining } from "./explain.mjs";
import { exports } from "./exports.mjs";
import { starting } from "./faults.mjs";
import { files } from "./files.mjs";
import { gallery } from "./gallery.mjs";
import { folding } from "./large.mjs";
import { installing } from "./install.mjs";
import { lab } from "./lab.mjs";
import { languages } from "./languages.mjs";
import { lessons } from "./lessons.mjs";
import { links } from "./links.mjs";
import { liveness } from "./liveness.mjs";
import { loading } from "./loading.mjs";
import { manners } from "./manners.mjs";
import { memory } from "./memory.mjs";
import { methods } from "./methods.mjs";
import { monkey } from "./monkey.mjs";
import { packaged } from "./package.mjs";
import { parts } from "./parts.mjs";
import { proofs } from "./proofs.mjs";
import { questions } from "./questions.mjs";
import { reach } from "./reach.mjs";
import { running } from "./running.mjs";
import { selection } from "./selection.mjs";
import { stack } from "./stack.mjs";
import { stepping } from "./stepping.mjs";
import { storage } from "./storage.mjs";
import { studying } from "./students.mjs";
import { testing } from "./tests-tab.mjs";
import { threads } from "./threads.mjs";
import { through } from "./through.mjs";
import { vscode } from "./vscode.mjs";
import { widths } from "./widths.mjs";

/** By the word that `run.mjs` knows them by. */
const cases = {
  delivery, loading, parts, gallery, running, methods, stepping, stack, memory, selection, through, questions, large: folding, lab, cegar,
  explain: explaining, threads, liveness, tests: testing, exercises, reach, lessons, exports, embed: embedding, package: packaged, vscode, exchange: exchanged, manners, proofs, links, languages, files, storage, desk, installing,
  faults: starting, engine, bounded, diagnostics, students: studying, appearance, accessibility, widths, monkey,
};

/** What is loaded, kept and missing is their subject, or the process's memory. */
const alone = new Set(["delivery", "loading", "parts", "embed", "package", "storage", "installing", "faults", "monkey"]);

export const tests = Object.entries(cases).flatMap(([word, list]) =>
  list.map(([name, body, settings]) => [name, body, settings, word, alone.has(word)]),
);
