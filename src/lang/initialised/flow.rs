//! What may be without a value, at each location: a forward data flow per procedure over its own
//! variables. A variable of the whole run may be without one everywhere, or nowhere.

use super::{Noted, begins_without, is_followed, subject, taken};
use crate::lang::model::{
    Edge, EdgeId, Expression, Operation, Place, ProcedureId, Program, Subject, VariableId,
    VariableKind,
};

/// One bit for each local of a procedure.
type Bits = Vec<u64>;

/// The answer.
pub(super) struct Flow<'a> {
    program: &'a Program,
    noted: &'a Noted,
    /// By variable: may it be without a value at all?
    pub(super) open: Vec<bool>,
    /// By variable: its bit.
    slots: Vec<usize>,
    /// By location; `None` if no run comes there.
    before: Vec<Option<Bits>>,
}

fn has(bits: &[u64], slot: usize) -> bool {
    bits.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
}

fn put(bits: &mut [u64], slot: usize, value: bool) {
    if let Some(word) = bits.get_mut(slot / 64) {
        *word = *word & !(1 << (slot % 64)) | u64::from(value) << (slot % 64);
    }
}

impl<'a> Flow<'a> {
    /// Computes it.
    pub(super) fn of(program: &'a Program, noted: &'a Noted) -> Flow<'a> {
        let open = begins_without(program, noted);
        let mut slots = vec![usize::MAX; program.variables.len()];
        for procedure in &program.procedures {
            for (slot, id) in procedure.locals.iter().enumerate() {
                slots[*id] = slot;
            }
        }
        let before = vec![None; program.locations.len()];
        let mut flow = Flow { program, noted, open, slots, before };
        loop {
            flow.before = vec![None; program.locations.len()];
            for procedure in 0..program.procedures.len() {
                flow.procedure(ProcedureId(procedure as u32));
            }
            if !flow.spread() {
                return flow;
            }
        }
    }

    /// Is it a variable of one procedure, with a bit?
    fn is_local(&self, id: VariableId) -> bool {
        self.program.variable(id).kind != VariableKind::Global
    }

    fn procedure(&mut self, id: ProcedureId) {
        let procedure = self.program.procedure(id);
        let mut first = vec![0; procedure.locals.len().div_ceil(64)];
        for (slot, local) in procedure.locals.iter().enumerate() {
            put(&mut first, slot, self.open[*local]);
        }
        let mut leaving: std::collections::BTreeMap<u32, Vec<EdgeId>> = Default::default();
        for edge in self.program.edge_ids().filter(|edge| self.program.owner(*edge) == id) {
            leaving.entry(self.program.edge(edge).from.0).or_default().push(edge);
        }
        self.before[procedure.entry] = Some(first);
        let mut rest = std::collections::BTreeSet::from([procedure.entry.0]);
        while let Some(location) = rest.pop_first() {
            for edge in leaving.get(&location).into_iter().flatten() {
                let Some(after) = self.after(*edge) else { continue };
                let to = self.program.edge(*edge).to;
                let grown = match &mut self.before[to] {
                    None => {
                        self.before[to] = Some(after);
                        true
                    }
                    Some(known) => {
                        let mut grown = false;
                        for (known, after) in known.iter_mut().zip(after) {
                            grown |= after & !*known != 0;
                            *known |= after;
                        }
                        grown
                    }
                };
                if grown {
                    rest.insert(to.0);
                }
            }
        }
    }

    /// What may be without a value behind the checks of an edge, and for each check whether it can
    /// fail. `None` if no run comes there.
    fn checked(&self, edge: &Edge) -> Option<(Bits, Vec<bool>)> {
        let mut bits = self.before[edge.from].clone()?;
        let mut fails = Vec::with_capacity(edge.checks.len());
        for check in &edge.checks {
            fails.push(match (subject(check), &check.subject) {
                (Some(read), _) => {
                    let id = variable(read);
                    let may = id.is_some_and(|id| self.may_lack(id, &bits));
                    let always = check.condition == Expression::falsity();
                    if let (Expression::Variable(id, _), true) = (read, always && may)
                        && self.is_local(*id)
                    {
                        put(&mut bits, self.slots[*id], false);
                    }
                    may
                }
                (None, Subject::Returned(callee, _)) => self.may_return_none(*callee),
                _ => false,
            });
        }
        Some((bits, fails))
    }

    /// For each check of an edge: is it one of a read that can fail?
    pub(super) fn fails(&self, edge: EdgeId) -> Vec<bool> {
        let edge = self.program.edge(edge);
        self.checked(edge).map_or_else(|| vec![false; edge.checks.len()], |(_, fails)| fails)
    }

    fn may_lack(&self, id: VariableId, bits: &[u64]) -> bool {
        self.open[id] && (!self.is_local(id) || has(bits, self.slots[id]))
    }

    /// May a procedure come to its end without a result?
    pub(super) fn may_return_none(&self, callee: ProcedureId) -> bool {
        let procedure = self.program.procedure(callee);
        let concurrency = &self.program.concurrency;
        !concurrency.has_threads()
            && concurrency.atomic.is_none()
            && procedure.result.is_some_and(|result| {
                let bits = self.before[procedure.exit].as_deref();
                bits.is_some_and(|bits| has(bits, self.slots[result]))
            })
    }

    /// Is the result of its procedure missing behind this edge, perhaps?
    pub(super) fn lacks_result(&self, edge: EdgeId, result: VariableId) -> bool {
        self.after(edge).is_some_and(|bits| has(&bits, self.slots[result]))
    }

    /// May what is stored be no value?
    fn may_be_none(&self, edge: &Edge, value: &Expression, bits: &[u64]) -> bool {
        let mut may = false;
        taken(edge, value, &mut |id| may |= self.may_lack(id, bits));
        may
    }

    /// What may be without a value behind an edge.
    fn after(&self, id: EdgeId) -> Option<Bits> {
        let edge = self.program.edge(id);
        let (mut bits, _) = self.checked(edge)?;
        match &edge.operation {
            Operation::Skip | Operation::Assume(_) => {}
            Operation::Havoc(ids) => {
                for id in ids.iter().filter(|id| self.is_local(**id)) {
                    put(&mut bits, self.slots[*id], self.open[*id]);
                }
            }
            Operation::Call { result, .. } => {
                if let Some(result) = result.filter(|id| self.is_local(*id)) {
                    put(&mut bits, self.slots[result], false);
                }
            }
            Operation::Assign(stores) => {
                let known = bits.clone();
                let is_value = self.noted.stored.contains(&id);
                for (index, (place, value)) in stores.iter().enumerate() {
                    let target = place.variable();
                    if !self.is_local(target) || !self.open[target] {
                        continue;
                    }
                    let lacks = !is_value
                        && (self.noted.unset.contains(&(id, index))
                            || self.may_be_none(edge, value, &known));
                    match place {
                        Place::Variable(_) => put(&mut bits, self.slots[target], lacks),
                        Place::Element(..) if lacks => put(&mut bits, self.slots[target], true),
                        Place::Element(..) => {}
                    }
                }
                for array in self.filled(stores) {
                    let lacks = |(index, (place, value)): (usize, &(Place, Expression))| {
                        place.variable() == array
                            && (self.noted.unset.contains(&(id, index))
                                || self.may_be_none(edge, value, &known))
                    };
                    let lacks = !is_value && stores.iter().enumerate().any(lacks);
                    put(&mut bits, self.slots[array], lacks);
                }
            }
        }
        Some(bits)
    }

    /// The arrays of which these stores write each element.
    fn filled(&self, stores: &[(Place, Expression)]) -> Vec<VariableId> {
        let mut written: std::collections::BTreeMap<VariableId, Vec<u64>> = Default::default();
        for (place, _) in stores {
            if let Place::Element(id, Expression::Constant(bits, _)) = place
                && self.is_local(*id)
            {
                written.entry(*id).or_default().push(*bits);
            }
        }
        let is_filled = |(id, mut indices): (VariableId, Vec<u64>)| {
            indices.sort_unstable();
            indices.dedup();
            let all = self.program.variable(id).elements();
            (indices.len() as u64 == u64::from(all)).then_some(id)
        };
        written.into_iter().filter_map(is_filled).collect()
    }

    /// Variables of the whole run that take what may be no value. True if there is a new one.
    fn spread(&mut self) -> bool {
        let mut new = Vec::new();
        for id in self.program.edge_ids().filter(|id| !self.noted.stored.contains(id)) {
            let edge = self.program.edge(id);
            let Operation::Assign(stores) = &edge.operation else { continue };
            let Some((bits, _)) = self.checked(edge) else { continue };
            for (place, value) in stores {
                let target = place.variable();
                if !self.is_local(target)
                    && !self.open[target]
                    && is_followed(self.program, target)
                    && self.program.variable(target).elements() <= super::MOST_ELEMENTS
                    && self.may_be_none(edge, value, &bits)
                {
                    new.push(target);
                }
            }
        }
        new.iter().for_each(|id| self.open[*id] = true);
        !new.is_empty()
    }
}

/// What a read reads.
pub(super) fn variable(read: &Expression) -> Option<VariableId> {
    match read {
        Expression::Variable(id, _) | Expression::Element(id, ..) => Some(*id),
        _ => None,
    }
}
