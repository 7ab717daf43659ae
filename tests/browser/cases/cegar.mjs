// The refinement loop: rounds and phases, the DAG, interpolants, heuristics compared,
// links into a round.
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
      assert.match(await page.refinementAnswer(), /Safe[^]*refined once/);
      assert.deepEqual(await page.page.locator(".refinement-pane .cluster text").allTextContents(), ["counterexamples", "foo, from call 14 and back"]);
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
      const told = (row) => [row.Verdict, row.Refinements, row["Predicates at a place"]];
      assert.deepEqual(told(rows.weakest), ["safe", "2", "1"], "Fig. 6.3: two cycles, one predicate");
      assert.deepEqual(told(rows.strongest), ["safe", "8", "8"], "2^n of each");
      assert.deepEqual(told(rows.both), ["safe", "2", "3"]);
      await page.chooseInterpolants("strongest");
      assert.match(await page.refinementAnswer(), /refined 8 times[^]*at most 8 predicates/);
    },
  ],
  [
    "two heuristics are compared by their rounds and counterexamples",
    async (page) => {
      await page.open();
      await page.write(read("refine-loop.cimple").replace("bits = 16", "bits = 3"));
      await page.verdict();
      await page.chooseAnalysis("Refinement");
      await page.refined();
      await page.showPicture("Heuristics");
      assert.ok(await page.button("Show these two").isDisabled());
      await page.tickHeuristics("strongest", "weakest");
      await page.showTheTwo();
      const [left, right] = [await page.side(0), await page.side(1)];
      assert.deepEqual([left.heuristic, right.heuristic], ["strongest", "weakest"]);
      assert.match(left.answer, /Safe[^]*8 refinements, at most 8 predicates/);
      assert.match(right.answer, /Safe[^]*2 refinements, at most 1 predicate /);
      assert.deepEqual([left.rounds.length, right.rounds.length], [9, 3]);
      assert.match(right.rounds[0], /^Round 1: \d+ nodes, \d+ traces?, \+\d+ predicates?$/);
      assert.match(right.rounds[2], /^Round 3: no error$/);
      // The weakest interpolants speak of both variables, the strongest of values.
      assert.ok(right.labels.some((label) => /i \+ j( - 1)? = g/.test(label)), right.labels.join("\n"));
      assert.ok(left.labels.length > 0 && left.labels.join() !== right.labels.join());

      // Another round, and another heuristic, on one side only.
      await page.page.locator('.pair-side[data-side="0"] .pair-round').first().click();
      await page.pairSettled();
      assert.equal(await page.page.locator('.pair-side[data-side="0"] .pair-round[aria-pressed="true"] b').innerText(), "1");
      await page.page.getByLabel("Left: interpolants").selectOption("both");
      await page.pairSettled();
      assert.match((await page.side(0)).answer, /2 refinements, at most 3 predicates/);
      assert.deepEqual(await page.side(1), right);

      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      await page.pairSettled();
      assert.deepEqual([(await page.side(0)).heuristic, (await page.side(1)).labels], ["both", right.labels]);
      await page.button("Back to the table").click();
      await page.page.locator(".heuristics").waitFor();
    },
  ],
  [
    "the thesis's numbers are below ours, and go when the program is edited",
    async (page) => {
      await opened(page, "refine-sort.cimple");
      await page.showPicture("Heuristics");
      assert.deepEqual(await page.printedOf("weakest"), { Refinements: "thesis 55", "Predicates at a place": "thesis 113", Time: "thesis 15 s" });
      assert.deepEqual(await page.printedOf("strongest"), { Refinements: "thesis 13", "Predicates at a place": "thesis 12", Time: "thesis 0.15 s" });
      assert.deepEqual(await page.printedOf("skip"), {});
      await page.page.locator(".heuristics .paper-note").filter({ hasText: "Fig. 6.2" }).waitFor();
      await page.write(failing);
      await page.refined();
      await page.showPicture("Heuristics");
      assert.deepEqual(await page.printedOf("weakest"), {});
    },
  ],
  [
    "the frame of a procedure's runs folds, by mouse and by key, and stays folded from phase to phase and in links",
    async (page) => {
      await opened(page, "refine-call.cimple");
      assert.deepEqual(await page.frames(), ["counterexamples", "foo, from call 14 and back"]);
      await page.dagHas(13);
      await page.selectNode("8: ");
      await page.page.locator(".refinement-pane .graph > .picture").focus();
      await page.page.keyboard.press("f");
      await page.dagHas(8);
      assert.deepEqual(await page.frames(), ["counterexamples"]);
      assert.ok((await page.dagLabels()).includes("end of foo: G = 0 ∨ P at entry odd"), "what its runs come to");
      assert.ok(await page.page.locator(".refinement-pane .box.procedure.selected").count(), "it holds the selected node");
      await page.press("ArrowLeft");
      assert.ok((await page.dagLabels()).includes("foo, 6 nodes"), "no interpolants before they are computed");
      const link = await page.share();
      await page.page.locator(".refinement-pane .box.procedure").click();
      await page.dagHas(13);
      await page.page.locator(".refinement-pane [data-fold]").click();
      await page.dagHas(8);
      await page.button("Unfold procedures").click();
      await page.dagHas(13);

      await page.forgetEverything();
      await page.openAddress(link);
      await page.refined();
      await page.dagHas(8);
    },
  ],
  [
    "a line of the source selects its nodes in the counterexamples, and a node its line",
    async (page) => {
      await opened(page, "refine-call.cimple");
      await page.line(15).click();
      await page.inspectorText("Node 1 of 2 on line 15");
      assert.deepEqual(await page.markedNodes(), ["15: G = 0", "15: false"]);
      assert.equal((await page.interpolants()).chosen, "G = 0");
      await page.page.locator(".siblings").getByRole("button", { name: "next" }).click();
      await page.inspectorText("Node 2 of 2 on line 15");
      assert.equal((await page.interpolants()).chosen, "false");
      await page.line(3).click();
      await page.inspectorText("No counterexample of this round passes line 3");
      assert.equal(await page.selectedNode(), null);
      await page.selectNode("9: ");
      assert.equal(await page.currentLine(), 9);
      assert.deepEqual(await page.selectedLines(), [9]);
    },
  ],
  [
    "rounds appear while the loop runs, and Stop keeps them",
    async (page) => {
      await page.open();
      await page.write(read("refine-loop.cimple"));
      await page.chooseAnalysis("Refinement");
      await page.refined();
      // 2^16 refinements, where no round follows a variable.
      await page.openRefinementOptions();
      await page.page.getByRole("checkbox", { name: "follow variables" }).uncheck();
      await page.refined();
      await page.page.getByRole("combobox", { name: "Interpolants" }).selectOption("strongest");
      await page.page.locator('.refinement-timeline[data-live="true"]').waitFor();
      const rounds = async () => Number((await page.page.locator(".stepper .position b").innerText()).match(/of (\d+) so far/)?.[1] ?? 0);
      const early = await page.once(rounds, (count) => count >= 2);
      assert.ok((await page.once(rounds, (count) => count > early)) > early, "more of them");
      // Somebody looks at an early phase meanwhile: the timeline stays there.
      await page.press("Home");
      await page.page.locator(".stepper .position b").filter({ hasText: /^Round 1 of \d+ so far: abstract$/ }).waitFor();
      const before = await rounds();
      assert.ok((await page.once(rounds, (count) => count > before)) > before);
      await page.page.locator(".stepper .position b").filter({ hasText: /^Round 1 of/ }).waitFor();
      await page.stop();
      assert.match(await page.refinementAnswer(), /Stopped[^]*refined \d+ times so far/);
      const stopped = await page.phase();
      assert.deepEqual([stopped.round, stopped.phase], [1, "abstract"], "it stays where somebody has looked");
      assert.ok(stopped.rounds >= before);
      await page.goToPhase(1, "interpolate");
      assert.ok((await page.dagLabels()).length > 2, "what was found can be looked at");
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
      assert.match(await page.refinementAnswer(), /can fail/);
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
      const line = (number) => page.page.locator(`.abstract-program tbody[data-line="${number}"]`);
      await line(13).waitFor();
      // On one row, the program left, its abstraction right.
      const [concrete, abstract] = [line(13).getByText("L = L * (L + 1)"), line(13).getByText("b1 := true")];
      const [left, right] = [await concrete.boundingBox(), await abstract.boundingBox()];
      assert.ok(left.x + left.width <= right.x, "beside each other");
      assert.ok(Math.abs(left.y + left.height / 2 - right.y - right.height / 2) < 6, "on one row");
      assert.match(await line(14).innerText(), /entering the callee[^]*b1[^]*P of foo even[^]*after round 1/);
      assert.match(await line(5).innerText(), /if \(P % 2 == 0\): true[^]*assume b1[^]*if \(P % 2 == 0\): false[^]*b1 := b1/);
      // A line chosen in the source is marked here, and the other way round.
      await page.line(9).click();
      await page.page.locator('.abstract-program tbody.on[data-line="9"]').waitFor();
      await line(15).getByRole("button", { name: "15" }).click();
      await page.page.locator('.abstract-program tbody.on[data-line="15"]').waitFor();
      assert.deepEqual(await page.selectedLines(), [15]);
    },
  ],
  [
    "given predicates: what is wrong with one is said, and lazy abstraction adds one only",
    async (page) => {
      await opened(page, "refine-lazy.cimple");
      assert.match(await page.inspectorText("What this round excludes"), /1 trace, by 1 new predicate:[^]*X ≠ 561/);
      await page.openRefinementOptions();
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
      await page.button("Stop").waitFor({ timeout: 30_000 });
      await page.sleep(600);
      await page.stop();
      assert.match(await page.refinementAnswer(), /Stopped/);
      // What was stopped can be run again.
      await page.page.locator(".verdict").getByRole("button", { name: "Run again" }).waitFor();
    },
  ],
  [
    "the thesis's figures, one after another: each opens on the step that shows it",
    async (page) => {
      await page.open();
      for (const { file, title, verdict, refinement } of examples) {
        await page.openGallery();
        await page.choose(title);
        await page.refined();
        assert.equal(await page.analysis(), "Refinement", file);
        assert.match(await page.refinementAnswer(), verdict === "unsafe" ? /can fail/ : /Safe/, file);
        const { round, phase } = await page.phase();
        assert.deepEqual([round, phase], [refinement.round, refinement.phase], file);
      }
    },
  ],
  [
    "refinement on a narrow screen: nothing is wider than the window, and two heuristics stand one below the other",
    async (page) => {
      await opened(page, "refine-call.cimple");
      await page.page.setViewportSize({ width: 420, height: 900 });
      await page.face("Picture");
      for (const picture of ["Counterexamples", "Abstract program", "Heuristics"]) {
        await page.showPicture(picture);
        assert.ok(await page.fitsAcross(), picture);
      }
      const rows = await page.compareHeuristics();
      assert.equal(rows.weakest.Refinements, "1");
      assert.ok(await page.fitsAcross());
      const inside = await page.page.locator(".heuristics td .ours, .heuristics td .said").evaluateAll((cells) => cells.every((cell) => cell.getBoundingClientRect().right <= innerWidth));
      assert.ok(inside, "every number is in view");
      await page.tickHeuristics("strongest", "weakest");
      await page.showTheTwo();
      assert.ok(await page.fitsAcross());
      const [left, right] = await Promise.all([0, 1].map((side) => page.page.locator(`.pair-side[data-side="${side}"]`).boundingBox()));
      assert.ok(right.y >= left.y + left.height, "one below the other");
    },
  ],
];
