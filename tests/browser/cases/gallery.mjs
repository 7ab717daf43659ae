// The gallery: what a first visitor does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const examples = JSON.parse(readFileSync(new URL("../../../static/examples/index.json", import.meta.url), "utf8"));

const verdictWords = { safe: /^(safe|not reachable)/i, unsafe: /can fail|^reachable/i };

export const gallery = [
  [
    "an empty page invites, and an example is two clicks away",
    async (page) => {
      await page.open();
      assert.equal(await page.program(), "", "a first visit starts with an empty editor");
      await page.openGallery();
      assert.equal(await page.galleryCards().count(), examples.length);
      await page.choose(examples[0].title);
      assert.match(await page.verdict(), verdictWords[examples[0].verdict]);
      assert.match(await page.holdsFor(), /4-bit integers.*globals/i);
      assert.ok((await page.litLines()).length > 0, "lit lines in the source");
      assert.ok((await page.dimLines()).length > 0, "dim lines in the source");
      assert.ok((await page.boxes("lit").count()) > 0, "lit boxes in the picture");
      assert.ok((await page.boxes("dim").count()) > 0, "dim boxes in the picture");
    },
  ],
  [
    "each example in the gallery says what to look at",
    async (page) => {
      await page.open();
      await page.openGallery();
      const text = await page.gallery().innerText();
      for (const { title, look } of examples) {
        assert.ok(text.includes(title), title);
        assert.ok(text.includes(look), look);
      }
    },
  ],
  [
    "every example answers as the gallery promises",
    async (page) => {
      await page.open();
      const times = [];
      // What opens in a refinement is about predicates: its values may be too many to wait for (see
      // there). Threads have tests of their own.
      for (const { title, file, verdict, view } of examples.filter((example) => !["refinement", "threads"].includes(example.view))) {
        await page.openGallery();
        const began = Date.now();
        await page.choose(title);
        assert.equal((await page.analysis()).toLowerCase(), view ?? "projection", `${title} opens on the view that it names`);
        if (view) await page.chooseAnalysis("Projection");
        const said = await page.verdict();
        times.push([Date.now() - began, file]);
        assert.match(said, verdictWords[verdict], title);
        if (verdict === "unsafe") {
          assert.ok((await page.lastStep()) > 0, `${title} has a run to step through`);
          await page.press("End");
          assert.deepEqual(await page.failingLines(), [await page.currentLine()], `${title} ends where it fails`);
          const lit = await page.litLines();
          assert.ok(lit.length > 0, `${title}: something is lit`);
          // The target of a pushdown system is no rule.
          assert.ok(/\.(pds|json)$/.test(file) || lit.includes(await page.currentLine()), `${title}: the failing line is lit`);
        } else {
          assert.deepEqual(await page.litLines(), [], `${title}: nothing is lit`);
        }
      }
      // For the eye, not asserted: a busy machine is no defect of the page.
      for (const [millis, file] of times) console.log(`    ${String(millis).padStart(5)} ms from click to verdict: ${file}`);
    },
  ],
];
