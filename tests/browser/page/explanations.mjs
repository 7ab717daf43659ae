// The tab Explain.

export const Explanations = (Page) => class extends Page {
  // Explanations.

  /** Waits until all stages of the explanation are over. */
  async explained() {
    await this.page.locator('.explain-pane[data-explained="true"]').waitFor({ timeout: 40_000 });
    await this.settle();
  }

  /** The level of detail that is shown. */
  level() {
    return this.page.locator(".level.on").getAttribute("data-level");
  }

  async chooseLevel(name) {
    await this.page.getByRole("radio", { name }).click();
    await this.settle();
  }

  /** The lines that are blamed for the shown run, as the inspector lists them. */
  async blamed() {
    const items = await this.page.locator(".cause-lines li[data-line]").all();
    return Promise.all(items.map(async (item) => Number(await item.getAttribute("data-line"))));
  }

  /** The failing runs, each by its cause, if there are several. */
  failingRuns() {
    return this.page.locator('.causes .choices .choice > span').allInnerTexts();
  }

  async chooseFailingRun(number) {
    await this.page.locator(".causes .choice").nth(number - 1).click();
    await this.settle();
  }

  /** "by edges" or "by transitions". */
  async blameBy(name) {
    await this.page.getByRole("group", { name: "Causes by" }).getByRole("button", { name }).click();
    await this.explained();
  }

  /** The ways to fail, as they are listed. */
  async sequences() {
    const listed = await this.page.locator("li.sequence").evaluateAll((items) =>
      items.map((item) => ({
        rank: Number(item.dataset.rank),
        lines: (item.querySelector(".sequence-lines").textContent.match(/\d+/g) ?? []).map(Number),
        nest: item.querySelector(".nest-lines")?.textContent ?? "",
        feasible: !item.querySelector(".infeasible"),
        assumptions: [...item.querySelectorAll(".assumption")].filter((a) => !a.classList.contains("deleted")).map((a) => a.querySelector("code").textContent),
        deleted: [...item.querySelectorAll(".assumption.deleted code")].map((a) => a.textContent),
      })),
    );
    const ascending = (lines) => [...new Set(lines)].sort((a, b) => a - b);
    const lines = (nest, all) => (nest === "NEST: all of it" ? ascending(all) : (nest.match(/\d+/g) ?? []).map(Number));
    return listed.map((sequence) => ({ ...sequence, nest: lines(sequence.nest, sequence.lines) }));
  }

  async chooseSequence(number) {
    await this.page.locator("li.sequence .choice").nth(number - 1).click();
    await this.settle();
  }

  /** Only assumptions over this input, or no longer. */
  async toggleInput(name) {
    await this.page.getByRole("group", { name: "Assumptions over" }).getByRole("button", { name, exact: true }).click();
    await this.settle();
  }

  /** "Graph", or the runs. */
  async showRuns(runs = true) {
    const group = this.page.locator(".explain-head").getByRole("group", { name: "Picture" });
    await group.getByRole("button").nth(runs ? 1 : 0).click();
    await this.settle();
  }

  /** The runs side by side: what stands in each row, and how it is marked. */
  runRows() {
    return this.page.locator(".aligned tbody tr").evaluateAll((rows) =>
      rows.map((row) => {
        const text = (cell) => cell?.querySelector("code")?.textContent ?? "";
        const [failing, correct] = row.querySelectorAll("td");
        const marks = [...row.querySelectorAll(".mark")].map((mark) => mark.textContent);
        return { heading: row.classList.contains("part") ? row.textContent : "", failing: text(failing), correct: text(correct), apart: row.classList.contains("apart"), marks };
      }),
    );
  }

  /** Where the timeline of the level stands. */
  async levelStep() {
    await this.settle();
    const [, name, step, count] = (await this.page.locator(".explain-timeline .position b").innerText()).match(/^(.*): (\d+) of (\d+)$/);
    return { name, step: Number(step), count: Number(count) };
  }

  /**
   * Suspicious statements, as they are listed; `shares` are the lengths of their bars in percent.
   */
  suspects() {
    return this.page.locator("li.suspect").evaluateAll((items) =>
      items.map((item) => ({
        line: Number(item.dataset.line),
        statement: item.querySelector(".suspect-head code").textContent,
        sentence: item.querySelector("p").textContent,
        shares: [...item.querySelectorAll(".share-bar i")].map((bar) => Number.parseFloat(bar.style.width)),
      })),
    );
  }

  repairs() {
    return this.page.locator(".repair").evaluateAll((cards) =>
      cards.map((card) => ({
        line: Number(card.querySelector(".line-link").textContent.match(/\d+/)[0]),
        removed: card.querySelector("del code")?.textContent ?? "",
        inserted: card.querySelector("ins code")?.textContent ?? "",
        claim: card.querySelector(".claim").textContent,
      })),
    );
  }

  async applyRepair(number = 1) {
    await this.page.locator(".repair").nth(number - 1).getByRole("button", { name: "Apply" }).click();
  }
};
