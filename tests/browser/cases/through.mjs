// Failing runs through chosen statements.
import assert from "node:assert/strict";

/** The shortest failing run is 3, 4, 5, 11; the other branch is longer. Line 12 is innocent. */
const twoWays = `int x;
void main() {
  x = 0;
  if (*) {
    x = 1;
  } else {
    x = 1;
    x = 2;
    x = 1;
  }
  assert(x != 1);
  x = 3;
}
`;

async function failed(page) {
  await page.open();
  await page.write(twoWays);
  await page.run();
  await page.verdict();
}

/** Waits until the stepper says this of its run. */
function note(page, expected) {
  return page.page.locator(".stepper .run-note").filter({ hasText: expected }).waitFor();
}

export const through = [
  [
    "a click on a lit statement shows the shortest failing run through it, a shift-click adds another",
    async (page) => {
      await failed(page);
      await note(page, /a shortest failing run/);
      assert.equal(await page.lastStep(), 4);
      await page.boxOfLine(8).click();
      await note(page, "Shortest failing run through line 8: 6 statements");
      assert.equal(await page.lastStep(), 6);
      assert.equal(await page.stepLine(), 8);
      await page.selectedBoxIs(8);
      await page.boxOfLine(9).click({ modifiers: ["Shift"] });
      await note(page, "Shortest failing run through lines 8 and 9: 6 statements");
      assert.equal(await page.stepLine(), 9);
      await page.boxOfLine(5).click({ modifiers: ["Shift"] });
      await note(page, "No failing run goes through lines 8, 9 and 5 together");
      await page.button("Back to the shortest").click();
      await note(page, /a shortest failing run/);
      assert.equal(await page.lastStep(), 4);
    },
  ],
  [
    "an innocent statement changes no run; the inspector's button and Enter ask as a click does",
    async (page) => {
      await failed(page);
      await page.boxOfLine(12).click();
      await page.inspectorText(/innocent/i);
      assert.equal(await page.button("Failing run through here").count(), 0);
      await note(page, /a shortest failing run/);
      await page.line(8).click({ position: { x: 40, y: 8 } });
      await page.selectedBoxIs(8);
      await note(page, /a shortest failing run/);
      await page.button("Failing run through here").click();
      await note(page, "Shortest failing run through line 8: 6 statements");
    },
  ],
  [
    "a link restores the run through a statement and its step",
    async (page) => {
      await failed(page);
      await page.boxOfLine(8).click();
      await note(page, "Shortest failing run through line 8: 6 statements");
      await page.press("Home");
      await page.press("ArrowRight");
      assert.equal(await page.step(), 2);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      await page.verdict();
      await note(page, "Shortest failing run through line 8: 6 statements");
      assert.equal(await page.step(), 2);
    },
  ],
];
