// Links of the page, made without its engine: `v1/` and the base64url text of deflated JSON, as
// `wire::permalink` reads them.

/** The fragment of a link, without `#`. `link`: the fields of `wire::permalink::Permalink`. */
export async function fragment(link) {
  const json = new Blob([JSON.stringify(link)]);
  const deflated = json.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `v1/${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** What an embedded page can show, in the order in which the page has them, with their words. */
export const PARTS = new Map([
  ["source", "Source"],
  ["picture", "Picture"],
  ["values", "Values and reasons"],
]);

/**
 * The address of an embedded page. `page`: the page's own address; `parts`: keys of [`PARTS`]; none
 * is all. `fragment`: of the link, without `#`.
 */
export function embedded(page, { parts = [], edit = false, fragment = "" } = {}) {
  const address = new URL(page);
  const words = [...PARTS.keys()].filter((part) => parts.includes(part));
  address.search = `?embed${words.length ? `=${words.join(",")}` : ""}${edit ? "&edit" : ""}`;
  address.hash = fragment;
  return address.href;
}
