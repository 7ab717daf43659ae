// Which width C's `int` has: 32 bits, and narrower ones where those take too much. A width that a
// person chose stays for the next program.
import assert from "node:assert/strict";

const sum = `#include <assert.h>
int main(void) {
  int s = 0;
  for (int i = 1; i <= 100; i++)
    s += i;
  assert(s > 0);
  return 0;
}
`;

const products = `#include <assert.h>
int nondet(void);
int main(void) {
  int a = nondet(), b = nondet();
  assert(a * b == b * a);
  return 0;
}
`;

const guarded = `#include <assert.h>
int nondet(void);
int main(void) {
  int a = nondet(), b = nondet(), c = nondet();
  if (a * b == b * a)
    assert(c != 5);
  return 0;
}
`;

const square = `int input(void);
int main(void) {
  int a = input();
  assert(a * a != 49);
  return 0;
}
`;

export const widths = [
  [
    "C's int has 32 bits",
    async (page) => {
      await page.open();
      await page.write(sum);
      await page.run();
      assert.match(await page.verdict(), /Safe: no run fails/);
      assert.match(await page.optionsInShort(), /int: 32 bits \(C\)/);
    },
  ],
  [
    "an answer for narrow integers says so in its headline, and claims nothing about 32 bits",
    async (page) => {
      await page.open();
      await page.write(products);
      await page.run();
      assert.match(await page.verdict(), /No run fails with 8-bit integers; 32 and 16 bits took too much/);
      assert.match(await page.toldOfVerdict(), /Decided for 8-bit integers only/);
      assert.match(await page.offeredWidths(), /^ Try 4 16 32 bits\.$/, "white space between the buttons");
      assert.match(await page.optionsInShort(), /int: 8 bits \(32 took too much\)/);
    },
  ],
  [
    "a failing run of narrow integers is tried with 32 bits, and that run is shown",
    async (page) => {
      await page.open();
      await page.write(guarded);
      await page.run();
      assert.match(await page.verdict(), /It can fail: assertion at line 6/);
    },
  ],
  [
    "a failing run whose numbers wrap with narrow integers is looked for with small numbers",
    async (page) => {
      await page.open();
      await page.write(square);
      await page.run();
      assert.match(await page.verdict(), /It can fail: assertion at line 4/);
      assert.match(await page.shownVerdict(), /a is -?7\)/);
    },
  ],
  [
    "a width that was chosen in the options stays for the next program, unless its text gives one",
    async (page) => {
      await page.open();
      await page.write(sum);
      await page.run();
      await page.setBits(8);
      await page.settle();
      assert.match(await page.verdict(), /can fail/i, "the sum wraps at 8 bits");
      await page.write(products);
      await page.run();
      assert.match(await page.verdict(), /Safe: no run fails/);
      assert.match(await page.optionsInShort(), /int: 8 bits/);
      await page.write(`//! bits = 16\n${sum}`);
      await page.run();
      assert.match(await page.optionsInShort(), /int: 16 bits/);
    },
  ],
];
