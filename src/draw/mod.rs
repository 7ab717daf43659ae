//! From plain data to what a person sees: folding, layout, SVG, DOT and words. No engine object is
//! needed for that.

pub mod automaton_svg;
pub mod buchi;
pub mod document;
pub mod dot;
pub mod explained_html;
pub mod failure;
pub mod findings;
pub mod fold;
pub mod graph_report;
pub mod heuristics_csv;
pub mod lab_dot;
pub mod lab_layout;
pub mod lab_listing;
pub mod lab_replay;
pub mod labels;
pub mod lanes;
pub mod lanes_svg;
pub mod layout;
pub mod levels;
pub mod liveness;
pub mod liveness_rounds;
pub mod memory;
pub mod paint;
pub mod refinement;
pub mod refinement_fold;
pub mod refusal;
pub mod steps;
pub mod svg;
pub mod testing;
pub mod thread_tree;
pub mod thread_words;
pub mod thumbnail;
pub mod unchecked;
pub mod widths;
pub mod words;
