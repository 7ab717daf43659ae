//! What a `.pds` text says about weights: which kind the system has, and what each rule weighs.

use super::{Reader, Refused, Transformer, shown};
use crate::lang::model::Span;
use crate::lang::raw::tokens::{Line, Sign};
use crate::lang::raw::transformer::{Declared, Names, linear, read_transformer, read_variables};
use crate::lang::raw::{RawVariable, RawWeights};

const KINDS: &str = "weights are boolean, minpath, relation, affine or constants";

impl<'a> Reader<'a, '_> {
    /// Reads `weights boolean`, `weights relation x {0..7}`, …. The next token is the word
    /// `weights`.
    pub(super) fn weights(&mut self, line: &mut Line<'a>) -> Result<(), Refused> {
        line.at += 1;
        let token = match line.next() {
            Some(token) => token,
            None => {
                return self.refuse(
                    line.end,
                    "which weights?",
                    format!("{KINDS}; or leave the line out"),
                );
            }
        };
        let chosen = match token.text {
            "boolean" | "minpath" => {
                self.at_end(line)?;
                Some(if token.text == "boolean" {
                    RawWeights::Boolean
                } else {
                    RawWeights::MinPath
                })
            }
            "relation" | "affine" | "constants" => {
                let (text, start) = line.rest();
                match read_variables(text, start, token.span.line, token.text == "relation") {
                    Ok(Declared { names, bits, .. }) if token.text == "relation" => {
                        Some(RawWeights::Relation(
                            names
                                .into_iter()
                                .zip(bits)
                                .map(|(name, bits)| RawVariable { name, bits })
                                .collect(),
                        ))
                    }
                    Ok(Declared { names: variables, modulo, .. }) if token.text == "affine" => {
                        Some(RawWeights::Affine { variables, modulo })
                    }
                    Ok(Declared { names: variables, modulo: None, .. }) => {
                        Some(RawWeights::Constants(variables))
                    }
                    Ok(_) => {
                        let message = "constants modulo 2^w are not analysed";
                        self.diagnostics.error(
                            token.span,
                            message,
                            "leave `modulo` out, or write `weights affine`",
                        );
                        None
                    }
                    Err((span, message, hint)) => {
                        self.diagnostics.error(span, message, hint);
                        None
                    }
                }
            }
            _ => {
                let message = format!("unknown weights `{}`", shown(token.text));
                // The weights after the rules are not read.
                self.weights.get_or_insert((None, token.span));
                return self.refuse(token.span, message, KINDS);
            }
        };
        match &self.weights {
            Some((Some(before), place))
                if chosen.as_ref().is_some_and(|chosen| chosen != before) =>
            {
                let message = format!("other weights than at line {}", place.line);
                self.refuse(
                    token.span,
                    message,
                    "a system has one kind of weights; leave one of the lines out",
                )
            }
            _ => {
                self.weights = Some((chosen, token.span));
                Ok(())
            }
        }
    }

    /// The kind of weights that was chosen; `None` if it was refused.
    pub(super) fn chosen(&self) -> Option<RawWeights> {
        self.weights.as_ref().map_or(Some(RawWeights::Boolean), |(chosen, _)| chosen.clone())
    }

    /// By rule: its cost, and its effect on variables.
    pub(super) fn read_weights(&mut self) -> Vec<(u32, Transformer)> {
        let chosen = self.chosen();
        let mut ends: Vec<Line<'a>> =
            self.rules.iter_mut().map(|rule| std::mem::take(&mut rule.weight)).collect();
        let mut read = Vec::with_capacity(ends.len());
        let names = chosen.as_ref().map(RawWeights::variables).unwrap_or_default();
        for end in &mut ends {
            let weight = match &chosen {
                // The error was already reported.
                None => Ok((1, Transformer::default())),
                Some(RawWeights::Boolean | RawWeights::MinPath) => self
                    .number(end, chosen == Some(RawWeights::MinPath))
                    .map(|weight| (weight, Transformer::default())),
                Some(weights) => self.transformer(end, weights, &names).map(|effect| (1, effect)),
            };
            read.push(weight.unwrap_or_default());
        }
        read
    }

    /// The natural number at the end of a rule, 1 if there is none.
    fn number(&mut self, line: &mut Line<'a>, weighted: bool) -> Result<u32, Refused> {
        let Some(token) = line.next() else { return Ok(1) };
        if token.sign != Sign::Name || !token.text.bytes().all(|c| c.is_ascii_digit()) {
            let message = format!("`{}` behind the end of the rule", shown(token.text));
            let hint = "a rule may end in its weight, a natural number, if the system has `weights minpath`";
            return self.refuse(token.span, message, hint);
        }
        let weight = match token.text.parse() {
            Ok(weight) => weight,
            Err(_) => {
                let message =
                    format!("a weight is at most {}, this is {}", u32::MAX, shown(token.text));
                return self.refuse(token.span, message, "use smaller weights");
            }
        };
        self.at_end(line)?;
        if !weighted {
            let message =
                format!("the rule has the weight {weight}, but the system's weights are boolean");
            return self.refuse(
                token.span,
                message,
                "write `weights minpath` in a line of its own, or leave the weight out",
            );
        }
        Ok(weight)
    }

    /// The conditions and assignments at the end of a rule.
    fn transformer(
        &mut self,
        line: &mut Line<'a>,
        weights: &RawWeights,
        names: &[String],
    ) -> Result<Transformer, Refused> {
        let place = line.place();
        if line.peek().is_none() {
            return Ok(Transformer::default());
        }
        let (text, start) = line.rest();
        let bits: Option<Vec<u32>> = match weights {
            RawWeights::Relation(variables) => {
                Some(variables.iter().map(|variable| variable.bits).collect())
            }
            _ => None,
        };
        let read =
            read_transformer(text, start, place.line, Names { names, bits: bits.as_deref() });
        let effect = match read {
            Ok(effect) => effect,
            Err((span, message, hint)) => return self.refuse(span, message, hint),
        };
        if bits.is_none() {
            let whole = Span { end: line.end.start, ..place };
            if !effect.conditions.is_empty() {
                let hint = "such weights have no conditions: leave it out, and both ways are taken; or use `weights relation`";
                return self.refuse(whole, "a condition in an affine weight", hint);
            }
            if effect
                .assigned
                .iter()
                .any(|(_, term)| term.as_ref().is_some_and(|term| linear(term).is_none()))
            {
                let hint = "write a sum of multiples of variables, or `x := *` for any value";
                return self.refuse(whole, "a product of variables in an affine weight", hint);
            }
        }
        Ok(effect)
    }
}
