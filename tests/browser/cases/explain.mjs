// Explanations: levels of detail, causes, the run beside a correct one, focus sequences, repairs,
// links, keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const read = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const examples = JSON.parse(read("index.json")).filter((example) => example.view === "explain");
const named = (file) => examples.find((example) => example.file === file);

async function opened(page, file) {
  await page.open();
  await page.openGallery();
  await page.choose(named(file).title);
  await page.explained();
  assert.equal(await page.analysis(), "Explain");
}

export const explaining = [
  [
    "explain: Fig. 1 of the localization paper, two failing runs with independent causes",
    async (page) => {
      await opened(page, "explain-localize-1.cimple");
      assert.deepEqual(await page.failingRuns(), ["line 4", "line 8"]);
      assert.deepEqual(await page.blamed(), [4]);
      assert.deepEqual(await page.linesWith("fl-cause"), [4]);
      assert.match(await page.inspectorText("The slice keeps"), /loses line 4/);
      const rows = await page.runRows();
      const apart = rows.findIndex((row) => row.heading === "here they part");
      assert.ok(apart > 0 && rows.slice(0, apart).every((row) => row.failing === row.correct), "the same up to there");
      assert.deepEqual([rows[apart + 1].failing, rows[apart + 1].correct], ["if (*): false", "if (*): true"]);
      assert.ok(rows.some((row) => row.failing === "skip" && row.marks.includes("cause")));
      assert.deepEqual(rows.at(-1).marks, ["fails here", "passes"]);

      await page.chooseFailingRun(2);
      assert.deepEqual(await page.blamed(), [8]);
      assert.deepEqual(await page.levelStep(), { name: "Failing run", step: 10, count: 10 });
      assert.deepEqual(await page.litLines(), [1, 2, 3, 5, 6, 8, 9]);
      assert.deepEqual(await page.failingLines(), [9]);
      await page.press("[");
      assert.deepEqual(await page.blamed(), [4]);
    },
  ],
  [
    "explain: Fig. 8, no cause by edges, the suffix by transitions",
    async (page) => {
      await opened(page, "explain-localize-8.cimple");
      assert.deepEqual(await page.blamed(), [3, 4]);
      assert.deepEqual(await page.linesWith("fl-cause"), [3, 4], "nothing of the callee");
      await page.blameBy("by edges");
      assert.deepEqual(await page.blamed(), []);
      assert.match(await page.inspectorText("coincidental correctness"), /goes wrong by values alone/);
      assert.deepEqual(await page.linesWith("fl-cause"), []);
    },
  ],
  [
    "explain: Fig. 1 of the focus paper, sequences in rank order, stepped through",
    async (page) => {
      await opened(page, "explain-focus-1.cimple");
      const found = await page.sequences();
      assert.deepEqual(found.map((sequence) => sequence.rank), [1, 2, 3, 4]);
      assert.deepEqual(found[0].lines, [4, 5, 6, 11, 12, 18, 20]);
      assert.deepEqual(found[1].lines, [4, 5, 6, 7, 8, 9, 11, 14, 15, 16]);
      assert.deepEqual(found.slice(0, 3).map((sequence) => sequence.assumptions), [["gotlock == 1"], ["gotlock != 0"], ["gotlock == 0"]]);
      assert.deepEqual(await page.litLines(), found[0].lines);
      assert.deepEqual(await page.levelStep(), { name: "Focus sequence", step: 4, count: 7 });

      await page.press("Home");
      const seen = [await page.currentLine()];
      for (let i = 1; i < 7; i++) {
        await page.press("ArrowRight");
        seen.push(await page.currentLine());
      }
      assert.deepEqual(seen, found[0].lines, "statement by statement, selected in the source");

      await page.chooseSequence(2);
      assert.deepEqual(await page.levelStep(), { name: "Focus sequence", step: 14, count: 14 });
      assert.deepEqual(await page.litLines(), [...new Set(found[1].lines)].sort((a, b) => a - b));
    },
  ],
  [
    "explain: Fig. 9 of the focus paper, the run with the advisory beside one that ends without it",
    async (page) => {
      await opened(page, "explain-focus-9.cimple");
      await page.chooseLevel(/Failing run/);
      await page.showRuns();
      const rows = await page.runRows();
      assert.ok(rows.some((row) => row.failing && row.correct && !row.apart), "some steps in common");
      assert.equal(rows.filter((row) => row.heading === "here they part").length, 1);
      assert.deepEqual(rows.flatMap((row) => row.marks).filter((mark) => mark !== "cause").sort(), ["fails here", "passes"]);
      assert.ok(rows.every((row) => row.correct !== "altSep = UPWARD_RA"), "no such advisory");
    },
  ],
  [
    "explain: the levels zoom from the program to the NEST, by keys and by clicks",
    async (page) => {
      await opened(page, "explain-focus-2.cimple");
      assert.equal(await page.level(), "NEST");
      assert.deepEqual(await page.litLines(), [6]);
      await page.press("3");
      assert.equal(await page.level(), "Focus sequence");
      assert.deepEqual(await page.litLines(), [3, 6, 7, 8, 9]);
      await page.press("2");
      assert.equal(await page.level(), "Failing run");
      assert.deepEqual(await page.litLines(), [2, 3, 4, 5, 6, 7, 8, 9]);
      await page.press("1");
      assert.equal(await page.level(), "Program");
      assert.deepEqual([await page.litLines(), await page.dimLines()], [[], []], "nothing recedes");
      await page.chooseLevel(/NEST/);
      assert.ok((await page.boxes("dim").count()) > (await page.boxes("lit").count()), "the picture follows");
      await page.page.locator(".level.on").focus();
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.level(), "Focus sequence", "as a group of radio buttons");
      assert.equal(await page.page.evaluate(() => document.activeElement.dataset.level), "Focus sequence");
    },
  ],
  [
    "explain: an infeasible sequence of Fig. 4, and what the inputs of Fig. 7 filter",
    async (page) => {
      await opened(page, "explain-focus-4.cimple");
      const found = await page.sequences();
      assert.deepEqual(found[0].lines, [16, 18, 26, 38, 40]);
      assert.deepEqual(found[0].assumptions, ["new == old"]);
      assert.deepEqual(found.map((sequence) => sequence.feasible), [true, false]);

      await opened(page, "explain-focus-7.cimple");
      const [first] = await page.sequences();
      assert.deepEqual(first.nest, [13, 14, 15]);
      assert.equal(first.assumptions.length + first.deleted.length, 7);
      await page.toggleInput("a1");
      await page.toggleInput("a2");
      const [filtered] = await page.sequences();
      assert.deepEqual([...filtered.assumptions, ...filtered.deleted], ["a1 > a2"]);
      await page.toggleInput("all inputs");
      assert.equal((await page.sequences())[0].assumptions.length, first.assumptions.length);
    },
  ],
  [
    "explain: a suggested repair is applied, the check runs again, and undo takes it back",
    async (page) => {
      await opened(page, "explain-localize-1.cimple");
      const before = await page.program();
      const [repair] = await page.repairs();
      assert.ok(repair, "a repair is offered");
      assert.match(repair.claim, /no run fails/);
      await page.applyRepair();
      const after = await page.once(
        () => page.program(),
        (program) => program !== before,
      );
      const line = after.split("\n")[repair.line - 1];
      assert.ok(line.includes(repair.inserted), `${line} has ${repair.inserted}`);
      assert.notEqual(after, before);
      if (/with this edit no run fails, /.test(repair.claim)) assert.match(await page.verdict(), /safe/i);
      await page.editor().click();
      await page.page.keyboard.press("Control+z");
      assert.equal(await page.programOnce(before), before, "one undo");
    },
  ],
  [
    "explain: suspicious statements by small changes, counted, and one click or key away",
    async (page) => {
      await page.open();
      await page.write("int x;\nint y;\nvoid main() {\n  x = nondet();\n  y = 0;\n  if (x > 3) {\n    y = 1;\n  }\n  assert(y == (x >= 3));\n}\n");
      await page.verdict();
      await page.chooseAnalysis("Explain");
      await page.explained();
      const found = await page.suspects();
      assert.deepEqual([found[0].line, found[0].statement, found[0].shares], [6, "if (x > 3)", [100, 100]]);
      const counts = /^With x >= 3 instead of x > 3, the failing run passes, and (\d+) of \1 known passing runs still do\.$/;
      assert.match(found[0].sentence, counts);
      assert.ok(found.slice(1).every(({ shares }) => shares[0] + shares[1] <= 200));
      assert.match(await page.inspectorText("nothing is proved"), /Suspicious statements/i);
      const section = page.page.getByRole("region", { name: "Suspicious statements" });
      await section.getByRole("button", { name: "line 6" }).first().click();
      assert.deepEqual(await page.selectedLines(), [6]);
      if (found.length > 1) {
        await section.getByRole("button", { name: `line ${found[1].line}` }).first().focus();
        await page.page.keyboard.press("Enter");
        assert.deepEqual(await page.selectedLines(), [found[1].line]);
      }
    },
  ],
  [
    "explain: a link restores run, level, sequence and step",
    async (page) => {
      await opened(page, "explain-focus-7-two.cimple");
      await page.chooseSequence(2);
      await page.press("Home");
      await page.press("ArrowRight");
      await page.showRuns();
      const [step, line, link] = [await page.levelStep(), await page.currentLine(), await page.share()];
      assert.deepEqual(step, { name: "Focus sequence", step: 2, count: 12 });

      await page.forgetEverything();
      await page.openAddress(link);
      await page.explained();
      assert.equal(await page.analysis(), "Explain");
      assert.deepEqual(await page.levelStep(), step);
      assert.equal(await page.currentLine(), line);
      assert.ok(await page.page.locator(".aligned").isVisible(), "the runs, and not the graph");
    },
  ],
  [
    "explain: a safe program and a pushdown system are answered kindly",
    async (page) => {
      await page.open();
      await page.write("int x = 1;\nvoid main() {\n  assert(x == 1);\n}\n");
      await page.verdict();
      await page.chooseAnalysis("Explain");
      await page.page.locator(".explain-pane", { hasText: "No run of this program fails" }).waitFor();
      await page.openGallery();
      await page.choose(JSON.parse(read("index.json")).find((example) => example.file === "counter.pds").title);
      await page.chooseAnalysis("Explain");
      await page.page.locator(".explain-pane", { hasText: "a raw pushdown system has neither" }).waitFor();
    },
  ],
  [
    "explain: the figures, one after another: each opens on the step that shows it",
    async (page) => {
      const words = { program: "Program", run: "Failing run", focus: "Focus sequence", nest: "NEST" };
      await page.open();
      for (const { file, title, explain } of examples) {
        await page.openGallery();
        await page.choose(title);
        await page.explained();
        assert.equal(await page.level(), words[explain.level], file);
        if (explain.step !== undefined) assert.equal((await page.levelStep()).step, explain.step + 1, file);
      }
    },
  ],
];
