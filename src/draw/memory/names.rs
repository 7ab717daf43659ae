//! Names of objects and pointers, taken apart: `node#1.key` is a member of `node#1`, and `&a[2]`
//! points to element 2 of `a`.

/// The object that a variable of a run is a part of: `node#1` of `node#1.key`, `a` of `a[2]`.
pub(super) fn object(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix('"') {
        // A literal: its text ends with the last quote.
        let end = rest.rfind('"').map_or(name.len(), |end| end + 2);
        return &name[..end];
    }
    let end = name.find(['.', '[']).unwrap_or(name.len());
    &name[..end]
}

/// The rest: `key` of `node#1.key`, `[2]` of `a[2]`, nothing of `x`.
pub(super) fn part(name: &str) -> &str {
    let rest = &name[object(name).len()..];
    rest.strip_prefix('.').unwrap_or(rest)
}

/// What a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target<'n> {
    /// An object, and the element of it, if it has several.
    Object(&'n str, Option<usize>),
    /// The place behind the last element of an object.
    Behind(&'n str),
    /// Nothing that is drawn: `NULL`, no value, a procedure.
    Nothing,
}

/// The words before the object behind whose end a pointer points.
const BEHIND: &str = "the end of ";

/// Where a pointer with this value leads.
pub(super) fn target(value: &str) -> Target<'_> {
    if matches!(value, "NULL" | "null" | "no value") {
        return Target::Nothing;
    }
    if let Some(object) = value.strip_prefix(BEHIND) {
        return Target::Behind(object);
    }
    let place = value.strip_prefix('&').unwrap_or(value);
    // A pointer to an element of several dimensions is drawn to the object.
    let index = part(place).strip_prefix('[').filter(|rest| !rest.contains("]["));
    let index = index.and_then(|rest| rest.split(']').next());
    Target::Object(object(place), index.and_then(|index| index.parse().ok()))
}

/// Is it an object on the heap, or a part of one? These have a number.
pub fn is_on_the_heap(object: &str) -> bool {
    object.contains('#') && !is_literal(object)
}

/// What is said of an object that does not exist any more.
pub(super) fn gone(object: &str) -> &'static str {
    if is_on_the_heap(object) { "freed" } else { "gone" }
}

/// Is it a string literal?
pub(super) fn is_literal(object: &str) -> bool {
    object.starts_with('"')
}

/// The characters of a literal, each as it is written there, with the zero at its end.
pub(super) fn characters(literal: &str) -> Vec<String> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut characters = Vec::new();
    let mut rest = inner.chars();
    while let Some(first) = rest.next() {
        let mut character = String::from(first);
        if first == '\\' {
            character.extend(rest.next());
            if character.ends_with('u') {
                for next in rest.by_ref() {
                    character.push(next);
                    if next == '}' {
                        break;
                    }
                }
            }
        }
        characters.push(character);
    }
    characters.push("\\0".to_string());
    characters
}
