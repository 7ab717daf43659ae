//! What a `.pds` text says about weights: which kind the system has, and what each rule weighs.

use super::{Reader, Refused, shown};
use crate::lang::model::Span;
use crate::lang::raw::RawWeights;
use crate::lang::raw::tokens::{Line, Sign};

impl<'a> Reader<'a, '_> {
    /// `weights boolean` or `weights minpath`, the word `weights` being next.
    pub(super) fn weights(&mut self, line: &mut Line<'a>) -> Result<(), Refused> {
        line.at += 1;
        let token = match line.next() {
            Some(token) => token,
            None => return self.refuse(line.end, "which weights?", "write `weights boolean` or `weights minpath`, or leave the line out"),
        };
        let chosen = match token.text {
            "boolean" => Some(RawWeights::Boolean),
            "minpath" => Some(RawWeights::MinPath),
            "relation" | "affine" => None,
            _ => {
                let message = format!("unknown weights `{}`", shown(token.text));
                return self.refuse(token.span, message, "weights are boolean or minpath");
            }
        };
        match self.weights {
            Some((Some(before), place)) if chosen.is_some_and(|chosen| chosen != before) => {
                let message = format!("other weights than at line {}", place.line);
                return self.refuse(token.span, message, "a system has one kind of weights; leave one of the lines out");
            }
            _ => self.weights = Some((chosen, token.span)),
        }
        if chosen.is_none() {
            let message = format!("weights {} are not analysed", token.text);
            return self.refuse(token.span, message, "write `weights minpath` for natural numbers, or `weights boolean` for none");
        }
        self.at_end(line)
    }

    /// What was chosen; `None` where that was refused.
    pub(super) fn chosen(&self) -> Option<RawWeights> {
        self.weights.map_or(Some(RawWeights::Boolean), |(chosen, _)| chosen)
    }

    /// Numbers behind rules need weights that are numbers.
    pub(super) fn check_weights(&mut self) {
        if self.chosen() != Some(RawWeights::Boolean) {
            return;
        }
        for (weight, span) in self.rules.iter().filter_map(|rule| rule.weight) {
            let message = format!("the rule has the weight {weight}, but the system's weights are boolean");
            self.diagnostics.error(span, message, "write `weights minpath` in a line of its own, or leave the weight out");
        }
    }

    /// The natural number at the end of a rule, if there is one.
    pub(super) fn weight(&mut self, line: &mut Line<'a>) -> Result<Option<(u32, Span)>, Refused> {
        let Some(token) = line.peek() else { return Ok(None) };
        if token.sign != Sign::Name || !token.text.bytes().all(|c| c.is_ascii_digit()) {
            // Where other weights were asked for, that was said already.
            return match self.chosen() {
                None => Err(Refused),
                Some(_) => {
                    let message = format!("`{}` behind the end of the rule", shown(token.text));
                    self.refuse(token.span, message, "a rule may end in its weight, a natural number, if the system has `weights minpath`")
                }
            };
        }
        line.at += 1;
        match token.text.parse() {
            Ok(weight) => Ok(Some((weight, token.span))),
            Err(_) => {
                let message = format!("a weight is at most {}, this is {}", u32::MAX, shown(token.text));
                self.refuse(token.span, message, "use smaller weights")
            }
        }
    }
}
