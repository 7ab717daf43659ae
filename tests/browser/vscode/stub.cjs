// As much of VS Code's module `vscode` as the extension and its language client use. What an editor
// would show is kept in `seen`; `open` opens a text as an editor does.
"use strict";

class Disposable {
  constructor(end = () => {}) {
    this.dispose = end;
  }
}

class EventEmitter {
  #heard = new Set();
  event = (listener, self) => {
    const call = self ? listener.bind(self) : listener;
    this.#heard.add(call);
    return new Disposable(() => this.#heard.delete(call));
  };
  async fire(value) {
    await Promise.all([...this.#heard].map((call) => call(value)));
  }
  dispose() {
    this.#heard.clear();
  }
}

class CancellationTokenSource {
  #emitter = new EventEmitter();
  token = { isCancellationRequested: false, onCancellationRequested: this.#emitter.event };
  cancel() {
    this.token.isCancellationRequested = true;
    void this.#emitter.fire();
  }
  dispose() {}
}

class Uri {
  static parse(text) {
    return new Uri(text);
  }
  constructor(text) {
    this.text = text;
    [this.scheme, this.fsPath] = text.split("://");
    this.path = this.fsPath;
  }
  toString() {
    return this.text;
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(...places) {
    const [start, end] =
      places.length === 4
        ? [new Position(places[0], places[1]), new Position(places[2], places[3])]
        : places;
    Object.assign(this, { start, end });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class DiagnosticRelatedInformation {
  constructor(location, message) {
    Object.assign(this, { location, message });
  }
}

class Location {
  constructor(uri, range) {
    Object.assign(this, { uri, range });
  }
}

class SemanticTokens {
  constructor(data) {
    this.data = data;
  }
}

class MarkdownString {
  value = "";
  appendMarkdown(text) {
    this.value += text;
    return this;
  }
  appendText(text) {
    return this.appendMarkdown(text);
  }
  appendCodeblock(text) {
    return this.appendMarkdown(text);
  }
}

class CodeActionKind {
  static Empty = new CodeActionKind("");
  static QuickFix = new CodeActionKind("quickfix");
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}

class Hover {
  constructor(contents) {
    this.contents = [contents].flat();
  }
}

const opened = new EventEmitter();
const closed = new EventEmitter();
const configured = new EventEmitter();
const nothing = new EventEmitter();
const settings = { faultline: {} };
const seen = { messages: [], commands: [], diagnostics: new Map(), providers: {}, registered: {} };

const provided = (kind) => (selector, provider) => {
  seen.providers[kind] = provider;
  return new Disposable(() => delete seen.providers[kind]);
};

const quiet = { append() {}, appendLine() {}, show() {}, dispose() {}, clear() {}, replace() {} };

const known = {
  version: "1.91.0",
  env: { language: "en", appName: "stub", openExternal: async (uri) => Boolean((seen.opened = `${uri}`)) },
  Disposable,
  EventEmitter,
  CancellationTokenSource,
  Uri,
  Position,
  Range,
  Diagnostic,
  DiagnosticRelatedInformation,
  Location,
  SemanticTokens,
  MarkdownString,
  CodeActionKind,
  Hover,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  window: {
    createOutputChannel: () => quiet,
    activeTextEditor: undefined,
    visibleTextEditors: [],
    onDidChangeActiveTextEditor: nothing.event,
    onDidChangeVisibleTextEditors: nothing.event,
    tabGroups: { all: [], onDidChangeTabs: nothing.event, onDidChangeTabGroups: nothing.event },
    async showErrorMessage(message, ...buttons) {
      seen.messages.push(message);
      return buttons[0];
    },
  },
  workspace: {
    workspaceFolders: undefined,
    textDocuments: [],
    notebookDocuments: [],
    getConfiguration: (section) => ({
      get: (name, otherwise) => settings[section]?.[name] ?? otherwise,
    }),
    onDidOpenTextDocument: opened.event,
    onDidCloseTextDocument: closed.event,
    onDidChangeConfiguration: configured.event,
  },
  languages: {
    match: (selector, document) =>
      [selector].flat().some(({ language }) => language === document.languageId) ? 10 : 0,
    createDiagnosticCollection: () => ({
      set: (uri, list) => {
        seen.diagnostics.set(`${uri}`, list);
        void told.fire();
      },
      delete: (uri) => seen.diagnostics.delete(`${uri}`),
      has: (uri) => seen.diagnostics.has(`${uri}`),
      clear: () => seen.diagnostics.clear(),
      dispose() {},
    }),
    registerHoverProvider: provided("hover"),
    registerDocumentSemanticTokensProvider: provided("tokens"),
    registerCodeActionsProvider: provided("actions"),
  },
  commands: {
    registerCommand: (name, call) => {
      seen.registered[name] = call;
      return new Disposable();
    },
    executeCommand: async (...command) => void seen.commands.push(command),
  },
};
const told = new EventEmitter();

/** A call of the editor that answers nothing; enumerations and classes that nobody looks at. */
const idle = (known) =>
  new Proxy(known, {
    get(target, name) {
      if (name in target) return target[name];
      if (typeof name === "string" && /^on(Did|Will)/.test(name)) return nothing.event;
      return (target[name] = class {});
    },
  });
for (const name of ["window", "workspace", "languages", "commands"])
  known[name] = idle(known[name]);

/** Opens a text; the document as extensions see it. */
async function open(address, languageId, text) {
  const uri = new Uri(address);
  const document = { uri, languageId, version: 1, getText: () => text, fileName: uri.fsPath };
  known.workspace.textDocuments.push(document);
  await opened.fire(document);
  return document;
}

/** The diagnostics of a document, once there are any. */
async function diagnosed({ uri }) {
  while (!seen.diagnostics.get(`${uri}`)?.length)
    await new Promise((done) => {
      const { dispose } = told.event(() => (dispose(), done()));
    });
  return seen.diagnostics.get(`${uri}`);
}

/** Sets one of the extension's settings. */
async function set(name, value) {
  settings.faultline[name] = value;
  await configured.fire({ affectsConfiguration: (section) => ["faultline", `faultline.${name}`].includes(section) });
}

module.exports = { vscode: idle(known), seen, settings, open, diagnosed, set };
