//! Signs of life, while the worker is at work and hears nothing: the engine's operations call the
//! pulse every few thousand steps (it is their [`Alarm`]). It says how far the work is, also inside
//! a step that takes long, and ends operations whose time or memory is used up.

use crate::util::{Alarm, Limit, Progress};
use crate::wire::protocol::{Detail, Reply, ReplyMessage};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Milliseconds between two signs of life.
const BEAT: f64 = 1000.0;
/// Milliseconds between two reports of progress inside one step.
const PROGRESS: f64 = 100.0;

/// The surroundings of a worker.
pub(super) trait Surroundings {
    /// Milliseconds.
    fn now(&self) -> f64;
    /// Bytes of memory that the engine takes up.
    fn bytes(&self) -> u64;
    /// Says something to the page.
    fn post(&self, message: ReplyMessage);
}

/// The step of a task that is worked on.
pub(super) struct Underway {
    /// The number of its request.
    pub(super) id: u32,
    /// How far the task is, if the page asks for that.
    pub(super) progress: Option<Progress>,
    /// When it was asked for, and when progress was last reported.
    pub(super) asked: f64,
    pub(super) reported: f64,
    /// When its time is up.
    pub(super) end: Option<f64>,
    /// The most bytes that the engine may take up.
    pub(super) max_bytes: Option<u64>,
}

/// Tells the page that the worker is alive.
pub(super) struct Pulse {
    surroundings: Box<dyn Surroundings>,
    underway: RefCell<Option<Underway>>,
    beaten: Cell<f64>,
}

impl Pulse {
    pub(super) fn new(surroundings: impl Surroundings + 'static) -> Rc<Pulse> {
        Rc::new(Pulse {
            surroundings: Box::new(surroundings),
            underway: RefCell::new(None),
            beaten: Cell::new(0.0),
        })
    }

    /// What the engine's operations look at.
    pub(super) fn alarm(self: &Rc<Pulse>) -> Alarm {
        let pulse = Rc::clone(self);
        Alarm::new(move |nodes| pulse.look(nodes))
    }

    /// A step begins.
    pub(super) fn begin(&self, underway: Underway) {
        self.underway.replace(Some(underway));
    }

    /// The step is over: operations between steps have no limit of time. Gives the time of the last
    /// report.
    pub(super) fn end(&self) -> Option<f64> {
        self.underway.take().map(|underway| underway.reported)
    }

    /// Does the engine take up more than that?
    pub(super) fn is_above(&self, max_bytes: Option<u64>) -> bool {
        max_bytes.is_some_and(|most| self.surroundings.bytes() > most)
    }

    /// Tells the page that the worker is alive, from time to time.
    pub(super) fn beat(&self) {
        if self.surroundings.now() - self.beaten.get() >= BEAT {
            self.tell();
        }
    }

    /// Tells the page that the worker is alive, and how much memory it takes up.
    pub(super) fn tell(&self) {
        self.beaten.set(self.surroundings.now());
        let reply = Reply::Alive { bytes: self.surroundings.bytes() };
        self.surroundings.post(ReplyMessage { id: 0, last: false, millis: 0, reply });
    }

    /// A look into an operation, while so many nodes are alive.
    fn look(&self, nodes: u64) -> Option<Limit> {
        self.beat();
        let mut underway = self.underway.borrow_mut();
        let underway = underway.as_mut()?;
        let now = self.surroundings.now();
        if let Some(progress) = underway.progress
            && now - underway.reported >= PROGRESS
        {
            underway.reported = now;
            let progress = Progress { nodes: nodes.max(progress.nodes), ..progress };
            let reply = Reply::Progress { progress, detail: Detail::Inside };
            let millis = (now - underway.asked) as u64;
            self.surroundings.post(ReplyMessage { id: underway.id, last: false, millis, reply });
        }
        if underway.end.is_some_and(|end| now > end) {
            return Some(Limit::Time);
        }
        self.is_above(underway.max_bytes).then_some(Limit::Nodes)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::util::Stage;

    /// Surroundings that a test sets.
    #[derive(Clone, Default)]
    pub(in crate::worker) struct Told {
        pub(in crate::worker) clock: Rc<Cell<f64>>,
        /// So much later it is after each look at the clock.
        pub(in crate::worker) tick: f64,
        pub(in crate::worker) bytes: Rc<Cell<u64>>,
        pub(in crate::worker) posted: Rc<RefCell<Vec<ReplyMessage>>>,
    }

    impl Surroundings for Told {
        fn now(&self) -> f64 {
            self.clock.set(self.clock.get() + self.tick);
            self.clock.get()
        }

        fn bytes(&self) -> u64 {
            self.bytes.get()
        }

        fn post(&self, message: ReplyMessage) {
            self.posted.borrow_mut().push(message);
        }
    }

    fn underway() -> Underway {
        let progress = Some(Progress { stage: Stage::Forward, nodes: 7, ..Progress::default() });
        let (end, max_bytes) = (Some(2000.0), Some(500));
        Underway { id: 3, progress, asked: 0.0, reported: 0.0, end, max_bytes }
    }

    #[test]
    fn a_long_step_says_how_far_it_is() {
        let told = Told::default();
        let pulse = Pulse::new(told.clone());
        let alarm = pulse.alarm();
        pulse.begin(underway());
        for (at, nodes) in [(50.0, 10), (120.0, 20), (180.0, 30), (240.0, 40)] {
            told.clock.set(at);
            assert_eq!(alarm.look(nodes), None);
        }
        let posted = told.posted.take();
        let reports: Vec<(u32, u64, u64)> = posted
            .iter()
            .filter_map(|message| match message.reply {
                Reply::Progress { progress, .. } => {
                    Some((message.id, message.millis, progress.nodes))
                }
                _ => None,
            })
            .collect();
        assert_eq!(reports, [(3, 120, 20), (3, 240, 40)]);
        assert_eq!(pulse.end(), Some(240.0));
        told.clock.set(900.0);
        alarm.look(50);
        assert_eq!(told.posted.take(), [], "nothing is underway, and it is too early for a beat");
        told.clock.set(1000.0);
        alarm.look(50);
        assert_eq!(told.posted.take()[0].reply, Reply::Alive { bytes: 0 });
    }

    #[test]
    fn a_long_step_ends_when_its_time_or_its_memory_is_used_up() {
        let told = Told::default();
        let pulse = Pulse::new(told.clone());
        let alarm = pulse.alarm();
        pulse.begin(underway());
        assert_eq!(alarm.look(1), None);
        told.bytes.set(501);
        assert_eq!(alarm.look(1), Some(Limit::Nodes));
        told.clock.set(2001.0);
        assert_eq!(alarm.look(1), Some(Limit::Time));
        pulse.end();
        assert_eq!(alarm.look(1), None, "questions have no limit");
    }
}
