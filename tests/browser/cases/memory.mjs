// Programs with pointers: what is said of an invalid use of memory, and the picture of memory.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

/** Turns a list of three nodes around; the claim behind it is wrong. */
const TURNED = `#include <assert.h>
#include <stddef.h>
struct node { int key; struct node *next; };
static struct node a, b, c;
static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list != NULL) {
    struct node *rest = list->next;
    list->next = done;
    done = list;
    list = rest;
  }
  return done;
}
int main(void) {
  a.next = &b;
  b.next = &c;
  assert(reverse(&a) == &b);
  return 0;
}
`;

/** Five nodes, one after another. */
const FIVE = `#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
static void push(void) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  head = n;
}
int main(void) {
  push(); push(); push(); push(); push();
  assert(head->next->next->next->next->next != NULL);
  return 0;
}
`;

/** The pointers in the picture, as [from, to, when]. */
function pointers(page) {
  return page.page.locator(".memory .pointer").evaluateAll((all) =>
    all.map((one) => [one.dataset.from, one.dataset.to, one.classList[1]]),
  );
}

/** The objects in the picture with their places. */
function objects(page) {
  return page.page.locator(".memory .block.object").evaluateAll((all) =>
    all.map((one) => [one.dataset.object, one.classList.contains("gone"), one.querySelector(".shape").getAttribute("x")]),
  );
}

export const memory = [
  [
    "a use after free is named with its object and its line, and the picture hatches what was freed",
    async (page) => {
      await page.open("#e=after-free.c");
      assert.match(await page.verdict(), /use of freed memory at line 20/);
      assert.match(await page.shownVerdict(), /head was freed: node#2, in line 19/);
      assert.deepEqual((await objects(page)).map(([name, gone]) => [name, gone]), [["node#1", false], ["node#2", true]]);
      assert.deepEqual(await pointers(page), [["main.head", "node#2", "always"], ["node#2.next", "node#1", "always"]]);
      const words = await page.page.locator(".memory-pane .picture").getAttribute("aria-label");
      assert.match(words, /head → node#2 \(freed\) \{key = 1, next → node#1 \{key = 0, next = NULL\}\}/);
    },
  ],
  [
    "a list is turned around step by step: each step moves one arrow, and nothing else moves",
    async (page) => {
      await page.open();
      await page.write(TURNED);
      await page.run();
      assert.match(await page.verdict(), /can fail: assertion at line 18/);
      assert.equal(await page.page.locator(".memory-pane").count(), 0, "the control flow comes first");
      await page.page.locator(".memory-switch").click();
      const places = new Set();
      const turned = [];
      const count = await page.lastStep();
      await page.page.keyboard.press("Home");
      for (let step = 1; step <= count; step++) {
        if ((await page.stepLine()) === 9) {
          turned.push((await pointers(page)).filter(([, , when]) => when === "after").map(([from, to]) => [from, to]));
        }
        places.add(JSON.stringify((await objects(page)).map(([name, , x]) => [name, x]).sort()));
        if (step === count) break;
        await page.page.keyboard.press("ArrowRight");
        await page.once(() => page.step(), (now) => now === step + 1);
      }
      assert.deepEqual(turned, [[], [["b.next", "a"]], [["c.next", "b"]]]);
      assert.equal(places.size, 1, [...places].join("\n"));
      // The key leads back, and a link to the picture.
      await page.page.keyboard.press("m");
      assert.equal(await page.page.locator(".memory-pane").count(), 0);
      await page.page.keyboard.press("m");
      await page.page.locator(".memory-pane").waitFor();
      const link = await page.share();
      await page.page.goto("about:blank");
      await page.page.goto(link);
      await page.page.locator(".memory-pane .pointer").first().waitFor();
    },
  ],
  [
    "more objects are one click away where a run needs more than there are",
    async (page) => {
      await page.open();
      // With globals of any value the bounded engine, which knows no such limit, is not asked.
      await page.write(`${FIVE.replace("*head;", "*head = NULL;")}//! globals = any\n`);
      await page.run();
      assert.match(await page.verdict(), /no run fails with at most 3 objects of each type/i);
      await page.page.getByRole("button", { name: "Try 6 objects of each type" }).click();
      assert.match(await page.verdict(), /can fail: assertion at line 12/);
      assert.match(await page.holdsFor(), /at most 6 objects of each type/);
    },
  ],
  [
    "the picture of memory is exported, and Explain and Threads have it too",
    async (page) => {
      await page.open("#e=lost-node.c");
      await page.verdict();
      await page.page.locator(".memory-pane .pointer").first().waitFor();
      await page.button("Export").click();
      const [download] = await Promise.all([
        page.page.waitForEvent("download"),
        page.page.getByRole("menuitem", { name: /SVG/ }).click(),
      ]);
      const text = await readFile(await download.path(), "utf8");
      assert.match(text, /data-object="node#2"/);
      assert.match(text, /<style>/);
      await page.page.getByRole("tab", { name: "Explain" }).click();
      await page.page.locator(".explain-timeline").waitFor();
      await page.page.locator(".memory-pane .pointer").first().waitFor();
    },
  ],
];
