// The editor as the page sees it: `FaultlineEditor.create(host, options)` and the methods of the
// handle that it returns. Everything CodeMirror stays behind this module; positions are UTF-16
// offsets and 1-based lines.
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches } from "@codemirror/search";
import {
  Annotation, CharCategory, codePointAt, codePointSize, combineConfig, Compartment, EditorSelection, EditorState, Facet,
  findClusterBreak, fromCodePoint, Prec, RangeSet, RangeSetBuilder, StateEffect, StateField,
} from "@codemirror/state";
import {
  activateHover, Decoration, drawSelection, EditorView, getDialog, getPanel, gutter, GutterMarker, highlightSpecialChars,
  hoverTooltip, keymap, lineNumbers, logException, placeholder, runScopeHandlers, showDialog, showPanel, showTooltip,
  ViewPlugin, WidgetType,
} from "@codemirror/view";
import { highlight, languages } from "./languages.js";
import { paint, setCauses, setCross, setCurrent, setHover, setPaint, setSelected, setSlice, setValues } from "./paint.js";

/** What search and diagnostics import of CodeMirror's other modules (`search.js`, `lint.js`). */
export const shared = {
  activateHover, CharCategory, codePointAt, codePointSize, combineConfig, Decoration, EditorSelection, EditorState,
  EditorView, Facet, findClusterBreak, fromCodePoint, getDialog, getPanel, gutter, GutterMarker, hoverTooltip,
  logException, Prec, RangeSet, RangeSetBuilder, runScopeHandlers, showDialog, showPanel, showTooltip, StateEffect,
  StateField, ViewPlugin, WidgetType,
};

/**
 * A part of the editor that is fetched when it is needed (0: search, 1: diagnostics); null without
 * a network.
 */
const later = (part) => {
  const names = document.querySelector('meta[name="faultline-editor"]').content.split(" ");
  return import(new URL(names[part], document.baseURI).href).catch(() => null);
};

/** Tells that all of the text was replaced: it is another program now. */
const another = () => dispatchEvent(new Event("faultline-another"));

/** The search's keys, until it is there. */
const SEARCH_KEYS = ["Mod-f", "F3", "Mod-g", "Mod-Shift-l", "Mod-Alt-g", "Mod-d"];

// Marks changes that the page itself makes, so that they are not reported back to it.
const fromPage = Annotation.define();

function theme() {
  return EditorView.theme({
    "&": { height: "100%", backgroundColor: "transparent" },
    "&.cm-focused": { outline: "none" },
    ".cm-scroller": { font: "var(--code)", overflow: "auto" },
  });
}

/**
 * Makes an editor inside `host`.
 * options: { doc, language, readOnly, label, placeholder, onChange(text, pasted, replaced),
 * onCursor(line) }
 */
export function create(host, options) {
  const readOnly = options.readOnly === true;
  let cursorLine = 1;
  let lent = false;
  const language = new Compartment();
  const searching = new Compartment();
  const linting = new Compartment();
  let lint = null;
  let items = [];
  const mark = () => {
    const end = view.state.doc.length;
    const clamp = (n) => Math.max(0, Math.min(n, end));
    const action = ({ label, ...changes }) => ({ name: label, apply: (view) => view.dispatch({ changes }) });
    // What has no place is about a line.
    const place = ({ from, to, line }) => {
      if (line === undefined) return { from: clamp(from), to: Math.max(clamp(from), clamp(to)) };
      const start = clampLine(line).from;
      return { from: start, to: start };
    };
    view.dispatch(lint.setDiagnostics(view.state, items.map((d) => ({
      ...d,
      ...place(d),
      actions: d.edit ? [action(d.edit)] : [],
    }))));
  };
  /** Fetches the search and does what its key does. Without a network the key does nothing. */
  const search = async (view, key, how) => {
    const module = await later(0);
    if (!module) return;
    view.dispatch({ effects: searching.reconfigure([module.search({ top: true }), keymap.of(module.searchKeymap)]) });
    module.searchKeymap.find((binding) => binding.key === key)?.[how]?.(view);
  };
  const first = (key) => {
    const fetched = (how) => (view) => {
      search(view, key, how);
      return true;
    };
    return { key, run: fetched("run"), shift: fetched("shift"), preventDefault: true };
  };
  const listener = EditorView.updateListener.of((update) => {
    const own = update.transactions.some((t) => t.annotation(fromPage));
    if (update.docChanged && !own) {
      const wasBlank = update.startState.doc.toString().trim() === "";
      const inserted = update.transactions.some((t) => t.isUserEvent("input.paste") || t.isUserEvent("input.drop"));
      // All of it at once: another program, not an edit.
      let whole = wasBlank;
      update.changes.iterChanges((from, to) => (whole ||= from === 0 && to === update.startState.doc.length));
      if (whole) another();
      const begins = inserted && (wasBlank || (lent && whole));
      options.onChange(update.state.doc.toString(), begins, whole && (inserted || lent));
    }
    if ((update.selectionSet || update.docChanged) && !own) {
      const line = update.state.doc.lineAt(update.state.selection.main.head).number;
      const clicked = update.transactions.some((t) => t.isUserEvent("select.pointer"));
      if (line !== cursorLine || clicked) options.onCursor(line);
      cursorLine = line;
    }
  });
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: options.doc,
      extensions: [
        // The page's content policy allows style elements with this nonce alone.
        EditorView.cspNonce.of(document.querySelector('meta[name="faultline-nonce"]')?.content ?? ""),
        // Its column is there for the paint before the diagnostics are.
        linting.of(gutter({ class: "cm-gutter-lint" })),
        lineNumbers(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        bracketMatching(),
        highlightSelectionMatches(),
        searching.of(keymap.of(SEARCH_KEYS.map(first))),
        indentUnit.of("  "),
        EditorState.tabSize.of(4),
        language.of(languages[options.language] ?? []),
        syntaxHighlighting(highlight),
        paint,
        placeholder(options.placeholder),
        theme(),
        listener,
        EditorView.domEventHandlers({
          // The example of a first visit is not meant to be pasted into.
          paste: (_, view) => {
            if (lent) view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
            return false;
          },
        }),
        EditorState.readOnly.of(readOnly),
        EditorView.editable.of(!readOnly),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": options.label, spellcheck: "false", autocorrect: "off", autocapitalize: "off" }),
        // Tab leaves the editor, as it leaves every field; Ctrl+] and Ctrl+[ indent
        // (`defaultKeymap`).
        // Ctrl+Enter runs (the page listens); the default keymap would insert a blank line.
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => true }])),
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    }),
  });

  const clampLine = (line) => view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
  return {
    /** Is the text lent, for a first look? Then a paste replaces all of it. */
    setLent(on) {
      lent = on;
    },
    /** Replaces the whole text without reporting a change. */
    setText(text) {
      if (text === view.state.doc.toString()) return;
      another();
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        // One undo takes it back, whatever was typed just before.
        annotations: [fromPage.of(true), isolateHistory.of("full")],
        scrollIntoView: true,
      });
    },
    /**
     * The text with an edit, without reporting a change: only what differs is replaced, so the
     * place that is in view stays.
     */
    edit(text) {
      const old = view.state.doc.toString();
      if (text === old) return;
      let from = 0;
      while (from < old.length && from < text.length && old[from] === text[from]) from += 1;
      let behind = 0;
      while (behind < old.length - from && behind < text.length - from && old[old.length - 1 - behind] === text[text.length - 1 - behind]) behind += 1;
      view.dispatch({
        changes: { from, to: old.length - behind, insert: text.slice(from, text.length - behind) },
        annotations: [fromPage.of(true), isolateHistory.of("full")],
      });
    },
    /** A name in `languages`: only the highlighting changes. */
    setLanguage(name) {
      view.dispatch({ effects: language.reconfigure(languages[name] ?? []) });
    },
    /**
     * items: [{from, to, severity: "error" | "warning" | "info", message, edit?: {from, to, insert,
     * label}}], or with `line` in the place of from and to. An edit is a button beside the message.
     */
    async setDiagnostics(found) {
      items = found;
      if (lint) return mark();
      if (items.length === 0) return;
      const { doc } = view.state;
      const module = await later(1);
      // What was typed meanwhile is read soon.
      if (!module || lint || view.state.doc !== doc) return;
      lint = module;
      view.dispatch({ effects: linting.reconfigure([lint.lintGutter(), keymap.of(lint.lintKeymap)]) });
      mark();
    },
    /** lit, dim: lines; fails: the failing line or 0, note: what stands behind it. */
    setPaint(lit, dim, fails, note) {
      // Copies: what comes from wasm is a view of its memory, which moves when it grows.
      view.dispatch({ effects: setPaint.of({ lit: Array.from(lit), dim: Array.from(dim), fails, note }) });
    },
    /** Lines that only the naive projection keeps. */
    setCross(lines) {
      view.dispatch({ effects: setCross.of(Array.from(lines)) });
    },
    /** The lines of a failing run's cause. */
    setCauses(lines) {
      view.dispatch({ effects: setCauses.of(Array.from(lines)) });
    },
    /** The lines of the slice; none while it is not shown. */
    setSlice(lines) {
      view.dispatch({ effects: setSlice.of(Array.from(lines)) });
    },
    /** The line of the current step, or 0. */
    setCurrent(line) {
      view.dispatch({ effects: setCurrent.of(line) });
    },
    /** The selected line, or 0. */
    setSelected(line) {
      view.dispatch({ effects: setSelected.of(line) });
    },
    /** A line, and what its statement reads and changes at the step; 0: no line. */
    setValues(line, text) {
      view.dispatch({ effects: setValues.of({ line, text }) });
    },
    /** The line under the pointer in the picture, or 0. */
    setHover(line) {
      view.dispatch({ effects: setHover.of(line) });
    },
    /** Scrolls a line into view, from its first word on, without moving the cursor. */
    reveal(line) {
      const { from, text } = clampLine(line);
      const word = Math.max(0, text.search(/\S/));
      view.dispatch({ effects: EditorView.scrollIntoView(from + word, { y: "nearest", yMargin: 48 }) });
    },
    destroy: () => view.destroy(),
  };
}
