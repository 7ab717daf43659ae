// The failing run as a list that steps.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

async function failed(page) {
  await page.open();
  await page.write(failing);
  await page.run();
  await page.verdict();
}

/** The step is the same in the list, the source and the picture. */
async function agree(page) {
  const line = await page.currentLine();
  assert.equal(await page.stepLine(), line, "the list and the source name the same line");
  const boxes = page.boxes("now");
  assert.equal(await boxes.count(), 1, "one box is the current one");
  assert.equal(await page.lineOfBox(boxes), line, "the picture and the source name the same line");
}

export const stepping = [
  [
    "the failing run steps by keys",
    async (page) => {
      await failed(page);
      await page.press("Home");
      const last = await page.lastStep();
      const lines = [];
      for (let step = 1; step <= last; step++) {
        assert.equal(await page.step(), step);
        await agree(page);
        lines.push(await page.currentLine());
        await page.press("ArrowRight");
      }
      assert.deepEqual(lines.slice(-5), [5, 6, 8, 11, 15]);
      assert.equal(await page.step(), last, "there is nothing behind the last step");
      await page.press("ArrowLeft");
      assert.equal(await page.step(), last - 1);
      await page.press("End");
      assert.equal(await page.step(), last);
      await page.press("Home");
      assert.equal(await page.step(), 1);
      await page.press("ArrowLeft");
      assert.equal(await page.step(), 1);
    },
  ],
  [
    "the failing run steps by buttons and by the list",
    async (page) => {
      await failed(page);
      await page.button("First step").click();
      await page.button("Step forward").click();
      assert.equal(await page.step(), 2);
      await agree(page);
      await page.button("Last step").click();
      assert.equal(await page.step(), await page.lastStep());
      await page.button("Step back").click();
      assert.equal(await page.step(), (await page.lastStep()) - 1);
      await page.steps().nth(0).click();
      assert.equal(await page.step(), 1);
      await agree(page);
    },
  ],
  [
    "values that a step changed are marked",
    async (page) => {
      await failed(page);
      await page.press("Home");
      for (let step = 1; (await page.currentLine()) !== 5; step++) {
        assert.ok(step < (await page.lastStep()), "the run comes through line 5");
        await page.press("ArrowRight");
      }
      const changed = await page.changedValues();
      assert.equal(changed.length, 1, `x alone changed: ${changed}`);
      assert.match(changed[0], /^x\s.*→\s*2$/s);
    },
  ],
  [
    "arrow keys in the editor move the cursor, not the run",
    async (page) => {
      await failed(page);
      await page.press("Home");
      await page.editor().click();
      await page.page.keyboard.press("ArrowRight");
      assert.equal(await page.step(), 1);
    },
  ],
];
