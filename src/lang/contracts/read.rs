//! Annotations: which clauses there are.

use super::terms::Reader;
use super::words::Kind;
use super::{Clause, Contract, Formula};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::message::is;
use crate::lang::model::Span;

/// What an annotation says.
#[derive(Debug)]
pub(in crate::lang) enum Annotation {
    /// Before a procedure.
    Contract(Contract),
    /// `assert e;`
    Assertion(Clause),
    /// `loop invariant e;`, each.
    Invariants(Vec<Clause>),
    /// It was reported.
    Nothing,
}

/// It was reported.
pub(super) struct Refused;

pub(super) type Read<T> = Result<T, Refused>;

const HINT: &str = "read are requires, ensures, assigns, assert, loop invariant; \
    remove it, or write it with these";

/// Refuses an annotation, by the name of its first word.
pub(in crate::lang) fn refuse(text: &str, span: Span, diagnostics: &mut Diagnostics, hint: &str) {
    let reader = Reader::new(text, span, diagnostics);
    let (word, first) = (reader.word().text, reader.word().span);
    let what = match word {
        "" => "an annotation".to_string(),
        word => format!("annotation `{word}`"),
    };
    reader.diagnostics.error(first, is(&what), hint);
}

/// Reads an annotation, whose text stands at this place. What is wrong is reported.
pub(in crate::lang) fn read(text: &str, span: Span, diagnostics: &mut Diagnostics) -> Annotation {
    let mut reader = Reader::new(text, span, diagnostics);
    let word = reader.word();
    let found = match (word.kind, word.text) {
        (Kind::Name, "requires" | "ensures" | "assigns") => reader.contract(span),
        (Kind::Name, "assert") => {
            let first = reader.bump().span;
            reader.clause(first).and_then(|clause| {
                reader.at_end()?;
                Ok(Annotation::Assertion(clause))
            })
        }
        (Kind::Name, "loop") => reader.loop_clauses(),
        _ => {
            refuse(text, span, diagnostics, HINT);
            return Annotation::Nothing;
        }
    };
    found.unwrap_or(Annotation::Nothing)
}

impl Reader<'_, '_> {
    fn contract(&mut self, span: Span) -> Read<Annotation> {
        let mut contract = Contract { span, ..Contract::default() };
        while self.word().kind != Kind::End {
            let word = self.bump();
            match word.text {
                "requires" => {
                    let clause = self.clause(word.span)?;
                    contract.requires.push(clause);
                }
                "ensures" => {
                    let clause = self.clause(word.span)?;
                    contract.ensures.push(clause);
                }
                "assigns" => {
                    self.assigns()?;
                    contract.assigns.get_or_insert(word.span);
                }
                text => {
                    let what = format!("annotation `{text}`");
                    self.diagnostics.error(word.span, is(&what), HINT);
                    return Err(Refused);
                }
            }
        }
        Ok(Annotation::Contract(contract))
    }

    /// `e;`, behind the clause's word.
    fn clause(&mut self, first: Span) -> Read<Clause> {
        let formula = self.formula()?;
        self.expect(";")?;
        Ok(Clause { formula, span: first })
    }

    fn at_end(&mut self) -> Read<()> {
        match self.word().kind {
            Kind::End => Ok(()),
            _ => Err(self.unexpected("the end of the annotation")),
        }
    }

    fn loop_clauses(&mut self) -> Read<Annotation> {
        let mut invariants = Vec::new();
        while self.word().kind != Kind::End {
            let first = self.bump();
            if first.text != "loop" {
                let what = format!("annotation `{}`", first.text);
                self.diagnostics.error(first.span, is(&what), HINT);
                return Err(Refused);
            }
            let word = self.bump();
            match word.text {
                "invariant" => {
                    let clause = self.clause(first.span)?;
                    invariants.push(clause);
                }
                "assigns" => {
                    self.assigns()?;
                    self.diagnostics.warning(
                        first.span,
                        "`loop assigns` is not checked: the loop itself is followed",
                        "nothing follows from it",
                    );
                }
                "variant" => {
                    self.formula()?;
                    self.expect(";")?;
                    self.diagnostics.warning(
                        first.span,
                        "`loop variant` is not checked",
                        "ask `faultline terminates` whether every run ends",
                    );
                }
                text => {
                    let what = format!("annotation `loop {text}`");
                    self.diagnostics.error(word.span, is(&what), HINT);
                    return Err(Refused);
                }
            }
        }
        Ok(Annotation::Invariants(invariants))
    }

    /// `\nothing;` or places, behind `assigns`: `x`, `*p`, `a[low .. high]`,
    /// `*(a + (low .. high))`.
    fn assigns(&mut self) -> Read<()> {
        if self.word().text == "\\nothing" {
            self.bump();
            return self.expect(";");
        }
        loop {
            self.ranges = true;
            let found = self.term();
            (self.ranges, self.range) = (false, None);
            found?;
            if !self.eat(",") {
                return self.expect(";");
            }
        }
    }
}

impl Formula {
    /// The formula and those that it joins by `&&`.
    pub(in crate::lang) fn conjuncts(&self) -> Vec<&Formula> {
        match self {
            Formula::And(list) => list.iter().flat_map(Formula::conjuncts).collect(),
            other => vec![other],
        }
    }
}
