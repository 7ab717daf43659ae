//! What the browser keeps: any text is read back, and a program's text is never lost.
#![no_main]

use faultline::wire::kept::read_back;
use fuzz::{mutate, stack, tally, texts};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use serde_json::Value;

fuzz_target!(init: stack::for_signals(), |data: &[u8]| -> Corpus {
    let kept = String::from_utf8_lossy(data);
    let read = read_back(&kept);
    tally::count(read.is_whole);
    match serde_json::from_str(&kept) {
        Ok(Value::Object(fields)) => match fields.get("source") {
            Some(Value::String(source)) => assert_eq!(&read.program.source, source),
            Some(other) => assert_eq!(read.program.source, other.to_string()),
            None => assert!(read.program.source.is_empty()),
        },
        _ => assert!(!read.program.source.is_empty() || kept.is_empty() || holds_no_text(&kept)),
    }
    // What was read is read again as it is.
    let again = serde_json::to_string(&read.program).expect("plain data always serialises");
    let again = read_back(&again);
    assert!(again.is_whole);
    assert_eq!(again.program, read.program);
    // Objects without a program lead to ever more objects without one.
    let keep = read.is_whole && !read.program.source.is_empty();
    if keep { Corpus::Keep } else { Corpus::Reject }
});

/// A damaged object whose source is the empty text.
fn holds_no_text(kept: &str) -> bool {
    kept.contains("\"source\"")
}

/// The same with a change of the program's text, which is doubled if it offers nothing to change;
/// `None` if there is none.
fn with_another_text(kept: &[u8], seed: u32) -> Option<String> {
    let mut fields: serde_json::Map<String, Value> = serde_json::from_slice(kept).ok()?;
    let source = fields.get("source")?.as_str()?;
    let changed = mutate::gently(source.as_bytes(), seed).unwrap_or_else(|| source.repeat(2));
    fields.insert("source".into(), changed.into());
    serde_json::to_string(&fields).ok()
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let kept = &data[..size];
    let changed = match seed % 5 {
        0 => None,
        1 | 2 => with_another_text(kept, seed).or_else(|| mutate::gently(kept, seed)),
        _ => mutate::gently(kept, seed),
    };
    if let Some(text) = changed.filter(|text| text.len() <= max_size.min(texts::LONGEST)) {
        data[..text.len()].copy_from_slice(text.as_bytes());
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
});
