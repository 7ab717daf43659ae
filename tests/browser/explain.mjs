// When does the tab Explain tell what? `node explain.mjs FILE.c …`, after `make page`. For each
// file it prints what stands in the panel of the verdict, and how many milliseconds after pasting.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";

const server = await serve(fileURLToPath(new URL("../../dist", import.meta.url)), 0);
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});

/** In the page: notes each text of the panel, without the seconds in it, and when it came. */
function watch() {
  const began = performance.now();
  const told = [];
  const look = () => {
    const text = document.querySelector(".verdict")?.innerText.replace(/\s+/g, " ").slice(0, 160) ?? "";
    const bare = text.replace(/[\d.,]+ (s|ms)\b/g, "");
    if (told.at(-1)?.bare !== bare) told.push({ bare, text, millis: Math.round(performance.now() - began) });
  };
  setInterval(look, 20);
  window.told = told;
  window.isOver = () => performance.now() - began > 3000 && !document.querySelector(".verdict .progress");
}

for (const file of process.argv.slice(2)) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const faultline = new Faultline(page, address);
  await faultline.open();
  await faultline.chooseAnalysis("Explain");
  await page.evaluate(watch);
  await faultline.write(await readFile(file, "utf8"));
  await faultline.run();
  await page.waitForFunction(() => window.isOver(), null, { timeout: 120_000 });
  console.log(basename(file));
  for (const { millis, text } of await page.evaluate(() => window.told)) console.log(`${String(millis).padStart(7)} ms  ${text}`);
  await context.close();
}
await browser.close();
server.close();
server.closeAllConnections();
