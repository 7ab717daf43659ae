// The editor's search, a script of its own that is fetched when somebody searches: few first visits
// need its 5 KB. CodeMirror's other modules are those of the editor (`build.mjs`).
import { search as plain, searchKeymap } from "@codemirror/search";
import { EditorView } from "@codemirror/view";

export { searchKeymap };

const theme = EditorView.theme({
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 12px", font: "inherit" },
  ".cm-panel.cm-search [name=close]": { top: "6px", right: "10px", fontSize: "18px" },
  ".cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label": { fontSize: "13px", margin: "2px 6px 2px 0" },
  ".cm-textfield": { padding: "4px 8px", border: "1px solid var(--line-strong)", borderRadius: "6px", backgroundColor: "var(--raised)" },
  ".cm-button": { padding: "3px 10px", border: "1px solid var(--line-strong)", borderRadius: "6px", background: "var(--raised)" },
});

/** CodeMirror's panel, in the page's own look. */
export const search = (settings) => [plain(settings), theme];
