//! JSON that people read.

/// JSON on one line, indented by two spaces. The same text as `serde_json::to_string_pretty` makes,
/// whose second set of functions for every type costs a first visit of the page a kilobyte.
pub fn indented(json: &str) -> String {
    let mut out = String::with_capacity(2 * json.len());
    let (mut depth, mut in_string, mut is_escaped) = (0, false, false);
    let mut letters = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        (0..depth).for_each(|_| out.push_str("  "));
    };
    while let Some(letter) = letters.next() {
        if in_string {
            out.push(letter);
            in_string = is_escaped || letter != '"';
            is_escaped = letter == '\\' && !is_escaped;
            continue;
        }
        match letter {
            '{' | '[' => {
                out.push(letter);
                match letters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        depth += 1;
                        line(&mut out, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(letter);
            }
            ',' => {
                out.push(',');
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                out.push(letter);
                in_string = letter == '"';
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn it_is_what_serde_json_makes() {
        let value = serde_json::json!({
            "text": "a \"b\": {c, [d]} \\",
            "end": "\\\"",
            "none": [],
            "empty": {},
            "deep": [[1, -2.5, null], {"x": [{}], "y": true}],
            "ü": "\u{1F600}\n",
        });
        let line = serde_json::to_string(&value).expect("plain data");
        assert_eq!(indented(&line), serde_json::to_string_pretty(&value).expect("plain data"));
    }
}
