// Keeps what a person asks of the engine and what it answers (`asked.js`). The page fetches this
// with its first question (`static/delivery/start_page.js`) and passes on what page and worker say
// to each other.
import { add } from "./asked.js";

/** Milliseconds after which the page has written what it shows into the browser's history. */
const SETTLED = 700;

/** Questions without an answer, by number: { at, tab, ask, source, options, method }. */
const open = new Map();
/** What was sent last: all other questions are about it. */
let program = { source: "", options: {} };

const TABS = {
  run: "projection",
  refine: "refinement",
  explain: "explain",
  threads: "threads",
  liveness: "liveness",
  lab: "lab",
};

/** What an answer says, by the reply's name; null while it is not the answer. */
const ANSWERS = {
  done: ({ report }) => found(report),
  widened: ({ report }) => found(report),
  refined: ({ report }) => report.answer && found(report.answer),
  threaded: ({ report }) => report && { ...found(report), switches: report.switches },
  lived: ({ answer }) => answer.found && { verdict: answer.found.verdict },
  explained: ({ explanation }, last) =>
    last && explanation.causes.length > 0 && { count: explanation.causes.length },
  lab: ({ report }) => report.automata[0] && { count: report.automata[0].transitions.length },
};

const found = ({ verdict, error, limit, width }) => ({
  verdict,
  line: error?.line,
  limit: verdict === "unknown" ? limit : undefined,
  bits: width ?? undefined,
});

/** An enumeration's value as it is sent: its name, and what it holds. */
const entry = (value) =>
  typeof value === "string" ? [value, {}] : (Object.entries(value)[0] ?? ["", {}]);

/** Takes a message that goes between page and worker. */
export function hear({ id, unasked, last, request, reply }) {
  if (request !== undefined) {
    const [what, body] = entry(request);
    if (what === "run" || what === "load") {
      const { source, options, method } = body;
      program = { source, options, method };
    }
    const tab = TABS[what];
    // A link or a reload has asked nothing.
    if (!tab || unasked || !program.source.trim()) return;
    const ask = { bound: body.ask?.bound, formula: body.ask?.formula };
    open.set(id, { at: Date.now(), tab, ask, ...program });
  } else if (reply !== undefined && open.has(id)) {
    const [what, body] = entry(reply);
    const answer = ANSWERS[what]?.(body, last);
    const question = open.get(id);
    // The verdict for a width of C's own may come after that for a narrower one.
    if (last && what !== "done") open.delete(id);
    // A check of a program with threads says that it is for another tab.
    if (answer && answer.limit !== "threads")
      setTimeout(() => keep({ ...question, answer }), SETTLED);
  }
}

/** Keeps a question with the place of its tab, if the page still shows it. */
function keep({ options, method, ...question }) {
  let shown = {};
  try {
    shown = JSON.parse(history.state);
  } catch {
    // Another page's entry.
  }
  const isShown = shown?.link?.source === question.source;
  const place = isShown ? shown.link[question.tab] : undefined;
  const name = isShown ? (shown.name ?? undefined) : undefined;
  const link = { options: plain(options), method, view: question.tab, [question.tab]: place };
  add({ ...question, name, example: (isShown && shown.example) || undefined, link });
}

/** Options as links have them: what is not set is left out. */
const plain = (options) =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined));
