// The bounded engine in the page: where nothing else reads the program, where the diagrams are
// slow, and what the other tabs say meanwhile.
import assert from "node:assert/strict";

/** Above 2^24 not every number fits into a `float`; the diagrams know no such conversion. */
const narrow = `#include <assert.h>
#include <stdio.h>
int main(void) {
  int n;
  if (scanf("%d", &n) != 1 || n < 0 || n > 100000000)
    return 1;
  float x = n;
  assert((int)x == n);
  printf("%f\\n", x);
  return 0;
}
`;
const kept = narrow.replaceAll("float", "double");

/** Seven characters and the zero have room: "n=" and a number of five. */
const printed = `#include <stdio.h>
int main(void) {
  int n;
  char buf[8];
  if (scanf("%d", &n) != 1)
    return 1;
  sprintf(buf, "n=%d", n);
  puts(buf);
  return 0;
}
`;

/** Both are read; one equation has no small answer, and 32 bits are too many for a product. */
const factors = `#include <assert.h>
#include <stdio.h>
int main(void) {
  unsigned a, b;
  if (scanf("%u %u", &a, &b) != 2)
    return 1;
  if (a > 1 && b > 1 && a < 40000 && b < 40000)
    assert(a * b != 1209 * 1213u);
  return 0;
}
`;

/** Fails in the third round of its loop. */
const stairs = `#include <assert.h>
#include <stdio.h>
int main(void) {
  int steps, height = 0;
  if (scanf("%d", &steps) != 1 || steps > 9)
    return 1;
  for (int i = 0; i < steps; i++)
    height = height + 17;
  assert(height != 51);
  return 0;
}
`;

export const bounded = [
  [
    "the lab unrolls a loop bound by bound, until a run fails",
    async (page) => {
      await page.open();
      await page.write(stairs);
      await page.run();
      await page.chooseAnalysis("Lab");
      await page.chooseTask("unrolling");
      await page.unrolled();
      assert.match(await page.unrollingAnswer(), /^No run fails within 1 round of each loop\. .* proves nothing/);
      const copies = async () => (await page.unrolledBoxes()).filter((text) => text.startsWith("height = height"));
      assert.equal((await copies()).length, 2);
      assert.ok((await page.unrolledBoxes()).includes("more rounds: not followed"));
      await page.press("ArrowRight");
      await page.press("ArrowRight");
      assert.match(await page.unrollingAnswer(), /^A run fails in line 9, with the input 3\.$/);
      assert.equal((await copies()).length, 4);
      assert.equal(await page.page.locator(".unrolling .box.fails").count(), 1);
      // A link comes back to this bound.
      const link = await page.share();
      await page.openAddress(link);
      await page.unrolled();
      assert.match(await page.unrollingAnswer(), /^A run fails in line 9/);
    },
  ],
  [
    "a program with floating point fails with an input, and its run is stepped through",
    async (page) => {
      await page.open();
      await page.write(narrow);
      await page.run();
      assert.match(await page.verdict(), /It can fail: assertion at line 8/);
      assert.match(await page.toldOfVerdict(), /with the input "\d+"\. No picture is drawn because of line 7/);
      assert.match(await page.howItWasFound(), /Found by the bounded engine, and executed/);
      assert.equal(await page.stepLine(), 8);
      await page.press("Home");
      assert.equal(await page.step(), 1);
      assert.ok((await page.lastStep()) >= 3);
      assert.equal(await page.page.locator(".verdict.broken").count(), 0);
    },
  ],
  [
    "where it is safe the page says that the bounded engine decided it, and a checker confirmed it",
    async (page) => {
      await page.open();
      await page.write(kept);
      await page.run();
      assert.match(await page.verdict(), /Safe: no run fails/);
      assert.match(await page.howItWasFound(), /decided by the bounded engine.*separate checker/is);
    },
  ],
  [
    "a text that is printed into too small a buffer is found, and other tabs say what they lack",
    async (page) => {
      await page.open();
      await page.write(printed);
      await page.run();
      assert.match(await page.verdict(), /It can fail: .* at line 7/);
      await page.chooseAnalysis("Refinement");
      assert.match(await page.shownVerdict(), /Refinement has no picture of this program.*line 7/);
      await page.chooseAnalysis("Projection");
      assert.match(await page.verdict(), /It can fail/, "the answer is still there");
      // An edit that the diagrams read brings the picture back.
      await page.write("int main(void) {\n  int x = 1;\n  return 1 / x;\n}\n");
      await page.run();
      assert.match(await page.verdict(), /Safe: no run fails/);
      assert.equal(await page.page.locator(".no-picture").count(), 0);
    },
  ],
  [
    "the factors of a number are found where the diagrams are slow at products",
    async (page) => {
      await page.open();
      await page.write(factors);
      await page.run();
      await page.page.locator(".verdict:is(.failing, .unsafe)").waitFor({ timeout: 45_000 });
      if (await page.isBusy()) await page.stop();
      assert.match(await page.verdict(), /It can fail: assertion at line 8/);
      assert.equal(await page.stepLine(), 8);
    },
  ],
];
