// The pushdown lab: saturations that step, weights, witnesses, the transducer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { failing, safe } from "../programs.mjs";

const example = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const growing = example("saturation.pds");
/** One way is long and found first, the other short: weights are raised. */
const raised = `weights minpath
<p, a> -> <q, b> 9
<p, a> -> <r, a> 1
<r, a> -> <q, b> 1
<q, b> -> <q, c b> 1
<q, c> -> <q> 2
initial <p, a>
target <q, b>
`;

async function opened(page, program) {
  await page.open();
  await page.write(program);
  await page.run();
  await page.verdict();
  await page.chooseAnalysis("Lab");
  await page.recorded();
}

/** What the picture, the inspector and the timeline say of a step. */
async function seen(page) {
  return {
    there: await page.transitionsThere().count(),
    added: await page.touchedTransitions("added"),
    raised: await page.touchedTransitions("raised"),
    waiting: await page.waiting(),
  };
}

export const lab = [
  [
    "Fig. 7's system, from the gallery: p2 bⁿ weighs n",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("A transducer that pops and grows");
      await page.recorded();
      assert.equal(await page.analysis(), "Lab");
      await page.answered();
      assert.equal(await page.weightRead(), "3", "it opens with a question, and its answer");
      for (const n of [2, 3, 5, 9]) {
        assert.equal(await page.weightFromTo("<p1, a>", `<p2, ${"b ".repeat(n).trim()}>`), String(n));
      }
      await page.chooseTask("post*");
      await page.recorded();
      for (const n of [2, 4]) assert.equal(await page.weightOf(`<p2, ${"b ".repeat(n).trim()}>`), String(n));
      assert.equal(await page.weightOf("<p2, b b b*>"), "2", "the least of them all");
      assert.match(await page.answerText(), /run of 1 rule, weight 2/);
      assert.equal(await page.weightOf("<p2, a>"), "no run");
    },
  ],
  [
    "post* steps forward and back: what is added is marked, and the worklist ends empty",
    async (page) => {
      await opened(page, growing);
      assert.match(await page.inspectorText("Worklist"), /Worklist \(0\)[^]*saturated/);
      await page.press("Home");
      const start = await seen(page);
      assert.ok(start.there > 0 && start.waiting > 0, "something is given, and waits");
      assert.deepEqual([start.added, start.raised], [[], []]);
      const last = await page.lastStep();
      const history = [start];
      for (let step = 1; step <= last; step++) {
        await page.press("ArrowRight");
        assert.equal(await page.step(), step);
        const now = await seen(page);
        assert.equal(now.there, history.at(-1).there + now.added.length, "what is new is marked as added, and nothing goes");
        for (const text of now.added) assert.match(text, /^\+ /, "not by colour alone");
        history.push(now);
      }
      assert.equal(history.at(-1).waiting, 0);
      assert.ok(history.some((h) => h.added.length > 0));
      for (let step = last - 1; step >= 0; step--) {
        await page.press("ArrowLeft");
        assert.deepEqual(await seen(page), history[step], `step ${step} looks the same from either side`);
      }
    },
  ],
  [
    "a weight that is raised changes its label",
    async (page) => {
      await opened(page, raised);
      await page.press("Home");
      const last = await page.lastStep();
      let found = false;
      for (let step = 1; step <= last && !found; step++) {
        await page.press("ArrowRight");
        const [row] = await page.touchedRows("raised");
        if (!row) continue;
        found = true;
        assert.match(row.text, /^↑ b · 2$/);
        assert.match(row.spoken, /weight 2, raised in this step/);
        await page.press("ArrowLeft");
        assert.match(await page.rowText(row.transition), /^b · 9$|› b · 9$/);
      }
      assert.ok(found, "the shorter way is found later");
    },
  ],
  [
    "pre* of the target, and of a set of one's own",
    async (page) => {
      await opened(page, growing);
      await page.chooseTask("pre*");
      await page.recorded();
      assert.match(await page.position(), /Step \d+ of \d+/);
      await page.setOfLab("<p0, g1>");
      await page.recorded();
      assert.equal(await page.weightOf("<p0, g1>"), "there is a run");
      assert.equal(await page.weightOf("<p2, g2>"), "there is a run");
      assert.equal(await page.weightOf("<p0, g0>"), "no run");
      await page.press("Home");
      assert.equal(await page.weightOf("<p2, g2>"), "no run", "at the start only the set itself is there");
    },
  ],
  [
    "a click on a transition shows its witness tree, whose nodes select",
    async (page) => {
      await opened(page, growing);
      const rows = await page.transitionsThere().count();
      await page.clickTransition(rows - 1);
      const tree = page.page.getByRole("list", { name: "Derivation" });
      await tree.waitFor();
      const nodes = tree.getByRole("listitem");
      assert.ok((await nodes.count()) >= 2, "it has premises");
      assert.match(await tree.innerText(), /given/, "it goes down to what is given");
      const premise = await nodes.nth(1).getByRole("button").innerText();
      await nodes.nth(1).getByRole("button").click();
      await page.page.locator(".transition-name", { hasText: premise }).waitFor();
      assert.equal(await page.page.locator(".automaton .row.selected").count(), 1);
    },
  ],
  [
    "a link into a step restores it, with what is selected and asked",
    async (page) => {
      await opened(page, raised);
      await page.clickTransition(1);
      await page.weightOf("<q, b>");
      await page.press("Home");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      const before = [await page.step(), await page.page.locator(".transition-name").innerText(), await seen(page)];
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      await page.recorded();
      assert.equal(await page.analysis(), "Lab");
      assert.deepEqual([await page.step(), await page.page.locator(".transition-name").innerText(), await seen(page)], before);
      assert.equal(await page.page.locator("#lab-question").inputValue(), "<q, b>");
    },
  ],
  [
    "the lab of a program speaks in its own names",
    async (page) => {
      await opened(page, failing);
      await page.press("Home");
      await page.press("ArrowRight");
      const text = await page.inspectorText("Worklist");
      assert.match(text, /main/);
      assert.match(text, /x' = 0|x' = 2|x = 2/);
      assert.ok((await page.transitionsThere().count()) >= 1);
      await page.chooseTask("pre*");
      await page.recorded();
      assert.ok((await page.transitionsThere().count()) >= 1);
    },
  ],
  [
    "a set that cannot be read says what is wrong",
    async (page) => {
      await opened(page, growing);
      await page.setOfLab("<p0, nosuch");
      const problem = page.page.locator("#lab-problems .problem").first();
      await problem.waitFor();
      assert.match(await problem.innerText(), /\S.{8}/);
      await page.setOfLab("");
      await page.recorded();
      assert.equal(await problem.count(), 0);
      await page.ask("<p9, g0>");
      const wrong = page.page.locator(".lab-question .problem").first();
      await wrong.waitFor();
      assert.match(await wrong.innerText(), /p9/);
    },
  ],
  [
    "the tabs go by keys, both analyses keep their places, and an edit records anew",
    async (page) => {
      await opened(page, growing);
      await page.press("Home");
      await page.press("ArrowRight");
      assert.equal(await page.step(), 1);
      await page.page.getByRole("tab", { name: "Lab" }).focus();
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Liveness");
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Threads");
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Tests");
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Explain");
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Refinement");
      await page.page.keyboard.press("ArrowLeft");
      assert.equal(await page.analysis(), "Projection");
      assert.match(await page.position(), /line/);
      for (let i = 0; i < 6; i++) await page.page.keyboard.press("ArrowRight");
      assert.equal(await page.analysis(), "Lab");
      assert.equal(await page.step(), 1);
      await page.write(raised);
      await page.recorded();
      await page.page.locator(".automaton .row", { hasText: "c" }).first().waitFor({ state: "attached" });
      await page.reload();
      assert.equal(await page.analysis(), "Lab", "it is still there after a reload");
      await page.recorded();
    },
  ],
  [
    "on a narrow screen the lab's picture has the whole width and nothing overflows",
    async (page) => {
      await opened(page, safe);
      await page.page.setViewportSize({ width: 400, height: 800 });
      await page.face("Picture");
      assert.ok(await page.fitsAcross());
      assert.ok((await page.page.locator(".lab-pane").boundingBox()).width > 300);
    },
  ],
];
