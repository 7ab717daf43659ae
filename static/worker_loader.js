// Starts the engine in a classic worker; worker.js is wasm-bindgen's no-modules output.
importScripts("./worker.js");
wasm_bindgen({ module_or_path: "./worker_bg.wasm" }).catch((error) => {
  // Outside the promise, so that the page hears of it.
  setTimeout(() => {
    throw error;
  });
});
