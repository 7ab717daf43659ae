// The programs that the browser keeps, the questions that were asked, and the comparison.
export const Desk = (Base) =>
  class extends Base {
    desk() {
      return this.page.locator("dialog.desk");
    }

    /** Opens it on "Programs", "Asked" or "Compare". */
    async openDesk(view = "Programs") {
      if (!(await this.desk().isVisible())) await this.page.locator("[data-desk=programs]").click();
      await this.desk().getByRole("button", { name: view, exact: true }).first().click();
    }

    async closeDesk() {
      await this.page.keyboard.press("Escape");
      await this.desk().waitFor({ state: "detached" });
    }

    /** Keeps the present program under a name. */
    async keepAs(name) {
      await this.openDesk();
      await this.desk().getByLabel("Name", { exact: true }).fill(name);
      await this.desk().getByRole("button", { name: "Keep", exact: true }).click();
    }

    /** The kept programs' names. */
    async keptNames() {
      const names = await this.desk().locator("[data-id] b").allInnerTexts();
      return names.map((name) => name.replace(/ open now$/, ""));
    }

    /** The kept programs' texts by their names, as the browser has them. */
    keptTexts() {
      return this.page.evaluate(() => {
        const list = JSON.parse(localStorage.getItem("faultline.programs")) ?? [];
        return Object.fromEntries(list.map(({ name, source }) => [name, source]));
      });
    }

    /** Presses "Undo changes" or "Redo changes" of a kept program. */
    async undoChanges(name, which) {
      const button = this.desk().getByRole("button", { name: `${which} changes of ${name}` });
      await button.click();
      await button.waitFor({ state: "detached" });
    }

    /** A kept program's row. */
    keptRow(name) {
      return this.desk()
        .locator("[data-id]")
        .filter({ has: this.page.locator("b", { hasText: name }) });
    }

    /** What was asked: [question and answer, program and time]. */
    async askedRows() {
      const rows = this.desk().getByRole("list", { name: "Questions" }).getByRole("listitem");
      return Promise.all((await rows.all()).map((row) => row.locator("b, span").allInnerTexts()));
    }

    /** The questions once there are so many that were asked. */
    askedOnce(count) {
      const asked = () =>
        this.page.evaluate(
          () => JSON.parse(localStorage.getItem("faultline.asked"))?.asked.length ?? 0,
        );
      return this.once(asked, (found) => found === count);
    }

    /** What the comparison says, row by row, once it has both answers. */
    async comparedRows() {
      await this.desk().locator(".compare-only, .compare-told .quiet").waitFor({ timeout: 60_000 });
      const rows = await this.desk().locator(".compare-told tbody tr").all();
      const cells = await Promise.all(rows.map((row) => row.locator("th, td").allInnerTexts()));
      return Object.fromEntries(cells.map(([words, ...values]) => [words, values]));
    }

    comparedOnly() {
      return this.desk().locator(".compare-only").innerText();
    }
  };
