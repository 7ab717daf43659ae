// Threads under a bound on context switches: the bound, the lanes, the tree, links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

const read = (file) => readFileSync(new URL(`../../../static/examples/${file}`, import.meta.url), "utf8");
const examples = JSON.parse(read("index.json")).filter((example) => example.view === "threads");

/** Each thread waits for what the other does: the error needs three switches. */
const three = `//! globals = zero
bool a, b, c;
void main() {
  a = true;
  assume(b);
  c = true;
}
thread other {
  assume(a);
  b = true;
  assume(c);
  assert(!a);
}
`;

/** Two deposits of one each, and no lock. */
const deposits = `#include <pthread.h>
#include <assert.h>
int balance = 0;
void *deposit(void *arg) {
  balance++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(balance == 2);
  return 0;
}
`;

async function analysed(page, program) {
  await page.open();
  await page.write(program);
  await page.chooseAnalysis("Threads");
  await page.threadsAnswer();
}

/** Two threads call themselves without end, under a lock and without it. */
const recursive = `//! bits = 3
//! globals = zero
int x;
bool m;
void walk(int n) { if (*) { walk(n); } }
void work() { lock(m); x = 1; walk(1); assert(x == 1); x = 0; unlock(m); walk(1); }
thread one { while (*) { work(); } }
thread two { while (*) { work(); } }
`;

export const threads = [
  [
    "threads that call themselves without end are proved, and the answer says what the proof knows",
    async (page) => {
      await analysed(page, recursive);
      assert.match(await page.threadsAnswer(), /^Safe, whatever the number of context switches/);
      assert.match(await page.howItWasFound(), /Proof: [\d,]+ configurations of all threads, closed under every step\. Of the frames below recursive calls it knows who called\./);
    },
  ],
  [
    "a failing interleaving is explained: lit statements of each thread, the closest correct schedule",
    async (page) => {
      await analysed(page, deposits);
      const explained = page.page.locator(".explained");
      await explained.waitFor();
      const told = await explained.innerText();
      assert.match(told, /If deposit 1 went on with line 5, balance\+\+ \(instead of being interrupted by deposit 2/);
      assert.match(told, /would end without an error, with 3 context switches/);
      assert.match(told, /deposit 1\s+lines 5 and 6/);
      assert.match(told, /deposit 2\s+lines 5 and 6/);
      const names = await explained.locator(".switch-told b").allInnerTexts();
      assert.deepEqual(names, ["main begins", "Switch 1: main → deposit 1", "Switch 2: deposit 1 → deposit 2", "Switch 3: deposit 2 → main"]);
      assert.match(await explained.locator(".turn").innerText(), /^balance\+\+$/, "where the schedules part");
      const lit = await page.litLines();
      for (const line of [5, 6, 10, 11, 12, 13]) assert.ok(lit.includes(line), `line ${line} is lit`);
      assert.ok(!lit.includes(15), "no failing run comes to the return of main");
      await page.button("By hand").click();
      await explained.waitFor({ state: "detached" });
      await page.page.locator(".threads-pane .segment").first().click();
      await explained.waitFor();
    },
  ],
  [
    "a data race is read off the lanes, a mutex repairs it, and the option is part of the link",
    async (page) => {
      const racing = deposits.replace("  assert(balance == 2);\n", "");
      await analysed(page, racing);
      await page.button(/^int: /).click();
      await page.page.locator(".popover .check", { hasText: "race" }).locator("input").check();
      // It closes the options, and does not stop what they began.
      await page.page.keyboard.press("Escape");
      assert.equal(await page.page.locator(".popover").count(), 0);
      const answer = await page.threadsAnswer();
      assert.match(answer, /data race at line 5/);
      assert.match(answer, /data race on balance: deposit \d reads it at line 5, deposit \d writes it at line 5/i);
      const rows = page.page.locator(".lane-step.fails");
      assert.equal(await rows.count(), 2);
      assert.match(await rows.first().innerText(), /about to (read|write) balance/);
      assert.match(await rows.last().innerText(), /(reads|writes) balance at the same time/);
      const threads = await rows.evaluateAll((steps) => steps.map((step) => step.dataset.thread));
      assert.equal(new Set(threads).size, 2);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.threadsAnswer(), /data race at line 5/);
      await page.write(racing.replace("int balance", "pthread_mutex_t m;\nint balance").replace("balance++;", "pthread_mutex_lock(&m); balance++; pthread_mutex_unlock(&m);"));
      assert.match(await page.threadsAnswer(), /^Safe, whatever the number of context switches/);
    },
  ],
  [
    "a schedule is chosen by hand up to a failure, undone, and kept in the link",
    async (page) => {
      await analysed(page, deposits);
      await page.button("By hand").click();
      assert.match(await page.threadsAnswer(), /Choose which thread goes on/);
      let moves = 0;
      while (!/This interleaving fails/.test(await page.threadsAnswer())) {
        await page.page.locator(".choices button.fails").last().click();
        moves += 1;
        assert.ok(moves < 60);
      }
      assert.match(await page.threadsAnswer(), /This interleaving fails: assertion at line 14/);
      assert.match((await page.laneSteps()).at(-1).text, /assert/);
      const steps = (await page.laneSteps()).length;
      const link = await page.share();
      await page.button("Undo").click();
      assert.match(await page.threadsAnswer(), /Choose which thread goes on/);
      assert.ok((await page.laneSteps()).length < steps);
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.threadsAnswer(), /This interleaving fails: assertion at line 14/);
      assert.equal((await page.laneSteps()).length, steps);
      await page.page.getByRole("button", { name: "Run", exact: true }).click();
      assert.match(await page.threadsAnswer(), /can fail with 4 switches/);
    },
  ],
  [
    "the bound rises by itself until the lost update of two deposits is found, and a number can be chosen instead",
    async (page) => {
      await analysed(page, deposits);
      assert.match(await page.threadsAnswer(), /can fail with 4 switches, not with fewer/);
      assert.equal(await page.switchesAsked(), "raise by itself");
      assert.equal(await page.bound(), 4);
      assert.deepEqual((await page.levels()).map((level) => level.fails), [false, false, false, false, true]);
      const parts = await page.page.locator(".lane-part").allInnerTexts();
      assert.deepEqual(parts, ["reads balance = 0", "writes balance = 1, having read balance = 0"]);
      assert.match(await page.askSwitches("at most 3"), /No error with up to 3 switches/);
      assert.equal(await page.bound(), 3);
      assert.match(await page.askSwitches("raise by itself"), /can fail with 4 switches/);
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.threadsAnswer(), /can fail with 4 switches/);
      assert.equal(await page.switchesAsked(), "raise by itself");
    },
  ],
  [
    "with a lock the bound rises until more switches reach nothing new, and a proof is shown",
    async (page) => {
      const locked = deposits.replace("int balance", "pthread_mutex_t lock;\nint balance").replace("balance++;", "pthread_mutex_lock(&lock);\n  balance++;\n  pthread_mutex_unlock(&lock);");
      await analysed(page, locked);
      const answer = await page.threadsAnswer();
      assert.match(answer, /^Safe, whatever the number of context switches/);
      const why = await page.page.locator(".threads-pane .threads-picture").innerText();
      assert.match(why, /With \d+ switches the threads reach nothing that fewer do not reach/);
      assert.match(why, /[\d,]+ configurations of all threads together contain the start/);
      assert.equal((await page.levels()).at(-1).fails, false);
      assert.equal(await page.switchesAsked(), "raise by itself");
    },
  ],
  [
    "the bound is raised until a bug that needs three switches appears, and its switches are read off the lanes",
    async (page) => {
      await analysed(page, three.replace("bool a", "//! switches = 0\nbool a"));
      for (let k = 0; k < 3; k++) {
        assert.equal(await page.bound(), k);
        assert.match(await page.threadsAnswer(), new RegExp(`No error with up to ${k} switch`));
        assert.doesNotMatch(await page.threadsAnswer(), /safe/i);
        await page.raiseBound();
      }
      assert.match(await page.threadsAnswer(), /It can fail with 3 switches, not with fewer/);
      assert.deepEqual(await page.switchesTold(), ["Switch 1: main → other", "Switch 2: other → main", "Switch 3: main → other"]);
      const steps = await page.laneSteps();
      const turns = steps.map((step) => step.thread).filter((name, i, all) => name !== all[i - 1]);
      assert.deepEqual(turns, ["main", "other", "main", "other"]);
      assert.match(steps.at(-1).text, /assert/);
      const levels = await page.levels();
      assert.deepEqual(levels.map((level) => level.switches), [0, 1, 2, 3]);
      assert.deepEqual(levels.map((level) => level.fails), [false, false, false, true]);
    },
  ],
  [
    "a link into an interleaved run opens on its bound and its step",
    async (page) => {
      await analysed(page, three);
      await page.askSwitches("at most 3");
      await page.press("ArrowLeft");
      await page.press("ArrowLeft");
      const [step, line] = [await page.step(), await page.currentLine()];
      const link = await page.share();
      await page.forgetEverything();
      await page.openAddress(link);
      assert.match(await page.threadsAnswer(), /It can fail with 3 switches/);
      assert.equal(await page.analysis(), "Threads");
      assert.equal(await page.bound(), 3);
      assert.deepEqual([await page.step(), await page.currentLine()], [step, line]);
    },
  ],
  [
    "stepping shows whose statement it is, and what changes",
    async (page) => {
      await analysed(page, three);
      await page.press("Home");
      const first = await page.position();
      assert.match(first, /Step 1 of \d+[^]*main/);
      let changed = [];
      for (let i = 0; i < 20 && !changed.some((row) => row.startsWith("b")); i++) {
        await page.press("ArrowRight");
        changed = await page.changedValues();
      }
      assert.ok(changed.some((row) => /b.*true/.test(row)), changed.join());
      assert.match(await page.position(), /other/);
    },
  ],
  [
    "the tree of contexts and the interfaces beside it show their sizes, and a node its globals",
    async (page) => {
      await analysed(page, three);
      await page.page.getByRole("group", { name: "Picture", exact: true }).getByRole("button", { name: "How it was found" }).click();
      await page.page.locator(".tree-panel").getByText("Both methods come to the same answer").waitFor({ timeout: 15_000 });
      const sizes = await page.page.locator(".interfaces tbody tr").allInnerTexts();
      assert.ok(sizes.some((row) => /^main\s+1\s+\d+/.test(row)), sizes.join());
      await page.page.locator(".tree-node").nth(1).click();
      assert.match(await page.inspectorText("Node"), /transitions? in the automata/);
    },
  ],
  [
    "a program without threads says so, and + and − change the bound",
    async (page) => {
      await analysed(page, "void main() { assert(true); }\n");
      await page.page.locator(".threads-pane").getByText("starts no threads").waitFor();
      assert.match(await page.threadsAnswer(), /^This program starts no threads/);
      const before = await page.bound();
      await page.page.locator(".threads-pane .bar").click({ position: { x: 300, y: 10 } });
      await page.press("+");
      await page.threadsAnswer();
      assert.equal(await page.bound(), before + 1);
      await page.press("-");
      await page.threadsAnswer();
      assert.equal(await page.bound(), before);
    },
  ],
  ...["cimple", "c"].map((language) => [
    `the examples in ${language}, one after another: each opens on its answer`,
    async (page) => {
      await page.open();
      for (const { file, title, verdict } of examples.filter((example) => example.file.endsWith(`.${language}`))) {
        await page.openGallery();
        await page.choose(title);
        const answer = await page.threadsAnswer();
        assert.equal(await page.analysis(), "Threads", file);
        assert.match(answer, verdict === "unsafe" ? /It can fail|No error with up to/ : /^Safe|No error with up to/, file);
      }
    },
  ]),
];
