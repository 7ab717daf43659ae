//! The rules that are built in, as texts: `static/rules`.

/// By name.
const LIBRARY: [(&str, &str); 15] = [
    ("irp", include_str!("../../../static/rules/irp.rule")),
    ("iterator", include_str!("../../../static/rules/iterator.rule")),
    ("ldv/alloc_spinlock", include_str!("../../../static/rules/ldv/alloc_spinlock.rule")),
    ("ldv/bitops", include_str!("../../../static/rules/ldv/bitops.rule")),
    ("ldv/class", include_str!("../../../static/rules/ldv/class.rule")),
    ("ldv/module", include_str!("../../../static/rules/ldv/module.rule")),
    ("ldv/mutex", include_str!("../../../static/rules/ldv/mutex.rule")),
    ("ldv/rculock", include_str!("../../../static/rules/ldv/rculock.rule")),
    ("ldv/rwlock", include_str!("../../../static/rules/ldv/rwlock.rule")),
    ("ldv/spinlock", include_str!("../../../static/rules/ldv/spinlock.rule")),
    ("ldv/usblock", include_str!("../../../static/rules/ldv/usblock.rule")),
    ("memory", include_str!("../../../static/rules/memory.rule")),
    ("mutex", include_str!("../../../static/rules/mutex.rule")),
    ("socket", include_str!("../../../static/rules/socket.rule")),
    ("spinlock", include_str!("../../../static/rules/spinlock.rule")),
];

/// The text of a built-in rule.
pub fn built_in(name: &str) -> Option<&'static str> {
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The names of the built-in rules.
pub fn names() -> impl Iterator<Item = &'static str> {
    LIBRARY.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::rules::check;

    #[test]
    fn each_can_be_read() {
        for name in names() {
            let text = built_in(name).expect("a built-in rule");
            assert_eq!(check(name, text), Ok(()), "{name}");
        }
        assert_eq!(built_in("mutexes"), None);
    }
}
