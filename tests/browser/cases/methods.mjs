// Ways to compute the projection, and the slice beside it.
import assert from "node:assert/strict";

/**
 * Figure 1 of the error-projection paper: the naive projection keeps line 3, which no failing run
 * executes.
 */
const correlated = `bool b;
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
  assert(false);
}
`;

/** The slice has line 7, which no failing run executes, and lacks line 3, which all do. */
const sliced = `int x;
void main() {
  int unused = 1;
  x = 2;
  if (x == 2)
    x = 3;
  else x = 4;
  assert(x == 4);
}
`;

export const methods = [
  [
    "a method is chosen, runs again, is kept in the link, and the naive one keeps too much",
    async (page) => {
      await page.open();
      await page.write(correlated);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      const exact = await page.litLines();
      assert.ok(!exact.includes(3), `line 3 is innocent: ${exact}`);
      for (const method of ["per-node", "double-prestar", "double-poststar"]) {
        await page.setMethod(method);
        assert.match(await page.verdict(), /can fail/i);
        assert.deepEqual(await page.litLines(), exact, method);
      }
      await page.setMethod("naive");
      assert.match(await page.verdict(), /can fail/i);
      assert.ok((await page.litLines()).includes(3), "the naive projection joins the two callers");
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.verdict(), /can fail/i);
      assert.ok((await page.litLines()).includes(3), "the link restores the method");
    },
  ],
  [
    "the slice is shown on request, and where it differs from the projection",
    async (page) => {
      await page.open();
      await page.write(sliced);
      await page.run();
      assert.match(await page.verdict(), /can fail/i);
      assert.deepEqual(await page.sliceLines(), []);
      await page.toggleSlice();
      assert.deepEqual(await page.sliceLines(), [4, 5, 6, 7, 8]);
      assert.match(await page.sliceNote(), /only in the slice: line 7; only in the projection: line 3$/);
      await page.toggleSlice();
      assert.deepEqual(await page.sliceLines(), []);
    },
  ],
];
