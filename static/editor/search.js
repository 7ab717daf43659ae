// The editor's search, a script of its own that is fetched when somebody searches: few first visits
// need its 5 KB. CodeMirror's other modules are those of the editor (`build.mjs`).
export { search, searchKeymap } from "@codemirror/search";
