//! The invariant of a program, location by location, in the program's words.
//!
//! A relation between a frame's entry and now is written with the entry's values as `x at entry`.
//! Some variables could be changed by the procedure, but have not been changed at this place. They
//! come first (`x = x at entry`), so that the rest has fewer variables. If the whole relation has
//! no short formula, weaker formulas of parts of it are shown, and marked as weaker.

use crate::analysis::invariant::Invariant;
use crate::bdd::{Bdd, Manager, Var};
use crate::encode::{Cell, Copy, ProgramDomain};
use crate::lang::model::{EdgeId, LocationId, Program, StatementKind, VariableId, VariableKind};
use crate::readable::gone::Gone;
use crate::readable::scope::{is_shown, names_of_values, typed_cells};
use crate::readable::{NamedScalar, readable};
use crate::session::Session;
use crate::util::Bounded;
use crate::util::order::sort_by_key;
use crate::wire::invariant::InvariantReport;

/// Kernel steps for one location's text, in addition to those of the run.
const MORE_STEPS: u64 = 20_000_000;
/// The most parts of a relation that has no short formula.
const MAX_PARTS: usize = 8;

/// The places that are shown: where a statement of the source starts, in the order of the source,
/// and the procedures' ends.
fn places(program: &Program) -> Vec<(LocationId, u32, Option<EdgeId>)> {
    let mut places: Vec<(LocationId, u32, Option<EdgeId>)> = Vec::new();
    for id in program.edge_ids() {
        let edge = program.edge(id);
        if edge.kind != StatementKind::Hidden
            && places.iter().all(|(location, ..)| *location != edge.from)
        {
            places.push((edge.from, edge.span.line, Some(id)));
        }
    }
    for procedure in &program.procedures {
        if places.iter().all(|(location, ..)| *location != procedure.exit) {
            places.push((procedure.exit, program.location(procedure.exit).line, None));
        }
    }
    sort_by_key(&mut places, |(location, line, _)| {
        (program.location(*location).procedure, *line, *location)
    });
    places
}

/// The invariant at every place. Returns `None` unless the run says "safe".
pub fn invariants(session: &mut Session) -> Option<Vec<InvariantReport>> {
    session.proof()?;
    let program = session.shared_program()?;
    let invariant = session.invariant().ok()??;
    let mut all = Vec::new();
    for (location, line, edge) in places(&program) {
        session.allow_more(MORE_STEPS);
        all.push(InvariantReport {
            line,
            ..describe(session, &program, &invariant, location, edge)?
        });
    }
    Some(all)
}

/// The invariant before a statement. Returns `None` unless the run says "safe".
pub fn invariant_at(session: &mut Session, edge: EdgeId) -> Option<InvariantReport> {
    session.proof()?;
    let program = session.shared_program()?;
    let invariant = session.invariant().ok()??;
    session.allow_more(MORE_STEPS);
    describe(session, &program, &invariant, program.edge(edge).from, Some(edge))
}

/// The variables that may be named at a place. Before a statement these are the variables in scope;
/// at a procedure's end, parameters and globals. If several have one name, the innermost one.
pub(in crate::report) fn in_scope(
    program: &Program,
    location: LocationId,
    edge: Option<EdgeId>,
) -> Vec<VariableId> {
    let owner = program.procedure(program.location(location).procedure);
    let all: Vec<VariableId> = match edge {
        Some(edge) => program.scope(program.edge(edge).scope).variables.clone(),
        None => {
            // What every statement of the procedure sees: so no static of a block, and no global
            // that a parameter hides which is a pointer.
            let here = program.location(location).procedure;
            let scopes: Vec<&Vec<VariableId>> = program
                .edge_ids()
                .filter(|id| program.owner(*id) == here)
                .map(|id| &program.scope(program.edge(id).scope).variables)
                .collect();
            let globals = program.globals().filter(|id| scopes.iter().all(|s| s.contains(id)));
            globals.chain(owner.parameters.iter().copied()).collect()
        }
    };
    let hidden = |k: usize| all[k + 1..].iter().any(|later| program.hides(*later, all[k]));
    (0..all.len()).filter(|k| !hidden(*k)).map(|k| all[k]).collect()
}

/// The scalars over one copy.
pub(in crate::report) fn scalars(
    domain: &ProgramDomain,
    program: &Program,
    variables: &[VariableId],
    copy: Copy,
    suffix: &str,
) -> Vec<(Cell, NamedScalar)> {
    let named = variables.iter().flat_map(|variable| typed_cells(program, *variable));
    named
        .filter(|(_, cell, _)| is_shown(program, *cell))
        .map(|(name, cell, scalar)| {
            (
                cell,
                NamedScalar {
                    name: format!("{name}{suffix}"),
                    scalar,
                    bits: domain.layout.cell(cell, copy),
                    values: names_of_values(program, cell.variable),
                    wraps: false,
                },
            )
        })
        .collect()
}

fn describe(
    session: &mut Session,
    program: &Program,
    invariant: &Invariant,
    location: LocationId,
    edge: Option<EdgeId>,
) -> Option<InvariantReport> {
    let owner = program.location(location).procedure;
    let domain = session.domain()?;
    let (formula, exact) = formula_at(domain, program, invariant, location, edge)
        .unwrap_or_else(|_| ("true".to_string(), false));
    let line = edge.map_or(program.location(location).line, |edge| program.edge(edge).span.line);
    Some(InvariantReport { line, procedure: program.procedure(owner).name.clone(), formula, exact })
}

/// R_n as a formula, and whether it is all of R_n over the variables in scope.
fn formula_at(
    domain: &mut ProgramDomain,
    program: &Program,
    invariant: &Invariant,
    location: LocationId,
    edge: Option<EdgeId>,
) -> Bounded<(String, bool)> {
    let owner = program.location(location).procedure;
    let scope = in_scope(program, location, edge);
    let now = scalars(domain, program, &scope, Copy::Now, "");
    let outside = |variable: &VariableId| {
        matches!(program.variable(*variable).kind, VariableKind::Global | VariableKind::Parameter)
    };
    let named: Vec<VariableId> = scope.iter().copied().filter(outside).collect();
    let tracked = invariant.tracked(owner);
    let entry: Vec<(Cell, NamedScalar)> =
        scalars(domain, program, &named, Copy::Entry, " at entry")
            .into_iter()
            .filter(|(cell, _)| tracked.contains(cell))
            .collect();

    // Quantifies everything that has no name here.
    let shown: Vec<Var> =
        now.iter().chain(&entry).flat_map(|(_, scalar)| scalar.bits.iter().copied()).collect();
    let relation = invariant.in_full(domain, program, location)?;
    let unnamed: Vec<Var> = domain
        .kernel
        .support(relation)
        .into_iter()
        .filter(|level| !shown.contains(level))
        .collect();
    let unnamed = domain.kernel.var_set(&unnamed);
    let mut rest = domain.kernel.exists(relation, unnamed)?;
    for copy in [Copy::Now, Copy::Entry] {
        rest = Gone::of(domain, program, copy).free(&mut domain.kernel, rest)?;
    }
    if rest.is_false() {
        return Ok(("false".to_string(), true));
    }
    let kernel = &mut domain.kernel;
    let mut parts = Vec::new();
    let mut left: Vec<NamedScalar> = now.iter().map(|(_, scalar)| scalar.clone()).collect();
    for (cell, before) in &entry {
        let Some((_, after)) = now.iter().find(|(other, _)| other == cell) else { continue };
        let (a, b) = (before.vector(kernel)?, after.vector(kernel)?);
        let same = a.equal(kernel, &b)?;
        if kernel.is_subset(rest, same)? {
            parts.push(format!("{} = {}", after.name, before.name));
            let gone = kernel.var_set(&before.bits);
            rest = kernel.exists(rest, gone)?;
        } else {
            left.push(before.clone());
        }
    }
    let whole = readable(kernel, rest, &left, &[]);
    if whole.exact {
        if whole.text != "true" {
            parts.insert(0, if parts.is_empty() { whole.text } else { bracketed(&whole.text) });
        }
        return Ok((joined(&parts), true));
    }
    // First the store now alone; if that has no short formula, each variable by itself.
    let entries: Vec<Var> =
        entry.iter().flat_map(|(_, scalar)| scalar.bits.iter().copied()).collect();
    let entries = kernel.var_set(&entries);
    let stores = kernel.exists(rest, entries)?;
    let now: Vec<NamedScalar> = now.into_iter().map(|(_, scalar)| scalar).collect();
    let here = readable(kernel, stores, &now, &[]);
    if here.exact && here.text != "true" {
        parts.insert(0, bracketed(&here.text));
        return Ok((joined(&parts), false));
    }
    let mut ranges = ranges(kernel, rest, &left)?;
    ranges.extend(parts);
    Ok((joined(&ranges), false))
}

/// What holds of the store now, before a statement, over the variables in scope. If this has no
/// short formula, a weaker one.
pub(in crate::report) fn stores_at(
    session: &mut Session,
    location: LocationId,
    edge: Option<EdgeId>,
) -> Option<String> {
    let invariant = session.invariant().ok()??;
    session.allow_more(MORE_STEPS);
    let program = session.shared_program()?;
    let domain = session.domain()?;
    let now: Vec<NamedScalar> =
        scalars(domain, &program, &in_scope(&program, location, edge), Copy::Now, "")
            .into_iter()
            .map(|(_, scalar)| scalar)
            .collect();
    let relation = invariant.in_full(domain, &program, location).ok()?;
    let kernel = &mut domain.kernel;
    let found = |kernel: &mut Manager| {
        let shown: Vec<Var> = now.iter().flat_map(|scalar| scalar.bits.iter().copied()).collect();
        let unnamed: Vec<Var> =
            kernel.support(relation).into_iter().filter(|level| !shown.contains(level)).collect();
        let unnamed = kernel.var_set(&unnamed);
        let stores = kernel.exists(relation, unnamed)?;
        let whole = readable(kernel, stores, &now, &[]);
        if whole.exact {
            Ok(whole.text)
        } else {
            ranges(kernel, stores, &now).map(|parts| joined(&parts))
        }
    };
    Some(found(kernel).unwrap_or_else(|_: crate::util::Limit| "true".to_string()))
}

/// What holds of single variables.
fn ranges(kernel: &mut Manager, relation: Bdd, scalars: &[NamedScalar]) -> Bounded<Vec<String>> {
    let mut ranges = Vec::new();
    for scalar in scalars {
        let others: Vec<Var> = kernel
            .support(relation)
            .into_iter()
            .filter(|level| !scalar.bits.contains(level))
            .collect();
        let others = kernel.var_set(&others);
        let one = kernel.exists(relation, others)?;
        let range = readable(kernel, one, std::slice::from_ref(scalar), &[]);
        if range.exact && range.text != "true" && ranges.len() < MAX_PARTS {
            ranges.push(bracketed(&range.text));
        }
    }
    Ok(ranges)
}

/// The text in parentheses, if another connective could split it.
fn bracketed(text: &str) -> String {
    if text.contains('∨') || text.contains('→') {
        format!("({text})")
    } else {
        text.to_string()
    }
}

fn joined(parts: &[String]) -> String {
    if parts.is_empty() { "true".to_string() } else { parts.join(" ∧ ") }
}
