// What a step shows: the call stack, before and after, the values in a failure; and the slider.
import assert from "node:assert/strict";

const recursion = `int fact(int n) {
  int r;
  if (n <= 1) return 1;
  r = n * fact(n - 1);
  return r;
}

int total = 1;

int main() {
  total = fact(3);
  assert(total != 6);
  return 0;
}
`;

const outside = `//! bits = 5
//! globals = zero
int a[10];

void main() {
  int n = 10;
  int i = 0;
  while (i <= n) {
    a[i] = 7;
    i = i + 1;
  }
}
`;

const counting = `//! bits = 8
void main() {
  int i = 0;
  while (i < 40)
    i = i + 1;
  assert(i != 40);
}
`;

async function failed(page, program) {
  await page.open();
  await page.write(program);
  await page.run();
  await page.verdict();
}

/** Goes to the first step, from the start or behind the current one, at which this holds. */
async function forwardTo(page, holds) {
  while (!(await holds())) {
    const step = await page.step();
    assert.ok(step < (await page.lastStep()), "the run has such a step");
    await page.press("ArrowRight");
  }
}

export const stack = [
  [
    "a recursive call shows the frames below it, each with its own variables",
    async (page) => {
      await failed(page, recursion);
      await page.press("Home");
      await forwardTo(page, async () => /return 1/.test(await page.currentStep()));
      const frames = await page.callers();
      assert.deepEqual(frames.map((frame) => frame.place), ["fact line 4", "fact line 4", "main line 11"]);
      assert.match(frames[0].variables, /n\s+2/);
      await page.openFrame(1);
      assert.match((await page.callers())[1].variables, /n\s+3/);
      assert.match(await page.inspectorText("returns"), /fact returns 1/);
    },
  ],
  [
    "the last statement before a return shows what it changes, there and in its caller",
    async (page) => {
      await failed(page, recursion);
      await page.press("Home");
      await forwardTo(page, async () => /r = n/.test(await page.currentStep()));
      assert.ok((await page.changedValues()).some((row) => /^r\s.*→\s*2$/s.test(row)), "r becomes 2");
      await page.press("End");
      await page.press("ArrowLeft");
      assert.match(await page.inspectorText("returns"), /fact returns 6/);
      assert.deepEqual((await page.changedValues()).map((row) => row.replace(/\s+/g, " ")), ["total 1 → 6"]);
    },
  ],
  [
    "an index outside is told with its value and the array's size",
    async (page) => {
      await failed(page, outside);
      const told = await page.inspectorText("The index i is 10");
      assert.match(told, /the array a has 10 elements, 0 to 9/);
      await page.press("ArrowLeft");
      assert.equal(await page.failure(), "", "only the last step fails");
      await page.press("Home");
      await forwardTo(page, async () => /a\[i\] = 7/.test(await page.currentStep()));
      const changed = await page.changedValues();
      assert.ok(changed.some((row) => /^a\[0\]\s+0\s*→\s*7$/.test(row)), `${changed}`);
      // Ten elements fold; a click shows them all.
      assert.equal(await page.page.locator(".values .cells.all .cell:visible").count(), 0);
      await page.page.locator(".values details.array > summary").click();
      assert.equal(await page.page.locator(".values .cells.all .cell:visible").count(), 10);
    },
  ],
  [
    "a selected line shows its own values, not those of the step",
    async (page) => {
      await failed(page, recursion);
      await page.line(3).click({ position: { x: 60, y: 8 } });
      const inspector = await page.inspectorText("The values at line 3");
      assert.match(inspector, /in fact/);
      assert.match(inspector, /n\s+1/);
      await page.line(13).click({ position: { x: 40, y: 8 } });
      assert.match(await page.inspectorText("Line 13"), /does not execute this line/);
    },
  ],
  [
    "the slider goes to any step, by mouse and by keys",
    async (page) => {
      await failed(page, counting);
      const last = await page.lastStep();
      assert.ok(last > 60, `${last} steps`);
      const slider = page.page.getByRole("slider", { name: "Step" });
      const { x, y, width, height } = await slider.boundingBox();
      await page.page.mouse.click(x + width / 2, y + height / 2);
      const middle = await page.step();
      assert.ok(middle > last / 3 && middle < (last * 2) / 3, `step ${middle} of ${last}`);
      await slider.press("ArrowRight");
      assert.equal(await page.step(), middle + 1, "one step for a key");
      await slider.press("Home");
      assert.equal(await page.step(), 1);
      assert.match(await slider.getAttribute("aria-valuetext"), /Step 1 of/);
    },
  ],
  [
    "the speed of playing is kept",
    async (page) => {
      await failed(page, counting);
      const speed = page.page.getByRole("combobox", { name: "Speed of playing" });
      assert.equal(await speed.inputValue(), "1×");
      await speed.selectOption("4×");
      await page.press("Home");
      await page.button("Play").click();
      await page.page.waitForFunction(() => /Step [5-9] of/.test(document.querySelector(".stepper .position").innerText));
      await page.button("Pause").click();
      await page.reload();
      await page.run();
      await page.verdict();
      assert.equal(await speed.inputValue(), "4×");
    },
  ],
  [
    "nothing overflows on a phone",
    async (page) => {
      await failed(page, recursion);
      await page.press("Home");
      const wide = await page.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      assert.equal(wide, false, "the page is as wide as its window");
      assert.ok(await page.page.getByRole("slider", { name: "Step" }).isVisible());
    },
    { viewport: { width: 390, height: 844 } },
  ],
];
