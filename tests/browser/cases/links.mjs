// Links restore program, options and step; a bad one says what is wrong and loses nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { failing, safe } from "../programs.mjs";

const mailbox = readFileSync(new URL("../../../static/examples/mailbox.cimple", import.meta.url), "utf8");

async function badLink(page, fragment, message) {
  await page.open();
  await page.write(safe);
  await page.open(fragment);
  assert.match(await page.noticeOnce(message), message);
  assert.equal(await page.programOnce(safe), safe, "the program of the last visit is still there");
}

export const links = [
  [
    "a shared link opens on the same program, options and step",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.setGlobals("zero");
      await page.setBits(5);
      await page.run();
      await page.verdict();
      await page.press("Home");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      const [step, line] = [await page.step(), await page.currentLine()];
      const link = await page.share();
      assert.match(link, /#v1\//);

      await page.forgetEverything();
      await page.openAddress(link);
      assert.equal(await page.program(), failing);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      assert.match(await page.holdsFor(), /5-bit integers.*globals zero/i);
      assert.equal(await page.step(), step);
      assert.equal(await page.currentLine(), line);
    },
  ],
  ["a broken link is named, and nothing is lost", (page) => badLink(page, "#v1/7ZzAAAAnotalink", /broken/i)],
  ["a link with characters that no link has is named", (page) => badLink(page, "#v1/%%%", /broken/i)],
  ["a link of another version is named", (page) => badLink(page, "#v9/AAAA", /version/i)],
  ...["#p=%%%", "#z=!!!!", "#nonsense"].map((fragment) => [
    `a fragment that is no link at all is named as a broken one: ${fragment}`,
    (page) => badLink(page, fragment, /cannot be opened: the link is broken.*still here/i),
  ]),
  [
    "a broken link that is typed into an open page leaves what is there",
    async (page) => {
      await page.open();
      await page.write(safe);
      await page.verdict();
      await page.page.evaluate(() => void (location.hash = "#nonsense"));
      assert.match(await page.noticeOnce(/broken/i), /the link is broken/i);
      assert.equal(await page.program(), safe);
      // An empty page has no program to speak of.
      await page.forgetEverything();
      await page.open("#nonsense");
      assert.doesNotMatch(await page.noticeOnce(/broken/i), /still here/i);
    },
  ],
  [
    "a page that is not there leads home, at any depth",
    async (page) => {
      page.expected.push(/404/);
      for (const missing of ["no-such-page", "no/such/page.html"]) {
        const answer = await page.page.goto(page.address + missing);
        assert.equal(answer.status(), 404);
        const link = page.page.getByRole("link", { name: "To Faultline" });
        const target = () => link.evaluate(({ href }) => href);
        assert.equal(await page.once(target, (href) => href === page.address), page.address);
        assert.deepEqual(await page.violationsInLightAndDark(), []);
        await link.click();
        await page.editor().waitFor();
      }
    },
  ],
  ["an over-long link is named", (page) => badLink(page, `#v1/${"A".repeat(40_000)}`, /longer than|too long/i)],
  [
    "a program that is too long for a link is refused in words",
    async (page) => {
      await page.open();
      // Text that does not compress: pseudo-random comments from a fixed seed.
      let seed = 1;
      const random = () => (seed = (seed * 48271) % 2147483647).toString(36);
      await page.write(`void main() { skip; }\n${Array.from({ length: 6000 }, () => `// ${random()}${random()}`).join("\n")}\n`);
      assert.match(await page.shareRefused(), /longer than|too long/i);
    },
  ],
  [
    "the address follows the example, the tab and the step, and Back goes back",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.fragmentOnce(/^#v1/);
      await page.openGallery();
      await page.choose("A lock taken twice");
      await page.verdict();
      assert.match(await page.fragmentOnce(/^#e=mailbox\.cimple&step=/), /^#e=mailbox\.cimple&step=\d+(&line=\d+)?$/);
      const entries = await page.historyLength();
      await page.press("Home");
      assert.match(await page.fragmentOnce(/step=0/), /^#e=mailbox\.cimple&step=0/);
      assert.equal(await page.historyLength(), entries, "a step is no entry of the history");
      await page.chooseAnalysis("Refinement");
      await page.refined();
      assert.match(await page.fragmentOnce(/tab=refinement/), /^#e=mailbox\.cimple&tab=refinement/);
      assert.equal(await page.historyLength(), entries + 1);
      await page.back();
      assert.equal(await page.analysis(), "Projection");
      assert.equal(await page.step(), 1, "it stands where it was left");
      await page.back();
      assert.equal(await page.programOnce(failing), failing);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      await page.forward();
      assert.equal(await page.programOnce(mailbox), mailbox);
      await page.forward();
      assert.equal(await page.analysis(), "Refinement");
    },
  ],
  [
    "going back and forward never loses a person's own program",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.openGallery();
      await page.choose("A lock taken twice");
      await page.verdict();
      assert.equal(await page.keptProgram(), failing, "an example is only lent");
      await page.back();
      assert.equal(await page.programOnce(failing), failing);
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// mine\n");
      const mine = `${failing}// mine\n`;
      assert.equal(await page.programOnce(mine), mine);
      await page.write(safe);
      await page.run();
      await page.verdict();
      await page.back();
      assert.equal(await page.programOnce(mine), mine, "with the last edit");
      assert.equal(await page.keptProgram(), safe, "an older entry does not take its place");
      // Only a change of the older program makes it the kept one, and the other is put aside.
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// again\n");
      assert.match(await page.noticeOnce(/put aside/i), /put aside/i);
      await page.button("Restore my program").click();
      assert.equal(await page.programOnce(safe), safe);
    },
  ],
  [
    "a link to an edited example holds the edit only, and opens on it",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("A lock taken twice");
      await page.verdict();
      await page.editor().click();
      await page.page.keyboard.press("Control+Home");
      await page.page.keyboard.type("// Mine.\n");
      await page.run();
      await page.verdict();
      const link = await page.share();
      assert.match(link, /#e=mailbox\.cimple&.*more=/);
      assert.ok(link.length < page.address.length + 250, link);
      await page.forgetEverything();
      await page.openAddress(link);
      assert.equal(await page.programOnce(`// Mine.\n${mailbox}`), `// Mine.\n${mailbox}`);
      assert.match(await page.verdict(), /can fail.*line 21/i);
    },
  ],
  [
    "after a reload the tab that is shown runs, with the last letter that was typed",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.verdict();
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// x");
      await page.reload();
      assert.equal(await page.programOnce(`${failing}// x`), `${failing}// x`);
      assert.match(await page.verdict(), /can fail.*line 15/i);
      for (const [tab, answer] of [["Explain", () => page.explained()], ["Refinement", () => page.refined()]]) {
        await page.chooseAnalysis(tab);
        await answer();
        await page.reload();
        assert.equal(await page.analysis(), tab);
        await answer();
        assert.match(await page.verdict(), /can fail/i);
      }
    },
  ],
  [
    "a link to an example that is not there is named, and nothing is lost",
    (page) => badLink(page, "#e=nothing.cimple", /nothing\.cimple cannot be fetched/i),
  ],
];
