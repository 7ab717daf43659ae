// The dialog with three views: the programs that the browser keeps, the questions that were asked,
// and the comparison of two programs, widths or bounds.
import { element } from "../lesson_panel/elements.js";
import { answers, asks, clear, questions } from "./asked.js";
import { ago } from "./ago.js";
import { Comparison } from "./compare.js";
import { belongsTo, keepPresent, owner, present, show, updateKept } from "./present.js";
import { say } from "./say.js";
import {
  isOpen,
  keepAs,
  LONGEST_NAME,
  programs,
  remove,
  rename,
  restore,
  undoChanges,
} from "./shelf.js";

const VIEWS = { programs: "Programs", asked: "Asked", compare: "Compare" };
let dialog = null;

/** Opens it on a view; `packed`: the comparison of a link. */
export async function openDialog(view, packed) {
  dialog ??= new Desk();
  dialog.show(view);
  if (view === "compare") await dialog.comparison.start(packed);
}

class Desk {
  constructor() {
    this.opener = document.activeElement;
    this.comparison = new Comparison();
    this.comparison.onopen = (program) => this.#open(program);
    this.undo = null;
    this.tabs = element("div", { class: "segments", role: "group", "aria-label": "Parts" });
    this.body = element("div", { class: "desk-body" });
    const close = element(
      "button",
      {
        class: "tool bare",
        "aria-label": "Close",
        title: "Close (Esc)",
        onclick: () => this.host.close(),
      },
      "✕",
    );
    this.host = element(
      "dialog",
      // The page's own keys are not for what happens in here.
      {
        class: "desk",
        onkeydown: (event) => event.stopPropagation(),
        onclose: () => this.#closed(),
      },
      element(
        "div",
        { class: "dialog-body" },
        element("header", { class: "dialog-head" }, this.tabs, close),
        this.body,
      ),
    );
    document.body.append(this.host);
    this.host.showModal();
  }

  #closed() {
    this.comparison.stop();
    this.host.remove();
    dialog = null;
    if (this.opener?.isConnected) this.opener.focus();
  }

  show(view) {
    this.view = view;
    this.host.setAttribute("aria-label", VIEWS[view]);
    this.host.classList.toggle("comparing", view === "compare");
    const choice = ([name, words]) =>
      element(
        "button",
        {
          class: `segment${name === view ? " on" : ""}`,
          "aria-pressed": String(name === view),
          onclick: () => this.#turn(name),
        },
        words,
      );
    this.tabs.replaceChildren(...Object.entries(VIEWS).map(choice));
    if (view === "compare") this.body.replaceChildren(this.comparison.host);
    else this.#draw();
  }

  #turn(view) {
    this.show(view);
    if (view === "compare") void this.comparison.start();
    this.tabs.querySelector(".on").focus();
  }

  #draw() {
    this.body.replaceChildren(...(this.view === "programs" ? this.#programs() : this.#asked()));
  }

  /** Does it, and draws what there is then; a full store is told. */
  #do(act, focus) {
    try {
      act();
    } catch (error) {
      return say(error.message, true);
    }
    this.#draw();
    if (focus) this.body.querySelector(focus)?.focus();
  }

  /** Shows a program in the page. The present one is kept before. */
  #open(program) {
    try {
      keepPresent();
    } catch (error) {
      return say(`The present program cannot be kept, so it stays. ${error.message}`, true);
    }
    this.opener = document.querySelector(".source-bar h2 button");
    this.host.close();
    show(program);
  }

  // Programs.

  #programs() {
    updateKept();
    const list = programs();
    const now = present();
    const name = element("input", {
      value: now.name,
      maxlength: LONGEST_NAME,
      "aria-label": "Name",
      autocomplete: "off",
    });
    const keepNow = (event) => {
      event.preventDefault();
      this.#do(() => {
        const { program, isUpdate } = keepAs(present(), name.value);
        belongsTo({ file: owner().file, kept: program.id }, program.source);
        this.undo = null;
        if (isUpdate) say(`“${program.name}” was updated. “Undo changes” beside it brings the old text back.`);
      }, `[data-id] .desk-open`);
    };
    const form = element(
      "form",
      { class: "desk-keep", onsubmit: keepNow },
      element("label", {}, "Keep the present program as ", name),
      element("button", { class: "button primary", disabled: !now.source.trim() }, "Keep"),
    );
    const items = list.map((one) => this.#program(one));
    if (this.undo) items.splice(Math.min(this.undo.at, items.length), 0, this.#deleted());
    return [
      form,
      element(
        "p",
        { class: "quiet small" },
        "They stay in this browser. One that you open is updated as you edit it. A name that is there already is updated too; both can be undone.",
      ),
      ...(isOpen() ? [] : [closed()]),
      items.length > 0
        ? element("ul", { class: "desk-list", "aria-label": "Kept programs" }, items)
        : element("p", { class: "quiet" }, "None is kept yet."),
    ];
  }

  #program(one) {
    const { id, name, source, kept } = one;
    const lines = source.split("\n").length;
    const about = `${lines} line${lines === 1 ? "" : "s"}, kept ${ago(kept)}`;
    const isPresent = owner().kept === id;
    return element(
      "li",
      { "data-id": id },
      element(
        "button",
        { class: "desk-open", title: "Open", onclick: () => this.#open(one) },
        element("b", {}, name, isPresent && element("small", {}, " open now")),
        element("span", {}, about),
        element("code", {}, firstWords(source)),
      ),
      element(
        "button",
        { class: "tool text", onclick: (event) => this.#rename(one, event.currentTarget) },
        "Rename",
      ),
      one.before &&
        element(
          "button",
          {
            class: "tool text desk-changes",
            "aria-label": `${one.undone ? "Redo" : "Undo"} changes of ${name}`,
            onclick: () => this.#undoChanges(id),
          },
          one.undone ? "Redo changes" : "Undo changes",
        ),
      element("button", { class: "tool text", onclick: () => this.#compare(one) }, "Compare"),
      element(
        "button",
        {
          class: "tool text",
          "aria-label": `Delete ${name}`,
          onclick: () => this.#delete(id),
        },
        "Delete",
      ),
    );
  }

  /** The program as it was before its last changes, or with them again; also where it is open. */
  #undoChanges(id) {
    this.#do(() => {
      const isPresent = owner().kept === id;
      const one = undoChanges(id);
      if (one && isPresent) show(one);
    }, `[data-id="${id}"] .desk-changes`);
  }

  #delete(id) {
    const wasOpen = owner().kept === id;
    this.#do(() => (this.undo = { ...remove(id), wasOpen }), ".desk-undo");
  }

  #deleted() {
    const { program } = this.undo;
    const back = () =>
      this.#do(() => {
        restore(this.undo);
        if (this.undo.wasOpen) belongsTo({ file: owner().file, kept: program.id }, program.source);
        this.undo = null;
      }, `[data-id="${program.id}"] .desk-open`);
    return element(
      "li",
      { class: "desk-deleted" },
      element("span", { role: "status" }, `${program.name} was deleted.`),
      element("button", { class: "tool text desk-undo", onclick: back }, "Undo"),
    );
  }

  /** A field in the place of the name. Enter takes it, Escape leaves it. */
  #rename({ id, name }, button) {
    const field = element("input", {
      value: name,
      maxlength: LONGEST_NAME,
      "aria-label": "New name",
    });
    const end = (act) => {
      field.onblur = null;
      this.#do(act, `[data-id="${id}"] .desk-open`);
    };
    const take = () => end(() => field.value.trim() && rename(id, field.value));
    field.onkeydown = (event) => {
      if (event.key === "Enter") {
        // It would press the button that gets the focus.
        event.preventDefault();
        take();
      }
      if (event.key === "Escape") {
        // It closes nothing but the field.
        event.preventDefault();
        end(() => {});
      }
    };
    field.onblur = take;
    button.closest("li").querySelector(".desk-open").replaceWith(field);
    field.select();
  }

  #compare(one) {
    this.show("compare");
    void this.comparison.start(null, one);
    this.tabs.querySelector(".on").focus();
  }

  // What was asked.

  #asked() {
    const list = questions();
    const item = (one) => {
      const { tab, ask, link, name, at, source, example } = one;
      const words = asks({ tab, ask, link });
      return element(
        "li",
        {},
        element(
          "button",
          {
            class: "desk-open",
            title: "Open",
            onclick: () => {
              const { options, method, ...rest } = link;
              this.#open({ source, options, method, name, example, link: rest });
            },
          },
          element(
            "b",
            {},
            `${words} `,
            element("small", { class: one.answer.verdict ?? "" }, answers(one)),
          ),
          element("span", {}, `${name ?? "Program"}, ${ago(at)}`),
          element("code", {}, firstWords(source)),
        ),
      );
    };
    if (list.length === 0)
      return [
        element(
          "p",
          { class: "quiet" },
          "Nothing was asked yet. Each Run is kept here, with its answer.",
        ),
      ];
    return [
      element(
        "div",
        { class: "desk-keep" },
        element("p", { class: "quiet small" }, "Newest first. They stay in this browser."),
        element("button", { class: "button", onclick: () => this.#do(clear) }, "Clear"),
      ),
      element("ul", { class: "desk-list", "aria-label": "Questions" }, list.map(item)),
    ];
  }
}

/** Said before somebody presses Keep in vain. */
const closed = () =>
  element(
    "p",
    { class: "warning", role: "alert" },
    "This browser lets the page keep nothing, as in some private windows: save the program as a file.",
  );

/** The first line that says something. */
function firstWords(source) {
  const lines = source.split("\n").map((line) => line.trim());
  const isWordy = (line) => /\w/.test(line) && !/^(\/\/|#|\/\*|\*)/.test(line);
  return (lines.find(isWordy) ?? lines.find(Boolean) ?? "").slice(0, 100);
}
