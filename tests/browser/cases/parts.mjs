// The engine in two parts: a first answer needs the first part alone, and the rest is fetched when
// somebody asks for more.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { serve } from "../../../.ci/serve.mjs";
import { failing, product } from "../programs.mjs";

const dist = fileURLToPath(new URL("../../../dist", import.meta.url));
const example = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const REST = /\/worker-rest-[0-9a-f]{16}\.wasm$/;

/**
 * A server of the test's own: how often the rest was asked for, and whether it sends it.
 * { asked(), isOut, end() }
 */
async function ownServer(page) {
  const server = await serve(dist, 0);
  const [usual] = server.listeners("request");
  let asked = 0;
  const own = {
    isOut: false,
    asked: () => asked,
    end: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
  server.removeAllListeners("request");
  server.on("request", (request, response) => {
    const isRest = REST.test(request.url);
    if (isRest) asked += 1;
    if (isRest && own.isOut) response.writeHead(500, { "content-type": "text/plain" }).end("No.");
    else usual(request, response);
  });
  page.address = `http://127.0.0.1:${server.address().port}/`;
  return own;
}

/** Opens the page on such a server, for one test. */
const served = (body) => async (page) => {
  const server = await ownServer(page);
  try {
    await page.open();
    await body(page, server);
  } finally {
    await server.end();
  }
};

async function checked(page, program) {
  await page.write(program);
  await page.run();
  return page.verdict();
}

/** What a person looks at once there is a verdict: steps, boxes, values. */
async function looked(page) {
  await page.press("Home");
  await page.press("ArrowRight");
  await page.boxes("now").first().click();
  await page.rest();
}

const opened = [
  ["Explain", (page) => page.explained()],
  ["Refinement", (page) => page.refined()],
  ["Threads", (page) => page.threadsAnswer()],
  ["Liveness", (page) => page.livenessAnswer()],
  ["Lab", (page) => page.recorded()],
];

export const parts = [
  [
    "what a person sees first of a program in C or Cimple needs the first part alone",
    served(async (page, server) => {
      await page.openGallery();
      await page.choose("The number without an absolute value");
      assert.match(await page.verdict(), /can fail/i);
      await looked(page);
      for (const program of [failing, example("binary-search.c"), example("student-menu.c"), example("student-factorial.c")]) {
        assert.match(await checked(page, program), /can fail/i);
        await looked(page);
      }
      await page.write("int main() { int x = 1; if (x == 2) x = 3; assert(x == 1); }");
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      await page.boxOfLine(1).first().click();
      await page.rest();
      assert.equal(server.asked(), 0);
    }),
  ],
  [
    "the editor's search is fetched when somebody searches",
    served(async (page) => {
      const fetched = [];
      page.page.on("request", (request) => fetched.push(...(request.url().match(/\/search-[0-9a-f]+\.js$/) ?? [])));
      await page.write(failing);
      assert.equal(fetched.length, 0);
      await page.editor().press("Control+f");
      const field = page.page.getByPlaceholder("Find");
      await field.waitFor();
      assert.equal(fetched.length, 1);
      await field.fill("assert");
      await field.press("Enter");
      assert.equal(await page.page.locator(".editor .cm-searchMatch").innerText(), "assert");
      await field.press("Escape");
      await page.editor().press("Control+d");
      assert.equal(fetched.length, 1);
    }),
  ],
  ...opened.map(([tab, done]) => [
    `the tab ${tab} has the rest fetched, once`,
    served(async (page, server) => {
      assert.match(await checked(page, failing), /can fail/i);
      assert.equal(server.asked(), 0);
      for (const [name, shown] of [[tab, done], ...opened.filter(([name]) => name !== tab)]) {
        await page.chooseAnalysis(name);
        await shown(page);
        assert.equal(server.asked(), 1, name);
      }
    }),
  ]),
  ...["adder.bp", "lift.rem", "counter.pds"].map((file) => [
    `the language of ${file} has the rest fetched, once`,
    served(async (page, server) => {
      const found = await checked(page, example(file));
      assert.match(found, /safe|not reachable/i);
      assert.equal(await checked(page, `${example(file)}\n`), found);
      assert.equal(server.asked(), 1);
    }),
  ]),
  [
    "the witness has the rest fetched",
    served(async (page, server) => {
      await checked(page, failing);
      await page.howItWasFound();
      const [download] = await Promise.all([page.page.waitForEvent("download"), page.button("Save the witness").click()]);
      assert.equal(download.suggestedFilename(), "witness.yml");
      assert.equal(server.asked(), 1);
    }),
  ],
  [
    "work of the rest can be stopped, also inside a long step",
    served(async (page, server) => {
      await page.write(product);
      await page.run();
      await page.waitUntilBusy();
      await page.stop();
      assert.match(await page.verdict(), /^stopped|no answer/i);
      await page.chooseAnalysis("Refinement");
      await page.waitUntilBusy();
      await page.once(async () => server.asked(), (count) => count > 0);
      await page.sleep(500);
      if (await page.isBusy()) await page.stop();
      await page.waitUntilIdle();
      assert.equal(await page.page.locator(".verdict.faulty").count(), 0);
      await page.chooseAnalysis("Projection");
      assert.match(await checked(page, failing), /can fail/i);
    }),
  ],
  [
    "the rest does not come: the page says what is missing, the other tabs work, and trying again helps",
    served(async (page, server) => {
      page.expected.push(/Failed to load resource|console: |uncaught: /);
      server.isOut = true;
      assert.match(await checked(page, failing), /can fail/i);
      await page.chooseAnalysis("Explain");
      const missing = page.page.locator(".verdict.faulty");
      await missing.waitFor();
      assert.match(await missing.innerText(), /A part of the engine is missing[^]*status 500/);
      assert.equal(await page.isBusy(), false);
      await page.chooseAnalysis("Projection");
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await checked(page, example("binary-search.c")), /can fail/i);
      await page.chooseAnalysis("Explain");
      await missing.waitFor();
      server.isOut = false;
      await missing.getByRole("button", { name: "Try again" }).click();
      await page.explained();
    }),
  ],
];
