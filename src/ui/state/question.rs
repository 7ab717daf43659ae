//! What is asked of the worker and takes long: ask, progress, answer, stale, stopped. One type for
//! the run, for every tab and for every comparison.

use crate::util::Budgets;

/// A request that is on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pending<P> {
    /// Its number.
    pub(crate) id: u32,
    /// How far the worker is.
    pub(crate) progress: P,
    /// The user has pressed Stop.
    pub(crate) stopping: bool,
}

/// Whether there is an answer, and to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answered {
    /// There is no answer for the present program and the present options. What is shown, if
    /// anything, answers older ones.
    #[default]
    No,
    /// What is shown answers the present program.
    Yes,
    /// The work ended without an answer: the user stopped it and the worker had to be replaced, or
    /// the worker broke. Nothing is asked again until the user asks.
    Stopped,
    /// What is shown answers the present program, but the worker that keeps the details is gone.
    Lost,
}

/// A question to the worker: at most one request is on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question<P> {
    pending: Option<Pending<P>>,
    answered: Answered,
    /// The usual budgets are multiplied by this.
    scale: u64,
    /// Was the answer cut short because no person asked for more?
    is_cut: bool,
}

impl<P> Default for Question<P> {
    fn default() -> Self {
        Question { pending: None, answered: Answered::No, scale: 1, is_cut: false }
    }
}

impl<P> Question<P> {
    /// Is it to be asked when its tab is shown?
    pub(crate) fn is_due(&self) -> bool {
        self.pending.is_none() && matches!(self.answered, Answered::No | Answered::Lost)
    }

    /// Is there an answer, and to what?
    pub(crate) fn answered(&self) -> Answered {
        self.answered
    }

    /// Does what is shown answer the present program?
    pub(crate) fn is_fresh(&self) -> bool {
        self.answered == Answered::Yes
    }

    /// Did the work end without an answer?
    pub(crate) fn is_stopped(&self) -> bool {
        self.answered == Answered::Stopped
    }

    /// Is a request on its way?
    pub(crate) fn is_busy(&self) -> bool {
        self.pending.is_some()
    }

    /// Does what is shown answer an older program, and is no new answer on its way?
    pub(crate) fn is_stale(&self) -> bool {
        self.pending.is_none() && self.answered == Answered::No
    }

    /// Was the answer cut short because no person asked for more, but a link or a reload?
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The request that is on its way.
    pub(crate) fn pending(&self) -> Option<&Pending<P>> {
        self.pending.as_ref()
    }

    /// A request was sent.
    pub(crate) fn begin(&mut self, id: u32, progress: P) {
        (self.answered, self.is_cut) = (Answered::No, false);
        self.pending = Some(Pending { id, progress, stopping: false });
    }

    /// The progress to be updated; `None` if this request is not the one that is on its way.
    pub(crate) fn progress(&mut self, id: u32) -> Option<&mut P> {
        self.pending
            .as_mut()
            .filter(|pending| pending.id == id)
            .map(|pending| &mut pending.progress)
    }

    /// A part of the answer has arrived; the rest follows. False if nothing waits for it.
    pub(crate) fn tell_part(&mut self, id: u32) -> bool {
        let awaited = self.waits_for(id);
        if awaited {
            self.answered = Answered::Yes;
        }
        awaited
    }

    /// The answer to come is cut short. False if nothing waits for it.
    pub(crate) fn cut(&mut self, id: u32) -> bool {
        self.is_cut |= self.waits_for(id);
        self.waits_for(id)
    }

    /// The answer has arrived. `None` if nothing waits for it.
    pub(crate) fn tell(&mut self, id: u32) -> Option<Pending<P>> {
        let pending = self.pending.take_if(|pending| pending.id == id)?;
        self.answered = Answered::Yes;
        Some(pending)
    }

    /// Is this the request that is on its way?
    pub(crate) fn waits_for(&self, id: u32) -> bool {
        self.pending.as_ref().is_some_and(|pending| pending.id == id)
    }

    /// The user pressed Stop: gives the request to stop, if one is on its way.
    pub(crate) fn stop(&mut self) -> Option<u32> {
        let pending = self.pending.as_mut()?;
        pending.stopping = true;
        Some(pending.id)
    }

    /// The worker is gone, and the work that was on its way with it. Parts of the answer that have
    /// arrived stay true.
    pub(crate) fn give_up(&mut self) -> Option<Pending<P>> {
        let pending = self.pending.take()?;
        if self.answered == Answered::No {
            self.answered = Answered::Stopped;
        }
        Some(pending)
    }

    /// The worker is gone, and with it the details of the answer.
    pub(crate) fn lose_worker(&mut self) -> Option<Pending<P>> {
        let given_up = self.give_up();
        if self.answered == Answered::Yes {
            self.answered = Answered::Lost;
        }
        given_up
    }

    /// The program or the options have changed: a request that is on its way is of no use, and the
    /// answer is stale.
    pub(crate) fn invalidate(&mut self) {
        (self.pending, self.answered) = (None, Answered::No);
    }

    /// The next request gets ten times the budgets.
    pub(crate) fn go_on(&mut self) {
        self.scale = self.scale.saturating_mul(10);
    }

    /// The budgets of the next request, where the usual clock is so many milliseconds.
    pub(crate) fn budgets(&self, millis: u64) -> Budgets {
        Budgets { max_millis: Some(millis), ..Budgets::default() }.times(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_fresh_until_the_program_changes() {
        let mut question = Question::<u32>::default();
        assert!(question.is_due() && question.is_stale());
        question.begin(7, 0);
        assert!(!question.is_due() && !question.is_fresh() && !question.is_stale());
        *question.progress(7).expect("it is on its way") = 3;
        assert!(question.progress(6).is_none());
        assert_eq!(question.tell(7).map(|pending| pending.progress), Some(3));
        assert!(question.is_fresh() && !question.is_due());
        question.invalidate();
        assert!(question.is_due() && question.is_stale());
    }

    #[test]
    fn an_answer_to_an_older_request_is_dropped() {
        let mut question = Question::<()>::default();
        question.begin(1, ());
        question.invalidate();
        question.begin(2, ());
        assert!(question.tell(1).is_none() && !question.tell_part(1));
        assert!(question.is_busy() && !question.is_fresh());
        assert!(question.tell(2).is_some() && question.is_fresh());
    }

    #[test]
    fn what_was_stopped_is_not_asked_again_by_itself() {
        let mut question = Question::<()>::default();
        assert_eq!(question.stop(), None);
        question.begin(4, ());
        assert_eq!(question.stop(), Some(4));
        assert!(question.pending().is_some_and(|pending| pending.stopping));
        assert!(question.give_up().is_some_and(|pending| pending.stopping));
        assert!(question.is_stopped() && !question.is_due() && !question.is_stale());
        question.invalidate();
        assert!(question.is_due());
    }

    #[test]
    fn parts_of_an_answer_stay_when_the_worker_is_gone() {
        let mut question = Question::<()>::default();
        question.begin(1, ());
        assert!(question.tell_part(1) && question.is_fresh() && question.is_busy());
        question.give_up();
        assert!(question.is_fresh() && !question.is_busy() && !question.is_due());
    }

    #[test]
    fn details_that_the_worker_keeps_are_asked_for_again() {
        let mut question = Question::<()>::default();
        question.begin(1, ());
        question.tell(1);
        question.lose_worker();
        assert_eq!(question.answered(), Answered::Lost);
        assert!(question.is_due() && !question.is_fresh());
        question.begin(2, ());
        question.lose_worker();
        assert!(question.is_stopped());
    }

    #[test]
    fn an_answer_is_cut_until_it_is_asked_for_again() {
        let mut question = Question::<()>::default();
        question.begin(1, ());
        assert!(!question.cut(2) && !question.is_cut());
        assert!(question.cut(1) && question.is_cut());
        question.tell(1);
        assert!(question.is_cut() && !question.cut(1));
        question.begin(2, ());
        assert!(!question.is_cut());
    }

    #[test]
    fn budgets_grow_tenfold() {
        let mut question = Question::<()>::default();
        question.go_on();
        question.go_on();
        let (usual, grown) = (Budgets::default(), question.budgets(30));
        assert_eq!(grown.max_nodes, 100 * usual.max_nodes);
        assert_eq!(grown.max_steps, 100 * usual.max_steps);
        assert_eq!(grown.max_millis, Some(3_000));
    }
}
