// The dialog "Embed": what to paste into another page, with a preview. The page fetches this when
// somebody asks for it (`start_page.js`).
import { embedded, PARTS } from "./link.js";

const LEAST_HEIGHT = 200;
const MOST_HEIGHT = 2000;
const HEIGHT = 480;

function element(name, { style = "", ...properties }, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.style.cssText = style;
  made.append(...children);
  return made;
}

const ROW = "display: flex; flex-wrap: wrap; align-items: center; gap: 6px 20px";

/** A check box with its words; `onchange` of the form hears of it. */
function check(name, words, checked) {
  return element(
    "label",
    { className: "check" },
    element("input", { type: "checkbox", name, checked }),
    ` ${words}`,
  );
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Opens it. `link`: the whole address that Share shows. */
export function open(link) {
  const { origin, pathname, hash } = new URL(link);
  const page = origin + pathname;
  const opener = document.activeElement;

  const height = element("input", {
    type: "number",
    name: "height",
    min: LEAST_HEIGHT,
    max: MOST_HEIGHT,
    step: 20,
    value: HEIGHT,
  });
  const way = element(
    "select",
    { name: "way" },
    element("option", { value: "frame" }, "an <iframe>"),
    element("option", { value: "element" }, "the element <faultline-program>"),
  );
  const form = element(
    "form",
    { style: "display: grid; gap: 8px" },
    element(
      "fieldset",
      { style: `${ROW}; border: 0; padding: 0; margin: 0` },
      element("legend", { className: "visually-hidden" }, "It shows"),
      ...[...PARTS].map(([part, words]) => check(part, words, part !== "values")),
    ),
    element(
      "div",
      { style: ROW },
      check("edit", "Readers can edit and run", false),
      element("label", {}, "Height ", height),
      element("label", {}, "As ", way),
    ),
  );
  const text = element("textarea", {
    readOnly: true,
    rows: 4,
    spellcheck: false,
    style:
      "flex: 1; min-width: 0; resize: vertical; font: var(--code); color: inherit; background: var(--panel); border: 1px solid var(--line-strong); border-radius: 6px; padding: 6px 8px",
  });
  text.setAttribute("aria-label", "To paste");
  const copy = element("button", { type: "button", className: "button primary" }, "Copy");
  const told = element("p", { className: "quiet small" });
  told.setAttribute("role", "status");
  const preview = element("iframe", {
    title: "Preview",
    style:
      "display: block; box-sizing: border-box; width: 100%; border: 1px solid var(--line-strong); border-radius: 8px",
  });
  const close = element("button", { type: "button", className: "tool bare" }, "✕");
  close.setAttribute("aria-label", "Close");
  const dialog = element(
    "dialog",
    {
      className: "wide",
      style: "width: min(980px, calc(100vw - 32px)); max-height: calc(100dvh - 32px)",
    },
    element(
      "div",
      { className: "dialog-body" },
      element("header", { className: "dialog-head" }, element("h2", {}, "Embed"), close),
      element(
        "p",
        {},
        "Paste this into a page, or into slides that take HTML. It shows the program, the tab and the step that you see, and opens the whole page from its corner.",
      ),
      form,
      element("div", { className: "copy", style: "align-items: start" }, text, copy),
      told,
      preview,
    ),
  );
  dialog.setAttribute("aria-label", "Embed");

  const chosen = () => {
    const parts = [...PARTS.keys()].filter((part) => form.elements[part].checked);
    const tall = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Number(height.value) || HEIGHT));
    return { parts, edit: form.elements.edit.checked, tall };
  };
  const update = () => {
    const { parts, edit, tall } = chosen();
    const address = embedded(page, { parts, edit, fragment: hash.slice(1) });
    text.value =
      way.value === "frame"
        ? `<iframe src="${escaped(address)}" title="A program in Faultline" loading="lazy" allow="clipboard-write; fullscreen" style="width: 100%; height: ${tall}px; border: 1px solid #8886; border-radius: 8px"></iframe>`
        : `<script src="${escaped(new URL("faultline-program.js", page).href)}"></script>\n<faultline-program link="${escaped(hash.slice(1))}" show="${parts.join(",")}" height="${tall}"${edit ? " editable" : ""}></faultline-program>`;
    told.textContent = parts.length ? "" : "Nothing is chosen, so it shows all parts.";
    preview.height = tall;
    if (preview.src !== address) preview.src = address;
  };
  form.addEventListener("change", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  text.addEventListener("focus", () => text.select());
  copy.addEventListener("click", async () => {
    text.select();
    const done = await navigator.clipboard.writeText(text.value).then(
      () => true,
      () => document.execCommand("copy"),
    );
    told.textContent = done ? "Copied." : "The browser does not give the clipboard: press Ctrl+C.";
  });
  close.addEventListener("click", () => dialog.close());
  // Esc closes the dialog from within the preview, too.
  preview.addEventListener("load", () =>
    preview.contentWindow.addEventListener(
      "keydown",
      ({ key }) => key === "Escape" && dialog.close(),
      true,
    ),
  );
  // The page's own keys are not for what happens in here.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  dialog.addEventListener("close", () => {
    dialog.remove();
    opener?.focus?.();
  });
  document.body.append(dialog);
  update();
  dialog.showModal();
}
