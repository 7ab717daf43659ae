//! Rules become a part of a program's syntax tree.
//!
//! | the procedure that a rule names | what becomes of it |
//! | --- | --- |
//! | has a body | calls lead to a procedure of Faultline's own, which calls it between two monitors |
//! | has none | it gets a body: monitors, and any value as its result |
//! | is the library's | its calls stand between calls of monitors |
//! | is not there | the rule says nothing of it; that is a remark |

use super::calls::{each_expression, first_call, initializer, local_names};
use super::monitor::{
    Given, Woven, block, call, effect, expr, named, procedure, returned, variable,
};
use super::objects;
use super::{Arguments, Automaton, Moment, Rule};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::elaborate;
use crate::lang::lexer::lex;
use crate::lang::memory;
use crate::lang::memory::has_effects;
use crate::lang::model::Span;
use crate::lang::parser::parse_c;
use crate::lang::syntax::{
    Block, Expr, ExprKind, File, Function, Initializer, Item, Name, Parameter, PointedType, Size,
    Spelling, Statement, StatementKind, TypeName,
};
use crate::wire::options::DataModel;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What the headers of C's library declare of procedures that rules name.
const HEADERS: &str = include_str!("headers.h");

/// The procedure that runs when the program ends.
const AT_EXIT: &str = "rules at exit";

/// A rule with where it comes from.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Asked {
    pub(in crate::lang) rule: Rule,
    /// Rules that are built in may name what this program does not have.
    pub(in crate::lang) built_in: bool,
    /// Where the program asks for it.
    pub(in crate::lang) span: Span,
}

/// What is known of a procedure that a rule names.
#[derive(Clone, Debug)]
struct Named {
    result: (TypeName, u32),
    parameters: Vec<Parameter>,
    span: Span,
    kind: Kind,
    /// Is it named where it is not called?
    is_value: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It has a body.
    Defined,
    /// It has none.
    Open,
    /// It is the library's.
    Library,
}

/// Puts rules into a file. What is wrong with them here is reported.
pub(in crate::lang) fn weave(
    file: &mut File,
    asked: &[Asked],
    model: DataModel,
    diagnostics: &mut Diagnostics,
) -> Vec<Automaton> {
    let Some(first) = asked.first() else { return Vec::new() };
    let span = first.span;
    let main = file.items.iter().find_map(|item| match item {
        Item::Function(f) if f.name.text == "main" && f.body.is_some() => Some(f.name.span),
        _ => None,
    });
    let Some(main) = main else {
        diagnostics.error(span, "a rule needs a program with `main`", "write `int main(void)`");
        return Vec::new();
    };
    if file.traits.starts_threads || file.items.iter().any(|i| matches!(i, Item::Thread(_))) {
        diagnostics.error(
            span,
            "rules are not read in programs with threads",
            "leave the rule out, or call the procedures of the threads one after the other",
        );
        return Vec::new();
    }
    let mut weaver = Weaver { file, asked, model, named: BTreeMap::new(), diagnostics };
    weaver.find_procedures();
    let Some(woven) = weaver.types() else { return Vec::new() };
    if weaver.has_conflicts() {
        return Vec::new();
    }
    let automaton = |one: &Woven| Automaton {
        variable: one.state_variable(0),
        states: one.rule.states.clone(),
    };
    let automata = woven.iter().map(automaton).collect();
    weaver.apply(woven, main);
    automata
}

struct Weaver<'w> {
    file: &'w mut File,
    asked: &'w [Asked],
    model: DataModel,
    /// The procedures of the program that rules name.
    named: BTreeMap<String, Named>,
    diagnostics: &'w mut Diagnostics,
}

impl Weaver<'_> {
    fn mistake(&mut self, asked: usize, line: u32, message: &str, hint: &str) {
        let asked = &self.asked[asked];
        let message = format!("rule {}, line {line}: {message}", asked.rule.name);
        self.diagnostics.error(asked.span, message, hint);
    }

    /// `long`.
    fn long(&self) -> TypeName {
        let size = if self.model == DataModel::Ilp32 { Size::Int } else { Size::Long };
        TypeName::Integer { size, signed: true }
    }

    fn find_procedures(&mut self) {
        let headers = headers(self.model);
        let asked = self.asked;
        for one in asked {
            let mut missing: Vec<&str> = Vec::new();
            let mut is_there = false;
            for transition in &one.rule.transitions {
                let text = transition.event.procedure.as_str();
                is_there |= self.named.contains_key(text);
                if text.is_empty() || self.named.contains_key(text) || missing.contains(&text) {
                    continue;
                }
                match self.find(text, &headers) {
                    Some(found) => {
                        is_there = true;
                        self.named.insert(text.to_string(), found);
                    }
                    None => missing.push(text),
                }
            }
            if !missing.is_empty() && !is_there {
                let message = format!(
                    "rule {} says nothing about this program: it has no `{}`",
                    one.rule.name,
                    missing.join("`, `")
                );
                self.diagnostics.warning(one.span, message, "choose another rule");
            } else if !missing.is_empty() && !one.built_in {
                let message = format!(
                    "rule {}: the program has no `{}`; of it the rule says nothing",
                    one.rule.name,
                    missing.join("`, `")
                );
                self.diagnostics.warning(one.span, message, "look at the spelling");
            }
        }
    }

    /// A procedure of the program; `None` if it neither declares nor calls it.
    fn find(&mut self, text: &str, headers: &[Function]) -> Option<Named> {
        let mut declared: Option<&Function> = None;
        for item in &self.file.items {
            if let Item::Function(f) = item
                && f.name.text == text
                && (f.body.is_some() || declared.is_none_or(|known| known.body.is_none()))
            {
                declared = Some(f);
            }
        }
        let declared = declared.cloned();
        let called = self.file.items.iter_mut().find_map(|item| match item {
            Item::Function(Function { body: Some(body), .. }) => first_call(body, text),
            _ => None,
        });
        let is_library =
            elaborate::is_modelled(text) || memory::reads(text) || memory::is_heap(text);
        let header = headers.iter().find(|f| f.name.text == text);
        let kind = match &declared {
            Some(f) if f.body.is_some() => Kind::Defined,
            _ if is_library => Kind::Library,
            _ => Kind::Open,
        };
        let is_known = |f: &Function| f.body.is_some() || !f.open_ended || !f.parameters.is_empty();
        let signature = declared.as_ref().filter(|f| is_known(f)).or(header);
        let (span, count) = match (&declared, called) {
            (Some(f), called) => (f.name.span, called.map_or(0, |(_, count)| count)),
            (None, Some((span, count))) => (span, count),
            (None, None) => return None,
        };
        let (result, parameters) = match signature {
            Some(f) => ((f.result, f.pointers), f.parameters.clone()),
            // Declared nowhere, or as `int f();`: the rules say which arguments are objects.
            None => {
                let int = TypeName::Integer { size: Size::Int, signed: true };
                let result = declared.as_ref().map_or((int, 0), |f| (f.result, f.pointers));
                let parameters = (0..count).map(|k| self.undeclared(text, k, span)).collect();
                (result, parameters)
            }
        };
        Some(Named { result, parameters, span, kind, is_value: false })
    }

    /// A parameter of which no declaration says the type.
    fn undeclared(&self, text: &str, position: usize, span: Span) -> Parameter {
        let is_object = self.asked.iter().any(|one| {
            let object = one.rule.object.as_deref();
            one.rule.transitions.iter().any(|t| {
                t.event.procedure == text
                    && object.is_some_and(|name| t.event.position(name) == Some(position))
            })
        });
        match is_object {
            true => parameter((TypeName::Void, 1), span),
            false => parameter((self.long(), 0), span),
        }
    }

    /// The type of each rule's object. `None` if a rule does not fit the program, which is
    /// reported.
    fn types(&mut self) -> Option<Vec<Woven>> {
        let asked = self.asked;
        let mut made: Vec<Woven> = Vec::new();
        let mut fits = true;
        for (number, one) in asked.iter().enumerate() {
            let rule = &one.rule;
            let mut types: Vec<PointedType> = Vec::new();
            for transition in &rule.transitions {
                let event = &transition.event;
                let Some(named) = self.named.get(&event.procedure) else { continue };
                let (line, count) = (transition.line, named.parameters.len());
                if let Arguments::These(list) = &event.arguments
                    && list.len() != count
                {
                    let text = &event.procedure;
                    let message = format!("`{text}` takes {count} arguments, not {}", list.len());
                    if one.built_in {
                        let message = format!("rule {}: {message}", rule.name);
                        let hint = "of this procedure the rule says nothing";
                        self.diagnostics.warning(one.span, message, hint);
                        continue;
                    }
                    self.mistake(number, line, &message, "`...` stands for any arguments");
                    fits = false;
                    continue;
                }
                if event.result.is_some() && named.result == (TypeName::Void, 0) {
                    let message = format!("`{}` has no result", event.procedure);
                    self.mistake(number, line, &message, "leave `r =` out");
                    fits = false;
                    continue;
                }
                let Some(object) = rule.object.as_deref() else { continue };
                let ty = match event.position(object) {
                    Some(position) => {
                        let parameter = &named.parameters[position];
                        (parameter.type_name, parameter.pointers)
                    }
                    None if event.result.as_deref() == Some(object) => named.result,
                    None => continue,
                };
                let ty = PointedType { type_name: ty.0, pointers: ty.1, other: false };
                if !types.contains(&ty) {
                    types.push(ty);
                }
            }
            let object = match &types[..] {
                [] => None,
                [only] if only.pointers > 0 || is_integer(only.type_name) => Some(*only),
                [..] if types.iter().all(|ty| ty.pointers > 0) => {
                    Some(PointedType { type_name: TypeName::Void, pointers: 1, other: false })
                }
                [..] if types.iter().all(|ty| ty.pointers == 0 && is_integer(ty.type_name)) => {
                    Some(PointedType { type_name: self.long(), pointers: 0, other: false })
                }
                _ => {
                    let object = rule.object.as_deref().unwrap_or_default();
                    let message = format!("`{object}` is a pointer here and a number there");
                    self.mistake(number, 1, &message, "write a rule for each");
                    fits = false;
                    None
                }
            };
            let same = made.iter().filter(|known| known.rule.name == rule.name).count();
            let name = match same {
                0 => rule.name.clone(),
                _ => format!("{} {}", rule.name, same + 1),
            };
            made.push(Woven { rule: rule.clone(), name, object });
        }
        fits &= self.names_are_known();
        fits.then_some(made)
    }

    /// Are the names in conditions arguments, results, counters or variables of the program?
    fn names_are_known(&mut self) -> bool {
        let mut globals: Vec<String> = Vec::new();
        for item in &self.file.items {
            if let Item::Declaration(declaration) = item {
                globals.extend(declaration.declarators.iter().map(|d| d.name.text.clone()));
                let members = declaration.enumerations.iter().flat_map(|e| &e.members);
                globals.extend(members.map(|m| m.name.text.clone()));
            }
        }
        let mut known = true;
        let asked = self.asked;
        for (number, one) in asked.iter().enumerate() {
            for transition in &one.rule.transitions {
                if !self.named.contains_key(&transition.event.procedure)
                    && transition.event.moment != Moment::Exit
                {
                    continue;
                }
                let mut stack: Vec<&Expr> = transition.condition.iter().collect();
                while let Some(e) = stack.pop() {
                    e.children(&mut stack);
                    let ExprKind::Name(name) = &e.kind else { continue };
                    let event = &transition.event;
                    let is_known = event.position(name).is_some()
                        || event.result.as_ref() == Some(name)
                        || one.rule.counters.iter().any(|counter| counter.name == *name)
                        || name == "NULL"
                        || globals.contains(name);
                    if !is_known {
                        let message = format!("unknown name `{name}`");
                        let hint = "name an argument or the result in the event, or a global";
                        self.mistake(number, transition.line, &message, hint);
                        known = false;
                    }
                }
            }
        }
        known
    }

    /// Does a name mean two things, or does a rule look at what cannot be looked at? Reports it.
    fn has_conflicts(&mut self) -> bool {
        let mut conflicts: Vec<(Span, String, &str)> = Vec::new();
        for item in &mut self.file.items {
            let Item::Function(function) = item else { continue };
            let locals = local_names(function);
            let owner = function.name.text.clone();
            if let Some(name) = self.named.keys().find(|name| locals.contains(*name)) {
                let message =
                    format!("`{name}` is a variable of `{owner}` and a procedure of a rule");
                conflicts.push((function.name.span, message, "rename the variable"));
            }
            let Some(body) = &mut function.body else { continue };
            each_expression(body, &mut |e| match &e.kind {
                ExprKind::Name(name) => {
                    if let Some(named) = self.named.get_mut(name) {
                        named.is_value = true;
                        if named.kind == Kind::Library {
                            let message = format!("a pointer to `{name}`, which a rule names,");
                            let hint = "call it by its name";
                            conflicts.push((e.span, format!("{message} is not read"), hint));
                        }
                    }
                }
                ExprKind::Call(name, arguments) => {
                    let is_library =
                        self.named.get(&name.text).is_some_and(|named| named.kind == Kind::Library);
                    if is_library && arguments.iter().any(has_effects) {
                        let message = format!(
                            "`{}`, which a rule names, with an argument that does something",
                            name.text
                        );
                        let hint = "store the argument in a variable first";
                        conflicts.push((e.span, format!("{message} is not read"), hint));
                    }
                    if name.text == "main" {
                        let message = "a rule beside a program that calls `main` is not read";
                        conflicts.push((e.span, message.to_string(), "rename that procedure"));
                    }
                }
                _ => {}
            });
        }
        for item in &mut self.file.items {
            let Item::Declaration(declaration) = item else { continue };
            for declarator in &mut declaration.declarators {
                let Some(value) = &mut declarator.initializer else { continue };
                initializer(value, &mut |e| {
                    if let ExprKind::Name(name) = &e.kind
                        && let Some(named) = self.named.get_mut(name)
                    {
                        named.is_value = true;
                    }
                });
            }
        }
        for (name, named) in &self.named {
            let is_struct = |ty: TypeName| matches!(ty, TypeName::Struct(_));
            let (ty, pointers) = named.result;
            if named.kind == Kind::Open && ty == TypeName::Void && pointers > 0 {
                let message = format!(
                    "`{name}`, which a rule names, has no body, and nothing says to what it points"
                );
                conflicts.push((named.span, message, "give it a body"));
            }
            if named.parameters.iter().any(|p| p.pointers == 0 && is_struct(p.type_name)) {
                let message = format!("`{name}`, which a rule names, takes a struct");
                conflicts.push((named.span, message, "let it take a pointer"));
            }
        }
        for (span, message, hint) in &conflicts {
            self.diagnostics.error(*span, message.clone(), *hint);
        }
        !conflicts.is_empty()
    }

    fn apply(&mut self, woven: Vec<Woven>, main: Span) {
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
    ) -> impl Iterator<Item = (&'e Rule, &'e super::Transition, &'e str)> {
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

fn is_integer(ty: TypeName) -> bool {
    matches!(ty, TypeName::Integer { .. } | TypeName::Exact { .. } | TypeName::Bool)
}

fn parameter((type_name, pointers): (TypeName, u32), span: Span) -> Parameter {
    Parameter {
        type_name,
        pointers,
        rows: Vec::new(),
        name: None,
        constant: false,
        atomic: false,
        span,
    }
}

/// A parameter with a name that no program has.
fn numbered(parameter: &Parameter, position: usize) -> Parameter {
    let name = Name { text: format!("argument {}", position + 1), span: parameter.span };
    Parameter { name: Some(name), constant: false, ..parameter.clone() }
}

/// The procedures that the headers declare.
fn headers(model: DataModel) -> Vec<Function> {
    let mut unread = Diagnostics::default();
    let lexed = lex(HEADERS, &mut unread);
    let file = parse_c(HEADERS, &lexed.tokens, model, &mut unread);
    let function = |item| match item {
        Item::Function(function) => Some(function),
        _ => None,
    };
    file.items.into_iter().filter_map(function).collect()
}
