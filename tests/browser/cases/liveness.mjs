// Liveness: from a formula to a run that goes round for ever, links into it, mistakes, termination.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { product } from "../programs.mjs";

const read = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const examples = JSON.parse(read("index.json")).filter((example) => example.view === "liveness");
const words = { holds: /^Holds: every (fair )?run/, violated: /^Violated: some (fair )?run/ };

/** Opens the tab with a program. */
async function opened(page, program) {
  await page.open();
  await page.write(program);
  await page.chooseAnalysis("Liveness");
  return page.livenessAnswer();
}

/** Chooses from the menu; the file's text. */
async function exported(page, item) {
  await page.button("Export").click();
  const [download] = await Promise.all([page.page.waitForEvent("download"), page.page.getByRole("menuitem", { name: item }).click()]);
  return readFile(await download.path(), "utf8");
}

export const liveness = [
  [
    "a lecturer writes a formula, reads the table, and goes round the cycle",
    async (page) => {
      // Without a directive it is asked whether every run ends.
      const program = read("liveness-lock.c").replace(/^.*\n/, "");
      assert.match(await opened(page, program), /^Violated: some run never ends/);
      await page.button("Formula").click();
      assert.match(await page.askFormula("G (locked == 1 -> F locked == 0)"), /^Violated: some run does not satisfy the formula/);
      const cycle = (await page.cycleSteps()).map(Number);
      const last = await page.lastStep();
      assert.ok(cycle.length > 1, `${cycle}`);
      assert.equal(cycle.at(-1), last, "the cycle is the end of the timeline");
      assert.equal(await page.step(), cycle[0], "the run opens where its cycle begins");
      const { rows, from } = await page.truth();
      assert.equal(rows[0].formula, "G ((locked == 1) -> F (locked == 0))");
      assert.equal(rows[0].values[0], false, "the run violates it from the start on");
      const locked = rows.find((row) => row.formula === "locked == 1").values;
      assert.ok(locked.slice(from).every((value) => value), "the lock stays taken on the cycle");
      assert.ok(!locked[0], "at first it is free");
      await page.press("End");
      assert.equal(await page.step(), last);
      await page.press("ArrowRight");
      assert.equal(await page.step(), cycle[0], "behind the last step the cycle begins anew");
      await page.press("Home");
      const columns = page.page.locator(".truth thead button");
      await columns.first().click();
      assert.deepEqual([(await page.truth()).now, await page.step()], [0, 1]);
      await columns.nth((await page.truth()).from).click();
      const there = await page.truth();
      assert.equal(there.now, there.from);
      assert.equal(await page.step(), cycle[0]);
      const all = await page.litLines();
      assert.ok(all.includes(5), "an earlier request may have given the lock back");
      await page.button("Cycle only").click();
      const lit = await page.litLines();
      assert.ok(lit.length > 0 && lit.length < all.length, "the cycle is lit in the source");
      assert.ok((await page.boxes("lit").count()) > 0, "and in the picture");
      await page.button("Automaton").click();
      assert.ok((await page.page.locator(".formula-automaton .inner").count()) > 0, "some state accepts");
      assert.match(await page.page.locator(".formula-automaton li").first().textContent(), /^State 0, the start/);
    },
  ],
  [
    "what violating runs execute is lit, and of other lines it is said why they are not",
    async (page) => {
      const program = `//! ltl = F done
bool done;

void work() {
  while (*) {
    skip;
  }
  done = true;
}

void main() {
  work();
  if (!done) {
    skip;
  }
  skip;
}
`;
      assert.match(await opened(page, program), /^Violated: some run does not satisfy the formula/);
      // A run that leaves the loop satisfies it; behind it nothing is ever reached without it.
      assert.deepEqual(await page.litLines(), [5, 6, 12]);
      await page.line(8).click();
      await page.inspectorText("Runs pass this line, and none of them violates");
      await page.line(14).click();
      await page.inspectorText("No run reaches this line");
      const link = await page.share();
      await page.button("Cycle only").click();
      assert.deepEqual(await page.litLines(), [5, 6]);
      const other = await page.share();
      assert.notEqual(link, other);
      await page.forgetEverything();
      await page.openAddress(other);
      await page.livenessAnswer();
      assert.deepEqual(await page.litLines(), [5, 6], "a link holds what is lit");
    },
  ],
  [
    "only fair runs count: by the program's directive, by a button, and in a link",
    async (page) => {
      assert.match(await opened(page, read("liveness-resend.c")), /^Holds: every fair run ends/);
      const fair = page.button("Fair choices");
      assert.equal(await fair.getAttribute("aria-pressed"), "true");
      await fair.click();
      assert.match(await page.livenessAnswer(), /^Violated: some run never ends/);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.livenessAnswer(), /^Violated: some run never ends/);
      await fair.focus();
      await page.page.keyboard.press("Space");
      const told = await page.livenessAnswer();
      assert.match(told, /^Holds: every fair run ends/);
      assert.match(told, /a choice that is made again and again, such as `?\*`?, is made each way/);
    },
  ],
  [
    "playing goes round until it is stopped",
    async (page) => {
      await opened(page, read("liveness-lock.c"));
      const first = await page.step();
      await page.press("End");
      await page.press("Space");
      assert.equal(await page.step(), first);
      await page.button("Pause").waitFor();
      await page.press("Space");
      await page.button("Play").waitFor();
    },
  ],
  [
    "a link opens the question, the step and the automaton",
    async (page) => {
      await opened(page, read("liveness-server.c"));
      assert.match(await page.askFormula("F waiting == 1"), words.violated);
      await page.press("Home");
      await page.press("ArrowRight");
      const step = await page.step();
      await page.button("Automaton").click();
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.livenessAnswer(), words.violated);
      assert.equal(await page.formulaField().inputValue(), "F waiting == 1");
      assert.equal(await page.step(), step);
      assert.equal(await page.page.locator(".formula-automaton").count(), 1);
    },
  ],
  [
    "a mistake is marked in the formula, with what was expected, and its repair is answered",
    async (page) => {
      await opened(page, read("liveness-server.c"));
      assert.match(await page.askFormula("G (waiting -> F served)"), /The formula cannot be read[^]*There is no variable served/);
      const mistake = page.page.locator("#ltl-mistake");
      assert.equal(await mistake.locator("mark").innerText(), "served");
      assert.equal(await page.formulaField().getAttribute("aria-invalid"), "true");
      assert.match(await page.askFormula("G (waiting -> "), /The formula cannot be read[^]*Expected a condition, but the formula ends here/);
      await page.page.locator(".ltl-parts summary").click();
      const write = page.page.getByRole("group", { name: "Write into the formula" });
      await write.getByRole("button", { name: "F", exact: true }).click();
      await write.getByRole("button", { name: "urgent", exact: true }).click();
      assert.equal(await page.formulaField().inputValue(), "G (waiting -> F urgent");
      assert.equal(await mistake.count(), 0, "another text has another mistake, or none");
      await page.page.keyboard.type(")");
      await page.page.keyboard.press("Enter");
      assert.match(await page.livenessAnswer(), words.violated);
    },
  ],
  [
    "a pushdown system is asked by its atoms, and the rules of the cycle are lit",
    async (page) => {
      const program = read("plotter.pds");
      assert.match(await opened(page, program), words.holds);
      assert.equal(await page.formulaField().inputValue(), "G (up -> X !down)");
      assert.match(await page.askFormula("G F down"), words.violated);
      assert.ok((await page.cycleSteps()).length > 0);
      const lines = program.split("\n");
      for (const line of await page.litLines()) assert.match(lines[line - 1], /^<.*->/, "rules are lit");
      assert.ok((await page.litLines()).length > 0);
      assert.match(await page.askFormula("G F low"), /There is no atom low; the system's atoms are up, down/);
    },
  ],
  [
    "a person steps through the refinement of a program's formula to the unrolled cycle",
    async (page) => {
      await page.open();
      await page.write(read("liveness-lock.c"));
      await page.chooseAnalysis("Refinement");
      await page.refined();
      const choice = page.page.getByLabel("of the formula");
      await choice.check();
      assert.match(await page.refinementAnswer(), words.violated);
      await page.refined();
      const phases = await page.phases();
      const unrolled = phases.find((told) => /, DAG: the cycle cannot be executed a \d+\w\w time/.test(told));
      assert.ok(unrolled, phases.join("; "));
      const round = Number(unrolled.match(/^Round (\d+)/)[1]);
      await page.goToPhase(round, "DAG");
      assert.match(await page.inspectorText("This phase"), /The trace that is shown goes to the cycle and then round it/);
      const boxes = (await page.dagLabels()).length;
      assert.ok(boxes > 4, `${boxes} boxes`);
      await page.goToPhase(round, "interpolate");
      const told = (await page.dagLabels()).filter((label) => /locked/.test(label));
      assert.ok(told.length > 0, "interpolants speak of the program");
      const link = await page.share();
      await page.press("End");
      await page.settle();
      assert.match(await page.page.locator(".refinement-pane").innerText(), /The cycle can be executed for ever[^]*so no trace is drawn/);
      await page.forgetEverything();
      await page.openAddress(link);
      await page.refined();
      assert.deepEqual([await choice.isChecked(), (await page.phase()).round], [true, round]);
      await choice.uncheck();
      await page.refined();
      assert.match(await page.refinementAnswer(), /^Nothing to check/, "its assertions are another question");
    },
  ],
  [
    "a recursion without an end shows what each round leaves on the stack",
    async (page) => {
      const told = await opened(page, read("liveness-recursion.c"));
      assert.match(told, /^Violated: some run never ends/);
      const inspector = page.page.locator(".liveness-inspector");
      assert.match(await inspector.innerText(), /The stack grows by 3 calls in each round/);
      assert.equal(await inspector.locator(".growing .newest").count(), 3);
      assert.equal(await page.page.locator(".truth").count(), 0, "there is no formula");
    },
  ],
  [
    "the automaton is exported as a picture, the answer as JSON",
    async (page) => {
      await opened(page, read("liveness-lock.c"));
      await page.button("Automaton").click();
      const svg = await exported(page, /SVG/);
      assert.equal((svg.match(/class="ring"/g) ?? []).length, 2);
      assert.match(svg, /<style>[^<]*\.ring/);
      const report = JSON.parse(await exported(page, /JSON/));
      assert.deepEqual([report.analysis, report.verdict, report.lasso.ends], ["ltl", "violated", "cycle"]);
    },
  ],
  [
    "every example of the topic answers as the gallery promises",
    async (page) => {
      await page.open();
      for (const { title, verdict } of examples) {
        await page.openGallery();
        await page.choose(title);
        assert.equal(await page.analysis(), "Liveness", title);
        assert.match(await page.livenessAnswer(), words[verdict], title);
      }
    },
  ],
  [
    "a long search is stopped, and can be asked for again",
    async (page) => {
      await page.open();
      await page.write(product);
      await page.chooseAnalysis("Liveness");
      await page.page.locator('.verdict[data-tab="liveness"].running').waitFor();
      await page.stop();
      await page.waitUntilIdle();
      // A worker that does not answer in time is replaced.
      const verdict = page.page.locator('.verdict[data-tab="liveness"]');
      assert.match(await verdict.innerText(), /^(No answer|It was stopped)/);
      await verdict.getByRole("button", { name: /^(Ask|Go on)/ }).click();
      await page.page.locator('.verdict[data-tab="liveness"].running').waitFor();
      await page.stop();
      await page.waitUntilIdle();
    },
  ],
  [
    "an edit makes the answer stale, and other programs have their own question",
    async (page) => {
      assert.match(await opened(page, read("liveness-lock.c")), words.violated);
      await page.write(read("liveness-euclid.c"));
      assert.match(await page.livenessAnswer(), /^Holds: every run ends/);
      await page.write("//! globals = zero\nbool a;\nvoid main() { a = true; }\nthread other { a = false; }\n");
      assert.match(await page.livenessAnswer(), /No answer[^]*about programs without threads/);
    },
  ],
];
