// The page's service worker: what was opened once opens without a network.
//
// The build (`finish.mjs`) puts a line before these:
//   const BUILD = { version, files, examples, later };
// `files` are the page's own files, `examples` is one file with all examples of the gallery, and
// `later` is what few visits need: the part of the engine that is fetched when it is needed, the
// lessons, the licences.
//
// A first visit shall cost few bytes, so `later` and `examples` are kept when one of these happens
// first: the page was open for some minutes (`start_page.js` tells); it is opened a second time; or
// there is a new deployment. What is of `later` is also kept as soon as it is needed, and an
// example when it is opened.
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
  // The service worker is there: the page was opened before.
  if (request.mode === "navigate") event.waitUntil(keepLater());
  event.respondWith(isHashed(request.url) ? keptFirst(request) : freshFirst(request));
});

self.addEventListener("message", (event) => {
  if (event.data === "keep the rest") event.waitUntil(keepLater());
});

async function keepAll() {
  const cache = await caches.open(CACHE);
  const isFirst = (await others()).length === 0;
  const files = isFirst ? BUILD.files : [...BUILD.files, ...BUILD.later];
  await Promise.all([...files.map((name) => keep(cache, name)), ...(isFirst ? [] : [keepExamples(cache)])]);
}

async function keepLater() {
  const cache = await caches.open(CACHE);
  // Without a network there will be a next time.
  await Promise.all(BUILD.later.map(async (name) => {
    if (!(await cache.match(name))) await keep(cache, name).catch(() => {});
  }));
  if (!(await cache.match(BUILD.examples))) await keepExamples(cache).catch(() => {});
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
  // All of them are there.
  await cache.put(BUILD.examples, new Response());
}

async function fetched(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/** The caches of other deployments, in the order in which they were made. */
async function others() {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
}

async function dropOld() {
  const old = (await others()).slice(0, -1);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function keptFirst(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  const name = BUILD.later.find((name) => request.url.endsWith(`/${name}`));
  if (response.ok && name) await (await caches.open(CACHE)).put(name, response.clone());
  return response;
}

/** An example or a lesson that was opened once opens without a network. */
async function keptExample(request, response) {
  if (response.ok && /\/(examples|lessons)\//.test(request.url)) {
    await (await caches.open(CACHE)).put(request, response.clone());
  }
  return response;
}

async function freshFirst(request) {
  const address = request.mode === "navigate" ? "./" : request;
  const kept = async () => (await caches.open(CACHE)).match(address, { ignoreVary: true });
  const network = fetch(request).then((response) => keptExample(request, response));
  const late = new Promise((done) => setTimeout(done, PATIENCE)).then(kept);
  try {
    return await Promise.race([network, late.then((found) => found ?? network)]);
  } catch (error) {
    const found = await kept();
    if (found) return found;
    throw error;
  }
}
