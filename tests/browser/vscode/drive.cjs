// Drives the packed extension against the real command: `node drive.cjs EXTENSION COMMAND`. Prints
// what an editor would have shown, as JSON.
"use strict";

const Module = require("node:module");
const { dirname, join } = require("node:path");
const { vscode, seen, settings, open, diagnosed, set } = require("./stub.cjs");

const [extension, command] = process.argv.slice(2);
const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const { activate, deactivate } = require(extension);
const { contributes } = require(join(dirname(extension), "package.json"));
for (const [name, { default: value }] of Object.entries(contributes.configuration.properties))
  settings.faultline[name.split(".")[1]] = value;

const FAILS =
  "int main(void) {\n  int x;\n  int y = 0;\n  if (x > 2) x = 2;\n  assert(x < 2);\n  return y;\n}\n";
const BROKEN = "void main() begin\n  x := T;\nend\n";

// What is waited for never comes: nothing is left to happen.
process.on("beforeExit", () => {
  console.error("the extension went quiet, having said:", seen.messages);
  process.exit(1);
});
(async () => {
  const said = {};
  // A command that is not there.
  settings.faultline.path = "/nowhere/faultline";
  await activate({ subscriptions: [] });
  [said.missing, said.led] = [[...seen.messages], [...seen.commands]];
  seen.messages.length = 0;
  // Another program than Faultline.
  await set("path", process.execPath);
  said.other = [...seen.messages];
  seen.messages.length = 0;
  await set("path", command);
  const document = await open("file:///home/ada/limit.c", "c", FAILS);
  const [error] = await diagnosed(document);
  said.error = {
    line: error.range.start.line,
    message: error.message,
    severity: error.severity,
    source: error.source,
    run: error.relatedInformation.map(({ location }) => location.range.start.line),
  };
  // The program in the page: its address is asked for first.
  vscode.window.activeTextEditor = { document };
  await seen.registered["faultline.openPage"]();
  [said.noPage, said.ledToPage] = [[...seen.messages], seen.commands.at(-1)];
  seen.messages.length = 0;
  await set("page", "https://page.example/");
  await diagnosed(document);
  await seen.registered["faultline.openPage"]();
  said.opened = seen.opened;
  const never = new vscode.CancellationTokenSource().token;
  const { hover, tokens } = seen.providers;
  const words = await hover.provideHover(document, new vscode.Position(4, 3), never);
  said.hover = words.contents.map((part) => part.value ?? part).join("\n");
  said.tokens = [...(await tokens.provideDocumentSemanticTokens(document, never)).data];
  // A text without a file, in a language that only its id names.
  const untitled = await open("untitled:Untitled-1", "bp", BROKEN);
  said.broken = (await diagnosed(untitled)).map(({ message }) => message);
  // A language that is not wanted any more.
  await set("languages", ["cimple"]);
  const other = await open("file:///home/ada/other.c", "c", FAILS);
  const wanted = await open(
    "file:///home/ada/wanted.cimple",
    "cimple",
    "void main() { assert(0); }",
  );
  await diagnosed(wanted);
  said.unwanted = seen.diagnostics.has(`${other.uri}`);
  said.restarts = typeof seen.registered["faultline.restart"];
  said.messages = seen.messages;
  await deactivate();
  console.log(JSON.stringify(said));
  process.exit(0);
})().catch((problem) => {
  console.error(problem);
  process.exit(1);
});
