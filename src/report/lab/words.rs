//! Weights in words, domain by domain.

use crate::analysis::recorded::Recorded;
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::{Copy, ProgramDomain, RawAffine, RawConstants, RawRelations};
use crate::lang::model::{ProcedureId, VariableKind};
use crate::lang::raw::{RawRule, RawSystem};
use crate::pds::ForwardWeights;
use crate::pds::{Plain, StackSymbol, Star, State, Transition};
use crate::readable::scope::typed_cells;
use crate::readable::{NamedScalar, readable};
use crate::report::raw_weight::InWords;
use crate::semiring::affine::{Modular, Rationals};
use crate::semiring::{Boolean, MinPath};
use crate::session::lab::{Lab, LabDomain};
use crate::wire::lab::LabTask;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longest weight, in characters; longer ones are cut.
const LONGEST: usize = 160;
/// Kernel steps for one relation, and for all relations of a report.
const STEPS_EACH: u64 = 400_000;
const STEPS_ALL: u64 = 6_000_000;

/// What a weight is the weight of, which decides over its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A transition, in the frame of a procedure.
    Relation(Option<ProcedureId>),
    /// A set of configurations, or a run: of a program the stores on top.
    Stores(Option<ProcedureId>),
}

/// Texts that were made already, and how much making them took.
#[derive(Default)]
pub(super) struct Texts {
    relations: FxHashMap<(Bdd, Place), String>,
    steps: u64,
    /// Of the automaton that is looked at: the states inside callees, with the symbols at which
    /// they are entered.
    callees: BTreeMap<State, StackSymbol>,
    /// Was something left out as it was too long, or too costly to spell out?
    pub(super) cut: bool,
}

impl Texts {
    /// What the states of a recording stand for; to be said before its weights are put into words.
    pub(super) fn look_at<D: LabDomain>(&mut self, lab: &Lab<D>, recorded: &Recorded<D>) {
        self.callees = recorded
            .callees(&lab.pds)
            .into_iter()
            .map(|(state, (_, entry))| (state, entry))
            .collect();
    }
}

/// A domain whose weights can be read.
pub(super) trait Words: LabDomain {
    /// What the weights are.
    const KIND: &'static str;
    /// Is there more to a weight than "there is a run"?
    const WEIGHTED: bool = true;
    /// What a rule weighs.
    fn rule(lab: &Lab<Self>, rule: &RawRule) -> String;
    /// A weight.
    fn weight(
        lab: &mut Lab<Self>,
        texts: &mut Texts,
        place: Place,
        weight: &Self::Weight,
    ) -> String;
    /// The weight that a transition is shown with: below a callee, of a plain domain, with the
    /// call's rule.
    fn shown(lab: &mut Lab<Self>, transition: Transition, weight: &Self::Weight) -> Self::Weight;
    /// Where a transition's weight belongs.
    fn place(_lab: &Lab<Self>, _texts: &Texts, _transition: Transition) -> Place {
        Place::Relation(None)
    }
}

impl Words for Plain<Boolean> {
    const KIND: &'static str = "none: a transition is there or not";
    const WEIGHTED: bool = false;

    fn rule(_lab: &Lab<Self>, _rule: &RawRule) -> String {
        String::new()
    }

    fn weight(_lab: &mut Lab<Self>, _texts: &mut Texts, _place: Place, weight: &bool) -> String {
        (if *weight { "1" } else { "0" }).to_string()
    }

    fn shown(_lab: &mut Lab<Self>, _transition: Transition, weight: &bool) -> bool {
        *weight
    }
}

impl Words for Plain<MinPath> {
    const KIND: &'static str =
        "natural numbers: along a run they add up, of several runs the least counts";

    fn rule(_lab: &Lab<Self>, rule: &RawRule) -> String {
        rule.weight.to_string()
    }

    fn weight(
        _lab: &mut Lab<Self>,
        _texts: &mut Texts,
        _place: Place,
        weight: &Option<u64>,
    ) -> String {
        weight.map_or("∞".to_string(), |weight| weight.to_string())
    }

    fn shown(lab: &mut Lab<Self>, transition: Transition, weight: &Option<u64>) -> Option<u64> {
        let rule = transition.via.and_then(|rule| lab.domain.weights[rule.0 as usize]);
        weight.map(|weight| weight.saturating_add(rule.unwrap_or(0)))
    }
}

/// Raw systems whose rules do something to variables.
macro_rules! with_variables {
    ($semiring:ty, $kind:expr) => {
        impl Words for Plain<$semiring> {
            const KIND: &'static str = $kind;

            fn rule(lab: &Lab<Self>, rule: &RawRule) -> String {
                rule.effect.print(&lab.system.weights.variables())
            }

            fn weight(
                lab: &mut Lab<Self>,
                _texts: &mut Texts,
                _place: Place,
                weight: &Self::Weight,
            ) -> String {
                lab.domain.semiring.in_words(weight)
            }

            fn shown(
                lab: &mut Lab<Self>,
                transition: Transition,
                weight: &Self::Weight,
            ) -> Self::Weight {
                // Where a limit is hit the weight at the call is shown.
                transition
                    .via
                    .and_then(|rule| lab.domain.after(weight, rule).ok())
                    .unwrap_or_else(|| weight.clone())
            }
        }
    };
}

with_variables!(RawRelations, "relations between the variables' values before (x) and behind (x')");
with_variables!(
    RawAffine<Rationals>,
    "equalities between the variables' values before (x) and behind (x'), over the integers"
);
with_variables!(
    RawAffine<Modular>,
    "equalities between the variables' values before (x) and behind (x'), modulo a power of two"
);
with_variables!(
    RawConstants,
    "constants, and single expressions of values before: safe, not exact"
);

impl Words for ProgramDomain {
    const KIND: &'static str = "relations between stores: x is the value when the frame was entered (of pre*: now), x' the value now (of pre*: when it is left)";

    fn rule(_lab: &Lab<Self>, _rule: &RawRule) -> String {
        String::new()
    }

    fn weight(lab: &mut Lab<Self>, texts: &mut Texts, place: Place, weight: &Bdd) -> String {
        if let Some(known) = texts.relations.get(&(*weight, place)) {
            return known.clone();
        }
        let text = spell(lab, texts, place, *weight);
        texts.relations.insert((*weight, place), text.clone());
        text
    }

    fn shown(_lab: &mut Lab<Self>, _transition: Transition, weight: &Bdd) -> Bdd {
        *weight
    }

    fn place(lab: &Lab<Self>, texts: &Texts, transition: Transition) -> Place {
        let Some(program) = &lab.program else { return Place::Relation(None) };
        Place::Relation(match (transition.symbol, texts.callees.get(&transition.to)) {
            (Some(symbol), _) => program.procedure_at(symbol.0),
            (None, Some(entry)) => program.entered_at(entry.0),
            (None, None) => Some(program.program.main_id()),
        })
    }
}

fn spell(lab: &mut Lab<ProgramDomain>, texts: &mut Texts, place: Place, weight: Bdd) -> String {
    let (Place::Relation(Some(procedure)) | Place::Stores(Some(procedure))) = place else {
        return "…".to_string();
    };
    if texts.steps > STEPS_ALL {
        texts.cut = true;
        return "…".to_string();
    }
    let backward = lab.task() == LabTask::Pre;
    let Some(program) = lab.program.as_ref().map(|of| std::rc::Rc::clone(&of.program)) else {
        return "…".to_string();
    };
    let frame = lab.domain.frames[procedure.0 as usize].clone();
    let visible = lab.domain.visible(procedure);
    // Values now first, so that what is said is x' = x + 1, not x = x' - 1.
    let (mut named, mut old): (Vec<NamedScalar>, Vec<NamedScalar>) = (Vec::new(), Vec::new());
    let mut hidden = Vec::new();
    let mut seen = Vec::new();
    for cell in &visible {
        if seen.contains(&cell.variable) {
            continue;
        }
        seen.push(cell.variable);
        let kind = program.variable(cell.variable).kind;
        for (mut name, cell, scalar) in typed_cells(&program, cell.variable) {
            match kind {
                VariableKind::Temporary => {
                    hidden.extend([Copy::Entry, Copy::Now].map(|copy| (cell, copy)));
                    continue;
                }
                VariableKind::Result => name = "result".to_string(),
                _ => {}
            }
            let constant =
                frame.constant_globals.contains(&cell) || frame.constant_parameters.contains(&cell);
            let at = |name: String, copy| NamedScalar {
                name,
                scalar,
                bits: lab.domain.layout.cell(cell, copy),
            };
            match place {
                Place::Stores(_) if backward => named.push(at(name, Copy::Entry)),
                Place::Stores(_) => named.push(at(name, Copy::Now)),
                Place::Relation(_) => {
                    old.push(at(name.clone(), Copy::Entry));
                    named.push(at(if constant { name } else { format!("{name}'") }, Copy::Now));
                }
            }
        }
    }
    named.extend(old);
    let kernel = &mut lab.domain.kernel;
    let (before, limits) = (kernel.steps(), kernel.limits());
    // What is left of a budget that a limit ended would leave no words at all.
    kernel.set_limits(KernelLimits {
        max_nodes: limits.max_nodes + limits.max_nodes / 4,
        max_steps: before + STEPS_EACH,
    });
    let mut levels = Vec::new();
    for (cell, copy) in hidden {
        levels.extend(lab.domain.layout.cell(cell, copy));
    }
    let levels = kernel.var_set(&levels);
    let text = match kernel.exists(weight, levels) {
        Ok(weight) => {
            let found = readable(kernel, weight, &named, &[]);
            texts.cut |= !found.exact;
            match place {
                Place::Relation(_) if !found.exact => {
                    format!("… {} pairs of stores", found.stores.short())
                }
                _ => found.text,
            }
        }
        Err(_) => "…".to_string(),
    };
    texts.steps += kernel.steps() - before;
    kernel.set_limits(limits);
    if text.chars().count() <= LONGEST {
        return text;
    }
    texts.cut = true;
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// What a state of an automaton stands for, in words: names of control locations, heads of callees.
pub(super) fn head(system: &RawSystem, p: u32, symbol: u32) -> String {
    let name = |names: &[String], k: u32| names.get(k as usize).cloned().unwrap_or_default();
    format!("{}, {}", name(&system.states, p), name(&system.symbols, symbol))
}

/// How a configuration's weight is read off an automaton.
pub(super) fn reading(star: Star) -> &'static str {
    match star {
        Star::Post => {
            "Read backward: a configuration weighs what its path weighs from the bottom of the stack to its top."
        }
        Star::Pre => {
            "Read forward: a configuration weighs what its path weighs from the top of the stack to its bottom."
        }
    }
}
