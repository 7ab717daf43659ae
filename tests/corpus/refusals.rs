//! Why a program is refused: the reasons that the documentation lists, by the words of the
//! diagnostics.

/// A reason on the list of what is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Pointers,
    Heap,
    FloatingPoint,
    Strings,
    FunctionPointers,
    Variadics,
    Unions,
    Library,
    /// Arrays whose size is no constant, or with more than two dimensions.
    Arrays,
    /// Integers of 128 bits.
    Wide,
    Threads,
    /// A construct that C has and the model leaves out, named.
    Construct,
    /// A cap on size or depth.
    Limit,
    /// None of them: a defect of the front end.
    Unlisted,
}

/// The reason that a message gives.
pub(crate) fn kind(message: &str) -> Kind {
    let words: [(&str, Kind); 40] = [
        ("function pointers are", Kind::FunctionPointers),
        ("a name for a procedure's type", Kind::FunctionPointers),
        ("pointers", Kind::Pointers),
        ("size of a pointer", Kind::Pointers),
        ("the heap is", Kind::Heap),
        ("floating point", Kind::FloatingPoint),
        ("strings", Kind::Strings),
        ("variadic", Kind::Variadics),
        ("unions are", Kind::Unions),
        ("library", Kind::Library),
        ("header", Kind::Library),
        ("input and output", Kind::Library),
        ("the result of", Kind::Library),
        ("variable size", Kind::Arrays),
        ("one or two dimensions", Kind::Arrays),
        ("integers of 128 bits", Kind::Wide),
        ("thread", Kind::Threads),
        ("mutex", Kind::Threads),
        ("joining", Kind::Threads),
        ("`typeof` is", Kind::Construct),
        ("a value in braces", Kind::Construct),
        ("the size of", Kind::Construct),
        ("assembly is", Kind::Construct),
        ("a range of cases", Kind::Construct),
        ("computed jumps", Kind::Construct),
        ("jumps between procedures", Kind::Construct),
        ("structs as results", Kind::Construct),
        ("structs with arrays are not passed", Kind::Construct),
        ("in macros are", Kind::Construct),
        ("macros with variable arguments", Kind::Construct),
        ("enumerations wider", Kind::Construct),
        ("operators: line", Kind::Limit),
        ("nested deeper", Kind::Limit),
        ("cannot have", Kind::Limit),
        ("this procedure is", Kind::Library),
        ("these arguments", Kind::Library),
        ("pointer", Kind::Pointers),
        ("address", Kind::Pointers),
        ("memory", Kind::Pointers),
        (" is not modelled: line", Kind::Construct),
    ];
    words.iter().find(|(text, _)| message.contains(text)).map_or(Kind::Unlisted, |(_, kind)| *kind)
}
