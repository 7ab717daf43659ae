// Exercises: one of the gallery is solved with hints that are counted, and one is made; expressions
// are watched along a run, and a step's values stand behind its line.
import assert from "node:assert/strict";

const exercise = (page) => page.page.getByRole("region", { name: "Exercise", exact: true });
const attempts = (page) => page.page.getByRole("region", { name: "Attempts" });
const progress = (page) => exercise(page).getByRole("status").innerText();

/** Runs the tests and waits until all is answered. */
async function marked(page) {
  await page.button("Run tests").first().click();
  await page.page.locator('.verdict[data-tab="tests"]:is(.safe, .unsafe)').waitFor({ timeout: 30_000 });
  await page.page.locator('.tests-pane[data-settled="true"]').waitFor({ timeout: 30_000 });
}

/** What a step's line says behind its text. */
const behind = (page) => page.page.locator(".fl-values").innerText();

/** A program that reads a number and prints this. */
const doubles = (printed) => `#include <stdio.h>
int main(void) {
  int n;
  scanf("%d", &n);
  printf("%d\\n", ${printed});
  return 0;
}
`;

export const exercises = [
  [
    "a student solves an exercise of the gallery with two hints, and the attempts are kept",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("The largest of a row");
      await exercise(page).waitFor();
      assert.match(await exercise(page).innerText(), /Print the largest of them/);
      // The usual first idea.
      const text = await page.program();
      const loop = [
        "    for (int i = 0; i < n; i++) {",
        "        int x;",
        '        scanf("%d", &x);',
        "        if (x > largest)",
        "            largest = x;",
        "    }",
        "",
      ].join("\n");
      const idea = text.replace("    printf", `${loop}    printf`);
      await page.write(idea);
      await marked(page);
      assert.match(await progress(page), /4 of 5 tests pass, no hints/);
      const rows = page.page.locator(".tests-results tbody tr");
      const hidden = rows.filter({ hasText: "hidden 1" });
      assert.match(await hidden.innerText(), /failed\s+hidden$/);
      assert.equal(await page.page.locator(".tests-results").getByText("-4 -2 -9").count(), 0, "its input is not shown");
      await page.button("Show its input, as a hint").click();
      await page.page.locator("#test-texts").getByText("-4 -2 -9").waitFor();
      assert.match(await progress(page), /1 hint$/);
      await page.button("Show the place, as a hint").click();
      const first = page.page.getByRole("region", { name: "Look first at" });
      await first.getByRole("button", { name: /^line \d+$/ }).waitFor();
      assert.match(await progress(page), /2 hints$/);
      await page.write(idea.replace("if (x > largest)", "if (i == 0 || x > largest)"));
      await marked(page);
      await page.once(() => progress(page), (told) => /Done/.test(told));
      assert.match(await progress(page), /Done: all 5 tests pass, 2 hints/);
      assert.match(await page.page.locator(".verdict h1").innerText(), /The largest of a row: done/);
      assert.equal(await attempts(page).getByRole("listitem").count(), 2);
      await attempts(page).getByRole("button", { name: "Bring attempt 1 back" }).click();
      await page.programOnce(idea);
      // A later visit finds them.
      const link = await page.share();
      await page.page.goto("about:blank");
      await page.page.goto(link);
      await attempts(page).getByRole("listitem").nth(1).waitFor();
    },
  ],
  [
    "a lecturer makes an exercise of a solution and its tests, and its link shows what students see",
    async (page) => {
      await page.open();
      const solution = doubles("n + n") + "/*! test three\n3\n---\n6\n*/\n/*! test below zero\n-2\n---\n-4\n*/\n";
      await page.write(solution);
      await page.chooseAnalysis("Tests");
      await page.button("Exercise").click();
      const draft = page.page.getByRole("region", { name: "New exercise" });
      await marked(page);
      await draft.getByLabel("Name of the exercise").fill("Doubles");
      await draft.getByLabel("What is asked").fill("Read a number. Print its double.");
      await draft.getByLabel("below zero").check();
      await draft.getByLabel("Take the solution along").check();
      await draft.getByRole("button", { name: "Make it" }).click();
      await exercise(page).waitFor();
      await page.once(() => page.program(), (text) => text.includes("return 0;") && !text.includes("n + n"));
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      await exercise(page).waitFor();
      assert.match(await exercise(page).innerText(), /Doubles\s+Read a number\. Print its double\./);
      await page.write(doubles("n > 4 ? 0 : n + n"));
      await marked(page);
      // All tests pass, and the solution knows better.
      const differs = exercise(page).getByRole("button", { name: "Show the input" });
      await differs.waitFor({ timeout: 30_000 });
      assert.doesNotMatch(await progress(page), /Done/);
      await differs.click();
      assert.match(await exercise(page).locator(".outputs").innerText(), /\d\d/);
    },
  ],
  [
    "expressions are watched along a run, in links too; a step's values stand behind its line",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("Four attempts instead of three");
      await page.verdict();
      const watch = page.page.getByRole("region", { name: "Watched expressions" });
      const field = watch.getByRole("textbox");
      for (const text of ["MOST", "asked * 2", "asked +"]) {
        await field.fill(text);
        await field.press("Enter");
      }
      const row = (text) =>
        watch.getByRole("listitem").filter({ has: page.page.getByText(text, { exact: true }) });
      assert.equal(await row("asked * 2").locator(".watch-value").innerText(), "8");
      assert.equal(await row("asked * 2").locator(".watch-curve").count(), 1);
      assert.match(await row("asked +").innerText(), /something is missing/);
      assert.match(await row("MOST").innerText(), /no value here/, "a macro is no variable");
      await page.button("Values").click();
      assert.equal(await behind(page), "asked = 4");
      await page.press("Home");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      assert.equal(await behind(page), "asked = 0 \u2192 1");
      assert.equal(await row("asked * 2").locator(".watch-value").innerText(), "0");
      await watch.getByRole("button", { name: "Watch MOST no longer" }).click();
      assert.equal(await watch.getByRole("listitem").count(), 2);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      await row("asked * 2").waitFor();
    },
    { viewport: { width: 1280, height: 720 } },
  ],
  [
    "what the gallery says of an example stays beside it, behind a link too, until it is dismissed",
    async (page) => {
      await page.open();
      await page.openGallery();
      await page.choose("An hour shared among nobody");
      await page.verdict();
      const note = page.page.getByRole("complementary", { name: "What to look at" });
      assert.match(await note.innerText(), /Maybe nobody comes/);
      await page.openAddress(await page.share());
      await note.waitFor();
      await note.getByRole("button", { name: "Dismiss the note" }).click();
      await note.waitFor({ state: "detached" });
    },
  ],
];
