// Source and picture point at each other.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

async function failed(page) {
  await page.open();
  await page.write(failing);
  await page.run();
  await page.verdict();
}

export const selection = [
  [
    "a click on a box selects its line",
    async (page) => {
      await failed(page);
      for (const line of [11, 5, 15]) {
        await page.boxOfLine(line).click();
        await page.selectedBoxIs(line);
        assert.deepEqual(await page.selectedLines(), [line]);
      }
    },
  ],
  [
    "a click on a line selects its box",
    async (page) => {
      await failed(page);
      for (const line of [8, 15, 5]) {
        await page.line(line).click({ position: { x: 40, y: 8 } });
        await page.selectedBoxIs(line);
      }
    },
  ],
  [
    "what is selected is explained: lit or innocent, what reaches it, what fails from it",
    async (page) => {
      await failed(page);
      await page.boxOfLine(15).click();
      const lit = await page.inspectorText(/values that lead to the failure/i);
      assert.match(lit, /line 15/i);
      assert.match(lit, /some failing run executes it/i);
      await page.boxOfLine(7).click();
      const innocent = await page.inspectorText(/ready = true/);
      assert.match(innocent, /innocent/i);
    },
  ],
  [
    "procedures are frames with their names, and the picture zooms, pans and fits",
    async (page) => {
      await failed(page);
      assert.deepEqual((await page.clusters()).sort(), ["main", "use"]);
      await page.button("Fit").click();
      const fitted = await page.pictureTransform();
      await page.button("Zoom in").click();
      const near = await page.pictureTransform();
      assert.notEqual(near, fitted);
      await page.drag(60, 40);
      assert.notEqual(await page.pictureTransform(), near);
      await page.button("Fit").click();
      assert.equal(await page.pictureTransform(), fitted);
    },
  ],
];
