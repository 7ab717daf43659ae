// The npm package: a project that installs the tarball and calls it, in Node and in a page. `make
// package` builds it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serve } from "../../../.ci/serve.mjs";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const built = join(process.env.CARGO_TARGET_DIR ?? join(here, "../../../target"), "package");
const tsc = join(here, "../node_modules/typescript/bin/tsc");
const PROGRAM = "int main(void) { int x; if (x > 2) x = 2; assert(x < 2); return 0; }\n";

/** Installs the tarball into a new project. */
async function installed(use) {
  const name = existsSync(built) && (await readdir(built)).find((file) => file.endsWith(".tgz"));
  assert.ok(name, `there is no package in ${built}: run \`make package\``);
  const project = await mkdtemp(join(tmpdir(), "faultline-project-"));
  try {
    await writeFile(
      join(project, "package.json"),
      JSON.stringify({ name: "project", private: true, type: "module" }),
    );
    await run(
      "npm",
      ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", join(built, name)],
      { cwd: project },
    );
    await use(project);
  } finally {
    await rm(project, { recursive: true });
  }
}

/** A program that uses every name of the package; what its types must refuse is marked. */
const TYPED = `
import { check, load, threads, ProgramError } from "faultline";
import type { CheckOptions, Checks, Diagnostic, ErrorReport, Options, Report, Step, ThreadsOptions, ThreadsReport } from "faultline";

const checks: Checks = { bounds: true, division: true, overflow: false, shift: false, leak: true };
const every: Required<Options> = {
  dialect: "c", defines: ["N=3"], bits: 8, globals: "any",
  checks,
  error: 4, label: "BAD", heap: 2, model: "lp64", saturation: "both", timeout: 5, maxNodes: 1000,
  maxSteps: 1000,
};
const asked: CheckOptions = { ...every, projection: true };
const bounded: ThreadsOptions = { ...every, switches: 2 };
await (load() satisfies Promise<unknown>);
const report: Report = await check("", asked);
const trace: Step[] = report.trace ?? [];
const told: string[] = trace.map(({ line, procedure, thread, statement, values }) =>
  [line, procedure, thread, statement, Object.keys(values).length].join());
const lines: number[] = report.projection?.lines ?? [];
const limit: string | undefined = report.limit;
const error: ErrorReport | null | undefined = report.error;
const peak: number = report.statistics.peak_nodes + report.checked + (error?.line ?? 0);
const found: ThreadsReport = await threads("", bounded);
if (found.verdict === "no-error-within-bound") console.log(told, lines, limit, peak, report.shortest);
try {
  await check("int main( {");
} catch (problem) {
  if (!(problem instanceof ProgramError)) throw problem;
  const first: Diagnostic | undefined = problem.diagnostics[0];
  const { severity, from, to, line, message, hint } = first!;
  console.log(problem.message, severity === "error", from + to + line, message + hint);
}

// @ts-expect-error: no such option
await check("", { bit: 8 });
// @ts-expect-error: a text
await check("", { bits: "8" });
// @ts-expect-error: an option of threads alone
await check("", { switches: 2 });
// @ts-expect-error: no such verdict
if (report.verdict === "maybe") console.log();
// @ts-expect-error: it may be missing
report.trace.length;
// @ts-expect-error: it is a promise
check("").verdict;
`;

export const packaged = [
  [
    "the npm package's types: a strict program in TypeScript that uses every name",
    async () => {
      await installed(async (project) => {
        await writeFile(join(project, "use.ts"), TYPED);
        const compilerOptions = { strict: true, module: "nodenext", target: "es2022", types: [] };
        await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }));
        const told = await run("node", [tsc, "--noEmit"], { cwd: project })
          .then(() => "")
          .catch(({ stdout, stderr }) => stdout + stderr);
        assert.equal(told, "");
        const types = await readFile(join(project, "node_modules/faultline/index.d.ts"), "utf8");
        for (const [, name] of types.matchAll(/^export (?:interface|class|function) (\w+)/gm))
          assert.match(TYPED, new RegExp(`\\b${name}\\b`), `${name} is not used`);
      });
    },
  ],
  [
    "the npm package in Node: verdicts, diagnostics, threads, an option that nobody knows",
    async () => {
      const tickets = await readFile(
        join(here, "../../../static/examples/threads-tickets.c"),
        "utf8",
      );
      await installed(async (project) => {
        await writeFile(
          join(project, "call.js"),
          `import { check, threads, ProgramError } from "faultline";
          const said = {};
          said.fails = await check(${JSON.stringify(PROGRAM)}, { dialect: "c", bits: 8, projection: true });
          said.holds = await check(${JSON.stringify(PROGRAM.replace("x < 2", "x < 3"))}, { dialect: "c" });
          said.threads = await threads(${JSON.stringify(tickets)}, { dialect: "c" });
          said.broken = await check("int main( {").catch((problem) => [problem instanceof ProgramError, problem.diagnostics.length > 0, problem.message]);
          said.unknown = await check("", { bit: 8 }).catch((problem) => [problem.name, problem.message]);
          console.log(JSON.stringify(said));`,
        );
        const { stdout } = await run("node", ["call.js"], { cwd: project });
        const said = JSON.parse(stdout);
        assert.equal(said.fails.verdict, "unsafe");
        assert.deepEqual(
          [said.fails.error.line, said.fails.options.bits, said.fails.projection.lines],
          [1, 8, [1]],
        );
        assert.ok(said.fails.trace.every(({ statement, values }) => statement && values));
        assert.equal(said.holds.verdict, "safe");
        assert.deepEqual([said.threads.verdict, said.threads.error.line], ["unsafe", 12]);
        assert.deepEqual(said.broken.slice(0, 2), [true, true]);
        assert.match(said.broken[2], /^line 1: /);
        assert.match(said.unknown.join(), /TypeError,unknown option bit;/);
      });
    },
  ],
  [
    "the npm package in a page of its own",
    async (page) => {
      await installed(async (project) => {
        await writeFile(
          join(project, "index.html"),
          `<!doctype html><meta charset="utf-8"><script type="module">
            import { check } from "./node_modules/faultline/index.js";
            const { verdict } = await check(${JSON.stringify(PROGRAM)}, { dialect: "c" });
            document.body.textContent = verdict;
          </script><body></body>`,
        );
        const server = await serve(project, 0);
        try {
          page.expected.push(/favicon/, /404/);
          await page.page.goto(`http://127.0.0.1:${server.address().port}/`);
          await page.page.getByText("unsafe").waitFor();
        } finally {
          server.close();
          server.closeAllConnections();
        }
      });
    },
  ],
  [
    "the element of the npm package shows a program in a frame of the page that is named",
    async (page) => {
      await page.open();
      await installed(async (project) => {
        await writeFile(
          join(project, "index.html"),
          `<!doctype html><meta charset="utf-8">
          <script type="module" src="node_modules/faultline/faultline-program.js"></script>
          <faultline-program page="${page.address}" show="source" height="400">
            ${PROGRAM.replaceAll("<", "&lt;")}
          </faultline-program>
          <faultline-program height="300">int x;</faultline-program>`,
        );
        const server = await serve(project, 0);
        try {
          page.expected.push(/favicon/, /404/);
          await page.page.goto(`http://127.0.0.1:${server.address().port}/`);
          const frame = page.page.frameLocator("iframe").first();
          await frame.locator(".verdict.unsafe").waitFor({ timeout: 30_000 });
          // A module does not know where the page is.
          const lost = page.page.frameLocator("iframe").nth(1);
          await lost.getByText(/must give the address of the Faultline page/).waitFor();
        } finally {
          server.close();
          server.closeAllConnections();
        }
      });
    },
  ],
];
