//! Recursion: procedures that can come to a call of themselves, and those that always do.

use super::loops::components;
use crate::lang::model::{Expression, LocationId, Operation, ProcedureId, Program};

/// Can a procedure come to a call of itself?
pub fn is_recursive(program: &Program) -> bool {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.procedures.len()];
    for id in program.edge_ids() {
        if let Operation::Call { callee, .. } = program.edge(id).operation {
            callers[callee.0 as usize].push(program.owner(id).0 as usize);
        }
    }
    let all: Vec<usize> = (0..program.procedures.len()).collect();
    !components(&all, &callers).is_empty()
}

/// Procedures that never return since each of their runs comes to another call of the same
/// procedure: `f(n) { return n * f(n - 1); }`. By their shape alone: conditions may come out either
/// way. Not those of which a run can end elsewhere (`exit`).
///
/// A location is *open* if runs can come to it where a call goes on only if its callee can return:
/// the least set, since a recursion returns only if it can do without itself. Where the exit of `f`
/// is open, what follows the calls of `f` becomes open, too.
pub fn endless_recursions(program: &Program) -> Vec<ProcedureId> {
    let Stuck { mut recursive, .. } = stuck(program);
    recursive.sort_unstable();
    recursive.into_iter().map(|procedure| ProcedureId(procedure as u32)).collect()
}

/// The first procedure that never returns ([`endless_recursions`]) of those that runs come to, if
/// `main` can neither return nor end elsewhere: then a run fails, or it does not end.
pub fn never_ends(program: &Program) -> Option<ProcedureId> {
    let Stuck { procedures, recursive, callers } = stuck(program);
    let main = program.main;
    if !procedures.contains(&main) || recursive.is_empty() {
        return None;
    }
    let mut callees: Vec<Vec<usize>> = vec![Vec::new(); callers.len()];
    for (callee, callers) in callers.iter().enumerate() {
        callers.iter().for_each(|caller| callees[*caller].push(callee));
    }
    let mut comes = vec![false; program.procedures.len()];
    let mut worklist = vec![main];
    while let Some(caller) = worklist.pop() {
        if !std::mem::replace(&mut comes[caller], true) {
            worklist.append(&mut callees[caller]);
        }
    }
    let first = recursive.into_iter().filter(|procedure| comes[*procedure]).min();
    first.map(|procedure| ProcedureId(procedure as u32))
}

/// Procedures of which no run returns or ends elsewhere.
struct Stuck {
    /// They.
    procedures: Vec<usize>,
    /// Those that come to a call of themselves.
    recursive: Vec<usize>,
    /// By procedure: from where runs call it.
    callers: Vec<Vec<usize>>,
}

fn stuck(program: &Program) -> Stuck {
    let mut leaving = vec![Vec::new(); program.locations.len()];
    for id in program.edge_ids() {
        leaving[program.edge(id).from.0 as usize].push(id);
    }
    let count = program.procedures.len();
    let mut is_open = vec![false; program.locations.len()];
    let mut returns = vec![false; count];
    // What follows the calls of a procedure that does not return so far.
    let mut waiting: Vec<Vec<LocationId>> = vec![Vec::new(); count];
    // Procedures in which a run can end, then all that can come to a call of such a one.
    let mut ends = vec![false; count];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut worklist: Vec<LocationId> =
        program.procedures.iter().map(|procedure| procedure.entry).collect();
    while let Some(location) = worklist.pop() {
        if std::mem::replace(&mut is_open[location.0 as usize], true) {
            continue;
        }
        let owner = program.location(location).procedure.0 as usize;
        let edges = &leaving[location.0 as usize];
        if program.procedures[owner].exit == location {
            returns[owner] = true;
            worklist.append(&mut waiting[owner]);
        } else {
            ends[owner] |= edges.is_empty();
        }
        for edge in edges.iter().map(|id| program.edge(*id)) {
            match &edge.operation {
                Operation::Call { callee, .. } => {
                    let callee = callee.0 as usize;
                    callers[callee].push(owner);
                    if returns[callee] {
                        worklist.push(edge.to);
                    } else {
                        waiting[callee].push(edge.to);
                    }
                }
                Operation::Assume(condition) if *condition == Expression::falsity() => {
                    ends[owner] = true;
                }
                _ => worklist.push(edge.to),
            }
        }
    }
    let mut worklist: Vec<usize> = (0..count).filter(|procedure| ends[*procedure]).collect();
    while let Some(procedure) = worklist.pop() {
        for caller in &callers[procedure] {
            if !std::mem::replace(&mut ends[*caller], true) {
                worklist.push(*caller);
            }
        }
    }
    let stuck: Vec<usize> =
        (0..count).filter(|procedure| !returns[*procedure] && !ends[*procedure]).collect();
    let recursive = components(&stuck, &callers).into_iter().flatten().collect();
    Stuck { procedures: stuck, recursive, callers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{Dialect, RequestedOptions};

    fn endless(source: &str) -> Vec<String> {
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        let program = crate::lang::load(source, &requested).program.expect("a program");
        let name = |id: ProcedureId| program.procedure(id).name.clone();
        endless_recursions(&program).into_iter().map(name).collect()
    }

    #[test]
    fn without_an_end_of_the_recursion() {
        let main = "int main(void) { return f(5); }";
        let of = |f: &str| endless(&format!("{f}\n{main}"));
        assert_eq!(of("int f(int n) { return n * f(n - 1); }"), ["f"]);
        assert_eq!(of("int f(int n) { if (n > 3) n = 0; return n * f(n - 1); }"), ["f"]);
        assert_eq!(
            of("int g(int n); int f(int n) { return g(n); } int g(int n) { return f(n - 1); }"),
            ["f", "g"]
        );
    }

    #[test]
    fn programs_of_which_no_run_ends() {
        let f = "int f(int n) { return n * f(n - 1); }";
        let of = |main: &str| {
            let requested =
                RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
            let program = crate::lang::load(&format!("{f} {main}"), &requested).program;
            let program = program.expect("a program");
            never_ends(&program).map(|id| program.procedure(id).name.clone())
        };
        assert_eq!(of("int main(void) { return f(5); }").as_deref(), Some("f"));
        assert_eq!(
            of("int g(void) { return f(2) + 1; } int main(void) { g(); return 0; }").as_deref(),
            Some("f")
        );
        assert_eq!(of("int main(int n) { if (n > 3) return f(5); return 0; }"), None);
        assert_eq!(of("int main(void) { while (1) ; return f(5); }"), None);
        assert_eq!(of("int main(void) { return 0; }"), None);
    }

    #[test]
    fn what_can_return_or_end() {
        let main = "int main(void) { return f(5); }";
        let of = |f: &str| endless(&format!("#include <stdlib.h>\n{f}\n{main}"));
        let none: [&str; 0] = [];
        assert_eq!(of("int f(int n) { if (n == 0) return 1; return n * f(n - 1); }"), none);
        assert_eq!(of("int f(int n) { if (n == 0) exit(1); return n * f(n - 1); }"), none);
        assert_eq!(
            of(
                "void stop(void) { exit(1); } int f(int n) { if (n == 0) stop(); return f(n - 1); }"
            ),
            none
        );
        // A loop without an end is no recursion, and who calls such a procedure is none either.
        assert_eq!(of("int f(int n) { while (1) n = 0; return n; }"), none);
    }
}
