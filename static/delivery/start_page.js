// The first script of the page (`finish.mjs` writes it into the head): if the page does not start,
// it says why and keeps the person's program readable. It needs nothing but the browser. When the
// page was open for some minutes, it has the service worker keep all of the engine (`offline.js`).
// It knows which parts an embedded page shows, and fetches what only some visits need: the dialog
// that offers to embed the page, lessons, kept programs, files, what keeps the questions.
(() => {
  // Where `ui::frame::store` keeps the program.
  const KEPT = "faultline.program";
  // Milliseconds until the page says that it is still not there.
  const PATIENCE = 8000;
  // Milliseconds until the visit counts as a long one.
  const LONG = 180_000;
  let hasStarted = false;
  let isBroken = false;

  addEventListener("TrunkApplicationStarted", () => {
    hasStarted = true;
    // Without the editor the page starts, but is of no use.
    if (!isBroken) tell(null);
  });
  // A script that did not come: such errors do not bubble.
  addEventListener(
    "error",
    ({ target, message }) => {
      if (hasStarted) return;
      if (target instanceof HTMLScriptElement || target instanceof HTMLLinkElement) failed(`A part of it could not be loaded: ${target.src || target.href || "its main script"}`);
      else if (message) failed(`It ended with an error: ${message}`);
    },
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => {
    if (!hasStarted) failed(`A part of it could not be loaded: ${reason?.message ?? reason}`);
  });
  if (typeof WebAssembly !== "object") failed("This browser has no WebAssembly, or it is switched off. Faultline runs in the page and needs it.");
  setTimeout(() => {
    if (!hasStarted) tell("Faultline is still loading.", "The network is slow, or a part of the page does not come.");
  }, PATIENCE);
  const embed = new URLSearchParams(location.search).get("embed");
  // In a frame of another page. `finish.mjs` writes both names into the page, after this script.
  const named = () => document.querySelector("meta[name=faultline-embed]").content.split(" ");
  if (embed !== null) {
    if (embed) document.documentElement.dataset.embed = embed.replaceAll(",", " ");
    addEventListener("DOMContentLoaded", () => {
      const sheet = element("link", "");
      sheet.rel = "stylesheet";
      sheet.href = named()[1];
      document.head.append(sheet);
    });
  }
  addEventListener("click", async ({ target }) => {
    const asks = target.closest?.("button[data-embed]");
    if (!asks) return;
    const dialog = await import(new URL(named()[0], document.baseURI)).catch(() => null);
    if (dialog) dialog.open(asks.dataset.embed);
    else asks.textContent = "The dialog could not be fetched: try again";
  });
  setTimeout(() => navigator.serviceWorker?.controller?.postMessage("keep the rest"), LONG);

  // Programs that the browser keeps, questions, the comparison, files (`static/desk`).
  const desk = (what, about) => import(DESK).then(({ open }) => open(what, about)).catch((error) => alert(`This cannot be fetched: ${error.message}`));
  const takes = (event, what) => {
    // Without the File System Access API the page opens files itself.
    if (!what || embed !== null || (what === "open" && !window.showOpenFilePicker)) return;
    event.preventDefault();
    event.stopPropagation();
    desk(what);
  };
  addEventListener("click", (event) => takes(event, event.target.closest?.("[data-desk]")?.dataset.desk), true);
  addEventListener("keydown", (event) => takes(event, (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && { o: "open", s: "save" }[event.key?.toLowerCase()]), true);
  // What is dropped has a handle, to be asked for at once. Elsewhere the page opens it itself.
  addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    const handle = embed === null && file && event.dataTransfer.items[0].getAsFileSystemHandle?.();
    if (!handle) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dispatchEvent(new DragEvent("dragleave"));
    desk("dropped", [handle, file]);
  }, true);
  const started = new Promise((done) => addEventListener("TrunkApplicationStarted", done));
  // The page replaces the fragment soon.
  const compares = (hash = location.hash) => hash.startsWith("#compare=") && desk("compare", hash.slice(9));
  const { hash } = location;
  started.then(() => compares(hash));
  addEventListener("hashchange", () => compares());
  // A kept program that is shown again is updated as it is edited. A link's program is none.
  started.then(() => {
    try {
      const isOwn = history.state ? JSON.parse(history.state).lender === null : !hash;
      if (embed === null && isOwn && localStorage.getItem("faultline.desk")) {
        const text = keptProgram();
        import(DESK).then(({ resume }) => resume(text)).catch(() => {});
      }
    } catch {
      // Nothing is kept.
    }
  });
  window.launchQueue?.setConsumer(({ files }) => files[0] && started.then(() => desk("launched", files[0])));
  // What keeps the questions hears what page and worker say, from the first message on.
  let recorder;
  if (embed === null) globalThis.faultlineLesson = (message) => (recorder ??= import(RECORDER)).then(({ hear }) => hear(message)).catch(() => {});

  const lesson = (ask) => import(LESSONS).then(({ open }) => open(ask)).catch((error) => alert(`The lessons cannot be fetched: ${error.message}`));
  addEventListener("click", ({ target }) => target.closest?.("[data-lessons]") && lesson({}));
  /** The lesson that the address asks for, if it does. The page replaces the fragment soon. */
  function asked() {
    const text = location.hash.match(/^#lesson=(.+)/)?.[1];
    const name = new URLSearchParams(location.search).get("lesson");
    return text !== undefined ? { text } : name !== null && { name };
  }
  const first = asked();
  if (first) addEventListener("TrunkApplicationStarted", () => lesson(first), { once: true });
  addEventListener("hashchange", () => location.hash.startsWith("#lesson=") && lesson(asked()));

  function failed(why) {
    isBroken = true;
    tell("Faultline could not start.", why);
  }

  /** Shows a message instead of the page, or takes it away. The first one stays. */
  function tell(what, why) {
    const shown = document.getElementById("start");
    if (what === null) return shown?.remove();
    if (shown && shown.dataset.what !== "Faultline is still loading.") return;
    shown?.remove();
    const box = element("div", "");
    box.id = "start";
    box.dataset.what = what;
    box.setAttribute("role", "alert");
    const again = element("button", "Try again");
    again.addEventListener("click", () => location.reload());
    box.append(element("h1", what), element("p", why), again);
    const source = keptProgram();
    if (source) {
      const text = element("textarea", "");
      text.value = source;
      text.readOnly = true;
      text.setAttribute("aria-label", "Your program");
      box.append(element("p", "Your program is kept in this browser. Here is its text:"), text);
    }
    // Beside the body, which the page fills.
    document.documentElement.append(box);
  }

  function element(name, text) {
    const made = document.createElement(name);
    made.textContent = text;
    return made;
  }

  function keptProgram() {
    try {
      const kept = localStorage.getItem(KEPT);
      try {
        return JSON.parse(kept)?.source ?? "";
      } catch {
        return kept;
      }
    } catch {
      return "";
    }
  }
})();
