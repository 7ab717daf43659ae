// The page's service worker: what was opened once opens without a network.
//
// The build (`finish.mjs`) puts a line before these:
//   const BUILD = { version, files, examples };
// `files` are the page's own files, and `examples` is one file with all examples of the gallery.
//
// A file whose name has a hash never changes: it comes from the cache. Everything else is asked of
// the network first, so a new deployment is seen at the next visit. Each deployment has a cache of
// its own. The one before stays too, for tabs that still show it; older ones are dropped.

const PREFIX = "faultline-";
const CACHE = PREFIX + BUILD.version;
/** Milliseconds until a silent network counts as none. */
const PATIENCE = 3000;

const isHashed = (address) => /-[0-9a-f]{16}\.\w+$/.test(new URL(address, location).pathname);

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOld().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(isHashed(request.url) ? keptFirst(request) : freshFirst(request));
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  await Promise.all([...BUILD.files.map((name) => keep(cache, name)), keepExamples(cache)]);
}

async function keep(cache, name) {
  const had = isHashed(name) && (await caches.match(name));
  await cache.put(name, had || (await fetched(name)));
}

async function keepExamples(cache) {
  const examples = await (await fetched(BUILD.examples)).json();
  const headers = { "content-type": "text/plain; charset=utf-8" };
  const kept = Object.entries(examples).map(([name, text]) => cache.put(`examples/${name}`, new Response(text, { headers })));
  await Promise.all(kept);
}

async function fetched(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

async function dropOld() {
  // In the order in which they were made.
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

async function keptFirst(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

async function freshFirst(request) {
  const address = request.mode === "navigate" ? "./" : request;
  const kept = async () => (await caches.open(CACHE)).match(address, { ignoreVary: true });
  const network = fetch(request);
  const late = new Promise((done) => setTimeout(done, PATIENCE)).then(kept);
  try {
    return await Promise.race([network, late.then((found) => found ?? network)]);
  } catch (error) {
    const found = await kept();
    if (found) return found;
    throw error;
  }
}
