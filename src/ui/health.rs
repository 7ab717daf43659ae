//! Whether a worker is alive, by its signs of life: messages, and bytes of its code that arrive.
//! Somebody calls [`Health::second`] every second; so the time that a computer sleeps, or that the
//! browser gives the page none, does not count.

/// What a worker owes the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owed {
    /// Nothing: it has answered everything.
    Nothing,
    /// It has to start, or to answer.
    Answer,
    /// It has to lay out a picture, during which it says nothing.
    Picture,
}

impl Owed {
    /// The most seconds without a sign of life. A worker that works gives one every second.
    fn patience(self) -> u32 {
        match self {
            Owed::Nothing => u32::MAX,
            Owed::Answer => 8,
            Owed::Picture => 60,
        }
    }
}

/// How long a worker has been silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Health {
    seconds: u32,
    is_late: bool,
}

impl Health {
    /// A sign of life.
    pub(super) fn heard(&mut self) {
        *self = Health::default();
    }

    /// A second has passed, and the worker owes the page this.
    pub(super) fn second(&mut self, owed: Owed) {
        if owed == Owed::Nothing {
            return self.heard();
        }
        self.seconds += 1;
        self.is_late |= self.seconds >= owed.patience();
    }

    /// Has it been silent for too long?
    pub(super) fn is_late(self) -> bool {
        self.is_late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: u32, owed: Owed) -> Health {
        let mut health = Health::default();
        (0..seconds).for_each(|_| health.second(owed));
        health
    }

    #[test]
    fn a_worker_that_owes_an_answer_may_be_silent_for_eight_seconds() {
        assert!(!after(7, Owed::Answer).is_late());
        assert!(after(8, Owed::Answer).is_late());
        assert!(!after(100, Owed::Nothing).is_late());
    }

    #[test]
    fn a_sign_of_life_starts_the_time_anew_and_takes_lateness_away() {
        let mut health = after(7, Owed::Answer);
        health.heard();
        (0..7).for_each(|_| health.second(Owed::Answer));
        assert!(!health.is_late());
        health.second(Owed::Answer);
        assert!(health.is_late());
        health.heard();
        assert!(!health.is_late());
    }

    #[test]
    fn a_picture_may_take_longer() {
        assert!(!after(30, Owed::Picture).is_late());
        assert!(after(60, Owed::Picture).is_late());
    }
}
