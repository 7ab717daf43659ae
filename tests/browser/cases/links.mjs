// Links restore program, options and step; a bad one says what is wrong and loses nothing.
import assert from "node:assert/strict";
import { failing, safe } from "../programs.mjs";

async function badLink(page, fragment, message) {
  await page.open();
  await page.write(safe);
  await page.open(fragment);
  assert.match(await page.notice(), message);
  assert.equal(await page.program(), safe, "the program of the last visit is still there");
}

export const links = [
  [
    "a shared link opens on the same program, options and step",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.setGlobals("zero");
      await page.setBits(5);
      await page.run();
      await page.verdict();
      await page.press("Home");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      const [step, line] = [await page.step(), await page.currentLine()];
      const link = await page.share();
      assert.match(link, /#v1\//);

      await page.forgetEverything();
      await page.openAddress(link);
      assert.equal(await page.program(), failing);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      assert.match(await page.holdsFor(), /5-bit integers.*globals zero/i);
      assert.equal(await page.step(), step);
      assert.equal(await page.currentLine(), line);
    },
  ],
  ["a broken link is named, and nothing is lost", (page) => badLink(page, "#v1/7ZzAAAAnotalink", /broken/i)],
  ["a link with characters that no link has is named", (page) => badLink(page, "#v1/%%%", /broken/i)],
  ["a link of another version is named", (page) => badLink(page, "#v9/AAAA", /version/i)],
  ["an over-long link is named", (page) => badLink(page, `#v1/${"A".repeat(40_000)}`, /longer than|too long/i)],
  [
    "a program that is too long for a link is refused in words",
    async (page) => {
      await page.open();
      // Text that does not compress: pseudo-random comments from a fixed seed.
      let seed = 1;
      const random = () => (seed = (seed * 48271) % 2147483647).toString(36);
      await page.write(`void main() { skip; }\n${Array.from({ length: 6000 }, () => `// ${random()}${random()}`).join("\n")}\n`);
      assert.match(await page.shareRefused(), /longer than|too long/i);
    },
  ],
  [
    "after a reload the tab that is shown runs, with the last letter that was typed",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// x");
      await page.reload();
      assert.equal(await page.programOnce(`${failing}// x`), `${failing}// x`);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      for (const [tab, answer] of [["Explain", () => page.explained()], ["Refinement", () => page.refined()]]) {
        await page.chooseAnalysis(tab);
        await answer();
        await page.reload();
        assert.equal(await page.analysis(), tab);
        await answer();
        assert.match(await page.verdict(), /can fail/i);
      }
    },
  ],
];
