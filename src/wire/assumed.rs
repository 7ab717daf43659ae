//! What is taken to hold of the arguments of a procedure that starts alone.

use crate::util::words;
use serde::{Deserialize, Serialize};

words! {
    /// What a parameter of a procedure that starts alone stands for.
    pub enum Shape {
        /// An array of as many elements as the parameter or term `length` says.
        Array = "array",
        /// A string.
        Text = "text",
        /// The null pointer, or the first of a chain of objects that ends.
        List = "list",
        /// The null pointer, or the root of a tree without sharing.
        Tree = "tree",
        /// One object, with any value.
        Object = "object",
        /// One of the constants of an enumeration.
        Constant = "constant",
        /// All globals have any value.
        Globals = "globals",
    }
}

/// What a parameter stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// The procedure.
    pub procedure: String,
    /// The parameter, or a member of what it points to.
    pub parameter: String,
    /// What it stands for.
    pub shape: Shape,
    /// Of an array: how many elements it has, as the program says it; `None`: always `most`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// At most so many elements, characters, or objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u32>,
}
