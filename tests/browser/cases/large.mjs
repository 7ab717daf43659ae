// Programs too large for one picture: call graph first, procedures and rows that fold, search, the
// map, the keys.
import assert from "node:assert/strict";
import { large } from "../large.mjs";
import { failing } from "../programs.mjs";

/** Some 370 places: large, but short enough for a link. */
const middling = large({ procedures: 16 });

/** Straight rows before and after a call. */
const rows = `int x, y;
void main() {
  x = 1;
  y = 2;
  x = y;
  y = 3;
  helper();
  assert(y == 3);
}
void helper() {
  y = x;
}
`;

async function opened(page, program = middling) {
  await page.open();
  await page.write(program);
  await page.folded("procedure").first().waitFor();
}

export const folding = [
  [
    "a program of 5,000 places opens on its call graph, searches, unfolds and steps",
    async (page) => {
      await opened(page, large());
      assert.equal(await page.folded("procedure").count(), 223);
      assert.equal(await page.boxes().count(), 223, "nothing else is drawn");
      await page.verdict();
      await page.search("step120");
      assert.match(await page.searchSaid(), /found$/);
      await page.searchNext();
      await page.page.locator(".graph-pane .part").waitFor();
      await page.page.locator(".picture .box.selected.found").first().waitFor();
      assert.match(await page.searchSaid(), /^1 of/);
      await page.searchNext();
      await page.closeSearch();
      await page.callGraph();
      // Fit shows all procedures, too small for a pointer.
      await page.button("Fit").click();
      await page.folded("procedure", "main").dispatchEvent("click");
      await page.part("main").waitFor();
      await page.folded("procedure", "step0").click();
      await page.part("step0").waitFor();
      await page.folded("chain").first().click();
      await page.unfoldedChains().first().waitFor();
      const all = await page.boxes().count();
      assert.ok(all > 10 && all < 60, `${all} boxes of one procedure`);
    },
  ],
  [
    "a click opens a procedure beside its neighbours, and there are ways back",
    async (page) => {
      await opened(page);
      await page.verdict();
      await page.callGraph();
      await page.folded("procedure", "main").click();
      await page.part("main").waitFor();
      const clusters = await page.once(() => page.clusters(), (names) => names.length === 1);
      assert.deepEqual(clusters, ["main"]);
      await page.folded("procedure", "step0").waitFor(); // What it calls stands beside it.
      await page.folded("procedure", "step0").click();
      await page.part("step0").waitFor();
      await page.focusPicture();
      await page.page.keyboard.press("Backspace");
      await page.page.locator(".picture .cluster").waitFor({ state: "detached" });
      assert.equal(await page.folded("procedure").count(), 17);
    },
  ],
  [
    "the picture follows the steps into other procedures and the lines that are selected",
    async (page) => {
      await opened(page);
      await page.verdict();
      await page.callGraph();
      await page.press("Home");
      await page.page.locator(".picture .box.procedure.now").waitFor();
      await page.folded("procedure", "step3").click();
      await page.part("step3").waitFor();
      await page.press("End");
      await page.part("main").waitFor();
      await page.page.locator(".picture .box.now").waitFor();
      await page.line(2).click({ position: { x: 40, y: 8 } });
      await page.press("Home");
      await page.page.locator(".picture .box.now").waitFor();
    },
  ],
  [
    "rows of statements fold into one box and unfold again, by mouse and by keys",
    async (page) => {
      await page.open();
      await page.write(rows);
      await page.boxOfLine(5).waitFor();
      const before = await page.boxes().count();
      await page.page.getByRole("button", { name: "Fold rows of statements" }).click();
      await page.folded("chain").waitFor();
      assert.equal(await page.boxes().count(), before - 3);
      // A line inside marks the folded box.
      await page.line(5).click({ position: { x: 40, y: 8 } });
      await page.page.locator(".picture .box.chain.selected").waitFor();
      await page.folded("chain").click();
      await page.boxOfLine(5).waitFor();
      assert.equal(await page.boxes().count(), before);
      await page.unfoldedChains().first().locator(".fold-chain").dispatchEvent("click");
      await page.folded("chain").waitFor();
      await page.focusPicture();
      await page.page.keyboard.press("ArrowDown");
      await page.page.locator(".picture .box.chain.cursor").waitFor();
      await page.page.keyboard.press("Enter");
      await page.boxOfLine(5).waitFor();
      await page.page.locator(".picture .box.cursor[aria-label^='line 3:']").waitFor();
      await page.page.keyboard.press("Enter");
      await page.folded("chain").waitFor();
    },
  ],
  [
    "a procedure folds into a box among the others and unfolds in place",
    async (page) => {
      await page.open();
      await page.write(rows);
      await page.page.locator(".picture .handle.fold").nth(1).click();
      await page.folded("procedure", "helper").waitFor();
      assert.deepEqual(await page.clusters(), ["main"]);
      await page.line(11).click({ position: { x: 40, y: 8 } });
      await page.page.locator(".picture .box.procedure.selected").waitFor();
      await page.folded("procedure", "helper").click();
      await page.boxOfLine(11).waitFor();
      assert.deepEqual(await page.clusters(), ["main", "helper"]);
    },
  ],
  [
    "search finds by text, line and name, goes round, and Esc gives the picture back",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.focusPicture();
      await page.page.keyboard.press("/");
      await page.search("READY");
      assert.equal(await page.searchSaid(), "2 found");
      assert.equal(await page.page.locator(".picture .box.found").count(), 2);
      await page.searchNext();
      await page.selectedBoxIs(7);
      assert.equal(await page.searchSaid(), "1 of 2");
      await page.searchNext();
      await page.selectedBoxIs(8);
      await page.searchNext();
      await page.selectedBoxIs(7);
      await page.search("15");
      await page.searchNext();
      await page.selectedBoxIs(15);
      assert.deepEqual(await page.selectedLines(), [15]);
      await page.search("nowhere");
      assert.equal(await page.searchSaid(), "nothing found");
      await page.closeSearch();
      assert.equal(await page.page.locator(".picture .box.found").count(), 0);
      assert.equal(await page.page.evaluate(() => document.activeElement.className), "picture");
      await page.page.keyboard.press("Control+f");
      assert.equal(await page.page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Search in the picture");
    },
  ],
  [
    "the arrow keys go from box to box and say which",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.boxOfLine(5).click();
      await page.focusPicture();
      await page.page.keyboard.press("ArrowDown");
      await page.page.keyboard.press("ArrowDown");
      await page.settle();
      const said = await page.page.evaluate(() => document.getElementById(document.querySelector(".picture").getAttribute("aria-activedescendant")).getAttribute("aria-label"));
      assert.match(said, /^line (6|7|8):/);
      await page.selectedBoxIs(Number(said.match(/\d+/)[0]));
    },
  ],
  [
    "the map shows where one is, moves the picture, and goes when all is in view",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.boxOfLine(5).waitFor();
      await page.button("Fit").click();
      assert.equal(await page.minimap().isVisible(), false);
      // Until a part is out of view; further in, boxes would be under it.
      for (let i = 0; i < 6 && !(await page.minimap().isVisible()); i++) await page.button("Zoom in").click();
      await page.minimap().waitFor();
      const before = await page.pictureTransform();
      const map = await page.minimap().boundingBox();
      await page.page.mouse.move(map.x + 6, map.y + 6);
      await page.page.mouse.down();
      await page.page.mouse.move(map.x + map.width - 6, map.y + map.height - 6, { steps: 4 });
      await page.page.mouse.up();
      assert.notEqual(await page.pictureTransform(), before);
      await page.button("Fit").click();
      assert.equal(await page.minimap().isVisible(), false);
    },
  ],
  [
    "a link restores which part is shown",
    async (page) => {
      await opened(page);
      await page.verdict();
      await page.callGraph();
      await page.search("step5");
      await page.searchNext();
      await page.closeSearch();
      const name = await page.page.locator(".graph-pane .part").innerText();
      const link = await page.share();
      await page.openAddress(link);
      await page.verdict();
      await page.page.locator(".graph-pane .part").waitFor();
      assert.equal(await page.page.locator(".graph-pane .part").innerText(), name);
    },
  ],
];
