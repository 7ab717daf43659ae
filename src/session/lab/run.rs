//! Runs that explain weights: a path through an automaton, with a sequence of rules for each of its
//! transitions, replayed on a plain stack.

use super::{Lab, LabDomain};
use crate::analysis::recorded::Recorded;
use crate::lang::raw::replay::{Configuration, apply, is_in};
use crate::lang::raw::{ConfigurationSet, StateId, SymbolId};
use crate::pds::{ReadPath, RuleSequence, Star};
use crate::util::Bounded;

/// The most rules of a run that is read.
const LONGEST: u64 = 10_000;
/// The most sequences of one transition, and the most combinations of them, that are tried.
const TRIED: usize = 64;
/// The most rules of all runs together that are replayed and weighed for one answer.
const WEIGHED: usize = 100_000;

/// A run that was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabRunFound<W> {
    /// Its first configuration.
    pub start: Configuration,
    /// The numbers of its rules.
    pub rules: Vec<u32>,
    /// The weight of these rules together.
    pub weight: W,
}

impl<D: LabDomain> Lab<D> {
    /// A run for one of these paths through a recording as it was after a step, from a
    /// configuration of `from` to one of `to`. It prefers a run with the weight `wanted` to another
    /// one. Returns `None` if none was found among those that were tried.
    pub(super) fn find_run(
        &mut self,
        recorded: &Recorded<D>,
        step: Option<u32>,
        paths: &[ReadPath<D::Weight>],
        wanted: &D::Weight,
        (from, to): (&ConfigurationSet, &ConfigurationSet),
    ) -> Bounded<Option<LabRunFound<D::Weight>>> {
        let mut order: Vec<&ReadPath<D::Weight>> =
            paths.iter().filter(|path| path.weight == *wanted).collect();
        order.extend(paths.iter().filter(|path| path.weight != *wanted));
        let mut best = None;
        let mut weighed = 0;
        for path in order.into_iter().take(TRIED) {
            let mut choices = Vec::new();
            for id in &path.transitions {
                let Some(witness) = recorded.witness(&mut self.domain, *id, step)? else {
                    return Ok(None);
                };
                let Ok(short) = witness.short_sequence(LONGEST) else { break };
                let mut all = vec![short];
                for other in witness.sequences(TRIED).unwrap_or_default() {
                    if !all.contains(&other) {
                        all.push(other);
                    }
                }
                choices.push(all);
            }
            if choices.len() < path.transitions.len() {
                continue;
            }
            let mut chosen = vec![0usize; choices.len()];
            for _ in 0..TRIED {
                let sequences: Vec<&RuleSequence> =
                    choices.iter().zip(&chosen).map(|(all, k)| &all[*k]).collect();
                let joined = self.joined(recorded, path, &sequences);
                weighed += joined.as_ref().map_or(1, |(_, rules)| rules.len() + 1);
                if weighed > WEIGHED {
                    return Ok(best);
                }
                if let Some((start, rules)) = joined
                    && let Some(end) = self.replay(&start, &rules)
                    && is_in(from, &start)
                    && is_in(to, &end)
                {
                    let weight = D::weigh(self, &start, &rules)?;
                    if weight == *wanted {
                        return Ok(Some(LabRunFound { start, rules, weight }));
                    }
                    if !self.domain.is_zero(&weight) && best.is_none() {
                        best = Some(LabRunFound { start, rules, weight });
                    }
                }
                // The next combination of sequences.
                let Some(k) = (0..chosen.len()).find(|k| chosen[*k] + 1 < choices[*k].len()) else {
                    break;
                };
                chosen[k] += 1;
                chosen[..k].fill(0);
            }
            // If no single run has the weight, further paths need not be tried.
            if best.is_some() && path.weight != *wanted {
                break;
            }
        }
        Ok(best)
    }

    /// A run that one transition represents.
    pub fn run_of(
        &mut self,
        recorded: &Recorded<D>,
        transition: u32,
        sequence: &RuleSequence,
    ) -> Option<(Configuration, Vec<u32>)> {
        let t = recorded.automaton().transition(transition);
        let first = match recorded.star() {
            Star::Post => recorded.automaton().transition(*sequence.given.first()?).from,
            Star::Pre => t.from,
        };
        let state = StateId(recorded.automaton().control(first)?.0);
        let stack = match recorded.star() {
            Star::Post => self.symbols(recorded, &sequence.given),
            Star::Pre => vec![SymbolId(t.symbol?.0)],
        };
        let start = Configuration { state, stack };
        let rules: Vec<u32> = sequence.rules.iter().map(|rule| rule.0).collect();
        self.replay(&start, &rules).map(|_| (start, rules))
    }

    /// The symbols that transitions read, the bottom first. The transitions are in the order from
    /// the top.
    fn symbols(&self, recorded: &Recorded<D>, transitions: &[u32]) -> Vec<SymbolId> {
        let automaton = recorded.automaton();
        transitions
            .iter()
            .rev()
            .filter_map(|id| automaton.transition(*id).symbol)
            .map(|symbol| SymbolId(symbol.0))
            .collect()
    }

    /// The sequences of a path's transitions, one after the other. In post\* the bottom's sequence
    /// comes first, and each is followed by the call above it.
    fn joined(
        &self,
        recorded: &Recorded<D>,
        path: &ReadPath<D::Weight>,
        sequences: &[&RuleSequence],
    ) -> Option<(Configuration, Vec<u32>)> {
        let automaton = recorded.automaton();
        let mut rules = Vec::new();
        if recorded.star() == Star::Pre {
            rules.extend(sequences.iter().flat_map(|sequence| &sequence.rules).map(|rule| rule.0));
            let stack = self.symbols(recorded, &path.transitions);
            return Some((Configuration { state: StateId(path.location.0), stack }, rules));
        }
        // From here on the stack is as it was given, because no state of a callee follows.
        let given = recorded.given().states();
        let enters = |id: &u32| automaton.transition(*id).to.0 >= given;
        let bottom = path.transitions.iter().rposition(enters).map_or(0, |k| k + 1);
        let mut start: Vec<u32> =
            sequences.get(bottom).map_or(Vec::new(), |sequence| sequence.given.clone());
        start.extend(path.transitions.iter().skip(bottom + 1));
        let state = match start.first() {
            Some(first) => StateId(automaton.control(automaton.transition(*first).from)?.0),
            None => StateId(path.location.0),
        };
        for (k, sequence) in sequences.iter().enumerate().take(bottom + 1).rev() {
            rules.extend(sequence.rules.iter().map(|rule| rule.0));
            rules.extend(automaton.transition(path.transitions[k]).via.map(|rule| rule.0));
        }
        Some((Configuration { state, stack: self.symbols(recorded, &start) }, rules))
    }

    /// Applies the rules. Returns the last configuration, or nothing if a rule does not apply.
    pub fn replay(&self, start: &Configuration, rules: &[u32]) -> Option<Configuration> {
        let mut now = start.clone();
        rules.iter().all(|rule| apply(&self.system, &mut now, *rule)).then_some(now)
    }
}
