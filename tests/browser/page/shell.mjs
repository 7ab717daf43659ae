// What surrounds the tabs: the address, the editor, running, options, files, the gallery, looks,
// and what can be said of the whole page.
import { readFile } from "node:fs/promises";

const ANSWERED = ".verdict:is(.safe, .unsafe, .neutral, .unknown):not(.failing)";

export class Shell {
  constructor(page, address) {
    this.page = page;
    this.address = address;
    /** Errors on the console, or of requests, that the test brings about itself. */
    this.expected = [];
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

  /** The page once more, in another tab of the same browser. */
  async another() {
    const other = new this.constructor(await this.page.context().newPage(), this.address);
    await other.page.goto(this.address);
    await other.editor().waitFor();
    return other;
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

  /** The address's fragment, once it looks like this; else what it is after all. */
  fragmentOnce(expected) {
    return this.once(
      () => this.page.evaluate(() => location.hash),
      (fragment) => expected.test(fragment),
    );
  }

  historyLength() {
    return this.page.evaluate(() => history.length);
  }

  async back() {
    await this.page.evaluate(() => void setTimeout(() => history.back()));
    await this.sleep(100);
    await this.settle();
  }

  async forward() {
    await this.page.evaluate(() => void setTimeout(() => history.forward()));
    await this.sleep(100);
    await this.settle();
  }

  /** The program that the browser keeps for the next visit. */
  async keptProgram() {
    return JSON.parse((await this.page.evaluate(() => localStorage.getItem("faultline.program"))) ?? "{}").source ?? "";
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
    await this.page.locator(".top").getByRole("button", { name: /^Run/ }).click();
    await this.settle();
  }

  async stop() {
    await this.page.getByRole("button", { name: /^Stop/ }).click();
  }

  isBusy() {
    return this.page.locator(".verdict:is(.running, .failing)").isVisible();
  }

  waitUntilBusy() {
    return this.page.locator(".verdict:is(.running, .failing)").waitFor();
  }

  /** Waits until the headline of what is computed says this. */
  saysWhileBusy(headline) {
    return this.page.locator(".verdict:is(.running, .failing) h1", { hasText: headline }).waitFor();
  }

  waitUntilIdle() {
    return this.page.locator(".verdict:is(.running, .failing)").waitFor({ state: "detached" });
  }

  /** The verdict's sentence, once there is one. */
  async verdict() {
    await this.page.locator(ANSWERED).waitFor({ timeout: 30_000 });
    return (await this.page.locator(`${ANSWERED} h1`).innerText()).trim();
  }

  /** What the answer holds for. */
  holdsFor() {
    return this.page.locator(`${ANSWERED} .holds`).first().textContent();
  }

  /** Everything that the one place for verdicts says, what is folded included. */
  toldOfVerdict() {
    return this.page.locator(".verdict").evaluate((panel) => [...panel.querySelectorAll("h1, p")].map((part) => part.textContent).join("\n"));
  }

  /** What a person sees in the one place for verdicts without a click, in one line. */
  async shownVerdict() {
    await this.settle();
    return (await this.page.locator(".verdict").innerText()).replace(/\s+/g, " ").trim();
  }

  /** The widths of `int` that are offered, as a screen reader or the clipboard has them. */
  offeredWidths() {
    return this.page.locator(".verdict .widths").evaluate((group) => group.textContent);
  }

  /** Opens what stands behind the verdict: all that it holds for, what else can fail, the engine's
   * numbers, the proof; what it says. */
  async howItWasFound() {
    const shut = this.page.locator('.details-switch[aria-expanded="false"]');
    if (await shut.count()) await shut.click();
    return this.page.locator(".verdict .details").innerText();
  }

  /** What other tabs know, as in "Projection: safe". */
  async knownElsewhere() {
    await this.settle();
    return (await this.page.locator(".verdict .known > span").allTextContents()).map((text) => text.replace(/^ · /, "").trim());
  }

  /** The verdict's sentence, or what stands in its way. */
  async verdictOrDiagnostic() {
    const panel = this.page.locator(".verdict:is(.safe, .unsafe, .neutral, .unknown, .broken):not(.failing)");
    await panel.waitFor({ timeout: 45_000 });
    return panel.innerText();
  }

  // Diagnostics.

  diagnosticItems() {
    return this.page.locator(".verdict.broken .errors li button.link");
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

  /** The options in the top bar, in a line. */
  optionsInShort() {
    return this.page.locator(".options .summary").textContent();
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

  // Gallery, sharing, looks.

  async openGallery() {
    await this.button("Gallery").click();
    await this.gallery().waitFor();
  }

  gallery() {
    return this.page.getByRole("dialog").filter({ visible: true });
  }

  /** Waits until the examples are there: their cards stand on an empty page. */
  async galleryIndex() {
    await this.page.locator(".card .thumbnail").first().waitFor();
  }

  /** Searches the gallery; the titles that it shows then. */
  async searchGallery(words) {
    await this.gallery().getByRole("searchbox").fill(words);
    await this.settle();
    return this.galleryCards().locator("b").allInnerTexts();
  }

  galleryCards() {
    return this.gallery().locator(".card");
  }

  async choose(title) {
    await this.gallery().getByText(title, { exact: true }).click();
    await this.gallery().waitFor({ state: "hidden" });
    await this.settle();
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

  // On a phone, on a projector, for everybody.

  /** On a phone: shows "Source", "Picture" or "Inspector". */
  async face(view) {
    await this.page.getByRole("group", { name: "What is shown" }).getByRole("button", { name: view }).click();
    await this.settle();
  }

  /** Waits until nothing has changed on the page for a third of a second. */
  async rest() {
    let before = "";
    await this.once(
      async () => {
        await this.sleep(330);
        const now = await this.page.evaluate(() => document.body.innerHTML);
        const same = now === before;
        before = now;
        return same;
      },
      (same) => same,
    );
  }

  /** What has the focus: "editor", "card", or what it is called. */
  focusedPart() {
    return this.page.evaluate(() => {
      const focused = document.activeElement;
      if (focused.closest(".cm-editor")) return "editor";
      if (focused.closest(".card")) return "card";
      return focused.getAttribute("aria-label") || focused.textContent.trim().slice(0, 40) || focused.tagName;
    });
  }

  /**
   * What breaks a rule of axe-core: all rules but experimental ones and level AAA. With a tag
   * ("cat.color"), only rules that have it.
   */
  async violations(tag = null) {
    await this.settle();
    const source = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    await this.page.evaluate(source);
    return this.page.evaluate(async (asked) => {
      const strict = window.axe
        .getRules(asked === null ? undefined : [asked])
        .filter(({ tags }) => !tags.some((tag) => /aaa$|^experimental$|^deprecated$/.test(tag)));
      const runOnly = { type: "rule", values: strict.map(({ ruleId }) => ruleId) };
      const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"] });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary.split("\n").slice(1, 3).join(" ").trim()}`));
    }, tag);
  }

  /** The same in light; in dark, which changes colours alone, what breaks a rule about those. */
  async violationsInLightAndDark() {
    const found = await this.violations();
    await this.page.emulateMedia({ colorScheme: "dark" });
    found.push(...(await this.violations("cat.color")).map((fault) => `dark: ${fault}`));
    await this.page.emulateMedia({ colorScheme: "light" });
    return found;
  }

  /** What can be pressed and is smaller than 24 pixels; boxes of pictures have their zoom. */
  smallTargets() {
    return this.page.evaluate(() => {
      const pressed = [...document.querySelectorAll("button, a[href], input, select, summary, [role=tab]")];
      const labelled = (element) => element.closest("label") ?? element;
      return pressed
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".cm-editor, .file-input"))
        .map((element) => [element, labelled(element).getBoundingClientRect()])
        .filter(([, { width, height }]) => width > 0 && (width < 23.9 || height < 23.9))
        .map(([element, { width, height }]) => `${element.className || element.tagName} "${element.textContent.trim().slice(0, 30)}" ${width.toFixed(0)} × ${height.toFixed(0)}`);
    });
  }

  /** The smallest text in the picture, in pixels on the screen, and what it says. */
  smallestLabel() {
    return this.page.evaluate(() => {
      const sized = [...document.querySelectorAll(".picture .world text")].map((text) => {
        const zoom = text.getScreenCTM().a;
        return [parseFloat(getComputedStyle(text).fontSize) * zoom, text.textContent];
      });
      return sized.sort((a, b) => a[0] - b[0])[0];
    });
  }
}
