// What stands behind "safe": the invariant of a place, the witness to take away; and a limit that
// is hit again and again.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { failing } from "../programs.mjs";

const counting = `//! bits = 4
int total = 0;
void add(int n) {
  total = total + n;
}
void main() {
  int i = 0;
  while (i < 3) {
    add(2);
    i = i + 1;
  }
  assert(total == 6);
}
`;

/** Saves the witness; its text. */
async function witness(page) {
  await page.howItWasFound();
  const [download] = await Promise.all([page.page.waitForEvent("download"), page.button("Save the witness").click()]);
  assert.equal(download.suggestedFilename(), "witness.yml");
  return readFile(await download.path(), "utf8");
}

export const proofs = [
  [
    "of a safe program, each place says what always holds there",
    async (page) => {
      await page.open();
      await page.write(counting);
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      assert.match(await page.howItWasFound(), /inductive invariant.*a separate check confirmed/i);
      await page.boxOfLine(12).click();
      const last = await page.inspectorText(/here always/i);
      // i is not read any more, so nothing need be known of it.
      assert.match(last, /total = 6/);
      // Inside a procedure the invariant speaks of its entry.
      await page.boxOfLine(4).click();
      const entered = await page.inspectorText(/at entry/);
      assert.match(entered, /total = total at entry/);
      assert.match(entered, /when add was entered/);
    },
  ],
  [
    "the witness of either verdict is saved as a file",
    async (page) => {
      await page.open();
      await page.write(counting);
      await page.run();
      await page.verdict();
      const invariants = await witness(page);
      assert.match(invariants, /entry_type: invariant_set/);
      assert.match(invariants, /type: loop_invariant[\s\S]*line: 8\n/);
      await page.write(failing);
      await page.run();
      await page.verdict();
      const run = await witness(page);
      assert.match(run, /entry_type: violation_sequence/);
      assert.match(run, /type: target[\s\S]*line: 15\n/);
      assert.match(run, /creation_time: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/);
    },
  ],
  [
    "a node limit, hit a hundred times in a row, does a worker no harm",
    async (page) => {
      await page.open();
      const { limits, last } = await page.page.evaluate(async (source) => {
        const [script, wasm] = document.querySelector("meta[name=faultline-engine]").content.split(" ");
        const worker = new Worker(script);
        worker.postMessage(await WebAssembly.compileStreaming(fetch(wasm)));
        const replies = [];
        let wake = () => {};
        worker.onmessage = (event) => (replies.push(event.data), wake());
        worker.onerror = (event) => (replies.push({ error: event.message }), wake());
        const next = async (wanted) => {
          for (;;) {
            while (replies.length > 0) {
              const { id, reply, error } = replies.shift();
              if (error) throw new Error(error);
              if (reply === wanted) return { id };
              if (reply[wanted]) return { id, ...reply[wanted] };
            }
            await new Promise((done) => (wake = done));
          }
        };
        await next("ready");
        const run = async (id, max_nodes) => {
          const budgets = { max_nodes, max_steps: 2_000_000_000 };
          worker.postMessage({ id, request: { run: { source, options: {}, budgets } } });
          const done = await next("done");
          if (done.id !== id) throw new Error(`${done.id} instead of ${id}`);
          return { verdict: done.report.verdict, limit: done.report.limit };
        };
        const limits = [];
        for (let id = 1; id <= 100; id += 1) limits.push(await run(id, 60));
        const last = await run(101, 8_000_000);
        worker.terminate();
        return { limits, last };
      }, counting.replace("add(2);", "if (*) skip; add(2);"));
      assert.equal(limits.length, 100);
      for (const one of limits) assert.deepEqual(one, { verdict: "unknown", limit: "nodes" });
      assert.equal(last.verdict, "safe");
    },
  ],
];
