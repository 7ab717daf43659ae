// The page as a program to install: what its manifest promises is there, also without a network.
import assert from "node:assert/strict";

/** Width and height of a PNG. */
const sizeOf = (bytes) => `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;

export const installing = [
  [
    "the manifest is one that the browser takes, its icons have their sizes, and a network is not needed",
    async (page) => {
      await page.open();
      const session = await page.page.context().newCDPSession(page.page);
      const { url, errors, data } = await session.send("Page.getAppManifest");
      assert.deepEqual(errors, []);
      const manifest = JSON.parse(data);
      assert.equal(new URL(manifest.start_url, url).href, page.address);
      const purposes = manifest.icons.map(({ purpose = "any" }) => purpose);
      assert.ok(purposes.includes("maskable") && purposes.includes("any"));
      for (const { src, sizes, type } of manifest.icons) {
        const response = await fetch(new URL(src, url));
        assert.equal(response.headers.get("content-type"), type);
        const bytes = Buffer.from(await response.arrayBuffer());
        if (type === "image/png") assert.equal(sizeOf(bytes), sizes);
      }
      // Every language that has an extension of its own opens with the page.
      const extensions = manifest.file_handlers.flatMap(({ accept }) =>
        Object.values(accept).flat(),
      );
      assert.deepEqual(extensions.toSorted(), [".bp", ".c", ".cimple", ".i", ".pds", ".rem"]);
      await page.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await page.reload();
      const kept = () =>
        page.page.evaluate(async () => {
          const found = await Promise.all(
            ["manifest.webmanifest", "icons/icon-192.png"].map((name) => caches.match(name)),
          );
          return found.every(Boolean);
        });
      assert.ok(await page.once(kept, (all) => all));
    },
  ],
];
