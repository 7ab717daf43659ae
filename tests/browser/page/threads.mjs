// The tab Threads.

export const Threads = (Page) => class extends Page {
  // Threads.

  /** Waits until the threads are analysed; the answer. */
  async threadsAnswer() {
    await this.page.locator('.threads-pane[data-settled="true"]').waitFor({ timeout: 30_000 });
    await this.page.locator('.verdict[data-tab="threads"]:is(.safe, .bounded, .unsafe, .unknown, .refused)').waitFor({ timeout: 30_000 });
    await this.settle();
    return this.toldOfVerdict();
  }

  /** The bound in force, or to which it rose. */
  async bound() {
    return Number(await this.page.locator(".threads-pane").getAttribute("data-bound"));
  }

  /** What the option says: "raise by itself", "at most 3". */
  async switchesAsked() {
    return this.page.locator("#threads-switches option:checked").innerText();
  }

  async askSwitches(label) {
    await this.page.locator("#threads-switches").selectOption({ label });
    return this.threadsAnswer();
  }

  async raiseBound() {
    await this.button("One switch more").click();
    return this.threadsAnswer();
  }

  /** The switches of the run, as the lanes tell them. */
  async switchesTold() {
    await this.settle();
    return this.page.locator(".lane-switch[data-switch]:not([data-switch='0']) .switch-told b").allInnerTexts();
  }

  /** { thread, text } of each statement in the lanes, top to bottom. */
  laneSteps() {
    return this.page.locator(".lane-step[data-step]").evaluateAll((steps) => steps.map((step) => ({ thread: step.dataset.thread, text: step.querySelector("code").textContent })));
  }

  /** The numbers of switches in the strip, and whether the error needs them. */
  levels() {
    return this.page.locator(".bound-level").evaluateAll((levels) => levels.map((level) => ({ switches: Number(level.dataset.level), fails: level.classList.contains("fails") })));
  }
};
