// The editor's marks of diagnostics, a script of its own that is fetched with the first of them: a
// program without mistakes needs none. CodeMirror's other modules are those of the editor
// (`build.mjs`).
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
