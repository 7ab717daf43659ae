import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";
import { mkdirSync } from "node:fs";
mkdirSync("/tmp/shots", { recursive: true });
const server = await serve("/work/main/dist", 0);
const address = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const sizes = { w: [1440, 900], p: [1280, 720], n: [390, 844] };
const only = process.argv[2];
async function shot(name, size, scheme, use) {
  if (only && !name.startsWith(only)) return;
  const context = await browser.newContext({ viewport: { width: sizes[size][0], height: sizes[size][1] }, colorScheme: scheme, permissions: ["clipboard-read", "clipboard-write"] });
  context.setDefaultTimeout(20000);
  const page = await context.newPage();
  page.on("pageerror", (e) => console.log("error", name, e.message));
  page.on("console", (m) => m.type() === "error" && console.log("console", name, m.text()));
  const f = new Faultline(page, address);
  try { await use(f, page); } catch (e) { console.log(name, size, scheme, e.message.split("\n")[0]); }
  await page.screenshot({ path: `/tmp/shots/${name}-${size}-${scheme}.png` });
  await context.close();
}
const race = async (f, page) => { await f.open(); await f.openGallery(); await f.choose("A data race"); await f.threadsAnswer(); };
const hand = async (f, page) => { await f.open(); await f.openGallery(); await f.choose("One seat, two tickets"); await f.threadsAnswer(); await f.button("By hand").click(); await f.threadsAnswer(); for (let k = 0; k < 4; k++) { const b = page.locator(".choices button").nth(k % 2); await b.click(); await f.threadsAnswer(); } };
const lesson = (name, at) => async (f, page) => { await f.openAddress(`${address}?lesson=${name}&at=${at}`); await page.locator(".lesson .lesson-at").waitFor(); await page.waitForTimeout(2500); };
for (const [size, scheme] of [["w", "light"], ["p", "dark"], ["n", "light"]]) {
  await shot("race", size, scheme, race);
  await shot("hand", size, scheme, hand);
  await shot("lesson2", size, scheme, lesson("02-error-projections", 2));
  await shot("lesson10", size, scheme, lesson("10-threads", 3));
  await shot("lessonlist", size, scheme, async (f, page) => { await f.open(); await page.locator("[data-lessons]:visible").first().click(); await page.locator(".lesson-card").first().waitFor(); });
  await shot("embed", size, scheme, async (f, page) => { await f.open(); await f.openGallery(); await f.choose("A lock taken twice"); await f.verdict(); await f.button("Share").click(); await page.getByRole("button", { name: /^Embed it/ }).click(); await page.getByRole("dialog", { name: "Embed" }).waitFor(); await page.waitForTimeout(3000); });
  await shot("search", size, scheme, async (f, page) => { await f.open(); await f.openGallery(); await f.choose("A lock taken twice"); await f.verdict(); await f.editor().press("Control+f"); await page.getByPlaceholder("Find").fill("acq"); await page.waitForTimeout(500); });
}
await browser.close(); server.close(); server.closeAllConnections();
