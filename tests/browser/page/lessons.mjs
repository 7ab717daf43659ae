// The lessons' panel.

export const Lessons = (Page) =>
  class extends Page {
    // Lessons.

    lesson() {
      return this.page.locator(".lesson");
    }

    /** Opens the list by the button in the page's head. */
    async openLessons() {
      await this.page.locator(".top [data-lessons]").click();
      await this.lesson().locator(".lesson-card").first().waitFor();
    }

    /** The lessons of the list: { name, title }. */
    lessonCards() {
      return this.lesson()
        .locator(".lesson-card")
        .evaluateAll((cards) =>
          cards.map((card) => ({
            name: card.dataset.lessonName,
            title: card.querySelector("b").firstChild.textContent,
          })),
        );
    }

    async openLesson(name) {
      await this.openAddress(`${this.address}?lesson=${name}`);
      await this.lesson().locator(".lesson-at").waitFor();
    }

    /** { at, of, title } of the step that is shown. */
    async lessonStep() {
      const [at, of] = (await this.lesson().locator(".lesson-at").innerText())
        .split(" of ")
        .map(Number);
      return { at, of, title: await this.lesson().locator("h2").innerText() };
    }

    async nextStep() {
      await this.lesson().getByRole("button", { name: "Next" }).click();
    }

    /** Is what the page says covered, for people who see it and for those who hear it? */
    async isCovered() {
      return !(await this.page.locator(".verdict h1").first().isVisible());
    }

    /** Ticks these lines of a prediction. */
    async predictLines(lines) {
      for (const line of lines)
        await this.lesson()
          .getByRole("checkbox", { name: new RegExp(`^Line ${line}:`) })
          .check();
    }

    async predict(answer) {
      const radio = this.lesson().locator(".lesson-choice").filter({ hasText: answer });
      if (await radio.count()) await radio.first().locator("input").check();
      else await this.lesson().locator(".lesson-field input").fill(String(answer));
    }

    /** Reveals the engine's answer, once there is one: as the panel has it; was it predicted? */
    async reveal() {
      const reveal = this.lesson().getByRole("button", { name: "Reveal" });
      await reveal.click();
      // Without a prediction it is asked for once.
      if (await reveal.count()) await reveal.click();
      return this.revealed();
    }

    async revealed() {
      const answer = this.lesson().locator(".lesson-answer");
      await answer.waitFor({ timeout: 20_000 });
      const isRight = await this.lesson().locator(".lesson-result.right").count();
      return { answer: await answer.getAttribute("data-answer"), isRight: isRight > 0 };
    }

    /** Lines that are marked as wrongly predicted. */
    wrongLines() {
      return this.lesson().locator(".lesson-line.wrong .lesson-number").allInnerTexts();
    }

    /** Which of the things to try are done. */
    triesDone() {
      return this.lesson()
        .locator(".lesson-try")
        .evaluateAll((tries) => tries.map((one) => one.classList.contains("done")));
    }

    /** Edits the program, whose text is `old`: only the lines that differ, as a person would. */
    async editLines(old, text) {
      const [before, after] = [old.split("\n"), text.split("\n")];
      let from = 0;
      while (before[from] === after[from]) from += 1;
      let same = 0;
      while (
        same < Math.min(before.length, after.length) - from &&
        before.at(-1 - same) === after.at(-1 - same)
      )
        same += 1;
      const lines = after
        .slice(from, after.length - same)
        .map((line) => `${line}\n`)
        .join("");
      await this.page.evaluate((lines) => navigator.clipboard.writeText(lines), lines);
      await this.editor().focus();
      await this.page.keyboard.press("Control+Home");
      for (let k = 0; k < from; k++) await this.page.keyboard.press("ArrowDown");
      for (let k = from; k < before.length - same; k++)
        await this.page.keyboard.press("Shift+ArrowDown");
      await this.page.keyboard.press(lines === "" ? "Delete" : "Control+v");
      await this.settle();
    }

    async waitForTry(number) {
      await this.lesson()
        .locator(".lesson-try")
        .nth(number)
        .and(this.page.locator(".done"))
        .waitFor({ timeout: 20_000 });
    }

    async openLessonFile(name, content) {
      await this.lesson()
        .locator("input[type=file]")
        .setInputFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(content) });
    }
  };
