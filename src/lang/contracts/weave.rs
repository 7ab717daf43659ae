//! Contracts become a part of a program's syntax tree: calls of a procedure with a contract lead to
//! a procedure of Faultline's own, which checks `requires`, calls, and checks `ensures`.

use super::checks::{Says, require};
use super::old::{Kept, Refusal};
use super::{Contract, RESULT};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::is;
use crate::lang::rules::calls::{each_expression, initializer, local_names};
use crate::lang::syntax::{
    Expr, ExprKind, File, Initializer, Item, Name, Parameter, Statement, TypeName,
};
use crate::lang::tree::{call, declared, effect, named, procedure, returned, variable};
use std::collections::BTreeMap;

/// A procedure with its contract.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Promise {
    pub(in crate::lang) contract: Contract,
    /// As the declaration with the contract has them, each with a name.
    pub(in crate::lang) parameters: Vec<Parameter>,
    pub(in crate::lang) result: (TypeName, u32),
}

/// Puts the contracts of procedures around their calls. Gives each procedure's. What is wrong is
/// reported.
pub(in crate::lang) fn weave(
    source: &str,
    file: &mut File,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<String, Promise> {
    let mut promises: BTreeMap<String, Promise> = BTreeMap::new();
    for item in &mut file.items {
        let Item::Function(f) = item else { continue };
        let Some(contract) = f.contract.take() else { continue };
        let span = contract.span;
        let name = f.name.text.clone();
        if name == "main" {
            diagnostics.error(span, is("a contract of `main`"), "write assertions in its body");
            continue;
        }
        if let Some(place) = contract.assigns {
            diagnostics.warning(
                place,
                format!("`assigns` of `{name}` is not checked"),
                "write `ensures x == \\old(x)` for what must stay",
            );
        }
        let promise = Promise {
            contract: *contract,
            parameters: f.parameters.iter().enumerate().map(|(k, p)| with_name(p, k)).collect(),
            result: (f.result, f.pointers),
        };
        if promises.insert(name, promise).is_some() {
            let what = "a second contract of a procedure";
            diagnostics.error(span, is(what), "write one contract at its first declaration");
        }
    }
    let defined = |file: &File, name: &str| {
        file.items.iter().any(
            |item| matches!(item, Item::Function(f) if f.name.text == name && f.body.is_some()),
        )
    };
    let mut made: Vec<Item> = Vec::new();
    let mut changes: BTreeMap<String, String> = BTreeMap::new();
    for (name, promise) in &promises {
        if !defined(file, name) {
            let what = format!("the contract of `{name}`, which has no body,");
            let hint = "give it a body: contracts are checked";
            diagnostics.error(promise.contract.span, is(&what), hint);
            continue;
        }
        match wrapped(source, file, name, promise) {
            Ok(item) => {
                changes.insert(name.clone(), around(name));
                made.push(item);
            }
            Err((span, what, hint)) => diagnostics.error(span, is(&what), hint),
        }
    }
    if changes.is_empty() {
        return promises;
    }
    for item in &mut file.items {
        match item {
            Item::Function(f) | Item::Thread(f) => {
                let own = local_names(f);
                let Some(body) = &mut f.body else { continue };
                each_expression(body, &mut |e| change(e, &changes, &|name| own.contains(name)));
            }
            Item::Declaration(declaration) => {
                for declarator in &mut declaration.declarators {
                    if let Some(value) = &mut declarator.initializer {
                        initializer(value, &mut |e| change(e, &changes, &|_| false));
                    }
                }
            }
        }
    }
    file.items.extend(made);
    promises
}

/// What calls of a procedure with a contract lead to.
fn around(name: &str) -> String {
    format!("{name} with its contract")
}

fn change(e: &mut Expr, changes: &BTreeMap<String, String>, is_local: &dyn Fn(&str) -> bool) {
    let name = match &mut e.kind {
        ExprKind::Name(name) => name,
        ExprKind::Call(name, _) => &mut name.text,
        _ => return,
    };
    if let Some(to) = changes.get(name.as_str())
        && !is_local(name)
    {
        *name = to.clone();
    }
}

fn wrapped(source: &str, file: &File, name: &str, promise: &Promise) -> Result<Item, Refusal> {
    let contract = &promise.contract;
    let span = contract.span;
    let mut statements: Vec<Statement> = Vec::new();
    for clause in &contract.requires {
        let line = clause.span.line;
        let text = format!("the `requires` of `{name}` in line {line} does not hold");
        statements.extend(require(
            &clause.formula,
            &Says { source, text, begins: "requires", at_call: true },
        ));
    }
    let arguments: Vec<Expr> = promise
        .parameters
        .iter()
        .filter_map(|p| p.name.as_ref())
        .map(|own| named(&own.text, span))
        .collect();
    let own = call(name, arguments, span);
    statements.extend(called(source, file, name, promise, own)?);
    if promise.result != (TypeName::Void, 0) {
        statements.push(returned(Some(named(RESULT, span)), span));
    }
    Ok(procedure(&around(name), promise.result, promise.parameters.clone(), statements, span))
}

/// A call, with what `\old` keeps before it and the checks of `ensures` behind it. The result is in
/// [`RESULT`].
pub(in crate::lang) fn called(
    source: &str,
    file: &File,
    name: &str,
    promise: &Promise,
    own: Expr,
) -> Result<Vec<Statement>, Refusal> {
    let span = own.span;
    let mut kept = Kept::new(file, &promise.parameters);
    let mut checks = Vec::new();
    for clause in &promise.contract.ensures {
        let formula = kept.formula(&clause.formula, &mut Vec::new())?;
        let line = clause.span.line;
        let text = format!("the `ensures` of `{name}` in line {line} does not hold");
        checks.extend(require(&formula, &Says { source, text, begins: "ensures", at_call: false }));
    }
    let mut statements = kept.statements;
    match promise.result {
        (TypeName::Void, 0) => statements.push(effect(own)),
        result => {
            let value = Some(Initializer::Value(own));
            statements.push(declared(variable(RESULT, result, value, span), span));
        }
    }
    statements.extend(checks);
    Ok(statements)
}

/// A parameter, which has a name.
fn with_name(parameter: &Parameter, position: usize) -> Parameter {
    let own = Name { text: format!("argument {}", position + 1), span: parameter.span };
    let name = Some(parameter.name.clone().unwrap_or(own));
    Parameter { name, constant: false, ..parameter.clone() }
}
