// Measures a first visit: `node tests/browser/first_visit.mjs [folder]` (by default `dist`), after
// `make page`; a table in Markdown. In a fresh profile a person opens the page over a line of a
// given speed, pastes a program as soon as there is an editor, and waits for the verdict. Times are
// the least of BEST visits (by default 3), in seconds. Bytes are all that the server sends, until
// the browser has kept the page for use without a network.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";
import { failing } from "./programs.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../dist", import.meta.url));
const best = Number(process.env.BEST ?? 3);
/** Name, bits per second, milliseconds of latency. */
const lines = [
  ["this machine's own", 0, 0],
  ["10 Mbit/s, 40 ms", 10e6, 40],
  ["1.6 Mbit/s, 150 ms", 1.6e6, 150],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});

async function visit(bits, latency) {
  const server = await serve(folder, 0);
  const sockets = [];
  server.on("connection", (socket) => sockets.push(socket));
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  if (bits > 0) {
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: bits / 8, uploadThroughput: bits / 8 });
  }
  const person = new Faultline(page, `http://127.0.0.1:${server.address().port}/`);
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  await page.goto(person.address, { waitUntil: "commit", timeout: 120_000 });
  await person.editor().waitFor({ timeout: 120_000 });
  const editor = seconds();
  await person.write(failing);
  await page.locator(".verdict.unsafe").waitFor({ timeout: 120_000 });
  const verdict = seconds();
  const offline = await page.locator("meta[name=faultline-offline]").count();
  if (offline > 0) await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await context.close();
  server.close();
  server.closeAllConnections();
  return { editor, verdict, bytes: sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0) };
}

console.log("| line | editor | first verdict | MB in all |\n| --- | ---: | ---: | ---: |");
for (const [name, bits, latency] of lines) {
  const visits = [];
  for (let k = 0; k < best; k++) visits.push(await visit(bits, latency));
  const least = (key) => Math.min(...visits.map((one) => one[key]));
  console.log(`| ${name} | ${least("editor").toFixed(1)} | ${least("verdict").toFixed(1)} | ${(least("bytes") / 1e6).toFixed(2)} |`);
}
await browser.close();
