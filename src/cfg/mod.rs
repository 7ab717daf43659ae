//! Control-flow graphs: what can be said of a program's shape without its data.
