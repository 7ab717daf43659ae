//! A program's pushdown system as a raw one, with names.
//!
//! A symbol gets the name of its procedure and its line, `main@7`. The second location on a line is
//! `main@7'`, the end of a procedure is `main@end`, and a failure on a line is `error@7`. The one
//! control location is `p`.

use crate::encode::{ProgramSystem, RuleRole};
use crate::lang::model::{LocationId, Operation, Program, Span};
use crate::lang::raw::text::is_name;
use crate::lang::raw::{
    ConfigurationSet, Described, RawRule, RawSystem, RawWeights, RightSide, StackExpression,
    StateId, SymbolId,
};
use crate::pds::Right;
use smallvec::smallvec;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The locations at which runs continue after calls.
pub(super) fn return_sites(program: &Program) -> BTreeSet<LocationId> {
    let calls =
        program.edges.iter().filter(|edge| matches!(edge.operation, Operation::Call { .. }));
    calls.map(|edge| edge.to).collect()
}

/// The program's rules with names. The program's start is the initial configuration, its errors are
/// the target.
pub(super) fn named(program: &Program, system: &ProgramSystem) -> RawSystem {
    let entry = SymbolId(program.procedures.get(program.main).map_or(0, |main| main.entry.0));
    RawSystem {
        states: vec!["p".to_string()],
        symbols: symbol_names(program, system),
        weights: RawWeights::Boolean,
        rules: rules(program, system),
        initial: exactly(StackExpression::Symbol(entry)),
        target: errors(program, system),
        atoms: Vec::new(),
    }
}

/// The names that are in use.
#[derive(Default)]
struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name `procedure@place`, with a mark if this name is in use.
    fn make(&mut self, procedure: &str, place: &str) -> String {
        let plain: String = procedure
            .chars()
            .map(|c| if is_name(&c.to_string()) { c } else { '_' })
            .take(60)
            .collect();
        let mut name = format!("{plain}@{place}");
        let mut copies = 1;
        while !self.taken.insert(name.clone()) {
            copies += 1;
            let mark = if copies < 4 { "'".repeat(copies - 1) } else { format!("'{copies}") };
            name = format!("{plain}@{place}{mark}");
        }
        name
    }
}

/// The names of the locations, and after them those of the errors.
fn symbol_names(program: &Program, system: &ProgramSystem) -> Vec<String> {
    let mut names = Names::default();
    let mut first_line: Vec<Option<u32>> = vec![None; program.locations.len()];
    for edge in &program.edges {
        first_line[edge.from.0 as usize].get_or_insert(edge.span.line);
    }
    let mut symbols = Vec::new();
    for (k, location) in program.locations.iter().enumerate() {
        let procedure = program.procedure(location.procedure);
        let line = first_line[k].unwrap_or(location.line).to_string();
        let place = if procedure.exit.0 as usize == k { "end" } else { &line };
        symbols.push(names.make(&procedure.name, place));
    }
    for site in &system.errors {
        let line = program.edge(site.edge).checks.get(site.check).map_or(0, |check| check.line);
        symbols.push(names.make("error", &line.to_string()));
    }
    symbols
}

fn rules(program: &Program, system: &ProgramSystem) -> Vec<RawRule> {
    let rule = |(rule, role): (&crate::pds::Rule, &RuleRole)| RawRule {
        from: StateId(0),
        symbol: SymbolId(rule.symbol.0),
        to: StateId(0),
        right: match rule.right {
            Right::Pop => RightSide::new(),
            Right::Step(top) => smallvec![SymbolId(top.0)],
            Right::Push(top, below) => smallvec![SymbolId(top.0), SymbolId(below.0)],
        },
        weight: 1,
        effect: Rc::default(),
        span: match role {
            RuleRole::Execute(edge) | RuleRole::Fail(edge, _) => program.edge(*edge).span,
            RuleRole::Return(procedure) => {
                let exit = program.procedure(*procedure).exit;
                Span { line: program.location(exit).line, ..Span::default() }
            }
        },
    };
    system.pds.rules().iter().zip(&system.roles).map(rule).collect()
}

/// Every error on any stack of return sites.
fn errors(program: &Program, system: &ProgramSystem) -> ConfigurationSet {
    if system.errors.is_empty() {
        return ConfigurationSet::Described(Vec::new());
    }
    let errors = one_of(system.errors.iter().map(|site| SymbolId(site.symbol.0)).collect());
    let below: Vec<SymbolId> =
        return_sites(program).into_iter().map(|site| SymbolId(site.0)).collect();
    if below.is_empty() {
        return exactly(errors);
    }
    let below = StackExpression::Star(Box::new(one_of(below)));
    exactly(StackExpression::Sequence(vec![errors, below]))
}

/// The configurations with these stacks in the only control location.
fn exactly(stack: StackExpression) -> ConfigurationSet {
    let described = Described { state: StateId(0), stack, span: Span::default() };
    ConfigurationSet::Described(vec![described])
}

fn one_of(symbols: Vec<SymbolId>) -> StackExpression {
    match symbols[..] {
        [one] => StackExpression::Symbol(one),
        _ => StackExpression::Choice(symbols.into_iter().map(StackExpression::Symbol).collect()),
    }
}
