// How long the refinement loop takes in the browser on the thesis's figures, in Markdown:
// `node refinement.mjs [runs [figure]]`, after `make page`. The least of several runs, by the
// worker's clock, with nothing else at work on the page and only the chosen interpolants computed,
// as in the thesis.
import { chromium } from "playwright-core";
import { fileURLToPath } from "node:url";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";

/** Title in the gallery, figure, heuristic as the page calls it, and the thesis's seconds. */
const FIGURES = [
  ["Bubble sort, by strongest interpolants", "6.2", "strongest", "0.15 s"],
  ["Bubble sort, by strongest interpolants", "6.2", "both", "0.8 s"],
  ["Bubble sort, by strongest interpolants", "6.2", "weakest", "15 s"],
  ["An array that does not matter", "6.6", "conciliated", "0.1 s"],
  ["An array that does not matter", "6.6", "weakest", "3.8 s"],
  ["Quicksort, not refined", "6.10", "assume skip, conciliated", "0.1 s"],
  ["Quicksort, not refined", "6.10", "assume skip", "3.5 s"],
  ["Is n ever zero?", "6.11", "assume skip", "0.5 s"],
  ["Is n ever zero?", "6.11", "assume skip, conciliated", "0.5 s"],
];
const runs = Number(process.argv[2] ?? 5);
const only = process.argv[3];

const server = await serve(fileURLToPath(new URL("../../dist", import.meta.url)), 0);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
});
console.log("| figure | heuristic | thesis | here | answer |\n| --- | --- | --- | --- | --- |");
for (const [title, figure, heuristic, thesis] of FIGURES.filter(([, figure]) => !only || figure === only)) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = new Faultline(await context.newPage(), `http://127.0.0.1:${server.address().port}/`);
  await page.open();
  await page.openGallery();
  await page.choose(title);
  await page.refined();
  // The analysis of all values, beside it, may have no end.
  await page.stop().catch(() => {});
  await page.openRefinementOptions();
  const once = page.page.getByLabel("only chosen");
  if (!(await once.isChecked())) await once.check();
  await page.page.getByRole("combobox", { name: "Interpolants" }).selectOption({ label: heuristic });
  const times = [];
  let answer = "";
  // The first run only warms up.
  for (let run = 0; run <= runs; run++) {
    await page.sleep(300);
    if (run > 0) await page.button("Run again").click();
    await page.settle();
    await page.page.locator('.refinement-pane[data-refined="true"]').waitFor({ timeout: 60_000 });
    answer = await page.refinementAnswer();
    const [, number, unit] = answer.match(/at a place, ([\d.]+) (ms|s);?/) ?? [];
    if (run > 0) times.push(Number(number) * (unit === "s" ? 1000 : 1));
  }
  const [said] = answer.match(/\d+ refinements?, at most \d+ predicates?/) ?? [answer.split("\n")[0]];
  const verdict = answer.split("\n")[0].trim();
  console.log(`| ${figure} | ${heuristic} | ${thesis} | ${Math.min(...times)} ms | ${verdict}: ${said} |`);
  await context.close();
}
await browser.close();
server.close();
server.closeAllConnections();
