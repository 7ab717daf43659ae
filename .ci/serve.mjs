// A static server for the built page: `node .ci/serve.mjs [directory]`, port $PORT or the first
// free one from 8080. On localhost only. It sends the compressed copies that the build has made.
import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { extname, join, normalize, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** Encodings of the compressed copies beside a file, the smaller one first. */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

/**
 * Serves `directory` on `port` (0: any free one) and resolves to the listening server; not
 * `compressed`, it sends the files as they are, which costs this machine less.
 */
export function serve(directory, port, { compressed = true } = {}) {
  const root = resolve(directory);
  const server = createServer(async (request, response) => {
    const path = decodedPath(request.url);
    const file = path && join(root, normalize(path.endsWith("/") ? `${path}index.html` : path));
    if (!file || !file.startsWith(root + sep)) return end(response, 400, "Not an address of this page.");
    try {
      await answer(request, response, file, compressed ? encodings : []);
    } catch {
      await notFound(response, root);
    }
  });
  return new Promise((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", () => done(server)));
}

/** As static hosts do: the page that says so, if there is one. */
async function notFound(response, root) {
  const page = await readFile(join(root, "404.html")).catch(() => null);
  if (!page) return end(response, 404, "Not found.");
  response.writeHead(404, { "content-type": types[".html"] }).end(page);
}

async function answer(request, response, file, encodings) {
  const { encoding, sent } = await smallest(file, request.headers["accept-encoding"] ?? "", encodings);
  const { mtimeMs, size } = await stat(sent);
  const etag = `"${Math.round(mtimeMs).toString(36)}-${size.toString(36)}-${encoding ?? "plain"}"`;
  // A name with a hash never gets another content.
  const isHashed = /-[0-9a-f]{16}\.\w+$/.test(file);
  const headers = {
    "content-type": types[extname(file)] ?? "application/octet-stream",
    "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
    "vary": "accept-encoding",
    etag,
    ...(encoding && { "content-encoding": encoding }),
  };
  if (request.headers["if-none-match"] === etag) return response.writeHead(304, headers).end();
  const body = await readFile(sent);
  response.writeHead(200, headers).end(body);
}

/** The file to send: a compressed copy, if there is one that the browser takes. */
async function smallest(file, accepted, encodings) {
  const takes = new Set(accepted.split(",").map((word) => word.trim()));
  for (const [encoding, extension] of encodings) {
    if (!takes.has(encoding)) continue;
    const sent = file + extension;
    if (await stat(sent).then((found) => found.isFile(), () => false)) return { encoding, sent };
  }
  return { encoding: null, sent: file };
}

function decodedPath(url) {
  try {
    return decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return null;
  }
}

function end(response, status, text) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
}

async function main() {
  const directory = process.argv[2] ?? "dist";
  const asked = Number(process.env.PORT || 0);
  for (let port = asked || 8080; ; port++) {
    try {
      await serve(directory, port);
      console.log(`\n» Faultline is at http://localhost:${port}/ (Ctrl+C ends it)`);
      return;
    } catch (error) {
      if (error.code === "EADDRINUSE" && !asked && port < 8180) continue;
      console.error(`✗ Port ${port} cannot be used: ${error.message}. Set PORT to another one.`);
      process.exit(1);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
