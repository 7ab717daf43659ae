//! Weights in words, domain by domain.

use crate::analysis::recorded::Recorded;
use crate::bdd::{Bdd, KernelLimits};
use crate::encode::{Copy, ProgramDomain, RawAffine, RawConstants, RawRelations};
use crate::lang::model::{ProcedureId, VariableKind};
use crate::lang::raw::{RawRule, RawSystem};
use crate::pds::ForwardWeights;
use crate::pds::{Plain, StackSymbol, Star, State, Transition};
use crate::readable::scope::{names_of_values, typed_cells};
use crate::readable::{NamedScalar, readable};
use crate::report::raw_weight::InWords;
use crate::semiring::affine::{Modular, Rationals};
use crate::semiring::{Boolean, MinPath};
use crate::session::lab::{Lab, LabDomain};
use crate::util::order::inserted;
use crate::wire::lab::LabTask;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The most characters of a weight. Longer ones are cut.
const LONGEST: usize = 160;
/// Kernel steps for one relation, and for all relations of a report.
const STEPS_EACH: u64 = 400_000;
const STEPS_ALL: u64 = 6_000_000;

/// The owner of a weight, which decides how its text reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A transition, in the frame of a procedure.
    Relation(Option<ProcedureId>),
    /// A set of configurations, or a run. In a lab of a program the weight is the stores on top.
    Stores(Option<ProcedureId>),
}

/// The texts that were made already, and how many steps they took.
#[derive(Default)]
pub(super) struct Texts {
    relations: FxHashMap<(Bdd, Place), String>,
    steps: u64,
    /// The states inside callees of the automaton at hand, with the symbols at which they are
    /// entered.
    callees: BTreeMap<State, StackSymbol>,
    /// Was a text left out because it was too long, or too costly?
    pub(super) cut: bool,
}

impl Texts {
    /// Sets the meaning of a recording's states. Call this before its weights are put into words.
    pub(super) fn look_at<D: LabDomain>(&mut self, lab: &Lab<D>, recorded: &Recorded<D>) {
        let callees = recorded.callees(&lab.pds).into_iter();
        self.callees = inserted(callees.map(|(state, (_, entry))| (state, entry)));
    }
}

/// A domain whose weights can be read.
pub(super) trait Words: LabDomain {
    /// The kind of the weights.
    const KIND: &'static str;
    /// Does a weight say more than "there is a run"?
    const WEIGHTED: bool = true;
    /// The weight of a rule.
    fn rule(lab: &Lab<Self>, rule: &RawRule) -> String;
    /// A weight.
    fn weight(
        lab: &mut Lab<Self>,
        texts: &mut Texts,
        place: Place,
        weight: &Self::Weight,
    ) -> String;
    /// The weight that is shown for a transition. For a transition below a callee, in a plain
    /// domain, it includes the rule of the call.
    fn shown(lab: &mut Lab<Self>, transition: Transition, weight: &Self::Weight) -> Self::Weight;
    /// The owner of a transition's weight.
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

/// Raw systems whose rules change variables.
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
                // If a limit is hit, the weight at the call is shown.
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
    // Values now come first, so the text is x' = x + 1 and not x = x' - 1.
    let (mut named, mut old): (Vec<NamedScalar>, Vec<NamedScalar>) = (Vec::new(), Vec::new());
    let mut hidden = Vec::new();
    let mut seen = Vec::new();
    for cell in &visible {
        if seen.contains(&cell.variable) {
            continue;
        }
        seen.push(cell.variable);
        let variable = program.variable(cell.variable);
        let is_result = variable.kind == VariableKind::Result;
        for (mut name, cell, scalar) in typed_cells(&program, cell.variable) {
            if is_result {
                name = "result".to_string();
            } else if !variable.has_name() {
                hidden.extend([Copy::Entry, Copy::Now].map(|copy| (cell, copy)));
                continue;
            }
            let constant =
                frame.constant_globals.contains(&cell) || frame.constant_parameters.contains(&cell);
            let at = |name: String, copy| NamedScalar {
                name,
                scalar,
                bits: lab.domain.layout.cell(cell, copy),
                values: names_of_values(&program, cell.variable),
                wraps: false,
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
    // A limit has ended the budget, and its rest would leave no text at all.
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

/// The meaning of an automaton's state in words: the name of a control location, or the head of a
/// callee.
pub(super) fn head(system: &RawSystem, p: u32, symbol: u32) -> String {
    let name = |names: &[String], k: u32| names.get(k as usize).cloned().unwrap_or_default();
    format!("{}, {}", name(&system.states, p), name(&system.symbols, symbol))
}

/// How the weight of a configuration is read off an automaton.
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
