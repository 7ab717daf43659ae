// What does not come, or is not there: the page says so and keeps the program readable.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

/** Keeps a program as an earlier visit would have, before the page starts. */
const keepProgram = (page) => page.page.addInitScript((source) => localStorage.setItem("faultline.program", JSON.stringify({ source })), failing);

/** What the page says instead of starting: { what, why, program }. */
async function told(page, timeout = 10_000) {
  const box = page.page.locator("#start");
  await box.waitFor({ timeout });
  const program = box.getByLabel("Your program");
  return {
    what: await box.locator("h1").innerText(),
    why: await box.locator("p").first().innerText(),
    program: (await program.count()) ? await program.inputValue() : "",
  };
}

/** Opens the page while the files of these names meet a fault. */
async function openWith(page, files, fault) {
  // These faults are the test's own.
  page.expected.push(/Failed to load resource|request failed|console: |uncaught: /);
  await keepProgram(page);
  await page.page.route(files, fault);
  await page.page.goto(page.address, { waitUntil: "commit" });
}

const missing = (route) => route.fulfill({ status: 404, body: "Not found." });
const broken = (route) => route.fulfill({ status: 500, body: "No." });
const never = () => {};

const parts = [
  ["the page's script", /\/app-[0-9a-f]+\.js$/],
  ["the page's WebAssembly", /\/app-[0-9a-f]+\.wasm$/],
  ["the editor's script", /\/editor-[0-9a-f]+\.js$/],
];
const faults = [
  ["is missing", missing],
  ["ends in a server's error", broken],
];

export const starting = [
  ...parts.flatMap(([part, files]) =>
    faults.map(([how, fault]) => [
      `${part} ${how}: the page says so and shows the program`,
      async (page) => {
        await openWith(page, files, fault);
        const { what, why, program } = await told(page);
        assert.equal(what, "Faultline could not start.");
        assert.match(why, /could not be loaded|error/);
        assert.equal(program, failing);
        assert.ok(await page.button("Try again").isVisible());
      },
    ]),
  ),
  ...parts.map(([part, files]) => [
    `${part} never comes: the page says so and shows the program`,
    async (page) => {
      await openWith(page, files, never);
      const { what, program } = await told(page);
      assert.equal(what, "Faultline is still loading.");
      assert.equal(program, failing);
    },
  ]),
  [
    "a browser without WebAssembly is told so, and the program is shown",
    async (page) => {
      await page.page.addInitScript(() => delete globalThis.WebAssembly);
      await openWith(page, "**/no-such-file", never);
      const { what, why, program } = await told(page);
      assert.equal(what, "Faultline could not start.");
      assert.match(why, /WebAssembly/);
      assert.equal(program, failing);
    },
  ],
  [
    "what came late takes the message away",
    async (page) => {
      let late;
      const held = new Promise((done) => (late = done));
      await openWith(page, /\/app-[0-9a-f]+\.wasm$/, async (route) => {
        await held;
        await route.continue();
      });
      await told(page);
      late();
      await page.page.locator("#start").waitFor({ state: "detached" });
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "the content policy is there, and lets nothing of others in",
    async (page) => {
      await page.open();
      const policy = await page.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
      assert.match(policy, /default-src 'none'/);
      page.expected.push(/Content Security Policy|Failed to load|request failed|the page asked/);
      const refused = await page.page.evaluate(async () => {
        const script = document.createElement("script");
        script.textContent = "window.smuggled = true";
        document.body.append(script);
        const asked = await fetch("http://localhost:9/").then(() => "answered", () => "refused");
        return { asked, smuggled: window.smuggled ?? false };
      });
      assert.deepEqual(refused, { asked: "refused", smuggled: false });
    },
  ],
];
