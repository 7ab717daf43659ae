// What the command writes for other tools, by their own validators: SARIF 2.1.0 against its schema,
// JUnit's XML against the schema of Jenkins (`schemas/junit.xsd`). `cargo test` builds the command.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import { validateXML } from "xmllint-wasm";

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../..");
const command = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/faultline");

/** Programs of the gallery that fail, and that do not, in each language. */
const PROGRAMS = [
  "mailbox.cimple",
  "table-1.cimple",
  "in-step.c",
  "lost-memory.c",
  "after-free.c",
  "double-lock.bp",
  "lift.rem",
  "delay.pds",
];

/** What the command prints; its exit code is one of these. */
function printed(program, codes, ...asked) {
  assert.ok(existsSync(command), `there is no ${command}: run \`cargo build\``);
  const path = join(root, "static/examples", program);
  return new Promise((done, failed) => {
    execFile(command, [...asked, path], { maxBuffer: 1 << 26 }, (problem, stdout, stderr) => {
      const code = problem?.code ?? 0;
      if (codes.includes(code)) done(stdout);
      else failed(new Error(`${program}: exit code ${code}, ${stderr}`));
    });
  });
}

export const exchanged = [
  [
    "SARIF: what check and projection write is valid by the schema of SARIF 2.1.0",
    async () => {
      const ajv = new Ajv({ schemaId: "auto", allErrors: true, unknownFormats: "ignore" });
      ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
      const place = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
      const isValid = ajv.compile(JSON.parse(readFileSync(require.resolve(place), "utf8")));
      const check = (told, log) =>
        assert.ok(isValid(log), `${told}: ${ajv.errorsText(isValid.errors)}`);
      for (const program of PROGRAMS)
        for (const asked of ["check", "projection"])
          check(program, JSON.parse(await printed(program, [0, 1], asked, "--format", "sarif")));
      const stopped = ["check", "--max-steps", "1", "--format", "sarif"];
      const log = JSON.parse(await printed("mailbox.cimple", [3], ...stopped));
      check("stopped", log);
      // The validator does refuse something.
      delete log.runs[0].tool;
      assert.equal(isValid(log), false);
    },
  ],
  [
    "JUnit: what check writes is valid by Jenkins' schema",
    async () => {
      const schema = readFileSync(join(here, "../schemas/junit.xsd"), "utf8");
      const problems = async (contents) => {
        const { errors } = await validateXML({ xml: [{ fileName: "junit.xml", contents }], schema });
        return errors.map(({ message }) => message);
      };
      let last = "";
      for (const program of PROGRAMS.filter((name) => !name.endsWith(".pds"))) {
        last = await printed(program, [0, 1], "check", "--format", "junit");
        assert.deepEqual(await problems(last), [], program);
      }
      assert.notDeepEqual(await problems(last.replace("<testcase ", "<case ")), []);
    },
  ],
];
