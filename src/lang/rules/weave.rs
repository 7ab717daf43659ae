//! Rules become a part of a program's syntax tree.
//!
//! | the procedure that a rule names | what becomes of it |
//! | --- | --- |
//! | has a body | calls lead to a procedure of Faultline's own, which calls it between two monitors |
//! | has none | it gets a body: monitors, and any value as its result |
//! | is the library's | its calls stand between calls of monitors |
//! | is not there | the rule says nothing of it; that is a remark |

mod applied;

use super::calls::{each_expression, first_call, initializer, local_names};
use super::monitor::Woven;
use super::{Arguments, Automaton, Moment, Rule};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::elaborate;
use crate::lang::lexer::lex;
use crate::lang::memory;
use crate::lang::memory::has_effects;
use crate::lang::model::Span;
use crate::lang::parser::parse_c;
use crate::lang::syntax::{
    Expr, ExprKind, File, Function, Item, Parameter, PointedType, Size, TypeName,
};
use crate::wire::options::DataModel;
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
        array: false,
        span,
    }
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
