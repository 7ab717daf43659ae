//! A method is written: its statements so far, and what stands around the one that is written.

use super::build::{
    Spelt, assign, binary, call, choice, effect, exactly, function, label, member, named, not,
    number, span_of, statement, text, truth, unsigned, when,
};
use super::lower::{
    ELEMENTS, LENGTH, Lowering, SOME_TEXT, THIS, THROWN, local_declaration, local_names,
    plain_function, start_span,
};
use super::objects::{Held, Refused};
use super::{MAIN, REQUIRED};
use crate::lang::model::Span;
use crate::lang::syntax::{BinaryOp, Expr, Item, PointedType, Statement, StatementKind, TypeName};
use faultline_java::{ClassId, LabelId, MethodId, Type};

/// Where all that is thrown and not caught in `main` ends.
const UNCAUGHT: &str = "uncaught";

/// What stands around a statement.
pub(super) enum Frame {
    /// A loop or a `switch`, in the shared tree too; or a statement with a label.
    Target {
        label: LabelId,
        /// Does a plain `break` lead behind it?
        breaks: bool,
        /// Does a plain `continue` lead to its next turn?
        continues: bool,
        /// Is `break` inside of it written as a jump?
        jumps_behind: bool,
        /// Is `continue`?
        jumps_on: bool,
    },
    /// `try` with `catch`: the label of what catches.
    Catch(String),
    /// `try` with `finally`.
    Finally {
        /// The label of the block.
        label: String,
        /// The variable that says what follows it.
        after: String,
        /// What may follow.
        exits: Vec<Exit>,
    },
}

/// How a statement can end but by its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Throw,
    Return,
    Break(LabelId),
    Continue(LabelId),
}

/// A value that `finally` keeps.
pub(super) const RETURNED: &str = "returned";

/// Writes a method.
pub(super) struct Writer<'l, 'p> {
    pub(super) l: &'l Lowering<'p>,
    pub(super) class: ClassId,
    pub(super) out: Vec<Statement>,
    pub(super) names: Vec<String>,
    pub(super) types: Vec<Type>,
    pub(super) frames: Vec<Frame>,
    pub(super) result: Spelt,
    pub(super) is_main: bool,
    next: u32,
    keeps_result: bool,
    /// Is the value of the assignment that is written next of use?
    pub(super) wanted: bool,
    /// The value that it stored.
    pub(super) last: Option<Expr>,
}

impl<'l, 'p> Writer<'l, 'p> {
    fn new(l: &'l Lowering<'p>, class: ClassId) -> Self {
        Writer {
            l,
            class,
            out: Vec::new(),
            names: Vec::new(),
            types: Vec::new(),
            frames: Vec::new(),
            result: (TypeName::Void, 0),
            is_main: false,
            next: 0,
            keeps_result: false,
            wanted: false,
            last: None,
        }
    }

    /// A method in the shared tree. The start is `main`.
    pub(super) fn method(l: &'l Lowering<'p>, id: MethodId) -> Result<Item, Refused> {
        let program = l.program;
        let method = &program.methods[id.index()];
        let (span, end) = (span_of(method.span), span_of(method.end));
        let mut writer = Writer::new(l, method.class);
        writer.names = local_names(program, id);
        writer.types = method.locals.iter().map(|local| local.ty.clone()).collect();
        writer.result = l.spelt(&method.result);
        writer.is_main = id == program.start && !l.is_called();
        if writer.is_main {
            writer.prologue(id)?;
        }
        if program.classes[method.class.index()].initializer == Some(id) {
            writer.begin_class(method.class, span);
        }
        writer.statements(method.body.as_deref().unwrap_or_default())?;
        if writer.is_main {
            writer.epilogue(end);
        }
        writer.keep_result(span);
        let shared = program.classes[method.class.index()].is_library;
        let statements = std::mem::take(&mut writer.out);
        if writer.is_main {
            // `main` gives nothing back.
            return Ok(function(
                MAIN,
                (TypeName::Void, 0),
                Vec::new(),
                statements,
                (span, end, false),
            ));
        }
        let parameters = l.parameters(id, &writer.names);
        Ok(function(l.name_of(id), writer.result, parameters, statements, (span, end, shared)))
    }

    /// `main` beside a start that the program calls itself.
    pub(super) fn main(l: &'l Lowering<'p>) -> Result<Item, Refused> {
        let id = l.program.start;
        let method = &l.program.methods[id.index()];
        let span = start_span(l.program);
        let mut writer = Writer::new(l, method.class);
        writer.is_main = true;
        writer.names = local_names(l.program, id);
        writer.types = method.locals.iter().map(|local| local.ty.clone()).collect();
        writer.prologue(id)?;
        let mut arguments: Vec<Expr> = Vec::new();
        if !method.is_static {
            arguments.push(named(THIS, span));
        }
        let given = method.parameters.iter();
        arguments.extend(given.map(|local| named(&writer.names[local.index()], span)));
        writer.out.push(effect(call(l.name_of(id), arguments, span)));
        writer.after_call(id, span);
        writer.epilogue(span);
        let statements = std::mem::take(&mut writer.out);
        Ok(plain_function(MAIN, statements, span))
    }

    /// What runs before the start: classes, and its arguments.
    fn prologue(&mut self, id: MethodId) -> Result<(), Refused> {
        let program = self.l.program;
        let method = &program.methods[id.index()];
        let span = span_of(method.span);
        let early = self.l.early(span);
        self.out.extend(early);
        if !method.is_static {
            if !super::objects::fields_of(program, method.class).is_empty() {
                let what = "a start on an object with fields".to_string();
                return Err(Refused { what, span: method.span });
            }
            let made = self.allocated(method.class, span);
            let spelt = self.l.spelt(&Type::Class(method.class));
            self.out.push(local_declaration(THIS, spelt, Some(made), (span, span)));
        }
        self.initialise_fully(method.class, span);
        for local in &method.parameters {
            // Arguments that nothing reads are none.
            let is_separate = self.l.is_called();
            if !is_separate && !super::lower::mentions(method, *local) {
                continue;
            }
            let info = &method.locals[local.index()];
            let text = self.names[local.index()].clone();
            let at = span_of(info.span);
            let spelt = self.l.spelt(&info.ty);
            match &info.ty {
                Type::Array(element) if **element == Type::String => {
                    self.open_arguments(&text, &info.ty, at)?;
                }
                ty if ty.is_numeric() || *ty == Type::Boolean => {
                    self.out.push(local_declaration(&text, spelt, Some(choice(at)), (at, at)));
                }
                ty => {
                    let what = format!("a start with a parameter of type `{}`", self.l.shown(ty));
                    return Err(Refused { what, span: info.span });
                }
            }
        }
        Ok(())
    }

    /// The arguments of `main`: any number of texts.
    fn open_arguments(&mut self, text: &str, ty: &Type, span: Span) -> Result<(), Refused> {
        let made = self.new_array_object(ty, span);
        let spelt = self.l.spelt(ty);
        self.out.push(local_declaration(text, spelt, Some(made), (span, span)));
        let array = || named(text, span);
        let count = self.fresh(self.l.spelt(&Type::Int), Some(choice(span)), span);
        let least = binary(BinaryOp::GreaterEqual, count.clone(), number(0, false, span));
        self.out.push(effect(call("__VERIFIER_assume", vec![least], span)));
        self.out.push(assign(member(array(), LENGTH, span), count, span));
        if self.l.survey.reads_texts {
            let room = self.l.array(ty).map_or(0, |array| array.room);
            let (ty, _) = self.l.spelt(&Type::String);
            for k in 0..room {
                let at = number(i64::from(k), false, span);
                let element = super::build::index(member(array(), ELEMENTS, span), at, span);
                self.out.push(assign(element, exactly(SOME_TEXT, ty, span), span));
            }
        }
        Ok(())
    }

    /// An exception that leaves `main` is an error.
    fn epilogue(&mut self, end: Span) {
        if !self.l.catches {
            return;
        }
        self.out.push(statement(StatementKind::Return(None), end));
        self.out.push(label(UNCAUGHT, end));
        let family = self.l.family(self.l.throwable);
        let thrown = named(THROWN, end);
        for class in &family.made {
            let is = self.l.is_one_of(&thrown, family, &[*class]);
            let name = &self.l.program.classes[class.index()].name;
            self.out.push(effect(call(REQUIRED, vec![not(is), text(name, end)], end)));
        }
    }

    fn keep_result(&mut self, span: Span) {
        if self.keeps_result && self.result.0 != TypeName::Void {
            let made = local_declaration(RETURNED, self.result, None, (span, span));
            self.out.insert(0, made);
        }
    }

    /// Runs what is written into a list of its own.
    pub(super) fn apart<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<(Vec<Statement>, T), Refused> {
        let saved = std::mem::take(&mut self.out);
        let result = write(self);
        let written = std::mem::replace(&mut self.out, saved);
        Ok((written, result?))
    }

    pub(super) fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// A variable that nobody wrote, with a value.
    pub(super) fn fresh(&mut self, spelt: Spelt, value: Option<Expr>, span: Span) -> Expr {
        let text = format!("value {}", self.number());
        self.out.push(local_declaration(&text, spelt, value, (span, span)));
        named(&text, span)
    }

    pub(super) fn cut_off(&mut self, condition: Expr, span: Span) {
        self.out.push(statement(StatementKind::CutOff(condition), span));
    }

    /// The run fails, or an exception is thrown, unless this holds.
    pub(super) fn require(&mut self, holds: Expr, class: &'static str, span: Span) {
        match self.l.implicit.get(class).copied() {
            Some(id) => {
                let thrown = self.apart(|writer| {
                    let value = writer.exception(id, span);
                    writer.out.push(assign(named(THROWN, span), value, span));
                    writer.exit(Exit::Throw, span);
                    Ok(())
                });
                if let Ok((then, ())) = thrown {
                    self.out.push(when(not(holds), then, span));
                }
            }
            None => {
                let given = vec![holds, text(class, span)];
                self.out.push(effect(call(REQUIRED, given, span)));
            }
        }
    }

    /// A new exception of the library.
    fn exception(&mut self, class: ClassId, span: Span) -> Expr {
        self.allocated(class, span)
    }

    /// A new object of a class, without its constructor.
    pub(super) fn allocated(&mut self, class: ClassId, span: Span) -> Expr {
        let family = self.l.family(class);
        match family.held {
            Held::Number { width } => exactly(self.l.number_of(class), unsigned(width), span),
            Held::Pointer { structure, class: tag } => {
                let ty = TypeName::Struct(structure);
                let made = self.calloc(ty, span);
                if let Some(width) = tag {
                    let n = exactly(self.l.number_of(class), unsigned(width), span);
                    let place = member(made.clone(), super::objects::CLASS, span);
                    self.out.push(assign(place, n, span));
                }
                made
            }
        }
    }

    fn calloc(&mut self, ty: TypeName, span: Span) -> Expr {
        let size =
            super::build::expr(crate::lang::syntax::ExprKind::SizeOfType(ty, Vec::new()), span);
        let made = call("calloc", vec![number(1, false, span), size], span);
        let to = PointedType { type_name: ty, pointers: 1, other: false };
        let cast = crate::lang::syntax::ExprKind::PointerCast(to, Box::new(made));
        self.fresh((ty, 1), Some(super::build::expr(cast, span)), span)
    }

    /// A new array of the type, of length 0.
    pub(super) fn new_array_object(&mut self, ty: &Type, span: Span) -> Expr {
        match self.l.array(ty) {
            Some(array) => {
                let ty = TypeName::Struct(array.structure);
                self.calloc(ty, span)
            }
            None => number(0, false, span),
        }
    }

    /// What follows a call of a method that may throw.
    pub(super) fn after_call(&mut self, method: MethodId, span: Span) {
        let targets = &self.l.program.methods[method.index()].targets;
        let throws = self.l.throwing.contains(&method)
            || targets.iter().any(|(_, target)| self.l.throwing.contains(target));
        if throws {
            self.after_throwing(span);
        }
    }

    pub(super) fn after_throwing(&mut self, span: Span) {
        let held = self.l.family(self.l.throwable).held;
        let is_thrown = self.l.not_null(&named(THROWN, span), held);
        let leaves = self.apart(|writer| {
            writer.exit(Exit::Throw, span);
            Ok(())
        });
        if let Ok((then, ())) = leaves {
            self.out.push(when(is_thrown, then, span));
        }
    }

    /// Leaves what stands around the statement, and runs each `finally` on the way.
    pub(super) fn exit(&mut self, exit: Exit, span: Span) {
        // Between it and the target there may be statements for which `break` has its own meaning.
        let mut own_break = true;
        let mut own_continue = true;
        for k in (0..self.frames.len()).rev() {
            match &mut self.frames[k] {
                Frame::Target { label, breaks, continues, jumps_behind, jumps_on } => {
                    let is_own = |other: LabelId| *label == other;
                    match exit {
                        Exit::Break(to) if is_own(to) => {
                            let plain = *breaks && own_break;
                            *jumps_behind |= !plain;
                            let kind = match plain {
                                true => StatementKind::Break,
                                false => StatementKind::Goto(super::build::name(&behind(to), span)),
                            };
                            self.out.push(statement(kind, span));
                            return;
                        }
                        Exit::Continue(to) if is_own(to) => {
                            let plain = *continues && own_continue;
                            *jumps_on |= !plain;
                            let kind = match plain {
                                true => StatementKind::Continue,
                                false => StatementKind::Goto(super::build::name(&on(to), span)),
                            };
                            self.out.push(statement(kind, span));
                            return;
                        }
                        _ => {
                            own_break &= !*breaks;
                            own_continue &= !*continues;
                        }
                    }
                }
                Frame::Catch(label) if exit == Exit::Throw => {
                    let to = super::build::goto(label, span);
                    self.out.push(to);
                    return;
                }
                Frame::Catch(_) => {}
                Frame::Finally { label, after, exits } => {
                    let position = match exits.iter().position(|known| *known == exit) {
                        Some(position) => position,
                        None => {
                            exits.push(exit);
                            exits.len() - 1
                        }
                    };
                    let n = exactly(position as u64 + 1, unsigned(8), span);
                    let note = assign(named(after, span), n, span);
                    let to = super::build::goto(label, span);
                    self.out.extend([note, to]);
                    return;
                }
            }
        }
        match exit {
            Exit::Throw if self.is_main => self.out.push(super::build::goto(UNCAUGHT, span)),
            Exit::Throw => {
                let value = match self.result {
                    (TypeName::Void, _) => None,
                    (TypeName::Struct(_), _) => Some(number(0, false, span)),
                    (ty, _) => Some(exactly(0, ty, span)),
                };
                self.out.push(statement(StatementKind::Return(value), span));
            }
            Exit::Return if self.is_main || self.result.0 == TypeName::Void => {
                self.out.push(statement(StatementKind::Return(None), span));
            }
            Exit::Return => {
                self.keeps_result = true;
                let value = Some(named(RETURNED, span));
                self.out.push(statement(StatementKind::Return(value), span));
            }
            // The target is around, or the typed tree has none.
            Exit::Break(_) | Exit::Continue(_) => {}
        }
    }

    /// Is a `catch` around the statement, and no `finally`?
    pub(super) fn catches_here(&self) -> bool {
        !self.has_finally() && self.frames.iter().any(|frame| matches!(frame, Frame::Catch(_)))
    }

    /// Is a `finally` around the statement?
    pub(super) fn has_finally(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame, Frame::Finally { .. }))
    }

    /// A class is initialised when it is first used.
    pub(super) fn initialise(&mut self, class: ClassId, span: Span) {
        if !self.l.program.is_below(self.class, class) {
            self.initialise_fully(class, span);
        }
    }

    /// The same, for the class of the start too.
    fn initialise_fully(&mut self, class: ClassId, span: Span) {
        if let Some(above) = self.l.program.classes[class.index()].superclass {
            self.initialise_fully(above, span);
        }
        if !self.l.lazy.contains(&class) {
            return;
        }
        let Some(method) = self.l.program.classes[class.index()].initializer else { return };
        let is_done = named(&self.l.started(class), span);
        let runs = self.apart(|writer| {
            writer.out.push(effect(call(writer.l.name_of(method), Vec::new(), span)));
            writer.after_call(method, span);
            Ok(())
        });
        if let Ok((then, ())) = runs {
            self.out.push(when(not(is_done), then, span));
        }
    }

    fn begin_class(&mut self, class: ClassId, span: Span) {
        if self.l.lazy.contains(&class) {
            let flag = named(&self.l.started(class), span);
            self.out.push(assign(flag, truth(true, span), span));
        }
    }
}

/// The label behind a statement.
pub(super) fn behind(label: LabelId) -> String {
    format!("behind {}", label.0)
}

/// The label before the next turn of a loop.
pub(super) fn on(label: LabelId) -> String {
    format!("next turn {}", label.0)
}
