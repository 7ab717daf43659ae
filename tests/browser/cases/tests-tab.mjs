// Tests: what a program should print, hints in steps, a reference with an input on which both
// differ; with the keyboard, on a phone, and in a link.
import assert from "node:assert/strict";

/** Leaves the last number out. */
const sum = `#include <stdio.h>
int main(void) {
  int n, x, sum = 0;
  scanf("%d", &n);
  for (int i = 1; i < n; i++) {
    scanf("%d", &x);
    sum += x;
  }
  printf("%d\\n", sum);
  return 0;
}
`;
const right = sum.replace("i = 1", "i = 0");
/** What the other tabs cannot read. */
const unreadable = `#include <stdio.h>
#include <stdlib.h>
static int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) scanf("%d", &a[i]);
  qsort(a, 3, sizeof a[0], by);
  printf("%d\\n", a[0]);
}
/*! test least
3 1 2
---
1
*/
`;

/** Opens the tab with a program. */
async function opened(page, program) {
  await page.open();
  await page.write(program);
  await page.chooseAnalysis("Tests");
  await page.page.locator(".tests-pane").waitFor();
}

async function addTest(page, input, expected) {
  const count = await page.page.locator(".tests-form").count();
  await page.button("Add test").click();
  const form = page.page.locator(".tests-form").nth(count);
  await form.getByRole("textbox", { name: /^Input of/ }).fill(input);
  await form.getByRole("textbox", { name: /^Expected output of/ }).fill(expected);
}

/** Waits until all is answered; the rows: { name, result, told }. */
async function results(page) {
  await page.page.locator('.verdict[data-tab="tests"]:is(.safe, .unsafe, .unknown, .refused)').waitFor({ timeout: 30_000 });
  await page.page.locator('.tests-pane[data-settled="true"]').waitFor({ timeout: 30_000 });
  return page.page.locator(".tests-results tbody tr").evaluateAll((rows) =>
    rows.map((row) => {
      const [result, told] = row.querySelectorAll("td");
      return { name: row.querySelector("th").innerText, result: result.innerText.trim(), told: told.innerText };
    }),
  );
}

const hints = (page) => page.page.getByRole("region", { name: "Look first at" });
const reference = (page) => page.page.getByRole("region", { name: "Reference" });

export const testing = [
  [
    "a student adds a test, sees where it fails, and opens hints one by one",
    async (page) => {
      await opened(page, sum);
      assert.ok(await page.button("Run tests").isDisabled(), "there is no test");
      await addTest(page, "3\n1 2 3", "6");
      await page.button("Run tests").click();
      const [row, ...more] = await results(page);
      assert.equal(more.length, 0);
      assert.match(row.result, /^✗\s*failed$/);
      assert.match(row.told, /Line 1 of the output is "3", expected "6"\. line 9/);
      assert.equal(await page.page.locator(".verdict h1").innerText(), "The test fails");
      assert.deepEqual(await page.page.locator("#test-texts mark").allInnerTexts(), ["6\n", "3\n"]);
      await hints(page).getByRole("button", { name: "line 9" }).click();
      assert.deepEqual(await page.selectedLines(), [9]);
      assert.equal(await page.page.locator(".tests-suspect").count(), 0, "no line is suspected before somebody asks");
      await page.button("Show suspected lines").click();
      const suspect = page.page.locator('.tests-suspect[data-line="5"]');
      await suspect.waitFor({ timeout: 30_000 });
      assert.equal(await page.page.locator(".tests-change").count(), 0);
      await suspect.getByRole("button", { name: /What kind of mistake/ }).click();
      await suspect.getByRole("button", { name: "Show a change" }).click();
      assert.match(await suspect.innerText(), /all tests pass/);
      assert.match(await suspect.innerText(), /instead of|added|without/);
      // What is edited is stale, and passes once it is right.
      await page.write(right);
      await page.page.locator(".verdict.stale, .verdict.plain").waitFor();
      await page.button("Run tests").first().click();
      assert.match((await results(page))[0].result, /passed/, "the tests stay for the next program");
    },
  ],
  [
    "a failed test is stepped through: values, what was printed so far, what is left to read",
    async (page) => {
      await opened(page, sum);
      await addTest(page, "3 1 2 3", "6");
      await page.button("Run tests").first().click();
      await results(page);
      await page.button("Step through this run").click();
      const run = page.page.getByRole("region", { name: "Step of the run" });
      await run.waitFor();
      // It opens where the first wrong character is printed.
      assert.equal(await page.stepLine(), 9);
      assert.equal(await page.step(), await page.lastStep());
      assert.match(await page.currentStep(), /goes wrong/);
      const printed = run.getByLabel("Printed so far");
      assert.equal((await printed.locator("ins").innerText()).trim(), "3");
      assert.match(await run.locator(".values").first().innerText(), /sum\s*3/);
      // Back to the first number that is read in the loop.
      await page.press("Home");
      assert.equal(await page.step(), 1);
      assert.equal((await printed.innerText()).trim(), "");
      assert.equal((await run.getByLabel("Left to read").locator("del").innerText()).trim(), "");
      const texts = [];
      for (let step = 1; step < (await page.lastStep()); step++) {
        await page.press("ArrowRight");
        texts.push((await run.getByLabel("Left to read").locator("del").innerText()).trim());
      }
      assert.deepEqual([...new Set(texts)], ["", "3", "3 1", "3 1 2"]);
      await page.button("Leave the run").click();
      await page.page.getByRole("region", { name: "Reference" }).waitFor();
      assert.equal(await page.page.locator(".timeline .step").count(), 0);
    },
  ],
  [
    "a reference: an input on which both differ is found and kept as a test, also in a link",
    async (page) => {
      await opened(page, sum);
      await reference(page).getByRole("textbox", { name: "Reference solution" }).fill(right);
      await reference(page).getByRole("textbox", { name: "Inputs" }).fill("n in 1..3, then n times int");
      await page.button("Find a difference").click();
      const answer = reference(page).getByRole("status");
      await answer.getByText("The program differs from the reference.").waitFor({ timeout: 30_000 });
      assert.match(await answer.innerText(), /Input[^]*1[^]*Expected[^]*Printed/);
      assert.match(await answer.innerText(), /Inputs: n in 1\.\.3/);
      await page.button("Keep as a test").click();
      assert.ok(await page.button("Keep as a test").isDisabled());
      await page.button("Run tests").first().click();
      assert.match((await results(page))[0].result, /failed/);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match((await results(page))[0].name, /^difference/);
      await reference(page).getByRole("textbox", { name: "Inputs" }).fill("");
      await page.button("Find a difference").click();
      await answer.getByText("read off the reference").waitFor({ timeout: 30_000 });
      await reference(page).getByRole("textbox", { name: "Reference solution" }).fill("int main(void) { return x; }");
      await page.button("Find a difference").click();
      await answer.getByText("The reference cannot be read.").waitFor();
    },
  ],
  [
    "tests in comments and files, a run without end, and a program that other tabs cannot read",
    async (page) => {
      await opened(page, unreadable);
      await page.press("Control+Enter");
      const [least] = await results(page);
      assert.deepEqual([least.name, least.result.slice(-6)], ["least", "passed"]);
      await page.write("#include <stdio.h>\nint main(void) {\n  int x;\n  scanf(\"%d\", &x);\n  while (x != 1) { if (x == 0) x = 0; }\n  printf(\"%d\\n\", 10 / (x - 1));\n}\n");
      await page.page.locator(".tests-files input").setInputFiles([
        { name: "a.in", mimeType: "text/plain", buffer: Buffer.from("0\r\n") },
        { name: "a.out", mimeType: "text/plain", buffer: Buffer.from("1\r\n") },
        { name: "b.in", mimeType: "text/plain", buffer: Buffer.from("1\n") },
      ]);
      await page.once(() => page.page.locator(".tests-form").count(), (count) => count === 2);
      await page.button("Run tests").first().click();
      const rows = await results(page);
      assert.deepEqual(rows.map(({ name }) => name), ["a", "b"]);
      assert.match(rows[0].result, /↻\s*endless/);
      assert.match(rows[0].told, /never ends.*line 5/);
      assert.match(rows[1].result, /!\s*error/);
      assert.match(rows[1].told, /divides by zero.*line 6/);
    },
  ],
  [
    "the tab Tests works with the keyboard alone, breaks no rule of axe-core, and fits on a phone",
    async (page) => {
      await opened(page, sum);
      await page.button("Add test").focus();
      await page.page.keyboard.press("Enter");
      await page.page.getByRole("textbox", { name: /^Input of/ }).focus();
      await page.page.keyboard.type("2 5 5");
      await page.page.keyboard.press("Tab");
      await page.page.keyboard.type("10");
      await page.page.keyboard.press("Control+Enter");
      assert.match((await results(page))[0].result, /failed/);
      const row = page.page.locator(".tests-results tbody th button");
      await row.focus();
      assert.equal(await row.getAttribute("aria-expanded"), "true", "what fails is open");
      await page.page.keyboard.press("Enter");
      assert.equal(await row.getAttribute("aria-expanded"), "false");
      await page.page.keyboard.press("Enter");
      const ask = page.button("Show suspected lines");
      await ask.focus();
      await page.page.keyboard.press("Enter");
      await page.page.locator(".tests-suspect").first().waitFor({ timeout: 30_000 });
      assert.deepEqual(await page.violationsInLightAndDark(), []);
      await page.page.setViewportSize({ width: 390, height: 844 });
      await page.face("Picture");
      assert.ok(await page.fitsAcross());
      const overflow = await page.page.locator(".tests-body").evaluate((body) => body.scrollWidth - body.clientWidth);
      assert.ok(overflow <= 0, `${overflow} pixels too wide`);
      await page.face("Inspector");
      assert.ok(await page.fitsAcross());
    },
  ],
];
