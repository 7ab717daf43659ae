//! C: where a text has no `main`, each procedure that no other one calls may start a run, with any
//! arguments.

use super::current::Current;
use super::elaborator::Elaborator;
use super::file::unknown_addresses;
use super::signature::Role;
use crate::lang::lowering::graph::Looks;
use crate::lang::model::{Operation, Procedure, ProcedureId, Span, StatementKind};
use crate::lang::syntax::{Block, Function};
use rustc_hash::FxHashSet;

/// How the procedure is called that picks where a run starts. No person can write such a name.
const START: &str = "any procedure";

impl Elaborator<'_> {
    /// The procedures that may start a run; none if there is a `main`, or only one procedure.
    /// Every procedure is one of them or can be called by one.
    pub(super) fn starts(&mut self, bodies: &[(&Function, &Block)]) -> Vec<ProcedureId> {
        let own: Vec<usize> = (0..bodies.len()).filter(|at| !bodies[*at].0.shared).collect();
        let has_main = bodies.iter().any(|(function, _)| function.name.text == "main");
        if !self.c || has_main || self.threads.any || own.len() < 2 {
            return Vec::new();
        }
        let name = |at: usize| bodies[at].0.name.text.as_str();
        let callers = |callee: &str| {
            self.survey.callers.get(callee).into_iter().flatten().map(|(caller, _)| caller.as_str())
        };
        let mut found: Vec<usize> = Vec::new();
        let mut reached: FxHashSet<&str> = FxHashSet::default();
        // First those that nobody else calls; then one of each circle that is left.
        for circles in [false, true] {
            for at in &own {
                let is_start = match circles {
                    false => callers(name(*at)).all(|caller| caller == name(*at)),
                    true => !reached.contains(name(*at)),
                };
                if !is_start {
                    continue;
                }
                found.push(*at);
                reached.insert(name(*at));
                loop {
                    let next = (0..bodies.len()).map(name).find(|callee| {
                        !reached.contains(callee)
                            && callers(callee).any(|caller| reached.contains(caller))
                    });
                    match next {
                        Some(next) => reached.insert(next),
                        None => break,
                    };
                }
            }
        }
        found.sort_unstable();
        let mut starts = Vec::new();
        for at in found {
            let function = bodies[at].0;
            let addresses = unknown_addresses(function);
            starts.extend(self.copy_of(at, addresses, Role::Procedure, function.name.span));
        }
        if starts.len() < 2 { Vec::new() } else { starts }
    }

    /// Adds the procedure that picks one of these and calls it.
    pub(super) fn pick_start(&mut self, starts: Vec<ProcedureId>) {
        if starts.is_empty() {
            return;
        }
        let id = ProcedureId(self.program.procedures.len() as u32);
        self.current = Current { id: id.0, name: START.to_string(), ..Current::default() };
        let entry = self.graph.start(id);
        let exit = self.graph.fresh();
        self.graph.exit = exit;
        let looks = |span: Span| Looks { kind: StatementKind::Hidden, span, text: String::new() };
        let first = self.program.procedure(starts[0]).span;
        self.emit(Operation::Skip, looks(first));
        let from = self.graph.here();
        for callee in &starts {
            let procedure = self.program.procedure(*callee);
            let (span, parameters) = (procedure.span, procedure.parameters.clone());
            self.graph.current = Some(from);
            self.emit(Operation::Skip, looks(span));
            let mut arguments = Vec::new();
            for parameter in parameters {
                let scalar = self.program.variable(parameter).scalar;
                arguments.push(self.choice(scalar));
            }
            let call = Operation::Call { callee: *callee, arguments, result: None };
            self.emit_to(call, looks(span), exit);
        }
        self.graph.current = None;
        self.graph.set_line(exit, first.line);
        let locals = std::mem::take(&mut self.current).locals;
        self.program.main = self.program.procedures.len();
        self.program.procedures.push(Procedure {
            name: START.to_string(),
            parameters: Vec::new(),
            locals,
            result: None,
            entry,
            exit,
            span: first,
        });
        self.program.starts = starts;
    }
}
