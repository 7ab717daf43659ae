// Highlighters, one for each input language: words, numbers, comments, directives. They know no
// grammar; the engine's diagnostics do.
import { HighlightStyle, StreamLanguage } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const words = (text) => new Set(text.split(" "));

/** What follows a position up to the end of the line or of a block comment. */
function comment(stream, state) {
  if (stream.match(/.*?\*\//)) state.comment = false;
  else stream.skipToEnd();
  return "comment";
}

/**
 * A language of words. `kinds`: [set of words, token] in the order in which they are asked;
 * `first(stream, state)`: what only this language
 * has: a token, or undefined for what all of them have.
 */
function ofWords(name, { kinds, first = () => undefined, comments = { line: "//", block: { open: "/*", close: "*/" } } }) {
  return StreamLanguage.define({
    name,
    startState: () => ({ comment: false, preprocessor: false }),
    blankLine: (state) => void (state.preprocessor = false),
    token(stream, state) {
      if (state.comment) return comment(stream, state);
      const own = first(stream, state);
      if (own !== undefined) return own;
      if (stream.eatSpace()) return null;
      if (comments.line && stream.match(comments.line)) {
        stream.skipToEnd();
        return "comment";
      }
      if (comments.block && stream.match(comments.block.open)) {
        state.comment = true;
        return comment(stream, state);
      }
      if (stream.match(/^(0[xX][0-9a-fA-F]+|\d+)[uUlL]*/)) return "number";
      const word = stream.match(/^[\p{XID_Start}_]\p{XID_Continue}*/u);
      if (word) return kinds.find(([set]) => set.has(word[0]))?.[1] ?? null;
      stream.next();
      return null;
    },
    languageData: { commentTokens: comments, closeBrackets: { brackets: ["(", "[", "{"] } },
  });
}

const truth = [words("true false"), "bool"];

/** `//! bits = 4`. */
function directive(stream) {
  if (!stream.match("//!")) return undefined;
  stream.skipToEnd();
  return "meta";
}

const cControl = "if else while do for switch case default break continue goto return";
const cTypes = "void bool _Bool int signed unsigned char short long enum struct typedef const int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";

const cimple = ofWords("cimple", {
  kinds: [
    [words(`${cControl} skip atomic lock unlock`), "keyword"],
    [words(`${cTypes} thread decl`), "typeName"],
    [words("assert assume nondet error ERROR reach_error"), "macroName"],
    truth,
  ],
  first: directive,
});

// A backslash at a line's end goes on with the preprocessor's line.
function preprocessor(stream, state) {
  const goesOn = state.preprocessor && stream.sol();
  if (!goesOn && !(stream.sol() && stream.match(/^\s*#/, false))) return undefined;
  state.preprocessor = /\\$/.test(stream.string);
  const rest = stream.match(/^.+?(?=\/[/*])/) ?? stream.match(/^.+/);
  return rest ? "meta" : undefined;
}

const c = ofWords("c", {
  kinds: [
    [words(cControl), "keyword"],
    [words(`${cTypes} extern static volatile register inline union sizeof float double size_t pthread_t pthread_mutex_t`), "typeName"],
    [words("assert assume reach_error error ERROR __assert_fail exit abort __VERIFIER_assert __VERIFIER_assume __VERIFIER_error"), "macroName"],
    truth,
    [words("NULL"), "bool"],
  ],
  first(stream, state) {
    const line = preprocessor(stream, state) ?? directive(stream);
    if (line !== undefined) return line;
    if (stream.match(/^"(\\.|[^"\\])*"?/) || stream.match(/^'(\\.|[^'\\])*'?/)) return "string";
    if (stream.match("//@")) {
      stream.skipToEnd();
      return "meta";
    }
    return stream.match(/^__VERIFIER_nondet_\w+/) ? "macroName" : undefined;
  },
});

const java = ofWords("java", {
  kinds: [
    [words(`${cControl} try catch finally throw new instanceof this super import package throws extends implements`), "keyword"],
    [words("class interface enum record void boolean byte short char int long float double var String Object public private protected static final abstract native synchronized transient volatile"), "typeName"],
    [words("assert"), "macroName"],
    truth,
    [words("null"), "bool"],
  ],
  first(stream) {
    const line = directive(stream);
    if (line !== undefined) return line;
    if (stream.match(/^"(\\.|[^"\\])*"?/) || stream.match(/^'(\\.|[^'\\])*'?/)) return "string";
    return stream.match(/^@\w+/) ? "meta" : undefined;
  },
});

const bp = ofWords("bp", {
  kinds: [
    [words("if then else elsif fi while do od goto return skip begin end dead print start_thread end_thread atomic_begin atomic_end"), "keyword"],
    [words("void bool decl"), "typeName"],
    [words("assert assume constrain schoose enforce SLIC_ERROR error ERROR"), "macroName"],
    [words("T F"), "bool"],
  ],
  // {x==0} is one name.
  first: (stream) => (stream.match(/^\{[^{}]*\}/) ? null : undefined),
});

const rem = ofWords("rem", {
  kinds: [
    [words("if fi do od else break goto return skip fork init define DEFAULT_INT_BITS"), "keyword"],
    [words("module void bool int sgnint enum struct shared"), "typeName"],
    [words("assert undef error ERROR A E"), "macroName"],
    truth,
  ],
  first: (stream) => (stream.match(/^(-->|->|::)/) ? "keyword" : undefined),
});

const pds = ofWords("pds", {
  kinds: [
    [words("weights initial target atom"), "keyword"],
    [words("boolean minpath relation affine constants modulo"), "typeName"],
  ],
  comments: { line: "#" },
  // <state, symbol symbol>: the state stands out.
  first: (stream) => (stream.match(/^-+>/) ? "keyword" : stream.match(/^<\s*[^\s,>=]+(?=\s*[,>])/) ? "typeName" : undefined),
});

const json = ofWords("json", {
  kinds: [[words("true false null"), "bool"]],
  comments: {},
  first: (stream) => (stream.match(/^"(\\.|[^"\\])*"(?=\s*:)/) ? "typeName" : stream.match(/^"(\\.|[^"\\])*"?/) ? "string" : undefined),
});

/** By the extension of their files. */
export const languages = { cimple, c, java, bp, rem, pds, json };

export const highlight = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.typeName, class: "tok-type" },
  { tag: tags.macroName, class: "tok-check" },
  { tag: [tags.number, tags.bool, tags.string], class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.meta, class: "tok-meta" },
]);
