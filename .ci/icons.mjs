// Draws the icons of the installed page: `node .ci/icons.mjs`, after a change of
// `static/icons/icon.svg`. Systems cut a maskable icon to a shape of their own, so it has no
// corners, and the line stays inside the middle four fifths.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "../tests/browser/node_modules/playwright-core/index.mjs";

const folder = fileURLToPath(new URL("../static/icons/", import.meta.url));
const svg = await readFile(`${folder}icon.svg`, "utf8");
const maskable = svg
  .replace(/ rx="\d+"/, "")
  .replace("<path ", '<path transform="translate(51 51) scale(0.8)" ');

const executablePath = process.env.CHROMIUM || "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, size, drawn] of [
  ["icon-192", 192, svg],
  ["icon-512", 512, svg],
  ["maskable-512", 512, maskable],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>* { margin: 0 } svg { display: block }</style>${drawn}`);
  await page.screenshot({ path: `${folder}${name}.png`, omitBackground: true });
}
await browser.close();
