// Measures what many runs leave behind: `node tests/browser/soak.mjs [folder]` (by default `dist`),
// after `make page`; a table in Markdown. One page opens the gallery's examples one after another,
// RUNS times (by default 500), and waits for each verdict. Every 20 runs it notes what the page's
// own script holds after a garbage collection, how much memory the engine of the worker has that
// works, and what the browser's process for the page (with both workers) takes up; in megabytes.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";
import { resident } from "./memory.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../dist", import.meta.url));
const runs = Number(process.env.RUNS ?? 500);
const EVERY = 20;

const server = await serve(folder, 0);
const launched = await chromium.launchServer({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
const browser = await chromium.connect(launched.wsEndpoint());
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
const page = await context.newPage();
const session = await context.newCDPSession(page);
await session.send("Performance.enable");
await page.addInitScript(() => {
  const Real = Worker;
  window.engineBytes = 0;
  window.Worker = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (data?.reply?.alive) window.engineBytes = Number(data.reply.alive.bytes);
      });
    }
  };
});
const person = new Faultline(page, `http://127.0.0.1:${server.address().port}/`);
await person.open();

async function held() {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize").value / 1e6;
}

const titles = async () => {
  await person.openGallery();
  const found = await person.galleryCards().locator("b").allInnerTexts();
  await page.keyboard.press("Escape");
  return found;
};

const examples = await titles();
const rows = [];
for (let run = 1; run <= runs; run++) {
  await person.openGallery();
  await person.choose(examples[(run - 1) % examples.length]);
  await page.locator(".verdict:not(.running, .failing):not(.stale) h1, .verdict.broken").first().waitFor({ timeout: 60_000 });
  if (run % EVERY === 0) {
    const engine = (await page.evaluate(() => window.engineBytes)) / 1e6;
    rows.push([run, await held(), engine, resident(launched)]);
    console.error(rows.at(-1).map((number) => Math.round(number * 10) / 10).join(" "));
  }
}
console.log("| runs | the page's script, MB | the engine, MB | its process, MB |\n| ---: | ---: | ---: | ---: |");
for (const [run, script, engine, all] of rows.filter(([run]) => run === EVERY || run % 100 === 0)) {
  console.log(`| ${run} | ${script.toFixed(1)} | ${engine.toFixed(0)} | ${all.toFixed(0)} |`);
}
await browser.close();
await launched.close();
server.close();
server.closeAllConnections();
