//! Concrete runs of DAGs with real traces, executed by the interpreter.

use super::picture::World;
use faultline::analysis::cegar::concrete_trace::concrete_trace;
use faultline::analysis::cegar::dag::{Action, CounterexampleDag};
use faultline::analysis::cegar::interpolants::Interpolants;
use faultline::encode::{Cell, Valuation};
use faultline::lang::interpreter::{Assignment, ConcreteRun, ConcreteStep, replay};
use faultline::lang::model::{Operation, Program, VariableId};

fn assignment(program: &Program, variables: &[VariableId], valuation: &Valuation) -> Assignment {
    let bits = |variable: VariableId| -> Vec<u64> {
        (0..program.variable(variable).elements())
            .map(|element| valuation.get(Cell { variable, element }))
            .collect()
    };
    variables.iter().map(|variable| (*variable, bits(*variable))).collect()
}

/// A DAG that is not spurious has a concrete run, which the interpreter executes: the same check
/// fails, and globals are as claimed before every statement. Its length.
pub(crate) fn expect_replayed(
    world: &mut World,
    dag: &CounterexampleDag,
    interpolants: &Interpolants,
) -> usize {
    let errors = world.system.errors.clone();
    let found =
        concrete_trace(&mut world.concrete(), dag, &interpolants.strongest, &errors).unwrap();
    let run = found.expect("some trace is real");
    let program = &world.program;
    let main = program.procedure(program.main_id());
    let locals: Vec<VariableId> = main.parameters.iter().chain(&main.locals).copied().collect();
    let globals: Vec<VariableId> = program.globals().collect();
    let steps = run.steps.iter().map(|step| {
        let locals = match &program.edge(step.edge).operation {
            Operation::Call { callee, .. } => {
                Some(assignment(program, &program.procedure(*callee).locals, &step.after))
            }
            Operation::Havoc(variables) => Some(assignment(program, variables, &step.after)),
            _ => None,
        };
        ConcreteStep { edge: step.edge, choices: step.choices.clone(), locals }
    });
    let concrete = ConcreteRun {
        initial_globals: assignment(program, &globals, &run.initial),
        initial_locals: assignment(program, &locals, &run.initial),
        steps: steps.collect(),
    };
    let replayed = replay(program, &concrete)
        .unwrap_or_else(|error| panic!("the interpreter refuses the run: {error}"));
    assert_eq!(replayed.failed_check, run.error.check);
    let failing = Action::Fail(run.error.edge, run.error.check);
    assert!(
        dag.edge_ids().any(|id| dag.edge(id).action == failing),
        "the error is one of the DAG's"
    );
    for (executed, claimed) in replayed.steps.iter().zip(&run.steps) {
        for (variable, bits) in
            executed.store.iter().filter(|(variable, _)| globals.contains(variable))
        {
            assert_eq!(
                assignment(program, &[*variable], &claimed.before),
                [(*variable, bits.clone())]
            );
        }
    }
    run.steps.len()
}
