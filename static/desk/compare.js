// Two programs, two widths of int, two ways to compute the projection or two bounds on context
// switches, side by side: what differs in the verdict, and which lines can fail on one side only.
import { element } from "../lesson_panel/elements.js";
import { pack, unpack } from "../lesson_panel/page.js";
import { aligned, ranges } from "./aligned.js";
import { Engine } from "./engine.js";
import { show } from "./present.js";
import { firstSides, METHODS, offers, read, side } from "./sides.js";

const WIDTHS = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32];
const MOST_SWITCHES = 8;
/** Longer links, in characters, are cut by too many programs. */
const LONGEST_LINK = 32_768;
const SIDES = ["Left", "Right"];

export class Comparison {
  constructor() {
    this.engine = new Engine();
    this.sides = null;
    this.turn = 0;
    this.answers = [null, null];
    this.controls = element("div", { class: "compare-sides" });
    this.told = element("div", { class: "compare-told", role: "status" });
    this.source = element("div", { class: "compare-source" });
    this.host = element("div", { class: "compare" }, this.controls, this.told, this.source);
  }

  /** Begins: with a link's comparison, or with the present program beside `other`. */
  async start(packed, other) {
    if (packed) {
      try {
        this.sides = read(JSON.parse(await unpack(packed)));
      } catch {
        this.told.replaceChildren(
          "This link cannot be opened: a part of it was cut off or altered on its way.",
        );
        return;
      }
    } else if (!this.sides || other) this.sides = firstSides(other);
    await this.#run();
  }

  /** Ends what is under way; an answer that comes all the same is none any more. */
  stop() {
    this.turn += 1;
    this.engine.stop();
  }

  /** Asks for both sides, and draws what is known as it comes. */
  async #run() {
    this.stop();
    const { sides, turn } = this;
    this.answers = [null, null];
    this.#draw();
    for (const k of [0, 1]) {
      const { source, options, method, switches } = sides[k];
      const answer = await this.engine
        .check({ source, options, method }, switches)
        .catch(({ message }) => ({ problem: message }));
      if (this.turn !== turn) return;
      this.answers[k] = answer;
      this.#draw();
    }
  }

  /** Changes a side, and compares anew. */
  #set(k, change) {
    this.sides = this.sides.map((side, at) => (at === k ? { ...side, ...change } : side));
    void this.#run();
  }

  // What is compared.

  #draw() {
    const focus = this.host.contains(document.activeElement) && document.activeElement.dataset.key;
    this.controls.replaceChildren(...this.sides.map((_, k) => this.#side(k)));
    this.told.replaceChildren(...this.#table());
    this.source.replaceChildren(...this.#lines());
    if (focus) this.host.querySelector(`[data-key="${focus}"]`)?.focus();
  }

  #side(k) {
    const { name, source, options, method, switches } = this.sides[k];
    const offered = offers();
    const at = offered.findIndex((one) => one.source === source && one.name === name);
    const choose = ({ target }) => {
      const one = offered[target.value];
      if (one) this.#set(k, side(one));
    };
    const field = (key, words, value, pairs, onchange) =>
      element(
        "label",
        {},
        words,
        element(
          "select",
          {
            "data-key": `${k}${key}`,
            "aria-label": `${words}, ${SIDES[k].toLowerCase()}`,
            onchange,
          },
          pairs.map(([word, label]) =>
            element("option", { value: word, selected: String(word) === String(value) }, label),
          ),
        ),
      );
    const list = offered.map((one, index) => [index, one.words]);
    if (at < 0) list.unshift(["", name]);
    const hasThreads = this.answers.some((answer) => answer?.hasThreads);
    const bounds = Array.from({ length: MOST_SWITCHES + 1 }, (_, n) => [n, `at most ${n}`]);
    return element(
      "fieldset",
      { class: "compare-side" },
      element("legend", { class: "visually-hidden" }, SIDES[k]),
      field("program", "Program", at < 0 ? "" : at, list, choose),
      field(
        "bits",
        "Width of int",
        options.bits ?? "",
        [["", "as the program says"], ...WIDTHS.map((n) => [n, `${n} bits`])],
        ({ target }) =>
          this.#set(k, { options: { ...options, bits: Number(target.value) || undefined } }),
      ),
      !hasThreads &&
        field(
          "method",
          "Projection by",
          method ?? "",
          [["", "the usual way"], ...METHODS.map((word) => [word, word])],
          ({ target }) => this.#set(k, { method: target.value || null }),
        ),
      hasThreads &&
        field(
          "switches",
          "Switches",
          switches ?? "",
          [["", "as many as it takes"], ...bounds],
          ({ target }) =>
            this.#set(k, { switches: target.value === "" ? null : Number(target.value) }),
        ),
    );
  }

  // What came out.

  #table() {
    if (this.answers.includes(null)) {
      const stop = () => {
        this.stop();
        this.told.replaceChildren("Stopped. Choose something else, or open the comparison again.");
      };
      return [
        element(
          "p",
          { class: "compare-works" },
          "Working… ",
          element("button", { class: "tool text", onclick: stop }, "Stop"),
        ),
      ];
    }
    const rows = [
      [
        "Verdict",
        ({ problem, verdict, limit }) => problem ?? verdictWords(verdict, limit),
        (answer) => answer.verdict ?? "problem",
      ],
      ["Fails in", ({ error }) => (error ? `line ${error.line}: ${error.message}` : "")],
      ["Steps until then", ({ steps }) => steps ?? ""],
      ["Switches until then", ({ switches }) => switches ?? ""],
      ["Width of int", ({ bits }) => (bits ? `${bits} bits` : "")],
      [this.#litWords(), ({ lit }) => (lit ? String(lit.size) : "")],
    ].filter(([, value]) => this.answers.some((answer) => value(answer) !== ""));
    const cells = ([words, value, name]) => {
      const [left, right] = this.answers.map(value);
      const differs = left !== right ? "differs" : "";
      const cell = (answer) =>
        element("td", { class: `${differs} ${name?.(answer) ?? ""}` }, String(value(answer)));
      return element("tr", {}, element("th", { scope: "row" }, words), this.answers.map(cell));
    };
    const head = element(
      "tr",
      {},
      element("td"),
      this.sides.map(({ name }, k) =>
        element(
          "th",
          { scope: "col" },
          element("span", { class: "visually-hidden" }, `${SIDES[k]}: `),
          name,
        ),
      ),
    );
    return [
      element("table", {}, element("thead", {}, head), element("tbody", {}, rows.map(cells))),
      this.#difference(),
      this.#buttons(),
    ];
  }

  #litWords() {
    return this.answers.some((answer) => answer.hasThreads)
      ? "Lines on the run"
      : "Lines on failing runs";
  }

  /** Which lines are lit on one side only, in a sentence for each. */
  #difference() {
    if (
      this.answers.some(
        ({ lit, verdict }) => !lit && verdict !== "safe" && verdict !== "no-error-within-bound",
      )
    )
      return element(
        "p",
        { class: "quiet" },
        "Which lines differ is not known: one side has no answer.",
      );
    const only = [0, 1].map((k) =>
      this.#rows().flatMap((row) => (row[k] !== null && this.#isOnly(row, k) ? [row[k]] : [])),
    );
    const words = only.map(
      (lines, k) =>
        lines.length > 0 && `Lit on the ${SIDES[k].toLowerCase()} only: ${ranges(lines)}.`,
    );
    return element(
      "p",
      { class: "compare-only" },
      words.filter(Boolean).join(" ") || "The same lines are lit on both sides.",
    );
  }

  #buttons() {
    const open = (k) => {
      const { name, source, options, method } = this.sides[k];
      return element(
        "button",
        { class: "button", onclick: () => this.onopen({ name, source, options, method }) },
        `Open ${SIDES[k].toLowerCase()}`,
      );
    };
    const swap = () => {
      this.sides = this.sides.toReversed();
      void this.#run();
    };
    return element(
      "div",
      { class: "compare-buttons" },
      element(
        "button",
        { class: "button primary", onclick: (event) => this.#share(event.currentTarget) },
        "Copy link",
      ),
      element("button", { class: "button", "data-key": "swap", onclick: swap }, "Swap"),
      open(0),
      open(1),
    );
  }

  async #share(button) {
    const packed = await pack(JSON.stringify(this.sides));
    const link = `${location.origin}${location.pathname}#compare=${packed}`;
    if (link.length > LONGEST_LINK) {
      button.textContent = "Too long for a link";
      return;
    }
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      button.replaceWith(
        element("input", { value: link, readonly: true, "aria-label": "Link to this comparison" }),
      );
    }
  }

  // The texts, line beside line.

  #texts() {
    return this.sides.map(({ source }) => source.replace(/\n$/, "").split("\n"));
  }

  #rows() {
    const [left, right] = this.#texts();
    return aligned(left, right);
  }

  #isLit(k, line) {
    return line !== null && (this.answers[k]?.lit?.has(line) ?? false);
  }

  #isOnly(row, k) {
    return this.#isLit(k, row[k]) && !this.#isLit(1 - k, row[1 - k]);
  }

  #lines() {
    const texts = this.#texts();
    const same = ([i, j]) =>
      i !== null && j !== null && texts[0][i - 1].trim() === texts[1][j - 1].trim();
    const knows = !this.answers.includes(null);
    const cell = (row, k) => {
      const line = row[k];
      // On a phone, what is the same on both sides is shown once.
      const isTwin = same(row) && knows && this.#isLit(0, row[0]) === this.#isLit(1, row[1]);
      const place = `${SIDES[k].toLowerCase()} ${isTwin ? "twin" : "apart"}`;
      if (line === null)
        return [element("span", { class: "none" }), element("code", { class: "none" })];
      const lit = this.#isLit(k, line);
      const only = knows && this.#isOnly(row, k);
      const fails = this.answers[k]?.error?.line === line;
      const name = [
        !same(row) && "changed",
        lit && "lit",
        knows && this.answers[k]?.lit && !lit && "dim",
        only && "only",
        fails && "fails",
      ];
      const words = [
        !same(row) && "changed",
        only ? "lit on this side only" : lit && "lit",
        fails && "fails here",
      ]
        .filter(Boolean)
        .join(", ");
      const classes = [place, ...name].filter(Boolean).join(" ");
      return [
        element("span", { class: classes }, String(line)),
        element(
          "code",
          { class: classes, title: words || null },
          ...indented(texts[k][line - 1] || " "),
          words && element("span", { class: "visually-hidden" }, ` (${words})`),
        ),
      ];
    };
    return [
      element(
        "div",
        {
          class: "compare-lines",
          tabindex: "0",
          role: "group",
          "aria-label": "Both programs, line beside line",
        },
        this.#rows().map((row) => [0, 1].map((k) => cell(row, k))),
      ),
    ];
  }

  /** Has the page show a program; the dialog gives another one. */
  onopen = show;
}

function verdictWords(verdict, limit) {
  const words = {
    safe: "No run fails",
    unsafe: "Can fail",
    "no-error-within-bound": "No failure within the bound",
  };
  return words[verdict] ?? `No answer${limit ? `: the limit on ${limit}` : ""}`;
}

/** A line in two parts, so that a mark below its text leaves its indentation alone. */
function indented(text) {
  const depth = text.length - text.trimStart().length;
  return [text.slice(0, depth), element("span", { class: "text" }, text.slice(depth))];
}
