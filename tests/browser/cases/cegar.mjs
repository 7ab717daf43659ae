// The refinement loop: rounds and phases, the DAG, interpolants, heuristics beside each other, links into a round.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const read = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const examples = JSON.parse(read("index.json")).filter((example) => example.view === "refinement");
const named = (file) => examples.find((example) => example.file === file);
/** g = 0 leaves the loop with j = -1. */
const failing = read("refine-loop.cimple").replace("bits = 16", "bits = 3").replace("i != g)", "i <= g)");
/** The product takes minutes: nothing but Stop ends it soon. */
const endless = `//! bits = 24
int a, b, c;
void main() {
  c = a * b;
  if (c * c == a + 7 && a * c == b + 5) { error: skip; }
}
`;

async function opened(page, file) {
  await page.open();
  await page.openGallery();
  await page.choose(named(file).title);
  await page.refined();
  assert.equal(await page.analysis(), "Refinement");
}

export const cegar = [
  [
    "Fig. 4.7: the weakest interpolants, read off the DAG's nodes",
    async (page) => {
      await opened(page, "refine-traces.cimple");
      assert.deepEqual(await page.phase(), { round: 1, rounds: 4, phase: "interpolate" });
      // The example opens on the place before X = X + Y.
      assert.equal((await page.interpolants()).weakest, "X + Y even");
      // Text at a place, and what must not hold there: Fig. 4.7's column.
      for (const [place, weakest] of [["6: ", /^\(a ≠ 0 ∧ Y odd\) ∨ X even$/], ["7: ", /^X even$/], ["9: ", /^X even ∨ Y odd$/]]) {
        await page.selectNode(place);
        const all = await page.interpolants();
        assert.deepEqual(Object.keys(all), ["strongest", "chosen", "weakest"], "in the order of implication");
        assert.match(all.weakest, weakest, place);
        assert.equal(all.chosen, all.weakest);
        assert.match(all.strongest, /X even/);
      }
      assert.match(await page.inspectorText("On "), /On \d of 2 traces/);
      assert.ok((await page.dagLabels()).includes("error: false"));
    },
  ],
  [
    "a refinement steps through rounds and phases, forward and back",
    async (page) => {
      await opened(page, "refine-traces.cimple");
      const phases = await page.phases();
      await page.press("Home");
      assert.deepEqual(await page.phase(), { round: 1, rounds: 4, phase: "abstract" });
      const seen = [await page.phase()];
      for (let i = 1; i < phases.length; i++) {
        await page.press("ArrowRight");
        seen.push(await page.phase());
      }
      assert.deepEqual(
        seen.map(({ round, phase }) => `${round} ${phase}`),
        phases.map((label) => label.replace(/Round (\d+), (\w+):.*/, "$1 $2")),
      );
      for (const phase of ["abstract", "check", "DAG", "interpolate", "verify", "refine"]) {
        assert.ok(seen.some((step) => step.round === 1 && step.phase === phase), phase);
      }
      assert.deepEqual(seen.at(-1), { round: 4, rounds: 4, phase: "prove" });
      assert.match(await page.inspectorText("How it ends"), /invariant over the predicates was proved/);
      await page.press("ArrowLeft");
      assert.deepEqual(await page.phase(), seen.at(-2));
      await page.goToPhase(2, "DAG");
      assert.ok((await page.dagLabels()).every((label) => !label.includes("even")), "no interpolants before they are computed");
      await page.press("ArrowRight");
      assert.ok((await page.dagLabels()).some((label) => label.includes("even")));
      await page.goToPhase(1, "refine");
      assert.match(await page.inspectorText("What this round excludes"), /2 traces, by \d+ new predicates/);
    },
  ],
  [
    "Fig. 5.7: the runs of foo have a frame of their own, and both columns of interpolants",
    async (page) => {
      await opened(page, "refine-call.cimple");
      assert.match(await page.refinementAnswer(), /Safe[^]*1 refinement/);
      assert.deepEqual(await page.page.locator(".refinement-pane .cluster text").allTextContents(), ["counterexamples", "foo, called and returned from"]);
      const column = {};
      for (const place of ["5: ", "8: ", "6: ", "call 14: "]) {
        await page.selectNode(place);
        column[place] = await page.interpolants();
      }
      assert.equal(column["8: "].strongest, "P odd ∧ G = G at entry ∧ P = P at entry");
      assert.equal(column["8: "].weakest, "P at entry odd");
      assert.equal(column["6: "].weakest, "true");
      assert.equal(column["call 14: "].weakest, "P of foo even");
      assert.equal(column["5: "].weakest, "P even ∨ P at entry odd");
    },
  ],
  [
    "two heuristics compared: the strongest need 2^n refinements where the weakest need two",
    async (page) => {
      await page.open();
      await page.write(read("refine-loop.cimple").replace("bits = 16", "bits = 3"));
      await page.verdict();
      await page.chooseAnalysis("Refinement");
      assert.match(await page.refinementAnswer(), /Safe/);
      const rows = await page.compareHeuristics();
      assert.deepEqual(Object.keys(rows), ["strongest", "weakest", "both", "conciliated", "skip", "skip-conciliated"]);
      assert.deepEqual([rows.weakest[0], rows.weakest[1], rows.weakest[3]], ["safe", "2", "1"], "Fig. 6.3: two cycles, one predicate");
      assert.deepEqual([rows.strongest[0], rows.strongest[1], rows.strongest[3]], ["safe", "8", "8"], "2^n of each");
      assert.deepEqual([rows.both[0], rows.both[1], rows.both[3]], ["safe", "2", "3"]);
      await page.chooseInterpolants("strongest");
      assert.match(await page.refinementAnswer(), /8 refinements, at most 8 predicates/);
    },
  ],
  [
    "a link into round 2 opens on its phase and its node",
    async (page) => {
      await opened(page, "refine-traces.cimple");
      await page.goToPhase(2, "interpolate");
      await page.selectNode("9: ");
      const [node, interpolants] = [await page.selectedNode(), await page.interpolants()];
      const link = await page.share();

      await page.forgetEverything();
      await page.openAddress(link);
      await page.refined();
      assert.equal(await page.analysis(), "Refinement");
      assert.deepEqual(await page.phase(), { round: 2, rounds: 4, phase: "interpolate" });
      assert.equal(await page.selectedNode(), node);
      assert.deepEqual(await page.interpolants(), interpolants);
    },
  ],
  [
    "a program that fails ends with a run that was executed",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.chooseAnalysis("Refinement");
      assert.match(await page.refinementAnswer(), /Can fail/);
      await page.press("End");
      const text = await page.inspectorText("A failing run, executed by the interpreter");
      assert.match(text, /g = /);
    },
  ],
  [
    "the abstract program stands beside the concrete one",
    async (page) => {
      await opened(page, "refine-call.cimple");
      await page.press("End");
      const row = page.page.locator('.abstract-program tr[data-line="13"]').first();
      await row.waitFor();
      assert.match(await row.innerText(), /L = L \* \(L \+ 1\)/);
      const pivot = page.page.locator('.abstract-program tr[data-line="14"]').first();
      assert.match(await pivot.innerText(), /entering the callee: b1[^]*P of foo even[^]*after round 1/);
    },
  ],
  [
    "given predicates: what is wrong with one is said, and lazy abstraction adds one only",
    async (page) => {
      await opened(page, "refine-lazy.cimple");
      assert.match(await page.inspectorText("What this round excludes"), /1 trace, by 1 new predicate:[^]*X ≠ 561/);
      await page.page.getByLabel("Given").fill("X = @7");
      await page.press("Enter");
      const said = page.page.locator(".refinement-pane .lab-said");
      await said.filter({ hasText: "is no predicate" }).waitFor();
    },
  ],
  [
    "Stop ends a refinement in time",
    async (page) => {
      await page.open();
      await page.write(endless);
      await page.chooseAnalysis("Refinement");
      await page.page.locator(".refinement-answer").getByRole("button", { name: "Stop" }).waitFor({ timeout: 30_000 });
      await page.sleep(600);
      await page.page.locator(".refinement-answer").getByRole("button", { name: "Stop" }).click();
      await page.page.locator(".refinement-answer .said").waitFor({ timeout: 5_000 });
      assert.match(await page.refinementAnswer(), /Unknown: the time was up|No answer/);
      // What was stopped can be run again.
      await page.page.locator(".refinement-answer").getByRole("button", { name: "Run again" }).waitFor();
    },
  ],
  [
    "the figures of the thesis open on the step that shows them",
    async (page) => {
      await page.open();
      for (const { title, refinement } of examples) {
        await page.openGallery();
        await page.choose(title);
        await page.refined();
        assert.match(await page.refinementAnswer(), /Safe/, title);
        const { round, phase } = await page.phase();
        assert.deepEqual([round, phase], [refinement.round, refinement.phase], title);
      }
    },
  ],
];
