// When does the page answer what? `node answers.mjs FILE …`, after `make page`; a table in
// Markdown. For each file, in a fresh profile: seconds from pasting to the first answer (that a
// program fails may be said before its statements are lit) and to the last one, the most megabytes
// that the browser's process for the page took up meanwhile (with its workers), and the headline.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";
import { resident } from "./memory.mjs";

const LONGEST_MILLIS = 60_000;

const server = await serve(fileURLToPath(new URL("../../dist", import.meta.url)), 0);
const address = `http://127.0.0.1:${server.address().port}/`;

console.log("| file | first answer (s) | last answer (s) | memory (MB) | headline |\n| --- | --- | --- | --- | --- |");
for (const file of process.argv.slice(2)) {
  const launched = await chromium.launchServer({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
  const browser = await chromium.connect(launched.wsEndpoint());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const faultline = new Faultline(page, address);
  await faultline.open();
  await faultline.write(await readFile(file, "utf8"));
  const began = Date.now();
  await faultline.run();
  let first = null;
  let last = null;
  let most = 0;
  let headline = "";
  let idle = 0;
  while (idle < 4 && Date.now() - began < LONGEST_MILLIS) {
    const now = await page.evaluate(() => {
      const verdict = document.querySelector(".verdict");
      return {
        answered: verdict?.matches(".safe, .unsafe, .unknown") ?? false,
        says: /^(Safe|It can fail|No )/.test(verdict?.querySelector("h1")?.innerText ?? ""),
        works: verdict === null || document.querySelector(".verdict.running, .verdict .progress") !== null,
        headline: verdict?.querySelector("h2, .headline, strong")?.innerText ?? verdict?.innerText.slice(0, 80) ?? "",
      };
    });
    if ((now.answered || now.says) && first === null) first = Date.now() - began;
    if (now.answered && now.headline !== headline) [headline, last] = [now.headline, Date.now() - began];
    idle = now.answered && !now.works ? idle + 1 : 0;
    most = Math.max(most, resident(launched));
    await page.waitForTimeout(100);
  }
  const seconds = (millis) => (millis === null ? "none" : (millis / 1000).toFixed(1));
  console.log(`| \`${basename(file)}\` | ${seconds(first)} | ${seconds(last)} | ${Math.round(most)} | ${headline.replace(/\s+/g, " ")} |`);
  await browser.close();
  await launched.close();
}
server.close();
server.closeAllConnections();
