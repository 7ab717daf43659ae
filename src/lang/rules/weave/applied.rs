//! The tree with its rules: monitors around calls, automata as variables, the end of the program.

use super::super::calls::{each_expression, initializer};
use super::super::monitor::{Given, Woven};
use super::super::objects;
use super::super::{Arguments, Moment, Rule, Transition};
use super::{AT_EXIT, Kind, Named, Weaver, parameter};
use crate::lang::elaborate;
use crate::lang::memory;
use crate::lang::memory::has_effects;
use crate::lang::model::Span;
use crate::lang::syntax::{
    Block, Expr, ExprKind, Initializer, Item, Name, Parameter, PointedType, Size, Spelling,
    Statement, StatementKind, TypeName,
};
use crate::lang::tree::{block, call, effect, expr, named, procedure, returned, variable};
use rustc_hash::FxHashMap;

impl Weaver<'_> {
    pub(super) fn apply(&mut self, woven: Vec<Woven>, main: Span) {
        objects::complete(self.file, main);
        let is_object = |procedure: &str, position: usize| {
            woven.iter().any(|one| {
                let Some(object) = one.rule.object.as_deref() else { return false };
                one.object.is_some_and(|ty| ty.pointers > 0)
                    && one.rule.transitions.iter().any(|t| {
                        t.event.procedure == procedure && t.event.position(object) == Some(position)
                    })
            })
        };
        // A condition can ask for a pointer, too.
        let looked_at: Vec<(String, usize)> = self
            .named
            .iter()
            .flat_map(|(name, named)| (0..named.parameters.len()).map(|k| (name.clone(), k)))
            .filter(|(name, k)| self.looks_at(name, *k))
            .collect();
        objects::tell_apart(self.file, &|procedure, position| {
            looked_at.iter().any(|(name, k)| name == procedure && *k == position)
        });
        let mut made = self.harmless(&woven);
        let mut changes: FxHashMap<String, Change> = FxHashMap::default();
        for (name, named) in &self.named {
            let change = match named.kind {
                Kind::Library => self.beside(name, named, &woven, &mut made),
                _ => self.wrapped(name, named, &woven, &is_object, &mut made),
            };
            changes.insert(name.clone(), change);
        }
        let at_exit = Moment::Exit;
        let given = Given { arguments: &[], result: None, span: main };
        let steps: Vec<Statement> =
            woven.iter().filter_map(|one| one.steps(at_exit, "", &given)).collect();
        let has_exit = !steps.is_empty();
        if has_exit {
            made.push(procedure(AT_EXIT, (TypeName::Void, 0), Vec::new(), steps, main));
        }
        for item in &mut self.file.items {
            match item {
                Item::Function(function) => {
                    let is_main = function.name.text == "main";
                    let result = (function.result, function.pointers);
                    let Some(body) = &mut function.body else { continue };
                    each_expression(body, &mut |e| change(e, &changes, has_exit));
                    if is_main && has_exit {
                        ends(body, result);
                    }
                    if is_main {
                        let choices = woven.iter().filter_map(|one| one.choice(main));
                        body.statements.splice(..0, choices);
                    }
                }
                Item::Declaration(declaration) => {
                    for declarator in &mut declaration.declarators {
                        if let Some(value) = &mut declarator.initializer {
                            initializer(value, &mut |e| change(e, &changes, has_exit));
                        }
                    }
                }
                Item::Thread(_) => {}
            }
        }
        // A procedure that has got a body is declared there only.
        let has_got = |name: &str| {
            made.iter().any(|item| matches!(item, Item::Function(f) if f.name.text == name))
        };
        self.file.items.retain(
            |item| !matches!(item, Item::Function(f) if f.body.is_none() && has_got(&f.name.text)),
        );
        let declarations = woven.iter().flat_map(|one| one.declarations(main));
        self.file.items.splice(..0, declarations);
        self.file.items.extend(made);
    }

    /// Procedures without a body that are given objects of rules, and no other pointers, change
    /// nothing: what such an object holds is not the program's to know.
    fn harmless(&self, woven: &[Woven]) -> Vec<Item> {
        let types: Vec<PointedType> = woven.iter().filter_map(|one| one.object).collect();
        let is_object = |p: &Parameter| {
            types.iter().any(|ty| (ty.type_name, ty.pointers) == (p.type_name, p.pointers))
        };
        let defined: Vec<String> = self
            .file
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Function(f) if f.body.is_some() => Some(f.name.text.clone()),
                _ => None,
            })
            .collect();
        let mut made: Vec<Item> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for item in &self.file.items {
            let Item::Function(f) = item else { continue };
            let text = &f.name.text;
            let takes_objects = f.parameters.iter().any(is_object)
                && f.parameters.iter().all(|p| p.pointers == 0 || is_object(p));
            let is_number = f.pointers == 0 && !matches!(f.result, TypeName::Struct(_));
            let is_other = f.body.is_some()
                || f.open_ended
                || defined.contains(text)
                || names.contains(text)
                || self.named.contains_key(text)
                || elaborate::is_known(text)
                || memory::reads(text)
                || memory::is_heap(text);
            if is_other || !takes_objects || !is_number {
                continue;
            }
            names.push(text.clone());
            let span = f.name.span;
            let parameters = f.parameters.iter().enumerate().map(|(k, p)| numbered(p, k)).collect();
            let mut statements = Vec::new();
            if f.result != TypeName::Void {
                statements.push(returned(Some(expr(ExprKind::Choice, span)), span));
            }
            made.push(procedure(text, (f.result, 0), parameters, statements, span));
        }
        made
    }

    /// A procedure of the program's with its monitors.
    fn wrapped(
        &self,
        name: &str,
        named: &Named,
        woven: &[Woven],
        is_object: &dyn Fn(&str, usize) -> bool,
        made: &mut Vec<Item>,
    ) -> Change {
        let span = named.span;
        let parameters: Vec<Parameter> = named
            .parameters
            .iter()
            .enumerate()
            .map(|(k, parameter)| {
                let parameter = numbered(parameter, k);
                match self.is_compared(name, k) && !named.is_value {
                    true => self.widened(parameter),
                    false => parameter,
                }
            })
            .collect();
        let (arguments, result) = names_of(&parameters, named, span);
        let has_result = result.is_some();
        let given = Given { arguments: &arguments, result: result.clone(), span };
        let steps = |moment| woven.iter().filter_map(move |one| one.steps(moment, name, &given));
        let mut statements: Vec<Statement> = steps(Moment::Call).collect();
        let own = call(name, arguments.clone(), span);
        let value = match (named.kind, named.result.1) {
            (Kind::Defined, _) => Some(own),
            (_, 0) if matches!(named.result.0, TypeName::Struct(_)) => None,
            (_, 0) => has_result.then(|| expr(ExprKind::Choice, span)),
            (_, _) => Some(self.any_pointer(named.result, span)),
        };
        match has_result {
            true => {
                let value = value.map(Initializer::Value);
                let declared = variable(RESULT, named.result, value, span);
                statements.push(Statement { kind: StatementKind::Declaration(declared), span });
            }
            false => statements.extend(value.map(effect)),
        }
        let given = Given { arguments: &arguments, result: result.clone(), span };
        let steps = |moment| woven.iter().filter_map(move |one| one.steps(moment, name, &given));
        statements.extend(steps(Moment::Return));
        if has_result {
            statements.push(returned(result, span));
        }
        let text = match named.kind {
            Kind::Defined => format!("{name} under rules"),
            _ => name.to_string(),
        };
        let casts = parameters
            .iter()
            .enumerate()
            .map(|(k, p)| {
                let to = PointedType { type_name: p.type_name, pointers: p.pointers, other: false };
                (is_object(name, k) && p.pointers > 0).then_some(to)
            })
            .collect();
        made.push(procedure(&text, named.result, parameters, statements, span));
        Change::Call { text, casts }
    }

    /// A pointer that a procedure without a body gives back.
    fn any_pointer(&self, (type_name, pointers): (TypeName, u32), span: Span) -> Expr {
        let to = PointedType { type_name, pointers, other: false };
        let pointer = |e| expr(ExprKind::PointerCast(to, Box::new(e)), span);
        let is_open = match type_name {
            TypeName::Struct(id) => {
                let fields = self.file.structs.get(id.0 as usize).and_then(|s| s.fields.as_ref());
                fields.is_some_and(|fields| fields.len() == 1 && fields[0].name.text == "unknown")
            }
            TypeName::Handle(_) => true,
            _ => false,
        };
        if is_open && pointers == 1 {
            // A number: there are as many addresses as in C, not only the program's objects.
            return pointer(call("__VERIFIER_nondet_ulong", Vec::new(), span));
        }
        let size = match pointers {
            1 => expr(ExprKind::SizeOfType(type_name, Vec::new()), span),
            _ => expr(ExprKind::SizeOfPointer, span),
        };
        let null = pointer(expr(ExprKind::Number(0, Spelling::default()), span));
        let taken = pointer(call("malloc", vec![size], span));
        expr(ExprKind::Conditional(Box::new([expr(ExprKind::Choice, span), null, taken])), span)
    }

    /// A procedure of the library: monitors that are called before it and after it.
    fn beside(&self, name: &str, named: &Named, woven: &[Woven], made: &mut Vec<Item>) -> Change {
        let span = named.span;
        let parameters: Vec<Parameter> = named
            .parameters
            .iter()
            .enumerate()
            .map(|(k, parameter)| match self.is_compared(name, k) {
                true => self.widened(numbered(parameter, k)),
                false => numbered(parameter, k),
            })
            .collect();
        let (arguments, result) = names_of(&parameters, named, span);
        let has_result = result.is_some();
        let mut change = [None, None];
        for (moment, place) in [(Moment::Call, 0), (Moment::Return, 1)] {
            let given = Given { arguments: &arguments, result: result.clone(), span };
            let mut statements: Vec<Statement> =
                woven.iter().filter_map(|one| one.steps(moment, name, &given)).collect();
            if statements.is_empty() {
                continue;
            }
            // Only what a rule looks at is given to a monitor.
            let looks: Vec<bool> = (0..parameters.len()).map(|k| self.looks_at(name, k)).collect();
            let mut taken: Vec<Parameter> = parameters
                .iter()
                .zip(&looks)
                .filter(|(_, looks)| **looks)
                .map(|(parameter, _)| parameter.clone())
                .collect();
            let gives = moment == Moment::Return && has_result;
            let mut ty = (TypeName::Void, 0);
            if gives {
                let mut first = parameter(named.result, span);
                first.name = Some(Name { text: RESULT.to_string(), span });
                taken.insert(0, first);
                statements.push(returned(result.clone(), span));
                ty = named.result;
            }
            let text = format!("{name} {}", ["before", "after"][place]);
            made.push(procedure(&text, ty, taken, statements, span));
            change[place] = Some((text, looks, gives));
        }
        let [before, after] = change;
        Change::Beside { before, after }
    }

    /// The events of this procedure that name this argument, with their rules.
    fn events<'e>(
        &'e self,
        procedure: &'e str,
        position: usize,
    ) -> impl Iterator<Item = (&'e Rule, &'e Transition, &'e str)> {
        self.asked.iter().flat_map(move |one| {
            one.rule.transitions.iter().filter_map(move |t| {
                if t.event.procedure != procedure {
                    return None;
                }
                match &t.event.arguments {
                    Arguments::These(list) => {
                        let name = list.get(position)?.as_deref()?;
                        Some((&one.rule, t, name))
                    }
                    Arguments::Any => None,
                }
            })
        })
    }

    /// Does a rule look at this argument?
    fn looks_at(&self, procedure: &str, position: usize) -> bool {
        self.events(procedure, position).next().is_some()
    }

    /// Does a condition of a rule mention this argument?
    fn is_compared(&self, procedure: &str, position: usize) -> bool {
        self.events(procedure, position).any(|(_, transition, name)| {
            let mut stack: Vec<&Expr> = transition.condition.iter().collect();
            while let Some(e) = stack.pop() {
                if matches!(&e.kind, ExprKind::Name(one) if one == name) {
                    return true;
                }
                e.children(&mut stack);
            }
            false
        })
    }

    /// A rule sees the value that a call gives, before it becomes one of the parameter's type.
    fn widened(&self, mut parameter: Parameter) -> Parameter {
        if let (0, TypeName::Integer { size, signed }) = (parameter.pointers, parameter.type_name)
            && (size != Size::Long || signed)
        {
            parameter.type_name = self.long();
        }
        parameter
    }
}

const RESULT: &str = "result";

/// What becomes of the calls of a procedure.
enum Change {
    /// They lead to this one. Arguments that are objects become pointers of these types.
    Call { text: String, casts: Vec<Option<PointedType>> },
    /// They stand between these.
    Beside { before: Option<Monitor>, after: Option<Monitor> },
}

/// A monitor's own parameters and the result, by their names, as steps of automata take them.
fn names_of(parameters: &[Parameter], of: &Named, span: Span) -> (Vec<Expr>, Option<Expr>) {
    let names = parameters.iter().filter_map(|p| p.name.as_ref());
    let arguments = names.map(|name| named(&name.text, span)).collect();
    (arguments, (of.result != (TypeName::Void, 0)).then(|| named(RESULT, span)))
}

/// A monitor of a procedure of the library: its name, which arguments it takes, whether it takes
/// the result and gives it back.
type Monitor = (String, Vec<bool>, bool);

fn change(e: &mut Expr, changes: &FxHashMap<String, Change>, has_exit: bool) {
    let span = e.span;
    match &mut e.kind {
        ExprKind::Name(name) => {
            if let Some(Change::Call { text, .. }) = changes.get(name) {
                *name = text.clone();
            }
        }
        ExprKind::Call(name, arguments) => match changes.get(&name.text) {
            Some(Change::Call { text, casts }) => {
                name.text = text.clone();
                for (argument, to) in arguments.iter_mut().zip(casts) {
                    let is_name = matches!(argument.kind, ExprKind::Name(_));
                    if let (Some(to), false) = (to, is_name) {
                        let span = argument.span;
                        let inner = std::mem::replace(argument, expr(ExprKind::Poisoned, span));
                        *argument = expr(ExprKind::PointerCast(*to, Box::new(inner)), span);
                    }
                }
                let rebuilt = std::mem::replace(&mut e.kind, ExprKind::Poisoned);
                *e = expr(rebuilt, span);
            }
            Some(Change::Beside { before, after }) => {
                let of = |looks: &[bool]| -> Vec<Expr> {
                    let taken = arguments.iter().zip(looks).filter(|(_, looks)| **looks);
                    taken.map(|(argument, _)| argument.clone()).collect()
                };
                let mut parts = Vec::new();
                if let Some((text, looks, _)) = before {
                    parts.push(call(text, of(looks), span));
                }
                let own = expr(ExprKind::Call(name.clone(), arguments.clone()), span);
                match after {
                    Some((text, looks, true)) => {
                        let mut given = vec![own];
                        given.extend(of(looks));
                        parts.push(call(text, given, span));
                    }
                    Some((text, looks, false)) => {
                        let given = of(looks);
                        parts.push(own);
                        parts.push(call(text, given, span));
                    }
                    None => parts.push(own),
                }
                *e = match parts.len() {
                    1 => parts.remove(0),
                    _ => expr(ExprKind::Comma(parts), span),
                };
            }
            None if has_exit && name.text == "exit" => {
                let own = expr(ExprKind::Call(name.clone(), arguments.clone()), span);
                *e = expr(ExprKind::Comma(vec![call(AT_EXIT, Vec::new(), span), own]), span);
            }
            None => {}
        },
        _ => {}
    }
}

/// Each `return` of `main`, and its end, run the monitors of the exit.
fn ends(body: &mut Block, result: (TypeName, u32)) {
    for statement in &mut body.statements {
        end(statement, result);
    }
    let returns = matches!(body.statements.last().map(|s| &s.kind), Some(StatementKind::Return(_)));
    if !returns {
        body.statements.push(effect(call(AT_EXIT, Vec::new(), body.end)));
    }
}

fn end(s: &mut Statement, result: (TypeName, u32)) {
    match &mut s.kind {
        StatementKind::Return(value) => {
            let span = s.span;
            let exit = effect(call(AT_EXIT, Vec::new(), span));
            let value = value.take();
            let statements = match value {
                Some(e) if has_effects(&e) && result != (TypeName::Void, 0) => {
                    let declared = variable(RESULT, result, Some(Initializer::Value(e)), span);
                    let declared = Statement { kind: StatementKind::Declaration(declared), span };
                    vec![declared, exit, returned(Some(named(RESULT, span)), span)]
                }
                value => vec![exit, returned(value, span)],
            };
            *s = block(statements, span);
        }
        StatementKind::If { branches, otherwise } => {
            branches.iter_mut().for_each(|branch| end(&mut branch.then, result));
            otherwise.iter_mut().for_each(|s| end(s, result));
        }
        StatementKind::While { body, .. }
        | StatementKind::DoWhile { body, .. }
        | StatementKind::For { body, .. }
        | StatementKind::Switch { body, .. } => end(body, result),
        StatementKind::Block(block) => {
            block.statements.iter_mut().for_each(|s| end(s, result));
        }
        _ => {}
    }
}

/// A parameter with a name that no program has.
fn numbered(parameter: &Parameter, position: usize) -> Parameter {
    let name = Name { text: format!("argument {}", position + 1), span: parameter.span };
    Parameter { name: Some(name), constant: false, ..parameter.clone() }
}
