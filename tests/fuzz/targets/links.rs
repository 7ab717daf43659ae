//! Links: any fragment is read or refused. The input is the JSON of a link, which is packed as a
//! link packs it; a text that starts with `v` or `e` is a fragment as it stands.
#![no_main]

use faultline::wire::example_link;
use faultline::wire::permalink::{Permalink, decode, encode};
use fuzz::{mutate, stack, tally, texts};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target, fuzzer_mutate};
use serde_json::Value;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn packed(bytes: &[u8]) -> String {
    let mut text = String::from("v1/");
    for chunk in miniz_oxide::deflate::compress_to_vec(bytes, 6).chunks(3) {
        let group =
            chunk.iter().fold(0u32, |g, b| g << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for k in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(group >> (18 - 6 * k) & 63) as usize]));
        }
    }
    text
}

/// Has it whole numbers only? No view asks for others, and the last digits of a fraction may
/// differ once it is written and read.
fn is_whole(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::Array(values) => values.iter().all(is_whole),
        Value::Object(values) => values.values().all(is_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// A link that is read stays the same when it is made and read again.
fn permalink(fragment: &str) -> bool {
    let Ok(link) = decode(fragment) else { return false };
    if link.places.values().all(is_whole)
        && let Ok(again) = encode(&link)
    {
        assert_eq!(decode(&again).as_ref(), Ok(&link));
    }
    true
}

fn example(fragment: &str) -> bool {
    let Some(Ok(link)) = example_link::read(fragment) else { return false };
    let opened = Permalink { source: "int main() { return 0; }\n".into(), ..Permalink::default() };
    // An edit of another text is refused; anything else opens.
    let _ = link.open(opened);
    true
}

fuzz_target!(init: stack::for_signals(), |data: &[u8]| -> Corpus {
    let accepted = match (data.first(), std::str::from_utf8(data)) {
        (Some(b'v'), Ok(text)) => permalink(text),
        (Some(b'e'), Ok(text)) => example(text),
        _ => permalink(&packed(data)),
    };
    tally::count(accepted);
    if accepted { Corpus::Keep } else { Corpus::Reject }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let gentle = seed % 5 > 0;
    if let Some(text) = mutate::gently(&data[..size], seed).filter(|_| gentle)
        && text.len() <= max_size.min(texts::LONGEST)
    {
        data[..text.len()].copy_from_slice(text.as_bytes());
        return text.len();
    }
    fuzzer_mutate(data, size, max_size)
});
