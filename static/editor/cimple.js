// A highlighter for Cimple: words, numbers, comments, directives. It knows no grammar; the engine's diagnostics do.
import { HighlightStyle, StreamLanguage } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const control = new Set("if else while do for switch case default break continue goto return skip atomic lock unlock".split(" "));
const types = new Set("void bool _Bool int signed unsigned char short long enum struct typedef const thread decl".split(" "));
const checks = new Set(["assert", "assume", "nondet", "error", "ERROR", "reach_error"]);

export const cimple = StreamLanguage.define({
  name: "cimple",
  startState: () => ({ comment: false }),
  token(stream, state) {
    if (state.comment) {
      if (stream.match(/.*?\*\//)) state.comment = false;
      else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//!")) {
      stream.skipToEnd();
      return "meta";
    }
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    if (stream.match("/*")) {
      state.comment = true;
      return "comment";
    }
    if (stream.match(/^(0[xX][0-9a-fA-F]+|\d+)[uUlL]*/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) {
      const text = word[0];
      if (control.has(text)) return "keyword";
      if (types.has(text) || /^u?int\d+_t$/.test(text)) return "typeName";
      if (checks.has(text)) return "macroName";
      if (text === "true" || text === "false") return "bool";
      return null;
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "//", block: { open: "/*", close: "*/" } }, closeBrackets: { brackets: ["(", "[", "{"] } },
});

export const cimpleHighlight = HighlightStyle.define([
  { tag: tags.keyword, class: "tok-keyword" },
  { tag: tags.typeName, class: "tok-type" },
  { tag: tags.macroName, class: "tok-check" },
  { tag: [tags.number, tags.bool], class: "tok-number" },
  { tag: tags.comment, class: "tok-comment" },
  { tag: tags.meta, class: "tok-meta" },
]);
