// Why a statement is innocent, which stores fail at it, and the naive projection, compared with the
// exact one.
import assert from "node:assert/strict";

/**
 * `p` (3) is entered with b false by one caller and would then fail only under the other. Behind
 * it, 9 and 13 stop what the callers do not want.
 */
const correlation = `bool b;
void p() {
  skip;
}
void main() {
  if (*) {
    b = false;
    p();
    assume(b);
  } else if (*) {
    b = true;
    p();
    assume(!b);
  }
  assert(b);
}
`;

const counting = `int x = 0;
void main() {
  while (*) {
    if (x > 2)
      x = 0;
    x = x + 1;
  }
  if (x == 3)
    assert(false);
}
`;

async function ran(page, program) {
  await page.open();
  await page.write(program);
  await page.run();
  await page.verdict();
}

async function why(page, line, kind) {
  await page.boxOfLine(line).click();
  await page.page.locator(`.inspector [data-reason="${kind}"]`).waitFor();
  return page.page.locator(".inspector .why").innerText();
}

async function ask(page, condition) {
  await page.page.locator("#query").fill(condition);
  await page.page.locator("#query").press("Enter");
  const answer = page.page.locator(".query-answer p");
  await answer.filter({ hasText: condition }).waitFor();
  return answer.innerText();
}

/** x and y go in step: y = 2x, whatever the number of rounds. */
const inStep = `int x = 0;
int y = 0;
void main() {
  while (*) {
    x = x + 1;
    y = y + 2;
  }
  assert(y != 7);
}
`;

export const questions = [
  [
    "equalities that always hold are found on request, over the integers and modulo 2^w",
    async (page) => {
      await ran(page, inStep);
      // What was pasted runs by itself, too: its answer would take the selection back.
      await page.rest();
      await page.line(8).click({ position: { x: 40, y: 8 } });
      const panel = page.page.locator(".affine");
      await panel.getByRole("button", { name: "integers" }).click();
      await panel.locator(".equalities").waitFor();
      assert.match(await panel.innerText(), /y = 2\*x|2\*x - y = 0|x = /);
      assert.match(await panel.innerText(), /integers that never wrap/);
      await page.line(6).click({ position: { x: 40, y: 8 } });
      await panel.filter({ hasText: "y = 2*x - 2" }).waitFor();
      await panel.getByRole("button", { name: "modulo 2^4" }).click();
      await panel.filter({ hasText: "Modulo 2^4" }).waitFor();
    },
  ],
  [
    "why not: a statement that no run reaches names the condition that keeps runs away",
    async (page) => {
      await ran(page, correlation.replace("assert(b);", "if (b && !b)\n    skip;\n  assert(b);"));
      const text = await why(page, 16, "unreached");
      assert.match(text, /never reached/i);
      assert.match(text, /line 15/);
    },
  ],
  [
    "why not: a statement from which nothing can fail shows a predicate that separates",
    async (page) => {
      await ran(page, correlation);
      const text = await why(page, 12, "cannot-fail");
      assert.match(text, /cannot fail from here/i);
      assert.equal(await page.page.locator(".inspector .separator").innerText(), "b");
    },
  ],
  [
    "why not: a cross term names the callers, and the toggle hatches it",
    async (page) => {
      await ran(page, correlation);
      const text = await why(page, 3, "context");
      assert.match(text, /only when it is called from elsewhere/i);
      assert.match(text, /line 8/);
      assert.match(text, /line 12/);
      assert.deepEqual(await page.linesWith("fl-cross"), []);
      await page.openLegend();
      const toggle = page.button("if callers were mixed up");
      await toggle.click();
      await page.page.locator(".comparison", { hasText: "1 more" }).waitFor();
      assert.deepEqual(await page.linesWith("fl-cross"), [3]);
      assert.equal(await page.page.locator(".box.cross").count(), 1);
      await toggle.click();
      await page.page.waitForFunction(() => document.querySelectorAll(".box.cross").length === 0);
      assert.deepEqual(await page.linesWith("fl-cross"), []);
    },
  ],
  [
    "why not: the callers of a cross term are links to their lines",
    async (page) => {
      await ran(page, correlation);
      await why(page, 3, "context");
      await page.page.locator(".places-of-reason button", { hasText: "12:" }).click();
      await page.selectedBoxIs(12);
    },
  ],
  [
    "a condition that can hold here on a failing run, one that cannot, and one that is none",
    async (page) => {
      await ran(page, counting);
      await page.boxOfLine(6).click();
      await page.inspectorText(/can this hold here/i);
      const yes = await ask(page, "x == 2");
      assert.match(yes, /^Yes/);
      assert.match(yes, /x = 2/);
      assert.match(await ask(page, "x > 5"), /^No/);
      await page.page.locator("#query").fill("y > 5");
      await page.page.locator("#query").press("Enter");
      await page.page.locator(".query-answer .warning").waitFor();
      assert.match(await page.page.locator(".query-answer").innerText(), /y/);
    },
  ],
];
