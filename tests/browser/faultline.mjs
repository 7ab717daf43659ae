// The page as a person sees it: every selector and every wait of the tests is here.

const ANSWERED = ".verdict:is(.safe, .unsafe, .unknown)";

export class Faultline {
  constructor(page, address) {
    this.page = page;
    this.address = address;
  }

  // Coming and going.

  /** Opens the page, with a fragment, as from a link: always a fresh load. */
  async open(fragment = "") {
    await this.openAddress(this.address + fragment);
  }

  async openAddress(url) {
    await this.page.goto("about:blank");
    await this.page.goto(url);
    await this.editor().waitFor();
  }

  async reload() {
    await this.page.reload();
    await this.editor().waitFor();
  }

  /** As if the page had never been visited. */
  async forgetEverything() {
    await this.page.evaluate(() => localStorage.clear());
    await this.page.goto("about:blank");
  }

  sleep(millis) {
    return this.page.waitForTimeout(millis);
  }

  // The editor.

  editor() {
    return this.page.locator(".editor .cm-content");
  }

  /** Replaces the program by pasting. */
  async write(text) {
    await this.page.evaluate((program) => navigator.clipboard.writeText(program), text);
    await this.editor().click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.press("Control+v");
  }

  /**
   * The program in the editor; only for short ones, since the editor draws just the lines in view.
   */
  program() {
    return this.page.evaluate(() => {
      const lines = [...document.querySelectorAll(".editor .cm-line")].map((line) => {
        const copy = line.cloneNode(true);
        copy.querySelectorAll(".fl-note, .cm-placeholder").forEach((added) => added.remove());
        return copy.textContent;
      });
      return lines.join("\n");
    });
  }

  /** The program, once it is this one; else what it is after all. */
  programOnce(expected) {
    return this.once(
      () => this.program(),
      (program) => program === expected,
    );
  }

  /** Asks again until the answer is good enough, for at most ten seconds; the last answer. */
  async once(ask, enough) {
    for (const end = Date.now() + 10_000; ; await this.sleep(50)) {
      const answer = await ask();
      if (enough(answer) || Date.now() > end) return answer;
    }
  }

  /** What the page has put aside for the next visit. */
  storedProgram() {
    return this.page.evaluate(() => Object.values(localStorage).join("\n"));
  }

  line(number) {
    return this.page.locator(".editor .cm-line").nth(number - 1);
  }

  /** The numbers of the lines with a class, by what stands beside them in the gutter. */
  linesWith(className) {
    return this.page.evaluate((name) => {
      const numbers = new Map();
      for (const element of document.querySelectorAll(".editor .cm-lineNumbers .cm-gutterElement")) {
        const { top, height } = element.getBoundingClientRect();
        if (height > 0) numbers.set(Math.round(top), Number(element.textContent));
      }
      const found = [...document.querySelectorAll(`.editor .cm-line.${name}`)];
      return found.map((line) => numbers.get(Math.round(line.getBoundingClientRect().top))).sort((a, b) => a - b);
    }, className);
  }

  litLines() {
    return this.linesWith("fl-lit");
  }

  dimLines() {
    return this.linesWith("fl-dim");
  }

  failingLines() {
    return this.linesWith("fl-fails");
  }

  /** Waits until the page has caught up with the last click. */
  async selectedLines() {
    await this.settle();
    return this.linesWith("fl-selected");
  }

  async currentLine() {
    await this.settle();
    return (await this.linesWith("fl-current"))[0];
  }

  /** Two frames: what an event changed has been drawn. */
  settle() {
    return this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }

  // Running.

  button(name) {
    return this.page.getByRole("button", { name, exact: false }).filter({ visible: true }).first();
  }

  async press(key) {
    // As if nothing had the focus: keys like ← would otherwise be the editor's.
    if (!key.startsWith("Control")) await this.page.evaluate(() => document.activeElement?.blur());
    await this.page.keyboard.press(key);
    await this.settle();
  }

  /** Presses Run; a paste into an empty editor runs by itself. */
  async run() {
    await this.settle();
    if (await this.isBusy()) return;
    await this.page.getByRole("button", { name: /^Run( Ctrl.*)?$/ }).click();
    await this.settle();
  }

  async stop() {
    await this.page.getByRole("button", { name: /^Stop/ }).click();
  }

  isBusy() {
    return this.page.locator(".verdict.running").isVisible();
  }

  waitUntilBusy() {
    return this.page.locator(".verdict.running").waitFor();
  }

  waitUntilIdle() {
    return this.page.locator(".verdict.running").waitFor({ state: "detached" });
  }

  /** The verdict's sentence, once there is one. */
  async verdict() {
    await this.page.locator(ANSWERED).waitFor({ timeout: 30_000 });
    return (await this.page.locator(`${ANSWERED} h1`).innerText()).trim();
  }

  /** What the answer holds for. */
  holdsFor() {
    return this.page.locator(`${ANSWERED} .holds`).first().innerText();
  }

  /** The verdict's sentence, or what stands in its way. */
  async verdictOrDiagnostic() {
    const panel = this.page.locator(".verdict:is(.safe, .unsafe, .unknown, .broken)");
    await panel.waitFor({ timeout: 45_000 });
    return panel.innerText();
  }

  // Diagnostics.

  diagnosticItems() {
    return this.page.locator(".verdict.broken .errors li button");
  }

  async diagnostics() {
    await this.page.locator(".verdict.broken").waitFor();
    return this.page.locator(".verdict.broken .errors li").allInnerTexts();
  }

  async diagnosticLines() {
    const texts = await this.diagnosticItems().allInnerTexts();
    return texts.map((text) => Number(text.match(/\d+/)[0]));
  }

  async gutterMarks() {
    await this.settle();
    return this.page.locator(".editor .cm-gutter-lint .cm-lint-marker").count();
  }

  /** The message, once it is about this; else what it is after all. */
  noticeOnce(expected) {
    return this.once(
      () => this.notice(),
      (text) => expected.test(text),
    );
  }

  /** A message about something other than the program: a link, the store. */
  async notice() {
    return this.page.getByRole("alert").innerText();
  }

  // Options.

  async setBits(bits) {
    await this.withOptions(async (panel) => {
      await panel.getByLabel("Width of int").fill(String(bits));
      await this.page.keyboard.press("Tab");
    });
  }

  /** "any value" or "zero". */
  async setGlobals(name) {
    await this.withOptions((panel) => panel.getByRole("button", { name, exact: true }).click());
  }

  /** A way to compute the projection, by its word. */
  async setMethod(method) {
    await this.withOptions((panel) => panel.getByLabel("Projection by").selectOption(method));
  }

  // Languages and files.

  languageControl() {
    return this.page.getByRole("combobox", { name: "Language of the program" });
  }

  /** What the control above the source shows. */
  async language() {
    await this.settle();
    return this.languageControl().evaluate((select) => select.selectedOptions[0].textContent);
  }

  /** By the extension of its files; "": as guessed. */
  async chooseLanguage(extension) {
    await this.languageControl().selectOption(extension);
    await this.settle();
  }

  /** What the source pane is called: the file's name. */
  title() {
    return this.page.locator(".source-bar h2").innerText();
  }

  /** The texts that are highlighted as `kind`: keyword, type, check, number, comment or meta. */
  highlighted(kind) {
    return this.page.locator(`.editor .tok-${kind}`).allTextContents();
  }

  /** Opens a file, as the browser's own dialog would. */
  async openFile(name, content) {
    await this.page.locator(".file-input").setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) });
    await this.settle();
  }

  /** Sends a drag event with a file to what a selector finds. */
  async dragFile(type, selector, name = "program.cimple", content = "") {
    await this.page.evaluate(
      ([type, selector, name, content]) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([content], name));
        document.querySelector(selector).dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      [type, selector, name, content],
    );
    await this.settle();
  }

  dropOverlay() {
    return this.page.locator(".drop");
  }

  async tryBits(bits) {
    await this.page.getByRole("button", { name: `Try ${bits} bits` }).click();
    await this.settle();
  }

  // The slice.

  async toggleSlice() {
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
        lines: item.querySelector(".sequence-lines").textContent.split(" ").map(Number),
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

  // The lab.

  /** Waits until what is asked for is recorded and drawn. */
  async recorded() {
    await this.page.locator('.lab-pane[data-recorded="true"] .automaton').waitFor({ timeout: 30_000 });
    await this.settle();
  }

  /** "post*", "pre*" or "transducer". */
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

  // Refinement.

  /** Waits until the loop is over and the round that is shown was read. */
  async refined() {
    await this.page.locator('.refinement-pane[data-refined="true"][data-round]').waitFor({ timeout: 30_000 });
    await this.settle();
  }

  /** Verdict and numbers of the loop, once it is over. */
  async refinementAnswer() {
    await this.page.locator(".refinement-answer .said").waitFor({ timeout: 30_000 });
    return this.page.locator(".refinement-answer").innerText();
  }

  /** { round, rounds, phase } where the timeline stands. */
  async phase() {
    await this.settle();
    const [, round, rounds, phase] = (await this.page.locator(".stepper .position b").innerText()).match(/Round (\d+) of (\d+): (\w+)/);
    return { round: Number(round), rounds: Number(rounds), phase };
  }

  /** All phases of the timeline, as screen readers hear them. */
  phases() {
    return this.page.locator(".refinement-timeline .step").evaluateAll((steps) => steps.map((step) => step.getAttribute("aria-label")));
  }

  async goToPhase(round, phase) {
    await this.page.locator(`.refinement-timeline .step[aria-label^="Round ${round}, ${phase}:"]`).click();
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
    await this.page.getByLabel("Interpolants").selectOption({ label: name });
    await this.refined();
  }

  /** "Counterexamples", "Abstract program" or "Heuristics". */
  async showPicture(name) {
    await this.page.getByRole("group", { name: "Picture", exact: true }).getByRole("button", { name }).click();
    await this.settle();
  }

  /** Runs all heuristics; the cells of each row by heuristic. */
  async compareHeuristics() {
    await this.showPicture("Heuristics");
    await this.page.getByRole("button", { name: /^Compare/ }).click();
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

  // Threads.

  /** Waits until the threads are analysed; the answer. */
  async threadsAnswer() {
    await this.page.locator('.threads-pane[data-settled="true"] .refinement-answer .said').waitFor({ timeout: 30_000 });
    await this.settle();
    return this.page.locator(".threads-pane .refinement-answer").innerText();
  }

  /** The bound in force. */
  async bound() {
    return Number(await this.page.locator(".bound-value").innerText());
  }

  async raiseBound() {
    await this.button("One switch more").click();
    return this.threadsAnswer();
  }

  /** The switches of the run, as the lanes tell them. */
  async switchesTold() {
    await this.settle();
    return this.page.locator(".lane-switch:not([data-switch='0']) .switch-told b").allInnerTexts();
  }

  /** { thread, text } of each statement in the lanes, top to bottom. */
  laneSteps() {
    return this.page.locator(".lane-step").evaluateAll((steps) => steps.map((step) => ({ thread: step.dataset.thread, text: step.querySelector("code").textContent })));
  }

  /** The numbers of switches in the strip, and whether the error needs them. */
  levels() {
    return this.page.locator(".bound-level").evaluateAll((levels) => levels.map((level) => ({ switches: Number(level.dataset.level), fails: level.classList.contains("fails") })));
  }

  // Gallery, sharing, looks.

  async openGallery() {
    await this.button("Gallery").click();
    await this.gallery().waitFor();
  }

  gallery() {
    return this.page.getByRole("dialog").filter({ visible: true });
  }

  galleryCards() {
    return this.gallery().locator(".card");
  }

  async choose(title) {
    await this.gallery().getByText(title, { exact: true }).click();
    await this.gallery().waitFor({ state: "hidden" });
  }

  /** Presses Share; the link that it shows. */
  async share() {
    await this.button("Share").click();
    const link = await this.page.getByRole("textbox", { name: "Link" }).inputValue();
    await this.button("Copied").waitFor();
    const copied = await this.page.evaluate(() => navigator.clipboard.readText());
    if (copied !== link) throw new Error(`the clipboard holds ${copied}, not ${link}`);
    await this.page.keyboard.press("Escape");
    return link;
  }

  /** Why there is nothing to share. */
  async shareRefused() {
    await this.button("Share").click();
    return this.page.getByRole("dialog", { name: "Share" }).locator(".warning").innerText();
  }

  async switchTheme() {
    await this.page.getByRole("button", { name: /(Light|Dark) colours/ }).click();
    await this.settle();
  }

  /** Of the page's background, 0 to 1. */
  brightness() {
    return this.page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
      return (r + g + b) / 3 / 255;
    });
  }

  /** Where the editor and the picture stand. */
  async panes() {
    await this.settle();
    return Promise.all([".editor", ".graph-pane"].map((pane) => this.page.locator(pane).boundingBox()));
  }

  /** Is nothing wider than the window? */
  fitsAcross() {
    return this.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  }
}
