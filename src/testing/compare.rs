//! Expected and printed text.

/// How two texts are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Comparison {
    /// Byte by byte. What most courses do, and what their students lose points by.
    #[default]
    Exact,
    /// White space at the ends of lines and of the text does not count.
    Lines,
    /// Only the words count, not the white space between them.
    Words,
    /// As `Words`; numbers may differ by so much.
    Numbers(f64),
}

/// How far two texts differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DifferenceKind {
    /// Only white space.
    WhiteSpace,
    /// The numbers are the same, the words around them are not.
    Words,
    /// The program printed less: what it printed is right so far.
    Less,
    /// It printed more behind what is right.
    More,
    /// Values.
    Values,
}

/// The first difference of two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The byte of the output.
    pub at: usize,
    /// The byte of the expected text.
    pub expected_at: usize,
    /// How far they differ.
    pub kind: DifferenceKind,
    /// The line of the output, from 1.
    pub line: u32,
    /// The line that was expected, without its end.
    pub expected: String,
    /// The line that was printed.
    pub printed: String,
}

/// The first difference, or `None` if the texts count as the same.
pub fn difference(printed: &[u8], expected: &[u8], by: Comparison) -> Option<Difference> {
    let (at, expected_at) = match by {
        Comparison::Exact => {
            let common = printed.iter().zip(expected).take_while(|(a, b)| a == b).count();
            if common == printed.len() && common == expected.len() {
                return None;
            }
            (common, common)
        }
        Comparison::Lines => pieces_differ(&lines(printed), &lines(expected), |a, b| a == b)?,
        Comparison::Words => pieces_differ(&words(printed), &words(expected), |a, b| a == b)?,
        Comparison::Numbers(most) => {
            let same = |a: &[u8], b: &[u8]| match (number(a), number(b)) {
                (Some(a), Some(b)) => (a - b).abs() <= most || a == b,
                _ => a == b,
            };
            pieces_differ(&words(printed), &words(expected), same)?
        }
    };
    let line =
        printed[..at.min(printed.len())].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    Some(Difference {
        at,
        expected_at,
        kind: kind(printed, expected),
        line,
        expected: line_at(expected, expected_at),
        printed: line_at(printed, at),
    })
}

type Piece<'t> = (usize, &'t [u8]);

fn pieces_differ(
    printed: &[Piece],
    expected: &[Piece],
    same: impl Fn(&[u8], &[u8]) -> bool,
) -> Option<(usize, usize)> {
    let common = printed.iter().zip(expected).take_while(|(a, b)| same(a.1, b.1)).count();
    if common == printed.len() && common == expected.len() {
        return None;
    }
    let place = |list: &[Piece]| match (list.get(common), list.last()) {
        (Some((at, _)), _) => *at,
        (None, Some((at, text))) => at + text.len(),
        (None, None) => 0,
    };
    let (at, expected_at) = (place(printed), place(expected));
    // The first byte of the two pieces that differs.
    let inside = match (printed.get(common), expected.get(common)) {
        (Some(a), Some(b)) => a.1.iter().zip(b.1).take_while(|(x, y)| x == y).count(),
        _ => 0,
    };
    Some((at + inside, expected_at + inside))
}

/// Lines without white space at their ends, and without empty lines at the end.
fn lines(text: &[u8]) -> Vec<Piece<'_>> {
    let mut list = Vec::new();
    let mut at = 0;
    for line in text.split(|byte| *byte == b'\n') {
        list.push((at, line.trim_ascii_end()));
        at += line.len() + 1;
    }
    while list.last().is_some_and(|(_, line)| line.is_empty()) {
        list.pop();
    }
    list
}

fn words(text: &[u8]) -> Vec<Piece<'_>> {
    let mut list = Vec::new();
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        if !word.is_empty() {
            list.push((at, word));
        }
        at += word.len() + 1;
    }
    list
}

fn number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn kind(printed: &[u8], expected: &[u8]) -> DifferenceKind {
    let without = |text: &[u8]| -> Vec<u8> {
        text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
    };
    let (own, wanted) = (without(printed), without(expected));
    if own == wanted {
        return DifferenceKind::WhiteSpace;
    }
    let (digits, wanted_digits) = (numbers(printed), numbers(expected));
    if !wanted_digits.is_empty() && digits == wanted_digits {
        return DifferenceKind::Words;
    }
    if wanted.starts_with(&own) {
        return DifferenceKind::Less;
    }
    if own.starts_with(&wanted) { DifferenceKind::More } else { DifferenceKind::Values }
}

/// The numbers of a text, as they are spelt.
fn numbers(text: &[u8]) -> Vec<Vec<u8>> {
    let mut list = Vec::new();
    let mut current = Vec::new();
    for byte in text.iter().chain(b" ") {
        let inside = byte.is_ascii_digit() || *byte == b'.' && !current.is_empty();
        if inside || *byte == b'-' && current.is_empty() {
            current.push(*byte);
        } else if !current.is_empty() {
            let whole = std::mem::take(&mut current);
            if whole.iter().any(u8::is_ascii_digit) {
                list.push(whole);
            }
        }
    }
    list
}

fn line_at(text: &[u8], at: usize) -> String {
    let at = at.min(text.len());
    let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |k| k + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |k| at + k);
    String::from_utf8_lossy(&text[start..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference() {
        let of = |a: &str, b: &str, by| difference(a.as_bytes(), b.as_bytes(), by);
        assert_eq!(of("1\n", "1\n", Comparison::Exact), None);
        assert_eq!(of("1 \n\n", "1", Comparison::Lines), None);
        assert_eq!(of("a  b\n", "a\nb", Comparison::Words), None);
        assert_eq!(of("1.00001", "1", Comparison::Numbers(1e-3)), None);
        let found = of("a\nbc 3\n", "a\nbd 3\n", Comparison::Exact).expect("it differs");
        assert_eq!((found.at, found.line, found.kind), (3, 2, DifferenceKind::Words));
        assert_eq!((found.expected.as_str(), found.printed.as_str()), ("bd 3", "bc 3"));
        let kind = |a, b| of(a, b, Comparison::Exact).map(|found| found.kind);
        assert_eq!(kind("1", "1\n"), Some(DifferenceKind::WhiteSpace));
        assert_eq!(kind("1 ", "1 2"), Some(DifferenceKind::Less));
        assert_eq!(kind("1 2", "1"), Some(DifferenceKind::More));
        assert_eq!(kind("5", "6"), Some(DifferenceKind::Values));
    }
}
