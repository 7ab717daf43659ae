// The slice, the failing run, the picture, and the line of tabs.

export const Projection = (Page) => class extends Page {
  // The slice.

  /** All of the legend, with what the projection can be compared with. */
  async openLegend() {
    const shut = this.page.locator('.legend-switch[aria-expanded="false"]');
    if (await shut.count()) await shut.click();
  }

  async toggleSlice() {
    await this.openLegend();
    await this.page.getByRole("button", { name: "slice", exact: true }).click();
    await this.settle();
  }

  sliceLines() {
    return this.linesWith("fl-slice");
  }

  sliceNote() {
    return this.page.locator(".slice-note").innerText();
  }

  async withOptions(change) {
    await this.page.locator(".options > button").click();
    const panel = this.page.getByRole("dialog", { name: "Options" });
    await panel.waitFor();
    await change(panel);
    await this.settle();
    await this.page.locator(".backdrop").click({ position: { x: 5, y: 5 } });
    await panel.waitFor({ state: "detached" });
  }

  // The failing run.

  steps() {
    return this.page.locator(".timeline .step");
  }

  async step() {
    await this.settle();
    return Number((await this.position()).match(/Step (\d+) of/)[1]);
  }

  async lastStep() {
    return Number((await this.position()).match(/of (\d+)/)[1]);
  }

  /** The line that the stepper names for the current step. */
  async stepLine() {
    return Number((await this.position()).match(/line (\d+)/)[1]);
  }

  position() {
    return this.page.locator(".stepper .position").innerText();
  }

  async changedValues() {
    await this.settle();
    return this.page.locator(".inspector .values tr.changed").allInnerTexts();
  }

  /** The statement of the current step. */
  async currentStep() {
    await this.settle();
    return this.page.locator(".timeline .step.current").innerText();
  }

  /** The callers of the current step, innermost first: { place, variables }. */
  async callers() {
    await this.settle();
    return this.page.locator(".stack .frame").evaluateAll((frames) =>
      frames.map((frame) => ({
        place: [...frame.querySelectorAll("b, .where")].map((part) => part.textContent).join(" "),
        variables: [...frame.querySelectorAll("tr")].map((row) => row.innerText ?? row.textContent).join("\n"),
      })),
    );
  }

  /** Unfolds a frame. */
  async openFrame(number) {
    const frame = this.page.locator(".stack details.frame").nth(number);
    if (!(await frame.evaluate((details) => details.open))) await frame.locator("summary").click();
  }

  /** What the last step says of the failure; empty at other steps. */
  async failure() {
    await this.settle();
    return (await this.page.locator(".inspector .failure").allInnerTexts()).join("\n");
  }

  async inspectorText(expected) {
    const inspector = this.page.locator(".inspector");
    await inspector.filter({ hasText: expected }).waitFor();
    return inspector.innerText();
  }

  // The picture.

  boxes(mark) {
    return this.page.locator(mark ? `.picture .box.${mark}` : ".picture .box");
  }

  boxOfLine(line) {
    return this.page.locator(`.picture .box[aria-label^="line ${line}:"]`).first();
  }

  /** Waits until the boxes of this line, and no others, are selected. */
  async selectedBoxIs(line) {
    await this.page.locator(`.picture .box.selected[aria-label^="line ${line}:"]`).first().waitFor();
    const others = this.page.locator(`.picture .box.selected:not([aria-label^="line ${line}:"])`);
    if ((await others.count()) > 0) throw new Error(`more than line ${line} is selected`);
  }

  async lineOfBox(box) {
    await this.settle();
    return Number((await box.first().getAttribute("aria-label")).match(/line (\d+)/)[1]);
  }

  /** Folded boxes: "procedure" (of this name) or "chain". */
  folded(kind, name) {
    const boxes = this.page.locator(`.picture .box.${kind}`);
    return name ? boxes.filter({ has: this.page.locator("text", { hasText: new RegExp(`^${name}$`) }) }) : boxes;
  }

  unfoldedChains() {
    return this.page.locator(".picture .box:has(.fold-chain)");
  }

  /** The name of the one open procedure, when it is one of these. */
  part(...names) {
    return this.page.locator(".graph-pane .part", { hasText: new RegExp(`(${names.join("|")})$`) });
  }

  async callGraph() {
    await this.page.getByRole("button", { name: "Call graph" }).click();
    await this.page.locator(".picture .cluster").first().waitFor({ state: "detached" });
  }

  minimap() {
    return this.page.locator(".picture .minimap");
  }

  focusPicture() {
    return this.page.locator(".picture").focus();
  }

  async search(text) {
    const field = this.page.getByRole("textbox", { name: "Search in the picture" });
    if (!(await field.isVisible())) await this.page.getByRole("button", { name: "Search" }).click();
    await field.fill(text);
    await this.settle();
  }

  /** Jumps to the next match. */
  async searchNext() {
    await this.page.getByRole("textbox", { name: "Search in the picture" }).press("Enter");
    await this.settle();
  }

  searchSaid() {
    return this.page.locator(".found-count").innerText();
  }

  async closeSearch() {
    await this.page.getByRole("textbox", { name: "Search in the picture" }).press("Escape");
    await this.page.locator(".graph-search").waitFor({ state: "detached" });
  }

  clusters() {
    return this.page.locator(".picture .cluster text").allTextContents();
  }

  async pictureTransform() {
    await this.settle();
    return this.page.locator(".picture .world").getAttribute("style");
  }

  /** Drags the picture by its background. */
  async drag(dx, dy) {
    const area = await this.page.locator(".picture").boundingBox();
    const [x, y] = [area.x + 12, area.y + area.height - 12];
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + dx / 2, y - dy / 2, { steps: 4 });
    await this.page.mouse.move(x + dx, y - dy, { steps: 4 });
    await this.page.mouse.up();
  }

  // Analyses.

  async chooseAnalysis(name) {
    await this.page.getByRole("tab", { name, exact: true }).click();
    await this.settle();
  }

  /** The tab that is on. */
  async analysis() {
    await this.settle();
    return this.page.getByRole("tab", { selected: true }).innerText();
  }
};
