// Runs the browser tests on the built page: `node run.mjs [words]` (only tests whose name has all
// words), after `make page`. LANES tests run at once (by default one more than there are
// processors, three at most: a test often waits), each lane in a browser of its own, since what is
// focused and what is on the clipboard belongs to a browser.
//
// Each test gets an empty profile (`profile.mjs`). It fails if it throws, if it takes longer than
// its time, or if the page writes an error to the console; then it is tried once more, in a fresh
// profile. If it passes then, it counts as passed and is named as flaky at the end ("flaky: NAME:
// PROBLEM"). A failure leaves a screenshot in `out/`, and is told again at the end. The last line
// counts: "12 passed, 0 failed".
import { mkdir, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "../../.ci/serve.mjs";
import { Faultline } from "./faultline.mjs";
import { EmptiedProfile, freshProfile } from "./profile.mjs";
import { tests } from "./cases/index.mjs";

const TEST_MILLIS = 120_000;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const dist = here("../../dist");
if (!existsSync(`${dist}/index.html`)) {
  console.error("There is no page in dist/: run `make page` first.");
  process.exit(1);
}
await rm(here("out"), { recursive: true, force: true });

// Unpacking the modules for each page would be a tenth of all work. What is about compressed copies
// has a server of its own.
const server = await serve(dist, 0, { compressed: false });
const address = `http://127.0.0.1:${server.address().port}/`;
/** A browser. */
const launched = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    headless: true,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--process-per-site"],
  });

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const fits = ([name, , , file]) => words.every((word) => `${file} ${name}`.toLowerCase().includes(word));
const chosen = tests.filter(fits);
const failures = [];
const flaky = [];
const lanes = Number(process.env.LANES ?? Math.min(3, availableParallelism() + 1));
let passed = 0;
let next = 0;
await Promise.all(Array.from({ length: lanes }, lane));
server.close();
server.closeAllConnections();
if (flaky.length > 0) console.log(`\nPassed at the second try only: ${flaky.length}\n${flaky.join("\n")}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map(([name, problem]) => told("✗", name, "", problem)).join("\n")}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 && passed > 0 ? 0 : 1);

/** Runs tests in a browser of its own until none is left. */
async function lane() {
  const browser = await launched();
  const emptied = new EmptiedProfile(browser, address, dist);
  while (next < chosen.length) {
    const [name, body, settings, , alone] = chosen[next++];
    const began = Date.now();
    const took = () => `${((Date.now() - began) / 1000).toFixed(1)} s`;
    const fresh = () => freshProfile(browser, settings);
    const first = await attempt(alone || settings ? fresh : () => emptied.take(), name, body);
    const problem = first && (await attempt(fresh, name, body));
    if (first) await emptied.drop();
    if (problem) {
      failures.push([name, problem === first ? problem : `${problem}\nand at first: ${first}`]);
      console.log(told("✗", name, took(), problem));
    } else {
      passed += 1;
      if (first) flaky.push(`flaky: ${name}: ${first.split("\n")[0]}`);
      console.log(`✓ ${name} (${took()})${first && " at the second try"}`);
    }
  }
  await browser.close();
}

function told(mark, name, took, problem) {
  return `${mark} ${name}${took && ` (${took})`}\n    ${problem.replaceAll("\n", "\n    ")}`;
}

/** Runs one test in the profile that `profile` makes; what went wrong, or "". */
async function attempt(profile, name, body) {
  const { context, giveBack } = await profile();
  const errors = [];
  const watched = (page) => {
    page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(`console: ${message.text()}`);
    });
    page.on("requestfailed", (request) => {
      // A page that is left, or a worker that is ended, while it still loads gives its requests up:
      // nothing is wrong then.
      const reason = request.failure()?.errorText;
      if (reason !== "net::ERR_ABORTED") errors.push(`request failed: ${request.url()} (${reason})`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      // A test may have a server of its own, on another port.
      if (url.protocol.startsWith("http") && url.hostname !== new URL(address).hostname) errors.push(`the page asked ${url.host}`);
    });
  };
  context.on("page", watched);
  const page = await context.newPage();
  const tested = new Faultline(page, address);
  let problem = "";
  let timer;
  try {
    const tooLong = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done after ${TEST_MILLIS / 1000} s`)), TEST_MILLIS);
    });
    await Promise.race([body(tested), tooLong]);
  } catch (error) {
    problem = error.stack ?? String(error);
  } finally {
    clearTimeout(timer);
  }
  const unexpected = errors.filter((error) => !tested.expected.some((pattern) => pattern.test(error)));
  if (unexpected.length > 0) problem = [problem, ...unexpected].filter(Boolean).join("\n");
  if (problem) await picture(page, name);
  context.off("page", watched);
  await giveBack();
  return problem;
}

async function picture(page, name) {
  await mkdir(here("out"), { recursive: true });
  const path = here(`out/${name.replace(/\W+/g, "-")}.png`);
  // The page may be gone; the test's own problem is then the one to tell.
  await page.screenshot({ path, timeout: 5000 }).catch(() => {});
}
