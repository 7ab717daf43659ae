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

export const files = [
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
    "Ctrl+O and the button ask for a file; the same one can be opened again",
    async (page) => {
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
