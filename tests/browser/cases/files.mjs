// Programs that come as files: opened, dropped, pasted. What cannot be opened says why, and nothing
// is lost.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { failing, safe } from "../programs.mjs";

const undo = readFileSync(new URL("../../../static/examples/undo.pds", import.meta.url), "utf8");

/** Presses undo in the editor. */
async function undone(page) {
  await page.editor().click();
  await page.page.keyboard.press("Control+z");
  await page.settle();
}

/** Has the pickers give files of the browser's own store, by name; what such a file holds. */
async function withPickers(page, stored) {
  await page.page.addInitScript((stored) => {
    // A blank page has no store.
    if (!navigator.storage) return;
    const handle = async (name) => (await navigator.storage.getDirectory()).getFileHandle(name, { create: true });
    const put = async ([name, text]) => {
      const file = await (await handle(name)).createWritable();
      await file.write(text);
      await file.close();
    };
    window.picks = [];
    window.prepared = Promise.all(Object.entries(stored).map(put));
    const pick = async (options) => {
      const name = window.picks.shift();
      if (!name) throw new DOMException("given up", "AbortError");
      window.suggested = options.suggestedName;
      return handle(name);
    };
    window.showOpenFilePicker = async (options) => [await pick(options)];
    window.showSaveFilePicker = pick;
  }, stored);
  await page.open();
  await page.page.evaluate(() => window.prepared.then(() => {}));
  return {
    next: (name) => page.page.evaluate((name) => void window.picks.push(name), name),
    holds: (name) =>
      page.page.evaluate(async (name) => {
        const folder = await navigator.storage.getDirectory();
        return (await (await folder.getFileHandle(name)).getFile()).text();
      }, name),
  };
}

/** Presses Ctrl+S and waits for what is said. */
async function saved(page, words) {
  await page.page.keyboard.press("Control+s");
  await page.page.locator(".desk-said", { hasText: words }).waitFor();
  await page.page.locator(".desk-said button").click();
}

export const files = [
  [
    "what was opened is saved to the same file, with its line ends; another program never is",
    async (page) => {
      const dos = failing.replaceAll("\n", "\r\n");
      const disk = await withPickers(page, { "lock.cimple": dos, "other.cimple": "" });
      await disk.next("lock.cimple");
      await page.editor().click();
      await page.page.keyboard.press("Control+o");
      assert.equal(await page.programOnce(failing), failing);
      assert.equal(await page.title(), "lock.cimple");
      await page.verdict();
      await page.editor().click();
      await page.page.keyboard.press("Control+Home");
      await page.page.keyboard.type("// mine");
      await page.page.keyboard.press("Enter");
      await saved(page, "Saved to lock.cimple.");
      assert.equal(await disk.holds("lock.cimple"), `// mine\r\n${dos}`);
      // Another program, under the file's name or not, does not go into the file.
      await page.write(safe);
      await page.page.keyboard.press("Control+s");
      await page.settle();
      assert.equal(await disk.holds("lock.cimple"), `// mine\r\n${dos}`, "the person gave up");
      await disk.next("other.cimple");
      await saved(page, "Saved to other.cimple.");
      assert.equal(await disk.holds("other.cimple"), safe);
      // Undo brings the first program back, and it asks for a file again.
      await undone(page);
      await page.page.keyboard.press("Control+s");
      await page.settle();
      assert.equal(await disk.holds("other.cimple"), safe);
    },
  ],
  [
    "a file that cannot be opened takes nothing over, and one that cannot be written says so",
    async (page) => {
      const disk = await withPickers(page, { "zeros.c": "\0\0\0\0", "locked.cimple": safe });
      await page.write(failing);
      await disk.next("zeros.c");
      await page.page.getByRole("button", { name: "Open…" }).click();
      assert.match(await page.noticeOnce(/zeros/), /zeros\.c is not a text file/);
      await page.page.keyboard.press("Control+s");
      await page.settle();
      assert.equal(await disk.holds("zeros.c"), "\0\0\0\0");
      await disk.next("locked.cimple");
      await page.page.getByRole("button", { name: "Open…" }).click();
      assert.equal(await page.programOnce(safe), safe);
      await page.page.evaluate(() => {
        FileSystemFileHandle.prototype.createWritable = async () => {
          throw new DOMException("no", "NotAllowedError");
        };
      });
      await page.page.keyboard.press("Control+s");
      const said = page.page.getByRole("alert").filter({ hasText: "locked.cimple was not saved" });
      await said.waitFor();
      assert.match(await said.innerText(), /not allowed to write it. The program is still here/);
    },
  ],
  [
    "what was dropped is saved to the same file",
    async (page) => {
      const disk = await withPickers(page, { "dropped.cimple": safe });
      await page.page.evaluate(() => {
        DataTransferItem.prototype.getAsFileSystemHandle = async () => {
          // Late, so that whoever types at once is quicker if the page does not wait for it.
          await new Promise((done) => setTimeout(done, 700));
          return (await navigator.storage.getDirectory()).getFileHandle("dropped.cimple");
        };
      });
      await page.dragFile("drop", "main", "dropped.cimple", safe);
      assert.equal(await page.programOnce(safe), safe);
      await page.editor().click();
      await page.page.keyboard.press("Control+End");
      await page.page.keyboard.type("// mine");
      await saved(page, "Saved to dropped.cimple.");
      assert.equal(await disk.holds("dropped.cimple"), `${safe}// mine`);
    },
  ],
  [
    "a file that the system opens with the installed page keeps the present program",
    async (page) => {
      await page.page.addInitScript(() => {
        const value = { setConsumer: (consumer) => (window.launch = consumer) };
        Object.defineProperty(window, "launchQueue", { value });
      });
      const disk = await withPickers(page, { "launched.cimple": safe });
      await page.write(failing);
      await page.run();
      await page.verdict();
      await page.page.evaluate(async () => {
        const folder = await navigator.storage.getDirectory();
        window.launch({ files: [await folder.getFileHandle("launched.cimple")] });
      });
      assert.equal(await page.programOnce(safe), safe);
      assert.equal(await page.title(), "launched.cimple");
      await page.page.locator("[data-desk=programs]").click();
      const list = page.page.getByRole("list", { name: "Kept programs" });
      assert.match(await list.innerText(), /Program/);
      await page.page.keyboard.press("Escape");
      await saved(page, "Saved to launched.cimple.");
      assert.equal(await disk.holds("launched.cimple"), safe);
    },
  ],
  [
    "an opened file runs in its language, and undo brings the old program and its options back",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.setBits(7);
      await page.run();
      await page.verdict();
      await page.openFile("undo.pds", undo);
      await page.page.getByText("Reachable: a run reaches").waitFor();
      assert.equal(await page.program(), undo);
      assert.equal(await page.title(), "undo.pds");
      assert.equal(await page.language(), "Pushdown system");
      await undone(page);
      assert.equal(await page.program(), failing);
      assert.equal(await page.language(), "Cimple, guessed");
      assert.equal(await page.title(), "Program");
      await page.run();
      await page.page.locator(".verdict.unsafe").waitFor();
      assert.match(await page.holdsFor(), /7-bit/);
    },
  ],
  [
    "what was typed a moment before a file was opened comes back as it was",
    async (page) => {
      await page.open();
      await page.editor().click();
      await page.page.keyboard.type("int x;");
      await page.openFile("safe.cimple", safe);
      assert.equal(await page.programOnce(safe), safe);
      await undone(page);
      assert.equal(await page.program(), "int x;");
    },
  ],
  [
    "without the File System Access API Ctrl+O and the button ask for a file, and Save downloads it",
    async (page) => {
      await page.page.addInitScript(() => {
        delete window.showOpenFilePicker;
        delete window.showSaveFilePicker;
      });
      await page.open();
      const file = { name: "safe.cimple", mimeType: "text/plain", buffer: Buffer.from(safe) };
      await page.editor().click();
      // Before the page listens, the browser itself would ask for a file.
      await page.settle();
      let chooser = page.page.waitForEvent("filechooser");
      await page.page.keyboard.press("Control+o");
      await (await chooser).setFiles(file);
      assert.match(await page.verdict(), /^safe/i);
      await page.editor().click();
      await page.page.keyboard.type("x");
      chooser = page.page.waitForEvent("filechooser");
      await page.page.getByRole("button", { name: "Open…" }).click();
      await (await chooser).setFiles(file);
      await page.verdict();
      assert.equal(await page.programOnce(safe), safe);
      const download = page.page.waitForEvent("download");
      await page.page.keyboard.press("Control+s");
      assert.equal((await download).suggestedFilename(), "safe.cimple");
      assert.equal(readFileSync(await (await download).path(), "utf8"), safe);
      await page.page.getByText("Saved as safe.cimple").waitFor();
    },
  ],
  [
    "a file that is dropped anywhere, also onto the editor, is opened once",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.run();
      await page.verdict();
      for (const [selector, name, program, verdict] of [
        [".cm-content", "safe.cimple", safe, /^safe/i],
        [".inspector", "undo.PDS", undo, /^reachable/i],
      ]) {
        await page.dragFile("dragenter", selector);
        await page.dropOverlay().waitFor();
        await page.dragFile("drop", selector, name, program);
        await page.dropOverlay().waitFor({ state: "detached" });
        await page.page.waitForFunction((name) => document.querySelector(".source-bar h2").textContent === name, name);
        assert.match(await page.verdict(), verdict);
        assert.equal(await page.program(), program);
      }
    },
  ],
  [
    "a file that is dragged away again leaves everything as it was",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.dragFile("dragenter", "main");
      await page.dropOverlay().waitFor();
      await page.dragFile("dragleave", "main");
      await page.dropOverlay().waitFor({ state: "detached" });
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "too large a file, and one that is no text, say so; the program stays",
    async (page) => {
      await page.open();
      await page.write(failing);
      await page.openFile("large.c", Buffer.alloc(1_100_000, "/"));
      assert.match(await page.noticeOnce(/large/), /large\.c is 1\.0 MB long.*up to 1 MB/);
      await page.openFile("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
      assert.match(await page.noticeOnce(/picture/), /picture\.png is not a text file/);
      await page.openFile("zeros.c", Buffer.alloc(10));
      assert.match(await page.noticeOnce(/zeros/), /zeros\.c is not a text file/);
      assert.equal(await page.program(), failing);
    },
  ],
  [
    "line ends and byte-order marks of other systems move no message",
    async (page) => {
      await page.open();
      await page.openFile("windows.cimple", "\ufeffint x;\r\nvoid main() {\r\n  x = 1;\r\n  yy = 2;\r\n}\r\n");
      assert.deepEqual((await page.diagnostics()).length, 1);
      assert.deepEqual(await page.diagnosticLines(), [4]);
      assert.equal(await page.page.locator(".cm-lintRange-error").innerText(), "yy");
    },
  ],
];
