// What is said first of programs with typical mistakes: the headline that a teacher would give, by
// kind and line, or the note under it.
import assert from "node:assert/strict";
import * as students from "../students.mjs";

/** [what is wrong, program, headline]. */
const SAID = [
  ["an index that is read", students.index, /^It can fail: array index outside at line 8/],
  ["a freed pointer", students.freed, /^It can fail: use of freed memory at line 10/],
  ["a null pointer", students.nullPointer, /^It can fail: null pointer at line 9/],
  ["a loop that is one too long", students.offByOne, /^It can fail: array index outside at line 7/],
  ["a maximum that nobody set", students.maximum, /reads a variable without a value at line 7/],
  ["a missing return", students.noReturn, /reads a variable without a value at line 13/],
  ["an overflow beside a string", students.overflow, /^It can fail: signed overflow at line 7/],
  ["two copies", students.copies, /^It can fail: pointer outside of its object at line 6/],
  ["procedures without a main", students.procedures, /^It can fail: division by zero at line 6/],
  ["a word that is too long", students.words, /^It can fail: array index outside at line 10/],
  ["a remainder by zero in gcd", students.gcd, /^It can fail: division by zero at line [68]/],
  ["a board's border", students.board, /^It can fail: array index outside at line 9/],
  ["a procedure alone", students.alone, /^It can fail: pointer outside of its object at line 4, started with sum/],
];

/** [what is wrong, program, what stands under the headline]. */
const NOTED = [
  ["a loop without an end", students.endless, /line \d+: the program never ends: no run leaves this loop/],
  ["memory that is not freed", students.unfreed, /line \d+: the memory that is taken here is never freed/],
  ["= for ==", students.assigned, /line 5: x = 5 assigns/],
  ["a recursion without an end", students.factorial, /line 3: f never returns/],
];

export const studying = SAID.map(([name, source, headline]) => [
  `a student's mistake: ${name}`,
  async (page) => {
    await page.open();
    await page.write(source);
    assert.match(await page.verdict(), headline);
  },
]).concat(
  [
    [
      "a student's mistake: a recursion whose result does not fit, known while other checks are decided",
      async (page) => {
        await page.open();
        await page.write(students.fibonacci);
        await page.saysWhileBusy(/^It can fail: signed overflow at line 6/);
      },
    ],
  ],
  [
    [
      "a student's mistake: a misspelt name",
      async (page) => {
        await page.open();
        await page.write(students.misspelt);
        await page.page.locator(".verdict", { hasText: "did you mean" }).waitFor();
        assert.match(await page.shownVerdict(), /line 4,? prinft is declared nowhere.* did you mean printf/);
      },
    ],
  ],
  [
    [
      "a student's mistake: a counter that two threads share without a lock",
      async (page) => {
        await page.open();
        await page.write(students.counter);
        assert.match(await page.threadsAnswer(), /^It can fail.*: data race at line 7/);
      },
    ],
  ],
  NOTED.map(([name, source, note]) => [
    `a student's mistake: ${name}`,
    async (page) => {
      await page.open();
      await page.write(source);
      await page.verdict();
      assert.match(await page.shownVerdict(), note);
    },
  ]),
);
