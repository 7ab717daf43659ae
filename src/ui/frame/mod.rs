//! The frame around the tabs: the parts of the page that all tabs share. Each part is a component,
//! and knows no tab.

pub(crate) mod browser;
pub(crate) mod controls;
mod dialog;
pub(crate) mod editor;
pub(crate) mod export_menu;
pub(crate) mod files;
pub(crate) mod gallery;
pub(crate) mod graph_pane;
mod graph_search;
mod graph_view;
pub(crate) mod help;
pub(crate) mod icons;
pub(crate) mod memory_pane;
mod minimap;
pub(crate) mod options;
pub(crate) mod place;
pub(crate) mod proof;
pub(crate) mod selecting;
pub(crate) mod sentence;
pub(crate) mod share;
pub(crate) mod slice;
pub(crate) mod source_bar;
pub(crate) mod splitter;
pub(crate) mod step_values;
pub(crate) mod stepper;
pub(crate) mod store;
pub(crate) mod tab_bar;
pub(crate) mod verdict;
pub(crate) mod viewport;
pub(crate) mod zoom_bar;
