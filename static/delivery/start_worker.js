// The end of the worker's script, after wasm-bindgen's no-modules output: starts the engine. The
// page's first message is the compiled module; the engine takes the messages after that.
//
// The build (`finish.mjs`) puts a line before these:
//   const REST = "…";
// It names the rest of the engine, which is fetched when a function of it is called (`split.mjs`);
// it is empty where the engine is in one part. The call waits meanwhile, so this cannot be left to
// promises. If the rest does not come, the call throws; the page knows that by the first words of
// the error (`ui::engine`).
self.onmessage = ({ data }) => {
  self.onmessage = null;
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => {
    const load = () => new WebAssembly.Instance(fetchRest(), { ...imports, first: instance.exports });
    const instance = await instantiate(module, { ...imports, rest: { load } });
    return instance;
  };
  wasm_bindgen({ module_or_path: data }).catch((error) => {
    // Outside the promise, so that the page hears of it.
    setTimeout(() => {
      throw error;
    });
  });
};

/** The compiled rest; throws if it does not come whole. */
function fetchRest() {
  const request = new XMLHttpRequest();
  request.open("GET", REST, false);
  request.responseType = "arraybuffer";
  let problem = "";
  try {
    request.send();
    if (request.status === 200) return new WebAssembly.Module(request.response);
    problem = `status ${request.status}`;
  } catch (error) {
    problem = error instanceof WebAssembly.CompileError ? "what came is damaged" : "no answer";
  }
  throw new Error(`The rest of the engine is missing: ${problem}`);
}
