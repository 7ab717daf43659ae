//! Threads as a tab of the page.

use super::state::{Progress, Threads, ThreadsEvent, switches, thread};
use crate::draw::lanes::{context_of, part_of, told_part};
use crate::draw::lanes_svg;
use crate::draw::svg::Theme;
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::util::Stage;
use crate::wire::permalink::{Permalink, ThreadsPlace};
use crate::wire::protocol::{Detail, Reply, ReplyMessage};
use crate::wire::report::TraceEntry;
use crate::wire::threads::ThreadsAsk;
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "All threads run together, and at most so many times one interrupts another: that is the \
         bound.",
        "A failing run is drawn as lanes, one for each thread; time runs down, and each crossing \
         is a switch.",
        "If nothing fails, that holds up to the bound only: raise it with + and look again.",
    ],
    picture: include_str!("../../../../static/help/threads.svg"),
    text: &["The tab Threads runs all threads of the program together, under a bound on context \
        switches: at most so many times, another thread goes on. The bound rises by itself, from no \
        switch upwards, until a run fails, until more switches reach nothing new, or for about two \
        seconds; a failing run has the least number of switches. You can choose a number instead. \
        Such an answer holds up to the bound, and not beyond it. Where more switches bring nothing \
        new, the interpreter tries a proof apart from the search: it collects all configurations of \
        all threads until no step leads to another one. If none of them fails, the program is safe, \
        whatever the number of switches. Where procedures call themselves without end, it keeps of \
        the frames below a call only who called. A failing run is drawn as swim lanes: \
        time runs down, each thread has a lane, and a crossing is a switch, with the globals as the \
        next thread finds them; what has changed is bold. In C another thread can run between a \
        read and a write of one statement: each part is a step, which says what it reads and \
        writes. Below \
        the failing run is the correct run whose schedule differs least, and which statements of \
        which thread some failing run executes; they are lit. The strip above the lanes counts the \
        values of the globals that each number of switches makes reachable. How it was found shows \
        the tree of contexts of Qadeer and Rehof, which enumerates the globals at each switch, or \
        the interfaces of the threads, which enumerate nothing. With the option race, a data race is \
        an error: two threads access one place, one of them writes, not both are atomic, and nothing \
        orders the two; both accesses are the last rows of the lanes. By hand lets you choose, \
        step by step, which thread goes on, and says after which choices something can still fail."],
    keys: &[("+ −", "in Threads: one context switch more, or less")],
};

impl Threads {
    /// The editor shows the step's line.
    fn show(&self, model: &mut Model) {
        let line = self.current_line(model);
        if line > 0 {
            model.select_line(line);
            model.reveal();
        }
    }

    fn analyse_other(&mut self, ask: ThreadsAsk, model: &mut Model) {
        if ask != self.ask {
            self.ask = ask;
            self.analyse_anew(model);
        }
    }
}

impl Tab for Threads {
    fn name(&self) -> &'static str {
        "Threads"
    }

    fn word(&self) -> &'static str {
        "threads"
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {
        let ask = ThreadsAsk { bound: None, schedule: None, ..self.ask.clone() };
        *self = Threads { ask, ..Threads::default() };
    }

    fn invalidate(&mut self) {
        self.work.invalidate();
        (self.kept, self.other) = (None, None);
        self.forget_answer();
    }

    /// A schedule that was chosen by hand begins anew.
    fn edited(&mut self) {
        self.ask.schedule.iter_mut().for_each(String::clear);
    }

    fn lose_worker(&mut self) {
        self.give_up();
        self.forget_worker();
    }

    fn ask(&mut self, model: &mut Model) {
        self.analyse(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Progress { detail: Detail::NoErrorUpTo(bound), progress: at } => {
                if let Some(progress) = self.work.progress(id) {
                    let found = at.stage == Stage::Joining;
                    *progress = Progress { no_error_up_to: bound, found, millis };
                }
            }
            Reply::Cut if self.work.cut(id) => {}
            Reply::OtherMethod { found } => self.told_other(id, *found),
            Reply::Threaded { report, json, problem } => {
                let report =
                    report.map(|report| *report).ok_or_else(|| problem.unwrap_or_default());
                if self.told(id, report, millis) {
                    self.json = json;
                    model.playing = false;
                    if model.shown == self.word() {
                        self.show(model);
                    }
                }
            }
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }

    fn stop(&mut self, model: &mut Model) {
        model.stop(&mut self.work);
    }

    fn work(&mut self, ask: Ask, model: &mut Model) {
        ask.readies(&mut self.work);
        self.analyse_anew(model);
    }

    fn said(&self, model: &Model) -> Said {
        self.verdict(model)
    }

    fn knows(&self, model: &Model) -> Option<String> {
        self.known(model)
    }

    fn suits(&self, model: &Model) -> bool {
        model.has_threads
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<ThreadsEvent>() else { return };
        match *event {
            ThreadsEvent::Other(ask) => self.analyse_other(ask, model),
            ThreadsEvent::Show(shown) => self.show_picture(shown, model),
            ThreadsEvent::Level(level) => self.pick_level(level),
            ThreadsEvent::Node(node) => self.pick_node(node),
            ThreadsEvent::Fold(context) => self.fold(context),
        }
    }

    /// + and − change the bound.
    fn key(&mut self, key: &str, model: &mut Model) -> bool {
        let own = matches!(key, "+" | "-");
        let ask = self.another_bound(key == "+", model.effective.as_ref()).filter(|_| own);
        if let Some(ask) = ask {
            self.analyse_other(ask, model);
        }
        own
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        let report = self.report()?;
        let trace = report.trace.as_deref()?;
        let (step, entry) = (self.step, trace.get(self.step)?);
        let how = match report.shortest {
            Some(true) => "a shortest one with so few",
            Some(false) => "with as few as can be",
            None => "chosen by hand",
        };
        let switches = switches(report.switches.unwrap_or(0));
        Some(Timeline {
            step,
            count: trace.len(),
            name: "Interleaved run".into(),
            list: "Steps of the interleaved run".into(),
            class: "threads-timeline",
            position: (
                format!("Step {} of {}", step + 1, trace.len()),
                format!("{}, line {}", thread(report, entry.thread), entry.line),
            ),
            note: format!("{switches}, {how}; replayed statement by statement"),
            noun: "step",
            ..Timeline::default()
        })
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        let report = self.report()?;
        let trace = report.trace.as_deref()?;
        let entry = trace.get(step)?;
        let last = step + 1 == trace.len() && report.error.is_some();
        let races = report.race.as_ref().is_some_and(|race| race.step as usize == step);
        let fails = races || report.blocked.is_empty() && last;
        let begins = step > 0 && context_of(report, step) != context_of(report, step - 1);
        let thread = thread(report, entry.thread);
        let drawn = Entry::of(entry, step, fails);
        let part = part_of(report, step).map(told_part);
        let does = part.as_ref().map(|part| format!(", {part}")).unwrap_or_default();
        Some(Entry {
            title: format!("{thread}, {}{does}", drawn.title),
            counts: part.map(|part| ("step-part", part)).into_iter().collect(),
            place: Some(thread),
            depth: None,
            begins: begins.then_some("first-of-context"),
            ..drawn
        })
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.show_step(step);
        self.pick_level(None);
        self.show(model);
    }

    fn trace<'a>(&'a self, _: &'a Model) -> Option<(&'a [TraceEntry], usize)> {
        Some((self.report()?.trace.as_deref()?, self.step))
    }

    fn current_line(&self, _: &Model) -> u32 {
        let found = self.found.as_ref().filter(|_| self.work.is_fresh());
        found.and_then(|found| found.entry(self.step)).map_or(0, |entry| entry.line)
    }

    fn paint<'a>(&'a self, _: &'a Model) -> &'a Shared<Paint> {
        &self.paint
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        let place = link.place::<ThreadsPlace>(self.word());
        place.map(|place| place.into_iter().for_each(|place| self.open_at(place))).is_ok()
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Svg | Export::Png => !self.lanes.rows.is_empty(),
            Export::Report => self.work.is_fresh() && self.report().is_some(),
            Export::Harness | Export::Input => false,
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        if what == Export::Dot {
            return Some(model.export_graph());
        }
        let report = self.report()?;
        match what {
            Export::Report => Some(File::Json(self.json.clone())),
            _ => {
                let trace = report.trace.as_deref()?;
                let (svg, width, height) =
                    lanes_svg::standalone(&self.lanes, trace, self.step, theme);
                Some(File::Picture(svg, width, height))
            }
        }
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
