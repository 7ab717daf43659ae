// Programs that the browser keeps under names, the questions that were asked, and the comparison of
// two programs, widths or bounds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { aligned, ranges } from "../../../static/desk/aligned.js";
import { failing, safe } from "../programs.mjs";

const example = (name) =>
  readFileSync(new URL(`../../../static/examples/${name}`, import.meta.url), "utf8");

const BUG = `int x;
void main() {
  x = 0;
  if (*)
    x = 7;
  assert(x != 7);
}
`;
const FIX = `int x;
void main() {
  x = 0;
  if (*)
    x = 6;
  // It holds now.
  assert(x != 7);
}
`;

/** The store takes nothing more of this name. */
const fill = (page) =>
  page.page.evaluate(() => {
    const put = Storage.prototype.setItem;
    Storage.prototype.setItem = function (name, value) {
      if (name === "faultline.programs") throw new DOMException("full", "QuotaExceededError");
      put.call(this, name, value);
    };
  });

export const desk = [
  [
    "a list of programs that cannot be read is put aside before another one is written",
    async (page) => {
      await page.open();
      const stored = (key) => page.page.evaluate((key) => localStorage.getItem(key), key);
      await page.page.evaluate(() => localStorage.setItem("faultline.programs", "[{ broken"));
      await page.write(failing);
      await page.keepAs("Mine");
      assert.deepEqual(await page.keptNames(), ["Mine"]);
      assert.equal(await stored("faultline.programs.unread"), "[{ broken");
      // From then on the program is known by the name that it was kept under.
      assert.equal(await page.desk().getByLabel("Name", { exact: true }).inputValue(), "Mine");
    },
  ],
  [
    "programs are kept under names, renamed, deleted with undo; opening one keeps the present one",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.setBits(5);
      await page.keepAs("a bug");
      assert.deepEqual(await page.keptNames(), ["a bug"]);
      await page.closeDesk();
      await page.write(safe);
      await page.keepAs("another bug");
      assert.deepEqual(await page.keptNames(), ["another bug", "a bug"]);
      await page.keptRow("another bug").getByRole("button", { name: "Rename" }).click();
      await page.desk().getByLabel("New name").fill("a proof");
      await page.page.keyboard.press("Enter");
      assert.deepEqual(await page.keptNames(), ["a proof", "a bug"]);
      await page.desk().getByRole("button", { name: "Delete a bug" }).click();
      assert.deepEqual(await page.keptNames(), ["a proof"]);
      await page.desk().getByText("a bug was deleted.").waitFor();
      await page.page.keyboard.press("Enter");
      assert.deepEqual(await page.keptNames(), ["a proof", "a bug"], "undo has the focus");
      await page.closeDesk();
      // The present program has changed: it is kept in its place before another one is opened.
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// mine");
      await page.openDesk();
      await page.keptRow("a bug").getByTitle("Open").click();
      assert.equal(await page.programOnce(failing), failing);
      assert.equal(await page.title(), "a bug");
      assert.match(await page.verdict(), /can fail/i);
      assert.match(await page.holdsFor(), /5-bit/);
      await page.openDesk();
      assert.deepEqual(await page.keptNames(), ["a proof", "a bug"]);
      await page.keptRow("a proof").getByTitle("Open").click();
      assert.equal(await page.programOnce(`${safe}// mine`), `${safe}// mine`);
      await page.reload();
      assert.equal(await page.program(), `${safe}// mine`, "it is the person's own");
      assert.equal(await page.title(), "a proof");
      await page.openDesk();
      assert.equal((await page.keptNames()).length, 2, "nothing was kept twice");
      await page.keepAs("a proof");
      await page.keepAs("a copy");
      assert.deepEqual(await page.keptNames(), ["a copy", "a proof", "a bug"]);
    },
  ],
  [
    "a name that is there already is updated, and undo brings the old text back",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.keepAs("mine");
      await page.closeDesk();
      await page.write(safe);
      await page.keepAs("mine");
      await page.desk().getByText("“mine” was updated").waitFor();
      assert.deepEqual(await page.keptNames(), ["mine"], "no name twice");
      assert.deepEqual(await page.keptTexts(), { mine: safe });
      await page.undoChanges("mine", "Undo");
      assert.deepEqual(await page.keptTexts(), { mine: failing });
      assert.equal(await page.programOnce(failing), failing, "it is open, so the editor has it too");
      await page.undoChanges("mine", "Redo");
      assert.deepEqual(await page.keptTexts(), { mine: safe });
      assert.equal(await page.programOnce(safe), safe);
      assert.deepEqual(await page.violations(), []);
    },
  ],
  [
    "a kept program that is opened and edited is updated, also after a reload, with undo",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.keepAs("mine");
      await page.closeDesk();
      const type = async (text) => {
        await page.editor().click();
        await page.page.keyboard.press("Control+End");
        await page.page.keyboard.type(text);
      };
      const kept = (text) => page.once(() => page.keptTexts(), ({ mine }) => mine === text);
      await type("// one\n");
      assert.deepEqual(await kept(`${failing}// one\n`), { mine: `${failing}// one\n` });
      await page.reload();
      await page.verdict();
      await type("// two\n");
      const edited = `${failing}// one\n// two\n`;
      assert.deepEqual(await kept(edited), { mine: edited });
      // Another visit, with the last letters typed just before the page is left.
      const next = await page.page.context().newPage();
      await type("// three\n");
      await page.page.goto("about:blank");
      await next.close();
      await page.open();
      assert.equal(await page.programOnce(`${edited}// three\n`), `${edited}// three\n`);
      assert.deepEqual(await page.keptTexts(), { mine: `${edited}// three\n` });
      await page.openDesk();
      await page.keptRow("mine").getByText("open now").waitFor();
      await page.undoChanges("mine", "Undo");
      assert.deepEqual(await page.keptTexts(), { mine: failing }, "as it was opened");
      assert.equal(await page.programOnce(failing), failing);
      await page.closeDesk();
      // Another program in its place is none of its changes.
      await page.write(safe);
      await page.run();
      await page.verdict();
      assert.deepEqual(await page.keptTexts(), { mine: failing });
    },
  ],
  [
    "one kept program in two tabs: each text has a name",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.keepAs("mine");
      await page.closeDesk();
      const other = await page.another();
      assert.equal(await other.programOnce(failing), failing);
      const type = async (tab, text) => {
        await tab.page.bringToFront();
        await tab.editor().click();
        await tab.page.keyboard.press("Control+End");
        await tab.page.keyboard.type(text);
      };
      // What is shown in the other tab is the kept program as well.
      await other.openDesk();
      await other.keptRow("mine").getByText("open now").waitFor();
      await other.closeDesk();
      await type(page, "// left");
      await page.once(() => page.keptTexts(), ({ mine }) => mine.endsWith("// left"));
      await type(other, "// right");
      await other.page.getByText("was changed in another tab too. What you have here").waitFor();
      const texts = await page.keptTexts();
      assert.equal(texts.mine, `${failing}// left`);
      assert.equal(texts["mine (2)"], `${failing}// right`);
      await other.page.close();
    },
  ],
  [
    "all of it by the keyboard, and with the rules of accessibility, light and dark",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.page.locator("[data-desk=programs]").focus();
      await page.page.keyboard.press("Enter");
      await page.desk().getByLabel("Name", { exact: true }).focus();
      await page.page.keyboard.press("Control+a");
      await page.page.keyboard.type("mine");
      await page.page.keyboard.press("Enter");
      assert.deepEqual(await page.keptNames(), ["mine"]);
      await page.page.keyboard.press("Tab");
      assert.equal(await page.focusedPart(), "Rename");
      await page.page.keyboard.press("Enter");
      await page.page.keyboard.type("other");
      await page.page.keyboard.press("Escape");
      assert.deepEqual(await page.keptNames(), ["mine"], "Escape leaves the name");
      assert.deepEqual(await page.violations(), []);
      await page.openDesk("Asked");
      assert.deepEqual(await page.violations(), []);
      await page.closeDesk();
      await page.switchTheme();
      await page.openDesk("Compare");
      await page.comparedRows();
      assert.deepEqual(await page.violations(), []);
      await page.closeDesk();
      assert.equal(await page.page.evaluate(() => document.activeElement.dataset.desk), "programs");
    },
  ],
  [
    "where the store is full nothing is lost, and the page says so",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.keepAs("first");
      await page.closeDesk();
      await page.write(safe);
      await fill(page);
      await page.keepAs("second");
      const alert = page.page.getByRole("alert").filter({ hasText: "does not let the page save" });
      await alert.waitFor();
      assert.deepEqual(await page.keptNames(), ["first"]);
      // Another one would take the place of a program that nobody keeps.
      await page.keptRow("first").getByTitle("Open").click();
      await page.page.getByText("cannot be kept, so it stays").waitFor();
      await page.closeDesk();
      assert.equal(await page.program(), safe);
    },
  ],
  [
    "where the browser lets the page keep nothing, Keep says so",
    async (page) => {
      await page.page.addInitScript(() => {
        for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException("blocked", "SecurityError");
            },
          });
      });
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.openDesk();
      await page.desk().getByText("lets the page keep nothing").waitFor();
      await page.keepAs("mine");
      await page.page.locator(".desk-said[role=alert]", { hasText: "does not let the page save" }).waitFor();
      assert.deepEqual(await page.keptNames(), []);
      await page.closeDesk();
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "what was asked is kept with its answer, newest first, and opens on its tab again",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.askedOnce(1);
      await page.write(safe);
      await page.setBits(6);
      await page.run();
      assert.match(await page.verdict(), /^safe/i);
      await page.askedOnce(2);
      await page.openDesk("Asked");
      const [second, first] = await page.askedRows();
      assert.match(second[0], /^Can it fail\?, 6 bits No run fails/);
      assert.match(first[0], /^Can it fail\? Can fail, in line 15/);
      assert.match(first[1], /^Program, /);
      await page.desk().getByTitle("Open").last().click();
      assert.equal(await page.programOnce(failing), failing);
      assert.match(await page.verdict(), /can fail/i);
      // What a reload asks is no question of a person.
      await page.reload();
      await page.verdict();
      await page.sleep(1000);
      assert.equal(await page.askedOnce(2), 2);
      await page.openDesk("Asked");
      await page.desk().getByRole("button", { name: "Clear" }).click();
      await page.desk().getByText("Nothing was asked yet").waitFor();
    },
  ],
  [
    "questions of other tabs, and no more than sixty",
    async (page) => {
      await page.open();
      await page.write(example("threads-three-switches.cimple"));
      await page.chooseAnalysis("Threads");
      await page.run();
      await page.askedOnce(1);
      await page.openDesk("Asked");
      const [[question]] = await page.askedRows();
      assert.match(question, /^Threads Can fail, in line 16, with 3 switches/);
      await page.desk().getByTitle("Open").click();
      await page.page.getByRole("tab", { name: "Threads", selected: true }).waitFor();
      await page.page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem("faultline.asked"));
        const many = Array.from({ length: 60 }, (_, k) => ({ ...kept.asked[0], at: k + 1 }));
        localStorage.setItem("faultline.asked", JSON.stringify({ ...kept, asked: many }));
      });
      await page.chooseAnalysis("Projection");
      await page.write(safe);
      await page.run();
      await page.verdict();
      const newest = () =>
        page.page.evaluate(() => JSON.parse(localStorage.getItem("faultline.asked")).asked[0].tab);
      assert.equal(await page.once(newest, (tab) => tab === "projection"), "projection");
      assert.equal(await page.askedOnce(60), 60);
    },
  ],
  [
    "a fix beside its bug: verdicts, the lines that are lit on one side only; a link restores both",
    async (page) => {
      await page.open();
      await page.write(BUG);
      await page.keepAs("bug");
      await page.closeDesk();
      await page.write(FIX);
      await page.openDesk();
      await page.keptRow("bug").getByRole("button", { name: "Compare" }).click();
      const check = async () => {
        const { Verdict: verdicts, "Fails in": fails } = await page.comparedRows();
        assert.deepEqual(verdicts, ["Can fail", "No run fails"]);
        assert.match(fails[0], /^line 6: /);
        assert.equal(await page.comparedOnly(), "Lit on the left only: 3–6.");
        const rows = await page.desk().locator(".compare-lines > code").allInnerTexts();
        const plain = rows.map((row) => row.replace(/ \(.*\)$/, "").trim());
        // The comment stands beside nothing.
        const at = plain.indexOf("// It holds now.");
        assert.deepEqual([plain[at - 1], plain[at + 1]], ["", "assert(x != 7);"]);
        assert.match(rows[plain.indexOf("x = 7;")], /changed, lit on this side only/);
      };
      await check();
      await page.desk().getByRole("button", { name: "Copy link" }).click();
      await page.desk().getByRole("button", { name: "Copied" }).waitFor();
      const link = await page.page.evaluate(() => navigator.clipboard.readText());
      await page.forgetEverything();
      await page.openAddress(link);
      await check();
      await page.desk().getByRole("button", { name: "Swap" }).click();
      await page.desk().getByText("Lit on the right only: 3–6.").waitFor();
      await page.desk().getByRole("button", { name: "Open left" }).click();
      assert.equal(await page.programOnce(FIX), FIX);
      await page.open("#compare=nothing");
      await page.page.getByText("This link cannot be opened").waitFor();
    },
  ],
  [
    "one program with two widths, and with two bounds on context switches",
    async (page) => {
      await page.open();
      await page.write("int x;\nvoid main() {\n  x = 5;\n  x = x + x;\n  assert(x > 0);\n}\n");
      await page.openDesk("Compare");
      // Of one program alone the second side has another width.
      const first = await page.comparedRows();
      assert.deepEqual(first["Width of int"], ["4 bits", "8 bits"]);
      await page.desk().getByLabel("Width of int, left").selectOption("4");
      await page.desk().getByLabel("Width of int, right").selectOption("8");
      const widths = await page.comparedRows();
      assert.deepEqual(widths["Width of int"], ["4 bits", "8 bits"]);
      assert.deepEqual(widths.Verdict, ["Can fail", "No run fails"], "5 + 5 is -6 in 4 bits");
      await page.closeDesk();
      await page.write(example("threads-three-switches.cimple"));
      await page.settle();
      await page.openDesk("Compare");
      await page.comparedRows();
      for (const [side, bound] of [
        ["left", "2"],
        ["right", "3"],
      ]) {
        await page.desk().getByLabel(`Switches, ${side}`).selectOption(bound);
        await page.comparedRows();
      }
      const bounds = await page.comparedRows();
      assert.deepEqual(bounds.Verdict, ["No failure within the bound", "Can fail"]);
      assert.deepEqual(bounds["Switches until then"], ["", "3"]);
      assert.match(await page.comparedOnly(), /Lit on the right only: /);
    },
  ],
  [
    "one program with two ways to compute the projection: what the naive one keeps; a link restores it",
    async (page) => {
      await page.open();
      await page.write(example("correlation.cimple"));
      await page.openDesk("Compare");
      await page.comparedRows();
      await page.desk().getByLabel("Width of int, right").selectOption("4");
      await page.comparedRows();
      await page.desk().getByLabel("Projection by, right").selectOption("naive");
      await page.comparedRows();
      assert.equal(await page.comparedOnly(), "Lit on the right only: 4.");
      await page.desk().getByRole("button", { name: "Copy link" }).click();
      await page.desk().getByRole("button", { name: "Copied" }).waitFor();
      const link = await page.page.evaluate(() => navigator.clipboard.readText());
      await page.forgetEverything();
      await page.openAddress(link);
      await page.comparedRows();
      assert.equal(await page.comparedOnly(), "Lit on the right only: 4.");
      await page.desk().getByRole("button", { name: "Open right" }).click();
      await page.verdict();
      assert.deepEqual(await page.litLines(), [4, 8, 12, 17]);
    },
  ],
  [
    "on a phone all of it fits across, and can be pressed",
    async (page) => {
      await page.open();
      await page.write(BUG);
      await page.run();
      await page.verdict();
      await page.keepAs("mine");
      for (const view of ["Programs", "Asked", "Compare"]) {
        await page.openDesk(view);
        if (view === "Compare") await page.comparedRows();
        const wide = await page.desk().evaluate((dialog) => {
          const across = dialog.getBoundingClientRect();
          const out = (part) =>
            !part.closest(".compare-lines") &&
            part.getBoundingClientRect().right > across.right + 1;
          return [...dialog.querySelectorAll("*")]
            .filter(out)
            .map((part) => part.className || part.tagName);
        });
        assert.deepEqual(wide, [], view);
        assert.deepEqual(
          (await page.smallTargets()).filter((told) => !/^(link|line-link)/.test(told)),
          [],
          view,
        );
      }
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  ],
  [
    "a program that cannot be read says so in a comparison",
    async (page) => {
      await page.open();
      await page.write("void main() { y = 1; }\n");
      await page.openDesk("Compare");
      const { Verdict: verdicts } = await page.comparedRows();
      assert.match(verdicts[0], /^Line 1: unknown name/);
      await page.desk().getByText("Which lines differ is not known").waitFor();
    },
  ],
  [
    "lines beside each other: all of both texts in order, with as many equal lines as there can be",
    async () => {
      let seed = 7;
      const next = (below) => (seed = (seed * 48271) % 2147483647) % below;
      const text = () => Array.from({ length: next(10) }, () => "abc"[next(3)]);
      const longest = (a, b) => {
        const most = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0));
        for (let i = a.length - 1; i >= 0; i--)
          for (let j = b.length - 1; j >= 0; j--)
            most[i][j] =
              a[i] === b[j] ? most[i + 1][j + 1] + 1 : Math.max(most[i + 1][j], most[i][j + 1]);
        return most[0][0];
      };
      for (let time = 0; time < 2000; time++) {
        const [a, b] = [text(), text()];
        const rows = aligned(a, b);
        const told = `${a} | ${b}: ${JSON.stringify(rows)}`;
        for (const [k, lines] of [a, b].entries()) {
          const numbers = rows.map((row) => row[k]).filter((line) => line !== null);
          assert.deepEqual(
            numbers,
            lines.map((_, index) => index + 1),
            told,
          );
        }
        const equal = rows.filter(([i, j]) => i && j && a[i - 1] === b[j - 1]).length;
        assert.ok(equal >= longest(a, b), told);
      }
      assert.deepEqual(aligned(["a"], ["  a "]), [[1, 1]], "blanks do not count");
      assert.equal(ranges([1, 2, 3, 5, 7, 8]), "1–3, 5, 7–8");
    },
  ],
];
