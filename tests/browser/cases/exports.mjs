// What leaves the page as a file.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { failing } from "../programs.mjs";

async function failed(page) {
  await page.open();
  await page.write(failing);
  await page.run();
  await page.verdict();
}

/** Chooses from the menu; the file's name and bytes. */
async function exported(page, item) {
  await page.button("Export").click();
  const [download] = await Promise.all([page.page.waitForEvent("download"), page.page.getByRole("menuitem", { name: item }).click()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** Parses a picture in the browser: the number of its boxes, or what is wrong. */
async function drawn(page, text) {
  // In an empty page: this page's content policy has its own idea of styles.
  const empty = await page.page.context().newPage();
  return empty.evaluate((xml) => {
    const picture = new DOMParser().parseFromString(xml, "image/svg+xml");
    const problem = picture.querySelector("parsererror");
    return problem ? problem.textContent : picture.querySelectorAll(".box").length;
  }, text);
}

/** Fails where it reads 42. */
const reads = `#include <stdio.h>
#include <assert.h>
int main(void) {
  int n = 0;
  if (scanf("%d", &n) == 1)
    assert(n != 42);
  return 0;
}
`;

export const exports = [
  [
    "a failing run of a C program as a C file, and what it reads",
    async (page) => {
      await page.open();
      await page.write(reads);
      await page.run();
      await page.verdict();
      const harness = await exported(page, /C harness/);
      const text = harness.bytes.toString("utf8");
      assert.equal(harness.name, "faultline.harness.c");
      assert.ok(text.includes(reads) && text.includes("42\\n"), text);
      const input = await exported(page, /Input of the run/);
      assert.deepEqual([input.name, input.bytes.toString("utf8")], ["faultline.in", "42\n"]);
    },
  ],
  [
    "the picture as SVG: whole, painted, with its styles",
    async (page) => {
      await failed(page);
      const { name, bytes } = await exported(page, /SVG/);
      const text = bytes.toString("utf8");
      assert.equal(name, "faultline.svg");
      assert.equal(await drawn(page, text), await page.boxes().count());
      assert.equal((text.match(/class="box [a-z]+ lit/g) ?? []).length, await page.boxes("lit").count());
      assert.ok(!/var\(|light-dark\(/.test(text), "no style of the page is needed");
      assert.match(text, /class="badge"/);
    },
  ],
  [
    "the picture's colours are the page's",
    async (page) => {
      await failed(page);
      const light = (await exported(page, /SVG/)).bytes.toString("utf8");
      await page.switchTheme();
      const dark = (await exported(page, /SVG/)).bytes.toString("utf8");
      const ground = (text) => Number.parseInt(text.match(/\.ground \{ fill: #(..)/)[1], 16);
      assert.ok(ground(light) > 200 && ground(dark) < 60);
    },
    { colorScheme: "light" },
  ],
  [
    "the picture as PNG, twice as large",
    async (page) => {
      await failed(page);
      const size = await page.page.locator(".picture .world").evaluate((world) => [world.getAttribute("width"), world.getAttribute("height")].map(Number));
      const { name, bytes } = await exported(page, /PNG/);
      assert.equal(name, "faultline.png");
      assert.equal(bytes.subarray(0, 8).toString("hex"), "89504e470d0a1a0a");
      const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      assert.ok(Math.abs(width - 2 * size[0]) <= 2 && Math.abs(height - 2 * size[1]) <= 2, `${width} × ${height} of ${size}`);
      assert.ok(bytes.length > 5_000, "it is not blank");
    },
  ],
  [
    "the graph as DOT and the report as JSON, named after the example",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("A lock taken twice");
      await page.verdict();
      const dot = await exported(page, /DOT/);
      assert.equal(dot.name, "mailbox.dot");
      assert.match(dot.bytes.toString("utf8"), /^digraph faultline \{[^]*subgraph cluster_0[^]*\}\n$/);
      const report = await exported(page, /JSON/);
      assert.equal(report.name, "mailbox.json");
      assert.equal(JSON.parse(report.bytes.toString("utf8")).verdict, "unsafe");
    },
  ],
  [
    "the report of a failing interleaving as JSON has its explanation",
    async (page) => {
      await page.open();
      await page.write("//! globals = zero\nint x;\nthread one { x = 1; }\nthread two { assert(x == 0); }\n");
      await page.chooseAnalysis("Threads");
      await page.threadsAnswer();
      await page.page.locator(".explained").waitFor();
      const { bytes } = await exported(page, /JSON/);
      const { verdict, explanation } = JSON.parse(bytes.toString("utf8"));
      assert.equal(verdict, "unsafe");
      assert.deepEqual(explanation.statements.map((one) => one.statements.map((lit) => lit.line)), [[3], [4]]);
      assert.equal(explanation.correct.common, 0);
    },
  ],
  [
    "the report as one HTML file, which opens from the disk at the step that was shown",
    async (page) => {
      await failed(page);
      await page.chooseAnalysis("Explain");
      await page.explained();
      await page.chooseAnalysis("Projection");
      await page.press("Home");
      await page.press("ArrowRight");
      const { name, bytes } = await exported(page, /HTML/);
      assert.equal(name, "faultline.html");
      const folder = await mkdtemp(join(tmpdir(), "faultline-"));
      try {
        await writeFile(join(folder, name), bytes);
        const other = await page.page.context().newPage();
        const asked = [];
        other.on("request", (request) => asked.push(request.url()));
        await other.goto(pathToFileURL(join(folder, name)).href);
        assert.match(await other.locator("h1").textContent(), /can fail/);
        assert.match(await other.getByRole("status").textContent(), /^Step 2 of /);
        assert.equal(await other.locator(".source .fails, .source .note").count(), 1);
        assert.ok((await other.locator("svg .box.lit").count()) > 0, "the picture is painted");
        assert.match(await other.locator("body").textContent(), /Where to look/);
        await other.getByRole("button", { name: /Next/ }).click();
        assert.match(await other.getByRole("status").textContent(), /^Step 3 of /);
        assert.equal(asked.length, 1, `${asked}`);
        // On paper it is A4, and nothing is wider than what its margins leave.
        const paper = await other.pdf({ preferCSSPageSize: true });
        assert.match(paper.toString("latin1"), /\/MediaBox \[0 0 59[45]\S* 84[12]/);
        await other.emulateMedia({ media: "print" });
        await other.setViewportSize({ width: Math.floor((180 / 25.4) * 96), height: 1000 });
        assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        assert.ok(!(await other.locator(".stepping").isVisible()));
        await other.close();
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  ],
  [
    "in the lab DOT is the automaton as of the step",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("A transducer that pops and grows");
      await page.recorded();
      await page.chooseTask("post*");
      await page.recorded();
      const arrows = (dot) => dot.bytes.toString("utf8").match(/ -> /g)?.length ?? 0;
      const end = await exported(page, /DOT/);
      assert.equal(end.name, "growth.dot");
      assert.match(end.bytes.toString("utf8"), /^digraph "post\*" \{[^]*\}\n$/);
      await page.press("Home");
      const start = await exported(page, /DOT/);
      assert.ok(arrows(start) > 0 && arrows(start) < arrows(end), `${arrows(start)} arrows at the start, ${arrows(end)} at the end`);
    },
  ],
  [
    "the menu works by keys, and offers only what is there",
    async (page) => {
      await page.open();
      await page.page.getByRole("button", { name: "Export" }).focus();
      await page.page.keyboard.press("ArrowDown");
      const focused = () => page.page.evaluate(() => document.activeElement.textContent);
      assert.match(await focused(), /SVG/);
      assert.equal(await page.page.getByRole("menuitem", { name: /SVG/ }).getAttribute("aria-disabled"), "true");
      await page.page.keyboard.press("ArrowDown");
      assert.match(await focused(), /PNG/);
      await page.page.keyboard.press("End");
      await page.page.keyboard.press("ArrowDown");
      assert.match(await focused(), /SVG/);
      await page.page.keyboard.press("Escape");
      await page.page.getByRole("menu").waitFor({ state: "detached" });
      assert.match(await focused(), /^Export/);
    },
  ],
];
