//! Predicates that the user gives the loop before it begins: `X = 0@12`, `X even@everywhere`.

use crate::analysis::cegar::dag::DagPoint;
use crate::analysis::cegar::predicates::ProgramPoint;
use crate::lang::model::LocationId;
use crate::readable::place_scalars;
use crate::readable::predicate::{PredicateError, parse};
use crate::session::CegarSession;

/// Gives the loop a predicate. Returns the number of locations that got it. The error says what is
/// wrong with the text.
pub fn seed(session: &mut CegarSession, text: &str) -> Result<usize, String> {
    let Some((expression, place)) = text.rsplit_once('@') else {
        return Err(format!("`{text}` names no place: write EXPR@LINE or EXPR@everywhere"));
    };
    let line =
        match place.trim() {
            "everywhere" => None,
            number => Some(number.parse::<u32>().map_err(|_| {
                format!("`{number}` is no line: write EXPR@LINE or EXPR@everywhere")
            })?),
        };
    let program = std::rc::Rc::clone(session.program());
    let Some(cegar) = session.cegar_mut() else { return Ok(0) };
    let mut places: Vec<LocationId> = Vec::new();
    for edge in program.edges.iter().filter(|edge| line.is_none_or(|line| edge.span.line == line)) {
        if !places.contains(&edge.from) {
            places.push(edge.from);
        }
    }
    if places.is_empty() {
        return Err(format!("no statement starts on line {}", line.unwrap_or(0)));
    }
    let (mut given, mut unknown) = (0, None);
    for location in places {
        let procedure = program.location(location).procedure;
        let abstracted = cegar.abstracted();
        let scalars = place_scalars(
            &program,
            &abstracted.domain,
            procedure,
            DagPoint::Location(location),
            true,
        );
        match parse(&mut abstracted.domain.kernel, expression.trim(), &scalars) {
            Ok(formula) => {
                given += usize::from(cegar.seed(ProgramPoint::Location(location), formula))
            }
            // The name is not in scope here, but it may be in scope elsewhere.
            Err(error @ PredicateError::UnknownName(..)) => unknown = Some(error.to_string()),
            Err(error) => return Err(format!("`{expression}` is no predicate: {error}")),
        }
    }
    match unknown {
        Some(complaint) if given == 0 => {
            Err(format!("`{expression}` is no predicate: {complaint}"))
        }
        _ => Ok(given),
    }
}
