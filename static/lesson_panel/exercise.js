// Predict, then reveal: a person says what the engine will answer, and then sees both answers side
// by side. The answer is what the engine says of the program in the page, also after an edit.
import { element, line } from "./elements.js";
import { kindOf, same } from "./facts.js";

/** What lines are called that have a fact: as in "line 3 is lit". */
const CALLED = {
  lit: "lit",
  innocent: "dimmed",
  slice: "in the slice",
  "only-naive": "kept by the naive projection alone",
  cause: "a cause",
  focus: "in the focus sequence",
  nest: "in the NEST",
  cycle: "in the cycle",
};

/** One prediction of a step. Its element is made anew whenever `draw` is called. */
export class Exercise {
  #part;
  #heard;
  #place;
  #changed;

  /**
   * `place()` is the page's link, or null while it is not known; `changed()` is called when the
   * person has done something.
   */
  constructor(part, heard, place, changed) {
    this.#part = part;
    this.#heard = heard;
    this.#place = place;
    this.#changed = changed;
    this.forget();
  }

  forget() {
    this.isRevealed = false;
    // Was an answer asked for that nobody had given?
    this.isAsked = false;
    this.predicted = new Set();
    this.given = "";
    this.source = null;
  }

  /** The engine's answer; null while it has none. */
  answer() {
    const place = this.#place();
    return place && this.#heard.value(this.#part.answer, place);
  }

  /** What the element depends on. */
  state() {
    const isOfLines = kindOf(this.#part.answer) === "lines";
    // While somebody types an answer its field stays.
    const program = (isOfLines || this.isRevealed) && [this.#heard.source, this.#heard.lines()];
    return JSON.stringify([this.isRevealed, this.isAsked, program, this.isRevealed && this.answer()]);
  }

  draw() {
    const { question, then } = this.#part;
    const isOther = this.isRevealed && this.source !== null && this.source !== this.#heard.source;
    return element(
      "form",
      {
        class: `lesson-predict${this.isRevealed ? " revealed" : ""}`,
        "aria-label": "Prediction",
        onsubmit: (event) => this.#submit(event),
      },
      element("p", { class: "lesson-kind" }, this.isRevealed ? "You predicted" : "Predict"),
      element("p", { class: "lesson-task" }, line(question)),
      this.#field(),
      this.isRevealed && this.#result(),
      this.isRevealed && then && this.answer() !== null && element("p", {}, line(then)),
      isOther &&
        element("p", {}, "The program is another one now, and the answer is about that one."),
      element(
        "button",
        { class: this.isRevealed ? "button" : "button primary", type: "submit" },
        this.isRevealed ? "Predict again" : "Reveal",
      ),
      !this.isRevealed &&
        element(
          "p",
          { class: "lesson-small", role: this.isAsked ? "status" : undefined },
          this.isAsked
            ? "What do you expect? A guess will do. Press Reveal once more to see the answer without one."
            : "The page is covered until then. You may change the program first.",
        ),
    );
  }

  #submit(event) {
    event.preventDefault();
    const hasAnswer = this.given.trim() !== "" || this.predicted.size > 0;
    if (this.isRevealed) this.forget();
    // Whoever says nothing learns nothing: the answer comes at the second press.
    else if (!hasAnswer && !this.isAsked) this.isAsked = true;
    else {
      this.isRevealed = true;
      this.source = this.#heard.source;
    }
    this.#changed();
  }

  #field() {
    const kind = kindOf(this.#part.answer);
    if (kind === "lines") return this.#lines();
    if (this.#part.choices.length > 0) return this.#choices();
    const type = kind === "number" ? "number" : "text";
    const oninput = ({ target }) => (this.given = target.value);
    return element(
      "label",
      { class: "lesson-field" },
      "Your answer ",
      element("input", {
        type,
        value: this.given,
        oninput,
        readonly: this.isRevealed,
        autocomplete: "off",
        spellcheck: "false",
      }),
    );
  }

  #choices() {
    const choice = (value) => {
      const onchange = () => (this.given = value);
      const input = element("input", {
        type: "radio",
        name: "lesson-choice",
        value,
        onchange,
        disabled: this.isRevealed,
        checked: this.given === value,
      });
      return element("label", { class: "lesson-choice" }, input, element("span", {}, line(value)));
    };
    return element(
      "fieldset",
      { class: "lesson-choices" },
      element("legend", { class: "visually-hidden" }, this.#part.question),
      this.#part.choices.map(choice),
    );
  }

  /** The program, with a box to tick on each line where a statement begins. */
  #lines() {
    const called = CALLED[this.#part.answer] ?? "meant";
    const source = this.#heard.source;
    if (source === null)
      return element("p", { class: "lesson-small" }, "The program is being read…");
    const possible = new Set(this.#heard.lines());
    const answer = this.isRevealed ? this.answer() : null;
    const row = (code, k) => {
      const number = k + 1;
      const isMarked = this.predicted.has(number);
      let mark = "";
      let told = "";
      let name = "";
      if (answer !== null && (possible.has(number) || answer.includes(number))) {
        const is = answer.includes(number);
        [mark, name] =
          is === isMarked
            ? ["✓", is ? `${called}, as you said` : `not ${called}, as you said`]
            : ["✗", is ? `${called}: you missed it` : `not ${called}`];
        if (is === isMarked && !is) mark = "";
        // What is seen leaves the line readable.
        if (is !== isMarked) told = is ? "missed" : "wrong";
      }
      const onchange = ({ target }) =>
        target.checked ? this.predicted.add(number) : this.predicted.delete(number);
      const tick =
        possible.has(number) &&
        element("input", {
          type: "checkbox",
          checked: isMarked,
          disabled: this.isRevealed,
          onchange,
          "aria-label": `Line ${number}: ${code.trim()}`,
        });
      const state = answer?.includes(number) ? " is" : "";
      return element(
        "li",
        { class: `lesson-line${state}${mark === "✗" ? " wrong" : ""}` },
        element(
          "label",
          {},
          element("span", { class: "lesson-tick" }, tick),
          element("span", { class: "lesson-number", "aria-hidden": "true" }, String(number)),
          element("code", {}, code || " "),
        ),
        mark &&
          element(
            "span",
            { class: "lesson-mark", title: name },
            element("span", { "aria-hidden": "true" }, mark, told && [" ", element("small", {}, told)]),
            element("span", { class: "visually-hidden" }, name),
          ),
      );
    };
    const lines = source.replace(/\n$/, "").split("\n");
    return element(
      "ol",
      { class: "lesson-lines", "aria-label": `Lines that you expect to be ${called}` },
      lines.map(row),
    );
  }

  /** Both answers, in words. */
  #result() {
    const answer = this.answer();
    const box = (right, ...content) =>
      element(
        "div",
        {
          class: `lesson-result${right === null ? "" : right ? " right" : " wrong"}`,
          role: "status",
        },
        ...content,
      );
    if (answer === null)
      return box(
        null,
        element(
          "p",
          {},
          "The engine has not said it yet. If this stays, the program has no such answer: see the verdict.",
        ),
      );
    if (kindOf(this.#part.answer) === "lines") {
      const called = CALLED[this.#part.answer] ?? "meant";
      const right = answer.filter((number) => this.predicted.has(number)).length;
      const extra = [...this.predicted].filter((number) => !answer.includes(number)).length;
      const isRight = right === answer.length && extra === 0;
      const said =
        answer.length === 0
          ? `No line is ${called}.`
          : `${answer.length === 1 ? "Line" : "Lines"} ${answer.join(", ")}: ${called}.`;
      const yours = isRight
        ? "You had exactly these."
        : `You had ${right} of ${answer.length}${extra > 0 ? `, and ${extra} more that ${extra === 1 ? "is" : "are"} not` : ""}.`;
      return box(
        isRight,
        element("p", { class: "lesson-answer", "data-answer": answer.join(",") }, said),
        element("p", {}, yours),
      );
    }
    const texts = Array.isArray(answer) ? answer : [String(answer)];
    const shown = texts.length === 0 ? ["none"] : texts;
    const isRight = shown.some((one) => same(one, this.given));
    return box(
      isRight,
      element(
        "p",
        {},
        "The engine says: ",
        element(
          "span",
          { class: "lesson-answer", "data-answer": shown.join("; ") },
          shown.map((one, k) => [k > 0 && "; ", element("code", {}, one)]),
        ),
      ),
      element("p", {}, "You said: ", this.given ? element("code", {}, this.given) : "nothing", "."),
      this.given !== "" &&
        element(
          "p",
          {},
          isRight
            ? "The same."
            : kindOf(this.#part.answer) === "texts"
              ? "Written differently. Do they mean the same?"
              : "Another answer. Look at the page to see why.",
        ),
    );
  }
}
