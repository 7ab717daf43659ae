//! Changes of what is printed.

use super::{CONVERSIONS, ChangeKind, Finder};
use faultline_c::span::Span;

impl Finder<'_> {
    /// Other texts for a literal of an output.
    pub(super) fn output(&mut self, span: Span, bytes: &[u8]) {
        let source = self.source(span).to_string();
        let Some(inner) = source.strip_prefix('"').and_then(|s| s.strip_suffix('"')) else {
            return;
        };
        if inner.contains("\" \"") {
            return;
        }
        let mut new: Vec<String> = vec![
            format!("{inner}\\n"),
            format!("{inner} "),
            format!(" {inner}"),
            format!("\\n{inner}"),
            inner.strip_suffix("\\n").unwrap_or(inner).to_string(),
            inner.replace("\\n", ""),
            inner.replace("\\n", " "),
            inner.replace(' ', "\\n"),
            inner.replace(' ', ""),
            inner.trim_start_matches(' ').to_string(),
            inner.trim_end_matches(' ').to_string(),
            inner.replace(" \\n", "\\n"),
            inner.to_lowercase(),
            inner.to_uppercase(),
            String::new(),
        ];
        let places = conversions(inner);
        for conversion in CONVERSIONS {
            for (at, length) in &places {
                new.push(format!("{}{conversion}{}", &inner[..*at], &inner[at + length..]));
            }
            // All at once, and with an end of line.
            let mut all = String::new();
            let mut last = 0;
            for (at, length) in &places {
                all += &inner[last..*at];
                all += conversion;
                last = at + length;
            }
            all += &inner[last..];
            new.push(format!("{all}\\n"));
            new.push(all);
        }
        // Only the conversion, without the words around it.
        if let [(at, length)] = places.as_slice() {
            let conversion = &inner[*at..at + length];
            new.push(conversion.to_string());
            new.push(format!("{conversion}\\n"));
        }
        let plain = String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned();
        for (expected, printed) in &self.wanted.lines {
            self.aligned(inner, &plain, expected, printed, &mut new);
        }
        for text in new {
            self.add(span, format!("\"{text}\""), ChangeKind::Output);
        }
    }

    /// Words of a literal as they were expected: `yes` for `Yes`.
    fn aligned(
        &self,
        inner: &str,
        plain: &str,
        expected: &str,
        printed: &str,
        new: &mut Vec<String>,
    ) {
        if !plain.contains('%') && printed == plain.trim_end_matches('\n') {
            let end = &inner[inner.trim_end_matches("\\n").len()..];
            new.push(format!("{}{end}", escaped(expected)));
        }
        // What is common at both ends stays: the middle is exchanged.
        let front = printed.chars().zip(expected.chars()).take_while(|(a, b)| a == b).count();
        let (p, e): (Vec<char>, Vec<char>) =
            (printed.chars().collect(), expected.chars().collect());
        let (p, e) = (&p[front..], &e[front..]);
        let back = p.iter().rev().zip(e.iter().rev()).take_while(|(a, b)| a == b).count();
        let wrong: String = p[..p.len() - back].iter().collect();
        let right: String = e[..e.len() - back].iter().collect();
        if !wrong.is_empty() && inner.contains(&wrong) {
            new.push(inner.replacen(&wrong, &escaped(&right), 1));
        }
        for (k, (a, b)) in words(printed).iter().zip(words(expected)).enumerate() {
            if *a != b && inner.contains(a) {
                new.push(inner.replacen(a, &escaped(b), 1));
            }
            if k > 20 {
                break;
            }
        }
        if wrong.is_empty() && !right.is_empty() && right.len() < 40 {
            new.push(format!("{inner}{}", escaped(&right)));
            new.push(format!("{}{inner}", escaped(&right)));
        }
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%")
}

/// Where the conversions of a format stand, and how long they are.
fn conversions(format: &str) -> Vec<(usize, usize)> {
    let bytes = format.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'%' {
            at += 1;
            continue;
        }
        let rest = &bytes[at + 1..];
        let length =
            rest.iter().take_while(|byte| b"-+ #0123456789.*lhzjtL".contains(byte)).count();
        if let Some(letter) = rest.get(length)
            && letter.is_ascii_alphabetic()
        {
            list.push((at, length + 2));
        }
        at += length + 2;
    }
    list
}
