//! A correct run close to a failing one, T, by the interpreter alone: T is executed again with one thing otherwise, then with two.
//!
//! What can be otherwise is a value that T picks (at the start, by a choice, of a callee's locals), or the way where several are open. From there on the run picks
//! what T picks at the same statements, and zeros elsewhere (as edits are tried, [`crate::analysis::repair::execution`]). So this is a search by discrepancies from T (Harvey, Ginsberg 1995, "Limited
//! discrepancy search"), the late ones first, since a run that parts later is closer. Whatever is found is a correct run of the program; that no run is closer is only
//! known where [`CloseSearch::is_closest`] says so. Bounded by the number of executed statements.

use super::closeness::{Closeness, FailingRun};
use crate::analysis::repair::execution::{MOST_FRAMES, Onward, Prepared};
use crate::analysis::suspects::{numbers, spread};
use crate::cfg::{Distances, read_by, read_in};
use crate::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep, Configuration, Machine, Shape};
use crate::lang::model::{EdgeId, LocationId, Operation, Program, Scalar, VariableId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Other values that are tried for one that is picked, and for each of two.
const VALUES: usize = 48;
const VALUES_OF_TWO: usize = 8;
/// Values at the start that are changed, and elements of one variable.
const SLOTS: usize = 200;
const ELEMENTS: usize = 16;
/// Things that are tried at one place, and places on one changed run.
const TRIED: usize = 400;
const PLACES: usize = 24;
/// Values of configurations that are kept.
const KEPT_VALUES: usize = 1 << 20;

/// A correct run that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseRun {
    /// Where its end is a check, the last step is the statement whose check holds.
    pub run: ConcreteRun,
    /// How close it is.
    pub closeness: Closeness,
}

/// A place on a run at which something can be otherwise.
#[derive(Clone)]
struct Place {
    /// Statements of T before it.
    kept: usize,
    /// Statements after these.
    own: Vec<ConcreteStep>,
    /// How many times `own` executes an edge.
    executed: FxHashMap<EdgeId, usize>,
    initial_globals: Rc<Assignment>,
    initial_locals: Rc<Assignment>,
    configuration: Configuration,
    /// What the run executes here.
    taken: Option<EdgeId>,
    /// Is it on T itself?
    on_failing: bool,
}

/// A value at the start.
#[derive(Clone, Copy)]
struct Slot {
    variable: VariableId,
    element: usize,
    scalar: Scalar,
    value: u64,
}

/// What is tried next.
enum Stage {
    /// Nothing yet.
    Begin,
    /// One other thing at T's places up to this one.
    One(usize),
    /// Another value of the start values from this one on.
    Starts(usize),
    /// Two other things, the first at T's places up to this one.
    Two(usize),
    /// Another value of this start value, and a second other thing.
    TwoStarts(usize),
    Over,
}

/// A search in progress.
pub struct CloseSearch {
    failing: Rc<FailingRun>,
    shape: Arc<Shape>,
    prepared: Prepared,
    stage: Stage,
    /// Of T, in order.
    places: Vec<Place>,
    /// T was looked at up to here for places; behind it there may be more than are kept.
    complete: bool,
    slots: Vec<Slot>,
    /// What values are made of, once they are asked for.
    telling: Option<Vec<i128>>,
    /// How many times T comes to the statement at which it fails.
    passes: usize,
    best: Option<CloseRun>,
    steps: u64,
    most: u64,
}

impl CloseSearch {
    /// Sets up the search in the program with the halts of earlier rounds; at most so many statements are executed.
    pub fn new(program: &Program, failing: Rc<FailingRun>, most: u64) -> CloseSearch {
        let last = failing.run.steps.last().map(|step| step.edge);
        CloseSearch {
            shape: Arc::new(Shape::of(program)),
            prepared: Prepared::of(program, &failing.run),
            stage: Stage::Begin,
            places: Vec::new(),
            complete: false,
            slots: Vec::new(),
            telling: None,
            passes: failing.run.steps.iter().filter(|step| Some(step.edge) == last).count(),
            best: None,
            steps: 0,
            most,
            failing,
        }
    }

    /// Statements executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One bounded piece of work; is it over? The program is the one that it was set up for.
    pub fn step(&mut self, program: &Program) -> bool {
        let machine = Machine::with_shape(program, Arc::clone(&self.shape));
        self.stage = match self.stage {
            Stage::Begin => {
                self.look_for_places(&machine);
                Stage::One(self.places.len())
            }
            _ if self.steps >= self.most => Stage::Over,
            Stage::One(0) => {
                self.slots = self.slots(program);
                Stage::Starts(0)
            }
            Stage::One(k) => {
                let place = self.places[k - 1].clone();
                self.one_other(&machine, &place);
                if self.best.is_some() { Stage::Over } else { Stage::One(k - 1) }
            }
            Stage::Starts(k) if k < self.slots.len() => {
                self.other_start(&machine, k);
                if self.is_nearest_start() { Stage::Over } else { Stage::Starts(k + 1) }
            }
            Stage::Starts(_) if self.best.is_some() => Stage::Over,
            Stage::Starts(_) => Stage::Two(self.places.len()),
            Stage::Two(0) => Stage::TwoStarts(0),
            Stage::Two(k) => {
                self.two_others(&machine, k - 1);
                if self.best.is_some() { Stage::Over } else { Stage::Two(k - 1) }
            }
            Stage::TwoStarts(k) if k < self.slots.len() => {
                self.two_starts(&machine, k);
                Stage::TwoStarts(k + 1)
            }
            Stage::TwoStarts(_) | Stage::Over => Stage::Over,
        };
        matches!(self.stage, Stage::Over)
    }

    /// The closest run that was found.
    pub fn found(&self) -> Option<&CloseRun> {
        self.best.as_ref()
    }

    /// Is no correct run closer than the one that was found? `first_wrong`: the first statement of T that no correct run executes with these states, if there is one. No
    /// run shares it, so none parts behind the last place up to there at which anything can be otherwise; from there no run is shorter than the program's graph allows. False where that does not tell.
    pub fn is_closest(&self, program: &Program, first_wrong: Option<usize>) -> bool {
        let Some(CloseRun { closeness, .. }) = &self.best else { return false };
        if !self.complete {
            return false;
        }
        let latest = self.places.iter().rfind(|place| first_wrong.is_none_or(|wrong| place.kept <= wrong));
        match (latest, closeness.shared) {
            (Some(place), Some(shared)) => shared == place.kept && self.least_apart(program, place) == Some(closeness.apart),
            (None, None) => self.is_nearest_start(),
            _ => false,
        }
    }

    /// How many statements a run that leaves T here executes at least.
    fn least_apart(&self, program: &Program, place: &Place) -> Option<u64> {
        let machine = Machine::with_shape(program, Arc::clone(&self.shape));
        let exit = program.procedure(program.main_id()).exit;
        let target = self.failing.end().map_or(exit, |(edge, _)| program.edge(edge).from);
        let last = self.failing.run.steps.len() - 1;
        if place.kept == last && self.failing.end().is_some() || self.passes_here(&machine, place, None).is_some() {
            return Some(0);
        }
        let distances = Distances::to(program, target);
        let calls: Vec<EdgeId> = place.configuration.frames.iter().filter_map(|frame| frame.call).collect();
        let over = |id: &EdgeId| {
            let edge = program.edge(*id);
            let sites = calls.iter().map(|call| program.edge(*call).to);
            let further = match &edge.operation {
                Operation::Call { callee, .. } => {
                    let sites: Vec<LocationId> = sites.chain([edge.to]).collect();
                    distances.from(program.procedure(*callee).entry, sites.into_iter())
                }
                _ => distances.from(edge.to, sites),
            };
            Some(further? + u64::from(edge.is_traced()))
        };
        let out = machine.shape().out(place.configuration.location);
        out.iter().filter(|id| self.can_be_otherwise(&machine, place.kept, &place.configuration, place.taken, **id)).filter_map(over).min()
    }

    /// One other value at the start, and T's way to its end: nothing is closer among what starts otherwise.
    fn is_nearest_start(&self) -> bool {
        let nearest = |best: &CloseRun| {
            let Closeness { shared, other_picks, left, apart } = best.closeness;
            shared.is_none() && other_picks == 1 && left == 0 && apart == 0
        };
        self.best.as_ref().is_some_and(nearest)
    }

    /// Can a run leave T's way, or its states, over this edge? No is certain.
    fn can_be_otherwise(&self, machine: &Machine<'_>, k: usize, configuration: &Configuration, taken: Option<EdgeId>, id: EdgeId) -> bool {
        let edge = machine.program().edge(id);
        if Some(id) != taken {
            return !edge.choices.is_empty() || machine.stops(configuration, id, &[]).is_none();
        }
        let frees = match &edge.operation {
            Operation::Havoc(_) => true,
            Operation::Call { callee, .. } => !machine.program().procedure(*callee).locals.is_empty(),
            _ => false,
        };
        (frees || !edge.choices.is_empty()) && self.failing.picks.get(k + 1).is_none_or(|picks| !picks.is_empty())
    }

    /// Executes T, and keeps where something can be otherwise.
    fn look_for_places(&mut self, machine: &Machine<'_>) {
        let failing = Rc::clone(&self.failing);
        let run = &failing.run;
        let (globals, locals) = (Rc::new(run.initial_globals.clone()), Rc::new(run.initial_locals.clone()));
        let mut configuration = machine.initial(&globals, &locals);
        let mut kept = 0;
        for (k, step) in run.steps.iter().enumerate() {
            let out = machine.shape().out(configuration.location);
            let ends_here =
                k + 1 < run.steps.len() && self.ends_at(machine, &configuration, None, |id| self.prepared.executed_before(id, k)).is_some();
            if ends_here || out.iter().any(|id| self.can_be_otherwise(machine, k, &configuration, Some(step.edge), *id)) {
                kept += values_of(&configuration);
                if kept > KEPT_VALUES {
                    return;
                }
                self.places.push(Place {
                    kept: k,
                    own: Vec::new(),
                    executed: FxHashMap::default(),
                    initial_globals: Rc::clone(&globals),
                    initial_locals: Rc::clone(&locals),
                    configuration: configuration.clone(),
                    taken: Some(step.edge),
                    on_failing: true,
                });
            }
            if machine.stops(&configuration, step.edge, &step.choices).is_some() {
                break;
            }
            self.steps += 1;
            machine.pass(&mut configuration, step.edge, &step.choices, step.locals.as_ref().unwrap_or(const { &Vec::new() }));
        }
        self.complete = true;
    }

    /// The last step of a run that ends here correctly, where that is a check; `first` is what it executes here, if that is settled.
    fn ends_at(
        &self,
        machine: &Machine<'_>,
        configuration: &Configuration,
        first: Option<&ConcreteStep>,
        executed: impl Fn(EdgeId) -> usize,
    ) -> Option<Option<ConcreteStep>> {
        let Some((id, check)) = self.failing.end() else { return machine.has_ended(configuration).then_some(None) };
        let edge = machine.program().edge(id);
        if edge.from != configuration.location {
            return None;
        }
        let choices = match first {
            Some(first) if first.edge == id => first.choices.clone(),
            _ => {
                edge.choices.iter().enumerate().map(|(k, _)| self.prepared.pick(id, executed(id)).0.get(k).copied().unwrap_or(0)).collect()
            }
        };
        let holds = edge.checks.get(..=check)?.iter().all(|check| machine.evaluate(configuration, &check.condition, &choices) == 1);
        holds.then_some(Some(ConcreteStep { edge: id, choices, locals: None }))
    }

    fn passes_here(&self, machine: &Machine<'_>, place: &Place, first: Option<&ConcreteStep>) -> Option<Option<ConcreteStep>> {
        self.ends_at(machine, &place.configuration, first, |id| self.executed(place, id))
    }

    fn executed(&self, place: &Place, id: EdgeId) -> usize {
        self.prepared.executed_before(id, place.kept) + place.executed.get(&id).copied().unwrap_or(0)
    }

    /// All that is tried at a place instead of what the run executes there.
    fn others(&mut self, machine: &Machine<'_>, place: &Place, most: usize) -> Vec<ConcreteStep> {
        let program = machine.program();
        let on_failing = place.on_failing;
        let mut steps: Vec<ConcreteStep> = Vec::new();
        for id in machine.shape().out(place.configuration.location).to_vec() {
            let edge = program.edge(id);
            let is_taken = Some(id) == place.taken;
            if on_failing && !self.can_be_otherwise(machine, place.kept, &place.configuration, place.taken, id) {
                continue;
            }
            let (choices, freed) = self.prepared.pick(id, self.executed(place, id));
            let choices: Vec<u64> = (0..edge.choices.len()).map(|k| choices.get(k).copied().unwrap_or(0)).collect();
            let takes_values = matches!(edge.operation, Operation::Call { .. } | Operation::Havoc(_));
            let base = ConcreteStep { edge: id, choices, locals: takes_values.then(|| freed.clone()) };
            if !is_taken {
                steps.push(base.clone());
            }
            for (k, scalar) in edge.choices.iter().enumerate() {
                for value in self.values(program, *scalar, base.choices[k], most) {
                    let mut step = base.clone();
                    step.choices[k] = value;
                    steps.push(step);
                }
            }
            // What no later statement of the run reads makes no difference.
            let matters = |id: &VariableId| match self.failing.picks.get(place.kept + 1).filter(|_| on_failing && is_taken) {
                Some(picks) => picks.iter().any(|(picked, _)| picked == id),
                None => true,
            };
            let freed = base.locals.iter().flatten().enumerate().filter(|(_, (id, _))| is_taken && matters(id));
            let freed: Vec<(usize, VariableId, usize, u64)> = freed
                .flat_map(|(nth, (id, values))| {
                    values.iter().enumerate().take(ELEMENTS).map(move |(element, value)| (nth, *id, element, *value))
                })
                .collect();
            for (nth, variable, element, old) in freed {
                for value in self.values(program, program.variable(variable).scalar, old, most) {
                    let mut step = base.clone();
                    if let Some(place) = step.locals.as_mut().and_then(|locals| locals.get_mut(nth)?.1.get_mut(element)) {
                        *place = value;
                        steps.push(step);
                    }
                }
            }
        }
        steps.truncate(TRIED);
        steps.retain(|step| machine.stops(&place.configuration, step.edge, &step.choices).is_none());
        steps
    }

    /// Other values instead of this one, the most telling first.
    fn values(&mut self, program: &Program, scalar: Scalar, old: u64, most: usize) -> Vec<u64> {
        if scalar.boolean {
            return vec![1 - (old & 1)];
        }
        let run = &self.failing.run;
        let telling = self.telling.get_or_insert_with(|| {
            let number = |id: VariableId, bits: &u64| program.variable(id).scalar.number(*bits);
            let picked =
                self.failing.picks.iter().flatten().flat_map(|(id, values)| values.iter().take(ELEMENTS).map(|bits| number(*id, bits)));
            let mut all: Vec<i128> = picked.take(SLOTS).collect();
            all.extend(
                run.steps
                    .iter()
                    .flat_map(|step| program.edge(step.edge).choices.iter().zip(&step.choices))
                    .map(|(scalar, bits)| scalar.number(*bits))
                    .take(SLOTS),
            );
            all.extend(spread(&numbers(program, &[]), VALUES));
            all.extend(all.clone().into_iter().flat_map(|number| [number + 1, number - 1]));
            all.sort_unstable();
            all.dedup();
            all
        });
        let own = scalar.number(old);
        let mut found: Vec<u64> = Vec::new();
        for number in [0, 1, own + 1, own - 1, -1].into_iter().chain(spread(telling, VALUES)) {
            let value = scalar.wrap(number);
            if value != old & scalar.mask() && !found.contains(&value) {
                found.push(value);
            }
        }
        found.truncate(most);
        found
    }

    /// Executes a run from a place on, with this step first, and keeps it if it comes to the correct end. Where something could be otherwise on it, if that is asked for.
    fn follow(&mut self, machine: &Machine<'_>, from: &Place, first: Option<ConcreteStep>, look: bool) -> Vec<Place> {
        let mut place = from.clone();
        let (mut ends, mut lasts, mut seen, mut ways) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut first = first;
        let longest = 2 * self.failing.run.steps.len() + 1_000;
        while place.own.len() <= longest && place.configuration.frames.len() <= MOST_FRAMES {
            if let Some(last) = self.passes_here(machine, &place, first.as_ref()) {
                ends.push(place.kept + place.own.len());
                lasts.push(last);
                // Behind T's last pass nothing is closer.
                if ends.len() >= self.passes || self.failing.ends_with_program {
                    break;
                }
            }
            let is_first = first.is_some();
            let step = match first.take() {
                Some(step) => step,
                None => match self.prepared.onward(machine, &place.configuration, |id| self.executed(&place, id), &mut ways) {
                    Onward::Passes(edge, choices, freed) => {
                        let takes_values = matches!(machine.program().edge(edge).operation, Operation::Call { .. } | Operation::Havoc(_));
                        let choices =
                            (0..machine.program().edge(edge).choices.len()).map(|k| choices.get(k).copied().unwrap_or(0)).collect();
                        ConcreteStep { edge, choices, locals: takes_values.then(|| freed.clone()) }
                    }
                    Onward::Fails(..) | Onward::Nowhere => break,
                },
            };
            let is_open = |edge: &EdgeId| {
                *edge != step.edge && machine.stops(&place.configuration, *edge, &[]).is_none()
                    || !machine.program().edge(*edge).choices.is_empty()
            };
            if look && !is_first && seen.len() < PLACES && machine.shape().out(place.configuration.location).iter().any(is_open) {
                seen.push(Place { taken: Some(step.edge), on_failing: false, ..place.clone() });
            }
            self.steps += 1;
            machine.pass(&mut place.configuration, step.edge, &step.choices, step.locals.as_ref().unwrap_or(const { &Vec::new() }));
            *place.executed.entry(step.edge).or_insert(0) += 1;
            place.own.push(step);
        }
        if !ends.is_empty() {
            self.keep(machine, place, &ends, lasts);
        }
        seen
    }

    /// A run that comes to the correct end before these statements.
    fn keep(&mut self, machine: &Machine<'_>, place: Place, ends: &[usize], mut lasts: Vec<Option<ConcreteStep>>) {
        let mut steps = self.failing.run.steps[..place.kept].to_vec();
        steps.extend(place.own);
        let (initial_globals, initial_locals) = ((*place.initial_globals).clone(), (*place.initial_locals).clone());
        let mut run = ConcreteRun { initial_globals, initial_locals, steps };
        self.steps += run.steps.len() as u64;
        let Some((end, closeness)) = self.failing.closest_end(machine, &run, ends) else { return };
        if self.best.as_ref().is_some_and(|best| best.closeness.order() <= closeness.order()) {
            return;
        }
        run.steps.truncate(end);
        let which = ends.iter().position(|one| *one == end).unwrap_or(0);
        run.steps.extend(lasts.swap_remove(which));
        self.best = Some(CloseRun { run, closeness });
    }

    fn one_other(&mut self, machine: &Machine<'_>, place: &Place) {
        if place.kept + 1 < self.failing.run.steps.len()
            && let Some(last) = self.passes_here(machine, place, None)
        {
            self.keep(machine, place.clone(), &[place.kept], vec![last]);
        }
        for step in self.others(machine, place, VALUES) {
            if self.steps >= self.most {
                return;
            }
            self.follow(machine, place, Some(step), false);
        }
    }

    fn two_others(&mut self, machine: &Machine<'_>, k: usize) {
        let place = self.places[k].clone();
        for step in self.others(machine, &place, VALUES_OF_TWO) {
            if self.steps >= self.most {
                return;
            }
            let seen = self.follow(machine, &place, Some(step), true);
            self.second_others(machine, seen);
        }
    }

    fn second_others(&mut self, machine: &Machine<'_>, seen: Vec<Place>) {
        for second in seen.iter().rev() {
            for step in self.others(machine, second, VALUES_OF_TWO) {
                if self.steps >= self.most {
                    return;
                }
                self.follow(machine, second, Some(step), false);
            }
        }
    }

    /// What T reads of what it starts with.
    fn slots(&self, program: &Program) -> Vec<Slot> {
        let mut read = BTreeSet::new();
        let edges: BTreeSet<EdgeId> = self.failing.run.steps.iter().map(|step| step.edge).collect();
        for id in edges {
            read_by(&program.edge(id).operation, &mut read);
            program.edge(id).checks.iter().for_each(|check| read_in(&check.condition, &mut read));
        }
        let picks = self.failing.picks.first().into_iter().flatten().filter(|(id, _)| read.contains(id));
        let all = picks.flat_map(|(id, values)| {
            let slot =
                |(element, value): (usize, &u64)| Slot { variable: *id, element, scalar: program.variable(*id).scalar, value: *value };
            spread(&values.iter().enumerate().map(slot).collect::<Vec<_>>(), ELEMENTS)
        });
        spread(&all.collect::<Vec<_>>(), SLOTS)
    }

    /// T's start with other values.
    fn start(&self, machine: &Machine<'_>, changed: &[(Slot, u64)]) -> Place {
        let run = &self.failing.run;
        let (mut globals, mut locals) = (run.initial_globals.clone(), run.initial_locals.clone());
        for (slot, value) in changed {
            let variable = machine.program().variable(slot.variable);
            let assignment = if variable.owner.is_none() { &mut globals } else { &mut locals };
            let at = match assignment.iter().position(|(id, _)| *id == slot.variable) {
                Some(at) => at,
                None => {
                    assignment.push((slot.variable, vec![0; variable.elements() as usize]));
                    assignment.len() - 1
                }
            };
            if let Some(place) = assignment[at].1.get_mut(slot.element) {
                *place = *value;
            }
        }
        let configuration = machine.initial(&globals, &locals);
        let (initial_globals, initial_locals) = (Rc::new(globals), Rc::new(locals));
        Place {
            kept: 0,
            own: Vec::new(),
            executed: FxHashMap::default(),
            initial_globals,
            initial_locals,
            configuration,
            taken: None,
            on_failing: false,
        }
    }

    fn other_start(&mut self, machine: &Machine<'_>, k: usize) {
        let slot = self.slots[k];
        for value in self.values(machine.program(), slot.scalar, slot.value, VALUES) {
            if self.steps >= self.most || self.is_nearest_start() {
                return;
            }
            let start = self.start(machine, &[(slot, value)]);
            self.follow(machine, &start, None, false);
        }
    }

    fn two_starts(&mut self, machine: &Machine<'_>, k: usize) {
        let slot = self.slots[k];
        for value in self.values(machine.program(), slot.scalar, slot.value, VALUES_OF_TWO) {
            let start = self.start(machine, &[(slot, value)]);
            let seen = self.follow(machine, &start, None, true);
            self.second_others(machine, seen);
            for other in self.slots[k + 1..].to_vec() {
                for second in self.values(machine.program(), other.scalar, other.value, VALUES_OF_TWO) {
                    if self.steps >= self.most {
                        return;
                    }
                    let start = self.start(machine, &[(slot, value), (other, second)]);
                    self.follow(machine, &start, None, false);
                }
            }
        }
    }
}

fn values_of(configuration: &Configuration) -> usize {
    configuration.globals.iter().chain(configuration.frames.iter().flat_map(|frame| &frame.values)).map(|values| 1 + values.len()).sum()
}
