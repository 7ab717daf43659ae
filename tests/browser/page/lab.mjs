// The tab Lab.

export const Lab = (Page) => class extends Page {
  // The lab.

  /** Waits until what is asked for is recorded and drawn. */
  async recorded() {
    await this.page.locator('.lab-pane[data-recorded="true"] .automaton').waitFor({ timeout: 30_000 });
    await this.settle();
  }

  /** Waits until the unrolling is drawn. */
  async unrolled() {
    await this.page.locator('.lab-pane[data-recorded="true"] .unrolling .box').first().waitFor({ timeout: 30_000 });
    await this.settle();
  }

  /** What the statements in the picture's boxes say. */
  unrolledBoxes() {
    return this.page.locator(".unrolling .box text").allTextContents();
  }

  unrollingAnswer() {
    return this.page.locator(".unrolling-answer").innerText();
  }

  /** "post*", "pre*", "transducer" or "unrolling". */
  async chooseTask(name) {
    await this.page.getByRole("group", { name: "What is built" }).getByRole("button", { name, exact: true }).click();
    await this.settle();
  }

  /** Another set to saturate. */
  async setOfLab(set) {
    const field = this.page.getByRole("textbox", { name: "Set that is saturated" });
    await field.fill(set);
    await field.press("Enter");
    await this.settle();
  }

  transitionsThere() {
    return this.page.locator(".automaton .row:not(.absent)");
  }

  /** The texts of the transitions that the step has "added" or "raised". */
  async touchedTransitions(how) {
    return (await this.touchedRows(how)).map((row) => row.text);
  }

  touchedRows(how) {
    const rows = this.page.locator(`.automaton .row.${how}`);
    return rows.evaluateAll((found) =>
      found.map((row) => ({ transition: row.dataset.transition, text: row.querySelector("text").textContent, spoken: row.getAttribute("aria-label") })),
    );
  }

  rowText(transition) {
    return this.page.locator(`.automaton .row[data-transition="${transition}"] text`).textContent();
  }

  /** By its place among those that are there. */
  async clickTransition(place) {
    await this.transitionsThere().nth(place).locator("text").click();
    await this.settle();
  }

  /** How many transitions wait. */
  async waiting() {
    return Number((await this.page.locator(".worklist-title").innerText()).match(/\((\d+)\)/)[1]);
  }

  /** Types a set whose weight is to be read. */
  async ask(set) {
    const field = this.page.locator("#lab-question");
    await field.fill(set);
    await field.press("Enter");
    await this.answered();
  }

  /** Waits for the answer to what the fields ask now. */
  async answered() {
    await this.settle();
    await this.page.locator('.query-answer[data-current="true"]').waitFor({ state: "attached" });
    await this.settle();
  }

  /**
   * The weight of a set at the step that is shown; "no run", or without weights "there is a run".
   */
  async weightOf(set) {
    await this.ask(set);
    return this.weightRead();
  }

  /** The weight of all runs, by the transducer. */
  async weightFromTo(from, to) {
    await this.page.locator("#lab-from").fill(from);
    await this.page.locator("#lab-to").fill(to);
    await this.page.locator("#lab-to").press("Enter");
    await this.answered();
    return this.weightRead();
  }

  async weightRead() {
    const text = await this.page.locator(".weight-read").innerText();
    return text.replace(/^Weight\s+/, "").toLowerCase();
  }

  answerText() {
    return this.page.locator(".lab-question .query-answer").innerText();
  }
};
