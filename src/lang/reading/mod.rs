//! What the front ends of Boolean programs and Remopla share on the way from text to syntax tree.

pub(in crate::lang) mod cursor;
pub(in crate::lang) mod scan;
