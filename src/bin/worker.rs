//! The Web Worker.
fn main() {}
