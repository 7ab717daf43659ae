// A monkey presses what it finds, with a fixed seed, on each tab: no error on the console, no
// worker that is given up, and afterwards the page works as before. `MONKEY=2000` gives the number
// of actions over all tabs; 200 without it.
import assert from "node:assert/strict";
import { failing } from "../programs.mjs";

const tabs = ["Projection", "Refinement", "Explain", "Tests", "Threads", "Liveness", "Lab"];
const ofTab = Math.ceil(Number(process.env.MONKEY || 200) / tabs.length);
/** The most actions of one visit: a test has a minute. */
const actions = Math.min(ofTab, 100);
const visits = Array.from({ length: Math.ceil(ofTab / actions) }, (_, visit) => visit);

/** Numbers below a limit, always the same ones for a seed (Lehmer's generator). */
const numbers = (seed) => (below) => (seed = (seed * 48271) % 2147483647) % below;

const keys = ["Escape", "ArrowLeft", "ArrowRight", "Home", "End", "Space", "Enter", "Tab", "Shift+Tab", "Control+Enter", "/", "?", "+", "-", "0", "[", "]", "1", "3", "p", "Backspace", "Control+z"];
const typed = ["x", "1", ";", "\n", "{", "}", "assert(x != 3);", " ", "(", "if", "*"];

/** Something in view that can be pressed: where it is; null if there is nothing. */
const target = (page, number) =>
  page.page.evaluate((number) => {
    const pressed = [...document.querySelectorAll("button, [role=tab], summary, select, input, .picture .box, .timeline .step, .card")];
    const found = pressed.filter((element) => {
      // Choosing a file opens a window of the browser's own.
      if (element.disabled || element.type === "file" || element.title?.startsWith("Open a file") || element.textContent.trim() === "Open") return false;
      const { left, top, width, height } = element.getBoundingClientRect();
      return width > 0 && top >= 0 && left >= 0 && top + height / 2 < innerHeight && left + width / 2 < innerWidth && element.checkVisibility?.({ visibilityProperty: true });
    });
    if (found.length === 0) return null;
    const { left, top, width, height } = found[number % found.length].getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, number);

async function act(page, next) {
  const what = next(10);
  const { mouse, keyboard } = page.page;
  if (what < 6) {
    const at = await target(page, next(1_000_000));
    if (at) await mouse.click(at.x, at.y);
  } else if (what < 8) {
    await keyboard.press(keys[next(keys.length)]);
  } else if (what < 9) {
    await mouse.click(next(1440), next(900));
  } else {
    await page.editor().click({ timeout: 500 }).catch(() => {}); // behind a dialog
    await keyboard.type(typed[next(typed.length)]);
  }
}

const oneVisit = (tab, visit) => [
  `a monkey on the tab ${tab} breaks nothing${visit > 0 ? `, visit ${visit + 1}` : ""}`,
  async (page) => {
    const next = numbers(10 * visit + tabs.indexOf(tab) + 1);
    await page.open();
    await page.write(failing);
    await page.run();
    await page.verdict();
    await page.chooseAnalysis(tab);
    for (let action = 0; action < actions; action++) {
      await act(page, next);
      const faulty = page.page.locator(".verdict.faulty");
      assert.equal(await faulty.count(), 0, `after action ${action}`);
    }
    // The page as it was left starts again, and works.
    await page.reload();
    await page.forgetEverything();
    await page.open();
    await page.write(failing);
    await page.run();
    assert.match(await page.verdict(), /can fail/i);
  },
];

export const monkey = tabs.flatMap((tab) => visits.map((visit) => oneVisit(tab, visit)));
