// An input that reaches a line; what tests execute; values that are predicted.
import assert from "node:assert/strict";

/** Line 9 is reached by no input, line 7 by few. */
const program = `#include <stdio.h>
int main(void) {
  int a, b;
  scanf("%d %d", &a, &b);
  if (a > 10 && b == a + 3) {
    if (a % 2 == 1)
      printf("here\\n");
    else if (a < 5)
      printf("never\\n");
  }
  return 0;
}
/*! test small
1 2
---
*/
`;

const ask = (page, line) => page.page.getByRole("button", { name: `How does a run come to line ${line}?` });

/** Waits for the answer to a question about a line. */
async function answer(page, expected) {
  await page.page.locator(".verdict h1", { hasText: expected }).waitFor({ timeout: 30_000 });
  return page.verdict();
}

export const reach = [
  [
    "a line is asked for, answered by a run, and the check comes back; in a link too",
    async (page) => {
      await page.open();
      await page.write(program);
      await page.run();
      await page.verdict();
      await page.line(7).click();
      await ask(page, 7).click();
      await answer(page, "A run comes to line 7");
      assert.equal(await page.stepLine(), 7, "the run ends there");
      assert.deepEqual(await page.failingLines(), [], "to come there is no failure");
      assert.match(await page.page.locator(".verdict").getAttribute("class"), /neutral/, "neither good nor bad");
      const link = await page.share();
      await page.button("Ask again whether it can fail").click();
      await page.once(
        () => page.page.locator(".verdict h1").innerText(),
        (said) => !said.includes("comes to line"),
      );
      await page.forgetEverything();
      await page.openAddress(link);
      await answer(page, "A run comes to line 7");
      // Another text: the line may be another one.
      await page.write(`// one more line\n${program}`);
      await page.run();
      assert.doesNotMatch(await page.verdict(), /comes to line/);
    },
  ],
  [
    "what no test executes is dim, and leads to an input that does, or to the proof that none does",
    async (page) => {
      await page.open();
      await page.write(program);
      await page.chooseAnalysis("Tests");
      await page.button("Run tests").click();
      const covered = page.page.locator(".covered");
      await covered.waitFor();
      assert.match(await covered.innerText(), /The tests execute 4 of 8 lines; none executes lines 6, 7, 8 and 9\./);
      assert.deepEqual(await page.dimLines(), [6, 7, 8, 9]);
      await ask(page, 9).click();
      await answer(page, "No run comes to line 9");
      assert.equal(await page.analysis(), "Projection");
    },
  ],
  [
    "a value is predicted before the page shows it",
    async (page) => {
      await page.open();
      await page.write("int x, y;\nvoid main() {\n  x = 2;\n  y = x + 1;\n  assert(y == 2);\n}\n");
      await page.run();
      await page.verdict();
      await page.press("Home");
      const panel = page.page.getByRole("region", { name: "Watched expressions" });
      const after = page.page.locator(".inspector .values .after");
      assert.ok(await after.first().isVisible());
      await panel.getByRole("button", { name: "Predict" }).click();
      await after.first().waitFor({ state: "hidden" });
      const field = panel.getByLabel("What is x after this statement?");
      await field.fill("3");
      await field.press("Enter");
      const said = panel.getByRole("status");
      assert.match(await said.innerText(), /Not 3\. Try again/);
      assert.ok(await after.first().isHidden(), "a wrong answer shows nothing");
      await field.fill("2");
      await field.press("Enter");
      await after.first().waitFor();
      assert.match(await said.innerText(), /Right: x is 2/);
      await page.press("ArrowRight");
      const next = panel.getByLabel("What is y after this statement?");
      await next.fill("3");
      await next.press("Enter");
      assert.match(await said.innerText(), /Right: y is 3/);
      assert.match(await panel.innerText(), /1 of 2 right at once/);
      await panel.getByRole("button", { name: "Predict" }).click();
      assert.equal(await panel.getByLabel(/What is/).count(), 0);
    },
  ],
];
