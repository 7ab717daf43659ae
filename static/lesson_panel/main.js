// The lessons' panel, which the page fetches when somebody asks for a lesson. It sets the page by
// links, hears what page and engine say to each other, and checks by that what a person does.
import { element, line, text } from "./elements.js";
import { Exercise } from "./exercise.js";
import { Heard } from "./facts.js";
import { note, pack, show, shown, shownBy, solve, unpack } from "./page.js";
import { read } from "./reader.js";

/** Where the browser keeps which steps were done, and an own lesson for a reload. */
const DONE = "faultline.lessons";
const OWN = "faultline.lesson";
/** Milliseconds between two looks at what the page shows. */
const LOOK = 250;
/** Milliseconds after which the page has written what it showed when a step began. */
const SETTLED = 700;

let panel = null;

/** Opens the panel: on `text` (packed), on the lesson of this `name`, or on the list. */
export async function open({ text, name } = {}) {
  panel ??= new Panel();
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  if (text !== undefined) await panel.openPacked(text);
  else if (name === "own" && sessionStorage.getItem(OWN))
    panel.openText(sessionStorage.getItem(OWN), "own", stepAsked());
  else if (name && name !== "own") await panel.openNamed(name, stepAsked());
  else if (!panel.isOpen || name === undefined) await panel.openList();
}

const stepAsked = () =>
  Math.max(0, (Number(new URLSearchParams(location.search).get("at")) || 1) - 1);

class Panel {
  constructor() {
    this.heard = new Heard();
    this.lesson = null;
    this.name = null;
    this.at = 0;
    this.exercise = null;
    this.done = new Set();
    this.host = element("aside", {
      class: "lesson",
      "aria-label": "Lesson",
      onkeydown: (event) => this.#key(event),
    });
    this.isOpen = false;
    const before = globalThis.faultlineLesson;
    globalThis.faultlineLesson = (message) => {
      before?.(message);
      if (this.heard.hear(message)) this.#later();
    };
  }

  // Opening and closing.

  #appear() {
    if (!this.isOpen) {
      if (!document.querySelector("link[data-lesson]")) {
        document.head.append(
          element("link", { rel: "stylesheet", href: `./${STYLE}`, "data-lesson": true }),
        );
      }
      document.documentElement.insertBefore(this.host, document.body);
      document.documentElement.classList.add("with-lesson");
      this.isOpen = true;
      this.timer = setInterval(() => this.#look(), LOOK);
    }
  }

  close() {
    clearInterval(this.timer);
    this.#cover(false);
    this.host.remove();
    document.documentElement.classList.remove("with-lesson");
    [this.isOpen, this.lesson, this.exercise] = [false, null, null];
    note(null);
    document.querySelector("[data-lessons]")?.focus();
  }

  async openList() {
    this.#leave();
    this.#appear();
    note("");
    let lessons = [];
    try {
      lessons = await fetched("lessons/index.json").then((response) => response.json());
    } catch {
      // Said below: there are none.
    }
    const done = kept();
    const entry = ({ name, title, about }) =>
      element(
        "li",
        {},
        element(
          "button",
          {
            class: "lesson-card",
            "data-lesson-name": name,
            onclick: () => this.openNamed(name, 0),
          },
          element(
            "b",
            {},
            title,
            done[name]
              ? element(
                  "small",
                  {},
                  done[name] === "all" ? " done" : ` from step ${done[name] + 1}`,
                )
              : "",
          ),
          element("span", {}, about),
        ),
      );
    this.#fill(
      this.#head("Lessons"),
      element(
        "div",
        { class: "lesson-body" },
        element(
          "p",
          {},
          "Each takes about ten minutes: a few paragraphs beside the live page, things to try, and answers to predict.",
        ),
        lessons.length === 0 && element("p", {}, "The lessons cannot be fetched just now."),
        element("ol", { class: "lesson-list" }, lessons.map(entry)),
        element("p", { class: "lesson-small" }, "You can write your own: a lesson is a text file."),
        this.#fileField(),
      ),
    );
  }

  async openNamed(name, step) {
    this.#appear();
    try {
      if (!/^[\w-]+$/.test(name))
        throw new Error("a lesson's name has letters, digits and - alone");
      const response = await fetched(`lessons/${name}.md`);
      this.openText(await response.text(), name, step);
    } catch (error) {
      this.#sorry(`The lesson ${name} cannot be fetched: ${error.message}.`);
    }
  }

  async openPacked(packed) {
    this.#appear();
    try {
      this.openText(await unpack(packed), "own", 0);
    } catch {
      this.#sorry("This link cannot be opened: a part of it was cut off or altered on its way.");
    }
  }

  /** Opens a lesson's text; an own one is kept for a reload. */
  openText(source, name, step) {
    this.#leave();
    this.#appear();
    const { lesson, problems } = read(source);
    if (problems.length > 0) return this.#wrong(lesson, problems);
    [this.lesson, this.name, this.source] = [lesson, name, source];
    if (name === "own") sessionStorage.setItem(OWN, source);
    this.go(Math.min(step, lesson.steps.length - 1));
  }

  #leave() {
    [this.lesson, this.exercise, this.tries] = [null, null, []];
    this.#cover(false);
  }

  #sorry(why) {
    this.#leave();
    this.#fill(
      this.#head("Lessons"),
      element(
        "div",
        { class: "lesson-body" },
        element("p", { role: "alert" }, why),
        this.#allLessons(),
        this.#fileField(),
      ),
    );
  }

  /** What is wrong with an own lesson. */
  #wrong(lesson, problems) {
    const item = ({ line: number, message, expected, hint }) =>
      element(
        "li",
        {},
        element("b", {}, `Line ${number}: `),
        line(message),
        ". Expected: ",
        line(expected),
        hint && ["; ", line(hint)],
        ".",
      );
    this.#fill(
      this.#head(lesson.title || "A lesson"),
      element(
        "div",
        { class: "lesson-body", role: "alert" },
        element("p", {}, "This lesson cannot be read:"),
        element("ul", { class: "lesson-problems" }, problems.slice(0, 12).map(item)),
        this.#fileField(),
        this.#allLessons(),
      ),
    );
  }

  // A lesson.

  /** Goes to a step, and has the page show what it sets. */
  go(index) {
    this.at = index;
    this.since = performance.now();
    this.done = new Set();
    const step = this.lesson.steps[index];
    const target = shownBy(this.lesson, index);
    const setsPage =
      step.parts.some(({ kind }) => kind === "show") ||
      this.heard.source === null ||
      this.isElsewhere !== false;
    this.isElsewhere = false;
    if (target && setsPage) {
      this.heard.forget();
      show(target);
    }
    const predict = step.parts.find(({ kind }) => kind === "predict");
    this.exercise = predict
      ? new Exercise(
          predict,
          this.heard,
          () => this.#place(),
          () => this.#refresh(true),
        )
      : null;
    note(this.name, index);
    keep(this.name, index === this.lesson.steps.length - 1 ? "all" : index);
    this.#draw();
    this.host.querySelector(".lesson-body").scrollTop = 0;
    this.host.querySelector("h2").focus();
  }

  #draw() {
    const { steps, title } = this.lesson;
    const step = steps[this.at];
    const body = step.parts.map((part) => this.#part(part));
    this.tries = [...step.parts.keys()].filter((k) => step.parts[k].kind === "try");
    const turn = (to, words, primary) =>
      element(
        "button",
        {
          class: `button${primary ? " primary" : ""}`,
          disabled: to < 0 || to >= steps.length,
          onclick: () => this.#turn(to),
        },
        words,
      );
    this.#fill(
      this.#head(title),
      element(
        "div",
        { class: "lesson-body" },
        element("h2", { tabindex: "-1" }, line(step.title)),
        ...body,
        this.#shareLink(),
      ),
      element(
        "footer",
        { class: "lesson-foot" },
        turn(this.at - 1, "Back", false),
        element("span", { class: "lesson-at" }, `${this.at + 1} of ${steps.length}`),
        this.at === steps.length - 1
          ? element("button", { class: "button primary", onclick: () => this.openList() }, "Finish")
          : turn(this.at + 1, "Next", true),
      ),
    );
    this.state = "";
    this.#refresh(false);
  }

  #turn(to) {
    // Back shows what that step shows, whatever was done since.
    this.isElsewhere = to < this.at;
    this.go(to);
  }

  /** The step once more, with its program in the page. */
  #again() {
    this.isElsewhere = true;
    this.go(this.at);
  }

  #part(part) {
    switch (part.kind) {
      case "paragraph":
        return element("p", {}, text(part.spans));
      case "quote":
        return element("blockquote", {}, text(part.spans));
      case "heading":
        return element("h3", {}, text(part.spans));
      case "list":
        return element(
          part.ordered ? "ol" : "ul",
          { class: "lesson-points" },
          part.items.map((item) => element("li", {}, text(item))),
        );
      case "code":
        return element("pre", {}, element("code", {}, part.text));
      case "try":
        return this.#tried(part);
      case "predict":
        return element("div", { class: "lesson-exercise" });
      default:
        // Programs and what is shown are in the page itself.
        return null;
    }
  }

  #tried(part) {
    const solving = async (event) => {
      const button = event.currentTarget;
      if (!(await solve(part.solution))) {
        button.after(
          element(
            "span",
            { class: "lesson-small", role: "status" },
            " The program is another one now. ",
            element(
              "button",
              { class: "link", type: "button", onclick: () => this.#again() },
              "Show this step’s program again",
            ),
          ),
        );
      }
    };
    return element(
      "section",
      { class: "lesson-try", "aria-label": "Try this" },
      element("p", { class: "lesson-kind" }, "Try"),
      element("p", { class: "lesson-task" }, line(part.task)),
      part.hint &&
        element("details", {}, element("summary", {}, "A hint"), element("p", {}, line(part.hint))),
      part.solution.length > 0 &&
        element(
          "p",
          {},
          element("button", { class: "link", type: "button", onclick: solving }, "Do it for me"),
        ),
      element("p", { class: "lesson-state", role: "status" }),
    );
  }

  // What was said since.

  /** What the page shows; null while it may still be what it showed before. */
  #place() {
    return shown() ?? (this.#isSettled() ? {} : null);
  }

  #later() {
    this.soon ??= setTimeout(() => {
      this.soon = null;
      this.#refresh(false);
    }, 50);
  }

  #look() {
    const now = `${history.state} ${shown() === null} ${this.#isSettled()}`;
    if (this.shownLast !== now) {
      this.shownLast = now;
      this.#refresh(false);
    }
  }

  #isSettled() {
    return performance.now() - this.since > SETTLED;
  }

  /** Checks what is to be tried, and draws the prediction if something about it is new. */
  #refresh(isAsked) {
    if (!this.lesson) return;
    const { parts } = this.lesson.steps[this.at];
    if (this.exercise) {
      const state = this.exercise.state();
      if (isAsked || state !== this.state) {
        this.state = state;
        const old = this.host.querySelector(".lesson-exercise");
        const had = old.contains(document.activeElement);
        const drawn = this.exercise.draw();
        old.replaceChildren(drawn);
        if (isAsked && had) drawn.querySelector("button[type=submit]").focus();
        this.#cover(!this.exercise.isRevealed);
      }
    } else this.#cover(false);
    const isCovered = this.exercise && !this.exercise.isRevealed;
    const place = this.#isSettled() ? shown() : null;
    const boxes = this.host.querySelectorAll(".lesson-try");
    this.tries.forEach((k, n) => {
      const isDone =
        this.done.has(k) ||
        (!isCovered &&
          place &&
          this.heard.source !== null &&
          parts[k].until.every((condition) => this.heard.holds(condition, place)));
      if (!isDone || this.done.has(k)) return;
      this.done.add(k);
      boxes[n].classList.add("done");
      boxes[n].querySelector(".lesson-state").textContent = "✓ Done.";
    });
  }

  /** Covers what the page says until a prediction is revealed. */
  #cover(on) {
    document.documentElement.classList.toggle("predicting", on);
  }

  // Parts of the panel.

  #fill(...children) {
    this.host.replaceChildren(...children);
  }

  #head(title) {
    const fold = element(
      "button",
      {
        class: "tool bare lesson-fold",
        "aria-expanded": "true",
        onclick: (event) => this.#fold(event.currentTarget),
      },
      "Fold",
    );
    return element(
      "header",
      { class: "lesson-head" },
      this.lesson
        ? element("button", { class: "link", onclick: () => this.openList() }, "Lessons")
        : null,
      element("b", {}, title),
      element("span", { class: "spacer" }),
      fold,
      element(
        "button",
        {
          class: "tool bare",
          "aria-label": "Close the lesson",
          title: "Close the lesson",
          onclick: () => this.close(),
        },
        "✕",
      ),
    );
  }

  #shareLink() {
    return element(
      "p",
      { class: "lesson-share" },
      element(
        "button",
        { class: "link", onclick: (event) => this.#share(event.currentTarget) },
        "Copy a link to this lesson",
      ),
    );
  }

  #fold(button) {
    const folded = this.host.classList.toggle("folded");
    document.documentElement.classList.toggle("lesson-folded", folded);
    button.setAttribute("aria-expanded", String(!folded));
    button.textContent = folded ? "Unfold" : "Fold";
  }

  #allLessons() {
    return element(
      "p",
      {},
      element("button", { class: "link", onclick: () => this.openList() }, "All lessons"),
    );
  }

  #fileField() {
    const opened = async ({ target }) => {
      const [file] = target.files;
      if (file) this.openText(await file.text(), "own", 0);
    };
    return element(
      "label",
      { class: "lesson-file" },
      "Open a lesson of your own: ",
      element("input", {
        type: "file",
        accept: ".md,.txt,text/markdown,text/plain",
        onchange: opened,
      }),
    );
  }

  async #share(button) {
    const address = `${location.origin}${location.pathname}`;
    const link =
      this.name === "own"
        ? `${address}#lesson=${await pack(this.source)}`
        : `${address}?lesson=${this.name}`;
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      button.after(
        element("input", { value: link, readonly: true, "aria-label": "Link to this lesson" }),
      );
    }
  }

  /** The page's keys are not the panel's, except Run and Stop. */
  #key(event) {
    const isForPage = event.key === "Escape" || event.ctrlKey || event.metaKey;
    if (!isForPage) event.stopPropagation();
  }
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response;
}

/** How far each lesson was done. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(DONE)) ?? {};
  } catch {
    return {};
  }
}

function keep(name, at) {
  if (name === "own") return;
  const all = kept();
  if (all[name] === "all") return;
  try {
    localStorage.setItem(DONE, JSON.stringify({ ...all, [name]: at }));
  } catch {
    // The lesson works without.
  }
}
