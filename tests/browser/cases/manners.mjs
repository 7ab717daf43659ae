// Small things that a person expects of a page: where the focus goes, what a key does, whose
// options count.
import assert from "node:assert/strict";
import { failing, safe } from "../programs.mjs";

const focusedClass = (page) => page.page.evaluate(() => document.activeElement.className);

async function failed(page) {
  await page.open();
  await page.write(failing);
  await page.run();
  await page.verdict();
}

export const manners = [
  [
    "a second click on a diagnostic's line scrolls there again",
    async (page) => {
      await page.open();
      await page.write(`int x;\nvoid main() {\n${"  x = 1;\n".repeat(200)}  y = 2;\n}\n`);
      await page.diagnostics();
      const top = () => page.page.locator(".editor .cm-scroller").evaluate((scroller) => scroller.scrollTop);
      const toTop = () => page.page.locator(".editor .cm-scroller").evaluate((scroller) => (scroller.scrollTop = 0));
      for (let time = 0; time < 2; time++) {
        await toTop();
        await page.diagnosticItems().first().click();
        await page.page.waitForFunction(() => document.querySelector(".editor .cm-scroller").scrollTop > 1000);
        assert.ok((await top()) > 1000);
      }
    },
  ],
  [
    "Space plays, also from a step of the run",
    async (page) => {
      await failed(page);
      await page.steps().first().click();
      await page.page.keyboard.press("Space");
      await page.button("Pause").waitFor();
      await page.page.waitForFunction(() => /Step 2 of/.test(document.querySelector(".position").textContent));
      await page.page.keyboard.press("Space");
      await page.button("Play").waitFor();
    },
  ],
  [
    "the focus stays where one can go on from: after Check again, after choosing an example",
    async (page) => {
      await failed(page);
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// more\n");
      const again = page.page.getByRole("button", { name: "Check again" });
      await again.waitFor();
      const sentence = await page.page.locator(".verdict").innerText();
      assert.match(sentence, /The answer was “It can fail: [^:]*”/);
      await again.focus();
      await page.page.keyboard.press("Enter");
      await page.verdict();
      assert.match(await focusedClass(page), /^verdict/);
      await page.openGallery();
      await page.choose("Division by zero");
      await page.verdict();
      await page.settle();
      assert.match(await focusedClass(page), /^verdict/);
    },
  ],
  [
    "the theme's button follows the system",
    async (page) => {
      await page.open();
      await page.page.getByRole("button", { name: "Dark colours" }).waitFor();
      await page.page.emulateMedia({ colorScheme: "dark" });
      await page.page.getByRole("button", { name: "Light colours" }).waitFor();
    },
    { colorScheme: "light" },
  ],
  [
    "options that override the program's own are said to, and do not outlive it",
    async (page) => {
      await failed(page);
      assert.equal(await page.page.getByText("set here", { exact: true }).count(), 0);
      await page.setBits(7);
      await page.page.getByText("set here", { exact: true }).waitFor();
      await page.write(`//! bits = 5\n${safe}`);
      await page.run();
      await page.page.locator(".verdict.safe").waitFor();
      assert.match(await page.holdsFor(), /5-bit/);
      assert.equal(await page.page.getByText("set here", { exact: true }).count(), 0);
    },
  ],
  [
    "undo after an example brings program and options back",
    async (page) => {
      await failed(page);
      await page.setBits(7);
      await page.verdict();
      await page.openGallery();
      await page.choose("Division by zero");
      await page.verdict();
      assert.equal(await page.page.getByText("set here", { exact: true }).count(), 0);
      await page.editor().click();
      await page.page.keyboard.press("Control+z");
      await page.page.getByText("set here", { exact: true }).waitFor();
      assert.match(await page.program(), /use\(x\)/);
      await page.run();
      await page.page.locator(".verdict.unsafe").waitFor();
      assert.match(await page.holdsFor(), /7-bit/);
    },
  ],
];
