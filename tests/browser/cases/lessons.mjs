// Lessons: each is walked to its end, doing what it asks by the page's own controls. What is
// revealed is what the command says of the same program (`tests/lessons.rs` writes it down).
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { read } from "../../../static/lesson_panel/reader.js";

const file = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const names = readdirSync(new URL("../../../static/lessons", import.meta.url))
  .map((name) => name.replace(/\.md$/, ""))
  .sort();
const answers = JSON.parse(file("tests/golden/lessons/answers.json"));
const changes = JSON.parse(file("tests/golden/lessons/changes.json"));
const lessonOf = (name) => read(file(`static/lessons/${name}.md`)).lesson;
const written = (answer) =>
  Array.isArray(answer) ? answer.join(typeof answer[0] === "number" ? "," : "; ") : String(answer);

/** The program of a step, as its lesson has it. */
function programAt(lesson, index) {
  const settings = lesson.steps
    .slice(0, index + 1)
    .flatMap(({ parts }) =>
      parts.filter(({ kind }) => kind === "show").flatMap(({ settings }) => settings),
    );
  const { key, value } = settings.findLast(({ key }) => key === "program" || key === "example");
  if (key === "example") return file(`static/examples/${value}`);
  return lesson.steps
    .flatMap(({ parts }) => parts)
    .find(({ kind, name }) => kind === "program" && name === value).text;
}

/** Does what a solution says, as a person would. */
async function solved(page, solution, program) {
  const edits = solution.filter((one) => one.replace !== undefined);
  if (edits.length > 0) {
    await page.editLines(
      program,
      edits.reduce((text, { replace, by }) => text.replace(replace, () => by), program),
    );
    await page.run();
  }
  for (const { key, value } of solution.filter((one) => one.key !== undefined))
    await setByHand(page, key, value);
  for (const { press } of solution.filter((one) => one.press !== undefined))
    await page.page.getByRole("button", { name: press, exact: true }).click();
}

async function setByHand(page, key, value) {
  const interpolants = { strongest: "strongest", weakest: "weakest", conciliated: "conciliated" };
  if (key === "step") await page.press("Home");
  else if (key === "line") await page.line(Number(value)).click();
  else if (key === "method") await page.setMethod(value);
  else if (key === "threads.ask.bound") await page.raiseBound();
  else if (key === "lab.task") await page.chooseTask(`${value}*`);
  else if (key === "lab.step") for (let k = 0; k < value; k++) await page.press("ArrowRight");
  else if (key === "refinement.round")
    await page.goToPhase(
      value,
      (await page.phases())
        .find((phase) => phase.startsWith(`Round ${value}, `))
        .match(/, ([^:]+):/)[1],
    );
  else if (key === "refinement.ask.interpolants")
    await page.chooseInterpolants(interpolants[value]);
  else if (key === "refinement.picture") await page.compareHeuristics();
  else if (key === "tab") await page.chooseAnalysis(value === "projection" ? "Projection" : value);
  else throw new Error(`nobody knows how to set ${key} by hand`);
}

/** Changes the program: the answer that is revealed becomes another one. And back again. */
async function answeredAnew(page, place, program) {
  const { fact, answer, changed } = answers[place];
  const other = changes[place].reduce((text, [old, by]) => text.replace(old, () => by), program);
  for (const [from, to, expected] of [
    [program, other, changed],
    [other, program, answer],
  ]) {
    await page.rest();
    await page.editLines(from, to);
    await page.run();
    if (/^(spurious|strongest|weakest)/.test(fact)) {
      // These are about the round that is shown.
      await page.refined();
      await page.goToPhase(1, "interpolate");
    }
    await page
      .lesson()
      .locator(`.lesson-answer[data-answer="${written(expected)}"]`)
      .waitFor({ timeout: 20_000 });
  }
}

/** Walks a lesson from its first step to its last. */
async function walked(page, name) {
  const lesson = lessonOf(name);
  await page.openLesson(name);
  let predictions = 0;
  for (const [k, step] of lesson.steps.entries()) {
    assert.deepEqual(await page.lessonStep(), {
      at: k + 1,
      of: lesson.steps.length,
      title: step.title.replaceAll("`", ""),
    });
    if (step.parts.some(({ kind }) => kind === "predict")) {
      const { fact, answer } = answers[`${name}, step ${k + 1}`];
      assert.ok(await page.isCovered(), `${name}, step ${k + 1} is covered`);
      assert.equal(step.parts.find(({ kind }) => kind === "predict").answer, fact);
      const isOfLines = Array.isArray(answer) && typeof answer[0] === "number";
      // Every other prediction is a wrong one.
      const isWrong = predictions++ % 2 === 1;
      if (isOfLines) {
        await page.lesson().getByRole("checkbox").first().waitFor();
        await page.predictLines(isWrong ? answer.slice(1) : answer);
      } else if (!isWrong) await page.predict(written(answer));
      assert.deepEqual(
        await page.reveal(),
        { answer: written(answer), isRight: !isWrong },
        `${name}, step ${k + 1}`,
      );
      if (isOfLines) assert.deepEqual(await page.wrongLines(), isWrong ? [String(answer[0])] : []);
      assert.ok(!(await page.isCovered()));
      await answeredAnew(page, `${name}, step ${k + 1}`, programAt(lesson, k));
    }
    const tries = step.parts.filter(({ kind }) => kind === "try");
    for (const [n, { solution }] of tries.entries()) {
      if (n === 0) await page.sleep(1200);
      assert.equal(
        (await page.triesDone())[n],
        false,
        `${name}, step ${k + 1}, try ${n + 1} is open at first`,
      );
      await page.rest();
      await solved(page, solution, programAt(lesson, k));
      await page.waitForTry(n);
    }
    if (k + 1 < lesson.steps.length) await page.nextStep();
  }
  await page.lesson().getByRole("button", { name: "Finish" }).click();
  await page.lesson().locator(".lesson-card").first().waitFor();
}

const OWN = `# My lesson
> About one thing.

## First

Some *words*, and <b>no markup</b>.

\`\`\`cimple program mine
void main() {
  int x;
  x = 1;
  assert(x == 2);
}
\`\`\`

\`\`\`show
program: mine
\`\`\`

\`\`\`predict
question: Where does it fail?
answer: fails
\`\`\`
`;

const walks = names.map((name) => [
  `a person goes through the lesson ${name}`,
  (page) => walked(page, name),
]);

export const lessons = [
  ...walks,
  [
    "“Do it for me” edits and runs, sets what the page shows, and presses buttons",
    async (page) => {
      for (const place of ["01-failing-run&at=4", "08-choosing&at=5", "10-threads&at=3"]) {
        await page.openLesson(place);
        await page.rest();
        // The panel has seen what the page shows.
        await page.sleep(1200);
        await page.lesson().getByRole("button", { name: "Do it for me" }).click();
        await page.waitForTry(0);
      }
    },
  ],
  [
    "the list has sixteen lessons, and a first visit fetches none of it",
    async (page) => {
      const asked = [];
      page.page.on("request", (request) => asked.push(request.url()));
      await page.open();
      await page.galleryIndex();
      assert.ok(!asked.some((url) => /lessons/.test(url)), `${asked}`);
      await page.openLessons();
      assert.deepEqual(
        (await page.lessonCards()).map(({ name }) => name),
        names,
      );
      assert.ok(asked.some((url) => /lessons-[0-9a-f]{16}\.js$/.test(url)));
    },
  ],
  [
    "an answer is about the program that the person has made",
    async (page) => {
      await page.openLesson("02-error-projections");
      const program = programAt(lessonOf("02-error-projections"), 0).replace(
        "water = 1;",
        "water = 2;",
      );
      await page.lesson().getByRole("checkbox").first().waitFor();
      await page.write(program);
      await page.run();
      const { answer } = await page.reveal();
      assert.equal(answer, "7,8,9,10,12,13,14,15");
      assert.deepEqual(
        await page.litLines(),
        answer.split(",").map(Number),
        "as the page itself says",
      );
      // And it follows a change after that.
      await page.write(program.replace("water != 2", "water != 3"));
      await page.run();
      await page.page.locator(".verdict.safe").waitFor();
      await page.lesson().getByText("The program is another one now").waitFor();
      await page.lesson().getByRole("button", { name: "Predict again" }).click();
      assert.ok(await page.isCovered());
    },
  ],
  [
    "a lecturer opens a lesson of their own by file and by link",
    async (page) => {
      await page.open();
      await page.openLessons();
      await page.openLessonFile("mine.md", OWN);
      assert.equal((await page.lessonStep()).title, "First");
      assert.match(await page.lesson().innerText(), /<b>no markup<\/b>/);
      await page.predict("4");
      assert.deepEqual(await page.reveal(), { answer: "4", isRight: true });
      await page.lesson().getByRole("button", { name: "Copy a link" }).click();
      await page.lesson().getByRole("button", { name: "Copied" }).waitFor();
      const link = await page.page.evaluate(() => navigator.clipboard.readText());
      assert.match(link, /#lesson=[\w-]+$/);
      await page.openAddress(link);
      await page.lesson().locator(".lesson-at").waitFor();
      assert.deepEqual(await page.reveal(), { answer: "4", isRight: false });
      await page.reload();
      await page.lesson().locator(".lesson-at").waitFor();
    },
  ],
  [
    "what is wrong with a lesson is said line by line",
    async (page) => {
      await page.open();
      await page.openLessons();
      await page.openLessonFile(
        "broken.md",
        OWN.replace("answer: fails", "answer: guilt").replace("program: mine", "program: yours"),
      );
      const told = await page.lesson().locator(".lesson-problems").innerText();
      assert.match(told, /Line 17: The lesson has no program yours/);
      assert.match(told, /Line 22: Nothing is called guilt/);
      await page.openAddress(`${page.address}#lesson=abc`);
      await page.lesson().getByText("This link cannot be opened").waitFor();
    },
  ],
  [
    "what is wrong with a text is a line, what was expected, and a hint",
    async () => {
      const told = (text) => read(text).problems.map(({ line, message }) => `${line}: ${message}`);
      assert.deepEqual(told(OWN), []);
      assert.deepEqual(told(""), ["1: The lesson has no title", "1: The lesson has no step"]);
      const broken = [
        ["answer: fails", "answer: verdict", /There is nothing to choose from/],
        ["program: mine", "program: mine\nbits: 40", /`40` is no value of bits/],
        ["program: mine", "programme: mine", /A step cannot set programme/],
        ["question: ", "ask: ", /A prediction has no ask/],
        ["## First", "First", /This stands before the first step/],
        ["*words*", "[words](javascript:alert)", /leads nowhere/],
      ];
      for (const [old, by, expected] of broken)
        assert.match(told(OWN.replace(old, by)).join("\n"), expected);
      assert.match(told(OWN.replace(/```\n$/, "")).join("\n"), /never closed/);
      const tried = OWN + "\n```try\ntask: t\nuntil: lit hat 3\nsolution: do it\n```\n";
      assert.match(told(tried).join("\n"), /is no condition[\s\S]*is no solution/);
      for (let cut = 0; cut < OWN.length; cut++) read(OWN.slice(0, cut));
    },
  ],
  [
    "beside a lesson the page is whole, light and dark, on a projector and on a phone",
    async (page) => {
      for (const [width, height] of [
        [1440, 900],
        [1280, 720],
        [390, 844],
      ]) {
        await page.page.setViewportSize({ width, height });
        await page.openLesson("10-threads&at=3");
        await page.threadsAnswer().catch(() => {});
        assert.ok(await page.fitsAcross(), `${width}`);
        const panel = await page.lesson().boundingBox();
        const shell = await page.page.locator(".page").boundingBox();
        const apart = panel.x + panel.width <= shell.x + 1 || shell.y + shell.height <= panel.y + 1;
        assert.ok(apart, `${width}: ${JSON.stringify([panel, shell])}`);
        const right = await page.page
          .locator(".top > *")
          .evaluateAll((parts) =>
            Math.max(...parts.map((part) => part.getBoundingClientRect().right)),
          );
        assert.ok(right <= width, `${width}: the top bar ends at ${right}`);
        assert.deepEqual(await page.violations(), []);
      }
    },
    { colorScheme: "dark" },
  ],
];
