// The first visit, and every visit after it without a network.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../../../.ci/serve.mjs";
import { failing } from "../programs.mjs";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
// 1.6 MB.
const MOST_BYTES = 1_600_000;

/** A server of the test's own, which counts what it sends: { address, sent(), end() }. */
async function ownServer(page, folder = dist) {
  const server = await serve(folder, 0);
  const sockets = [];
  server.on("connection", (socket) => sockets.push(socket));
  page.address = `http://127.0.0.1:${server.address().port}/`;
  return {
    sent: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    end: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

/** The line's speed, in bits per second. */
async function throttle(page, bits) {
  const session = await page.page.context().newCDPSession(page.page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 20, downloadThroughput: bits / 8, uploadThroughput: bits / 8 });
}

/** Waits until the browser has the page for use without a network. */
const keptForOffline = (page) => page.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

/** Waits until what the page fetches goes through the service worker. */
const inControl = (page) =>
  page.page.evaluate(() => navigator.serviceWorker.controller ?? new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done)).then(() => true));

const kept = (page) => page.page.evaluate(() => caches.keys());

/** Has the service worker kept the rest of the engine, and all examples, which come last? */
const hasRest = (page) =>
  page.page.evaluate(async () => {
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    const isKept = (name) => caught.flat().some(({ url }) => name.test(url));
    return isKept(/\/worker-rest-[0-9a-f]{16}\.wasm$/) && isKept(/\/examples-[0-9a-f]{16}\.json$/);
  });

/** Ends the server and the network. */
async function goOffline(page, server) {
  await server.end();
  await page.page.context().setOffline(true);
  await page.reload();
}

/** What only the rest of the engine can do. */
async function recordedInLab(page) {
  await page.chooseAnalysis("Lab");
  await page.recorded();
}

/** Has the browser look for a new deployment now, and not some time after the visit. */
const lookForNew = (page) => page.page.evaluate(() => navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true));

/** Is the newest service worker the one that works? */
const settled = (page) =>
  page.page.evaluate(async () => {
    const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
    return !installing && !waiting && active?.state === "activated";
  });

/** Another version of the page in `folder`: a mark that the app leaves alone and, as a build would,
 * the list's version. */
async function deploy(folder, version) {
  for (const [name, change] of [
    ["index.html", (text) => text.replace(/<html( data-deployed="\w+")?/, `<html data-deployed="${version}"`)],
    ["offline.js", (text) => text.replace(/(version"?:")[^"]*/, `$1${version}`)],
  ]) {
    const file = join(folder, name);
    await writeFile(file, change(await readFile(file, "utf8")));
    await Promise.all([".br", ".gz"].map((extension) => rm(file + extension, { force: true })));
  }
}

const deployed = (page) => page.page.locator("html").getAttribute("data-deployed");

async function example(page) {
  await page.openGallery();
  await page.choose("Division by zero");
  return page.verdict();
}

export const loading = [
  [
    "until the engine is there the page says how much of it is",
    async (page) => {
      await throttle(page, 3e6);
      await page.open();
      const line = page.page.locator(".invitation .loading");
      await line.waitFor();
      const first = await line.innerText();
      assert.match(first, /^Loading the engine: \d\.\d of [1-9]\.\d MB$/);
      await page.once(() => line.innerText(), (text) => text !== first);
      await page.write(failing);
      const waits = page.page.locator(".verdict.running", { hasText: "Loading the engine" });
      await waits.waitFor();
      assert.match(await waits.innerText(), /\d\.\d of [1-9]\.\d MB, then the program is checked/);
      assert.match(await page.verdict(), /can fail/i);
      assert.equal(await page.page.getByText("Loading the engine").count(), 0);
    },
  ],
  [
    "a first visit fetches everything once, compressed, what it keeps for later included",
    async (page) => {
      const asked = [];
      page.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      const server = await ownServer(page);
      try {
        await page.open();
        await page.write(failing);
        await page.run();
        assert.match(await page.verdict(), /can fail/i);
        await keptForOffline(page);
        const modules = asked.filter((path) => path.endsWith(".wasm"));
        assert.equal(modules.length, 2, `${modules}`);
        assert.ok(server.sent() < MOST_BYTES, `${server.sent()} bytes`);
      } finally {
        await server.end();
      }
    },
  ],
  [
    "names with a hash may be kept for ever, the others are asked for again",
    async (page) => {
      const server = await ownServer(page);
      try {
        const headers = async (name, more = {}) => {
          const response = await fetch(page.address + name, { headers: more });
          await response.arrayBuffer();
          return [response.status, response.headers];
        };
        const module = (await readdir(dist)).find((name) => /^worker-[0-9a-f]{16}\.wasm$/.test(name));
        const [, immutable] = await headers(module, { "accept-encoding": "gzip, br" });
        assert.match(immutable.get("cache-control"), /immutable/);
        assert.equal(immutable.get("content-encoding"), "br");
        const [, gzipped] = await headers(module, { "accept-encoding": "gzip" });
        assert.equal(gzipped.get("content-encoding"), "gzip");
        const [, first] = await headers("index.html");
        assert.equal(first.get("cache-control"), "no-cache");
        const [status] = await headers("index.html", { "if-none-match": first.get("etag") });
        assert.equal(status, 304);
      } finally {
        await server.end();
      }
    },
  ],
  [
    "opened once, the page opens and works without a network, and says what it has not loaded",
    async (page) => {
      page.expected.push(/Failed to load resource|request failed|console: |uncaught: /);
      const server = await ownServer(page);
      await page.open();
      await keptForOffline(page);
      await inControl(page);
      assert.match(await example(page), /can fail/i);
      assert.equal(await hasRest(page), false, "a first visit is short of bytes");
      await goOffline(page, server);
      await page.openGallery();
      await page.choose("A lock taken twice");
      await page.page.getByText("The example mailbox.cimple cannot be fetched.").waitFor();
      assert.match(await example(page), /can fail/i, "what was opened before opens again");
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      await page.chooseAnalysis("Lab");
      const missing = page.page.locator(".verdict.faulty");
      await missing.waitFor();
      assert.match(await missing.innerText(), /A part of the engine is missing[^]*no answer/);
      await page.chooseAnalysis("Projection");
      assert.match(await page.verdict(), /can fail/i);
    },
  ],
  [
    "opened twice, all of the page works without a network",
    async (page) => {
      const server = await ownServer(page);
      await page.open();
      await keptForOffline(page);
      await page.reload();
      assert.ok(await page.once(() => hasRest(page), (has) => has));
      await goOffline(page, server);
      assert.match(await example(page), /can fail/i);
      await recordedInLab(page);
    },
  ],
  [
    "opened for long, all of the page works without a network",
    async (page) => {
      await page.page.clock.install();
      const server = await ownServer(page);
      await page.open();
      await page.page.clock.runFor(1000);
      await keptForOffline(page);
      await inControl(page);
      assert.equal(await hasRest(page), false);
      await page.page.clock.runFor("03:00");
      assert.ok(await page.once(() => hasRest(page), (has) => has));
      await server.end();
    },
  ],
  [
    "what was used once is there without a network",
    async (page) => {
      const server = await ownServer(page);
      await page.open();
      await keptForOffline(page);
      assert.match(await example(page), /can fail/i);
      await recordedInLab(page);
      await goOffline(page, server);
      await page.rest();
      await recordedInLab(page);
    },
  ],
  [
    "a new deployment is there at the next visit, and older ones are dropped",
    async (page) => {
      const folder = await mkdtemp(join(tmpdir(), "faultline-"));
      await cp(dist, folder, { recursive: true });
      const server = await ownServer(page, folder);
      try {
        await page.open();
        await keptForOffline(page);
        const [first] = await kept(page);
        for (const version of ["second", "third"]) {
          await deploy(folder, version);
          await page.reload();
          assert.equal(await deployed(page), version);
          await lookForNew(page);
          const names = await page.once(async () => ((await settled(page)) ? kept(page) : []), (found) => found.at(-1) === `faultline-${version}`);
          assert.deepEqual([names.length, names.at(-1)], [2, `faultline-${version}`]);
        }
        assert.ok(!(await kept(page)).includes(first));
        await server.end();
        await page.reload();
        assert.equal(await deployed(page), "third");
        assert.match(await example(page), /can fail/i);
      } finally {
        await server.end().catch(() => {});
        await rm(folder, { recursive: true, force: true });
      }
    },
  ],
];
