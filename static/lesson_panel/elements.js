// Elements of the panel. Texts of lessons come in as text nodes only: no lesson can bring markup.

/** element("p", { class: "quiet", onclick }, "text", child, …); null and false are left out. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return made;
}

/** What stands in a paragraph. */
export function text(spans) {
  const names = { code: "code", strong: "strong", emphasis: "em" };
  return spans.map(({ kind, text, href }) => {
    if (kind === "text") return text;
    if (kind !== "link") return element(names[kind], {}, text);
    const isOutside = href.startsWith("https:");
    return element(
      "a",
      { href, ...(isOutside && { target: "_blank", rel: "noopener noreferrer" }) },
      text,
    );
  });
}

/** A short text of a directive, in which `code` is set as such. */
export const line = (words) =>
  words.split(/`([^`]+)`/).map((part, k) => (k % 2 ? element("code", {}, part) : part));
