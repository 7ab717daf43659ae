//! The one place where the browser keeps the program, which all tabs of the browser write. A tab
//! that finds there what another tab has written keeps that as well, among the programs that have
//! names (`static/desk/shelf.js`), before it writes its own: no text is lost, whoever comes last.

use super::store::{self, Program};
use crate::wire::kept::{ReadBack, read_back};
use gloo::storage::{LocalStorage, Storage};
use serde_json::{Value, json};

/// Which tab has written the program.
const WRITER: &str = "faultline.program.tab";
/// The programs that have names, and what of them cannot be read.
const SHELF: &str = "faultline.programs";
const UNREAD: &str = "faultline.programs.unread";

/// What became of a program that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    Yes,
    /// And what another tab had written has a name now.
    Beside,
    /// The browser keeps nothing (private windows, a full store).
    No,
}

/// The place, as this tab knows it.
pub(crate) struct Place {
    /// The tab, while this page is loaded.
    tab: String,
    /// What this tab has read there, or written, last.
    known: Option<String>,
}

impl Place {
    pub(crate) fn new() -> Place {
        let tab = format!("{:x}", (js_sys::Math::random() * f64::from(u32::MAX)) as u32);
        Place { tab, known: store::written() }
    }

    /// The kept program. What another tab has written is known then.
    pub(crate) fn read(&mut self) -> ReadBack {
        self.known = store::written();
        store::kept()
    }

    /// Keeps the program, and beside it what another tab has written since.
    pub(crate) fn keep(&mut self, program: &Program) -> Kept {
        let Ok(text) = serde_json::to_string(program) else { return Kept::No };
        let other = self.other().filter(|other| other.source != program.source);
        if other.as_ref().is_some_and(|other| !self.shelve(other)) || !store::write(&text) {
            return Kept::No;
        }
        let _ = LocalStorage::raw().set_item(WRITER, &self.tab);
        self.known = Some(text);
        if other.is_some() { Kept::Beside } else { Kept::Yes }
    }

    /// What another tab has written since this one has looked.
    pub(crate) fn other(&self) -> Option<Program> {
        let there = store::written().filter(|there| Some(there) != self.known.as_ref())?;
        Some(read_back(&there).program).filter(|program| !program.source.trim().is_empty())
    }

    /// Keeps another tab's program among those that have names, in the place of what was kept of
    /// that tab before. What was kept of this one is in the one place again. False if the browser
    /// does not take it.
    fn shelve(&self, other: &Program) -> bool {
        let writer = store::raw(WRITER).unwrap_or_default();
        let there = store::raw(SHELF);
        let read = there.as_ref().and_then(|list| serde_json::from_str::<Vec<Value>>(list).ok());
        if let (None, Some(unread)) = (&read, &there)
            && LocalStorage::raw().set_item(UNREAD, unread).is_err()
        {
            return false;
        }
        let mut list = read.unwrap_or_default();
        list.retain(|one| one["tab"] != *self.tab && (writer.is_empty() || one["tab"] != *writer));
        if list.iter().all(|one| one["source"] != *other.source) {
            let now = js_sys::Date::now();
            let name = format!("{} (another tab)", other.name.as_deref().unwrap_or("Program"));
            let mut entry = json!(other);
            entry["name"] = json!(free(name, &list));
            entry["id"] = json!(format!("tab-{}-{now}", self.tab));
            entry["kept"] = json!(now);
            entry["tab"] = json!(writer);
            list.insert(0, entry);
        }
        LocalStorage::raw().set_item(SHELF, &Value::from(list).to_string()).is_ok()
    }
}

/// The name, or the name with a number that no other program has.
fn free(name: String, list: &[Value]) -> String {
    let taken = |name: &str| list.iter().any(|one| one["name"] == *name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(name)
}
