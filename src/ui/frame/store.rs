//! What the browser keeps between visits: program, options, theme, the panes' sizes.

use super::browser::has_room_for_steps;
use crate::ui::state::timeline::Speed;
pub(crate) use crate::wire::kept::KeptProgram as Program;
use crate::wire::kept::{ReadBack, read_back};
use crate::wire::options::Dialect;
use gloo::storage::{LocalStorage, SessionStorage, Storage};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

const PROGRAM: &str = "faultline.program";
const ASIDE: &str = "faultline.program.before";
const UNREAD: &str = "faultline.program.unread";
const LOOK: &str = "faultline.look";
const LEFT: &str = "faultline.left";
/// Before the names of what tabs keep.
const OF_TAB: &str = "faultline.tab.";

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    Light,
    Dark,
}

/// How the page looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Look {
    /// `None`: as the system says.
    pub(crate) theme: Option<Theme>,
    /// The word of the analysis that is shown.
    pub(crate) analysis: String,
    /// Pixels of the editor, the inspector and the timeline.
    pub(crate) left: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
    /// Is the list of steps shown? `None`: where there is room.
    pub(crate) timeline: Option<bool>,
    /// Do the step's values stand behind its line?
    pub(crate) values: bool,
    /// Is all of the legend shown?
    pub(crate) legend: bool,
    /// How fast timelines are played.
    pub(crate) speed: Speed,
    /// The widths of `int` that were chosen in the options, by language. They stay for the next
    /// program.
    pub(crate) widths: BTreeMap<String, u32>,
}

impl Look {
    /// Is the list of steps shown? If nobody chose: where there is room. A presentation gives it
    /// to the picture.
    pub(crate) fn shows_timeline(&self, presenting: bool) -> bool {
        self.timeline.unwrap_or_else(|| !presenting && has_room_for_steps())
    }

    /// Keeps the width that was chosen for programs of this language; `None`: none was.
    pub(crate) fn choose_width(&mut self, dialect: Dialect, bits: Option<u32>) {
        match bits {
            Some(bits) => self.widths.insert(dialect.extension().to_string(), bits),
            None => self.widths.remove(dialect.extension()),
        };
    }

    /// The width that was chosen for programs of this language, for a text that gives none.
    pub(crate) fn chosen_width(&self, dialect: Dialect, text: &str) -> Option<u32> {
        let gives_one = |line: &str| {
            let directive = line.split_once("//!").map(|(_, directive)| directive.trim_start());
            directive.is_some_and(|directive| directive.starts_with("bits"))
        };
        self.widths.get(dialect.extension()).copied().filter(|_| !text.lines().any(gives_one))
    }
}

impl Default for Look {
    fn default() -> Self {
        Look {
            theme: None,
            analysis: String::new(),
            left: 420,
            right: 320,
            bottom: 116,
            timeline: None,
            values: false,
            legend: false,
            speed: Speed::default(),
            widths: BTreeMap::new(),
        }
    }
}

/// Does the browser let the page keep anything? Blocked cookies and sandboxed frames do not.
pub(super) fn open() -> bool {
    web_sys::window()
        .is_some_and(|window| window.local_storage().is_ok_and(|storage| storage.is_some()))
}

/// What is kept under a name, as it is.
pub(super) fn raw(name: &str) -> Option<String> {
    if open() { LocalStorage::raw().get_item(name).ok()? } else { None }
}

/// What stands where the program is kept, as it is.
pub(crate) fn written() -> Option<String> {
    raw(PROGRAM)
}

/// Keeps this text where the program is kept. False if the browser keeps nothing.
pub(crate) fn write(program: &str) -> bool {
    open() && LocalStorage::raw().set_item(PROGRAM, program).is_ok()
}

/// The kept program, or an empty one. If a part of it cannot be read, the whole is put aside before
/// anything can be written over it ([`unread`]).
pub(crate) fn kept() -> ReadBack {
    let kept = raw(PROGRAM).unwrap_or_default();
    let read = read_back(&kept);
    if !read.is_whole {
        // A full store cannot take it. The text is in the editor all the same.
        let _ = LocalStorage::raw().set_item(UNREAD, &kept);
    }
    read
}

/// What was kept and could not be read as a whole, as it was.
pub(crate) fn unread() -> Option<String> {
    raw(UNREAD)
}

/// Puts the kept program aside before another one takes its place. True if there was one to put
/// aside.
pub(crate) fn set_aside() -> bool {
    let kept = kept().program;
    !kept.source.trim().is_empty() && open() && LocalStorage::set(ASIDE, &kept).is_ok()
}

/// The program that was put aside.
pub(crate) fn aside() -> Option<Program> {
    raw(ASIDE).map(|aside| read_back(&aside).program)
}

/// Keeps, for this tab of the browser, what an entry of its history has become. What was written of
/// it before has one of the marks `known`.
pub(crate) fn leave(known: &[u64], entry: &str) {
    if open() {
        let _ = SessionStorage::set(LEFT, (known, entry));
    }
}

/// What this entry had become when the page was left, if that was kept.
pub(crate) fn left(written: &str) -> Option<String> {
    let (known, entry): (Vec<u64>, String) =
        if open() { SessionStorage::get(LEFT).ok()? } else { return None };
    known.contains(&mark(written)).then_some(entry)
}

/// A number by which an entry is known again: its hash. Entries may be large, and a store is small.
pub(crate) fn mark(entry: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    entry.hash(&mut hasher);
    hasher.finish()
}

/// Keeps a text of a tab, if the browser keeps anything.
pub(crate) fn remember(name: &str, text: &str) {
    if open() {
        let _ = LocalStorage::raw().set_item(&format!("{OF_TAB}{name}"), text);
    }
}

/// What was kept of it.
pub(crate) fn recall(name: &str) -> Option<String> {
    raw(&format!("{OF_TAB}{name}"))
}

/// The kept look, or the default.
pub(crate) fn look() -> Look {
    let look: Look =
        if open() { LocalStorage::get(LOOK).unwrap_or_default() } else { Look::default() };
    Look {
        left: look.left.clamp(280, 760),
        right: look.right.clamp(220, 560),
        bottom: look.bottom.clamp(100, 320),
        ..look
    }
}

/// Keeps the look, if the browser keeps anything.
pub(crate) fn keep_look(look: &Look) {
    if open() {
        let _ = LocalStorage::set(LOOK, look);
    }
}
