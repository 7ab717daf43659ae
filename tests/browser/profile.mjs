// The profiles in which the browser tests run.
//
// A fresh one compiles the page's WebAssembly anew: some 2 s of a processor, most of what a short
// test costs. So most tests share a profile that is emptied after each of them. A page of the same
// site stays open in it and holds the compiled modules; the tests' pages, which run in its process
// (`--process-per-site`), find them there. It allows no service worker, which would store all files
// of the page for each test, and asks for reduced motion: frames between two looks are an eighth of
// the work. Tests with a fresh profile have both.
import { readdirSync } from "node:fs";

const SETTINGS = { viewport: { width: 1440, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] };

/** Most tests begin with an empty editor, as who has cleared it finds it. */
function cleared() {
  try {
    if (localStorage.getItem("faultline.program") === null) localStorage.setItem("faultline.program", '{"source":""}');
  } catch {
    // A document without a store.
  }
}

/** `firstVisit`: the browser knows nothing of the page, which then shows its example. */
async function newContext(browser, { firstVisit = false, ...settings }) {
  const context = await browser.newContext({ ...SETTINGS, ...settings });
  context.setDefaultTimeout(10_000);
  if (!firstVisit) await context.addInitScript(cleared);
  return context;
}

/** A profile for one test, with settings of its own. */
export async function freshProfile(browser, settings = {}) {
  const context = await newContext(browser, settings);
  return { context, giveBack: () => context.close() };
}

/** A profile that one test after another takes and gives back; it is empty whenever it is taken. */
export class EmptiedProfile {
  #browser;
  #address;
  #modules;
  #context;
  #holder;

  /** `address`: the page's, with a slash at its end; `dist`: its folder. */
  constructor(browser, address, dist) {
    this.#browser = browser;
    this.#address = address;
    this.#modules = readdirSync(dist).filter((name) => name.endsWith(".wasm"));
  }

  async take() {
    if (!this.#context) {
      this.#context = await newContext(this.#browser, {
        serviceWorkers: "block",
        reducedMotion: "reduce",
      });
      this.#holder = await this.#context.newPage();
      // Any file of the server is a page of the site; this one asks for nothing.
      await this.#holder.goto(`${this.#address}licences.txt`);
      await this.#holder.evaluate(
        async (names) => (self.held = await Promise.all(names.map((name) => WebAssembly.compileStreaming(fetch(name))))),
        this.#modules.map((name) => this.#address + name),
      );
    }
    return { context: this.#context, giveBack: () => this.#empty().catch(() => this.drop()) };
  }

  async #empty() {
    for (const page of this.#context.pages()) if (page !== this.#holder) await page.close();
    await this.#context.clearCookies();
    const session = await this.#context.newCDPSession(this.#holder);
    await session.send("Storage.clearDataForOrigin", { origin: new URL(this.#address).origin, storageTypes: "all" });
    await session.detach();
  }

  /** The next test gets a new profile: after a failure nobody knows what this one holds. */
  async drop() {
    const context = this.#context;
    this.#context = undefined;
    // Its process may be gone.
    await context?.close().catch(() => {});
  }
}
