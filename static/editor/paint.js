// What an analysis found, painted on whole lines. Positions are kept as decorations, so they move
// with edits until the page repaints.
import { RangeSet, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutterLineClass } from "@codemirror/view";

export const setPaint = StateEffect.define();
export const setCurrent = StateEffect.define();
export const setSelected = StateEffect.define();
export const setHover = StateEffect.define();
export const setCross = StateEffect.define();
export const setSlice = StateEffect.define();
export const setCauses = StateEffect.define();
export const setValues = StateEffect.define();

class Note extends WidgetType {
  constructor(text, name) {
    super();
    this.text = text;
    this.name = name;
  }
  eq(other) {
    return other.text === this.text && other.name === this.name;
  }
  ignoreEvent() {
    return false; // a click on the note is a click on its line
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = `fl-note ${this.name}`.trim();
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

/**
 * Decorations and gutter cells from classes per line; `note` stands behind the lines `noted`, in a
 * style of this name.
 */
function build(classes, doc, noted, note, name = "") {
  const lines = new RangeSetBuilder();
  const cells = new RangeSetBuilder();
  for (const [number, names] of [...classes].sort((a, b) => a[0] - b[0])) {
    if (number < 1 || number > doc.lines) continue;
    const line = doc.line(number);
    lines.add(line.from, line.from, Decoration.line({ class: names }));
    cells.add(line.from, line.from, new Cell(names));
    if (noted.includes(number) && note) lines.add(line.to, line.to, Decoration.widget({ widget: new Note(note, name), side: 1 }));
  }
  return { lines: lines.finish(), cells: cells.finish() };
}

function add(classes, line, name) {
  classes.set(line, classes.has(line) ? `${classes.get(line)} ${name}` : name);
}

function layer(initial, effects, classesOf) {
  return StateField.define({
    create: () => ({ ...initial, lines: Decoration.none, cells: RangeSet.empty }),
    update(value, transaction) {
      let next = value;
      for (const effect of transaction.effects) {
        for (const [type, change] of effects) if (effect.is(type)) next = { ...next, ...change(effect.value) };
      }
      if (next !== value) return { ...next, ...build(classesOf(next), transaction.state.doc, next.noted ?? [next.fails], next.note, next.name) };
      if (transaction.docChanged) return { ...next, lines: next.lines.map(transaction.changes), cells: next.cells.map(transaction.changes) };
      return value;
    },
    provide: (field) => [EditorView.decorations.from(field, (value) => value.lines), gutterLineClass.from(field, (value) => value.cells)],
  });
}

// Two layers: the paint of thousands of lines is not built again for every step.
const painted = layer({ lit: [], dim: [], fails: 0, note: "" }, [[setPaint, (paint) => paint]], (state) => {
  const classes = new Map();
  for (const line of state.lit) add(classes, line, "fl-lit");
  for (const line of state.dim) add(classes, line, "fl-dim");
  if (state.fails > 0) add(classes, state.fails, "fl-fails");
  return classes;
});

const marked = layer(
  { current: 0, selected: 0, hover: 0 },
  [
    [setCurrent, (current) => ({ current })],
    [setSelected, (selected) => ({ selected })],
    [setHover, (hover) => ({ hover })],
  ],
  (state) => {
    const classes = new Map();
    add(classes, state.hover, "fl-hover");
    add(classes, state.selected, "fl-selected");
    add(classes, state.current, "fl-current");
    return classes;
  },
);

const crossed = layer({ cross: [] }, [[setCross, (cross) => ({ cross })]], (state) => {
  const classes = new Map();
  for (const line of state.cross) add(classes, line, "fl-cross");
  return classes;
});

// The cause is said in a word as well; where it is most of the run, only on its first lines.
const MOST_NOTES = 12;
const caused = layer(
  { noted: [], causes: [], note: "cause", name: "fl-cause-note" },
  [[setCauses, (causes) => ({ causes, noted: causes.slice(0, MOST_NOTES) })]],
  (state) => new Map(state.causes.map((line) => [line, "fl-cause"])),
);

// What the statement of the step reads and changes, behind its line.
const valued = layer(
  { noted: [], note: "", name: "fl-values" },
  [[setValues, ({ line, text }) => ({ noted: text ? [line] : [], note: text })]],
  (state) => new Map(state.noted.map((line) => [line, ""])),
);

const sliced = layer({ slice: [] }, [[setSlice, (lines) => ({ slice: lines })]], (state) => new Map(state.slice.map((line) => [line, "fl-slice"])));

export const paint = [painted, caused, sliced, marked, crossed, valued];
