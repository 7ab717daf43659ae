// What an analysis found, painted on whole lines. Positions are kept as decorations, so they move with edits until the page repaints.
import { RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutterLineClass } from "@codemirror/view";

export const setPaint = StateEffect.define();
export const setCurrent = StateEffect.define();
export const setSelected = StateEffect.define();
export const setHover = StateEffect.define();

class Note extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  ignoreEvent() {
    return false; // a click on the note is a click on its line
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = "fl-note";
    span.textContent = this.text;
    return span;
  }
}

// The gutter's cell of a painted line, so that the paint runs from edge to edge.
class Cell extends GutterMarker {
  constructor(classes) {
    super();
    this.elementClass = classes;
  }
  eq(other) {
    return other.elementClass === this.elementClass;
  }
}

function build(state, doc) {
  const classes = new Map();
  const add = (line, name) => {
    if (line >= 1 && line <= doc.lines) classes.set(line, `${classes.get(line) ?? ""} ${name}`);
  };
  for (const line of state.lit) add(line, "fl-lit");
  for (const line of state.dim) add(line, "fl-dim");
  add(state.hover, "fl-hover");
  add(state.selected, "fl-selected");
  add(state.current, "fl-current");
  add(state.fails, "fl-fails");
  const builder = new RangeSetBuilder();
  const cells = new RangeSetBuilder();
  for (const number of [...classes.keys()].sort((a, b) => a - b)) {
    const line = doc.line(number);
    const names = classes.get(number).trim();
    builder.add(line.from, line.from, Decoration.line({ class: names }));
    cells.add(line.from, line.from, new Cell(names));
    if (number === state.fails && state.note) builder.add(line.to, line.to, Decoration.widget({ widget: new Note(state.note), side: 1 }));
  }
  return { decorations: builder.finish(), cells: cells.finish() };
}

const empty = { lit: [], dim: [], fails: 0, note: "", current: 0, selected: 0, hover: 0, decorations: Decoration.none, cells: RangeSet.empty };

export const paintField = StateField.define({
  create: () => empty,
  update(value, transaction) {
    let next = value;
    for (const effect of transaction.effects) {
      if (effect.is(setPaint)) next = { ...next, ...effect.value };
      if (effect.is(setCurrent)) next = { ...next, current: effect.value };
      if (effect.is(setSelected)) next = { ...next, selected: effect.value };
      if (effect.is(setHover)) next = { ...next, hover: effect.value };
    }
    if (next !== value) return { ...next, ...build(next, transaction.state.doc) };
    if (transaction.docChanged) return { ...next, decorations: next.decorations.map(transaction.changes), cells: next.cells.map(transaction.changes) };
    return value;
  },
  provide: (field) => [EditorView.decorations.from(field, (value) => value.decorations), gutterLineClass.from(field, (value) => value.cells)],
});
