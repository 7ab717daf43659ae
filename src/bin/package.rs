//! The engine as a module for scripts: what the npm package calls (`static/package`).

use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

/// See [`faultline::package::check`].
#[wasm_bindgen]
pub fn check(source: &str, options: &str) -> String {
    faultline::package::check(source, options, Rc::new(js_sys::Date::now))
}

/// See [`faultline::package::threads`].
#[wasm_bindgen]
pub fn threads(source: &str, options: &str) -> String {
    faultline::package::threads(source, options, Rc::new(js_sys::Date::now))
}

fn main() {}
