// Reads a lesson: Markdown with fenced programs and directives (docs/lessons.md). Knows no page and
// no engine. What is wrong comes out as problems, each with a line, what was expected, and a hint.
import { isFact, kindOf } from "./facts.js";

/** What a step may set, and what its value is. Places in tabs (`threads.ask.bound`) come on top. */
const SETTINGS = {
  example: /^[\w-][\w.-]*$/,
  program: /^\S.*$/,
  tab: /^(projection|lab|refinement|explain|threads|liveness|tests)$/,
  step: /^\d+$/,
  line: /^\d+$/,
  bits: /^([1-9]|[12]\d|3[0-2])$/,
  heap: /^\d+$/,
  globals: /^(any|zero)$/,
  method: /^(functional|per-node|double-prestar|double-poststar|naive)$/,
  memory: /^(true|false)$/,
};
const PLACE = /^(lab|refinement|explain|threads|liveness|tests)(\.\w+)+$/;
const CONDITION = /^(.+?)\s*(!=|>=|<=|=|>|<|\bhas\b)\s*(.*)$/;
/** A lesson that is longer is none, in characters. */
export const MOST = 200_000;

/**
 * text → { lesson: { title, about, steps: [{ title, line, parts }] }, problems: [{ line, message,
 * expected, hint }] }. A part is { kind: "paragraph" | "heading" | "quote", spans },
 * { kind: "list", ordered, items: [spans] }, { kind: "program", name, language, text },
 * { kind: "show", settings }, { kind: "try", task, until, hint, solution } or
 * { kind: "predict", question, answer, choices, then }.
 */
export function read(text) {
  const problems = [];
  const lesson = { title: "", about: "", steps: [] };
  const wrong = (line, message, expected, hint = "") =>
    problems.push({ line, message, expected, hint });
  if (text.length > MOST) {
    wrong(
      1,
      `The lesson is longer than ${MOST} characters`,
      "a lesson of ten minutes",
      "make two lessons of it",
    );
    return { lesson, problems };
  }
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  let step = null;
  const put = (part, line) => {
    if (step) step.parts.push({ ...part, line });
    else if (part.kind === "quote" && lesson.title) lesson.about = plain(part.spans);
    else
      wrong(
        line,
        "This stands before the first step",
        "a heading `## Title of the step`",
        "only the title and one quoted sentence stand before it",
      );
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const number = at + 1;
    const fence = line.match(/^(`{3,}|~{3,})\s*(.*)$/);
    if (line.trim() === "") {
      at += 1;
    } else if (fence) {
      let end = at + 1;
      while (end < lines.length && lines[end].trim() !== fence[1]) end += 1;
      if (end === lines.length)
        wrong(number, "This fence is never closed", `a line ${fence[1]} behind it`);
      put(fenced(fence[2].trim(), lines.slice(at + 1, end), number, wrong), number);
      at = end + 1;
    } else if (line.startsWith("# ")) {
      if (lesson.title) wrong(number, "A lesson has one title", "`## ` for a step");
      lesson.title ||= line.slice(2).trim();
      at += 1;
    } else if (line.startsWith("## ")) {
      step = { title: line.slice(3).trim(), line: number, parts: [] };
      lesson.steps.push(step);
      at += 1;
    } else if (/^#{3,6} /.test(line)) {
      put({ kind: "heading", spans: spans(line.replace(/^#+ /, ""), number, wrong) }, number);
      at += 1;
    } else {
      const [part, next] = block(lines, at, wrong);
      put(part, number);
      at = next;
    }
  }
  if (!lesson.title) wrong(1, "The lesson has no title", "a first line `# Title`");
  if (lesson.steps.length === 0)
    wrong(1, "The lesson has no step", "a heading `## Title of the step`");
  lesson.steps.forEach((step) => checked(lesson, step, wrong));
  return { lesson, problems: problems.sort((a, b) => a.line - b.line) };
}

/** A paragraph, a quote or a list, from a line on: the part, and the line behind it. */
function block(lines, at, wrong) {
  const item = /^\s{0,3}([-*]|\d+[.)])\s+/;
  const begins = (line) => line.trim() === "" || /^(#{1,6} |`{3,}|~{3,})/.test(line);
  const number = at + 1;
  const first = lines[at];
  let end = at + 1;
  if (item.test(first)) {
    const items = [first.replace(item, "")];
    for (; end < lines.length && !begins(lines[end]); end += 1) {
      if (item.test(lines[end])) items.push(lines[end].replace(item, ""));
      else items[items.length - 1] += ` ${lines[end].trim()}`;
    }
    const ordered = /^\s*\d/.test(first);
    return [{ kind: "list", ordered, items: items.map((text) => spans(text, number, wrong)) }, end];
  }
  const isQuote = first.startsWith(">");
  while (
    end < lines.length &&
    !begins(lines[end]) &&
    !item.test(lines[end]) &&
    lines[end].startsWith(">") === isQuote
  )
    end += 1;
  const text = lines
    .slice(at, end)
    .map((line) => line.replace(/^>\s?/, "").trim())
    .join(" ");
  return [{ kind: isQuote ? "quote" : "paragraph", spans: spans(text, number, wrong) }, end];
}

/** Text with `code`, **strong**, *emphasis* and [links](https://…) as [{ kind, text, href? }]. */
function spans(text, line, wrong) {
  const found = [];
  const mark = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
  let from = 0;
  for (const match of text.matchAll(mark)) {
    if (match.index > from) found.push({ kind: "text", text: text.slice(from, match.index) });
    const [all, code, strong, emphasis, label, href] = match;
    if (code !== undefined) found.push({ kind: "code", text: code });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) found.push({ kind: "emphasis", text: emphasis });
    else if (/^https:\/\//.test(href) || /^[?#]/.test(href))
      found.push({ kind: "link", text: label, href });
    else {
      wrong(
        line,
        `The link to ${href} leads nowhere`,
        "an address that begins with https://, ? or #",
      );
      found.push({ kind: "text", text: label });
    }
    from = match.index + all.length;
  }
  if (from < text.length) found.push({ kind: "text", text: text.slice(from) });
  return found;
}

const plain = (spans) => spans.map(({ text }) => text).join("");

function fenced(info, body, line, wrong) {
  const [word, kind, ...name] = info.split(/\s+/);
  if (kind === "program") {
    if (name.length === 0)
      wrong(line, "This program has no name", "`c program NAME` behind the fence");
    return { kind: "program", language: word, name: name.join(" "), text: `${body.join("\n")}\n` };
  }
  switch (word) {
    case "show":
      return {
        kind: "show",
        settings: fields(body, line, wrong)
          .map((field) => setting(field, wrong))
          .filter(Boolean),
      };
    case "try":
      return tried(fields(body, line, wrong), line, wrong);
    case "predict":
      return predicted(fields(body, line, wrong), line, wrong);
    default:
      return { kind: "code", text: body.join("\n") };
  }
}

/** Lines `key: value` as [{ key, value, line }]. */
function fields(body, line, wrong) {
  return body.flatMap((text, k) => {
    if (text.trim() === "") return [];
    const [, key, value] = text.match(/^\s*([\w.]+)\s*:\s*(.*?)\s*$/) ?? [];
    if (key !== undefined) return [{ key, value, line: line + k + 1 }];
    wrong(line + k + 1, `\`${text.trim()}\` says nothing`, "`key: value`");
    return [];
  });
}

function setting({ key, value, line }, wrong) {
  if (Object.hasOwn(SETTINGS, key)) {
    if (SETTINGS[key].test(value)) return { key, value, line };
    wrong(line, `\`${value}\` is no value of ${key}`, expectedOf(key));
  } else if (PLACE.test(key)) {
    return { key, value: valueOf(value), line };
  } else {
    wrong(
      line,
      `A step cannot set ${key}`,
      `${Object.keys(SETTINGS).join(", ")}, or a place in a tab`,
      "as in `threads.ask.bound: 2`",
    );
  }
  return null;
}

function expectedOf(key) {
  const words = SETTINGS[key].source.match(/^\^\(([\w|-]+)\)\$$/);
  return words
    ? `one of ${words[1].replaceAll("|", ", ")}`
    : ({ bits: "a number from 1 to 32", example: "a file of the gallery" }[key] ?? "a number");
}

/** As JSON, if it is some; else as a word. */
function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function tried(given, line, wrong) {
  const part = { kind: "try", task: "", until: [], hint: "", solution: [] };
  for (const { key, value, line: at } of given) {
    if (key === "task") part.task = value;
    else if (key === "hint") part.hint = value;
    else if (key === "until") part.until.push(condition(value, at, wrong));
    else if (key === "solution") part.solution.push(solution(value, at, wrong));
    else wrong(at, `Something to try has no ${key}`, "task, until, hint or solution");
  }
  if (!part.task) wrong(line, "It is not said what to try", "`task: …`");
  if (part.until.length === 0)
    wrong(
      line,
      "It is not said when this is done",
      "`until: FACT = VALUE`",
      "as in `until: verdict = safe`",
    );
  part.until = part.until.filter(Boolean);
  part.solution = part.solution.filter(Boolean);
  return part;
}

/** `lit has 7` as { fact, is, value }. */
export function condition(text, line, wrong) {
  const [, fact, is, value] = text.match(CONDITION) ?? [];
  if (fact === undefined)
    wrong(line, `\`${text}\` is no condition`, "FACT = VALUE, with =, !=, <, >, <=, >= or has");
  else if (!isFact(fact))
    wrong(line, `Nothing is called ${fact}`, "a fact of the list in docs/lessons.md");
  else if (/[<>]/.test(is) && Number.isNaN(Number(value)))
    wrong(line, `\`${value}\` is no number`, `a number behind ${is}`);
  else return { fact, is, value };
  return null;
}

/** "replace `a` by `b`", "set key = value" or "press `WORDS`". */
function solution(text, line, wrong) {
  const [, old, by] = text.match(/^replace `([^`]+)` by `([^`]*)`$/) ?? [];
  // A line ends with \n.
  const ended = (words) => words.replaceAll("\\n", "\n");
  if (old !== undefined) return { replace: ended(old), by: ended(by) };
  const [, press] = text.match(/^press `([^`]+)`$/) ?? [];
  if (press !== undefined) return { press };
  const [, key, value] = text.match(/^set ([\w.]+)\s*=\s*(.*)$/) ?? [];
  if (key !== undefined) return setting({ key, value, line }, wrong);
  wrong(
    line,
    `\`${text}\` is no solution`,
    "replace `OLD` by `NEW`, set KEY = VALUE, or press `WORDS OF A BUTTON`",
  );
  return null;
}

function predicted(given, line, wrong) {
  const part = { kind: "predict", question: "", answer: "", choices: [], then: "" };
  for (const { key, value, line: at } of given) {
    if (key === "question") part.question = value;
    else if (key === "then") part.then = value;
    else if (key === "choices") part.choices = value.split("|").map((choice) => choice.trim());
    else if (key === "answer" && isFact(value)) part.answer = value;
    else if (key === "answer")
      wrong(at, `Nothing is called ${value}`, "a fact of the list in docs/lessons.md");
    else wrong(at, `A prediction has no ${key}`, "question, answer, choices or then");
  }
  if (!part.question) wrong(line, "It is not said what to predict", "`question: …`");
  if (!part.answer && !given.some(({ key }) => key === "answer"))
    wrong(
      line,
      "It is not said what the answer is",
      "`answer: FACT`",
      "as in `answer: lit`; the engine has its value",
    );
  if (part.answer && kindOf(part.answer) === "word" && part.choices.length < 2)
    wrong(line, "There is nothing to choose from", "`choices: safe | unsafe`");
  return part;
}

/** What belongs together: programs that are shown are there; a step has one prediction at most. */
function checked(lesson, step, wrong) {
  const programs = new Set(
    lesson.steps.flatMap(({ parts }) =>
      parts.filter(({ kind }) => kind === "program").map(({ name }) => name),
    ),
  );
  for (const { kind, settings, line } of step.parts) {
    if (kind !== "show") continue;
    const named = settings.find(({ key }) => key === "program");
    if (named && !programs.has(named.value))
      wrong(
        named.line,
        `The lesson has no program ${named.value}`,
        "a fence `c program NAME` somewhere in it",
      );
    if (settings.filter(({ key }) => key === "program" || key === "example").length > 1)
      wrong(line, "Two programs are shown at once", "one of program and example");
  }
  for (const kind of ["show", "predict"]) {
    const parts = step.parts.filter((part) => part.kind === kind);
    if (parts.length > 1)
      wrong(parts[1].line, `A step has one \`${kind}\` at most`, "a step of its own");
  }
}
