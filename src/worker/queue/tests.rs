//! Which task has the next slice, when a slice ends, what is told, and what follows a task.

use super::*;
use crate::wire::protocol::Detail;
use crate::worker::pulse::tests::Told;
use std::cell::Cell;
use std::rc::Rc;

/// What all tasks share: a clock, and the names of the tasks whose steps were done.
#[derive(Default)]
struct Shared {
    clock: Rc<Cell<f64>>,
    log: Vec<&'static str>,
}

/// A task of so many steps, each of which takes so long.
struct Fake {
    class: Class,
    steps: u32,
    millis: f64,
    max_millis: Option<u64>,
    stage_millis: Option<u64>,
    enough_after: u32,
    turn_after: u32,
    ready_after: usize,
    done: u32,
    next: Option<Box<Fake>>,
}

impl Fake {
    fn new(class: Class, steps: u32, millis: f64) -> Fake {
        Fake {
            class,
            steps,
            millis,
            max_millis: None,
            stage_millis: None,
            enough_after: u32::MAX,
            turn_after: u32::MAX,
            ready_after: 0,
            done: 0,
            next: None,
        }
    }
}

impl Task<Shared> for Fake {
    fn class(&self) -> Class {
        self.class
    }

    fn is_ready(&self, shared: &Shared) -> bool {
        shared.log.len() >= self.ready_after
    }

    fn step(&mut self, shared: &mut Shared) -> Step {
        shared.clock.set(shared.clock.get() + self.millis);
        shared.log.push(self.class.name);
        self.done += 1;
        match self.done {
            done if done >= self.steps => Step::Over,
            done if done >= self.enough_after => Step::Enough,
            done if done == self.turn_after => Step::Turn,
            _ => Step::More,
        }
    }

    fn stop(&mut self, _: &mut Shared) {
        self.steps = self.done;
    }

    fn stage_up(&mut self, shared: &mut Shared) {
        shared.log.push("stage");
        self.steps = self.done + 2;
    }

    fn max_millis(&self) -> Option<u64> {
        self.max_millis
    }

    fn stage_millis(&self) -> Option<u64> {
        self.stage_millis
    }

    fn progress(&self, _: &Shared) -> Option<Reply> {
        let progress = Progress { items: self.done.into(), ..Progress::default() };
        Some(Reply::Progress { progress, detail: Detail::None })
    }

    fn finish(self: Box<Self>, _: &mut Shared, _: u64) -> Finish<Shared> {
        let next = self.next.map(|next| next as Box<dyn Task<Shared>>);
        Finish::then(Reply::Compared { row: None }, next)
    }
}

const RUN: Class = Class::new("run", Priority::Run);
const REFINE: Class = Class { beside_run: 1, ..Class::new("refine", Priority::Analysis) };
const THREADS: Class = Class::new("threads", Priority::Analysis);
const LAB: Class = Class::new("lab", Priority::Analysis);
const COMPARISON: Class = Class::new("compare", Priority::Comparison);

struct Bench {
    queue: Queue<Shared>,
    shared: Shared,
    posted: Vec<ReplyMessage>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            queue: Queue::new(Pulse::new(Told::default())),
            shared: Shared::default(),
            posted: Vec::new(),
        }
    }

    fn add(&mut self, id: u32, task: Fake) {
        self.add_as(id, task, false);
    }

    fn add_as(&mut self, id: u32, task: Fake, unasked: bool) {
        let post = &mut |message| self.posted.push(message);
        self.queue.add(id, Box::new(task), unasked, post);
    }

    fn slice(&mut self) -> bool {
        let clock = Rc::clone(&self.shared.clock);
        let post = &mut |message| self.posted.push(message);
        self.queue.slice(&mut self.shared, &|| clock.get(), post)
    }

    fn stop(&mut self, id: u32) {
        let now = self.shared.clock.get();
        let post = &mut |message| self.posted.push(message);
        self.queue.stop(id, &mut self.shared, now, post);
    }

    /// Numbers of the answers so far, each with whether it is the last.
    fn answers(&self) -> Vec<(u32, bool)> {
        let is_answer =
            |message: &&ReplyMessage| !matches!(message.reply, Reply::Progress { .. } | Reply::Cut);
        self.posted.iter().filter(is_answer).map(|message| (message.id, message.last)).collect()
    }
}

#[test]
fn the_most_important_task_goes_first() {
    let mut bench = Bench::new();
    bench.add(1, Fake::new(COMPARISON, 1, 60.0));
    bench.add(2, Fake::new(THREADS, 1, 60.0));
    bench.add(3, Fake::new(RUN, 2, 60.0));
    while bench.slice() {}
    assert_eq!(bench.shared.log, ["run", "run", "threads", "compare"]);
    assert_eq!(bench.answers(), [(3, true), (2, true), (1, true)]);
}

#[test]
fn the_refinement_has_every_second_slice_beside_a_run_and_then_takes_turns() {
    let mut bench = Bench::new();
    bench.add(1, Fake::new(RUN, 3, 60.0));
    bench.add(2, Fake::new(THREADS, 2, 60.0));
    bench.add(3, Fake::new(REFINE, 4, 60.0));
    while bench.slice() {}
    assert_eq!(
        bench.shared.log[..5],
        ["refine", "run", "refine", "run", "refine"],
        "the run and the refinement alternate"
    );
    assert_eq!(bench.shared.log[5..], ["run", "threads", "refine", "threads"]);
}

#[test]
fn a_task_may_have_several_slices_for_each_one_of_the_run() {
    let mut bench = Bench::new();
    bench.add(1, Fake::new(RUN, 2, 60.0));
    let explain = Class { beside_run: 3, ..Class::new("explain", Priority::Analysis) };
    bench.add(2, Fake::new(explain, 5, 60.0));
    while bench.slice() {}
    let order = ["explain", "explain", "explain", "run", "explain", "explain", "run"];
    assert_eq!(bench.shared.log, order);
}

#[test]
fn a_task_that_is_not_ready_waits_and_a_turn_ends_a_slice() {
    let mut bench = Bench::new();
    bench.add(1, Fake { turn_after: 2, ..Fake::new(RUN, 4, 20.0) });
    bench.add(2, Fake { ready_after: 2, ..Fake::new(REFINE, 2, 60.0) });
    while bench.slice() {}
    assert_eq!(bench.shared.log, ["run", "run", "refine", "run", "run", "refine"]);
    bench.add(3, Fake { ready_after: 99, ..Fake::new(REFINE, 1, 60.0) });
    while bench.slice() {}
    assert_eq!(bench.answers().last(), Some(&(3, true)), "nothing else is there to wait for");
}

#[test]
fn a_slice_is_short_and_says_how_far_it_is() {
    let mut bench = Bench::new();
    bench.add(7, Fake::new(THREADS, 100, 4.0));
    assert!(bench.slice());
    assert_eq!(bench.shared.log.len(), 13, "50 ms are over after 52");
    assert!(bench.posted.is_empty(), "too early for a report");
    bench.slice();
    bench.slice();
    let reports: Vec<(u32, u64, bool)> =
        bench.posted.iter().map(|report| (report.id, report.millis, report.last)).collect();
    assert_eq!(reports, [(7, 104, false)], "one report after 100 ms");
}

#[test]
fn a_stage_whose_time_is_up_is_told_once_and_the_task_goes_on() {
    let mut bench = Bench::new();
    bench.add(4, Fake { stage_millis: Some(100), ..Fake::new(THREADS, 100, 40.0) });
    while bench.slice() {}
    let log = ["threads", "threads", "threads", "stage", "threads", "threads"];
    assert_eq!(bench.shared.log, log);
    assert_eq!(bench.answers(), [(4, true)]);
}

#[test]
fn a_stopped_task_answers_and_nothing_follows() {
    let mut bench = Bench::new();
    let next = Some(Box::new(Fake::new(COMPARISON, 1, 1.0)));
    bench.add(5, Fake { next, ..Fake::new(THREADS, 9, 60.0) });
    bench.slice();
    bench.stop(4);
    assert!(bench.answers().is_empty(), "there is no task of this number");
    bench.stop(5);
    assert_eq!(bench.answers(), [(5, true)]);
    assert!(!bench.slice());
}

#[test]
fn what_follows_has_the_same_number_and_a_clock_of_its_own() {
    let mut bench = Bench::new();
    let last = Fake { max_millis: Some(100), ..Fake::new(COMPARISON, 9, 60.0) };
    let first = Fake { max_millis: Some(100), ..Fake::new(THREADS, 9, 60.0) };
    bench.add(5, Fake { next: Some(Box::new(last)), ..first });
    while bench.slice() {}
    assert_eq!(bench.answers(), [(5, false), (5, true)]);
    assert_eq!(bench.shared.log, ["threads", "threads", "compare", "compare"]);
    assert_eq!(bench.posted.last().map(|last| last.millis), Some(240), "of the request");
}

/// Numbers of the requests that were cut.
fn cut(bench: &Bench) -> Vec<u32> {
    let is_cut = |message: &&ReplyMessage| message.reply == Reply::Cut;
    bench.posted.iter().filter(is_cut).map(|message| message.id).collect()
}

#[test]
fn what_no_person_asked_for_is_cut_after_half_a_minute_with_all_that_follows() {
    let mut bench = Bench::new();
    // Ten seconds for each part, of which there are four.
    let parts = || {
        let part =
            |next| Fake { max_millis: Some(10_000), next, ..Fake::new(THREADS, 99, 4_000.0) };
        (0..3).fold(part(None), |next, _| part(Some(Box::new(next))))
    };
    bench.add_as(6, parts(), true);
    while bench.slice() {}
    assert_eq!(bench.answers(), [(6, false), (6, false), (6, true)]);
    assert_eq!((cut(&bench), bench.shared.log.len()), (vec![6], 8), "32 seconds");
    bench.add_as(7, parts(), false);
    while bench.slice() {}
    assert_eq!(bench.answers()[3..], [(7, false), (7, false), (7, false), (7, true)]);
    assert_eq!((cut(&bench), bench.shared.log.len()), (vec![6], 20));
}

#[test]
fn what_no_person_asked_for_is_cut_when_its_memory_is_full() {
    let told = Told::default();
    let mut bench = Bench { queue: Queue::new(Pulse::new(told.clone())), ..Bench::new() };
    let next = Some(Box::new(Fake::new(COMPARISON, 9, 1.0)));
    bench.add_as(1, Fake { next, ..Fake::new(THREADS, 9, 60.0) }, true);
    bench.add_as(2, Fake::new(LAB, 9, 60.0), false);
    bench.slice();
    assert!(bench.answers().is_empty() && cut(&bench).is_empty());
    told.bytes.set(UNASKED_BYTES + 1);
    while bench.slice() {}
    assert_eq!((bench.answers(), cut(&bench)), (vec![(1, true), (2, true)], vec![1]));
    let of = |name| bench.shared.log.iter().filter(|done| **done == name).count();
    assert_eq!((of("threads"), of("lab"), of("compare")), (2, 9, 0));
}

#[test]
fn enough_is_told_at_the_end_of_a_slice() {
    let mut bench = Bench::new();
    bench.add(1, Fake { enough_after: 2, ..Fake::new(RUN, 99, 20.0) });
    bench.slice();
    assert_eq!(bench.shared.log.len(), 3, "the rest of the slice is used");
    assert_eq!(bench.answers(), [(1, true)]);
}

#[test]
fn a_newer_task_of_a_class_replaces_the_older_one_and_every_request_is_answered() {
    let mut bench = Bench::new();
    bench.add(1, Fake::new(THREADS, 1, 1.0));
    bench.add(2, Fake::new(THREADS, 1, 1.0));
    assert_eq!(bench.answers(), [(1, true)]);
    assert_eq!(bench.posted[0].reply, Reply::Dropped);
    let waiting = Class { waits: true, ..COMPARISON };
    bench.add(3, Fake::new(waiting, 1, 1.0));
    bench.add(4, Fake::new(waiting, 1, 1.0));
    while bench.slice() {}
    assert_eq!(bench.answers(), [(1, true), (2, true), (3, true), (4, true)]);
}
