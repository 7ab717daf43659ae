//! The rules that a program names, and those that the user adds.

use super::library::{built_in, names};
use super::read::read_rules;
use super::weave::Asked;
use super::{Rule, RuleMistake};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::lexer::Lexed;
use crate::lang::lowering::suggestion::suggestion;
use crate::lang::model::Span;
use crate::wire::options::{RequestedOptions, RuleText};

/// All rules beside a C program, each once. What is wrong with them is reported.
pub(in crate::lang) fn asked(
    lexed: &Lexed,
    requested: &RequestedOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Asked> {
    let mut found = Found { list: Vec::new(), names: Vec::new(), diagnostics };
    let first = Span { start: 0, end: 0, line: 1 };
    for RuleText { name, text } in &requested.rules {
        match text {
            Some(text) => found.text(name, text, 0, first),
            None => found.built_in(name, first),
        }
    }
    for directive in &lexed.directives {
        if let Some((key, value)) = directive.text.split_once('=')
            && key.trim() == "rule"
        {
            value.split(',').for_each(|name| found.built_in(name.trim(), directive.span));
        }
    }
    for comment in &lexed.rules {
        found.text("here", &comment.text, comment.span.line.saturating_sub(1), comment.span);
    }
    found.list
}

struct Found<'d> {
    list: Vec<Asked>,
    /// Of built-in rules.
    names: Vec<String>,
    diagnostics: &'d mut Diagnostics,
}

impl Found<'_> {
    fn built_in(&mut self, name: &str, span: Span) {
        match built_in(name) {
            _ if self.names.iter().any(|known| known == name) => {}
            Some(text) => {
                self.names.push(name.to_string());
                match read_rules(name, text, 0) {
                    Ok(rules) => self.add(rules, true, span),
                    Err(mistake) => self.report(name, mistake, span),
                }
            }
            None => {
                let hint = suggestion(name, names()).unwrap_or_else(|| {
                    format!("there are {}", names().collect::<Vec<_>>().join(", "))
                });
                self.diagnostics.error(span, format!("no rule `{name}` is built in"), hint);
            }
        }
    }

    fn text(&mut self, name: &str, text: &str, before: u32, span: Span) {
        match read_rules(name, text, before) {
            Ok(rules) => self.add(rules, false, span),
            Err(mistake) => self.report(name, mistake, span),
        }
    }

    fn add(&mut self, rules: Vec<Rule>, built_in: bool, span: Span) {
        self.list.extend(rules.into_iter().map(|rule| Asked { rule, built_in, span }));
    }

    fn report(&mut self, name: &str, mistake: RuleMistake, span: Span) {
        let RuleMistake { line, message, hint } = mistake;
        self.diagnostics.error(span, format!("rule {name}, line {line}: {message}"), hint);
    }
}
