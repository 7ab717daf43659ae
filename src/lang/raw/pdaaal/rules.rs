//! The pushdown system of an instance: states with their rules.

use super::reader::{Reader, Star, shown};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use crate::lang::raw::json::{Json, Members, Value};
use crate::lang::raw::{RawRule, RawWeights, RightSide, StateId, SymbolId};
use smallvec::smallvec;
use std::rc::Rc;

/// Most rules, including those that `*` stands for.
const MOST_RULES: usize = 4_000_000;

impl Reader<'_> {
    pub(super) fn system(&mut self, system: Value) {
        let Json::Object(entries) = system.json() else {
            let message = format!("the pushdown system is {}, not an object", system.kind());
            return self.error(system.span(), message, "write `{\"states\": …}`");
        };
        let mut states = None;
        for (key, value) in entries {
            match key.text().as_ref() {
                "states" if states.is_none() => states = Some(value),
                "states" => self.error(key.span(), "a second `states`", "put all states into one"),
                name => {
                    let message =
                        format!("`{}` in the pushdown system is not looked at", shown(name));
                    self.diagnostics.warning(key.span(), message, "only `states` counts");
                }
            }
        }
        let Some(states) = states else {
            return self.error(
                system.span(),
                "the pushdown system has no `states`",
                "write `{\"states\": …}`",
            );
        };
        // Each rule is an object.
        self.rules.reserve(states.objects().min(MOST_RULES));
        let span = states.span();
        match (states.json(), self.named) {
            (Json::Object(states), true) => self.named_states(states),
            (Json::Array(states), false) => {
                let count = states.clone().count();
                (0..count).for_each(|k| _ = self.states.number(&k.to_string()));
                for (k, state) in states.enumerate() {
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
            _ => self.error(
                span,
                format!("the states are {}", states.kind()),
                "write an object from names to rules, or a list of rules",
            ),
        }
    }

    fn named_states(&mut self, states: Members) {
        for (key, _) in states.clone() {
            let name = key.text();
            if self.states.find(&name).is_some() {
                self.error(
                    key.span(),
                    format!("the state `{}` is there twice", shown(&name)),
                    "put all its rules into one",
                );
            }
            self.states.number(&name);
        }
        for (key, value) in states {
            let id = StateId(self.states.number(&key.text()));
            self.state(id, value);
        }
    }

    fn state(&mut self, from: StateId, state: Value) {
        let Json::Object(labels) = state.json() else {
            let message = format!("a state's rules are {}, not an object", state.kind());
            return self.error(
                state.span(),
                message,
                "write `{\"a\": [{\"swap\": \"b\", \"to\": …}]}`, from labels to rules",
            );
        };
        for (key, rules) in labels {
            let symbol = match key.text().as_ref() {
                "*" => None,
                name => Some(self.symbol(name, key)),
            };
            match rules.json() {
                Json::Array(rules) => rules.for_each(|rule| self.rule(from, symbol, rule)),
                _ => self.rule(from, symbol, rules),
            }
        }
    }

    fn rule(&mut self, from: StateId, symbol: Option<SymbolId>, rule: Value) {
        let Json::Object(entries) = rule.json() else {
            let message = format!("a rule is {}, not an object", rule.kind());
            return self.error(rule.span(), message, "write `{\"push\": \"b\", \"to\": …}`");
        };
        let (mut to, mut operation, mut weight) = (None, None, None);
        for (key, value) in entries {
            let name = key.text();
            match name.as_ref() {
                "to" if to.is_none() => to = Some(self.state_of_rule(value)),
                "pop" | "swap" | "push" if operation.is_none() => {
                    operation = Some(self.operation(&name, value, symbol.is_none()))
                }
                "to" => self.error(key.span(), "a second `to`", "a rule leads to one state"),
                "pop" | "swap" | "push" => self.error(
                    key.span(),
                    "a second operation",
                    "a rule has one of `pop`, `swap` and `push`",
                ),
                "weight" if weight.is_none() => weight = Some(self.weight(key, value)),
                "weight" => self.error(key.span(), "a second `weight`", "a rule has one weight"),
                other => {
                    let message = format!("`{}` in a rule is not understood", shown(other));
                    self.error(
                        key.span(),
                        message,
                        "a rule has `to` and one of `pop`, `swap` and `push`",
                    );
                }
            }
        }
        if weight.is_none() && self.weights == Some(RawWeights::MinPath) {
            self.error(
                rule.span(),
                "a rule has no weight, but the instance's weights are numbers",
                "add `\"weight\": 1`",
            );
        }
        let weight = weight.unwrap_or(1);
        let span = rule.span();
        match (to, operation) {
            (Some(to), Some(operation)) => {
                let (Some(to), Some((mut right, keeps))) = (to, operation) else { return };
                match symbol {
                    Some(symbol) => right.extend(keeps.then_some(symbol)),
                    None => self.stars.push(Star { rule: self.rules.len(), keeps }),
                }
                let symbol = symbol.unwrap_or(SymbolId(0));
                let effect = Rc::clone(&self.no_effect);
                self.rules.push(RawRule { from, symbol, to, right, weight, effect, span });
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
    fn weight(&mut self, key: Value, value: Value) -> u32 {
        let number = match value.json() {
            // The weights of the header were refused. One error about that is enough.
            _ if self.weights.is_none() => return 1,
            _ if self.weights == Some(RawWeights::Boolean) => {
                let message = "a rule has a weight, but the instance's weights are of type `none`";
                self.error(
                    key.span(),
                    message,
                    "write `\"weight-type\": \"uint\"` in the header, or leave it out",
                );
                return 1;
            }
            Json::Number(number) => number,
            _ => {
                self.error(
                    value.span(),
                    format!("a weight is a natural number, not {}", value.kind()),
                    "write `\"weight\": 1`",
                );
                return 1;
            }
        };
        number.parse().unwrap_or_else(|_| {
            let message = format!(
                "a weight is a natural number of at most {}, this is {}",
                u32::MAX,
                shown(number)
            );
            self.error(value.span(), message, "negative weights and fractions are not analysed");
            1
        })
    }

    /// The symbols that a rule puts on the stack, and whether the old top stays below them. `None`
    /// if the operation was refused.
    fn operation(
        &mut self,
        name: &str,
        value: Value,
        any_label: bool,
    ) -> Option<(RightSide, bool)> {
        let Json::Text(label) = value.json() else {
            self.error(
                value.span(),
                format!("`{name}` takes a text, not {}", value.kind()),
                "write a label in quotes",
            );
            return None;
        };
        match name {
            "pop" if label.is_empty() => Some((RightSide::new(), false)),
            "pop" => {
                self.error(
                    value.span(),
                    format!("`pop` takes no symbol, this one has `{}`", shown(&label)),
                    "write `\"pop\": \"\"`",
                );
                None
            }
            "swap" if label == "*" && any_label => Some((RightSide::new(), true)),
            "swap" => Some((smallvec![self.symbol(&label, value)], false)),
            _ => Some((smallvec![self.symbol(&label, value)], true)),
        }
    }

    /// The state that a rule leads to; `None` if that was refused.
    fn state_of_rule(&mut self, value: Value) -> Option<StateId> {
        match (value.json(), self.named) {
            (Json::Text(name), true) => return Some(StateId(self.states.number(&name))),
            (Json::Number(number), false) => {
                match number.parse::<u32>().ok().filter(|k| (*k as usize) < self.states.list.len())
                {
                    Some(known) => return Some(StateId(known)),
                    None => {
                        let message = format!("there is no state {}", shown(number));
                        self.error(
                            value.span(),
                            message,
                            "states are counted from 0 in the order of the list",
                        );
                    }
                }
            }
            (_, true) => self.error(
                value.span(),
                format!("a state's name is expected, this is {}", value.kind()),
                "the header says that states have names",
            ),
            (_, false) => self.error(
                value.span(),
                format!("a state's number is expected, this is {}", value.kind()),
                "the header says that states have no names",
            ),
        }
        None
    }
}

/// Replaces each rule for `*` by one for every symbol.
pub(super) fn expand(
    rules: Vec<RawRule>,
    stars: &[Star],
    symbols: usize,
    diagnostics: &mut Diagnostics,
) -> Vec<RawRule> {
    let all = rules.len() - stars.len() + stars.len().saturating_mul(symbols);
    if all > MOST_RULES {
        let span = rules.first().map_or(Span::default(), |rule| rule.span);
        diagnostics.error(
            span,
            format!("the system has {all} rules, more than {MOST_RULES}"),
            "use fewer `*`, or fewer rules",
        );
        return Vec::new();
    }
    if stars.is_empty() {
        return rules;
    }
    let mut expanded = Vec::with_capacity(all);
    let mut stars = stars.iter().peekable();
    for (number, rule) in rules.into_iter().enumerate() {
        let Some(star) = stars.next_if(|star| star.rule == number) else {
            expanded.push(rule);
            continue;
        };
        for symbol in (0..symbols as u32).map(SymbolId) {
            let mut one = RawRule { symbol, ..rule.clone() };
            one.right.extend(star.keeps.then_some(symbol));
            expanded.push(one);
        }
    }
    expanded
}
