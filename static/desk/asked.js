// What was asked of the engine, and what it answered, newest first: { at, tab, ask, source, name,
// example, link, answer }, as `recorder.js` writes it. `link` holds what a link would, without the
// text.

const KEY = "faultline.asked";
/** Most questions, and most characters of all of them, that are kept. */
const MOST = 60;
const MOST_TEXT = 400_000;

/** All of them. Texts that several have are kept once. */
export function questions() {
  try {
    const { texts, asked } = JSON.parse(localStorage.getItem(KEY));
    const list = asked.map(({ text, ...rest }) => ({ ...rest, source: texts[text] }));
    return list.filter(({ source, at }) => typeof source === "string" && at > 0);
  } catch {
    return [];
  }
}

/**
 * Puts a question in front. A later answer to the same one takes its place; if the last one was the
 * same, with the same answer, it only gets a new time.
 */
export function add(question) {
  const key = ({ at: _, ...rest }) => JSON.stringify(sorted(rest));
  const list = questions().filter(({ at }) => at !== question.at);
  if (list[0] && key(list[0]) === key(question)) list.shift();
  list.unshift(question);
  // A full store takes fewer.
  for (let most = MOST; most > 0; most = Math.floor(most / 2))
    if (write(list.slice(0, most))) return;
}

/** With keys in order, as JSON compares; what is not set counts as missing. */
const sorted = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )
    : value;

export function clear() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing is kept anyway.
  }
}

function write(list) {
  const texts = [];
  const asked = [];
  let length = 0;
  for (const { source, ...rest } of list) {
    let text = texts.indexOf(source);
    length += JSON.stringify(rest).length + (text < 0 ? source.length : 0);
    if (length > MOST_TEXT) break;
    if (text < 0) text = texts.push(source) - 1;
    asked.push({ ...rest, text });
  }
  try {
    localStorage.setItem(KEY, JSON.stringify({ texts, asked }));
    return true;
  } catch {
    return false;
  }
}

const TABS = {
  projection: "Can it fail?",
  refinement: "By refinement",
  explain: "Why does it fail?",
  threads: "Threads",
  lab: "Saturation",
};

/** The question in words. */
export function asks({ tab, ask, link }) {
  const words = [tab === "liveness" ? livenessAsks(ask) : TABS[tab]];
  if (tab === "threads" && Number.isInteger(ask?.bound)) words.push(switches(ask.bound));
  if (link?.options?.bits) words.push(`${link.options.bits} bits`);
  return words.join(", ");
}

const livenessAsks = (ask) =>
  ask?.formula ? `Does every run satisfy ${ask.formula}?` : "Does every run end?";
const switches = (count) => `at most ${count} switch${count === 1 ? "" : "es"}`;

/** The answer in words. */
export function answers({ tab, answer }) {
  const { verdict, line, limit, bits, switches, count } = answer;
  const width = bits ? ` (${bits} bits)` : "";
  if (verdict === "unsafe" || verdict === "violated") {
    const where = line ? `, in line ${line}` : "";
    const how =
      switches === undefined ? "" : `, with ${switches} switch${switches === 1 ? "" : "es"}`;
    return `${tab === "liveness" ? "No" : "Can fail"}${where}${how}${width}`;
  }
  if (verdict === "safe") return `No run fails${width}`;
  if (verdict === "holds") return "Yes, every run";
  if (verdict === "no-error-within-bound") return `No failure within the bound${width}`;
  if (verdict === "unknown") return `No answer${limit ? `: the limit on ${limit}` : ""}`;
  if (tab === "explain") return count === 1 ? "One cause" : `${count} causes`;
  if (tab === "lab") return `${count} transitions`;
  return verdict ?? "";
}
