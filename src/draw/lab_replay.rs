//! The lab's automaton as of any step: what is there, what it weighs, what the step did. Replays a
//! recording; computes nothing itself.

use crate::wire::lab::{LabAutomaton, LabStep, LabTransition};
use std::collections::BTreeSet;

/// When each transition of an automaton appeared and changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replay {
    /// By transition: the steps that changed it, ascending, each with the position of its last
    /// change there.
    changes: Vec<Vec<(usize, usize)>>,
}

/// What a step did to a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It was taken from the worklist.
    LookedAt,
    /// It was added.
    Added,
    /// Its weight was raised.
    Raised,
}

impl Replay {
    /// Reads a recording. Changes of transitions that the list does not have are passed over.
    pub fn new(automaton: &LabAutomaton) -> Replay {
        let mut changes = vec![Vec::new(); automaton.transitions.len()];
        for (at, step) in automaton.steps.iter().enumerate() {
            for (i, change) in step.changes.iter().enumerate() {
                let Some(list): Option<&mut Vec<(usize, usize)>> =
                    changes.get_mut(change.transition as usize)
                else {
                    continue;
                };
                match list.last_mut() {
                    Some(last) if last.0 == at => last.1 = i,
                    _ => list.push((at, i)),
                }
            }
        }
        Replay { changes }
    }

    /// The step that gave a transition the weight that it has after `step`; `None` where it is not
    /// there yet. An automaton without steps has all its transitions from step 0 on.
    pub fn since(&self, automaton: &LabAutomaton, transition: u32, step: usize) -> Option<usize> {
        let list = self.changes.get(transition as usize)?;
        if automaton.steps.is_empty() {
            return Some(0);
        }
        let after = list.partition_point(|(at, _)| *at <= step);
        Some(list[after.checked_sub(1)?].0)
    }

    /// What a transition weighs after `step`; `None` where it is not there yet.
    pub fn weight<'a>(
        &self,
        automaton: &'a LabAutomaton,
        transition: u32,
        step: usize,
    ) -> Option<&'a str> {
        let list = self.changes.get(transition as usize)?;
        if automaton.steps.is_empty() {
            return Some(&automaton.transitions[transition as usize].weight);
        }
        let (at, i) = list[list.partition_point(|(at, _)| *at <= step).checked_sub(1)?];
        Some(&automaton.steps[at].changes[i].weight)
    }

    /// Which transitions differ between the pictures after two steps, what the two steps did
    /// included. In order.
    pub fn between(&self, automaton: &LabAutomaton, from: usize, to: usize) -> BTreeSet<u32> {
        let (first, last) = (from.min(to), from.max(to));
        let steps = automaton.steps.iter().take(last + 1).skip(first);
        steps
            .flat_map(|step| {
                step.looked_at.into_iter().chain(step.changes.iter().map(|c| c.transition))
            })
            .collect()
    }

    /// How many transitions are there after `step`.
    pub fn count(&self, automaton: &LabAutomaton, step: usize) -> usize {
        if automaton.steps.is_empty() {
            return automaton.transitions.len();
        }
        self.changes.iter().filter(|list| list.first().is_some_and(|(at, _)| *at <= step)).count()
    }
}

/// What a step did to a transition; the most telling, if several.
pub fn touch(step: &LabStep, transition: u32) -> Option<Touch> {
    let changes = step.changes.iter().filter(|change| change.transition == transition);
    let changed = changes.fold(None, |known, change| {
        if change.is_new || known == Some(Touch::Added) {
            Some(Touch::Added)
        } else {
            Some(Touch::Raised)
        }
    });
    changed.or((step.looked_at == Some(transition)).then_some(Touch::LookedAt))
}

/// A transition in words: `p0 —g0→ q1`.
pub fn spoken(automaton: &LabAutomaton, transition: &LabTransition) -> String {
    let name = |state: u32| match automaton
        .states
        .get(state as usize)
        .map_or("?", |state| state.name.as_str())
    {
        // A state that is made for a pair of names.
        pair if pair.contains(", ") => format!("\u{27e8}{pair}\u{27e9}"),
        name => name.to_string(),
    };
    format!(
        "{} \u{2014}{}\u{2192} {}",
        name(transition.from),
        transition.symbol,
        name(transition.to)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::graph::Point;
    use crate::wire::lab::{LabCause, LabChange};

    fn change(transition: u32, is_new: bool, weight: &str) -> LabChange {
        LabChange {
            transition,
            is_new,
            weight: weight.into(),
            added: weight.into(),
            cause: LabCause::Rule,
            rule: None,
            premises: Vec::new(),
            words: String::new(),
        }
    }

    fn step(looked_at: Option<u32>, changes: Vec<LabChange>) -> LabStep {
        LabStep { looked_at, changes, waiting: Vec::new(), waiting_count: 0 }
    }

    /// Transition 0 is given, 1 appears in step 1 and is raised in step 3, 2 appears and is raised
    /// in step 2.
    fn recording() -> LabAutomaton {
        let transition = |weight: &str| LabTransition {
            from: 0,
            to: 0,
            symbol: "a".into(),
            pushed_by: None,
            given: false,
            weight: weight.into(),
            arrow: 0,
            row: 0,
        };
        LabAutomaton {
            title: "post*".into(),
            reading: String::new(),
            states: Vec::new(),
            transitions: vec![transition("0"), transition("3"), transition("1")],
            arrows: Vec::new(),
            size: Point::default(),
            steps: vec![
                step(None, vec![change(0, true, "0")]),
                step(Some(0), vec![change(1, true, "7")]),
                step(Some(1), vec![change(2, true, "4"), change(2, false, "1")]),
                step(Some(2), vec![change(1, false, "3")]),
            ],
            complete: true,
        }
    }

    #[test]
    fn weights_are_those_of_the_latest_change_up_to_the_step() {
        let automaton = recording();
        let replay = Replay::new(&automaton);
        let at = |step| {
            (0..3)
                .map(|t| replay.weight(&automaton, t, step).unwrap_or("-"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!((0..4).map(at).collect::<Vec<_>>(), ["0 - -", "0 7 -", "0 7 1", "0 3 1"]);
        assert_eq!(
            (0..4).map(|step| replay.count(&automaton, step)).collect::<Vec<_>>(),
            [1, 2, 3, 3]
        );
        assert_eq!(
            (0..4).map(|step| replay.since(&automaton, 1, step)).collect::<Vec<_>>(),
            [None, Some(1), Some(1), Some(3)]
        );
        let at_end: Vec<&str> = automaton.transitions.iter().map(|t| t.weight.as_str()).collect();
        assert_eq!(at(3), at_end.join(" "), "the replay ends with the automaton");
    }

    #[test]
    fn a_jump_touches_all_that_changed_on_the_way() {
        let automaton = recording();
        let replay = Replay::new(&automaton);
        let between = |a, b| replay.between(&automaton, a, b).into_iter().collect::<Vec<_>>();
        assert_eq!(between(0, 1), [0, 1]);
        assert_eq!(between(3, 2), [1, 2], "backward as forward");
        assert_eq!(between(0, 9), [0, 1, 2], "past the end");
    }

    #[test]
    fn a_step_adds_or_raises_or_only_looks() {
        let automaton = recording();
        assert_eq!(touch(&automaton.steps[1], 0), Some(Touch::LookedAt));
        assert_eq!(
            touch(&automaton.steps[2], 2),
            Some(Touch::Added),
            "added and raised in one step"
        );
        assert_eq!(touch(&automaton.steps[3], 1), Some(Touch::Raised));
        assert_eq!(touch(&automaton.steps[3], 0), None);
    }

    #[test]
    fn an_automaton_without_steps_is_there_at_once() {
        let automaton = LabAutomaton { steps: Vec::new(), ..recording() };
        let replay = Replay::new(&automaton);
        assert_eq!(replay.weight(&automaton, 1, 0), Some("3"));
        assert_eq!(replay.count(&automaton, 0), 3);
        assert_eq!(replay.weight(&automaton, 9, 0), None);
    }
}
