// What the engine's part of the page meets: no Web Workers, files that do not come, workers that
// end. The page says what is wrong and keeps the program; "Try again" helps once the fault is over.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { serve } from "../../../.ci/serve.mjs";
import { failing, product, safe, walk, wander } from "../programs.mjs";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));

/** Keeps a program as an earlier visit would have, before the page starts. */
const keepProgram = (page, source = failing) =>
  page.page.addInitScript((text) => {
    // An empty page of the browser keeps nothing.
    if (location.protocol.startsWith("http")) localStorage.setItem("faultline.program", JSON.stringify({ source: text }));
  }, source);

/**
 * A server of the test's own, some of whose files meet a fault until it is mended:
 * { mend(), end() }.
 */
async function faultyServer(page, files, fault) {
  // These faults are the test's own.
  page.expected.push(/Failed to load resource|request failed|console: |uncaught: /);
  const server = await serve(dist, 0);
  const [usual] = server.listeners("request");
  let isMended = false;
  server.removeAllListeners("request");
  server.on("request", (request, response) => (!isMended && files.test(request.url) ? fault(response, request, usual) : usual(request, response)));
  page.address = `http://127.0.0.1:${server.address().port}/`;
  return {
    mend: () => (isMended = true),
    end: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}

const status = (code) => (response) => response.writeHead(code, { "content-type": "text/plain" }).end("No.");
const never = () => {};

const parts = [
  ["script", /\/worker-[0-9a-f]+\.js$/],
  ["WebAssembly", /\/worker-[0-9a-f]+\.wasm$/],
];
const faults = [
  ["is missing", status(404), /could not be loaded/],
  ["ends in a server's error", status(500), /could not be loaded/],
  ["never comes", never, /does not come/],
];

/** The fragment of a link to a program on a tab. */
const linkTo = (source, view) => `#v1/${deflateRawSync(JSON.stringify({ source, view })).toString("base64url")}`;

/** Serves the worker's script with a clock that is twenty times as fast. */
async function hasten(response, request) {
  const script = await readFile(dist + new URL(request.url, "http://here").pathname, "utf8");
  const clock = "{ const now = Date.now, began = now(); Date.now = () => began + 20 * (now() - began); }\n";
  response.writeHead(200, { "content-type": "text/javascript" }).end(clock + script);
}

/** Has the page remember what it asks its workers, and whether no person asked for it. */
const watchRequests = (page) =>
  page.page.addInitScript(() => {
    window.requests = [];
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message, ...rest) {
      const { request, unasked } = message ?? {};
      if (request) window.requests.push({ name: typeof request === "string" ? request : Object.keys(request)[0], unasked });
      return post.call(this, message, ...rest);
    };
  });

/** What the page says of its engine, once it says that something is wrong. */
async function wrong(page) {
  await page.page.locator(".verdict.faulty").waitFor({ timeout: 15_000 });
  assert.equal(await page.isBusy(), false, "it does not say that it works");
  assert.equal(await page.page.locator(".top").getByRole("button", { name: /^Stop/ }).count(), 0);
  return page.page.locator(".verdict.faulty h1").innerText();
}

/** Has the page remember its workers, so that a test can end them behind its back. */
const watchWorkers = (page) =>
  page.page.addInitScript(() => {
    const Real = Worker;
    window.workers = [];
    window.Worker = class extends Real {
      constructor(...given) {
        super(...given);
        window.workers.push(this);
      }
    };
  });

/** Ends workers as the system would: nobody is told. */
const endWorkers = (page, which = "all") => page.page.evaluate((which) => (which === "all" ? workers : workers.slice(0, 1)).forEach((worker) => worker.terminate()), which);

async function tryAgain(page) {
  await page.page.locator(".verdict.faulty").getByRole("button", { name: "Try again" }).click();
}

export const engine = [
  ...parts.flatMap(([part, files]) =>
    faults.map(([how, fault, expected]) => [
      `the engine's ${part} ${how}: the page says so, keeps the program, and tries again when asked`,
      async (page) => {
        const server = await faultyServer(page, files, fault);
        try {
          await keepProgram(page);
          await page.open();
          assert.match(await wrong(page), expected);
          assert.equal(await page.program(), failing);
          // The fault is still there: another try ends in the same way.
          await page.run();
          assert.match(await wrong(page), expected);
          server.mend();
          await tryAgain(page);
          assert.match(await page.verdict(), /can fail/i);
          assert.equal(await page.program(), failing);
        } finally {
          await server.end();
        }
      },
    ]),
  ),
  [
    "an engine that comes slowly is not late",
    async (page) => {
      const inPieces = (response, request, usual) => {
        // Twelve pieces, one every second: longer than the page waits for a sign of life.
        const end = response.end.bind(response);
        response.end = (body) => {
          const size = Math.ceil(body.length / 12);
          for (let piece = 0; piece < 12; piece++) {
            setTimeout(() => {
              response.write(body.subarray(piece * size, (piece + 1) * size));
              if (piece === 11) end();
            }, piece * 1000);
          }
        };
        usual(request, response);
      };
      const server = await faultyServer(page, parts[1][1], inPieces);
      try {
        await keepProgram(page);
        await page.page.addInitScript(() => {
          window.wasFaulty = false;
          new MutationObserver(() => (window.wasFaulty ||= document.querySelector(".verdict.faulty") !== null)).observe(document, { subtree: true, childList: true, attributes: true });
        });
        await page.open();
        assert.match(await page.verdict(), /can fail/i);
        assert.equal(await page.page.evaluate(() => window.wasFaulty), false);
      } finally {
        await server.end();
      }
    },
  ],
  [
    "an engine that comes after all takes the message away and runs what waits",
    async (page) => {
      let late;
      const held = new Promise((done) => (late = done));
      const server = await faultyServer(page, parts[1][1], async (response, request, usual) => {
        await held;
        usual(request, response);
      });
      try {
        await keepProgram(page);
        await page.open();
        assert.match(await wrong(page), /does not come/);
        late();
        assert.match(await page.verdict(), /can fail/i);
      } finally {
        await server.end();
      }
    },
  ],
  [
    "a browser without Web Workers is told so, and nothing runs",
    async (page) => {
      page.expected.push(/request failed|console: /);
      await keepProgram(page);
      await page.page.addInitScript(() => delete window.Worker);
      await page.open();
      assert.match(await wrong(page), /cannot be checked here/);
      assert.match(await page.toldOfVerdict(), /Web Workers/);
      await page.page.locator(".top").getByRole("button", { name: /^Run/ }).click();
      assert.match(await wrong(page), /cannot be checked here/);
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "an empty page says that there is no engine, too",
    async (page) => {
      page.expected.push(/request failed|console: /);
      await page.page.addInitScript(() => delete window.Worker);
      await page.open();
      const told = page.page.locator(".invitation").getByRole("alert");
      assert.match(await told.innerText(), /Web Workers/);
      assert.ok(await told.getByRole("button", { name: "Try again" }).isVisible());
    },
  ],
  [
    "workers that end after their answer: the next program is not read for ever",
    async (page) => {
      await watchWorkers(page);
      await page.open();
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      // All of it: also what the picture and the inspector ask.
      await page.rest();
      await endWorkers(page);
      await page.write(safe);
      await page.run();
      assert.match(await wrong(page), /Still working/);
      assert.equal(await page.program(), safe);
      await tryAgain(page);
      assert.match(await page.verdict(), /cannot fail|safe|no error/i);
    },
  ],
  [
    "workers that end while they are busy: the page says so, and the run can be tried again",
    async (page) => {
      await watchWorkers(page);
      await page.open();
      await page.write(walk);
      await page.run();
      await page.waitUntilBusy();
      await page.sleep(500);
      await endWorkers(page);
      assert.match(await wrong(page), /Still working/);
      assert.equal(await page.program(), walk);
      await tryAgain(page);
      await page.waitUntilBusy();
      await page.stop();
      assert.match(await page.verdict(), /no answer|stopped/i);
    },
  ],
  [
    "Stop replaces a worker that has ended",
    async (page) => {
      await watchWorkers(page);
      await page.open();
      await page.write(walk);
      await page.run();
      await page.waitUntilBusy();
      await page.sleep(500);
      await endWorkers(page, "first");
      await page.stop();
      assert.match(await page.verdict(), /no answer|stopped/i);
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
    },
  ],
  [
    "a step that takes long says how far it is, and the page waits for it",
    async (page) => {
      await page.open();
      await page.write(product);
      await page.run();
      await page.waitUntilBusy();
      await page.howItWasFound();
      const nodes = async () => Number((await page.page.locator(".verdict .details > p").first().innerText()).replace(/\D/g, ""));
      const first = await page.once(nodes, (count) => count > 0);
      assert.ok(first > 0);
      assert.ok((await page.once(nodes, (count) => count > first)) > first);
      // Longer than the page waits for a sign of life, or until the budget has run out.
      await page.page.locator(".verdict:not(.running, .failing)").waitFor({ timeout: 9_500 }).catch(() => {});
      assert.equal(await page.page.locator(".verdict.faulty").count(), 0);
      if (await page.isBusy()) await page.stop();
      assert.match(await page.verdict(), /no failure found/i);
    },
  ],
  [
    "a run that a reload begins ends by itself, and goes on when somebody asks",
    async (page) => {
      await keepProgram(page, wander);
      await page.open();
      await page.waitUntilBusy();
      await page.page.locator(".verdict.unknown").waitFor({ timeout: 45_000 });
      // A quick engine has filled its nodes before the half minute is over.
      const told = await page.toldOfVerdict();
      assert.match(told, /half a minute and 1 GB|Try 8-bit numbers|Try fewer variables/);
      await page.button(/half a minute/.test(told) ? "Go on without these limits" : "Search ten times").click();
      await page.waitUntilBusy();
      await page.stop();
      assert.match(await page.verdict(), /stopped/i);
    },
  ],
  [
    "an analysis that a link begins ends by itself, and goes on when somebody asks",
    async (page) => {
      const server = await faultyServer(page, parts[0][1], hasten);
      try {
        await page.open(linkTo(product, "lab"));
        const cut = page.page.locator(".verdict.unknown", { hasText: "half a minute and 1 GB" });
        await cut.waitFor({ timeout: 45_000 });
        assert.match(await page.verdict(), /cut short/i);
        await page.button("Go on without these limits").click();
        await page.waitUntilBusy();
        // Forty seconds by the worker's clock.
        await page.sleep(2_000);
        assert.equal(await cut.count(), 0, "it does not end any more because of who began it");
      } finally {
        await server.end();
      }
    },
  ],
  [
    "every analysis that a link begins has these limits, until somebody asks for it",
    async (page) => {
      await watchRequests(page);
      for (const view of ["refinement", "explain", "threads", "lab"]) {
        await page.open(linkTo(failing, view));
        const asked = () => page.page.evaluate(() => requests.filter(({ name }) => name !== "layout"));
        const of = (name) => page.once(asked, (sent) => sent.some((one) => one.name === name));
        const name = { refinement: "refine" }[view] ?? view;
        const began = (await of(name)).filter((one) => ["run", name].includes(one.name));
        assert.deepEqual(began, [{ name: "run", unasked: true }, { name, unasked: true }], view);
        await page.page.evaluate(() => requests.splice(0));
        const [tab, other] = view === "lab" ? ["Threads", "threads"] : ["Lab", "lab"];
        await page.chooseAnalysis(tab);
        assert.deepEqual((await of(other)).find((one) => one.name === other), { name: other, unasked: false }, view);
      }
    },
  ],
  [
    "a worker that keeps much memory after its answer is replaced, and the answer stays",
    async (page) => {
      await watchWorkers(page);
      await page.open();
      await page.write(failing);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      assert.equal(await page.page.evaluate(() => workers.length), 2);
      // As the worker would say after a large run, which says so again: a sign of life that it has
      // given just now is about less memory.
      const workers = await page.once(
        () =>
          page.page.evaluate(() => {
            const data = { id: 0, last: false, millis: 0, reply: { alive: { bytes: 600_000_000 } } };
            if (workers.length === 2) workers[0].dispatchEvent(new MessageEvent("message", { data }));
            return workers.length;
          }),
        (count) => count === 3,
      );
      assert.equal(workers, 3);
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await page.toldOfVerdict(), /Check again to ask/);
      assert.deepEqual(await page.failingLines(), [15]);
      await page.button("Check again").click();
      assert.match(await page.verdict(), /can fail/i);
      assert.doesNotMatch(await page.toldOfVerdict(), /Check again to ask/);
    },
  ],
];
