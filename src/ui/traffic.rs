//! What was sent to a worker and what it has answered: enough to tell whether it obeys.

use crate::wire::protocol::{Request, RequestMessage};
use std::collections::BTreeSet;

/// The requests that a worker has got.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// Numbers of the requests whose last reply has not come.
    unanswered: BTreeSet<u32>,
    /// Those of them that were stopped.
    stopped: BTreeSet<u32>,
    /// The latest Load or Run, until the worker's first reply to it.
    unread: Option<RequestMessage>,
}

impl Traffic {
    /// A request goes to the worker. True if the worker has to obey soon: it is to stop what is
    /// unanswered, or it is busy and is to read a program.
    pub(super) fn sent(&mut self, message: RequestMessage) -> bool {
        let id = message.id;
        match message.request {
            Request::Stop => self.unanswered.contains(&id) && self.stopped.insert(id),
            Request::Load { .. } | Request::Run { .. } => {
                let is_busy = !self.unanswered.is_empty();
                self.unanswered.insert(id);
                self.unread = Some(message);
                is_busy
            }
            _ => {
                self.unanswered.insert(id);
                false
            }
        }
    }

    /// A reply has come from the worker.
    pub(super) fn heard(&mut self, id: u32, is_last: bool) {
        self.unread.take_if(|unread| unread.id == id);
        if is_last {
            self.unanswered.remove(&id);
            self.stopped.remove(&id);
        }
    }

    /// Has every request its last reply?
    pub(super) fn is_settled(&self) -> bool {
        self.unanswered.is_empty()
    }

    /// Is this a stopped request without an answer, or a program that was not read?
    pub(super) fn disobeys(&self, id: u32) -> bool {
        self.stopped.contains(&id) || self.unread.as_ref().is_some_and(|unread| unread.id == id)
    }

    /// The worker is given up. Gives the program that another worker is to read (none if it was
    /// stopped), and the numbers of the requests that get no answer any more.
    pub(super) fn abandon(&mut self) -> (Option<RequestMessage>, Vec<u32>) {
        let unread = self.unread.take().filter(|unread| !self.stopped.contains(&unread.id));
        let again = unread.as_ref().map(|unread| unread.id);
        let unanswered = std::mem::take(&mut self.unanswered);
        self.stopped.clear();
        (unread, unanswered.into_iter().filter(|id| Some(*id) != again).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(id: u32) -> RequestMessage {
        let request =
            Request::Load { source: "void main() {}".into(), options: Default::default() };
        RequestMessage { id, request, unasked: true }
    }

    fn inspect(id: u32) -> RequestMessage {
        RequestMessage { id, request: Request::Inspect { statement: 0 }, unasked: false }
    }

    fn stop(id: u32) -> RequestMessage {
        RequestMessage { id, request: Request::Stop, unasked: false }
    }

    #[test]
    fn a_stop_is_watched_until_the_last_reply() {
        let mut traffic = Traffic::default();
        assert!(!traffic.sent(inspect(1)));
        assert!(!traffic.disobeys(1), "it was not stopped");
        assert!(traffic.sent(stop(1)));
        traffic.heard(1, false);
        assert!(traffic.disobeys(1), "more is to come");
        traffic.heard(1, true);
        assert!(!traffic.disobeys(1));
        assert!(!traffic.sent(stop(1)), "there is nothing to stop");
    }

    #[test]
    fn a_busy_worker_must_read_the_next_program() {
        let mut traffic = Traffic::default();
        assert!(!traffic.sent(load(1)), "an idle worker may take its time");
        traffic.heard(1, true);
        assert!(!traffic.sent(inspect(2)));
        assert!(traffic.sent(load(3)));
        assert!(traffic.disobeys(3));
        traffic.heard(3, true);
        assert!(!traffic.disobeys(3));
    }

    #[test]
    fn the_next_worker_gets_the_program_that_was_not_read() {
        let mut traffic = Traffic::default();
        traffic.sent(inspect(1));
        traffic.sent(load(2));
        let (unread, unanswered) = traffic.abandon();
        assert_eq!((unread, unanswered), (Some(load(2)), vec![1]));
        traffic.sent(load(3));
        traffic.sent(stop(3));
        let (unread, unanswered) = traffic.abandon();
        assert_eq!((unread, unanswered), (None, vec![3]), "a program that was stopped is not read");
    }
}
