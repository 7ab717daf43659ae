//! The page: renders plain data of [`crate::view`] and sends requests to the worker. It never holds
//! an engine object.
//!
//! [`model`] is what the page knows, [`app`] its effects, [`analysis`] the switch between analyses,
//! each of which fills the frame of [`page`]; the other modules are one part of the page each. The
//! editor and the pictures live outside the virtual DOM.

mod affine;
mod analysis;
mod app;
mod browser;
mod controls;
mod dialog;
mod editor;
mod engine;
mod explain;
mod export_menu;
mod files;
mod gallery;
mod graph_pane;
mod graph_search;
mod graph_view;
mod help;
mod icons;
mod inspector;
mod lab;
mod minimap;
mod model;
mod options;
mod page;
mod projection;
mod proof;
mod refinement;
mod selecting;
mod share;
mod shared;
mod slice;
mod source_bar;
mod splitter;
mod stepper;
mod store;
mod threads;
mod through;
mod traffic;
mod verdict;
mod viewport;

/// Draws the page into the document. Call it once.
pub fn start() {
    yew::Renderer::<app::App>::new().render();
}
