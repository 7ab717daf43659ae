//! Affine relations in the program's words.

use crate::analysis::affine::Equality;
use crate::encode::affine::Arithmetic;
use crate::lang::model::{LocationId, Program, ScopeId, VariableId};
use crate::session::AffineSession;
use crate::util::Limit;
use crate::wire::options::EffectiveOptions;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What always holds among the variables, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AffineReport {
    /// `affine`.
    pub analysis: String,
    /// The limit that ended it early: then there are no relations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// In force.
    pub options: EffectiveOptions,
    /// w, if the equalities are modulo 2^w; else they hold for integers that never wrap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulo: Option<u32>,
    /// With threads: they hold in runs with at most so many context switches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// Some condition or expression is not affine, or there are threads: more equalities may hold.
    pub approximate: bool,
    /// In the order of the lines.
    pub relations: Vec<PlaceRelations>,
}

/// What holds before a statement, or where a procedure ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRelations {
    /// 1-based line.
    pub line: u32,
    /// Location number, as in the graph.
    pub location: u32,
    /// Its procedure.
    pub procedure: String,
    /// The statement; empty at the end of a procedure.
    pub statement: String,
    /// Readable equalities, all of which follow from these; `None` if no run comes here.
    pub equalities: Option<Vec<String>>,
}

/// The report of an analysis that is over.
pub fn affine_report(
    program: &Program,
    options: &EffectiveOptions,
    session: &mut AffineSession,
) -> AffineReport {
    let mut report = AffineReport {
        analysis: "affine".to_string(),
        limit: None,
        options: options.clone(),
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
    found.sort_by_key(|place| place.line);
    Ok((found, approximate))
}

fn place(
    program: &Program,
    session: &mut AffineSession,
    (line, location, statement): (u32, LocationId, String),
    variables: &[VariableId],
) -> Result<PlaceRelations, Limit> {
    let equalities = session.equalities_at(location, variables)?;
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

/// Σ terms = constant: `y = 2*x + 1` where the first variable has the coefficient 1 or −1, else
/// `2*y + 4*x = 6`.
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

/// `2*x - y + 1`.
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

/// What the equalities hold for.
pub fn affine_holds_for(report: &AffineReport) -> String {
    let numbers = match report.modulo {
        Some(width) => format!("Modulo 2^{width}"),
        None => "For integers that never wrap".to_string(),
    };
    let numbers = match report.switches {
        Some(1) => format!("{numbers}, with at most 1 context switch"),
        Some(switches) => format!("{numbers}, with at most {switches} context switches"),
        None => numbers,
    };
    let rest = if report.approximate && report.switches.is_some() {
        "threads are put together by hulls, conditions and right sides that are not affine passed over, so more may hold"
    } else if report.approximate {
        "conditions and right sides that are not affine are passed over, so more may hold"
    } else {
        "all that hold follow from these"
    };
    format!("{numbers}; {rest}")
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
