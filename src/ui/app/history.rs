//! The address and the browser's history follow what is shown: another program and another tab are
//! new entries, a step and an edit change the present one. Back and forward restore an entry.
//!
//! An entry holds all that it restores; its address is a link for other people. The kept program
//! ([`store`]) is never replaced by going back or forward: a program that is shown but not the kept
//! one is only lent ([`Lender`]), until the user changes it.

use super::{App, Msg};
use crate::ui::frame::browser;
use crate::ui::frame::gallery::{Example, fetch_example};
use crate::ui::frame::store::{self, Program};
use crate::util::Budgets;
use crate::wire::example_link::{self, ExampleLink};
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::permalink::{Permalink, PermalinkError};
use gloo::timers::callback::Timeout;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use yew::Context;

/// The address follows after so many milliseconds: steps come quickly, and browsers count.
const REST: u32 = 400;
/// The address of a longer program, in bytes, holds no link.
const MOST_LINKED: usize = 1 << 16;

/// Where a program comes from that is shown and is not the kept one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Lender {
    /// Somebody's link.
    Link,
    /// The gallery.
    Gallery,
    /// The page itself, to who has none yet.
    Welcome,
    /// An older entry of the browser's history.
    History,
}

/// An entry of the browser's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Visit {
    link: Permalink,
    name: Option<String>,
    /// The example of the gallery that the program is, or is an edit of.
    example: Option<String>,
    lender: Option<Lender>,
}

/// An example of the gallery, as it opens.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) file: String,
    /// What the gallery opens; `None` until its text is there.
    pub(super) opened: Option<Permalink>,
}

/// What waits for an example's text.
#[derive(Clone, Debug)]
pub(crate) enum Wanted {
    /// A link to be opened.
    Link(Box<ExampleLink>),
    /// The text that the present program is an edit of.
    Origin(String),
    /// The example that stands ready on a first visit: the first of the list, once it is there.
    Welcome(String),
}

impl Wanted {
    fn file(&self) -> &str {
        match self {
            Wanted::Link(link) => &link.example,
            Wanted::Origin(file) | Wanted::Welcome(file) => file,
        }
    }
}

/// So many earlier states of the present entry are remembered. A busy browser may ignore several
/// writings before it leaves the page.
const MOST_EARLIER: usize = 16;

/// What is known of the browser's history.
#[derive(Default)]
pub(super) struct History {
    /// The present entry, as it was written last.
    written: String,
    /// By which marks what the present entry was before is known, the last ones last: of each state
    /// that of its text and that of its address.
    earlier: VecDeque<u64>,
    /// What is shown next is a new entry.
    is_new: bool,
    /// The address is to follow.
    timer: Option<Timeout>,
}

impl Example {
    /// What the gallery opens.
    fn opened(&self, text: &str) -> Permalink {
        Permalink {
            source: text.replace("\r\n", "\n"),
            options: options_of(&self.file, self.dialect),
            view: self.view.clone(),
            step: self.step,
            places: self.places.clone(),
            ..Permalink::default()
        }
    }
}

impl App {
    /// What is shown changes soon: has the address follow.
    pub(super) fn follow_soon(&mut self, ctx: &Context<Self>) {
        if self.history.is_new {
            self.follow();
        } else if self.history.timer.is_none() && !self.embed {
            let link = ctx.link().clone();
            let follow = Timeout::new(REST, move || link.send_message(Msg::Follow));
            self.history.timer = Some(follow);
        }
    }

    /// Another program or another tab is about to be shown: it is a new entry, and the present one
    /// is left as it is now.
    pub(super) fn turn_page(&mut self) {
        self.follow();
        self.history.is_new = true;
    }

    /// Writes what is shown into the address and the history.
    pub(super) fn follow(&mut self) {
        self.history.timer = None;
        // The address of a link that is still being opened stays.
        if self.embed || self.wanted.is_some() {
            return;
        }
        let visit = self.visit();
        let Ok(entry) = serde_json::to_string(&visit) else { return };
        // What turned the page may change what is shown later: a paste over all of a program tells
        // of itself before its text is there. Then the next change is the new entry.
        if entry == self.history.written {
            return;
        }
        let is_new = std::mem::take(&mut self.history.is_new);
        let address = self.fragment(&visit.link);
        // The first entry of a page that was just opened is there already.
        let is_first = self.history.written.is_empty();
        let before = [browser::entry(), Some(browser::hash())];
        browser::write_entry(&entry, &address, is_new && !is_first);
        browser::set_title(&self.title());
        self.history.written = entry;
        if is_new {
            self.history.earlier.clear();
            return;
        }
        self.history.earlier.extend(before.iter().flatten().map(|before| store::mark(before)));
        while self.history.earlier.len() > 2 * MOST_EARLIER {
            self.history.earlier.pop_front();
        }
    }

    /// The page is left or loaded again. Browsers may ignore what is written into the history once
    /// they have begun to load, which may be before the last few writings. So the present entry is
    /// kept apart as well, with what the browser may have instead.
    pub(super) fn leave(&mut self) {
        if self.embed || self.wanted.is_some() {
            return;
        }
        if let Ok(entry) = serde_json::to_string(&self.visit()) {
            let mut known: Vec<u64> = self.history.earlier.iter().copied().collect();
            known.extend([&self.history.written, &browser::hash()].map(|text| store::mark(text)));
            store::leave(&known, &entry);
        }
        self.follow();
    }

    /// The present entry, as it was when the page was left. A reload while the browser was busy may
    /// have kept no more of the entry than its address.
    pub(super) fn entry() -> Option<String> {
        let written = browser::entry();
        let known_by = match &written {
            Some(written) => written.clone(),
            None if browser::was_reloaded() => browser::hash(),
            None => return None,
        };
        let Some(entry) = store::left(&known_by) else { return written };
        browser::write_entry(&entry, browser::hash().trim_start_matches('#'), false);
        Some(entry)
    }

    /// The fragment of a link to what is shown; empty where there is none.
    fn fragment(&self, link: &Permalink) -> String {
        let is_none = self.state.model.is_blank() || self.is_welcome();
        if is_none || link.source.len() > MOST_LINKED {
            return String::new();
        }
        self.link_to(link).unwrap_or_default()
    }

    /// The fragment of a link, as short as can be.
    pub(super) fn link_to(&self, link: &Permalink) -> Result<String, PermalinkError> {
        let origin = self.origin.as_ref();
        let example = origin.and_then(|of| Some((of.file.as_str(), of.opened.as_ref()?)));
        example_link::fragment(link, example)
    }

    fn title(&self) -> String {
        match &self.state.model.name {
            _ if self.state.model.is_blank() => "Faultline".into(),
            Some(name) => format!("{name} · {} · Faultline", self.state.tab().name()),
            None => format!("{} · Faultline", self.state.tab().name()),
        }
    }

    fn visit(&self) -> Visit {
        Visit {
            link: self.state.present(),
            name: self.state.model.name.clone(),
            example: self.origin.as_ref().map(|origin| origin.file.clone()),
            lender: self.lender,
        }
    }

    /// Back or forward, or another address was typed.
    pub(super) fn visited(&mut self, ctx: &Context<Self>, entry: Option<String>) {
        (self.history.timer, self.history.is_new, self.wanted) = (None, false, None);
        if self.revisit(ctx, entry) || self.open_link(ctx) {
            return;
        }
        // The fragment is gone: the kept program returns. Another fragment is a comparison or a
        // lesson.
        if browser::hash().is_empty() && self.lender.take().is_some() {
            self.reopen_kept(ctx);
        }
    }

    /// Restores an entry. False if it is none of this page's.
    pub(super) fn revisit(&mut self, ctx: &Context<Self>, entry: Option<String>) -> bool {
        let read = entry.and_then(|entry| {
            let visit: Visit = serde_json::from_str(&entry).ok()?;
            Some((visit, entry))
        });
        let Some((visit, entry)) = read else { return false };
        // Of a page that is loaded again: the kept program is more than an empty page.
        if self.history.written.is_empty() && visit.link.source.trim().is_empty() {
            return false;
        }
        (self.open, self.notice) = (None, None);
        self.history.written = entry;
        let Visit { link, name, example, lender } = visit;
        let model = &self.state.model;
        let same = link.source == model.source
            && link.options == model.requested
            && link.method == model.method;
        if same {
            // The tabs are where they were left.
            self.state.show(&link.view);
            self.derive_from(ctx, example);
            browser::set_title(&self.title());
            return true;
        }
        self.shelve();
        let kept = self.place.read().program;
        let is_kept = kept.source == link.source;
        self.lender = lender.or((!is_kept).then_some(Lender::History));
        self.state.open(link);
        self.state.model.name = name;
        self.derive_from(ctx, example);
        self.begin_unasked();
        browser::set_title(&self.title());
        true
    }

    /// Restores what the address's fragment holds; false if there is no readable link.
    pub(super) fn open_link(&mut self, ctx: &Context<Self>) -> bool {
        let fragment = browser::hash();
        if !crate::wire::permalink::is_link(&fragment) {
            return false;
        }
        match example_link::read(&fragment) {
            Some(Ok(link)) => {
                self.want(ctx, Wanted::Link(Box::new(link)));
                true
            }
            Some(Err(error)) => self.cannot_open(error),
            None => match crate::wire::permalink::decode(&fragment) {
                Ok(link) => {
                    self.derive_from(ctx, None);
                    self.open_lent(link, Lender::Link);
                    true
                }
                Err(error) => self.cannot_open(error),
            },
        }
    }

    fn cannot_open(&mut self, error: PermalinkError) -> bool {
        let own = match store::kept().program.source.trim().is_empty() {
            true => "",
            false => " Your own program is still here.",
        };
        self.notice = Some(format!("This link cannot be opened: {error}.{own}"));
        browser::clear_hash();
        false
    }

    /// Shows the program of a link, and runs it.
    fn open_lent(&mut self, link: Permalink, lender: Lender) {
        self.lender = Some(lender);
        if !self.state.open(link) {
            self.notice = Some("A part of this link cannot be read.".into());
        }
        self.begin_unasked();
    }

    /// Is a link's program on its way?
    pub(super) fn is_opening(&self) -> bool {
        matches!(self.wanted, Some(Wanted::Link(_) | Wanted::Welcome(_)))
    }

    /// Runs the program that a person has put into the page, if there is one.
    pub(super) fn begin(&mut self) {
        match self.state.model.is_blank() {
            true => self.state.load(),
            false => self.state.run(Budgets::default()),
        }
    }

    /// Runs the program that a link or a reload has put into the page, if there is one.
    pub(super) fn begin_unasked(&mut self) {
        match self.state.model.is_blank() {
            true => self.state.load(),
            false => self.state.run_unasked(),
        }
    }

    /// The present program is this example, or an edit of it, or neither.
    pub(super) fn derive_from(&mut self, ctx: &Context<Self>, example: Option<String>) {
        self.wanted = None;
        let Some(file) = example else {
            self.origin = None;
            return;
        };
        let is_known = |origin: &Origin| origin.file == file && origin.opened.is_some();
        if !self.origin.as_ref().is_some_and(is_known) {
            self.origin = Some(Origin { file: file.clone(), opened: None });
            self.want(ctx, Wanted::Origin(file));
        }
    }

    /// The example of the gallery that the program is, or is an edit of, unless its note was
    /// dismissed.
    pub(super) fn looked_at(&self) -> Option<&Example> {
        let file = &self.origin.as_ref().filter(|_| !self.embed)?.file;
        let is_noted = self.unnoted.as_ref() != Some(file);
        self.examples.iter().find(|example| is_noted && example.file == *file)
    }

    /// Does the example of a first visit stand in the editor?
    pub(super) fn is_welcome(&self) -> bool {
        self.lender == Some(Lender::Welcome)
    }

    /// Does the page say how to begin, beside that example?
    pub(super) fn invites(&self) -> bool {
        self.is_welcome() && !self.is_explored
    }

    /// Fetches an example's text, once the list of examples is there.
    pub(super) fn want(&mut self, ctx: &Context<Self>, mut wanted: Wanted) {
        if let Wanted::Welcome(file) = &mut wanted
            && let Some(first) = self.examples.first()
        {
            file.clone_from(&first.file);
        }
        let found = self.examples.iter().find(|example| example.file == wanted.file()).cloned();
        match found {
            Some(example) => {
                let link = ctx.link().clone();
                wasm_bindgen_futures::spawn_local(async move {
                    let text = fetch_example(&example.file).await;
                    link.send_message(Msg::Original(Box::new(example), text));
                });
            }
            None if self.indexed => return self.unknown(ctx, &wanted),
            // It is asked for again with the list.
            None => {}
        }
        self.wanted = Some(wanted);
    }

    /// The gallery has no such example.
    fn unknown(&mut self, ctx: &Context<Self>, wanted: &Wanted) {
        self.wanted = None;
        if let Wanted::Link(link) = wanted {
            let why = format!("the gallery's example {} cannot be fetched", link.example);
            self.notice = Some(format!("This link cannot be opened: {why}."));
            browser::clear_hash();
            self.reopen_kept(ctx);
        }
    }

    /// An example's text has arrived, or not.
    pub(super) fn original(
        &mut self,
        ctx: &Context<Self>,
        example: &Example,
        text: Option<String>,
    ) {
        let Some(wanted) = self.wanted.take_if(|wanted| wanted.file() == example.file) else {
            return;
        };
        let Some(text) = text else { return self.unknown(ctx, &wanted) };
        let opened = example.opened(&text);
        match wanted {
            Wanted::Origin(file) => self.origin = Some(Origin { file, opened: Some(opened) }),
            Wanted::Welcome(file) => {
                self.open_lent(opened.clone(), Lender::Welcome);
                self.state.model.name = Some(file.clone());
                self.origin = Some(Origin { file, opened: Some(opened) });
            }
            Wanted::Link(link) => match link.open(opened.clone()) {
                Ok(link) => {
                    let file = example.file.clone();
                    let lender = match link.source == opened.source {
                        true => Lender::Gallery,
                        false => Lender::Link,
                    };
                    self.open_lent(link, lender);
                    self.state.model.name = Some(file.clone());
                    self.origin = Some(Origin { file, opened: Some(opened) });
                }
                Err(error) => {
                    self.cannot_open(error);
                    self.reopen_kept(ctx);
                }
            },
        }
    }

    /// The gallery's example is shown.
    pub(super) fn opened_from_gallery(&mut self, example: &Example, text: &str) {
        let opened = Some(example.opened(text));
        self.origin = Some(Origin { file: example.file.clone(), opened });
    }

    /// From now on the program is the user's own, also if it was lent; the one that was kept so far
    /// is put aside, unless it is the same, or no more than an example.
    pub(super) fn make_own(&mut self) {
        let Some(lender) = self.lender.take() else { return };
        if lender == Lender::Welcome {
            return;
        }
        let kept: Program = store::kept().program;
        let is_other = kept.example.is_none() && kept.source != self.state.model.source;
        if self.embed || !is_other || !store::set_aside() {
            return;
        }
        self.aside = true;
        // What another tab has written is put aside with it.
        self.place.read();
        let whose = match lender {
            Lender::Link => "This is the link's program",
            Lender::Gallery | Lender::Welcome => "This is an example",
            Lender::History => "This is an older program",
        };
        self.notice = Some(format!(
            "{whose}; what you change in it is kept now. Your own program was put aside."
        ));
    }
}

/// What a file is opened with: the language that its entry names, else that of its name.
pub(super) fn options_of(name: &str, dialect: Option<Dialect>) -> RequestedOptions {
    RequestedOptions { dialect: dialect.or_else(|| of_name(name)), ..RequestedOptions::default() }
}

fn of_name(name: &str) -> Option<Dialect> {
    Dialect::of_extension(&name.rsplit_once('.')?.1.to_lowercase())
}
