// Light and dark, narrow and wide, keys.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

async function failed(page) {
  await page.open();
  await page.write(failing);
  await page.run();
  await page.verdict();
}

export const appearance = [
  [
    "a light system gets a light page, and the switch turns it dark for good",
    async (page) => {
      await page.open();
      assert.ok((await page.brightness()) > 0.8);
      await page.switchTheme();
      assert.ok((await page.brightness()) < 0.3);
      await page.reload();
      assert.ok((await page.brightness()) < 0.3);
    },
    { colorScheme: "light" },
  ],
  [
    "a dark system gets a dark page",
    async (page) => {
      await page.open();
      assert.ok((await page.brightness()) < 0.3);
    },
    { colorScheme: "dark" },
  ],
  [
    "on a wide screen the panes stand side by side and nothing overflows",
    async (page) => {
      await failed(page);
      const [editor, picture] = await page.panes();
      assert.ok(picture.x >= editor.x + editor.width - 1, "the picture is right of the editor");
      assert.ok(await page.fitsAcross());
    },
  ],
  [
    "whatever the width, the top bar keeps its buttons in view",
    async (page) => {
      await failed(page);
      for (const width of [1230, 1100, 1024, 901, 899, 400]) {
        await page.page.setViewportSize({ width, height: 800 });
        assert.ok(await page.fitsAcross(), `${width} pixels`);
      }
    },
  ],
  [
    "on a narrow screen the panes stack and nothing overflows",
    async (page) => {
      await failed(page);
      const [editor, picture] = await page.panes();
      assert.ok(picture.y >= editor.y + editor.height - 1, "the picture is below the editor");
      assert.ok(editor.width > 300 && picture.width > 300, "both have the whole width");
      assert.ok(await page.fitsAcross());
    },
    { viewport: { width: 400, height: 800 } },
  ],
  [
    "? opens the help, Esc closes it",
    async (page) => {
      await page.open();
      await page.press("?");
      const help = page.page.getByRole("dialog").filter({ visible: true });
      await help.waitFor();
      assert.match(await help.innerText(), /Ctrl/);
      await page.page.keyboard.press("Escape");
      await help.waitFor({ state: "hidden" });
    },
  ],
];
