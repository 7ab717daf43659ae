// Light and dark, narrow and wide, keys.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";
import { index } from "../students.mjs";

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
    "whatever the width, the options stay inside of their panel, and the panel inside of the window",
    async (page) => {
      await page.open();
      // C has the longest panel: in its second state a width was chosen.
      await page.write(index);
      await page.verdict();
      for (const chosen of [false, true]) {
        if (chosen) await page.setBits(16);
        for (const width of [390, 640, 768, 901, 1024, 1180, 1240, 1280, 1366, 1440, 1920]) {
          await page.page.setViewportSize({ width, height: 720 });
          await page.withOptions(async (panel) => {
            const out = await panel.evaluate((panel) => {
              const [box, sticksOut] = [panel.getBoundingClientRect(), []];
              if (box.left < 0 || box.right > innerWidth || box.bottom > innerHeight) sticksOut.push("the panel");
              for (const part of panel.querySelectorAll(":not(option)")) {
                const { left, right } = part.getBoundingClientRect();
                if (left < box.left || right > box.right) sticksOut.push(part.outerHTML.slice(0, 60));
              }
              return [...sticksOut, ...(panel.scrollWidth > panel.clientWidth ? ["it scrolls across"] : [])];
            });
            assert.deepEqual(out, [], `${width} pixels`);
          });
        }
      }
    },
  ],
  [
    "on a phone all seven tabs and Lessons are in view",
    async (page) => {
      await failed(page);
      for (const width of [390, 360]) {
        await page.page.setViewportSize({ width, height: 844 });
        const tabs = await page.page.getByRole("tab").all();
        assert.equal(tabs.length, 7);
        const lessons = page.page.locator(".top [data-lessons]");
        for (const part of [...tabs, lessons]) {
          const { x, width: wide } = await part.boundingBox();
          assert.ok(x >= 0 && x + wide <= width, `${await part.innerText()} at ${width}`);
        }
      }
      await page.page.locator(".top [data-lessons]").click();
      await page.page.getByText("Lessons", { exact: true }).last().waitFor();
    },
    { viewport: { width: 390, height: 844 } },
  ],
  [
    "on a phone source, picture and inspector are three views, and one of them is shown",
    async (page) => {
      await failed(page);
      const shown = () => page.page.evaluate(() => [".editor", ".graph-pane", ".inspector"].filter((pane) => document.querySelector(pane).checkVisibility()));
      assert.deepEqual(await shown(), [".editor"]);
      await page.face("Picture");
      assert.deepEqual(await shown(), [".graph-pane"]);
      const picture = await page.page.locator(".graph-pane").boundingBox();
      assert.ok(picture.width > 380 && picture.height > 300, "it has the whole width");
      await page.boxes("lit").first().click();
      await page.face("Inspector");
      assert.deepEqual(await shown(), [".inspector"]);
      assert.match(await page.page.locator(".inspector").innerText(), /some failing run executes it/);
      assert.ok(await page.page.locator(".stepper").isVisible(), "the steps are there in all of them");
      assert.ok(await page.fitsAcross());
      const scrolls = await page.page.evaluate(() => document.documentElement.scrollHeight > innerHeight);
      assert.ok(!scrolls, "nothing lies below the window");
    },
    { viewport: { width: 390, height: 844 } },
  ],
  [
    "a presentation shows source, picture, values and steps, large, and Esc leaves it",
    async (page) => {
      await failed(page);
      const before = (await page.page.locator(".graph-pane").boundingBox()).width;
      await page.press("p");
      await page.page.getByRole("button", { name: "Leave" }).waitFor();
      const shown = (...parts) =>
        page.page.evaluate((parts) => parts.filter((part) => document.querySelector(part).checkVisibility()), parts);
      assert.deepEqual(await shown(".source-bar", ".options", ".logo", ".legend-area"), []);
      const there = [".editor", ".inspector", ".stepper", ".verdict h1"];
      assert.deepEqual(await shown(...there), there);
      await page.once(() => page.smallestLabel(), ([size]) => size >= 11);
      assert.ok((await page.smallestLabel())[0] >= 11, "labels are large");
      const box = (part) => page.page.locator(part).boundingBox();
      const [picture, source, inspector] = await Promise.all([".graph-pane", ".editor", ".inspector"].map(box));
      assert.ok(picture.width > 1.3 * before, `${picture.width} of ${before}`);
      assert.ok(source.height > 200 && inspector.y + inspector.height <= 720, `${source.height}`);
      const step = await page.step();
      await page.press("Home");
      assert.ok((await page.step()) < step, "the steps can be walked");
      await page.press("Escape");
      await page.page.locator(".source-bar").waitFor();
      await page.page.getByRole("button", { name: "Present", exact: true }).click();
      await page.page.getByRole("button", { name: "Leave" }).click();
      await page.page.locator(".source-bar").waitFor();
    },
    { viewport: { width: 1280, height: 720 } },
  ],
  [
    "the code keeps its place beside an answer: half of the window, and in sight on a phone and at twice the size",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("Binary search, off by one");
      await page.verdict();
      for (const [width, height, least] of [[1280, 720, 360], [390, 844, 280], [640, 360, 90]]) {
        await page.page.setViewportSize({ width, height });
        const editor = await page.once(
          () => page.page.locator(".editor").boundingBox(),
          (box) => box && box.height >= least && box.y + box.height <= height,
        );
        assert.ok(editor.height >= least, `${width} by ${height}: ${editor.height}`);
        assert.ok(editor.y + editor.height <= height, `${width} by ${height}: ${editor.y}`);
      }
    },
  ],
  [
    "legend and list of steps fold, and stay so",
    async (page) => {
      await failed(page);
      const list = page.page.locator(".stepper .timeline");
      await page.button("List of steps").click();
      await list.waitFor({ state: "hidden" });
      await page.openLegend();
      await page.button("if callers were mixed up").waitFor();
      await page.reload();
      await page.verdict();
      await page.button("if callers were mixed up").waitFor();
      assert.equal(await list.isVisible(), false);
      await page.button("List of steps").click();
      await list.waitFor();
    },
  ],
  [
    "a link with ?present opens as a presentation",
    async (page) => {
      await failed(page);
      const link = new URL(await page.share());
      link.search = "?present";
      await page.page.goto("about:blank");
      await page.page.goto(link.href);
      await page.page.getByRole("button", { name: "Leave" }).waitFor();
      assert.ok(!(await page.page.locator(".source-bar").isVisible()));
    },
  ],
  [
    "a picture opens with labels of 11 pixels or more, Fit shows all of it, and no arrow is drawn over a label",
    async (page) => {
      await page.open();
      for (const title of ["Binary search, off by one", "Sorting five numbers"]) {
        await page.openGallery();
        await page.choose(title);
        await page.verdict();
        await page.chooseAnalysis("Projection");
        const [size, text] = await page.smallestLabel();
        assert.ok(size >= 11, `${title}: ${text} has ${size} pixels`);
        await page.button("Fit").click();
        const outside = await page.page.evaluate(() => {
          const area = document.querySelector(".picture").getBoundingClientRect();
          const isIn = ({ left, right, top, bottom }) =>
            left >= area.left - 1 && right <= area.right + 1 && top >= area.top - 1 && bottom <= area.bottom + 1;
          const boxes = [...document.querySelectorAll(".picture .box")];
          return boxes.filter((box) => !isIn(box.getBoundingClientRect())).length;
        });
        assert.equal(outside, 0, `${title}: boxes out of view`);
        const above = await page.page.evaluate(() => {
          const label = document.querySelector(".picture .labels");
          return [...document.querySelectorAll(".picture .arrow path")].every((path) => path.compareDocumentPosition(label) & Node.DOCUMENT_POSITION_FOLLOWING);
        });
        assert.ok(above, "labels lie above all arrows");
      }
    },
    { viewport: { width: 1280, height: 720 } },
  ],
  [
    "? opens the help for the tab that is open: three sentences, a picture and the keys; Esc closes it",
    async (page) => {
      await page.open();
      await page.chooseAnalysis("Threads");
      await page.press("?");
      const help = page.page.getByRole("dialog", { name: "Help" });
      await help.waitFor();
      const about = () => help.locator(".help-tab").getAttribute("aria-label");
      assert.equal(await about(), "Threads");
      assert.equal(await help.locator(".brief li").count(), 3);
      assert.match(await help.locator(".brief").innerText(), /lanes/);
      assert.ok((await help.locator(".help-picture").boundingBox()).width > 200, "a picture");
      assert.match(await help.locator(".keys").innerText(), /Ctrl[\s\S]*Threads: one context switch more/);
      await help.getByRole("button", { name: "Lab" }).click();
      assert.equal(await about(), "Lab");
      assert.match(await help.locator(".brief").innerText(), /automaton/);
      await page.page.keyboard.press("Escape");
      await help.waitFor({ state: "hidden" });
    },
  ],
];
