//! Makes a failing program small: removes lines, unwraps blocks and simplifies expressions as long
//! as it keeps failing.

/// A small program for which `fails` still holds. `fails` must say no to whatever does not parse.
pub fn shrink(source: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_string).collect();
    loop {
        let before = lines.clone();
        remove_ranges(&mut lines, &fails);
        unwrap_blocks(&mut lines, &fails);
        simplify(&mut lines, &fails);
        if lines == before {
            return text(&lines);
        }
    }
}

fn text(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// Opened minus closed braces.
fn balance(line: &str) -> i32 {
    line.chars().map(|c| i32::from(c == '{') - i32::from(c == '}')).sum()
}

fn remove_ranges(lines: &mut Vec<String>, fails: &impl Fn(&str) -> bool) {
    let mut length = lines.len() / 2;
    while length > 0 {
        let mut start = 0;
        while start + length <= lines.len() {
            let removed = &lines[start..start + length];
            let lowest = removed.iter().scan(0, |sum, line| {
                *sum += balance(line);
                Some(*sum)
            });
            let without = [&lines[..start], &lines[start + length..]].concat();
            if removed.iter().map(|line| balance(line)).sum::<i32>() == 0
                && lowest.min() == Some(0)
                && fails(&text(&without))
            {
                *lines = without;
            } else {
                start += 1;
            }
        }
        // Blocks have any length, so every length is tried once the program is small.
        length = if length > 24 { length / 2 } else { length - 1 };
    }
}

fn unwrap_blocks(lines: &mut Vec<String>, fails: &impl Fn(&str) -> bool) {
    let mut open = 0;
    while open < lines.len() {
        if balance(&lines[open]) > 0 {
            let mut depth = 0;
            let close = (open..lines.len()).find(|i| {
                depth += balance(&lines[*i]);
                depth == 0
            });
            if let Some(close) = close {
                let without: Vec<String> = lines
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| *i != open && *i != close)
                    .map(|(_, line)| line.clone())
                    .collect();
                if fails(&text(&without)) {
                    *lines = without;
                    continue;
                }
            }
        }
        open += 1;
    }
}

/// Replaces bracketed parts by simpler ones.
fn simplify(lines: &mut [String], fails: &impl Fn(&str) -> bool) {
    for number in 0..lines.len() {
        let mut at = 0;
        while let Some(open) = lines[number][at..].find('(').map(|i| i + at) {
            at = open + 1;
            let line = lines[number].clone();
            let mut depth = 0;
            let close = line[open..].char_indices().find_map(|(i, c)| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                (depth == 0).then_some(open + i)
            });
            let Some(close) = close else { continue };
            for simple in ["0", "1", "true", "false", "*", "nondet()"] {
                for replacement in [simple.to_string(), format!("({simple})")] {
                    if replacement.len() <= close - open && line[open..=close] != replacement {
                        lines[number] =
                            format!("{}{replacement}{}", &line[..open], &line[close + 1..]);
                        if fails(&text(lines)) {
                            break;
                        }
                        lines[number] = line.clone();
                    }
                }
                if lines[number] != line {
                    break;
                }
            }
        }
    }
}

#[test]
fn shrinking_keeps_what_fails_and_drops_the_rest() {
    let source = "int g;\nvoid main() {\n  g = (1 + 2);\n  if (*) {\n    while (*) {\n      bad;\n    }\n  }\n}\n";
    let balanced = |s: &str| s.lines().map(balance).sum::<i32>() == 0;
    assert_eq!(shrink(source, |s| balanced(s) && s.contains("bad;")), "      bad;\n");
}
