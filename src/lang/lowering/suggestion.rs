//! What a misspelt name may have meant.

/// "did you mean `food`?", if a known name is similar enough.
pub(in crate::lang) fn suggestion<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<String> {
    similar(name, known).map(|meant| format!("did you mean `{meant}`?"))
}

/// The known name that is most similar, if one is similar enough.
pub(in crate::lang) fn similar<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    let best = known.filter(|k| k.len() <= 64).map(|k| (distance(name, k), k)).min()?;
    (best.0 <= limit && best.0 < name.chars().count()).then_some(best.1)
}

/// The known name that differs by a slip alone: by one letter, or by two (as where they changed
/// places) if the name has five or more.
pub(in crate::lang) fn near<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    let most = match name.chars().count() {
        0..=2 => return None,
        3..=4 => 1,
        _ => 2,
    };
    let best = known.filter(|k| k.len() <= 64).map(|k| (distance(name, k), k)).min()?;
    (best.0 <= most).then_some(best.1)
}

/// Edit distance (Levenshtein), for short names.
fn distance(left: &str, right: &str) -> usize {
    if left.len() > 64 {
        return usize::MAX;
    }
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        let known = ["counter", "limit", "n"];
        assert_eq!(
            suggestion("countr", known.into_iter()).as_deref(),
            Some("did you mean `counter`?")
        );
        assert_eq!(suggestion("zebra", known.into_iter()), None);
        assert_eq!(suggestion("x", known.into_iter()), None);
    }

    #[test]
    fn a_slip_is_nearer_than_another_name() {
        let known = ["printf", "pow", "abs"];
        assert_eq!(near("prinft", known.into_iter()), Some("printf"));
        assert_eq!(near("foo", known.into_iter()), None);
        assert_eq!(near("as", known.into_iter()), None);
    }
}
