// The tab Refinement.

export const Refinement = (Page) => class extends Page {
  // Refinement.

  /** Waits until the loop is over and the round that is shown was read. */
  async refined() {
    await this.page.locator('.refinement-pane[data-refined="true"][data-round]').waitFor({ timeout: 60_000 });
    await this.settle();
  }

  /** Verdict and numbers of the loop, once it is over. */
  async refinementAnswer() {
    await this.page.locator('.verdict[data-tab="refinement"]:is(.safe, .unsafe, .unknown)').waitFor({ timeout: 30_000 });
    return this.toldOfVerdict();
  }

  /** { round, rounds, phase } where the timeline stands. */
  async phase() {
    await this.settle();
    const [, round, rounds, phase] = (await this.page.locator(".stepper .position b").innerText()).match(/Round (\d+) of (\d+): (\w+)/);
    return { round: Number(round), rounds: Number(rounds), phase };
  }

  /** All phases of the timeline, as their tooltips say. */
  phases() {
    return this.page.locator(".refinement-timeline .step").evaluateAll((steps) => steps.map((step) => step.title));
  }

  async goToPhase(round, phase) {
    await this.page.locator(`.refinement-timeline .step[title^="Round ${round}, ${phase}:"]`).click();
    await this.page.locator(`.refinement-pane[data-round="${round}"]`).waitFor();
    await this.settle();
  }

  /** What stands in the boxes of the DAG. */
  dagLabels() {
    return this.page.locator(".refinement-pane .box > text").evaluateAll((texts) => texts.map((text) => text.textContent));
  }

  /** Selects the first node whose text begins like this. */
  async selectNode(start) {
    await this.page.locator(".refinement-pane .box").filter({ has: this.page.locator("text", { hasText: new RegExp(`^${start}`) }) }).first().click();
    await this.page.locator(".selected-node").waitFor();
    await this.settle();
  }

  /** The number of the selected node; `null` if none is. */
  async selectedNode() {
    await this.settle();
    const node = this.page.locator(".selected-node");
    return (await node.count()) ? node.getAttribute("data-node") : null;
  }

  /** { strongest, chosen, weakest } of the selected node, in the order in which they stand. */
  async interpolants() {
    await this.page.locator(".implication").waitFor();
    return Object.fromEntries(
      await this.page.locator(".implication .interpolant").evaluateAll((items) =>
        items.map((item) => [item.dataset.interpolant, [...item.querySelectorAll(".formula")].map((formula) => formula.textContent).join("; ")]),
      ),
    );
  }

  async chooseInterpolants(name) {
    await this.page.getByRole("combobox", { name: "Interpolants" }).selectOption({ label: name });
    await this.refined();
  }

  /** Opens what is behind "Options". */
  async openRefinementOptions() {
    const closed = this.page.locator(".ask-more:not([open]) summary");
    if (await closed.count()) await closed.click();
  }

  /** "Counterexamples", "Abstract program" or "Heuristics". */
  async showPicture(name) {
    await this.page.getByRole("group", { name: "Picture", exact: true }).getByRole("button", { name }).click();
    await this.settle();
  }

  /** The table of all heuristics, which fills by itself; the cells of each row by heuristic. */
  async compareHeuristics() {
    await this.showPicture("Heuristics");
    await this.page.locator('.heuristics[data-compared="true"]').waitFor({ timeout: 50_000 });
    return Object.fromEntries(
      await this.page.locator(".heuristics tr[data-heuristic]").evaluateAll((rows) =>
        rows.map((row) => [
          row.dataset.heuristic,
          Object.fromEntries(
            [...row.querySelectorAll("td[data-label]")].map((cell) => [cell.dataset.label, (cell.querySelector(".ours") ?? cell).textContent]),
          ),
        ]),
      ),
    );
  }

  /** What the thesis has of a heuristic, as the table says it, by column. */
  async printedOf(heuristic) {
    return Object.fromEntries(
      await this.page.locator(`.heuristics tr[data-heuristic="${heuristic}"] td[data-label]`).evaluateAll((cells) =>
        cells.filter((cell) => cell.querySelector(".paper")).map((cell) => [cell.dataset.label, cell.querySelector(".paper").textContent]),
      ),
    );
  }

  /** Ticks heuristics by their names. */
  async tickHeuristics(...names) {
    for (const name of names) await this.page.getByLabel(`Compare ${name}`, { exact: true }).check();
  }

  /** Shows the two that are ticked, and waits for their pictures. */
  async showTheTwo() {
    await this.page.getByRole("button", { name: "Show these two" }).click();
    await this.pairSettled();
  }

  async pairSettled() {
    await this.page.locator('.pair[data-settled="true"]').waitFor({ timeout: 50_000 });
    await this.settle();
  }

  /** Left (0) or right (1): { answer, rounds, labels } of what stands there. */
  async side(index) {
    const side = this.page.locator(`.pair-side[data-side="${index}"]`);
    return {
      heuristic: await side.getByRole("combobox").inputValue(),
      answer: await side.locator(".pair-answer").innerText(),
      rounds: await side.locator(".pair-round").evaluateAll((rounds) => rounds.map((round) => round.getAttribute("aria-label"))),
      labels: await side.locator(".box > text").evaluateAll((texts) => texts.map((text) => text.textContent)),
    };
  }

  /** The frames of the DAG, by what stands on them. */
  frames() {
    return this.page.locator(".refinement-pane .graph > .picture .cluster text").allTextContents();
  }

  /** Waits until the DAG has this many boxes. */
  async dagHas(count) {
    await this.once(() => this.page.locator(".refinement-pane .graph > .picture .box").count(), (found) => found === count);
  }

  /** What is said of the boxes that are marked for the line. */
  markedNodes() {
    return this.page.locator(".refinement-pane .graph > .picture .box.on-line > text").allTextContents();
  }
};
