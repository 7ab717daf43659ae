//! Links that restore program, options and step: `#v1/` and the base64url text of deflated JSON.
//!
//! The version stands in front, so that links stay readable when the format changes. A link is
//! input like any other: it may be broken, cut, or made to inflate without end.

use crate::util::words;
use crate::wire::exercise::Exercise;
use crate::wire::explain::{ExplainAsk, Level};
use crate::wire::graph::Folding;
use crate::wire::lab::LabTask;
use crate::wire::liveness::LivenessAsk;
use crate::wire::options::RequestedOptions;
use crate::wire::projection::Method;
use crate::wire::refinement::{CegarPhase, Heuristic, RefinementAsk};
use crate::wire::testing::TestText;
use crate::wire::threads::ThreadsAsk;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Longest fragment, in characters, that is made or read.
pub const REFUSE_OVER: usize = 32_768;
/// Fragments longer than this get a warning: some programs cut long links.
pub const WARN_OVER: usize = 2_000;
/// Most bytes that a link may inflate to.
const INFLATED_LIMIT: usize = 1 << 20;
const PREFIX: &str = "v1/";

/// What a link restores.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permalink {
    /// The program.
    pub source: String,
    /// As requested, not as in force: the program's directives go with it.
    #[serde(default)]
    pub options: RequestedOptions,
    /// How to project.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub method: Method,
    /// Which view: `projection`, `lab`, `refinement`, `explain`, `tests`, `threads`, `liveness`.
    /// The others' states are kept as well.
    #[serde(default)]
    pub view: String,
    /// Index of the shown step of the failing run; `None`: nothing was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The selected line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<u32>,
    /// The statements (edge numbers) that the shown failing run goes through, if it is not just a
    /// shortest one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Vec<u32>>,
    /// What of the picture is folded, if that is not as at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folding: Option<Folding>,
    /// Where the tabs are, if that is not as at first.
    #[serde(flatten)]
    pub places: Places,
}

/// Where each tab is, by its word.
pub type Places = BTreeMap<String, Value>;

impl Permalink {
    /// Writes where a tab is, unless it is as at first.
    pub fn put<T: Serialize + Default + PartialEq>(&mut self, word: &str, place: &T) {
        if *place != T::default() {
            let value = serde_json::to_value(place).expect("places are strings, numbers, options");
            self.places.insert(word.to_string(), value);
        }
    }

    /// Where a tab is; `None` if it is as at first.
    pub fn place<T: DeserializeOwned>(&self, word: &str) -> Result<Option<T>, PermalinkError> {
        let value = self.places.get(word).filter(|value| !value.is_null());
        value.cloned().map(serde_json::from_value).transpose().map_err(|_| PermalinkError::Broken)
    }
}

/// Reads a word where there is one that is known; other words, also those of older pages, are none.
fn if_known<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).ok())
}

words! {
    /// What the picture of the refinement loop shows.
    #[derive(Default)]
    pub enum RefinementPicture {
        /// The counterexample DAG of the round.
        #[default]
        Dag = "dag",
        /// The predicates of each place, and each statement with its abstraction.
        Program = "program",
        /// All heuristics on this program.
        Heuristics = "heuristics",
    }
}

words! {
    /// What the picture of the threads' analysis shows.
    #[derive(Default)]
    pub enum ThreadsPicture {
        /// The interleaved run.
        #[default]
        Lanes = "run",
        /// The Qadeer-Rehof tree, and the interfaces.
        Tree = "tree",
        /// An interleaving that is chosen by hand.
        Hand = "hand",
    }
}

/// Where the projection is, besides its step and what its run goes through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProjectionPlace {
    /// Which of the checks that can fail has its run shown, from 0 on.
    pub failure: u32,
}

/// Where an explanation is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExplainPlace {
    /// What is asked for.
    pub ask: ExplainAsk,
    /// The level of detail.
    pub level: Level,
    /// Which failing run, from 0 on.
    pub run: u32,
    /// Which sequence, from 0 on.
    pub sequence: u32,
    /// The step of the level's statements; `None`: the last.
    pub step: Option<u32>,
    /// Does the picture show the runs side by side, and not the control-flow graph?
    pub side_by_side: bool,
    /// Only assumptions over these are shown; empty: all.
    pub inputs: Vec<String>,
}

/// Where the refinement loop is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefinementPlace {
    /// What the loop is asked for.
    pub ask: RefinementAsk,
    /// The round that is shown, from 1 on; 0: the end.
    pub round: u32,
    /// The phase of it; `None`: its first.
    #[serde(deserialize_with = "if_known")]
    pub phase: Option<CegarPhase>,
    /// The selected node of its DAG.
    pub node: Option<u32>,
    /// What the picture shows; `None`: what goes with the phase.
    #[serde(deserialize_with = "if_known")]
    pub picture: Option<RefinementPicture>,
    /// The frames of procedures that are folded, by name.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub folded: BTreeSet<String>,
    /// The two heuristics that are shown beside each other; else empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pair: Vec<Heuristic>,
}

/// Where the threads' analysis is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ThreadsPlace {
    /// What is asked for.
    pub ask: ThreadsAsk,
    /// The step of the interleaved run; `None`: the last.
    pub step: Option<u32>,
    /// What the picture shows; `None`: the run.
    #[serde(deserialize_with = "if_known")]
    pub picture: Option<ThreadsPicture>,
    /// The selected number of switches.
    pub level: Option<u32>,
    /// The selected node of the tree.
    pub node: Option<u32>,
}

/// Where a question about whole runs is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LivenessPlace {
    /// The question; `None`: what the program's directives ask.
    pub ask: Option<LivenessAsk>,
    /// Do only fair runs count? `None`: as the program's directives say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair: Option<bool>,
    /// The step of the run; `None`: where its cycle begins.
    pub step: Option<u32>,
    /// Does the picture show the automaton, and not the control-flow graph?
    pub automaton: bool,
    /// Is only the shown cycle lit, and not what all violating runs execute?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cycle: bool,
}

/// Tests, and a reference, of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TestsPlace {
    /// The tests that do not stand in comments of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<TestText>,
    /// How outputs are compared; empty: as usual on the page.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub compare: String,
    /// The reference.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
    /// The inputs that count.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub domain: String,
    /// The exercise that the program is a try of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exercise: Option<Box<Exercise>>,
    /// The run that is stepped through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<TestRunPlace>,
}

/// A step of the run of a test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRunPlace {
    /// Which test, those in comments of the program first.
    pub row: u32,
    /// The step.
    pub step: u32,
}

/// Where the pushdown lab is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LabPlace {
    /// What is built.
    pub task: LabTask,
    /// The set that is saturated, as it was typed; empty: the system's own.
    pub set: String,
    /// Which of the automata that were built.
    pub automaton: u32,
    /// The step of its recording; `None`: the last.
    pub step: Option<u32>,
    /// The selected transition.
    pub transition: Option<u32>,
    /// The set whose weight is read.
    pub question: String,
    /// Of a transducer: where the runs start whose weight is read, and where they end.
    pub from: String,
    /// See [`LabPlace::from`].
    pub to: String,
}

fn is_usual(method: &Method) -> bool {
    *method == Method::default()
}

/// Why there is no link, or why a link cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermalinkError {
    /// Longer than [`REFUSE_OVER`].
    TooLong,
    /// Of a version that this page does not know.
    UnknownVersion,
    /// Cut or altered on its way, or no link of this page at all.
    Broken,
    /// It would inflate to more than 1 MB.
    TooLarge,
    /// It holds an edit of an example that has another text now.
    OtherExample,
}

impl fmt::Display for PermalinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PermalinkError::TooLong => {
                "the link is longer than 32,768 characters: share the program as a file instead"
            }
            PermalinkError::UnknownVersion => {
                "the link was made by a version of this page that this one does not know"
            }
            PermalinkError::Broken => {
                "the link is broken: a part of it was cut off or altered on its way"
            }
            PermalinkError::TooLarge => "the link holds more than 1 MB of text",
            PermalinkError::OtherExample => {
                "the link changes an example of the gallery that has another text now"
            }
        })
    }
}

/// The fragment, without `#`. Fails with [`PermalinkError::TooLong`] only.
pub fn encode(link: &Permalink) -> Result<String, PermalinkError> {
    let json = serde_json::to_vec(link).expect("strings, numbers and options always serialise");
    let mut text = String::from(PREFIX);
    pack(&json, &mut text);
    if text.len() > REFUSE_OVER { Err(PermalinkError::TooLong) } else { Ok(text) }
}

/// Reads a fragment, with or without `#`.
pub fn decode(fragment: &str) -> Result<Permalink, PermalinkError> {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if fragment.len() > REFUSE_OVER {
        return Err(PermalinkError::TooLong);
    }
    let body = fragment.strip_prefix(PREFIX).ok_or_else(|| match is_versioned(fragment) {
        true => PermalinkError::UnknownVersion,
        false => PermalinkError::Broken,
    })?;
    serde_json::from_slice(&unpack(body)?).map_err(|_| PermalinkError::Broken)
}

/// Deflates bytes and appends them as base64url.
pub(super) fn pack(bytes: &[u8], text: &mut String) {
    encode_base64url(&compress_to_vec(bytes, 9), text);
}

/// The bytes that were packed.
pub(super) fn unpack(text: &str) -> Result<Vec<u8>, PermalinkError> {
    let deflated = decode_base64url(text).ok_or(PermalinkError::Broken)?;
    decompress_to_vec_with_limit(&deflated, INFLATED_LIMIT).map_err(|e| match e.status {
        TINFLStatus::HasMoreOutput => PermalinkError::TooLarge,
        _ => PermalinkError::Broken,
    })
}

/// Does it begin as links of another version may?
fn is_versioned(fragment: &str) -> bool {
    let version = fragment.strip_prefix('v').and_then(|rest| rest.split_once('/'));
    version.is_some_and(|(number, _)| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// What other parts of the page open: a comparison, a lesson (`static/delivery/start_page.js`).
const ELSEWHERE: [&str; 2] = ["compare=", "lesson="];

/// Is a fragment a link, be it a broken one?
pub fn is_link(fragment: &str) -> bool {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    !fragment.is_empty() && !ELSEWHERE.iter().any(|word| fragment.starts_with(word))
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Appends bytes as base64url, without padding (RFC 4648, section 5).
pub fn encode_base64url(bytes: &[u8], out: &mut String) {
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |g, b| g << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            out.push(ALPHABET[(group >> (18 - 6 * i) & 63) as usize] as char);
        }
    }
}

fn decode_base64url(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    for chunk in text.as_bytes().chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut group = 0u32;
        for symbol in chunk {
            group = group << 6 | ALPHABET.iter().position(|a| a == symbol)? as u32;
        }
        group <<= 6 * (4 - chunk.len());
        out.extend_from_slice(&group.to_be_bytes()[1..chunk.len()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{Checks, Dialect, Globals};

    fn example() -> Permalink {
        let mut link = Permalink {
            source: "int x; // 𝔸 „quoted“\nvoid main() { assert(x == 0); }\n".repeat(3),
            options: RequestedOptions {
                bits: Some(4),
                globals: Some(Globals::Any),
                checks: Some(Checks::default()),
                ..RequestedOptions::default()
            },
            method: Method::PerNode,
            view: "projection".into(),
            step: Some(5),
            selection: Some(2),
            through: vec![vec![3], vec![7, 8]],
            folding: Some(Folding { chains: true, exceptions: [7].into(), ..Folding::default() }),
            places: Places::new(),
        };
        link.put("threads", &threads());
        link.put(
            "lab",
            &LabPlace { task: LabTask::Pre, set: "<p, a*>".into(), ..LabPlace::default() },
        );
        link
    }

    fn threads() -> ThreadsPlace {
        ThreadsPlace { step: Some(9), node: Some(3), ..ThreadsPlace::default() }
    }

    #[test]
    fn places_are_kept_by_the_words_of_their_tabs() {
        let link = example();
        assert_eq!(link.place("threads"), Ok(Some(threads())));
        assert_eq!(link.place::<ExplainPlace>("explain"), Ok(None));
        assert_eq!(link.place::<u32>("threads"), Err(PermalinkError::Broken));
        let mut link = Permalink::default();
        link.put("lab", &LabPlace::default());
        assert_eq!(link, Permalink::default());
    }

    #[test]
    fn a_link_restores_what_it_was_made_from() {
        let text = encode(&example()).expect("short enough");
        assert!(text.bytes().all(|b| b == b'/' || ALPHABET.contains(&b)), "{text}");
        assert_eq!(decode(&text), Ok(example()));
        assert_eq!(decode(&format!("#{text}")), Ok(example()));
    }

    #[test]
    fn links_made_before_there_were_languages_are_read() {
        let json = br#"{"source":"void main() { }","options":{"bits":5,"globals":"zero","checks":null,"error":null,"label":null},"view":"projection","step":2}"#;
        let mut text = String::from(PREFIX);
        encode_base64url(&compress_to_vec(json, 9), &mut text);
        let link = decode(&text).expect("it is read");
        assert_eq!((link.options.dialect, link.options.bits, link.step), (None, Some(5), Some(2)));
    }

    #[test]
    fn a_chosen_language_is_restored() {
        let options = RequestedOptions {
            dialect: Some(Dialect::BooleanProgram),
            ..RequestedOptions::default()
        };
        let text =
            encode(&Permalink { options: options.clone(), ..example() }).expect("short enough");
        assert_eq!(decode(&text).map(|link| link.options), Ok(options));
    }

    #[test]
    fn base64url_of_every_length() {
        for length in 0..70u8 {
            let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(37)).collect();
            let mut text = String::new();
            encode_base64url(&bytes, &mut text);
            assert_eq!(decode_base64url(&text), Some(bytes));
        }
    }

    #[test]
    fn a_cut_or_altered_link_is_broken() {
        let text = encode(&example()).expect("short enough");
        for cut in PREFIX.len()..text.len() - 1 {
            assert_eq!(decode(&text[..cut]), Err(PermalinkError::Broken), "cut at {cut}");
        }
        assert_eq!(decode(&text.replace('/', "/!")), Err(PermalinkError::Broken));
        assert_eq!(decode("v1/"), Err(PermalinkError::Broken));
        assert_eq!(decode("v1/ä€"), Err(PermalinkError::Broken));
    }

    #[test]
    fn every_fragment_but_those_of_other_parts_is_a_link_and_may_be_a_broken_one() {
        for other in ["", "#", "#compare=x", "lesson=y"] {
            assert!(!is_link(other), "{other}");
        }
        for broken in ["#p=%%%", "#z=!!!!", "#nonsense", "#v1", "#very/long"] {
            assert!(is_link(broken), "{broken}");
            assert_eq!(decode(broken), Err(PermalinkError::Broken), "{broken}");
        }
    }

    #[test]
    fn other_versions_and_over_long_links_are_refused() {
        assert_eq!(decode("v9/AAAA"), Err(PermalinkError::UnknownVersion));
        assert_eq!(decode(""), Err(PermalinkError::Broken));
        assert_eq!(
            decode(&format!("v1/{}", "A".repeat(REFUSE_OVER))),
            Err(PermalinkError::TooLong)
        );
        let mut seed = 7u32;
        let noise: String = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(33 + (seed >> 24) as u8 % 90)
        })
        .take(60_000)
        .collect();
        assert_eq!(encode(&Permalink { source: noise, ..example() }), Err(PermalinkError::TooLong));
    }

    #[test]
    fn a_link_that_inflates_without_end_is_refused() {
        let bomb = Permalink { source: "a".repeat(3 << 20), ..Permalink::default() };
        let text = encode(&bomb).expect("it deflates well");
        assert_eq!(decode(&text), Err(PermalinkError::TooLarge));
    }
}
