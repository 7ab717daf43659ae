// The end of the worker's script, after wasm-bindgen's no-modules output: starts the engine. The
// page's first message is the compiled module; the engine takes the messages after that.
self.onmessage = ({ data }) => {
  self.onmessage = null;
  wasm_bindgen({ module_or_path: data }).catch((error) => {
    // Outside the promise, so that the page hears of it.
    setTimeout(() => {
      throw error;
    });
  });
};
