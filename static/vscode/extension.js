// The extension for VS Code: starts `faultline lsp` for programs in Faultline's languages. All that
// is shown comes from that command; a command that is missing or too old is told in plain words.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** Milliseconds for the command to say its version. */
const PATIENCE = 10_000;

/** The settings that the language server is started with. */
const SERVERS = ["path", "timeout", "languages"];

let client = null;
/** Starts and stops, one after the other. */
let turn = Promise.resolve();

function activate(context) {
  const restart = () => (turn = turn.then(stop).then(start, start));
  const changed = vscode.workspace.onDidChangeConfiguration((event) => {
    if (SERVERS.some((name) => event.affectsConfiguration(`faultline.${name}`))) return restart();
  });
  context.subscriptions.push(
    changed,
    vscode.commands.registerCommand("faultline.restart", restart),
    vscode.commands.registerCommand("faultline.openPage", openPage),
  );
  return restart();
}

function deactivate() {
  return (turn = turn.then(stop));
}

/** Starts the server, as the settings say. */
async function start() {
  const settings = vscode.workspace.getConfiguration("faultline");
  const command = settings.get("path") || "faultline";
  const languages = settings.get("languages") ?? [];
  if (languages.length === 0) return;
  const problem = await whyUnusable(command);
  if (problem) return void complain(problem);
  const run = { command, args: ["lsp", "--timeout", String(settings.get("timeout") ?? 10)] };
  const started = new LanguageClient(
    "faultline",
    "Faultline",
    { run, debug: run },
    {
      documentSelector: languages.map((language) => ({ language })),
      // Said once, below.
      initializationFailedHandler: () => false,
    },
  );
  try {
    await started.start();
    client = started;
  } catch (error) {
    complain(`Faultline's language server (${command} lsp) does not start: ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = null;
  // A server that has ended by itself cannot be stopped.
  await running?.stop().catch(() => {});
}

/** Opens the program of the active editor in the page. */
async function openPage() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) return void vscode.window.showInformationMessage("Open a program first.");
  const address = vscode.workspace.getConfiguration("faultline").get("page");
  if (!address)
    return void complain("Say at which address Faultline's page stands.", "faultline.page");
  if (!client) return void complain("Faultline's language server does not run.");
  try {
    const link = await client.sendRequest("faultline/link", {
      address,
      uri: document.uri.toString(),
      languageId: document.languageId,
      text: document.getText(),
    });
    await vscode.env.openExternal(vscode.Uri.parse(link));
  } catch (error) {
    complain(`There is no link to this program: ${error.message}`);
  }
}

/** Why the command cannot serve; null if it can. */
function whyUnusable(command) {
  return new Promise((answer) => {
    execFile(command, ["lsp", "--help"], { timeout: PATIENCE }, (error) => {
      if (!error) answer(null);
      else if (error.code === "ENOENT")
        answer(
          `The command ${command} was not found. Install Faultline's command line, or set where it is (faultline.path).`,
        );
      else if (error.code === "EACCES")
        answer(`${command} is no program that can be run (faultline.path).`);
      else
        answer(
          `${command} has no language server. Is it an older version, or another program? (faultline.path)`,
        );
    });
  });
}

/** Says a problem, with a button that leads to the setting. */
async function complain(problem, setting = "faultline.path") {
  const chosen = await vscode.window.showErrorMessage(problem, "Open settings");
  if (chosen) await vscode.commands.executeCommand("workbench.action.openSettings", setting);
}

module.exports = { activate, deactivate };
