//! The pushdown system of a program: one control location, a stack symbol for each location and for
//! each error.

use crate::lang::model::{EdgeId, LocationId, Operation, ProcedureId, Program};
use crate::pds::{ControlLocation, Pds, Right, Rule, RuleId, StackSymbol};

/// The only control location.
pub const CONTROL: ControlLocation = ControlLocation(0);

/// What a rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleRole {
    /// The edge is executed. For a call: the callee is entered.
    Execute(EdgeId),
    /// The edge's k-th check fails, and all earlier ones hold.
    Fail(EdgeId, usize),
    /// The procedure returns.
    Return(ProcedureId),
}

/// A check whose failure is the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorSite {
    /// The edge that it guards.
    pub edge: EdgeId,
    /// The number of the check.
    pub check: usize,
    /// Its stack symbol.
    pub symbol: StackSymbol,
}

/// Rules and what they mean.
#[derive(Clone, Debug)]
pub struct ProgramSystem {
    /// The rules. Symbols `0..locations` are the program's locations.
    pub pds: Pds,
    /// By rule: its role.
    pub roles: Vec<RuleRole>,
    /// The errors that count.
    pub errors: Vec<ErrorSite>,
    /// By edge: the rule that executes it.
    pub executes: Vec<RuleId>,
    /// By edge: the rules for failures that count.
    pub fails: Vec<Vec<RuleId>>,
    /// By symbol: callees before callers, then along the control flow.
    pub priority: Vec<u32>,
}

impl ProgramSystem {
    /// The system of a program. Only errors on `error_line` count, if given; a run that fails
    /// elsewhere just ends.
    pub fn new(program: &Program, error_line: Option<u32>) -> ProgramSystem {
        let locations = program.locations.len() as u32;
        let mut errors = Vec::new();
        for edge in program.edge_ids() {
            for (check, one) in program.edge(edge).checks.iter().enumerate() {
                if error_line.is_none_or(|line| line == one.line) {
                    errors.push(ErrorSite {
                        edge,
                        check,
                        symbol: StackSymbol(locations + errors.len() as u32),
                    });
                }
            }
        }
        let mut pds = Pds::new(1, locations + errors.len() as u32);
        let mut roles = Vec::new();
        let mut fails = vec![Vec::new(); program.edges.len()];
        for error in &errors {
            let from = program.edge(error.edge).from;
            fails[error.edge].push(pds.add(rule(from, Right::Step(error.symbol))));
            roles.push(RuleRole::Fail(error.edge, error.check));
        }
        let mut executes = Vec::new();
        for id in program.edge_ids() {
            let edge = program.edge(id);
            let right = match &edge.operation {
                Operation::Call { callee, .. } => {
                    Right::Push(symbol(program.procedure(*callee).entry), symbol(edge.to))
                }
                _ => Right::Step(symbol(edge.to)),
            };
            executes.push(pds.add(rule(edge.from, right)));
            roles.push(RuleRole::Execute(id));
        }
        for (k, procedure) in program.procedures.iter().enumerate() {
            pds.add(rule(procedure.exit, Right::Pop));
            roles.push(RuleRole::Return(ProcedureId(k as u32)));
        }
        // An error comes directly behind the location of its check.
        let mut priority = crate::cfg::location_ranks(program);
        priority.extend(
            errors.iter().map(|error| priority[program.edge(error.edge).from]).collect::<Vec<_>>(),
        );
        ProgramSystem { pds, roles, errors, executes, fails, priority }
    }

    /// What a rule means.
    pub fn role(&self, rule: RuleId) -> RuleRole {
        self.roles[rule]
    }
}

/// The stack symbol of a location.
pub fn symbol(location: LocationId) -> StackSymbol {
    StackSymbol(location.0)
}

fn rule(from: LocationId, right: Right) -> Rule {
    Rule { from: CONTROL, symbol: symbol(from), to: CONTROL, right }
}
