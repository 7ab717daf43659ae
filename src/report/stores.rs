//! Which stores fail at the statements of a line, and whether a condition can hold there on a
//! failing run.

use crate::bdd::{Bdd, Var};
use crate::encode::{Cell, Copy, Valuation};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::model::{EdgeId, Expression, Program};
use crate::readable::gone::Gone;
use crate::readable::readable;
use crate::readable::scope::{in_scope, own_atoms, scope};
use crate::report::values::bindings;
use crate::session::Session;
use crate::util::Limit;
use crate::wire::report::Values;
use crate::wire::stores::{QueryAnswer, StatementStores, StoresReport};

/// Kernel steps that one question may take in addition to those of the run.
const MORE_STEPS: u64 = 20_000_000;

/// The reason why a question has no answer.
#[derive(Clone, Debug)]
pub enum QueryError {
    /// No statement starts on the line. If there is a nearest line with statements: the line, and
    /// the text of its first one.
    NoStatement(Option<(u32, String)>),
    /// The text is no condition over the variables in scope.
    Condition(Diagnostic),
    /// A limit was hit.
    Unknown(Limit),
    /// The run has not got that far.
    NotKnown,
}

impl From<Limit> for QueryError {
    fn from(limit: Limit) -> QueryError {
        QueryError::Unknown(limit)
    }
}

/// The statements that start on a line, by edge.
pub fn statements_on(program: &Program, line: u32) -> Result<Vec<EdgeId>, QueryError> {
    let statement = |id: &EdgeId| program.stands_at(*id, program.edge(*id).span.line);
    let here: Vec<EdgeId> = program.edge_ids().filter(|id| program.stands_at(*id, line)).collect();
    if !here.is_empty() {
        return Ok(here);
    }
    let nearest = program.edge_ids().filter(statement).min_by_key(|id| {
        let other = program.edge(*id).span.line;
        (other.abs_diff(line), other, *id)
    });
    Err(QueryError::NoStatement(
        nearest.map(|id| (program.edge(id).span.line, program.edge(id).text.clone())),
    ))
}

/// The condition, read at each of these statements where this is possible.
pub fn conditions(
    program: &Program,
    statements: &[EdgeId],
    text: &str,
) -> Result<Vec<Option<Expression>>, QueryError> {
    let read = |id: &EdgeId| crate::lang::parse_condition(program, program.edge(*id).scope, text);
    let mut read: Vec<Result<Expression, Diagnostic>> = statements.iter().map(read).collect();
    match read.iter().position(Result::is_err) {
        Some(first) if read.iter().all(Result::is_err) => {
            Err(QueryError::Condition(read.swap_remove(first).expect_err("it is one")))
        }
        _ => Ok(read.into_iter().map(Result::ok).collect()),
    }
}

/// Which stores fail at a line, and can `condition` hold there on a failing run?
pub fn stores(
    session: &mut Session,
    line: u32,
    condition: Option<&str>,
) -> Result<StoresReport, QueryError> {
    let program = session.shared_program().ok_or(QueryError::NotKnown)?;
    let edges = statements_on(&program, line)?;
    let conditions = match condition {
        Some(text) => conditions(&program, &edges, text)?,
        None => vec![None; edges.len()],
    };
    let mut statements = Vec::new();
    for (edge, condition) in edges.iter().zip(&conditions) {
        statements.push(at_statement(session, &program, *edge, condition.as_ref())?);
    }
    let (formula, count) = match &statements[..] {
        [only] => (only.formula.clone(), only.count.clone()),
        _ => union(session, &program, &edges)?,
    };
    Ok(StoresReport {
        line,
        formula,
        count,
        condition: condition.map(str::to_string),
        possible: condition.map(|_| statements.iter().any(|s| s.possible == Some(true))),
        example: statements.iter().find_map(|s| s.example.clone()),
        statements,
    })
}

/// Can a condition hold before one statement on a failing run?
pub fn query(session: &mut Session, statement: u32, text: &str) -> QueryAnswer {
    let mut answer = QueryAnswer {
        statement,
        condition: text.to_string(),
        possible: None,
        example: None,
        message: String::new(),
        hint: String::new(),
    };
    let asked = match session.shared_program() {
        Some(program) if (statement as usize) < program.edges.len() => {
            ask(session, &program, EdgeId(statement), text)
        }
        _ => Err(QueryError::NotKnown),
    };
    match asked {
        Ok((possible, example)) => (answer.possible, answer.example) = (Some(possible), example),
        Err(QueryError::Condition(diagnostic)) => {
            (answer.message, answer.hint) = (diagnostic.message, diagnostic.hint)
        }
        Err(QueryError::Unknown(limit)) => {
            answer.message = crate::draw::words::limit_sentence(limit).to_string()
        }
        Err(_) => answer.message = "nothing is known of this statement yet".to_string(),
    }
    answer
}

fn ask(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    text: &str,
) -> Result<(bool, Option<Values>), QueryError> {
    let condition = conditions(program, &[edge], text)?
        .swap_remove(0)
        .expect("a condition that reads is there");
    session.allow_more(MORE_STEPS);
    let failing = failing(session, edge)?;
    possible(session, program, edge, failing, &condition)
}

fn failing(session: &mut Session, edge: EdgeId) -> Result<Bdd, QueryError> {
    session.stores(edge)?.and_then(|(_, failing)| failing).ok_or(QueryError::NotKnown)
}

fn at_statement(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    condition: Option<&Expression>,
) -> Result<StatementStores, QueryError> {
    session.allow_more(MORE_STEPS);
    let failing = failing(session, edge)?;
    let (possible, example) = match condition {
        Some(condition) => {
            let (possible, example) = possible(session, program, edge, failing, condition)?;
            (Some(possible), example)
        }
        None => (None, None),
    };
    let domain = session.domain().ok_or(QueryError::NotKnown)?;
    let (scalars, hidden) = scope(domain, program, edge);
    let gone = Gone::of(domain, program, Copy::Now);
    let failing = in_scope(domain, failing, hidden)?;
    let failing = gone.free(&mut domain.kernel, failing)?;
    let mut levels: Vec<Var> = scalars.iter().flat_map(|s| s.bits.iter().copied()).collect();
    levels.sort();
    let told_apart = gone.told_apart(&mut domain.kernel, failing)?;
    let count = domain.kernel.sat_count(told_apart, &levels).to_string();
    let own = own_atoms(&mut domain.kernel, program, edge, &scalars);
    let formula = readable(&mut domain.kernel, failing, &scalars, &own).text;
    let (statement, outcome) =
        (program.edge(edge).text.clone(), program.edge(edge).outcome.clone());
    Ok(StatementStores { statement, outcome, formula, count, possible, example })
}

/// Is there a failing store in which the condition holds? The example is evaluated by the
/// interpreter, which shares no code with the diagrams.
fn possible(
    session: &mut Session,
    program: &Program,
    edge: EdgeId,
    failing: Bdd,
    condition: &Expression,
) -> Result<(bool, Option<Values>), QueryError> {
    let domain = session.domain().ok_or(QueryError::NotKnown)?;
    let holds = domain.condition(condition)?;
    let both = domain.kernel.and(failing, holds)?;
    let cells: Vec<Cell> = domain.visible(program.owner(edge));
    let chosen: Vec<(Cell, Copy)> = cells.iter().map(|cell| (*cell, Copy::Now)).collect();
    let Some(model) = domain.pick(both, &chosen) else { return Ok((false, None)) };
    let store = Valuation(model.into_iter().map(|((cell, _), bits)| (cell, bits)).collect());
    debug_assert!(
        session.holds_in(edge, condition, &store),
        "the interpreter evaluates the condition otherwise"
    );
    if !session.holds_in(edge, condition, &store) {
        return Err(QueryError::NotKnown);
    }
    Ok((true, Some(Values(bindings(program, edge, &store)))))
}

/// The stores that fail at one of these statements, over the variables in scope at all of them. If
/// all belong to one procedure and scope, this is the union.
fn union(
    session: &mut Session,
    program: &Program,
    edges: &[EdgeId],
) -> Result<(String, String), QueryError> {
    session.allow_more(MORE_STEPS);
    let shared = |edge: &EdgeId| program.scope(program.edge(*edge).scope).variables.clone();
    let least =
        edges.iter().copied().min_by_key(|edge| shared(edge).len()).ok_or(QueryError::NotKnown)?;
    let in_all =
        |id: &crate::lang::model::VariableId| edges.iter().all(|edge| shared(edge).contains(id));
    let common: Vec<crate::lang::model::VariableId> =
        shared(&least).into_iter().filter(in_all).collect();
    let mut any = Bdd::FALSE;
    for edge in edges {
        let failing = failing(session, *edge)?;
        let domain = session.domain().ok_or(QueryError::NotKnown)?;
        let visible = domain.visible(program.owner(*edge));
        let others: Vec<Cell> =
            visible.into_iter().filter(|cell| !common.contains(&cell.variable)).collect();
        let others = domain.kernel.var_set(&domain.layout.cells_levels(&others, Copy::Now));
        let failing = in_scope(domain, failing, others)?;
        any = domain.kernel.or(any, failing)?;
    }
    let domain = session.domain().ok_or(QueryError::NotKnown)?;
    let (mut scalars, _) = scope(domain, program, least);
    let levels: Vec<Var> = common
        .iter()
        .flat_map(|id| domain.layout.cells(*id))
        .flat_map(|cell| domain.layout.cell(cell, Copy::Now))
        .collect();
    scalars.retain(|s| s.bits.iter().all(|bit| levels.contains(bit)));
    let gone = Gone::of(domain, program, Copy::Now);
    any = gone.free(&mut domain.kernel, any)?;
    let told_apart = gone.told_apart(&mut domain.kernel, any)?;
    let count = domain.kernel.sat_count(told_apart, &levels).to_string();
    let own = own_atoms(&mut domain.kernel, program, least, &scalars);
    Ok((readable(&mut domain.kernel, any, &scalars, &own).text, count))
}
