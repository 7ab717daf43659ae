//! The page: renders plain data of [`crate::view`] and sends requests to the worker. It never holds an engine object.
//!
//! [`model`] is what the page knows, [`app`] its effects, the other modules one part of the page each. The editor and the graph live
//! outside the virtual DOM.

mod app;
mod browser;
mod dialog;
mod editor;
mod engine;
mod export_menu;
mod files;
mod gallery;
mod graph_pane;
mod graph_search;
mod graph_view;
mod help;
mod icons;
mod inspector;
mod minimap;
mod model;
mod options;
mod page;
mod proof;
mod share;
mod shared;
mod slice;
mod source_bar;
mod splitter;
mod stepper;
mod store;
mod through;
mod verdict;

/// Draws the page into the document. Call it once.
pub fn start() {
    yew::Renderer::<app::App>::new().render();
}
