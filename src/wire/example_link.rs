//! Links to an example of the gallery: by its name, the tab and the step, and in a packed part what
//! else differs from the example as the gallery opens it, an edit of its text among it:
//! `#e=mailbox.cimple&tab=explain&step=4`.

use super::permalink::{Permalink, PermalinkError, Places, REFUSE_OVER, encode, pack, unpack};
use crate::util::sha256::{hexadecimal, sha256};
use crate::wire::graph::Folding;
use crate::wire::options::RequestedOptions;
use crate::wire::projection::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const PREFIX: &str = "e=";
/// The name of the first tab, where a link or an example names none.
const FIRST_TAB: &str = "projection";

/// A link to an example: what differs from the example as the gallery opens it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExampleLink {
    /// The example's file.
    pub example: String,
    tab: Option<String>,
    step: Option<u32>,
    line: Option<u32>,
    more: More,
}

/// What has no short name of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct More {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    edit: Option<Edit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<RequestedOptions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    method: Option<Method>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    through: Vec<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folding: Option<Folding>,
    /// Null: as at first, where the gallery has another place.
    #[serde(flatten)]
    places: Places,
}

/// A stretch of the text that is another one now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Edit {
    /// The beginning of the example's hash: an edit of another text means nothing.
    of: String,
    /// Where it begins, in bytes, and how many bytes go.
    at: usize,
    cut: usize,
    put: String,
}

/// The fragment of a link, without `#`. If the program is an example of the gallery, or an edit of
/// one, the link is one to that example, unless that is longer: `example` is its file, and what
/// the gallery opens. Fails with [`PermalinkError::TooLong`] only.
pub fn fragment(
    link: &Permalink,
    example: Option<(&str, &Permalink)>,
) -> Result<String, PermalinkError> {
    let short = example.and_then(|(file, opened)| between(link, file, opened)).map(|l| l.written());
    let whole = match &short {
        // An example as it is: no text of it can be shorter.
        Some(short) if example.is_some_and(|(_, opened)| opened.source == link.source) => {
            return Ok(short.clone());
        }
        _ => encode(link),
    };
    match (short, whole) {
        (Some(short), Ok(whole)) if whole.len() <= short.len() => Ok(whole),
        (Some(short), _) if short.len() <= REFUSE_OVER => Ok(short),
        (_, whole) => whole,
    }
}

/// Reads the fragment of a link to an example, with or without `#`; `None` if it is another one.
pub fn read(fragment: &str) -> Option<Result<ExampleLink, PermalinkError>> {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    fragment.starts_with(PREFIX).then(|| parse(fragment))
}

fn parse(fragment: &str) -> Result<ExampleLink, PermalinkError> {
    if fragment.len() > REFUSE_OVER {
        return Err(PermalinkError::TooLong);
    }
    let mut link = ExampleLink::default();
    for (name, value) in fragment.split('&').filter_map(|part| part.split_once('=')) {
        let number = || value.parse().map(Some).map_err(|_| PermalinkError::Broken);
        match name {
            "e" => link.example = value.into(),
            "tab" => link.tab = Some(value.into()),
            "step" => link.step = number()?,
            "line" => link.line = number()?,
            "more" => {
                link.more =
                    serde_json::from_slice(&unpack(value)?).map_err(|_| PermalinkError::Broken)?
            }
            // What later pages may add.
            _ => {}
        }
    }
    if is_plain(&link.example) { Ok(link) } else { Err(PermalinkError::Broken) }
}

/// The link from an example, as the gallery opens it, to what is shown.
fn between(link: &Permalink, file: &str, opened: &Permalink) -> Option<ExampleLink> {
    if !is_plain(file) {
        return None;
    }
    let mut places = Places::new();
    for (word, place) in &link.places {
        if opened.places.get(word) != Some(place) {
            places.insert(word.clone(), place.clone());
        }
    }
    // The tab is as at first, and the gallery opens it elsewhere.
    let word = tab(opened);
    if opened.places.contains_key(word) && !link.places.contains_key(word) {
        places.insert(word.into(), Value::Null);
    }
    let unless = |same: bool| (!same).then_some(());
    Some(ExampleLink {
        example: file.into(),
        tab: unless(tab(link) == tab(opened)).map(|()| tab(link).into()),
        step: link.step.filter(|_| link.step != opened.step),
        line: link.selection,
        more: More {
            edit: Edit::between(&opened.source, &link.source),
            options: unless(link.options == opened.options).map(|()| link.options.clone()),
            method: unless(link.method == opened.method).map(|()| link.method),
            through: link.through.clone(),
            folding: link.folding.clone(),
            places,
        },
    })
}

fn tab(link: &Permalink) -> &str {
    if link.view.is_empty() { FIRST_TAB } else { &link.view }
}

/// Names of examples need no escapes.
fn is_plain(file: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-' | b'_');
    !file.is_empty() && !file.starts_with('.') && file.bytes().all(plain)
}

impl ExampleLink {
    fn written(&self) -> String {
        let mut text = format!("{PREFIX}{}", self.example);
        if let Some(tab) = &self.tab {
            text.push_str(&format!("&tab={tab}"));
        }
        for (name, number) in [("step", self.step), ("line", self.line)] {
            if let Some(number) = number {
                text.push_str(&format!("&{name}={number}"));
            }
        }
        if self.more != More::default() {
            let json = serde_json::to_vec(&self.more).expect("plain data always serialises");
            text.push_str("&more=");
            pack(&json, &mut text);
        }
        text
    }

    /// What the link restores, from the example as the gallery opens it. Fails if the link holds an
    /// edit of another text.
    pub fn open(self, opened: Permalink) -> Result<Permalink, PermalinkError> {
        let source = match &self.more.edit {
            None => opened.source.clone(),
            Some(edit) => edit.apply(&opened.source).ok_or(PermalinkError::OtherExample)?,
        };
        let shown = tab(&opened).to_string();
        let mut places = opened.places;
        // A step and what a paper prints are about the text as the gallery has it.
        let opened_step = opened.step.filter(|_| self.more.edit.is_none());
        places.retain(|word, _| self.more.edit.is_none() || *word == shown);
        places.extend(self.more.places);
        Ok(Permalink {
            source,
            options: self.more.options.unwrap_or(opened.options),
            method: self.more.method.unwrap_or(opened.method),
            view: self.tab.unwrap_or(opened.view),
            step: self.step.or(opened_step),
            selection: self.line,
            through: self.more.through,
            folding: self.more.folding,
            places,
        })
    }
}

impl Edit {
    /// The edit that makes one text of another; `None` if they are the same.
    fn between(old: &str, new: &str) -> Option<Edit> {
        if old == new {
            return None;
        }
        let pairs = old.char_indices().zip(new.chars());
        let mut at = old.len().min(new.len());
        if let Some(((byte, _), _)) = pairs.clone().find(|((_, a), b)| a != b) {
            at = byte;
        }
        let (old_rest, new_rest) = (&old[at..], &new[at..]);
        let same = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|(a, b)| a == b);
        let end: usize = same.map(|(a, _)| a.len_utf8()).sum();
        Some(Edit {
            of: hash(old),
            at,
            cut: old_rest.len() - end,
            put: new_rest[..new_rest.len() - end].into(),
        })
    }

    /// The text with the edit; `None` if it is an edit of another text.
    fn apply(&self, text: &str) -> Option<String> {
        let end = self.at.checked_add(self.cut)?;
        let (before, after) = (text.get(..self.at)?, text.get(end..)?);
        (hash(text) == self.of).then(|| format!("{before}{}{after}", self.put))
    }
}

/// The beginning of a text's hash.
fn hash(text: &str) -> String {
    hexadecimal(&sha256(text.as_bytes())[..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int x;\nvoid main() {\n  x = 1; // größer\n  assert(x > 0);\n}\n";

    /// An example that the gallery opens on step 2 of the tab Threads.
    fn opened() -> Permalink {
        let json = r#"{ "source": "", "view": "threads", "step": 2, "verdict": "unsafe",
            "threads": { "ask": { "bound": 3 } } }"#;
        let link: Permalink = serde_json::from_str(json).expect("it is a link");
        Permalink { source: TEXT.into(), ..link }
    }

    /// The link's fragment, and what it opens.
    fn sent(link: &Permalink) -> (String, Permalink) {
        let fragment = fragment(link, Some(("lost.cimple", &opened()))).expect("it is short");
        let read = read(&fragment).expect("it is a link to an example").expect("it is whole");
        assert_eq!(read.example, "lost.cimple");
        (fragment, read.open(opened()).expect("it is of this text"))
    }

    #[test]
    fn an_example_as_the_gallery_opens_it_is_its_name() {
        let (fragment, again) = sent(&opened());
        assert_eq!((fragment.as_str(), again), ("e=lost.cimple", opened()));
    }

    #[test]
    fn tab_and_step_are_read_by_people() {
        let link = Permalink { view: "lab".into(), step: Some(7), ..opened() };
        let (fragment, again) = sent(&link);
        assert_eq!((fragment.as_str(), again), ("e=lost.cimple&tab=lab&step=7", link));
        let first = Permalink { view: String::new(), step: None, ..opened() };
        assert_eq!(sent(&first).0, "e=lost.cimple&tab=projection");
    }

    #[test]
    fn what_differs_is_restored_and_what_does_not_is_left_out() {
        let mut link = opened();
        link.options.bits = Some(7);
        link.method = Method::Naive;
        (link.selection, link.through) = (Some(3), vec![vec![1, 2]]);
        link.places.insert("threads".into(), serde_json::json!({ "step": 4 }));
        let (fragment, again) = sent(&link);
        assert!(fragment.starts_with("e=lost.cimple&line=3&more="), "{fragment}");
        assert_eq!(again, link);
        // A tab that is as at first again.
        link.places.remove("threads");
        let again = sent(&link).1;
        assert_eq!(again.place::<u32>("threads"), Ok(None));
    }

    #[test]
    fn an_edit_is_the_changed_text_only() {
        let edits = [
            TEXT.replace("x = 1", "x = -12"),
            TEXT.replace("größer", "groß"),
            TEXT.replace("x > 0", ""),
            format!("// before\n{TEXT}"),
            format!("{TEXT}// behind\n"),
            TEXT[..9].into(),
            TEXT.replace("int x;\n", "int x;\nint x;\n"),
        ];
        for source in edits {
            let long = format!("{source}{}", "// filler\n".repeat(9));
            for source in [source, long] {
                let edit = Edit::between(TEXT, &source).expect("they differ");
                assert_eq!(edit.apply(TEXT).as_deref(), Some(source.as_str()), "{edit:?}");
                assert_eq!(edit.apply(&TEXT[1..]), None, "an edit of another text");
            }
        }
        let big = TEXT.repeat(40);
        let example = Permalink { source: big.clone(), ..opened() };
        let link = Permalink { source: big.replacen("x = 1", "x = 2", 1), ..opened() };
        let short = fragment(&link, Some(("big.c", &example))).expect("it is short");
        assert!(short.starts_with("e=big.c&") && short.len() < 120, "{short}");
        let again = read(&short).expect("short").expect("whole").open(example).expect("same text");
        assert_eq!(again.source, link.source);
        let other = Permalink { source: "int y;".into(), ..opened() };
        let read = read(&short).expect("short").expect("whole");
        assert_eq!(read.open(other), Err(PermalinkError::OtherExample));
    }

    #[test]
    fn where_little_of_the_example_is_left_the_link_is_a_whole_one() {
        let link = Permalink { source: "void main() { }".into(), ..Permalink::default() };
        let whole = fragment(&link, Some(("lost.cimple", &opened()))).expect("it is short");
        assert!(whole.starts_with("v1/"), "{whole}");
        assert_eq!(fragment(&link, None), encode(&link));
    }

    #[test]
    fn a_link_that_was_cut_or_altered_is_broken() {
        for bad in ["e=", "e=../x", "e=a/b", "e=a&step=x", "e=a&more=!", "e=a&more=AAAA"] {
            assert_eq!(read(bad), Some(Err(PermalinkError::Broken)), "{bad}");
        }
        assert_eq!(read("v1/AAAA"), None);
        assert_eq!(read("#e=a&later=1").map(|link| link.is_ok()), Some(true));
        let long = format!("e=a&more={}", "A".repeat(REFUSE_OVER));
        assert_eq!(read(&long), Some(Err(PermalinkError::TooLong)));
    }
}
