//! From the typed tree to code.

mod expressions;
mod jumps;
mod statements;

use super::code::{Code, Handler, MethodCode, Op, Point, PointId, Table, TypeId};
use super::natives::Native;
use super::value::{Kind, NULL, Value};
use crate::mistake::{Mistake, Read, not_read};
use crate::span::Span;
use crate::typed::{Class, ClassId, FieldId, LocalId, Method, MethodId, Program, Type};
use jumps::Context;
use rustc_hash::FxHashMap;

/// So many operations has a program: blocks of `finally` are written out at each way out.
const MOST_OPS: usize = 1 << 20;

/// Compiles a program that was read by [`crate::read_exact`].
pub fn compile(program: &Program) -> Result<Code, Mistake> {
    let mut compiler = Compiler::new(program);
    compiler.prologue();
    for k in 0..program.methods.len() as u32 {
        compiler.method(MethodId(k))?;
    }
    Ok(compiler.code)
}

/// The places of the fields of each class's objects, those of the class above first.
fn layout(program: &Program, class: ClassId) -> Vec<FieldId> {
    let mut classes = Vec::new();
    let mut next = Some(class);
    while let Some(at) = next {
        classes.push(at);
        next = program.classes[at.index()].superclass;
    }
    classes.iter().rev().flat_map(|at| program.classes[at.index()].fields.iter().copied()).collect()
}

struct Compiler<'p> {
    program: &'p Program,
    code: Code,
    /// Where a field is in its object.
    places: Vec<u32>,
    types: FxHashMap<Type, TypeId>,
    texts: FxHashMap<String, u32>,
    contexts: Vec<Context<'p>>,
    handlers: Vec<Handler>,
    method: MethodId,
    slots: u32,
    /// Expressions whose value statements give stand around.
    inside_value: u32,
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program) -> Compiler<'p> {
        let mut places = vec![0; program.fields.len()];
        let mut layouts = Vec::new();
        for (k, class) in program.classes.iter().enumerate() {
            let fields = layout(program, ClassId(k as u32));
            for (place, field) in fields.iter().enumerate() {
                places[field.index()] = place as u32;
            }
            let zero = |f: &FieldId| Kind::of(&program.fields[f.index()].ty).zero();
            let mut layout: Vec<Value> = fields.iter().map(zero).collect();
            if class.constants.is_some() {
                layout.push(Value::Int(0));
            }
            layouts.push(layout);
        }
        let start = &program.methods[program.start.index()];
        let code = Code {
            ops: Vec::new(),
            methods: Vec::new(),
            points: Vec::new(),
            texts: Vec::new(),
            types: Vec::new(),
            tables: Vec::new(),
            lists: Vec::new(),
            layouts,
            takes_arguments: !start.parameters.is_empty(),
            texts_type: TypeId(0),
        };
        let mut compiler = Compiler {
            program,
            code,
            places,
            types: FxHashMap::default(),
            texts: FxHashMap::default(),
            contexts: Vec::new(),
            handlers: Vec::new(),
            method: program.start,
            slots: 0,
            inside_value: 0,
        };
        compiler.code.texts_type = compiler.type_id(&Type::Array(Box::new(Type::String)));
        compiler
    }

    /// What runs first: operation 0 ends a call of what runs when a class is first used.
    fn prologue(&mut self) {
        let start = self.program.start;
        let class = self.program.methods[start.index()].class;
        self.emit(Op::Used);
        self.emit(Op::Use(class));
        if self.code.takes_arguments {
            let texts = self.code.texts_type;
            self.emit(Op::ArrayOf(texts, 0));
        }
        self.emit(Op::Call(start));
        self.emit(Op::Constant(Value::Int(0)));
        self.emit(Op::Exit);
    }

    fn method(&mut self, id: MethodId) -> Read<()> {
        let method: &'p Method = &self.program.methods[id.index()];
        let has_object = u32::from(!method.is_static);
        self.method = id;
        self.slots = has_object + method.locals.len() as u32;
        self.contexts.clear();
        let start = self.pc();
        let native = match method.is_native {
            true => Some(self.native(method)?),
            false => None,
        };
        if let Some(body) = &method.body {
            for statement in body {
                self.statement(statement)?;
            }
            self.emit(Op::Return);
        } else {
            // Nothing leads here: what cannot run has no code.
            self.emit(Op::Constant(NULL));
            self.emit(Op::Throw);
        }
        let given = method.parameters.len();
        self.code.methods.push(MethodCode {
            start,
            parameters: has_object + given as u32,
            slots: self.slots,
            handlers: std::mem::take(&mut self.handlers),
            targets: method.targets.iter().copied().collect(),
            native,
            gives: method.result != Type::Void,
            has_object: !method.is_static,
        });
        Ok(())
    }

    /// What a method without a body does.
    fn native(&self, method: &Method) -> Read<Native> {
        let class = &self.program.classes[method.class.index()].name;
        match Native::named(class, &method.name) {
            Some(native) => Ok(native),
            None => not_read(method.span, format!("`{class}.{}`", method.name)),
        }
    }

    fn class(&self, id: ClassId) -> &'p Class {
        &self.program.classes[id.index()]
    }

    fn slot(&self, local: LocalId) -> u32 {
        local.0 + u32::from(!self.program.methods[self.method.index()].is_static)
    }

    /// A slot that no variable has.
    fn fresh_slot(&mut self) -> u32 {
        self.slots += 1;
        self.slots - 1
    }

    fn pc(&self) -> u32 {
        self.code.ops.len() as u32
    }

    fn emit(&mut self, op: Op) -> usize {
        self.code.ops.push(op);
        self.code.ops.len() - 1
    }

    /// A jump whose target is not known yet.
    fn jump(&mut self, jump: impl Fn(u32) -> Op) -> usize {
        self.emit(jump(u32::MAX))
    }

    /// The jump leads to what follows.
    fn land(&mut self, jump: usize) {
        let here = self.pc();
        match &mut self.code.ops[jump] {
            Op::Jump(target) | Op::JumpIfFalse(target) | Op::JumpIfTrue(target) => *target = here,
            _ => {}
        }
    }

    fn in_bounds(&self, span: Span) -> Read<()> {
        match self.code.ops.len() > MOST_OPS {
            true => not_read(span, "a program of this size"),
            false => Ok(()),
        }
    }

    /// A place that is stepped to, if it is one of the program's own text.
    fn point(&mut self, span: Span) {
        let class = self.program.methods[self.method.index()].class;
        if span.line == 0 || self.class(class).is_library {
            return;
        }
        let id = PointId(self.code.points.len() as u32);
        self.code.points.push(Point { span, method: self.method });
        self.emit(Op::Point(id));
    }

    fn type_id(&mut self, ty: &Type) -> TypeId {
        if let Some(known) = self.types.get(ty) {
            return *known;
        }
        let id = TypeId(self.code.types.len() as u32);
        self.code.types.push(ty.clone());
        self.types.insert(ty.clone(), id);
        // Elements have types, too.
        if let Type::Array(element) = ty {
            self.type_id(element);
        }
        id
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let id = self.code.texts.len() as u32;
        self.code.texts.push(text.to_string());
        self.texts.insert(text.to_string(), id);
        id
    }

    /// What runs when a class is first used, unless it surely has.
    fn use_class(&mut self, class: ClassId) {
        let own = self.program.methods[self.method.index()].class;
        let mut next = Some(class);
        let mut has_any = false;
        while let Some(at) = next {
            has_any |= self.class(at).initializer.is_some();
            next = self.class(at).superclass;
        }
        if has_any && !self.program.is_below(own, class) {
            self.emit(Op::Use(class));
        }
    }

    fn table(&mut self) -> u32 {
        self.code.tables.push(Table::default());
        (self.code.tables.len() - 1) as u32
    }
}
