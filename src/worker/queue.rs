//! The one queue of everything that takes longer than a slice: which task is worked on next, for
//! how long, when it is stopped, and when it says how far it is.
//!
//! The queue knows no analysis. It works on the most important task; tasks that matter alike have a
//! slice each in turn. `S` is what all tasks share: the worker's [`super::state::State`].

use super::pulse::{Pulse, Underway};
use crate::util::{Limit, Progress};
use crate::wire::protocol::{Reply, ReplyMessage, UNASKED_BYTES, UNASKED_MILLIS};
use std::rc::Rc;

/// Longest stretch of work, in milliseconds, before the worker looks at its messages.
const SLICE: f64 = 50.0;
/// Milliseconds between two reports of progress.
const PROGRESS: f64 = 100.0;
/// Milliseconds between two reports of progress where there is news.
const NEWS: f64 = 25.0;
/// So much news is told at once: the next step may take long, and it may be the last.
const FIRST_NEWS: usize = 9;

/// What is worked on first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Priority {
    /// The check and the projection.
    Run,
    /// A search for a failing run, after the check.
    Search,
    /// A question about what is shown.
    Question,
    /// An analysis of its own.
    Analysis,
    /// What another answer is compared with.
    Comparison,
}

/// What the queue needs to know of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// A new task of this name takes the place of the old one, unless `waits`.
    pub(super) name: &'static str,
    /// How soon.
    pub(super) priority: Priority,
    /// How many slices it has for each one of a run, or of a search after it: a program whose
    /// values are too many for the run may still have few predicates. 0: it comes when they are
    /// over.
    pub(super) beside_run: u32,
    /// Does it wait for an old one of its name?
    pub(super) waits: bool,
}

impl Class {
    /// A class of tasks that take the place of older ones.
    pub(super) const fn new(name: &'static str, priority: Priority) -> Class {
        Class { name, priority, beside_run: 0, waits: false }
    }
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// There is more to do.
    More,
    /// There is more to do, and the slice is over: another task may have waited for this.
    Turn,
    /// The answer is known; the rest of the slice may still make it better.
    Enough,
    /// The task is over.
    Over,
}

/// A piece of work that goes in steps. It must be small between two calls of `step`.
pub(super) trait Task<S> {
    /// What the queue needs to know of it.
    fn class(&self) -> Class;

    /// Can it begin? Until then it has no slices, unless all tasks wait.
    fn is_ready(&self, _state: &S) -> bool {
        true
    }

    /// One bounded piece of work.
    fn step(&mut self, state: &mut S) -> Step;

    /// Ends the work: it was stopped. What was found stays.
    fn stop(&mut self, state: &mut S);

    /// Ends the work: its time is up.
    fn time_up(&mut self, state: &mut S) {
        self.stop(state);
    }

    /// Ends the part of the work that has a time of its own: that is up. The task goes on.
    fn stage_up(&mut self, _state: &mut S) {}

    /// Ends the work: the engine takes up more than [`UNASKED_BYTES`].
    fn memory_full(&mut self, state: &mut S) {
        self.stop(state);
    }

    /// Milliseconds that it may take.
    fn max_millis(&self) -> Option<u64> {
        None
    }

    /// Milliseconds after which [`Self::stage_up`] is called, once.
    fn stage_millis(&self) -> Option<u64> {
        None
    }

    /// How far it is, in short, for reports from inside a step; `None` if the page does not ask.
    fn underway(&self, _state: &S) -> Option<Progress> {
        None
    }

    /// How far it is; `None` if the page does not ask for that.
    fn progress(&self, _state: &S) -> Option<Reply> {
        None
    }

    /// How much it has to tell besides the usual reports of progress.
    fn news(&self) -> usize {
        0
    }

    /// The answer, after so many milliseconds, and what goes on under the same number.
    fn finish(self: Box<Self>, state: &mut S, millis: u64) -> Finish<S>;
}

/// What becomes of a task at its end.
pub(super) struct Finish<S> {
    replies: Vec<Reply>,
    next: Option<Box<dyn Task<S>>>,
}

impl<S> Finish<S> {
    /// Says this and is over.
    pub(super) fn with(replies: impl IntoIterator<Item = Reply>) -> Finish<S> {
        Finish { replies: replies.into_iter().collect(), next: None }
    }

    /// Says this, if it is something; then comes the next task, if there is one.
    pub(super) fn then(
        reply: impl Into<Option<Reply>>,
        next: Option<Box<dyn Task<S>>>,
    ) -> Finish<S> {
        Finish { replies: reply.into().into_iter().collect(), next }
    }
}

/// Where messages for the page go.
pub(super) type Post<'a> = &'a mut dyn FnMut(ReplyMessage);

/// Posts the answers to a request; the last of them says that it is the last. Where there is none
/// the request is dropped.
pub(super) fn post_all(id: u32, replies: Vec<Reply>, is_last: bool, millis: u64, post: Post<'_>) {
    let mut replies = replies.into_iter().peekable();
    if is_last && replies.peek().is_none() {
        post(ReplyMessage { id, last: true, millis, reply: Reply::Dropped });
    }
    while let Some(reply) = replies.next() {
        post(ReplyMessage { id, last: is_last && replies.peek().is_none(), millis, reply });
    }
}

struct Entry<S> {
    /// The number of the request.
    id: u32,
    task: Box<dyn Task<S>>,
    /// Did no person ask for it?
    unasked: bool,
    /// When its first slice began, and that of the first task under this number.
    began: Option<f64>,
    asked: Option<f64>,
    /// When progress was reported, and how much news was told.
    reported: f64,
    told: usize,
    /// Was it told that the time of its stage is up?
    is_stage_up: bool,
    /// The number of its latest slice, over all tasks.
    turn: u64,
}

/// The tasks that are not over.
pub(super) struct Queue<S> {
    entries: Vec<Entry<S>>,
    turns: u64,
    /// How many of the latest slices went to a task beside the run.
    beside_run: u32,
    pulse: Rc<Pulse>,
}

impl<S> Queue<S> {
    pub(super) fn new(pulse: Rc<Pulse>) -> Queue<S> {
        Queue { entries: Vec::new(), turns: 0, beside_run: 0, pulse }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A new task takes the place of the old one of its class. `unasked`: no person asked for it.
    pub(super) fn add(&mut self, id: u32, task: Box<dyn Task<S>>, unasked: bool, post: Post<'_>) {
        let class = task.class();
        if !class.waits {
            self.drop_where(|entry| entry.task.class().name == class.name, post);
        }
        self.entries.push(Entry::new(id, task, unasked, None, self.turns));
    }

    /// Drops all tasks.
    pub(super) fn clear(&mut self, post: Post<'_>) {
        self.drop_where(|_| true, post);
    }

    fn drop_where(&mut self, is_dropped: impl Fn(&Entry<S>) -> bool, post: Post<'_>) {
        for entry in self.entries.extract_if(.., |entry| is_dropped(entry)) {
            post_all(entry.id, Vec::new(), true, 0, post);
        }
    }

    /// Ends the task of this number, which answers with what it found.
    pub(super) fn stop(&mut self, id: u32, state: &mut S, now: f64, post: Post<'_>) {
        if let Some(at) = self.entries.iter().position(|entry| entry.id == id) {
            self.entries[at].task.stop(state);
            self.finish(at, true, state, now, post);
        }
    }

    /// Works on one task for at most [`SLICE`]; is there more to do?
    pub(super) fn slice(
        &mut self,
        state: &mut S,
        clock: &impl Fn() -> f64,
        post: Post<'_>,
    ) -> bool {
        let Some(at) = self.pick(state) else { return false };
        let start = clock();
        self.turns += 1;
        let entry = &mut self.entries[at];
        entry.turn = self.turns;
        entry.asked.get_or_insert(start);
        if entry.began.is_none() {
            (entry.began, entry.reported) = (Some(start), start);
        }
        loop {
            self.pulse.begin(entry.underway(state));
            let step = entry.task.step(state);
            entry.reported = self.pulse.end().unwrap_or(entry.reported);
            let now = clock();
            let is_late = step == Step::Turn || now - start >= SLICE;
            let cut = entry.cut(now, &self.pulse);
            if cut.is_some() {
                post(ReplyMessage { id: entry.id, last: false, millis: 0, reply: Reply::Cut });
            }
            if step == Step::Over || step == Step::Enough && is_late {
                self.finish(at, false, state, now, post);
                break;
            }
            if entry.is_overdue(now) {
                entry.task.time_up(state);
                self.finish(at, false, state, now, post);
                break;
            }
            if let Some(limit) = cut {
                match limit {
                    Limit::Nodes => entry.task.memory_full(state),
                    _ => entry.task.stop(state),
                }
                self.finish(at, true, state, now, post);
                break;
            }
            if entry.is_stage_overdue(now) {
                entry.is_stage_up = true;
                entry.task.stage_up(state);
            }
            entry.report(is_late, state, now, post);
            if is_late {
                break;
            }
        }
        !self.is_empty()
    }

    /// The entry whose turn it is.
    fn pick(&mut self, state: &S) -> Option<usize> {
        let is_ready = |entry: &Entry<S>| entry.task.is_ready(state);
        let all_wait = !self.entries.iter().any(is_ready);
        let first = |of: &dyn Fn(&Class) -> bool| {
            let entries = self.entries.iter().enumerate();
            entries
                .filter(|(_, entry)| all_wait || is_ready(entry))
                .map(|(at, entry)| (entry.task.class(), entry.turn, at))
                .filter(|(class, ..)| of(class))
                .min_by_key(|(class, turn, at)| (class.priority, *turn, *at))
        };
        let (class, _, mut at) = first(&|_| true)?;
        let is_run = class.priority <= Priority::Search;
        let beside = first(&|class| class.beside_run > 0).filter(|_| is_run);
        match beside {
            Some((class, _, other)) if self.beside_run < class.beside_run => {
                self.beside_run += 1;
                at = other;
            }
            _ => self.beside_run = 0,
        }
        Some(at)
    }

    /// Takes the answer of a task whose work has ended. After a Stop nothing goes on.
    fn finish(&mut self, at: usize, is_stopped: bool, state: &mut S, now: f64, post: Post<'_>) {
        let Entry { id, task, unasked, began, asked, .. } = self.entries.remove(at);
        let since = |begin: Option<f64>| begin.map_or(0, |begin| (now - begin) as u64);
        let Finish { replies, next } = task.finish(state, since(began));
        let next = next.filter(|_| !is_stopped);
        post_all(id, replies, next.is_none(), since(asked), post);
        if let Some(task) = next {
            self.entries.push(Entry::new(id, task, unasked, asked, self.turns));
        }
    }
}

impl<S> Entry<S> {
    fn new(
        id: u32,
        task: Box<dyn Task<S>>,
        unasked: bool,
        asked: Option<f64>,
        turn: u64,
    ) -> Entry<S> {
        let (began, reported, told, is_stage_up) = (None, 0.0, 0, false);
        Entry { id, task, unasked, began, asked, reported, told, is_stage_up, turn }
    }

    /// What there is to say from inside its next step.
    fn underway(&self, state: &S) -> Underway {
        let ends = [self.task_end(), self.unasked_end()];
        Underway {
            id: self.id,
            progress: self.task.underway(state),
            asked: self.asked.unwrap_or_default(),
            reported: self.reported,
            end: ends.into_iter().flatten().reduce(f64::min),
            max_bytes: self.unasked.then_some(UNASKED_BYTES),
        }
    }

    /// When the task's own time is up.
    fn task_end(&self) -> Option<f64> {
        let (began, most) = self.began.zip(self.task.max_millis())?;
        Some(began + most as f64)
    }

    /// When the time is up that a request has for which no person asked.
    fn unasked_end(&self) -> Option<f64> {
        self.asked.filter(|_| self.unasked).map(|asked| asked + UNASKED_MILLIS as f64)
    }

    /// The limit that ends the work because no person asked for more, if one does.
    fn cut(&self, now: f64, pulse: &Pulse) -> Option<Limit> {
        if self.is_overdue(now) {
            None
        } else if self.unasked_end().is_some_and(|end| now > end) {
            Some(Limit::Time)
        } else {
            pulse.is_above(self.unasked.then_some(UNASKED_BYTES)).then_some(Limit::Nodes)
        }
    }

    fn is_stage_overdue(&self, now: f64) -> bool {
        match (self.task.stage_millis(), self.began) {
            (Some(most), Some(began)) => !self.is_stage_up && now - began > most as f64,
            _ => false,
        }
    }

    fn is_overdue(&self, now: f64) -> bool {
        self.task_end().is_some_and(|end| now > end)
    }

    /// Says how far the task is: at the end of a slice every [`PROGRESS`], at once if there is
    /// news.
    fn report(&mut self, at_end: bool, state: &S, now: f64, post: Post<'_>) {
        let since = now - self.reported;
        let news = self.task.news();
        let is_news = news > self.told && (news <= FIRST_NEWS || since > NEWS);
        if !(is_news || at_end && since > PROGRESS) {
            return;
        }
        if let Some(reply) = self.task.progress(state) {
            (self.reported, self.told) = (now, news);
            let millis = self.asked.map_or(0, |asked| (now - asked) as u64);
            post(ReplyMessage { id: self.id, last: false, millis, reply });
        }
    }
}

#[cfg(test)]
mod tests;
