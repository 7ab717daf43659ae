//! The pushdown system of an instance: states with their rules.

use super::reader::{Labelled, Reader, shown};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use crate::lang::raw::json::{Json, Placed};
use crate::lang::raw::{RawRule, RawWeights, StateId, SymbolId};

/// Most rules, including those that `*` stands for.
const MOST_RULES: usize = 4_000_000;

impl Reader<'_> {
    pub(super) fn system(&mut self, system: Placed) {
        let Json::Object(entries) = system.json else {
            let message = format!("the pushdown system is {}, not an object", system.json.kind());
            return self.error(system.span, message, "write `{\"states\": …}`");
        };
        let mut states = None;
        for (key, value) in entries {
            match &key.json {
                Json::Text(name) if name == "states" && states.is_none() => states = Some(value),
                Json::Text(name) if name == "states" => {
                    self.error(key.span, "a second `states`", "put all states into one")
                }
                Json::Text(name) => {
                    let message =
                        format!("`{}` in the pushdown system is not looked at", shown(name));
                    self.diagnostics.warning(key.span, message, "only `states` counts");
                }
                _ => {}
            }
        }
        let Some(states) = states else {
            return self.error(
                system.span,
                "the pushdown system has no `states`",
                "write `{\"states\": …}`",
            );
        };
        let span = states.span;
        match (states.json, self.named) {
            (Json::Object(states), true) => self.named_states(states),
            (Json::Array(states), false) => {
                (0..states.len()).for_each(|k| _ = self.states.number(&k.to_string()));
                for (k, state) in states.into_iter().enumerate() {
                    self.state(StateId(k as u32), state);
                }
            }
            (Json::Array(_), true) => self.error(
                span,
                "the states are a list, but the header says that they have names",
                "write an object, or `\"state-names\": false`",
            ),
            (Json::Object(_), false) => self.error(
                span,
                "the states have names, but the header says that they have none",
                "write a list, or `\"state-names\": true`",
            ),
            (other, _) => self.error(
                span,
                format!("the states are {}", other.kind()),
                "write an object from names to rules, or a list of rules",
            ),
        }
    }

    fn named_states(&mut self, states: Vec<(Placed, Placed)>) {
        for (key, _) in &states {
            let Json::Text(name) = &key.json else { continue };
            if self.states.find(name).is_some() {
                self.error(
                    key.span,
                    format!("the state `{}` is there twice", shown(name)),
                    "put all its rules into one",
                );
            }
            self.states.number(name);
        }
        for (key, value) in states {
            if let Json::Text(name) = &key.json {
                let id = StateId(self.states.number(name));
                self.state(id, value);
            }
        }
    }

    fn state(&mut self, from: StateId, state: Placed) {
        let Json::Object(labels) = state.json else {
            let message = format!("a state's rules are {}, not an object", state.json.kind());
            return self.error(
                state.span,
                message,
                "write `{\"a\": [{\"swap\": \"b\", \"to\": …}]}`, from labels to rules",
            );
        };
        for (key, rules) in labels {
            let Json::Text(label) = &key.json else { continue };
            let symbol = match label.as_str() {
                "*" => None,
                name => Some(self.symbol(name, key.span)),
            };
            match rules.json {
                Json::Array(rules) => {
                    rules.into_iter().for_each(|rule| self.rule(from, symbol, rule))
                }
                json => self.rule(from, symbol, Placed { json, span: rules.span }),
            }
        }
    }

    fn rule(&mut self, from: StateId, symbol: Option<SymbolId>, rule: Placed) {
        let span = rule.span;
        let Json::Object(entries) = rule.json else {
            let message = format!("a rule is {}, not an object", rule.json.kind());
            return self.error(span, message, "write `{\"push\": \"b\", \"to\": …}`");
        };
        let (mut to, mut operation, mut weight) = (None, None, None);
        for (key, value) in entries {
            let Json::Text(name) = &key.json else { continue };
            match name.as_str() {
                "to" if to.is_none() => to = Some(self.state_of_rule(value)),
                "pop" | "swap" | "push" if operation.is_none() => {
                    operation = Some(self.operation(name, value, symbol.is_none()))
                }
                "to" => self.error(key.span, "a second `to`", "a rule leads to one state"),
                "pop" | "swap" | "push" => self.error(
                    key.span,
                    "a second operation",
                    "a rule has one of `pop`, `swap` and `push`",
                ),
                "weight" if weight.is_none() => weight = Some(self.weight(key.span, value)),
                "weight" => self.error(key.span, "a second `weight`", "a rule has one weight"),
                other => {
                    let message = format!("`{}` in a rule is not understood", shown(other));
                    self.error(
                        key.span,
                        message,
                        "a rule has `to` and one of `pop`, `swap` and `push`",
                    );
                }
            }
        }
        if weight.is_none() && self.weights == Some(RawWeights::MinPath) {
            self.error(
                span,
                "a rule has no weight, but the instance's weights are numbers",
                "add `\"weight\": 1`",
            );
        }
        let weight = weight.unwrap_or(1);
        match (to, operation) {
            (Some(to), Some(operation)) => {
                if let (Some(to), Some((right, keeps))) = (to, operation) {
                    self.rules.push(Labelled { from, symbol, to, right, keeps, weight, span });
                }
            }
            (None, _) => self.error(span, "a rule does not say where it leads", "add `\"to\": …`"),
            (_, None) => self.error(
                span,
                "a rule does not say what it does",
                "add one of `\"pop\": \"\"`, `\"swap\": \"b\"` and `\"push\": \"b\"`",
            ),
        }
    }

    /// The weight of a rule; 1 if it was refused.
    fn weight(&mut self, key: Span, value: Placed) -> u32 {
        let number = match value.json {
            // The weights of the header were refused. One error about that is enough.
            _ if self.weights.is_none() => return 1,
            _ if self.weights == Some(RawWeights::Boolean) => {
                let message = "a rule has a weight, but the instance's weights are of type `none`";
                self.error(
                    key,
                    message,
                    "write `\"weight-type\": \"uint\"` in the header, or leave it out",
                );
                return 1;
            }
            Json::Number(number) => number,
            other => {
                self.error(
                    value.span,
                    format!("a weight is a natural number, not {}", other.kind()),
                    "write `\"weight\": 1`",
                );
                return 1;
            }
        };
        number.parse().unwrap_or_else(|_| {
            let message = format!(
                "a weight is a natural number of at most {}, this is {}",
                u32::MAX,
                shown(&number)
            );
            self.error(value.span, message, "negative weights and fractions are not analysed");
            1
        })
    }

    /// The symbols that a rule puts on the stack, and whether the old top stays below them. `None`
    /// if the operation was refused.
    fn operation(
        &mut self,
        name: &str,
        value: Placed,
        any_label: bool,
    ) -> Option<(Vec<SymbolId>, bool)> {
        let Json::Text(label) = value.json else {
            self.error(
                value.span,
                format!("`{name}` takes a text, not {}", value.json.kind()),
                "write a label in quotes",
            );
            return None;
        };
        match name {
            "pop" if label.is_empty() => Some((Vec::new(), false)),
            "pop" => {
                self.error(
                    value.span,
                    format!("`pop` takes no symbol, this one has `{}`", shown(&label)),
                    "write `\"pop\": \"\"`",
                );
                None
            }
            "swap" if label == "*" && any_label => Some((Vec::new(), true)),
            "swap" => Some((vec![self.symbol(&label, value.span)], false)),
            _ => Some((vec![self.symbol(&label, value.span)], true)),
        }
    }

    /// The state that a rule leads to; `None` if that was refused.
    fn state_of_rule(&mut self, value: Placed) -> Option<StateId> {
        match (&value.json, self.named) {
            (Json::Text(name), true) => return Some(StateId(self.states.number(name))),
            (Json::Number(number), false) => {
                match number.parse::<u32>().ok().filter(|k| (*k as usize) < self.states.list.len())
                {
                    Some(known) => return Some(StateId(known)),
                    None => {
                        let message = format!("there is no state {}", shown(number));
                        self.error(
                            value.span,
                            message,
                            "states are counted from 0 in the order of the list",
                        );
                    }
                }
            }
            (other, true) => self.error(
                value.span,
                format!("a state's name is expected, this is {}", other.kind()),
                "the header says that states have names",
            ),
            (other, false) => self.error(
                value.span,
                format!("a state's number is expected, this is {}", other.kind()),
                "the header says that states have no names",
            ),
        }
        None
    }
}

/// Replaces `*` by every symbol.
pub(super) fn expand(
    rules: Vec<Labelled>,
    symbols: usize,
    diagnostics: &mut Diagnostics,
) -> Vec<RawRule> {
    let stars = rules.iter().filter(|rule| rule.symbol.is_none()).count();
    let all = rules.len() - stars + stars.saturating_mul(symbols);
    if all > MOST_RULES {
        let span = rules.first().map_or(Span::default(), |rule| rule.span);
        diagnostics.error(
            span,
            format!("the system has {all} rules, more than {MOST_RULES}"),
            "use fewer `*`, or fewer rules",
        );
        return Vec::new();
    }
    let mut expanded = Vec::with_capacity(all);
    for rule in rules {
        let range = match rule.symbol {
            Some(symbol) => symbol.0..symbol.0 + 1,
            None => 0..symbols as u32,
        };
        for symbol in range.map(SymbolId) {
            let mut right = rule.right.clone();
            right.extend(rule.keeps.then_some(symbol));
            expanded.push(RawRule {
                from: rule.from,
                symbol,
                to: rule.to,
                right,
                weight: rule.weight,
                effect: Default::default(),
                span: rule.span,
            });
        }
    }
    expanded
}
