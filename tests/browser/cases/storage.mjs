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
    "where the browser's store is full the page works all the same",
    async (page) => {
      await page.page.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException("full", "QuotaExceededError");
        };
      });
      await page.open();
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await page.notice(), /does not keep/i);
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "damage beside the text of what was kept costs no text",
    async (page) => {
      const whole = JSON.stringify({ source: safe, options: { bits: 5 }, method: "pernode", name: "a.c" });
      const rest = whole.indexOf('"options"');
      let seed = 7;
      const next = (below) => (seed = (seed * 48271) % 2147483647) % below;
      await page.open();
      for (let time = 0; time < 12; time++) {
        const at = rest + next(whole.length - rest);
        const damaged = whole.slice(0, at) + String.fromCharCode(32 + next(95)) + whole.slice(at + 1 + next(5));
        await page.page.evaluate((text) => {
          // What the page itself would still keep when it is left.
          Storage.prototype.setItem.call(localStorage, "faultline.program", text);
          Storage.prototype.setItem = () => {};
        }, damaged);
        await page.reload();
        assert.equal(await page.program(), safe, damaged);
      }
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
  [
    "two tabs on one program: one says that the other has changed it, and shows it",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      const other = await page.another();
      assert.equal(await other.programOnce(failing), failing);
      await typeAtEnd(page, "// left");
      assert.match(await other.noticeOnce(/another tab/), /changed in another tab/);
      await other.page.bringToFront();
      await other.button("Show the other text").click();
      assert.equal(await other.programOnce(`${failing}// left`), `${failing}// left`);
      await other.page.keyboard.press("Control+Home");
      await typeAtEnd(other, " and right");
      assert.equal(await page.keptProgram(), `${failing}// left and right`);
      assert.equal(await page.page.evaluate(() => localStorage.getItem("faultline.programs")), null);
    },
  ],
  [
    "what was typed in either of two tabs is there after both are closed",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      const other = await page.another();
      assert.equal(await other.programOnce(failing), failing);
      await typeAtEnd(page, "// left");
      await typeAtEnd(other, "// right");
      assert.match(await other.noticeOnce(/text from there/), /text from there is kept/);
      // In turn, and not only once.
      await typeAtEnd(page, " 2");
      await typeAtEnd(other, " 2");
      // The editor reads what was typed a moment later.
      await other.once(() => other.keptProgram(), (text) => text.endsWith("// right 2"));
      await other.page.close();
      await page.page.goto("about:blank");
      const next = await page.another();
      assert.equal(await next.programOnce(`${failing}// right 2`), `${failing}// right 2`);
      assert.deepEqual(await next.keptTexts(), { "Program (another tab)": `${failing}// left 2` });
      await next.openDesk();
      await next.keptRow("Program (another tab)").getByTitle("Open").click();
      assert.equal(await next.programOnce(`${failing}// left 2`), `${failing}// left 2`);
      assert.deepEqual(Object.values(await next.keptTexts()).sort(), [`${failing}// left 2`, `${failing}// right 2`]);
    },
  ],
];

async function typeAtEnd(tab, text) {
  await tab.page.bringToFront();
  await tab.editor().click();
  await tab.page.keyboard.press("Control+End");
  await tab.page.keyboard.type(text);
  await tab.settle();
}
