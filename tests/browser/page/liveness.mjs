// The tab Liveness.

export const Liveness = (Page) => class extends Page {
  // Liveness.

  /** Waits until the question is answered; the answer. */
  async livenessAnswer() {
    await this.page.locator('.liveness-pane[data-settled="true"]').waitFor({ timeout: 30_000 });
    await this.page.locator('.verdict[data-tab="liveness"]:is(.safe, .unsafe, .unknown, .refused)').waitFor({ timeout: 30_000 });
    await this.settle();
    return this.toldOfVerdict();
  }

  formulaField() {
    return this.page.getByRole("textbox", { name: "Formula" });
  }

  /** Writes a formula and asks with the key; the answer. */
  async askFormula(formula) {
    await this.formulaField().fill(formula);
    await this.page.keyboard.press("Enter");
    return this.livenessAnswer();
  }

  /** The rows of the table: { formula, values }, and the column of the step. */
  truth() {
    return this.page.locator(".truth table").evaluate((table) => ({
      rows: [...table.querySelectorAll("tbody tr")].map((row) => ({
        formula: row.querySelector("th").innerText,
        values: [...row.querySelectorAll("td")].map((cell) => cell.classList.contains("true")),
      })),
      now: [...table.querySelectorAll("thead th[scope=col]")].findIndex((cell) => cell.classList.contains("now")),
      from: [...table.querySelectorAll("thead th[scope=col]")].findIndex((cell) => cell.classList.contains("from")),
    }));
  }

  /** The numbers of the steps that the timeline brackets as the cycle. */
  cycleSteps() {
    return this.page.locator(".liveness-timeline li.in-cycle .number").allInnerTexts();
  }
};
