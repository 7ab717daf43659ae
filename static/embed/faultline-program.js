// The element <faultline-program>: a program in a small Faultline of its own, in any page.
//
//   <script src="https://…/faultline-program.js"></script>
//   <faultline-program tab="explain" show="source,picture" height="420">
//     int main(void) { … }
//   </faultline-program>
//
// The element's text is the program; `program` is the same as a property. Attributes:
//   src       address of a file with the program, instead of the text
//   link      the part of a shared link behind #, instead of a program
//   tab       projection (the default), lab, refinement, explain, threads, liveness
//   step      which step of the failing run is shown, from 1 on
//   line      the selected line
//   options   JSON: what the page's options are, for example {"bits": 8, "dialect": "c"}
//   show      source, picture, values: which parts, with commas; all without it
//   editable  the reader can change the program and run it
//   height    in pixels; 480 without it
//   page      address of the page; without it the one that this script is from
import { embedded, fragment } from "./link.js";

const HEIGHT = 480;
/** The script's own address; a module has none. */
const HOME = document.currentScript?.src;

/** The text without the indentation that all its lines have, and without blank lines around it. */
function dedented(text) {
  const lines = text.replaceAll("\t", "  ").split("\n");
  const depth = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return (
    lines
      .map((line) => line.slice(depth))
      .join("\n")
      .replace(/^\s*\n/, "")
      .trimEnd() + "\n"
  );
}

export class FaultlineProgram extends HTMLElement {
  static observedAttributes = [
    "src",
    "link",
    "tab",
    "step",
    "line",
    "options",
    "show",
    "editable",
    "height",
    "page",
  ];

  #frame = null;
  #program = null;
  #asked = 0;

  connectedCallback() {
    if (!this.#frame) {
      const root = this.attachShadow({ mode: "open" });
      this.#frame = document.createElement("iframe");
      this.#frame.style.cssText =
        "display: block; box-sizing: border-box; width: 100%; border: 1px solid #8886; border-radius: 8px";
      this.#frame.loading = "lazy";
      this.#frame.allow = "clipboard-write; fullscreen";
      root.append(this.#frame);
    }
    // The parser gives the text after the element.
    if (document.readyState === "loading")
      document.addEventListener("DOMContentLoaded", () => this.#show(), { once: true });
    else queueMicrotask(() => this.#show());
  }

  attributeChangedCallback() {
    if (this.#frame) this.#show();
  }

  /** The program's text. */
  get program() {
    return this.#program ?? dedented(this.textContent);
  }

  set program(text) {
    this.#program = String(text);
    if (this.#frame) this.#show();
  }

  async #show() {
    const asked = ++this.#asked;
    try {
      const link =
        this.getAttribute("link")?.replace(/^#/, "") ?? (await fragment(await this.#link()));
      // A later change is already on its way.
      if (asked !== this.#asked) return;
      const parts = (this.getAttribute("show") ?? "").split(/[\s,]+/);
      const page = this.hasAttribute("page")
        ? new URL(this.getAttribute("page"), document.baseURI)
        : HOME && new URL(".", HOME);
      if (!page)
        throw new Error("The attribute “page” must give the address of the Faultline page.");
      this.#frame.height = Number(this.getAttribute("height")) || HEIGHT;
      this.#frame.title = this.getAttribute("title") ?? "A program in Faultline";
      this.#frame.src = embedded(page, {
        parts,
        edit: this.hasAttribute("editable"),
        fragment: link,
      });
    } catch (problem) {
      this.#frame.srcdoc = `<p style="font: 14px system-ui">${problem.message.replace(/[<&]/g, "?")}</p>`;
    }
  }

  /** What the link restores. */
  async #link() {
    const number = (name) =>
      this.hasAttribute(name) ? Number(this.getAttribute(name)) : undefined;
    const step = number("step");
    return {
      source: await this.#source(),
      view: this.getAttribute("tab") ?? "projection",
      step: step === undefined ? undefined : Math.max(0, step - 1),
      selection: number("line"),
      options: this.hasAttribute("options") ? JSON.parse(this.getAttribute("options")) : undefined,
    };
  }

  async #source() {
    const address = this.getAttribute("src");
    if (!address || this.#program !== null) return this.program;
    const response = await fetch(new URL(address, document.baseURI));
    if (!response.ok) throw new Error(`${address} could not be fetched: ${response.status}`);
    return response.text();
  }
}

if (!customElements.get("faultline-program"))
  customElements.define("faultline-program", FaultlineProgram);
