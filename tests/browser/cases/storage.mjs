// The page never loses the program.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

export const storage = [
  [
    "the program is still there after a reload",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.sleep(1000);
      await page.reload();
      assert.equal(await page.program(), failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
    },
  ],
  [
    "a reload in the middle of a run loses nothing either",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.reload();
      assert.equal(await page.program(), failing);
    },
  ],
];
