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
        assert.deepEqual(await page.selectedLines(), [line]);
        assert.equal(await page.lineOfBox(page.boxes("selected")), line);
      }
    },
  ],
  [
    "a click on a line selects its box",
    async (page) => {
      await failed(page);
      for (const line of [8, 15, 5]) {
        await page.line(line).click();
        await page.boxes("selected").first().waitFor();
        assert.equal(await page.lineOfBox(page.boxes("selected")), line);
      }
    },
  ],
  [
    "what is selected is explained: which values arrive there, which of them fail",
    async (page) => {
      await failed(page);
      await page.boxOfLine(15).click();
      const text = await page.inspectorText(/What fails from here.*n/);
      assert.match(text, /line 15/i);
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
