//! The page: renders plain data of `wire` and `draw` and sends requests to the worker. It never
//! holds an engine object.
//!
//! [`state`] is what the page knows and decides, without the browser: its tests run natively.
//! [`tab`] says what a tab is and [`tabs`] lists them; each tab is a folder of its own, whose
//! `view` draws it. `app` is the component around all that: it carries out effects and draws the
//! `frame`. The editor and the pictures live outside the virtual DOM.

// Natively only the state is compiled, for its tests; what only the drawing uses is unused then.
#![cfg_attr(not(feature = "ui"), allow(dead_code))]

mod health;
mod state;
mod tab;
mod tabs;
mod traffic;

#[cfg(feature = "ui")]
mod app;
#[cfg(feature = "ui")]
mod engine;
#[cfg(feature = "ui")]
mod frame;
#[cfg(feature = "ui")]
mod loading;
#[cfg(feature = "ui")]
mod view;

/// Draws the page into the document. Call it once.
#[cfg(feature = "ui")]
pub fn start() {
    yew::Renderer::<app::App>::new().render();
}
