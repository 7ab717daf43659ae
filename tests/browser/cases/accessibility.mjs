// Who can use the page: axe-core's rules on every tab, in light and dark; Tab through the page.
import assert from "node:assert/strict";

/** An example for each tab. */
const opened = {
  projection: "A lock taken twice",
  refinement: "Two counters in step",
  explain: "The largest of three",
  threads: "A lost update",
  liveness: "A lock that is never given back",
  lab: "The running example of saturation",
};

async function open(page, tab) {
  await page.open();
  await page.openGallery();
  await page.choose(opened[tab]);
  await page.page.locator(".verdict h1").waitFor();
  await page.chooseAnalysis(tab[0].toUpperCase() + tab.slice(1));
  await page.waitUntilIdle();
  await page.rest();
}

const noViolation = async (page, what) =>
  assert.deepEqual(await page.violationsInLightAndDark(), [], what);

const rules = [
  [
    "every tab with an example open breaks no rule of axe-core, light and dark",
    async (page) => {
      for (const tab of Object.keys(opened)) {
        await open(page, tab);
        await noViolation(page, tab);
      }
    },
  ],
  [
    "the empty page, the gallery and the help break no rule of axe-core, light and dark",
    async (page) => {
      await page.open();
      await page.galleryIndex();
      await noViolation(page, "the empty page");
      await page.openGallery();
      await noViolation(page, "the gallery");
      await page.page.keyboard.press("Escape");
      await page.press("?");
      await noViolation(page, "the help");
    },
  ],
  [
    "on a phone source, picture and inspector break no rule of axe-core, light and dark",
    async (page) => {
      await open(page, "projection");
      for (const view of ["Source", "Picture", "Inspector"]) {
        await page.face(view);
        await noViolation(page, view);
      }
    },
    { viewport: { width: 390, height: 844 } },
  ],
];

export const accessibility = [
  ...rules,
  [
    "with the keyboard alone: the editor is one key away, Tab leaves it, and an example comes next",
    async (page) => {
      await page.open();
      await page.galleryIndex();
      await page.page.keyboard.press("Tab");
      assert.equal(await page.focusedPart(), "To the program");
      await page.page.keyboard.press("Enter");
      await page.once(() => page.focusedPart(), (part) => part === "editor");
      const stops = [];
      for (let i = 0; i < 10 && stops.at(-1) !== "card"; i++) {
        await page.page.keyboard.press("Tab");
        stops.push(await page.focusedPart());
      }
      assert.equal(stops.at(-1), "card", stops.join(" "));
      for (const _ of stops) await page.page.keyboard.press("Shift+Tab");
      assert.equal(await page.focusedPart(), "editor");
      await page.page.keyboard.type("int x;");
      await page.page.keyboard.press("Control+BracketRight");
      assert.equal(await page.program(), "  int x;", "Ctrl+] indents");
      await page.page.keyboard.press("Control+BracketLeft");
      await page.page.keyboard.press("Tab");
      assert.notEqual(await page.focusedPart(), "editor", "Tab leaves the editor");
      assert.equal(await page.program(), "int x;");
      await page.page.keyboard.press("Shift+Tab");
      assert.equal(await page.focusedPart(), "editor", "Shift+Tab goes back into it");
      await page.page.keyboard.press("Shift+Tab");
      assert.notEqual(await page.focusedPart(), "editor");
    },
  ],
  [
    "on a phone everything that can be pressed is at least 24 pixels high and wide",
    async (page) => {
      for (const tab of Object.keys(opened)) {
        await open(page, tab);
        for (const view of ["Source", "Picture", "Inspector"]) {
          await page.face(view);
          assert.deepEqual(await page.smallTargets(), [], `${tab}, ${view}`);
        }
      }
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ],
];
