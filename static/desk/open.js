// What the page fetches when somebody asks for the programs that the browser keeps, for the
// questions that were asked, for a comparison, or for a file (`static/delivery/start_page.js`).
import { element } from "../lesson_panel/elements.js";
import { openDialog } from "./dialog.js";
import { openDropped, openFile, openHandle, saveFile } from "./files.js";
import { keepPresent, resume } from "./present.js";
import { say } from "./say.js";

export { resume };

/** Opens what is asked for. */
export async function open(what, about) {
  sheet();
  try {
    if (what === "open") await openFile();
    else if (what === "launched") {
      // Nobody has chosen to replace the present program.
      keepPresent();
      await openHandle(about);
    } else if (what === "dropped") await openDropped(...about);
    else if (what === "save") await saveFile();
    else await openDialog(what, about);
  } catch (error) {
    say(error.message, true);
  }
}

/** The style sheet, once. `STYLE` is its name (`static/delivery/finish.mjs`). */
function sheet() {
  if (document.querySelector("link[data-desk-style]")) return;
  document.head.append(
    element("link", { rel: "stylesheet", href: `./${STYLE}`, "data-desk-style": true }),
  );
}
