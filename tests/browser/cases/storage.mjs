// The page never loses the program.
import assert from "node:assert/strict";
import { failing, safe } from "../programs.mjs";

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
  [
    "where the browser keeps nothing the page works all the same",
    async (page) => {
      await page.page.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("blocked", "SecurityError");
          },
        });
      });
      await page.open();
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await page.notice(), /does not keep/i);
    },
  ],
  [
    "what cannot be read of what was kept costs that part alone, and is put aside",
    async (page) => {
      const kept = JSON.stringify({ source: "MY PROGRAM", options: { dialect: "zzz" } });
      await page.open();
      await page.page.evaluate((text) => localStorage.setItem("faultline.program", text), kept);
      await page.reload();
      assert.equal(await page.program(), "MY PROGRAM");
      assert.match(await page.notice(), /could not be read/);
      await page.write(`${safe}\n`);
      await page.sleep(1000);
      await page.button("Open what was kept").click();
      assert.equal(await page.programOnce(kept), kept);
    },
  ],
  [
    "a person's own program survives a link, and editing the link's program",
    async (page) => {
      await page.open();
      await page.write(safe);
      await page.run();
      const link = await page.share();
      await page.forgetEverything();
      await page.open();
      await page.write(failing);
      await page.sleep(400);
      await page.openAddress(link);
      assert.equal(await page.program(), safe);
      assert.equal(JSON.parse(await page.page.evaluate(() => localStorage.getItem("faultline.program"))).source, failing);
      await page.write(`${safe}\n`);
      assert.match(await page.noticeOnce(/put aside/i), /put aside/i);
      await page.button("Restore my program").click();
      assert.equal(await page.programOnce(failing), failing);
    },
  ],
];
