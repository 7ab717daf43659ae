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

/** A C program with a string, and a call of the library before it fails. */
const text = `#include <assert.h>
#include <string.h>
int main(void) {
    char word[8] = "ab";
    char c = word[0];
    strcat(word, "cd");
    assert(c == 'b');
}
`;

export const stepping = [
  [
    "characters are shown as characters, and an array of them as its text",
    async (page) => {
      await page.open();
      await page.write(text);
      await page.run();
      await page.verdict();
      await page.press("End");
      const values = await page.page.locator(".inspector .stack").innerText();
      assert.match(values, /97 'a'/);
      assert.match(values, /"abcd"/);
    },
  ],
  [
    "the steps inside of a procedure of the library are one entry, past which the arrow keys go",
    async (page) => {
      await page.open();
      await page.write(text);
      await page.run();
      await page.verdict();
      await page.press("End");
      const [last, shown] = [await page.lastStep(), await page.steps().count()];
      const fold = page.page.locator(".timeline .folded-steps");
      assert.match(await fold.innerText(), /^strcat: \d+ steps$/);
      assert.ok(shown < last / 2, `${shown} of ${last} steps are listed`);
      await page.press("ArrowLeft");
      assert.match(await page.position(), /main, line 6/);
      await fold.click();
      assert.match(await page.position(), /strcat, line 6/);
      assert.equal(await page.steps().count(), last);
    },
  ],
  [
    "the list of steps is one stop of the Tab key, and the focus goes along with the arrow keys",
    async (page) => {
      await failed(page);
      await page.press("Home");
      await page.steps().nth(0).focus();
      await page.page.keyboard.press("ArrowRight");
      assert.equal(await page.step(), 2);
      const focused = page.page.locator(".timeline .step:focus");
      assert.equal(await focused.getAttribute("aria-current"), "step");
      assert.equal(await page.page.locator(".timeline button:not([tabindex='-1'])").count(), 1);
    },
  ],
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
