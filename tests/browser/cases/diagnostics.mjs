// Bad input: a clear message at its place, never a crash, nothing lost.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

/** What is wrong, the program, the line of the message, what it says. */
const bad = [
  ["unbalanced braces", "void main() {\n  if (*) {\n    skip;\n}\n", null, /[{}]|brace|end of/i],
  ["an unknown name", "void main() {\n  y = 1;\n}\n", 2, /y/],
  ["a wrong type", "bool a[3];\nvoid main() {\n  int x = a;\n}\n", 3, /array|type|\ba\b/i],
  ["a constant that does not fit", "void main() {\n  int x = 100;\n}\n", 2, /100|fit|bits/i],
  ["a width of zero", "//! bits = 0\nvoid main() { skip; }\n", 1, /bits|width|1 to 32/i],
  ["a width of 99", "//! bits = 99\nvoid main() { skip; }\n", 1, /bits|width|1 to 32/i],
  ["deep nesting", `void main() {\n  int x = ${"(".repeat(400)}1${")".repeat(400)};\n}\n`, 2, /deep|nest/i],
  ["no program at all", "hello, world\n", 1, /\S/],
];

/** As deep as is accepted; each fails at its last line. */
const deep = [
  ["parentheses", `void main() {\n  int x = ${"(".repeat(240)}1${")".repeat(240)};\n  assert(x != 1);\n}\n`],
  ["a long sum", `void main() {\n  int x = 0;\n  x = x${" + x".repeat(480)};\n  assert(x != 0);\n}\n`],
  ["conditions in conditions", `void main() {\n  int x = 1;\n  ${"if (x == 1) ".repeat(240)}x = 2;\n  assert(x != 2);\n}\n`],
  ["blocks", `void main() {\n  int x = 1;\n  ${"{ ".repeat(240)}x = 2;${" }".repeat(240)}\n  assert(x != 2);\n}\n`],
  ["choices in choices", `void main() {\n  int x = 1;\n  x = ${"x == 2 ? 3 : ".repeat(240)}5;\n  assert(x != 5);\n}\n`],
  ["conjunctions", `void main() {\n  int x = 1;\n  assert(!(x == 1${" && x != 2".repeat(400)}));\n}\n`],
];

/**
 * `more` Boolean elements beside 20,480, all passing through calls: three decision levels for each.
 */
const wide = (more) => `//! bits = 16
bool a[4096];
bool b[${more}];
bool c[4096], d[4096], e[4096], f[4096];
void g() {
  a[0] = !a[0];
  a[4095] = a[0];
}
void main() {
  g();
  b[0] = a[1];
  assert(a[4095] != a[0] || b[0]);
}
`;

export const diagnostics = [
  [
    "the editor's marks are fetched with the first mistake",
    async (page) => {
      const asked = [];
      page.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      const marks = () => asked.filter((path) => /\/lint-[0-9a-f]{16}\.js$/.test(path)).length;
      await page.open();
      await page.write("void main() { assert(1); }\n");
      await page.run();
      await page.verdict();
      assert.equal(marks(), 0);
      await page.write("void main() { y = 1; }\n");
      await page.page.locator(".cm-lintRange-error").waitFor();
      await page.page.locator(".cm-lint-marker-error").waitFor();
      assert.equal(marks(), 1);
    },
  ],
  [
    "a program with nearly as many bits as there are decision levels is answered",
    async (page) => {
      await page.open();
      await page.write(wide(1300));
      await page.run();
      assert.match(await page.verdict(), /can fail.*line 12/i);
    },
  ],
  [
    "a program with more bits than that ends in a limit with a name",
    async (page) => {
      await page.open();
      // It never fails, and it has many runs: executing some of them is no answer.
      const safe = wide(2000).replace("a[4095] != a[0] || b[0]", "a[4095] == a[0]");
      await page.write(safe);
      await page.run();
      assert.match(await page.verdict(), /no answer/i);
      assert.equal(await page.program(), safe);
    },
  ],
  ...deep.map(([what, program]) => [
    `${what}, as deep as is accepted, are answered`,
    async (page) => {
      await page.open();
      await page.write(program);
      await page.run();
      assert.match(await page.verdict(), /can fail.*line/i);
    },
  ]),
  ...bad.map(([what, program, line, message]) => [
    `${what} gets a message at its place`,
    async (page) => {
      await page.open();
      await page.write(program);
      await page.run();
      const found = await page.diagnostics();
      assert.ok(
        found.some((text) => message.test(text)),
        `${message} in ${JSON.stringify(found)}`,
      );
      assert.ok((await page.gutterMarks()) > 0, "a mark in the gutter");
      if (line) assert.ok((await page.diagnosticLines()).includes(line), `at line ${line}`);
      // The editor draws only a part of a very long line.
      if (program.length < 2000) assert.equal(await page.program(), program);
      assert.ok((await page.storedProgram()).includes(JSON.stringify(program).slice(1, -1)), "nothing is lost");
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      assert.equal(await page.gutterMarks(), 0, "the marks are gone");
    },
  ]),
  [
    "a pointer is C's, unless somebody chose Cimple: there it gets a message at its place",
    async (page) => {
      await page.open();
      await page.write("int x; bool b;\nvoid main() {\n  int *p = &x;\n}\n");
      await page.run();
      assert.match(await page.verdict(), /^Nothing to check/);
      await page.chooseLanguage("cimple");
      await page.run();
      assert.match((await page.diagnostics()).join("\n"), /pointer/i);
      assert.ok((await page.diagnosticLines()).every((line) => line === 3));
    },
  ],
  [
    "several mistakes are shown at once, and a click on one leads to its line",
    async (page) => {
      await page.open();
      await page.write("void main() {\n  a = 1;\n  b = 2;\n  c = 3;\n}\n");
      await page.run();
      const found = await page.diagnostics();
      assert.equal(found.length, 3, JSON.stringify(found));
      assert.deepEqual(await page.diagnosticLines(), [2, 3, 4]);
      await page.diagnosticItems().nth(2).click();
      assert.deepEqual(await page.selectedLines(), [4]);
    },
  ],
  [
    "the headline names what is not modelled, once, with the number of its places",
    async (page) => {
      await page.open();
      await page.write('#include <locale.h>\nint main(void) {\n  setlocale(1, "a");\n  setlocale(2, "b"); setlocale(3, "c");\n  return 0;\n}\n');
      await page.run();
      assert.match(await page.verdictOrDiagnostic(), /^Faultline does not model setlocale yet/);
      const found = await page.diagnostics();
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(found[0], /line 3.*and in 2 more places/s);
    },
  ],
  [
    "a button writes what is mechanical, and the program runs",
    async (page) => {
      await page.open();
      await page.write("#include <assert.h>\nint main(void) {\n  int x = 1\n  assert(x == 2);\n  return 0;\n}\n");
      await page.run();
      await page.diagnostics();
      await page.page.getByRole("button", { name: "Write ;" }).click();
      assert.match(await page.verdict(), /can fail.*line 4/i);
      assert.match(await page.program(), /int x = 1;/);
    },
  ],
  [
    "a width outside 1 to 32 cannot be asked for",
    async (page) => {
      await page.open();
      await page.write(failing);
      for (const bits of [0, 99]) {
        await page.setBits(bits);
        await page.run();
        const said = await page.verdictOrDiagnostic();
        assert.match(said, /can fail|1 to 32|bits/i);
        assert.doesNotMatch(said, /99-bit|\b0-bit/);
      }
    },
  ],
];
