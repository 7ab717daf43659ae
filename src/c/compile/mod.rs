//! From the typed tree to code.

mod expressions;
mod statements;

use crate::code::{Code, GlobalObject, Native, Number, Op, Passing, ProcedureCode};
use crate::mistake::{Mistake, MistakeKind};
use crate::span::Span;
use crate::tree::{Expr, ExprKind, Initial, ProcedureId, Tree, VariableId};
use crate::types::{Integer, Type};
use rustc_hash::FxHashMap;

type Result<T> = std::result::Result<T, Mistake>;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Home {
    /// Its value is in the slot.
    Slot(u32),
    /// The slot has the address of its object.
    Object(u32),
    /// An object that lives as long as the program.
    Global(u32),
}

struct Compiler<'t> {
    tree: &'t Tree,
    code: Code,
    homes: FxHashMap<VariableId, Home>,
    /// Which procedure a call of this one reaches.
    reached: Vec<Reached>,
    current: ProcedureCode,
    /// Is it one of the library's?
    library: bool,
    /// For `break` and `continue`: jumps to be aimed, innermost last.
    breaks: Vec<Vec<usize>>,
    /// How many blocks are around what `break` leaves, and around what `continue` does.
    levels: Vec<usize>,
    loops: Vec<usize>,
    /// The objects of the blocks around: slot, variable.
    blocks: Vec<Vec<(u32, VariableId)>>,
    continues: Vec<Vec<usize>>,
    switches: Vec<statements::Cases>,
    labels: FxHashMap<String, u32>,
    gotos: Vec<(usize, String, Span)>,
}

/// What a call of a procedure does.
#[derive(Clone, Copy, Debug)]
enum Reached {
    Code(ProcedureId),
    Native(Native),
    Verifier(Verifier),
    Nobody,
}

/// So begin the library's own names of values that nothing decides.
const ANY: &str = "__library_any_";

/// What verifiers' names mean that a program declares and does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verifier {
    /// Any value of the type.
    Choose,
    /// Runs on which the argument is 0 do not count.
    Assume,
    /// The first argument is to hold.
    Assert,
    /// Nothing may come here.
    Error,
    /// What it says is no part of a run.
    Nothing,
}

impl Verifier {
    /// The names of the competition on software verification, of CBMC and of ESBMC.
    fn named(name: &str) -> Option<Verifier> {
        Some(match name {
            "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" => Verifier::Assume,
            "__VERIFIER_assert" | "__CPROVER_assert" | "__ESBMC_assert" | "assert" => {
                Verifier::Assert
            }
            "__CPROVER_precondition" | "__CPROVER_postcondition" => Verifier::Assert,
            "__builtin_assume" => Verifier::Assume,
            "__VERIFIER_error" | "reach_error" | "__assert_fail" | "__builtin_unreachable" => {
                Verifier::Error
            }
            "__CPROVER_input"
            | "__CPROVER_output"
            | "__CPROVER_cover"
            | "__CPROVER_atomic_begin"
            | "__CPROVER_atomic_end"
            | "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__ESBMC_atomic_begin"
            | "__ESBMC_atomic_end"
            | "__ESBMC_yield" => Verifier::Nothing,
            _ if ["__VERIFIER_nondet_", "nondet_", ANY]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                Verifier::Choose
            }
            _ => return None,
        })
    }
}

/// The code of a program. Fails on calls of procedures that nobody defines, and on what the machine
/// does not execute.
pub fn compile(tree: &Tree) -> Result<Code> {
    let mut compiler = Compiler {
        tree,
        code: Code::default(),
        homes: FxHashMap::default(),
        reached: reached(tree),
        current: ProcedureCode::default(),
        library: false,
        breaks: Vec::new(),
        levels: Vec::new(),
        loops: Vec::new(),
        blocks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        labels: FxHashMap::default(),
        gotos: Vec::new(),
    };
    compiler.program()?;
    Ok(compiler.code)
}

/// A declaration without a body means the library's procedure of that name.
fn reached(tree: &Tree) -> Vec<Reached> {
    let mut bodies: FxHashMap<&str, ProcedureId> = FxHashMap::default();
    for (k, procedure) in tree.procedures.iter().enumerate() {
        if procedure.body.is_some() {
            bodies.insert(&procedure.name, ProcedureId(k as u32));
        }
    }
    let one = |(k, procedure): (usize, &crate::tree::Procedure)| {
        if procedure.body.is_some() {
            return Reached::Code(ProcedureId(k as u32));
        }
        match (bodies.get(&*procedure.name), Native::named(&procedure.name)) {
            (Some(id), _) => Reached::Code(*id),
            (None, Some(native)) => Reached::Native(native),
            (None, None) => match Verifier::named(&procedure.name) {
                Some(verifier) => Reached::Verifier(verifier),
                None => Reached::Nobody,
            },
        }
    };
    tree.procedures.iter().enumerate().map(one).collect()
}

impl Compiler<'_> {
    fn program(&mut self) -> Result<()> {
        for (k, variable) in self.tree.variables.iter().enumerate() {
            if variable.global {
                // Declared only: `extern int x;` that nobody defines has the value 0.
                let size = variable.ty.size(&self.tree.records).unwrap_or(8);
                let id = VariableId(k as u32);
                // An array without a length at the end of a struct has as many elements as values.
                let end = |initial: &Initial| {
                    initial.offset + initial.value.ty.size(&self.tree.records).unwrap_or(0)
                };
                let values = self.tree.globals.iter().filter(|(other, _)| *other == id);
                let size = values.flat_map(|(_, list)| list).map(end).fold(size, u64::max);
                self.homes.insert(id, Home::Global(self.code.globals.len() as u32));
                self.code.globals.push(GlobalObject { size, variable: id });
            }
        }
        self.code.procedures = vec![None; self.tree.procedures.len()];
        let native = |reached: &Reached| match reached {
            Reached::Native(native) => Some(*native),
            _ => None,
        };
        self.code.natives = self.reached.iter().map(native).collect();
        for (id, list) in &self.tree.globals {
            let home = self.homes[id];
            self.initial_values(home, list)?;
        }
        self.emit(Op::ReturnNothing);
        for (k, procedure) in self.tree.procedures.iter().enumerate() {
            if procedure.body.is_some() {
                self.procedure(ProcedureId(k as u32))?;
            }
        }
        self.code.main = self.tree.main;
        Ok(())
    }

    fn procedure(&mut self, id: ProcedureId) -> Result<()> {
        let procedure = &self.tree.procedures[id.index()];
        self.library = self.tree.is_library(id);
        self.current = ProcedureCode {
            entry: self.code.ops.len() as u32,
            variadic: procedure.signature.variadic,
            returns: procedure.signature.result != Type::Void,
            ..ProcedureCode::default()
        };
        for variable in &procedure.locals {
            self.local(*variable);
        }
        for variable in &procedure.parameters {
            if !self.homes.contains_key(variable) {
                self.local(*variable);
            }
            let ty = &self.tree.variables[variable.index()].ty;
            let passing = match self.homes[variable] {
                Home::Slot(_) => Passing::Slot,
                _ => match number(ty) {
                    Some(number) => Passing::Number(number),
                    None => Passing::Record(ty.size(&self.tree.records).unwrap_or(0)),
                },
            };
            let (Home::Slot(slot) | Home::Object(slot) | Home::Global(slot)) = self.homes[variable];
            self.current.parameters.push((slot, passing));
        }
        self.labels.clear();
        self.gotos.clear();
        if let Some(body) = &procedure.body {
            self.statement(body)?;
        }
        self.emit(Op::End);
        for (at, name, span) in std::mem::take(&mut self.gotos) {
            match self.labels.get(&name) {
                Some(target) => self.code.ops[at] = Op::Jump(*target),
                None => return Err(Mistake::new(MistakeKind::NoLabel(name), span)),
            }
        }
        self.code.procedures[id.index()] = Some(std::mem::take(&mut self.current));
        Ok(())
    }

    /// Gives a local variable its place.
    fn local(&mut self, id: VariableId) {
        let variable = &self.tree.variables[id.index()];
        let slot = self.current.slots;
        self.current.slots += 1;
        if !variable.addressed {
            self.homes.insert(id, Home::Slot(slot));
            return;
        }
        self.homes.insert(id, Home::Object(slot));
        if let Some(size) = variable.ty.size(&self.tree.records) {
            self.current.objects.push((slot, size, id));
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// Aims the jump at the next operation.
    fn aim(&mut self, at: usize) {
        let target = self.here();
        self.aim_at(at, target);
    }

    fn aim_at(&mut self, at: usize, target: u32) {
        let op = &mut self.code.ops[at];
        *op = match *op {
            Op::JumpIfZero(_) => Op::JumpIfZero(target),
            Op::JumpIfNot(_) => Op::JumpIfNot(target),
            _ => Op::Jump(target),
        };
    }

    /// The parts of a variable take their values.
    fn initial_values(&mut self, home: Home, list: &[Initial]) -> Result<()> {
        for initial in list {
            if let (Home::Slot(slot), 0) = (home, initial.offset) {
                self.value(&initial.value)?;
                self.emit(Op::SetSlot(slot));
                self.emit(Op::Drop);
                continue;
            }
            self.address_of(home);
            self.offset(initial.offset);
            self.value(&initial.value)?;
            match (number(&initial.value.ty), initial.bits) {
                (Some(Number::Integer(integer)), Some((first, width))) => {
                    self.emit(Op::StoreBits(integer, first, width));
                }
                (Some(number), _) => {
                    self.emit(Op::Store(number));
                }
                (None, _) => {
                    let size = self.size(&initial.value.ty, initial.value.span)?;
                    self.emit(Op::Copy(size));
                }
            }
            self.emit(Op::Drop);
        }
        Ok(())
    }

    fn address_of(&mut self, home: Home) {
        match home {
            Home::Slot(slot) | Home::Object(slot) => self.emit(Op::Object(slot)),
            Home::Global(k) => self.emit(Op::Global(k)),
        };
    }

    fn offset(&mut self, offset: u64) {
        if offset != 0 {
            self.emit(Op::Constant(offset));
            self.emit(Op::Element(1));
        }
    }

    fn size(&self, ty: &Type, span: Span) -> Result<u64> {
        ty.size(&self.tree.records)
            .ok_or_else(|| Mistake::new(MistakeKind::Incomplete(ty.name(&self.tree.records)), span))
    }

    /// Leaves the size of a type, which may depend on variables.
    fn push_size(&mut self, ty: &Type, span: Span) -> Result<()> {
        if let Some(size) = ty.size(&self.tree.records) {
            self.emit(Op::Constant(size));
            return Ok(());
        }
        match ty {
            Type::Array(element, crate::types::Length::Variable(k)) => {
                let id = VariableId(*k);
                let Some(Home::Slot(slot)) = self.homes.get(&id).copied() else {
                    let kind = MistakeKind::NotExecuted(
                        "an array whose length another procedure knows".into(),
                    );
                    return Err(Mistake::new(kind, span));
                };
                self.emit(Op::Slot(slot, id));
                self.push_size(element, span)?;
                self.emit(Op::Binary(
                    crate::tree::Binary::Multiply,
                    Number::Integer(Integer::UnsignedLong),
                ));
                Ok(())
            }
            _ => self.size(ty, span).map(|_| ()),
        }
    }
}

/// How a value of the type stands in a cell; `None` for structs, arrays, `void`.
pub(crate) fn number(ty: &Type) -> Option<Number> {
    match ty {
        Type::Integer(integer) => Some(Number::Integer(*integer)),
        Type::Float => Some(Number::Single),
        Type::Double | Type::LongDouble => Some(Number::Double),
        Type::Pointer(_) => Some(Number::Pointer),
        _ => None,
    }
}

/// The procedure that a call names.
fn named_procedure(callee: &Expr) -> Option<ProcedureId> {
    let mut e = callee;
    loop {
        match &e.kind {
            ExprKind::Procedure(id) => return Some(*id),
            ExprKind::Address(inner) | ExprKind::Indirect(inner) => e = inner,
            _ => return None,
        }
    }
}
