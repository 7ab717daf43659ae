//! Short questions to the worker about details: what was answered is kept, and one request at a
//! time is on its way, so that requests do not queue.

use std::collections::BTreeMap;

/// Answers by what was asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lookup<K, V> {
    known: BTreeMap<K, V>,
    /// The request that is on its way, and what it asks.
    asked: Option<(u32, K)>,
    latest: Option<K>,
}

impl<K, V> Default for Lookup<K, V> {
    fn default() -> Self {
        Lookup { known: BTreeMap::new(), asked: None, latest: None }
    }
}

impl<K: Ord + Clone, V> Lookup<K, V> {
    /// Is this to be asked now: not known, and nothing else is on its way?
    pub(crate) fn wants(&self, key: &K) -> bool {
        self.asked.is_none() && !self.known.contains_key(key)
    }

    /// A request was sent.
    pub(crate) fn begin(&mut self, id: u32, key: K) {
        self.asked = Some((id, key));
    }

    /// An answer has arrived: gives what it answers, or `None` if nothing waits for it.
    pub(crate) fn tell(&mut self, id: u32, answer: V) -> Option<K> {
        let key = self.refuse(id)?;
        self.known.insert(key.clone(), answer);
        self.latest = Some(key.clone());
        Some(key)
    }

    /// This was answered with something else.
    pub(crate) fn learn(&mut self, key: K, answer: V) {
        self.known.insert(key, answer);
    }

    /// Is this the request that is on its way?
    pub(crate) fn waits_for(&self, id: u32) -> bool {
        self.asked.as_ref().is_some_and(|(asked, _)| *asked == id)
    }

    /// The worker has no answer to a request: gives what was asked.
    pub(crate) fn refuse(&mut self, id: u32) -> Option<K> {
        self.asked.take_if(|(asked, _)| *asked == id).map(|(_, key)| key)
    }

    /// The answer, if it is known.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.known.get(key)
    }

    /// The answer that arrived last, and what it answers.
    pub(crate) fn latest(&self) -> Option<(&K, &V)> {
        self.latest.as_ref().and_then(|key| self.known.get_key_value(key))
    }

    /// Is a request on its way?
    pub(crate) fn is_busy(&self) -> bool {
        self.asked.is_some()
    }

    /// The worker is gone: what it told stays, what was asked is not answered.
    pub(crate) fn lose_worker(&mut self) {
        self.asked = None;
    }

    /// Nothing that is known holds any more.
    pub(crate) fn forget(&mut self) {
        *self = Lookup::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_request_at_a_time() {
        let mut lookup = Lookup::<u32, &str>::default();
        assert!(lookup.wants(&1));
        lookup.begin(10, 1);
        assert!(!lookup.wants(&1) && !lookup.wants(&2));
        assert_eq!(lookup.tell(9, "late"), None);
        assert_eq!(lookup.tell(10, "one"), Some(1));
        assert!(!lookup.wants(&1) && lookup.wants(&2));
        assert_eq!(lookup.get(&1), Some(&"one"));
        assert_eq!(lookup.latest(), Some((&1, &"one")));
    }

    #[test]
    fn what_the_worker_cannot_answer_is_asked_again() {
        let mut lookup = Lookup::<u32, ()>::default();
        lookup.begin(3, 1);
        assert_eq!(lookup.refuse(3), Some(1));
        assert!(lookup.wants(&1));
        lookup.begin(4, 1);
        lookup.lose_worker();
        assert!(lookup.wants(&1) && lookup.tell(4, ()).is_none());
    }
}
