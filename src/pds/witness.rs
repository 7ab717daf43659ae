//! Witnesses: why a transition has its weight, as a directed acyclic graph of derivations (Reps,
//! Schwoon, Jha, Melski 2005, § 3.2).
//!
//! A node is a part of a transition's weight. It has finitely many derivations, whose weights
//! combine to the part; their premises are parts that were there before. A choice of one derivation
//! at every node gives a sequence of rules. The weights of all these sequences together combine to
//! the node's weight, in every domain. As in the paper, derivations that add nothing to younger
//! ones are left out. So with shortest paths one derivation stays.
//!
//! | saturation | what a transition's sequence of rules does |
//! | --- | --- |
//! | post\* | leads from what [`RuleSequence::given`] reads to ⟨p, γ⟩ (ε: to ⟨p, ε⟩; below a callee: to the call, without its rule) |
//! | pre\* | leads from ⟨p, γ⟩ to what [`RuleSequence::given`] reads, or, if that is nothing, to ⟨q, ε⟩ |

use super::observer::Derivation;
use super::recording::{Part, Recording, Star};
use super::system::RuleId;
use super::weights::Weights;
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;

/// The most rules that [`Witness::sequences`] holds at once, all sequences together.
const MOST_RULES: usize = 2_000_000;

/// A part of a transition's weight.
#[derive(Clone, Debug)]
pub struct WitnessNode<W> {
    /// Number of the transition.
    pub transition: u32,
    /// The part.
    pub weight: W,
    /// The derivations of the part (premises are indices into [`Witness::nodes`]), each with its
    /// weight. These weights combine to `weight`.
    pub derivations: Vec<(Derivation<u32>, W)>,
    moment: u32,
}

/// A witness.
#[derive(Clone, Debug)]
pub struct Witness<W> {
    star: Star,
    nodes: Vec<WitnessNode<W>>,
}

/// The part of a run that one transition (or one configuration) knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleSequence {
    /// The transitions that read the other end of the run, top of the stack first. They are given
    /// ones, or the one that begins a callee.
    pub given: Vec<u32>,
    /// The rules in the order in which they are applied.
    pub rules: Vec<RuleId>,
}

impl<W: Clone + PartialEq> Witness<W> {
    /// The witness of a part of a transition's weight. Errors: more than `most` nodes, or the
    /// domain's limits.
    pub fn new<D: Weights<Weight = W>>(
        domain: &mut D,
        recording: &Recording<W>,
        star: Star,
        root: Part,
        most: usize,
    ) -> Bounded<Witness<W>> {
        let mut numbers: FxHashMap<Part, u32> = FxHashMap::default();
        let mut parts = vec![root];
        numbers.insert(root, 0);
        let mut nodes = Vec::new();
        while nodes.len() < parts.len() {
            let part = parts[nodes.len()];
            let versions = recording.part(part);
            let mut weight = domain.zero();
            for version in versions {
                weight = domain.combine(&weight, &version.added)?;
            }
            let mut derivations = Vec::new();
            let mut so_far = domain.zero();
            for version in versions.iter().rev() {
                let more = domain.combine(&so_far, &version.added)?;
                if more == so_far {
                    continue;
                }
                so_far = more;
                let derivation = version.derivation.map(|premise| {
                    *numbers.entry(premise).or_insert_with(|| {
                        parts.push(premise);
                        parts.len() as u32 - 1
                    })
                });
                derivations.push((derivation, version.added.clone()));
                if so_far == weight {
                    break;
                }
            }
            if parts.len() > most {
                return Err(Limit::Nodes);
            }
            let moment = versions.last().map_or(0, |version| version.moment);
            nodes.push(WitnessNode { transition: part.transition, weight, derivations, moment });
        }
        Ok(Witness { star, nodes: from_the_root(nodes) })
    }

    /// The nodes. The root is first, and premises come after the nodes that use them.
    pub fn nodes(&self) -> &[WitnessNode<W>] {
        &self.nodes
    }

    /// All sequences of rules; `None` if there are more than `most`, if they are very long, or if
    /// rounds of a loop were summed up.
    pub fn sequences(&self, most: usize) -> Option<Vec<RuleSequence>> {
        let mut known: Vec<Vec<RuleSequence>> = vec![Vec::new(); self.nodes.len()];
        let mut held = 0usize;
        for (k, node) in self.nodes.iter().enumerate().rev() {
            let mut all = Vec::new();
            for (derivation, _) in &node.derivations {
                let more = self.combined(
                    node.transition,
                    *derivation,
                    &known,
                    most,
                    MOST_RULES.saturating_sub(held),
                )?;
                held += more.iter().map(|sequence| sequence.rules.len() + 1).sum::<usize>();
                all.extend(more);
                if all.len() > most {
                    return None;
                }
            }
            known[k] = all;
        }
        known.into_iter().next()
    }

    /// The sequences of one derivation: at most `most`, with at most `room` rules together.
    fn combined(
        &self,
        id: u32,
        derivation: Derivation<u32>,
        known: &[Vec<RuleSequence>],
        most: usize,
        room: usize,
    ) -> Option<Vec<RuleSequence>> {
        let alone = |rules: Vec<RuleId>, given: Vec<u32>| Some(vec![RuleSequence { given, rules }]);
        let (first, second) = match derivation {
            Derivation::Rounds(_) => return None,
            Derivation::Given | Derivation::Entry(..) => return alone(Vec::new(), vec![id]),
            Derivation::Pop(rule) => return alone(vec![rule], Vec::new()),
            Derivation::Rule(_, one) | Derivation::Below(_, one) => (one, None),
            Derivation::Return { call, epsilon, .. } => (call, Some(epsilon)),
            Derivation::Push { callee, below, .. } => (callee, Some(below)),
        };
        let nothing = [RuleSequence::default()];
        let seconds: &[RuleSequence] = second.map_or(&nothing, |k| &known[k as usize]);
        let firsts = &known[first as usize];
        let total = |sequences: &[RuleSequence]| {
            sequences.iter().map(|sequence| sequence.rules.len() + 1).sum::<usize>()
        };
        let rules = total(firsts)
            .saturating_mul(seconds.len())
            .saturating_add(total(seconds).saturating_mul(firsts.len()));
        if firsts.len().saturating_mul(seconds.len()) > most || rules > room {
            return None;
        }
        let mut all = Vec::new();
        for one in firsts {
            for two in seconds {
                let own: Vec<RuleId> = derivation.rule().into_iter().collect();
                let (rules, given) = match (self.star, derivation) {
                    (Star::Post, Derivation::Rule(..)) => {
                        ([&one.rules[..], &own].concat(), one.given.clone())
                    }
                    (Star::Pre, Derivation::Rule(..)) => {
                        ([&own, &one.rules[..]].concat(), one.given.clone())
                    }
                    (_, Derivation::Return { rule: Some(_), .. }) => {
                        ([&one.rules[..], &own, &two.rules].concat(), one.given.clone())
                    }
                    (_, Derivation::Return { .. }) => {
                        (two.rules.clone(), [&two.given[..], &one.given].concat())
                    }
                    (_, Derivation::Push { .. }) => (
                        [&own, &one.rules[..], &two.rules].concat(),
                        [&one.given[..], &two.given].concat(),
                    ),
                    _ => (one.rules.clone(), one.given.clone()),
                };
                all.push(RuleSequence { given, rules });
            }
        }
        Some(all)
    }

    /// A sequence with few rules: at each node it uses the derivation that needs the fewest rules.
    /// Errors: it has more than `longest` rules (depth), or rounds of a loop were summed up
    /// (rounds).
    pub fn short_sequence(&self, longest: u64) -> Bounded<RuleSequence> {
        let mut best: Vec<(u64, usize)> = vec![(u64::MAX, 0); self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate().rev() {
            for (choice, (derivation, _)) in node.derivations.iter().enumerate() {
                let length = match derivation {
                    Derivation::Given | Derivation::Entry(..) => 0,
                    Derivation::Rounds(_) => u64::MAX,
                    Derivation::Below(_, one) => best[*one as usize].0,
                    other => {
                        let own = u64::from(other.rule().is_some());
                        other
                            .premises()
                            .fold(own, |sum, premise| sum.saturating_add(best[premise as usize].0))
                    }
                };
                if length < best[k].0 {
                    best[k] = (length, choice);
                }
            }
        }
        match best.first() {
            None | Some((u64::MAX, _)) => return Err(Limit::Rounds),
            Some((length, _)) if *length > longest => return Err(Limit::Depth),
            _ => {}
        }
        Ok(self.unfold(&|k| best[k].1))
    }

    /// The sequence that these choices give.
    fn unfold(&self, choice: &dyn Fn(usize) -> usize) -> RuleSequence {
        enum Task {
            Node(u32),
            Rule(RuleId),
        }
        let chosen = |k: u32| {
            self.nodes[k as usize]
                .derivations
                .get(choice(k as usize))
                .map(|(derivation, _)| *derivation)
        };
        let mut sequence = RuleSequence::default();
        // The last task is next.
        let mut tasks = vec![Task::Node(0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Rule(rule) => sequence.rules.push(rule),
                Task::Node(k) => match chosen(k) {
                    None
                    | Some(Derivation::Given | Derivation::Entry(..) | Derivation::Rounds(_)) => {}
                    Some(Derivation::Pop(rule)) => tasks.push(Task::Rule(rule)),
                    Some(Derivation::Below(_, one)) => tasks.push(Task::Node(one)),
                    Some(Derivation::Rule(rule, one)) => match self.star {
                        Star::Post => tasks.extend([Task::Rule(rule), Task::Node(one)]),
                        Star::Pre => tasks.extend([Task::Node(one), Task::Rule(rule)]),
                    },
                    Some(Derivation::Return { call, rule, epsilon }) => {
                        tasks.push(Task::Node(epsilon));
                        tasks.extend(rule.map(Task::Rule));
                        tasks.push(Task::Node(call));
                    }
                    Some(Derivation::Push { rule, callee, below }) => {
                        tasks.extend([Task::Node(below), Task::Node(callee), Task::Rule(rule)]);
                    }
                },
            }
        }
        let mut nodes = vec![0];
        while let Some(k) = nodes.pop() {
            match chosen(k) {
                Some(Derivation::Given | Derivation::Entry(..)) => {
                    sequence.given.push(self.nodes[k as usize].transition)
                }
                Some(Derivation::Rule(_, one) | Derivation::Below(_, one)) => nodes.push(one),
                Some(Derivation::Return { call, rule: Some(_), .. }) => nodes.push(call),
                Some(Derivation::Return { call, epsilon, .. }) => nodes.extend([call, epsilon]),
                Some(Derivation::Push { callee, below, .. }) => nodes.extend([below, callee]),
                None | Some(Derivation::Pop(_) | Derivation::Rounds(_)) => {}
            }
        }
        sequence
    }
}

/// Nodes in the order of their youngest versions, youngest first: a premise is older than what is
/// derived from it.
fn from_the_root<W>(nodes: Vec<WitnessNode<W>>) -> Vec<WitnessNode<W>> {
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    // The root is the youngest of all. Parts of one transition that end at the same version have
    // the same age, and none is a premise of another.
    order.sort_by_key(|k| (std::cmp::Reverse(nodes[*k].moment), *k));
    let mut place = vec![0u32; nodes.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old] = new as u32;
    }
    let mut slots: Vec<Option<WitnessNode<W>>> = nodes.into_iter().map(Some).collect();
    let mut sorted = Vec::with_capacity(slots.len());
    for old in order {
        if let Some(mut node) = slots[old].take() {
            for (derivation, _) in &mut node.derivations {
                *derivation = derivation.map(|premise| place[premise as usize]);
            }
            sorted.push(node);
        }
    }
    sorted
}
