// The page in a frame of another page: what Share offers, the element <faultline-program>, what is
// shown at which size, and the way back to the whole page.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { failing } from "../programs.mjs";

/** A page of somebody else, on a server of its own, with this in its body; opened in a new tab. */
async function foreign(page, body, use, size) {
  const html = `<!doctype html><html><head><meta charset="utf-8"><title>Somebody's page</title></head><body style="margin: 0">${body}</body></html>`;
  const server = createServer((request, response) => {
    const isPage = request.url === "/";
    response.writeHead(isPage ? 200 : 204, { "content-type": "text/html; charset=utf-8" });
    response.end(isPage ? html : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const other = await page.page.context().newPage();
  try {
    if (size) await other.setViewportSize(size);
    await other.goto(`http://127.0.0.1:${server.address().port}/`);
    const element = await other.locator("iframe").elementHandle();
    const frame = await element.contentFrame();
    await frame.locator(".editor .cm-content").waitFor({ state: "attached" });
    await use(frame, other);
  } finally {
    await other.close();
    server.close();
    server.closeAllConnections();
  }
}

/** Opens the dialog on what is shown, sets it, and gives the text to paste. */
async function offered(page, set = async () => {}) {
  await page.button("Share").click();
  await page.page.getByRole("button", { name: /^Embed it/ }).click();
  const dialog = page.page.getByRole("dialog", { name: "Embed" });
  await dialog.waitFor();
  await set(dialog);
  return dialog.getByRole("textbox", { name: "To paste" }).inputValue();
}

const verdict = (frame) => frame.locator(".verdict.unsafe h1").waitFor({ state: "attached" });
const isShown = (frame, part) => frame.locator(part).first().isVisible();
/** What is wider than its frame. */
const overflow = (frame) => frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);

const SOURCE = ".pane.source";
const PICTURE = ".graph-pane";
const VALUES = ".inspector";

export const embedding = [
  [
    "Embed beside Share: a frame for another page shows the same step, and its corner opens the page",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.press("Home");
      await page.press("ArrowRight");
      const text = await offered(page);
      assert.match(text, /^<iframe src="[^"]*\?embed=source,picture#v1\/[^"]*"/);
      assert.equal(await page.page.locator("dialog iframe").count(), 1, "there is a preview");
      const preview = page.page.frameLocator("dialog iframe");
      await preview.getByRole("link", { name: "Open in Faultline" }).focus();
      await page.page.keyboard.press("Escape");
      await page.page.locator("dialog iframe").waitFor({ state: "detached" });
      await foreign(
        page,
        text,
        async (frame, other) => {
          await verdict(frame);
          assert.match(await frame.locator(".stepper .position").innerText(), /Step 2 of/i);
          assert.deepEqual(
            [
              await isShown(frame, SOURCE),
              await isShown(frame, PICTURE),
              await isShown(frame, VALUES),
            ],
            [true, true, false],
          );
          assert.equal(
            await frame.getByRole("button", { name: /^Run/ }).count(),
            0,
            "nobody edits it",
          );
          const [whole] = await Promise.all([
            other.waitForEvent("popup"),
            frame.getByRole("link", { name: "Open in Faultline" }).click(),
          ]);
          await whole.locator(".verdict.unsafe").waitFor();
          assert.match(await whole.locator(".stepper .position").innerText(), /Step 2 of/i);
          assert.doesNotMatch(whole.url(), /embed/);
        },
        { width: 1200, height: 640 },
      );
    },
  ],
  ...[
    { width: 400, height: 300 },
    { width: 760, height: 420 },
    { width: 1200, height: 640 },
  ].flatMap((size) =>
    ["light", "dark"].map((colorScheme) => [
      `an embedded picture fits a frame of ${size.width} × ${size.height}, ${colorScheme}`,
      async (page) => {
        await page.open();
        await page.write(failing);
        await page.run();
        await page.verdict();
        const text = await offered(page, async (dialog) => {
          await dialog.getByRole("checkbox", { name: "Source" }).uncheck();
          await dialog.getByRole("spinbutton", { name: "Height" }).fill(String(size.height));
          await dialog.getByRole("spinbutton", { name: "Height" }).blur();
        });
        await foreign(
          page,
          text,
          async (frame, other) => {
            await verdict(frame);
            assert.deepEqual(
              [
                await isShown(frame, SOURCE),
                await isShown(frame, PICTURE),
                await isShown(frame, VALUES),
              ],
              [false, true, false],
            );
            assert.ok((await overflow(frame)) <= 0, "nothing is cut off at its right");
            const picture = await frame.locator(PICTURE).boundingBox();
            assert.ok(
              picture.height >= size.height / 3,
              `the picture has ${picture.height} of ${size.height}`,
            );
            await frame.getByRole("button", { name: "Step back" }).waitFor();
            assert.ok(await frame.getByRole("link", { name: "Open in Faultline" }).isVisible());
            const ground = await frame.evaluate(() =>
              getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number),
            );
            assert.ok(colorScheme === "light" ? ground[0] > 200 : ground[0] < 60, `${ground}`);
            if (process.env.PICTURES)
              await other.screenshot({
                path: `${process.env.PICTURES}/embed-${size.width}-${colorScheme}.png`,
              });
          },
          size,
        );
      },
      { colorScheme },
    ]),
  ),
  [
    "the element <faultline-program> runs its own text, and the reader edits it",
    async (page) => {
      await page.open();
      const indented = failing.trimEnd().replaceAll("\n", "\n      ");
      const text = `<script src="${page.address}faultline-program.js"></script>
        <faultline-program show="source" editable height="400">
      ${indented.replaceAll("<", "&lt;")}
        </faultline-program>`;
      await foreign(page, text, async (frame, other) => {
        await verdict(frame);
        assert.match(await frame.locator(".editor .cm-line").first().innerText(), /^int x = 0;/);
        assert.equal(await isShown(frame, PICTURE), false);
        await frame.locator(".editor .cm-content").click();
        await other.keyboard.press("Control+a");
        await other.keyboard.insertText("void main() { assert(true); }");
        await frame.getByRole("button", { name: /^Run/ }).click();
        await frame.locator(".verdict.safe").waitFor({ timeout: 15_000 });
        await other.evaluate(
          (program) => (document.querySelector("faultline-program").program = program),
          failing,
        );
        await verdict(frame);
      });
      assert.equal(await page.keptProgram(), "", "an embedded page keeps nothing");
    },
  ],
];
