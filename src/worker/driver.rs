//! Requests in, replies out. A request is answered at once, or it becomes a task of the queue; the
//! one list of what does which is [`tasks::answer`].

use super::pulse::Pulse;
use super::queue::{Post, Queue, post_all};
use super::state::{Answer, State};
use super::tasks;
use crate::draw::layout::layout;
use crate::lang::diagnostic::are_limits;
use crate::report;
use crate::report::diagnostics::diagnostics;
use crate::session::Session;
use crate::wire::diagnostic::Severity;
use crate::wire::options::RequestedOptions;
use crate::wire::protocol::{Reply, ReplyMessage, Request, RequestMessage};
use std::rc::Rc;

/// The worker's state and its work.
pub(super) struct Driver {
    /// `None` until a program was sent.
    state: Option<State>,
    queue: Queue<State>,
    pulse: Rc<Pulse>,
    /// Is a slice due?
    is_due: bool,
}

impl Driver {
    pub(super) fn new(pulse: Rc<Pulse>) -> Driver {
        Driver { state: None, queue: Queue::new(Rc::clone(&pulse)), pulse, is_due: false }
    }

    /// Takes a request; true if slices are to be worked off from now on (none is due yet).
    pub(super) fn handle(&mut self, message: RequestMessage, now: f64, post: Post<'_>) -> bool {
        let RequestMessage { id, request, unasked } = message;
        match (request, &mut self.state) {
            (Request::Stop, Some(state)) => self.queue.stop(id, state, now, post),
            (Request::Load { source, options }, _) => {
                self.load(id, source, options, true, post);
            }
            (Request::Run { source, options, budgets, method }, _) => {
                if let Some(state) = self.load(id, source, options, false, post) {
                    let task =
                        match state.session.program().is_some() || state.session.raw().is_some() {
                            true => tasks::run::begin(state, budgets, method),
                            false => tasks::bounded::alone(budgets),
                        };
                    self.queue.add(id, task, unasked, post);
                }
            }
            (Request::Layout { mut graph }, _) => {
                layout(&mut graph);
                post_all(id, vec![Reply::LaidOut { graph }], true, 0, post);
            }
            (request, Some(state)) => match tasks::answer(request, state) {
                Answer::Now(replies) => post_all(id, replies, true, 0, post),
                Answer::Later(task) => self.queue.add(id, task, unasked, post),
            },
            (_, None) => post_all(id, Vec::new(), true, 0, post),
        }
        let is_new = !self.is_due && !self.queue.is_empty();
        self.is_due |= is_new;
        is_new
    }

    /// Works for one slice; true if there is more to do.
    pub(super) fn slice(&mut self, clock: impl Fn() -> f64, post: Post<'_>) -> bool {
        let state = self.state.as_mut();
        self.is_due = state.is_some_and(|state| self.queue.slice(state, &clock, post));
        match self.is_due {
            true => self.pulse.beat(),
            // The page looks at the memory that is left over.
            false => self.pulse.tell(),
        }
        self.is_due
    }

    /// Reads a program, which ends all work on the one before. `None` if it cannot be run. The
    /// answer is the last one where nothing is to be run. Where only the bounded engine reads it,
    /// what the others refuse is a warning.
    fn load(
        &mut self,
        id: u32,
        source: String,
        requested: RequestedOptions,
        is_last: bool,
        post: Post<'_>,
    ) -> Option<&mut State> {
        self.queue.clear(post);
        // From now on the page knows that the worker has the program, however long reading takes.
        self.pulse.tell();
        let (session, mut found) = Session::load(&source, &requested);
        let is_refused = found.iter().any(|found| found.severity == Severity::Error);
        let is_bounded =
            are_limits(&found) && report::is_bounded(&source, &requested, session.options());
        if is_bounded {
            found.iter_mut().for_each(|found| found.severity = Severity::Warning);
        }
        let is_broken = is_refused && !is_bounded;
        let reply = Reply::Loaded {
            diagnostics: diagnostics(&source, &found),
            options: session.options().clone(),
            graph: report::graph(&session),
            statements: report::statements(&session),
            has_threads: session.program().is_some_and(|p| p.concurrency.has_threads()),
            is_bounded,
        };
        post(ReplyMessage { id, last: is_last || is_broken, millis: 0, reply });
        let state = self.state.insert(State::new(session, source, requested, self.pulse.alarm()));
        (!is_broken).then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::{Budgets, Limit};
    use crate::wire::explain::Explanation;
    use crate::wire::protocol::Detail;
    use crate::wire::report::Verdict;
    use crate::wire::testing::{
        EquivalentRequest, TestText, TestVerdict, TestsAnswer, TestsRequest,
    };
    use crate::worker::pulse::tests::Told;
    use std::cell::Cell;

    /// A worker without a browser. Its clock goes on by a millisecond whenever it is looked at.
    struct Worker {
        driver: Driver,
        clock: Cell<f64>,
        asked: u32,
        posted: Vec<ReplyMessage>,
    }

    impl Worker {
        fn with(source: &str) -> Worker {
            let (driver, clock) = (Driver::new(Pulse::new(Told::default())), Cell::new(0.0));
            let mut worker = Worker { driver, clock, asked: 0, posted: Vec::new() };
            let (budgets, options) = (Budgets::default(), RequestedOptions::default());
            let (source, method) = (source.to_string(), Default::default());
            worker.ask(Request::Run { source, options, budgets, method });
            worker
        }

        /// Sends a request; gives its number.
        fn send(&mut self, request: Request) -> u32 {
            self.asked += 1;
            self.say(self.asked, request);
            self.asked
        }

        fn say(&mut self, id: u32, request: Request) {
            let message = RequestMessage { id, request, unasked: false };
            self.driver.handle(message, self.clock.get(), &mut |reply| self.posted.push(reply));
        }

        fn slice(&mut self) -> bool {
            let clock = || {
                self.clock.set(self.clock.get() + 1.0);
                self.clock.get()
            };
            self.driver.slice(clock, &mut |reply| self.posted.push(reply))
        }

        /// The answers to a request, in the order in which they come.
        fn ask(&mut self, request: Request) -> Vec<Reply> {
            let id = self.send(request);
            while self.slice() {}
            self.answers(id)
        }

        /// What was said of a request. Exactly its last message is the last one.
        fn answers(&self, id: u32) -> Vec<Reply> {
            let messages: Vec<&ReplyMessage> =
                self.posted.iter().filter(|message| message.id == id).collect();
            let last: Vec<bool> = messages.iter().map(|message| message.last).collect();
            assert_eq!(last.iter().position(|last| *last), Some(last.len() - 1), "{messages:?}");
            let is_answer = |reply: &&Reply| !matches!(reply, Reply::Progress { .. });
            messages.iter().map(|message| &message.reply).filter(is_answer).cloned().collect()
        }
    }

    const FAILS: &str = "int x;\nvoid main() {\n  int y = x;\n  if (y > 2) {\n    x = 0;\n  }\n  \
                         assert(y < 3);\n}\n";

    #[test]
    fn a_run_is_answered_and_then_questions_are() {
        let mut worker = Worker::with(FAILS);
        let run = worker.answers(1);
        assert!(matches!(run[..2], [Reply::Loaded { .. }, Reply::Done { .. }]), "{run:?}");
        let [Reply::Inspected { inspection: Some(_) }] =
            &worker.ask(Request::Inspect { statement: 0 })[..]
        else {
            panic!("no inspection: {:?}", worker.posted.last());
        };
        let condition = "x > 0".to_string();
        let answers = worker.ask(Request::Query { statement: 0, condition });
        assert!(matches!(answers[..], [Reply::Queried { .. }]), "{answers:?}");
        let answers = worker.ask(Request::Through { sets: vec![vec![0]] });
        assert!(matches!(answers[..], [Reply::Through { through: Some(_) }]), "{answers:?}");
        assert_eq!(worker.ask(Request::Invariants), [Reply::Invariants { invariants: None }]);
        let answers = worker.ask(Request::Naive);
        assert!(matches!(answers[..], [Reply::Naive { cross: Some(_) }]), "{answers:?}");
        let answers = worker.ask(Request::Affine { modulo: Some(65) });
        assert!(matches!(answers[..], [Reply::Affine { report: None }]), "{answers:?}");
        let answers = worker.ask(Request::Affine { modulo: None });
        assert!(matches!(answers[..], [Reply::Affine { report: Some(_) }]), "{answers:?}");
    }

    #[test]
    fn analyses_answer_and_leave_what_later_questions_need() {
        let mut worker = Worker::with(FAILS);
        let budgets = Budgets::default();
        let (ask, options) = (Default::default(), Default::default());
        assert_eq!(worker.ask(Request::Abstracted), [Reply::Dropped], "there was no refinement");
        let answers = worker.ask(Request::Refine { ask, budgets });
        assert!(matches!(answers[..], [Reply::Refined { .. }]), "{answers:?}");
        let answers = worker.ask(Request::Round { round: 1 });
        assert!(matches!(answers[..], [Reply::Round { round: Some(_) }]), "{answers:?}");
        let answers = worker.ask(Request::Abstracted);
        assert!(matches!(answers[..], [Reply::Abstracted { .. }]), "{answers:?}");
        let answers = worker.ask(Request::Compare { ask: Default::default(), budgets });
        assert_eq!(answers.len(), 6, "one for each heuristic");
        let answers = worker.ask(Request::Lab { options });
        assert!(matches!(answers[..], [Reply::Lab { .. }]), "{answers:?}");
        let witness = Request::LabWitness { automaton: 0, transition: 0, step: None };
        let answers = worker.ask(witness);
        assert!(matches!(answers[..], [Reply::LabWitness { .. }]), "{answers:?}");
        let answers = worker.ask(Request::Threads { ask: Default::default(), budgets });
        assert!(
            matches!(
                answers[..],
                [Reply::Threaded { .. }, Reply::OtherMethod { .. }, Reply::OtherMethod { .. }]
            ),
            "{answers:?}"
        );
        let answers = worker.ask(Request::Explain { ask: Default::default(), budgets });
        assert!(answers.len() > 1, "one for each stage");
        assert!(answers.iter().all(|answer| matches!(answer, Reply::Explained { .. })));
    }

    #[test]
    fn an_explanation_says_that_a_run_fails_before_the_projection_is_known() {
        let mut worker = Worker::with(FAILS);
        let (budgets, options) = (Budgets::default(), RequestedOptions::default());
        let (source, method) = (FAILS.to_string(), Default::default());
        let run = worker.send(Request::Run { source, options, budgets, method });
        let explained = worker.send(Request::Explain { ask: Default::default(), budgets });
        while worker.slice() {}
        let first = |is: &dyn Fn(&ReplyMessage) -> bool| worker.posted.iter().position(is);
        let told = first(&|message| {
            matches!(&message.reply, Reply::Explained { explanation, .. }
                if message.id == explained && explanation.verdict == Verdict::Unsafe)
        });
        let done =
            first(&|message| message.id == run && matches!(message.reply, Reply::Done { .. }));
        assert!(told.is_some() && told < done, "{told:?}, {done:?}");
        let answers = worker.answers(explained);
        let Some(Reply::Explained { explanation, json }) = answers.last() else {
            panic!("{answers:?}")
        };
        assert!(!explanation.causes.is_empty() && explanation.repairs.is_some());
        assert_eq!(serde_json::from_str::<Explanation>(json).expect("JSON"), **explanation);
    }

    #[test]
    fn tests_are_run_also_of_a_program_that_cannot_be_checked() {
        let mut worker = Worker::with("int main(void) { return printf; }");
        let source = "#include <stdio.h>\nint main(void) { puts(\"a\"); }\n".to_string();
        let one = TestText { expected: "a\n".into(), ..TestText::default() };
        let ask = TestsRequest { source: source.clone(), tests: vec![one], ..Default::default() };
        let answers = worker.ask(Request::Tests { ask: Box::new(ask) });
        let [Reply::Tested { answer }] = &answers[..] else { panic!("{answers:?}") };
        let TestsAnswer::Report(found) = &**answer else { panic!("{answer:?}") };
        assert_eq!(found.verdict, TestVerdict::Passes);
        let reference = source.clone();
        let ask = EquivalentRequest { source, reference, ..Default::default() };
        let answers = worker.ask(Request::Equivalent { ask: Box::new(ask) });
        assert!(matches!(answers[..], [Reply::Equated { .. }]), "{answers:?}");
    }

    #[test]
    fn a_stop_ends_any_analysis_with_what_was_found() {
        let mut worker = Worker::with(FAILS);
        let budgets = Budgets::default();
        for request in [
            Request::Refine { ask: Default::default(), budgets },
            Request::Compare { ask: Default::default(), budgets },
            Request::Lab { options: Default::default() },
            Request::Threads { ask: Default::default(), budgets },
            Request::Explain { ask: Default::default(), budgets },
        ] {
            let id = worker.send(request);
            worker.say(id, Request::Stop);
            assert_eq!(worker.answers(id).len(), 1);
            assert!(!worker.slice(), "nothing goes on");
        }
    }

    /// What is said of a run whose only long step has the product of two wide integers.
    fn product(told: &Told, budgets: Budgets, unasked: bool) -> Vec<Reply> {
        let source = "//! bits = 32\nunsigned int x, y;\nvoid main() {\n  unsigned int z = x * y;\n  \
                      assert(z * z != 1234567);\n}\n";
        let mut driver = Driver::new(Pulse::new(told.clone()));
        let (source, options) = (source.to_string(), RequestedOptions::default());
        let request = Request::Run { source, options, budgets, method: Default::default() };
        let post = |reply| told.posted.borrow_mut().push(reply);
        let message = RequestMessage { id: 1, request, unasked };
        driver.handle(message, told.clock.get(), &mut { post });
        while driver.slice(|| told.clock.get(), &mut { post }) {}
        told.posted.take().into_iter().map(|message| message.reply).collect()
    }

    fn limit(replies: &[Reply]) -> Option<Limit> {
        let limit = replies.iter().find_map(|reply| match reply {
            Reply::Done { report, .. } => Some(report.limit),
            _ => None,
        });
        limit.expect("the run has ended")
    }

    #[test]
    fn a_long_step_says_how_far_it_is_and_ends_in_time() {
        let told = Told { tick: 1.0, ..Told::default() };
        let budgets = Budgets { max_millis: Some(600), ..Budgets::default() };
        let replies = product(&told, budgets, false);
        let inside = replies.iter().filter_map(|reply| match reply {
            Reply::Progress { progress, detail: Detail::Inside } => Some(progress.nodes),
            _ => None,
        });
        let inside: Vec<u64> = inside.collect();
        assert!(inside.len() > 1 && inside.is_sorted() && inside[0] > 0, "{inside:?}");
        assert_eq!(limit(&replies), Some(Limit::Time));
        assert!(told.clock.get() < 1000.0, "{}", told.clock.get());
        assert!(replies.iter().any(|reply| matches!(reply, Reply::Alive { .. })));
    }

    #[test]
    fn a_long_step_ends_when_the_memory_is_used_up() {
        let told = Told::default();
        told.bytes.set(1_000_000_001);
        let replies = product(&told, Budgets::default(), true);
        assert_eq!((limit(&replies), replies.contains(&Reply::Cut)), (Some(Limit::Nodes), true));
    }

    #[test]
    fn a_long_step_that_no_person_asked_for_ends_after_half_a_minute() {
        let told = Told { tick: 100.0, ..Told::default() };
        let replies = product(&told, Budgets::default(), true);
        assert_eq!((limit(&replies), replies.contains(&Reply::Cut)), (Some(Limit::Time), true));
        assert!((30_000.0..33_000.0).contains(&told.clock.get()), "{}", told.clock.get());
    }

    #[test]
    fn every_analysis_that_no_person_asked_for_is_cut() {
        let analyses = || {
            let budgets = Budgets::default();
            [
                Request::Refine { ask: Default::default(), budgets },
                Request::Side { side: 0, ask: Default::default(), budgets },
                Request::Compare { ask: Default::default(), budgets },
                Request::Lab { options: Default::default() },
                Request::Threads { ask: Default::default(), budgets },
                Request::Explain { ask: Default::default(), budgets },
            ]
        };
        for unasked in [false, true] {
            for request in analyses() {
                let mut worker = Worker::with(FAILS);
                let told = Told::default();
                told.bytes.set(1_000_000_001);
                let source = FAILS.to_string();
                worker.driver = Driver::new(Pulse::new(told));
                worker.posted.clear();
                worker.ask(Request::Load { source, options: RequestedOptions::default() });
                let message = RequestMessage { id: 9, request: request.clone(), unasked };
                let post = &mut |reply| worker.posted.push(reply);
                worker.driver.handle(message, 0.0, post);
                while worker.slice() {}
                let is_cut = worker.answers(9).contains(&Reply::Cut);
                assert_eq!(is_cut, unasked, "{request:?}");
            }
        }
    }

    #[test]
    fn the_next_program_drops_all_work() {
        let mut worker = Worker::with(FAILS);
        let budgets = Budgets::default();
        let id = worker.send(Request::Threads { ask: Default::default(), budgets });
        let (source, options) = ("void main() { x = ; }".to_string(), RequestedOptions::default());
        let loaded = worker.ask(Request::Load { source, options });
        assert!(
            matches!(&loaded[..], [Reply::Loaded { diagnostics, .. }] if !diagnostics.is_empty())
        );
        assert_eq!(worker.answers(id), [Reply::Dropped]);
    }
}
