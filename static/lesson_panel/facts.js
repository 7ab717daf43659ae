// What the engine said of the program in the page, by name. Facts are what lessons check ("raise
// the bound until it fails") and reveal; they come from the messages between page and engine and
// from what the page shows, never from a lesson's text.

/** Kinds of facts: how a person predicts one, and how two are compared. */
const LINES = "lines";
const NUMBER = "number";
const WORD = "word";
const TEXTS = "texts";

const sorted = (lines) => [...new Set(lines)].sort((a, b) => a - b);
const visible = (said) => said.done?.statements.filter((s) => !s.hidden) ?? null;
const linesOf = (statements) => statements && sorted(statements.map(({ line }) => line));
const at = (list, place, word) => list?.[place?.[word] ?? 0];
const round = (said, place) => {
  const number = place.refinement?.round || said.refined?.report.rounds.length;
  return said.rounds.get(number);
};
const recording = (said, place) => at(said.lab?.report.automata, place.lab, "automaton");
/** How the tests went. */
const tested = (said) => said.tested?.answer.report;
/** A row of the comparison of heuristics that came to an end. */
const decided = (said) => said.compared.filter(({ verdict }) => verdict !== "unknown");

/**
 * Name → [kind, value of (what was said, where the tabs are)]; undefined or null where the engine
 * has not said it.
 */
const FACTS = {
  // The check and its projection.
  verdict: [WORD, (said) => said.report?.verdict],
  error: [WORD, (said) => said.report && (said.report.error?.kind ?? "none")],
  fails: [NUMBER, (said) => said.report?.error?.line],
  length: [NUMBER, (said) => said.report?.trace?.length],
  depth: [
    NUMBER,
    (said) =>
      said.report?.trace && Math.max(0, ...said.report.trace.map(({ depth }) => depth ?? 0)),
  ],
  width: [NUMBER, (said) => said.report?.options.bits],
  lit: [LINES, (said) => said.report?.projection?.lines],
  innocent: [
    LINES,
    (said) => {
      const lit = said.report?.projection?.lines;
      return lit && linesOf(visible(said)).filter((line) => !lit.includes(line));
    },
  ],
  slice: [LINES, (said) => said.report?.projection?.slice?.lines],
  "only-naive": [
    LINES,
    (said) => {
      const cross = said.naive?.cross;
      const exact = said.report?.projection?.lines;
      return (
        cross &&
        exact &&
        linesOf(visible(said).filter(({ id }) => cross.includes(id))).filter(
          (line) => !exact.includes(line),
        )
      );
    },
  ],
  // Pushdown systems.
  weight: [NUMBER, (said) => said.report?.pushdown?.weight],
  effect: [WORD, (said) => said.report?.pushdown?.effect?.words],
  states: [NUMBER, (said) => said.report?.pushdown?.states],
  saturation: [
    NUMBER,
    (said, place) => recording(said, place) && recording(said, place).steps.length - 1,
  ],
  transitions: [NUMBER, (said, place) => recording(said, place)?.transitions.length],
  unrolled: [NUMBER, (said) => said.lab?.report.bounds?.at(-1)?.bound],
  asked: [
    WORD,
    (said) =>
      said.labweight && (said.labweight.answer.is_zero ? "no run" : said.labweight.answer.weight),
  ],
  // Refinement.
  refinement: [WORD, (said) => said.refined?.report.answer?.verdict],
  rounds: [NUMBER, (said) => said.refined?.report.rounds.length],
  predicates: [NUMBER, (said) => said.refined?.report.predicates],
  heuristic: [WORD, (said) => said.refined && field(said.refined.report.ask, "interpolants")],
  added: [TEXTS, (said, place) => round(said, place)?.added.map(({ formula }) => formula.text)],
  spurious: [
    WORD,
    (said, place) => {
      const rounds = said.refined?.report.rounds;
      const found = rounds?.[(place.refinement?.round || rounds.length) - 1];
      return (
        found && (found.spurious === undefined ? "no trace" : found.spurious ? "spurious" : "real")
      );
    },
  ],
  compared: [NUMBER, (said) => said.compared.length],
  fewest: [
    WORD,
    (said) => {
      const rows = decided(said);
      const least = Math.min(...rows.map(({ predicates }) => Number(predicates)));
      return said.compared.length < 6
        ? null
        : rows
            .filter(({ predicates }) => Number(predicates) === least)
            .map(({ interpolants }) => interpolants)
            .join(", ");
    },
  ],
  // Causes.
  runs: [NUMBER, (said) => said.explained && said.explained.explanation.causes.length],
  cause: [
    LINES,
    (said, place) => at(said.explained?.explanation.causes, place.explain, "run")?.lines,
  ],
  sequences: [
    NUMBER,
    (said) =>
      said.explained?.explanation.sought ? said.explained.explanation.sequences.length : null,
  ],
  focus: [
    LINES,
    (said, place) => {
      const found = at(said.explained?.explanation.sequences, place.explain, "sequence");
      return found && sorted(found.report.lines);
    },
  ],
  nest: [
    LINES,
    (said, place) =>
      at(said.explained?.explanation.sequences, place.explain, "sequence")?.report.nest,
  ],
  repairs: [NUMBER, (said) => said.explained?.explanation.repairs?.found?.length],
  // Threads.
  threads: [WORD, (said) => said.threaded?.report?.verdict],
  switches: [NUMBER, (said) => said.threaded?.report?.switches],
  bound: [NUMBER, (said) => said.threaded?.report?.bound],
  blocked: [NUMBER, (said) => said.threaded?.report && (said.threaded.report.blocked?.length ?? 0)],
  // Whole runs.
  liveness: [WORD, (said) => said.lived?.answer.found?.verdict],
  cycle: [
    LINES,
    (said) => {
      const cycle = said.lived?.answer.found?.lasso?.cycle;
      return cycle && sorted(cycle.map(({ line }) => line));
    },
  ],
  grows: [NUMBER, (said) => said.lived?.answer.found?.lasso?.grows.length],
  // Tests, and a reference.
  tests: [WORD, (said) => tested(said)?.verdict],
  passed: [NUMBER, (said) => tested(said)?.tests.filter(({ result }) => result === "passed").length],
  ends: [WORD, (said) => tested(said)?.tests[0]?.result],
  "wrong-line": [
    NUMBER,
    (said) => tested(said)?.tests.find(({ result }) => result !== "passed")?.line,
  ],
  differs: [WORD, (said) => said.equated?.answer.report?.verdict],
  // What the page shows.
  tab: [WORD, (said, place) => place.view],
  step: [NUMBER, (said, place) => place[place.view]?.step ?? place.step],
  line: [NUMBER, (said, place) => place.selection],
  method: [WORD, (said) => said.report?.projection?.method],
};

/** Interpolants of the shown round at a line: `strongest(7)`. */
const AT_LINE = /^(strongest|weakest|chosen)\((\d+)\)$/;
/** Of what all runs into the target do together, the equation about a variable: `effect-labels`. */
const EFFECT = /^effect-([A-Za-z_]\w*)$/;
/** What links say of a tab: `refinement.picture`. */
const OF_PLACE = /^(lab|refinement|explain|threads|liveness|memory)(\.\w+)*$/;

export const isFact = (name) =>
  Object.hasOwn(FACTS, name) || AT_LINE.test(name) || EFFECT.test(name) || OF_PLACE.test(name);

/** "lines", "number", "word" or "texts". */
export function kindOf(name) {
  if (Object.hasOwn(FACTS, name)) return FACTS[name][0];
  return AT_LINE.test(name) ? TEXTS : WORD;
}

/** A field of what was sent; the engine sends some objects as maps. */
const field = (object, key) => (object instanceof Map ? object.get(key) : object?.[key]);

/** Replies that are remembered as they are. */
const ANSWERS = [
  "naive",
  "refined",
  "explained",
  "threaded",
  "lived",
  "lab",
  "labweight",
  "tested",
  "equated",
];

/** Listens to page and engine; says what was said of the program that was sent last. */
export class Heard {
  constructor() {
    this.forget();
  }

  forget() {
    this.source = null;
    this.latest = -1;
    this.ids = new Set();
    this.said = { rounds: new Map(), compared: [] };
  }

  /** Takes a message, as it goes between page and worker; is something new known? */
  hear(message) {
    if (message.request !== undefined) return this.#asked(message.id, ...entry(message.request));
    return (
      message.reply !== undefined &&
      this.ids.has(message.id) &&
      this.#replied(message.id, ...entry(message.reply))
    );
  }

  #asked(id, what, body) {
    if (what === "layout" || what === "stop") return false;
    if (what === "run" || what === "load") {
      this.forget();
      this.source = body.source;
      this.latest = id;
    }
    if (what === "compare") this.said.compared = [];
    // An older answer of the same kind is about another question.
    if (what === "refine") Object.assign(this.said, { refined: undefined, rounds: new Map() });
    const answers = {
      threads: "threaded",
      liveness: "lived",
      explain: "explained",
      lab: "lab",
      labweight: "labweight",
      tests: "tested",
      equivalent: "equated",
    };
    if (answers[what]) this.said[answers[what]] = undefined;
    this.ids.add(id);
    return true;
  }

  #replied(id, what, body) {
    const said = this.said;
    if (what === "done" || what === "widened")
      Object.assign(said, { done: body, report: body.report });
    else if (what === "improved")
      said.report = {
        ...body.report,
        projection: body.report.projection ?? said.report?.projection,
      };
    else if (what === "loaded") said.loaded = body;
    else if (what === "round") body.round && said.rounds.set(body.round.round, body.round);
    else if (what === "compared") body.row && said.compared.push(body.row);
    else if (ANSWERS.includes(what)) said[what] = body;
    else return false;
    return true;
  }

  /** The value of a fact, or null where the engine has not said it. `place` is the page's link. */
  value(name, place) {
    const [, which, line] = name.match(AT_LINE) ?? [];
    const [, variable] = name.match(EFFECT) ?? [];
    let value;
    if (variable)
      value = this.said.report?.pushdown?.effect?.words
        ?.split(/, | ∧ /)
        .find((words) => words.startsWith(`${variable}'`));
    else if (which) value = interpolants(round(this.said, place), which, Number(line));
    else if (Object.hasOwn(FACTS, name)) value = FACTS[name][1](this.said, place);
    else value = name.split(".").reduce((found, key) => found?.[key], place);
    if (typeof value === "bigint") value = Number(value);
    if (typeof value === "boolean") value = String(value);
    return value ?? null;
  }

  /** The lines on which statements begin, of the program that was read last. */
  lines() {
    const statements = this.said.done?.statements ?? this.said.loaded?.statements ?? [];
    return sorted(statements.filter((s) => !s.hidden).map(({ line }) => line));
  }

  /** Is this condition true? False where it is not known. */
  holds({ fact, is, value }, place) {
    const found = this.value(fact, place);
    if (found === null) return false;
    if (is === "has")
      return Array.isArray(found)
        ? found.some((one) => same(one, value))
        : String(found).includes(value);
    if (/[<>]/.test(is)) {
      const [a, b] = [Number(Array.isArray(found) ? found.length : found), Number(value)];
      return { "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b }[is];
    }
    const equal = Array.isArray(found) ? same(found.join(","), value) : same(found, value);
    return (is === "=") === equal;
  }
}

function interpolants(round, which, line) {
  const nodes = round?.nodes.filter((node) => node.line === line && node.place === "location");
  if (!nodes?.length) return null;
  const texts = nodes
    .map((node) => (which === "chosen" ? node.readable : node[which]?.text))
    .filter((text) => text !== undefined && text !== null);
  return texts.length > 0 ? [...new Set(texts)] : null;
}

/** Equal as people write: blanks do not count. */
export const same = (a, b) => squeezed(a) === squeezed(b);
const squeezed = (value) => String(value).replace(/\s+/g, "").replaceAll("−", "-");

/** An enumeration's value as it is sent: its name, and what it holds. */
function entry(value) {
  return typeof value === "string" ? [value, {}] : (Object.entries(value)[0] ?? ["", {}]);
}
