// Programs in several languages: guessed, shown, changed; never lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { failing } from "../programs.mjs";

const undo = readFileSync(new URL("../../../static/examples/undo.pds", import.meta.url), "utf8");

const boolean = "decl g;\nvoid main() begin\n  g := T;\n  if (g) then skip; fi\n  assert(!g); // never\nend\n";

/** What the control says, a program, and some of what is highlighted in it. */
const samples = [
  ["Cimple, guessed", "//! bits = 5\nvoid main() { int x = 3; assert(x == 3); }\n", { meta: "//! bits = 5", type: "void", check: "assert", number: "3" }],
  [
    "C, guessed",
    "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) { /* a\n b */ char c = 'x'; while (c) c--; return 0; }\n",
    { meta: "#include <assert.h>", type: "extern", check: "__VERIFIER_nondet_int", keyword: "while", number: "'x'", comment: " b */" },
  ],
  ["Boolean program, guessed", boolean, { keyword: "begin", type: "decl", check: "assert", number: "T", comment: "// never" }],
  ["Remopla, guessed", "bool g;\nmodule void main() { do :: g -> g = false; :: else -> break; od; }\n", { keyword: "->", type: "module", number: "false" }],
  ["Pushdown system, guessed", "# two rules\n<p, a> -> <q, b a>\n<q, b> -> <q>\ninitial <p, a>\ntarget <q, a>\n", { comment: "# two rules", type: "<p", keyword: "initial" }],
  [
    "Pushdown system (JSON), guessed",
    '[{"state-names": true, "weight-type": "none"}, {"states": {"p": {}}},\n {"accepting": [4], "edges": []}, {"accepting": [4], "edges": []}]\n',
    { type: '"state-names"', number: '"none"' },
  ],
];

export const languages = [
  [
    "a program in C that includes nothing is read as C, with integers of 32 bits",
    async (page) => {
      await page.open();
      await page.write("int main() {\n  int i, s = 0;\n  for (i = 1; i <= 100; i++)\n    s += i;\n  assert(s > 0);\n  return 0;\n}\n");
      await page.run();
      assert.match(await page.verdict(), /Safe: no run fails/);
      assert.match(await page.page.locator(".verdict").innerText(), /32-bit int/);
      assert.equal(await page.language(), "C, guessed");
    },
  ],
  [
    "a program in a language that is not read is told by that language's name",
    async (page) => {
      await page.open();
      await page.write("#include <iostream>\nint main() { int x; std::cin >> x; return 0; }\n");
      await page.page.getByText("This looks like C++, which Faultline does not read").first().waitFor();
    },
  ],
  [
    "each language is guessed, said, and highlighted",
    async (page) => {
      await page.open();
      for (const [said, program, words] of samples) {
        await page.write(program);
        await page.page.waitForFunction((said) => document.querySelector(".dialect select").selectedOptions[0].textContent === said, said);
        for (const [kind, text] of Object.entries(words)) {
          const found = await page.once(() => page.highlighted(kind), (found) => found.join("").includes(text));
          // A diagnostic underlines a part of a word.
          assert.ok(found.join("").includes(text), `${said}: ${kind} ${text} in ${JSON.stringify(found)}`);
        }
        assert.equal(await page.program(), program);
      }
    },
  ],
  [
    "another language can be chosen; text, history and the way back stay",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// more");
      const edited = await page.program();
      assert.equal(await page.language(), "Cimple, guessed");
      await page.chooseLanguage("pds");
      assert.equal(await page.language(), "Pushdown system");
      assert.ok((await page.diagnostics()).length > 0, "it is no pushdown system");
      assert.equal(await page.program(), edited);
      await page.editor().click();
      await page.page.keyboard.press("Control+z");
      assert.equal(await page.program(), failing);
      await page.chooseLanguage("");
      assert.equal(await page.language(), "Cimple, guessed");
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
    },
  ],
  [
    "a chosen language goes into links, survives a reload, and goes with the program",
    async (page) => {
      await page.open();
      await page.write(undo);
      await page.chooseLanguage("pds");
      await page.run();
      assert.match(await page.verdict(), /^reachable/i);
      await page.reload();
      assert.equal(await page.language(), "Pushdown system");
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.verdict(), /^reachable/i);
      assert.equal(await page.language(), "Pushdown system");
      await page.write(failing);
      assert.equal(await page.language(), "Cimple, guessed");
    },
  ],
  [
    "an emptied editor guesses again, and undo brings the language back",
    async (page) => {
      await page.open();
      await page.write(undo);
      await page.chooseLanguage("pds");
      await page.editor().click();
      await page.page.keyboard.press("Control+a");
      await page.page.keyboard.press("Delete");
      assert.equal(await page.language(), "Any language");
      await page.page.keyboard.press("Control+z");
      assert.equal(await page.program(), undo);
      assert.equal(await page.language(), "Pushdown system");
    },
  ],
  [
    "a pushdown system speaks of targets and rules, not of failing statements",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("Undo past the save");
      assert.match(await page.verdict(), /^Reachable/);
      assert.match(await page.holdsFor(), /<clean, typed start> is reached.*any height/);
      assert.match(await page.howItWasFound(), /Decided by post\* of the initial/);
      const text = await page.page.locator("body").innerText();
      assert.doesNotMatch(text, /failing run|innocent|-bit integers|uninitialised/);
      await page.press("Home");
      await page.press("ArrowRight");
      assert.match(await page.position(), /Step 2 of 5.*<changed, typed start>/s);
      assert.match(await page.inspectorText("stack"), /typed start/);
      await page.withOptions((panel) => panel.getByLabel("Decided by").selectOption("both"));
      assert.match(await page.verdict(), /^Reachable/);
      assert.match(await page.howItWasFound(), /post\* and pre\* in turn/);
    },
  ],
  [
    "the options are those that the language has",
    async (page) => {
      await page.open();
      const offered = async (program) => {
        await page.write(program);
        let labels;
        await page.settle();
        await page.sleep(400);
        await page.withOptions(async (panel) => (labels = await panel.innerText()));
        return labels;
      };
      assert.match(await offered(failing), /Width of int[\s\S]*globals[\s\S]*division/);
      const ofBoolean = await offered(boolean);
      assert.match(ofBoolean, /label/);
      assert.doesNotMatch(ofBoolean, /Width of int|globals|division/);
      assert.match(await offered("#include <assert.h>\nint main(void) { return 0; }\n"), /Width of int[\s\S]*Macros/);
    },
  ],
  [
    "another width is one click away from the answer",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      assert.match(await page.holdsFor(), /4-bit integers/);
      await page.tryBits(8);
      await page.page.locator(".verdict.unsafe").waitFor();
      assert.match(await page.holdsFor(), /8-bit integers/);
      assert.equal(await page.page.getByRole("button", { name: "Try 8 bits" }).count(), 0);
      await page.tryBits(4);
      await page.page.locator(".verdict.unsafe").waitFor();
      assert.match(await page.holdsFor(), /4-bit integers/);
    },
  ],
];
