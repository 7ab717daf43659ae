// The extension for VS Code: what is in the package, and what it shows, driven as VS Code would
// drive it, with the real command. `make vscode` packs it, `cargo test` builds the command.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const source = join(here, "../../../static/vscode");
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../../target");
// What vsce itself reads archives with.
const { open } = createRequire(join(source, "package.json"))("yauzl");

/** Unpacks a `.vsix` into a folder; the names of its files. */
async function unpack(vsix, folder) {
  const archive = await promisify(open)(vsix, { lazyEntries: true });
  const names = [];
  archive.readEntry();
  await new Promise((done, failed) => {
    archive.on("error", failed).on("end", done);
    archive.on("entry", async (entry) => {
      try {
        names.push(entry.fileName);
        const stream = await promisify(archive.openReadStream.bind(archive))(entry);
        const place = join(folder, entry.fileName);
        await mkdir(dirname(place), { recursive: true });
        await writeFile(place, stream);
        archive.readEntry();
      } catch (problem) {
        failed(problem);
      }
    });
  });
  return names;
}

async function unpacked(use) {
  const packed = join(target, "vscode");
  const name = existsSync(packed) && (await readdir(packed)).find((file) => file.endsWith(".vsix"));
  assert.ok(name, `there is no extension in ${packed}: run \`make vscode\``);
  const folder = await mkdtemp(join(tmpdir(), "faultline-vscode-"));
  try {
    await use(folder, await unpack(join(packed, name), folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const vscode = [
  [
    "the extension for VS Code: what is packed, and the languages that the command knows",
    async () => {
      await unpacked(async (folder, names) => {
        const inside = names.filter((name) => name.startsWith("extension/")).sort();
        assert.deepEqual(inside, [
          "extension/LICENSE.txt",
          "extension/extension.js",
          "extension/languages/c-like.json",
          "extension/languages/pds.json",
          "extension/licences.txt",
          "extension/package.json",
          "extension/readme.md",
        ]);
        const manifest = JSON.parse(await readFile(join(folder, "extension/package.json"), "utf8"));
        const dialects = await readFile(join(here, "../../../src/wire/dialect.rs"), "utf8");
        const known = [...dialects.matchAll(/Dialect::\w+ => "([a-z]+)",/g)].map(
          ([, name]) => name,
        );
        const { languages, configuration } = manifest.contributes;
        const offered = configuration.properties["faultline.languages"].items.enum;
        // VS Code brings C and Java; files in JSON are seldom pushdown systems.
        assert.deepEqual(offered.toSorted(), known.filter((name) => name !== "json").toSorted());
        assert.deepEqual(["c", "java", ...languages.map(({ id }) => id)].toSorted(), offered.toSorted());
        for (const { id, extensions, configuration } of languages) {
          assert.deepEqual(extensions, [`.${id}`]);
          JSON.parse(await readFile(join(folder, "extension", configuration), "utf8"));
        }
        assert.match(
          await readFile(join(folder, "extension/licences.txt"), "utf8"),
          /vscode-languageclient/,
        );
      });
    },
  ],
  [
    "the extension for VS Code: errors, hovers and lit lines come from the command; a missing one is told",
    async () => {
      const command = join(target, "debug/faultline");
      assert.ok(existsSync(command), `there is no ${command}: run \`cargo build\``);
      await unpacked(async (folder) => {
        const drive = join(here, "../vscode/drive.cjs");
        const { stdout } = await run("node", [
          drive,
          join(folder, "extension/extension.js"),
          command,
        ]);
        const said = JSON.parse(stdout);
        assert.match(
          said.missing.join(),
          /^The command \/nowhere\/faultline was not found\. .*faultline\.path/,
        );
        assert.deepEqual(said.led, [["workbench.action.openSettings", "faultline.path"]]);
        assert.match(said.other.join(), /has no language server/);
        assert.deepEqual(
          [said.error.line, said.error.severity, said.error.source],
          [4, 0, "faultline"],
        );
        assert.match(said.error.message, /assert\(x < 2\) does not hold: x is 2/);
        assert.deepEqual([said.error.run.length > 1, said.error.run.at(-1)], [true, 4]);
        assert.match(said.noPage.join(), /at which address/);
        assert.deepEqual(said.ledToPage, ["workbench.action.openSettings", "faultline.page"]);
        assert.match(said.opened, /^https:\/\/page\.example\/#/);
        assert.match(said.hover, /Failing runs come here with: x = 2 ∧ y = 0/);
        // Five numbers a token: the first is the distance to the line before, the fourth its type.
        const types = said.tokens.filter((_, index) => index % 5 === 3);
        const [first] = said.tokens;
        assert.deepEqual([first, types], [2, [0, 0, 0, 1]], "all but the last line is lit");
        assert.match(said.broken.join(), /unknown name `x`/);
        assert.equal(said.unwanted, false);
        assert.equal(said.restarts, "function");
        assert.deepEqual(said.messages, []);
      });
    },
  ],
];
