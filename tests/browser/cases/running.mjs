// Run, Stop, options.
import assert from "node:assert/strict";
import { failing, long, product, safe, walk } from "../programs.mjs";

/** Stops a run that would take minutes; what must still be there afterwards. */
async function stopAndLookAround(page, program) {
  await page.open();
  await page.write(program);
  await page.run();
  await page.waitUntilBusy();
  await page.sleep(1500);
  assert.ok(await page.isBusy(), "the run takes longer than this");
  await page.stop();
  await page.waitUntilIdle();
  const said = await page.verdict();
  assert.match(said, /no answer|stopped/i);
  assert.doesNotMatch(said, /after 0 ms/, "it ran for longer");
  assert.equal(await page.program(), program);
  assert.ok((await page.boxes().count()) >= 3, "the picture is still there");
  // The next run works.
  await page.write(failing);
  await page.run();
  assert.match(await page.verdict(), /can fail.*line 15/i);
}

export const running = [
  [
    "a broken rule is told with object and state, and steps tell the state",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("A return with the lock in hand");
      assert.match(await page.verdict(), /a rule is broken at line 29/i);
      assert.match(await page.shownVerdict(), /Never unlocked, when the program ends \(rule mutex: m is held\)\..*Checked: .*the rule mutex/);
      const state = () => page.page.locator(".inspector .values tr", { hasText: "state of mutex" }).innerText();
      assert.match(await state(), /held/);
      await page.press("Home");
      assert.match(await state(), /free/);
    },
  ],
  [
    "a program that is typed, or pasted, runs by Ctrl+Enter and by the button",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.press("Control+Enter");
      assert.match(await page.verdict(), /can fail.*line 15/i);
      assert.deepEqual((await page.litLines()).filter((line) => line > 4), [5, 6, 8, 11, 15]);
      assert.deepEqual(await page.dimLines(), [7, 9]);
      await page.write(safe);
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      assert.deepEqual(await page.litLines(), []);
    },
  ],
  [
    "an option changes the answer, and stands beside it",
    async (page) => {
      await page.open();
      await page.write("int x;\nvoid main() {\n  assert(x == 0);\n}\n");
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      await page.setGlobals("zero");
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      assert.match(await page.holdsFor(), /globals zero/i);
      await page.setBits(7);
      await page.run();
      await page.verdict();
      assert.match(await page.holdsFor(), /7-bit/i);
    },
  ],
  [
    "that a program fails is said as soon as it is known, while the rest is computed",
    async (page) => {
      await page.open();
      await page.write(walk.replace("  while", "  if (*) assert(i == 0);\n  while"));
      await page.run();
      await page.saysWhileBusy(/^It can fail: .*line 4$/);
      assert.ok(await page.isBusy(), "which lines are on failing runs takes longer");
      await page.stop();
      assert.match(await page.verdict(), /can fail.*line 4/i);
    },
  ],
  ["Stop ends a walk of endlessly many small steps and keeps program and picture", (page) => stopAndLookAround(page, walk)],
  ["Stop ends one operation that takes minutes and keeps program and picture", (page) => stopAndLookAround(page, product)],
  [
    "a program with threads is answered by the tab that runs them together",
    async (page) => {
      await page.open();
      await page.write("int x;\nthread t {\n  x = 1;\n}\nvoid main() {\n  assert(x != 3 || x == 3);\n}\n");
      const said = await page.threadsAnswer();
      assert.equal(await page.analysis(), "Threads");
      assert.match(said, /^Safe, whatever the number of context switches/);
      // Where somebody chooses another tab, it stays, and leads back.
      await page.chooseAnalysis("Projection");
      await page.run();
      await page.page.locator(".verdict.refused").waitFor();
      assert.match(await page.toldOfVerdict(), /follows one thread only/);
      assert.doesNotMatch(await page.toldOfVerdict(), /unknown/i);
      assert.equal(await page.analysis(), "Projection");
      await page.button("See what the threads do together").click();
      assert.match(await page.threadsAnswer(), /^Safe, whatever the number/);
      // A program without threads is nothing for that tab.
      await page.write(safe);
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      assert.equal(await page.analysis(), "Projection");
    },
  ],
  [
    "one verdict at a time: that of the tab; what another tab knows is one line that leads there",
    async (page) => {
      await page.open();
      await page.write(failing);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      assert.deepEqual(await page.knownElsewhere(), []);
      assert.match(await page.howItWasFound(), /It took/);
      await page.chooseAnalysis("Refinement");
      assert.match(await page.refinementAnswer(), /^It can fail/);
      assert.equal(await page.page.getByRole("status", { name: "Verdict" }).count(), 1);
      assert.deepEqual(await page.knownElsewhere(), ["Projection: can fail, assertion at line 15"]);
      await page.howItWasFound();
      await page.page.locator(".verdict .known").getByRole("button", { name: "Projection" }).click();
      assert.equal(await page.analysis(), "Projection");
      assert.deepEqual(await page.knownElsewhere(), ["Refinement: can fail, assertion at line 15"]);
      // Nobody is shown an engine's number first.
      const first = await page.page.locator(".verdict").evaluate((panel) => [...panel.querySelectorAll("h1, :scope > p")].map((part) => part.textContent).join(" "));
      assert.doesNotMatch(first, /node| ms|naive/i);
    },
  ],
  [
    "Esc stops as well",
    async (page) => {
      await page.open();
      await page.write(walk);
      await page.run();
      await page.waitUntilBusy();
      await page.sleep(500);
      await page.press("Escape");
      await page.waitUntilIdle();
      assert.match(await page.verdict(), /no answer|stopped/i);
    },
  ],
  [
    "typing goes on while a run is busy",
    async (page) => {
      await page.open();
      await page.write(walk);
      await page.run();
      await page.waitUntilBusy();
      await page.write(safe);
      assert.equal(await page.program(), safe);
    },
  ],
  [
    "a paste of ten thousand lines is answered and not lost",
    async (page) => {
      const program = long(10_000);
      await page.open();
      await page.write(program);
      await page.run();
      const said = await page.verdictOrDiagnostic();
      assert.match(said, /\S/);
      if (await page.isBusy()) await page.stop();
      assert.ok((await page.storedProgram()).includes("assert(x =="), "it is kept");
    },
  ],
  [
    "another option runs again, also after one that broke the program",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      await page.setBits(2);
      await page.sleep(500);
      await page.setBits(6);
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await page.holdsFor(), /6-bit/);
    },
  ],
  [
    "a program without anything to check is not called safe",
    async (page) => {
      await page.open();
      await page.write("int x;\nvoid main() {\n  x = 1;\n}\n");
      await page.run();
      assert.match(await page.verdict(), /nothing to check/i);
    },
  ],
];
