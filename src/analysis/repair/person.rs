//! How odd would an edit be, if a person had to mend the program? A person first looks for a slip:
//! `<` for `<=`, one too many or too few, a wrong name, a missing value. Then come other numbers,
//! and last what only passes the check: a number instead of a name, a condition with more parts.

use super::Edit;
use crate::wire::repair::RepairKind;

/// What a person would not write.
pub const ODD: u32 = 6;

/// The oddness of an edit that replaces this text: 0 for a slip.
pub fn oddness(edit: &Edit, replaced: &str) -> u32 {
    let (old, new) = (replaced.trim(), edit.text.trim());
    match edit.kind {
        RepairKind::Operator => of_operators(old, new),
        RepairKind::Constant => of_numbers(old, new),
        RepairKind::Variable if is_number(new) && !is_number(old) => 8,
        RepairKind::Variable if is_number(old) => 4,
        RepairKind::Initialisation | RepairKind::Swap => 0,
        RepairKind::Variable | RepairKind::SameShape => 1,
        RepairKind::MissingStatement => 2,
        RepairKind::Negation => 5,
        RepairKind::DroppedPart => ODD,
        RepairKind::AddedPart => 9,
    }
}

/// `=` where `==` was meant.
pub fn is_typo(edit: &Edit, replaced: &str) -> bool {
    edit.kind == RepairKind::Operator && (replaced.trim(), edit.text.trim()) == ("=", "==")
}

/// The oddness of another operator: 0 if its shape is nearly that of the old one.
pub fn of_operators(old: &str, new: &str) -> u32 {
    let is = |a: &str, b: &str| (old, new) == (a, b) || (old, new) == (b, a);
    let slips = [("<", "<="), (">", ">="), ("=", "==")];
    let opposites = [
        ("<", ">"),
        ("<=", ">="),
        ("+", "-"),
        ("&&", "||"),
        ("==", "!="),
        ("++", "--"),
        ("+=", "-="),
    ];
    if slips.into_iter().any(|(a, b)| is(a, b)) {
        0
    } else if opposites.into_iter().any(|(a, b)| is(a, b)) {
        1
    } else if is("<", ">=") || is(">", "<=") {
        3
    } else if is("*", "+") {
        4
    } else {
        ODD
    }
}

fn of_numbers(old: &str, new: &str) -> u32 {
    match (old.parse::<i128>(), new.parse::<i128>()) {
        (Ok(a), Ok(b)) if a.abs_diff(b) == 1 => 0,
        (Ok(_), Ok(_)) => 4,
        // `x + 1` for `x`; `max = 0` for `max` in a declaration; `a[0]` for a number.
        (Err(_), Err(_)) if new.starts_with(&format!("{old} = ")) => 0,
        (Err(_), Err(_)) if new.starts_with(old) => 1,
        (Ok(_), Err(_)) if new.ends_with(']') => 0,
        _ => 3,
    }
}

fn is_number(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}
