//! Which characters names are made of: in C as in Cimple Unicode's letters (C23 6.4.2.1).

/// Can a name start with it?
pub fn starts_name(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

/// Can it stand in a name behind the first character?
pub fn continues_name(c: char) -> bool {
    unicode_ident::is_xid_continue(c)
}

/// Is the text a name?
pub fn is_name(text: &str) -> bool {
    text.starts_with(starts_name) && text.chars().all(continues_name)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn letters_of_all_languages() {
        for name in ["x", "_1", "größe", "число", "数", "e\u{301}"] {
            assert!(is_name(name), "{name}");
        }
        for none in ["", "1x", "a-b", "\u{301}e", "a\u{a0}b", "€", "😀", "“a”", "a\u{37e}"]
        {
            assert!(!is_name(none), "{none}");
        }
    }
}
