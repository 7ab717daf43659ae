//! Affine relations in the program's words.

use crate::analysis::affine::Equality;
use crate::encode::affine::Arithmetic;
use crate::lang::model::{LocationId, Program, ScopeId, VariableId};
use crate::session::AffineSession;
use crate::util::Limit;
use crate::util::order::sort_by_key;
use crate::wire::affine::{AffineReport, PlaceRelations};
use crate::wire::options::EffectiveOptions;
use crate::wire::report::Analysis;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::fmt::Write;

/// The report of an analysis that is over.
pub fn affine_report(
    program: &Program,
    options: &EffectiveOptions,
    session: &mut AffineSession,
) -> AffineReport {
    let mut report = AffineReport {
        analysis: Analysis::Affine,
        limit: None,
        options: options.clone(),
        width: options.width(),
        modulo: match session.arithmetic() {
            Arithmetic::Modulo(width) => Some(width),
            Arithmetic::Unbounded => None,
        },
        switches: session.switches(),
        approximate: false,
        relations: Vec::new(),
    };
    match relations(program, session) {
        Ok((relations, approximate)) => {
            report.relations = relations;
            report.approximate = approximate;
        }
        Err(limit) => report.limit = Some(limit),
    }
    report
}

fn relations(
    program: &Program,
    session: &mut AffineSession,
) -> Result<(Vec<PlaceRelations>, bool), Limit> {
    let approximate = session.is_approximate()?;
    let mut places: Vec<(u32, LocationId, ScopeId, String)> = Vec::new();
    for edge in program.edges.iter().filter(|edge| edge.is_statement()) {
        if !places.iter().any(|(_, from, ..)| *from == edge.from) {
            places.push((edge.span.line, edge.from, edge.scope, edge.text.clone()));
        }
    }
    let mut ends: Vec<(u32, LocationId)> =
        program.procedures.iter().map(|p| (program.location(p.exit).line, p.exit)).collect();
    ends.retain(|(line, _)| *line > 0);
    let mut found = Vec::new();
    for (line, location, scope, statement) in places {
        let variables = &program.scope(scope).variables;
        found.push(place(program, session, (line, location, statement), variables)?);
    }
    for (line, location) in ends {
        let procedure = program.location(location).procedure;
        let own = program.procedure(procedure).parameters.iter().copied();
        let variables: Vec<VariableId> = program
            .globals()
            .filter(|id| !program.variable(*id).name.is_empty())
            .chain(own)
            .collect();
        found.push(place(program, session, (line, location, String::new()), &variables)?);
    }
    sort_by_key(&mut found, |place| place.line);
    Ok((found, approximate))
}

fn place(
    program: &Program,
    session: &mut AffineSession,
    (line, location, statement): (u32, LocationId, String),
    variables: &[VariableId],
) -> Result<PlaceRelations, Limit> {
    let named = |id: &VariableId| program.variable(*id).has_name();
    let variables: Vec<VariableId> = variables.iter().copied().filter(named).collect();
    let equalities = session.equalities_at(location, &variables)?;
    let readable =
        |list: Vec<Equality>| list.iter().map(|equality| sentence(program, equality)).collect();
    Ok(PlaceRelations {
        line,
        location: location.0,
        procedure: program.procedure(program.location(location).procedure).name.clone(),
        statement,
        equalities: equalities.map(readable),
    })
}

fn sentence(program: &Program, equality: &Equality) -> String {
    let terms: Vec<(&str, BigInt)> = equality
        .terms
        .iter()
        .map(|(id, n)| (program.variable(*id).name.as_str(), n.clone()))
        .collect();
    equation(&terms, &equality.constant)
}

/// The text of Σ terms = constant: `y = 2*x + 1` if the first variable has the coefficient 1 or −1,
/// otherwise `2*y + 4*x = 6`.
pub(in crate::report) fn equation(terms: &[(&str, BigInt)], constant: &BigInt) -> String {
    let Some(((first, coefficient), rest)) = terms.split_first() else {
        return format!("0 = {constant}");
    };
    if !coefficient.abs().is_one() {
        return format!("{} = {constant}", linear(terms, &BigInt::zero()));
    }
    let others: Vec<(&str, BigInt)> =
        rest.iter().map(|(name, n)| (*name, -n * coefficient)).collect();
    format!("{first} = {}", linear(&others, &(constant * coefficient)))
}

/// The text of a sum, like `2*x - y + 1`.
fn linear(terms: &[(&str, BigInt)], constant: &BigInt) -> String {
    let mut text = String::new();
    let mut add = |negative: bool, what: &str| {
        let sign = match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let _ = write!(text, "{sign}{what}");
    };
    for (name, factor) in terms {
        let size = factor.abs();
        let term = if size.is_one() { (*name).to_string() } else { format!("{size}*{name}") };
        add(factor.is_negative(), &term);
    }
    if !constant.is_zero() || terms.is_empty() {
        add(constant.is_negative(), &constant.abs().to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums() {
        let n = |n: i32| BigInt::from(n);
        assert_eq!(linear(&[("x", n(2)), ("y", n(-1))], &n(1)), "2*x - y + 1");
        assert_eq!(linear(&[("x", n(-1))], &n(0)), "-x");
        assert_eq!(linear(&[], &n(0)), "0");
        assert_eq!(linear(&[], &n(-4)), "-4");
    }
}
