// The gallery: what a first visitor does.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const examples = JSON.parse(readFileSync(new URL("../../../static/examples/index.json", import.meta.url), "utf8"));

const badgeWords = { safe: /^(safe|not reachable)$/, unsafe: /^(can fail|reachable)$/, holds: /^holds$/, violated: /^violated$/, fails: /^a test fails$/, differs: /^differs$/, exercise: /^to solve$/ };
const verdictWords = { safe: /^(safe|not reachable)/i, unsafe: /can fail|^reachable/i };

// Programs as students write them, with what a teacher would say about each.
const students = [
  ["student-sum.c", /can fail: array index outside at line 11/, /index i is 5, and the array a has 5 elements, 0 to 4/],
  ["student-search.c", /can fail: array index outside at line 13/, /index mid is 8, and the array a has 8 elements, 0 to 7/],
  ["student-factorial.c", /can fail: signed overflow at line 6/, /13 \* 479001600 = 6227020800, but a signed integer of 32 bits holds only/],
  ["student-menu.c", /can fail: assertion at line 27/, /choice is 1 and price is 2/],
  ["student-matrix.c", /can fail: array index outside at line 12/, /first index i is 2, and the array m has 2 rows, 0 to 1/],
  ["student-bank.c", /can fail with 4 switches, not with fewer/, /balance is 100/],
];

export const gallery = [
  [
    "an empty page invites, and an example is two clicks away",
    async (page) => {
      await page.open();
      assert.equal(await page.program(), "", "a first visit starts with an empty editor");
      await page.openGallery();
      const cards = await page.once(() => page.galleryCards().count(), (count) => count === examples.length);
      assert.equal(cards, examples.length);
      await page.choose(examples[0].title);
      assert.match(await page.verdict(), verdictWords[examples[0].verdict]);
      assert.match(await page.holdsFor(), /int of 32 bits.*globals/i);
      assert.ok((await page.litLines()).length > 0, "lit lines in the source");
      assert.ok((await page.dimLines()).length > 0, "dim lines in the source");
      await page.boxes("lit").first().waitFor();
      await page.boxes("dim").first().waitFor();
    },
  ],
  [
    "a first visit finds an example with its answer; a paste replaces it, and it does not come back",
    async (page) => {
      await page.open();
      assert.match(await page.verdict(), verdictWords[examples[0].verdict]);
      assert.match(await page.program(), /attempts|asked/);
      assert.equal(await page.page.evaluate(() => location.hash), "", "it is no link");
      await page.button("clear the editor").waitFor();
      await page.page.locator(".cm-line").nth(10).click();
      await page.button("clear the editor").waitFor({ state: "detached" });
      await page.page.locator(".inspector", { hasText: "Line 11" }).waitFor();
      await page.page.evaluate(() => navigator.clipboard.writeText("int main(void) { return 1 / 0; }\n"));
      await page.page.keyboard.press("Control+v");
      assert.match(await page.program(), /^int main\(void\) \{ return 1 \/ 0; \}\s*$/);
      assert.match(await page.verdict(), /division by zero/);
      await page.page.keyboard.press("Control+a");
      await page.page.keyboard.press("Delete");
      await page.reload();
      assert.equal((await page.program()).trim(), "");
    },
    { firstVisit: true },
  ],
  [
    "Del takes the example of a first visit away, and undo brings it back",
    async (page) => {
      await page.open();
      const example = await page.once(() => page.program(), (text) => text !== "");
      await page.verdict();
      await page.page.keyboard.press("Delete");
      await page.once(() => page.program(), (text) => text === "");
      await page.page.keyboard.press("Control+z");
      assert.equal(await page.once(() => page.program(), (text) => text !== ""), example);
    },
    { firstVisit: true },
  ],
  [
    "students' programs, one after another: each card opens on what a teacher would say, without a click",
    async (page) => {
      await page.open();
      for (const [file, headline, values] of students) {
        await page.openGallery();
        await page.choose(examples.find((example) => example.file === file).title);
        assert.match(await page.verdict(), headline, file);
        assert.match(await page.shownVerdict(), values, file);
      }
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
    "the gallery is in topics; search finds words of titles, languages, verdicts and papers",
    async (page) => {
      await page.open();
      await page.openGallery();
      const topics = page.gallery().getByRole("navigation", { name: "Topics" }).getByRole("button");
      const names = await topics.locator("span").allInnerTexts();
      assert.deepEqual(names.slice(0, 13), ["Lessons", "Start here", "C", "Java", "Memory", "Tests and references", "Exercises", "Error projections", "Refinement", "Causes", "Threads", "Liveness", "Pushdown systems"]);
      assert.equal(names.length, 18, "and the five papers");
      await topics.filter({ hasText: "Focus-statement sequences" }).click();
      const [list, group] = await Promise.all([".gallery-list", "#topic-figures-focus"].map((part) => page.gallery().locator(part).boundingBox()));
      assert.ok(Math.abs(group.y - list.y) < 12, "the topic is scrolled to the top");

      assert.deepEqual(await page.searchGallery("lock taken twice"), ["A lock taken twice"]);
      const safe = await page.searchGallery("safe c threads");
      assert.ok(safe.length > 0);
      for (const title of safe) {
        const entry = examples.find((example) => example.title === title);
        assert.equal(entry.verdict, "safe", title);
      }
      assert.deepEqual(await page.searchGallery("no such words"), []);
      assert.match(await page.gallery().innerText(), /No example has all of these words/);
      assert.deepEqual(await page.searchGallery("  "), await page.searchGallery(""));
    },
  ],
  [
    "each card has its language, its verdict and a picture in which what fails is lit",
    async (page) => {
      await page.open();
      await page.openGallery();
      const cards = await page.galleryCards().evaluateAll((all) =>
        all.map((card) => ({
          title: card.querySelector("b").innerText,
          badges: [...card.querySelectorAll(".badge-word")].map((badge) => badge.innerText),
          marks: card.querySelectorAll(".thumbnail .lit, .thumbnail .fails").length,
          drawn: card.querySelectorAll(".thumbnail > *").length,
        })),
      );
      for (const { title, badges, marks, drawn } of cards) {
        const { verdict, file } = examples.find((example) => example.title === title);
        assert.match(badges[0], badgeWords[verdict], title);
        assert.equal(badges[1] === "C", file.endsWith(".c"), title);
        assert.ok(drawn > 2, `${title} has a picture`);
        assert.ok(["safe", "holds", "exercise"].includes(verdict) || marks > 0, `${title}: what fails is lit`);
      }
    },
  ],
  ...["start", "c", "java", "memory", "projections", "causes", "pushdown", "figures"].map((topic) => [
    `every example answers as the gallery promises: ${topic}`,
    (page) => answers(page, examples.filter((example) => example.topic.startsWith(topic) && (topic !== "c" || example.topic === "c"))),
  ]),
  [
    "of every example with tests one fails, or it differs from its reference",
    (page) => answersTests(page, examples.filter(({ view }) => view === "tests")),
  ],
];

/** Programs with tests, or with a reference from which they differ. */
async function answersTests(page, chosen) {
  await page.open();
  for (const { title, verdict } of chosen) {
    await page.openGallery();
    await page.choose(title);
    assert.equal(await page.analysis(), "Tests", title);
    const verdictOf = (tone) => page.page.locator(`.verdict[data-tab="tests"].${tone}`).waitFor({ timeout: 30_000 });
    await page.button("Run tests").first().click();
    await verdictOf(verdict === "differs" ? "safe" : "unsafe");
    if (verdict === "differs") {
      await page.button("Find a difference").click();
      await page.button("Keep as a test").waitFor({ timeout: 30_000 });
    }
  }
}

/**
 * What opens in a refinement is about predicates: its values may be too many to wait for (see
 * there). Threads and tests have tests of their own.
 */
async function answers(page, chosen) {
  await page.open();
  const times = [];
  for (const { title, file, verdict, view } of chosen.filter((example) => !["refinement", "threads", "tests"].includes(example.view))) {
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
      // The target of a pushdown system is no rule, and a clause of a contract no statement.
      assert.ok(/\.(pds|json)$|^contract-/.test(file) || lit.includes(await page.currentLine()), `${title}: the failing line is lit`);
    } else {
      assert.deepEqual(await page.litLines(), [], `${title}: nothing is lit`);
    }
  }
  // For the eye, not asserted: a busy machine is no defect of the page.
  for (const [millis, file] of times) console.log(`    ${String(millis).padStart(5)} ms from click to verdict: ${file}`);
}
