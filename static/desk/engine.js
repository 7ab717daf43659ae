// An engine of the comparison's own: a worker that runs one program after the other, and leaves the
// page's work alone.

/** As `util::Budgets` has them, with a clock. */
const BUDGETS = { max_nodes: 8_000_000, max_steps: 2_000_000_000, max_millis: 20_000 };

/** Milliseconds beyond its own clock until a worker counts as silent. */
const SLACK = 10_000;

/** The page has fetched the module before, so it comes from what the browser keeps. */
async function compiled(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the engine cannot be fetched: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

export class Engine {
  #worker = null;
  #next = 1;
  /** What waits for a reply, by number. */
  #open = new Map();

  /** The worker, once it is up. The page's own engine names the files. */
  #start() {
    const names = document.querySelector("meta[name=faultline-engine]").content.split(" ");
    const [script, module] = names.map((name) => new URL(name, document.baseURI));
    return new Promise((up, failed) => {
      const worker = new Worker(script);
      worker.onmessage = ({ data }) => (data.reply === "ready" ? up(worker) : this.#hear(data));
      worker.onerror = (event) => {
        event.preventDefault();
        const error = new Error(`the engine ended: ${event.message}`);
        failed(error);
        for (const { reject } of this.#open.values()) reject(error);
        this.stop();
      };
      compiled(module).then((code) => worker.postMessage(code), failed);
    });
  }

  /** Ends what is under way: its promises never settle. */
  stop() {
    void this.#worker?.then((worker) => worker.terminate()).catch(() => {});
    this.#worker = null;
    this.#open.clear();
  }

  #hear({ id, last, reply }) {
    const request = this.#open.get(id);
    if (!request) return;
    const [what, body] = typeof reply === "string" ? [reply, {}] : Object.entries(reply)[0];
    request.said[what] = body;
    if (!last) return;
    this.#open.delete(id);
    request.resolve(request.said);
  }

  /** Asks; all replies by their names, once the last one is there. */
  async #ask(request) {
    this.#worker ??= this.#start();
    const worker = await this.#worker;
    const id = this.#next++;
    const replies = new Promise((resolve, reject) => {
      this.#open.set(id, { said: {}, resolve, reject });
      // A link may hold options that the worker does not know: then it says nothing.
      setTimeout(() => reject(new Error("The engine gave no answer.")), BUDGETS.max_millis + SLACK);
    });
    worker.postMessage({ id, request, unasked: false });
    return replies;
  }

  /**
   * Checks a program under options, and projects by a method (null: the usual one); if it starts
   * threads, with at most `switches` switches (null: as many as it takes). { problem } if it cannot
   * be read; else { hasThreads, options, verdict, limit, error, steps, lit, switches, bits }, where
   * `lit` are the lines on failing runs, or with threads those of the shown one, and null without
   * any.
   */
  async check({ source, options = {}, method }, switches) {
    const { loaded } = await this.#ask({ load: { source, options } });
    const mistake = loaded?.diagnostics.find(({ severity }) => severity === "error");
    if (mistake) return { problem: `Line ${mistake.line}: ${mistake.message}` };
    if (!loaded) return { problem: "It cannot be read." };
    const hasThreads = loaded.has_threads;
    const report = hasThreads
      ? await this.#threads(switches)
      : await this.#run(source, options, method);
    if (!report) return { problem: "The engine gave no answer." };
    const { verdict, limit, error, trace, projection, width } = report;
    const lit = hasThreads ? trace?.map(({ line }) => line) : projection?.lines;
    return {
      hasThreads,
      verdict,
      limit,
      error,
      steps: trace?.length ?? null,
      lit: lit ? new Set(lit) : null,
      switches: report.switches,
      bound: report.bound,
      bits: width ?? report.options.bits,
    };
  }

  async #run(source, options, method) {
    const how = method && { method };
    const said = await this.#ask({ run: { source, options, budgets: BUDGETS, ...how } });
    const done = (said.widened ?? said.done)?.report;
    return said.improved ? { ...done, ...said.improved.report, projection: done.projection } : done;
  }

  async #threads(switches) {
    const ask = { bound: switches ?? undefined, method: "qadeer-rehof" };
    return (await this.#ask({ threads: { ask, budgets: BUDGETS } })).threaded?.report;
  }
}
