//! What every front end shares on the way from its syntax tree to the program model.

pub(in crate::lang) mod builder;
pub(in crate::lang) mod expressions;
pub(in crate::lang) mod graph;
pub(in crate::lang) mod suggestion;
pub(in crate::lang) mod tidy;
