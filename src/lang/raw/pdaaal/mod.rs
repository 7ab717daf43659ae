//! PDAAAL's JSON for a reachability instance: header, pushdown system, initial and final automaton.
//!
//! ```json
//! [{"state-names": true, "weight-type": "none"},
//!  {"states": {"p": {"a": [{"push": "b", "to": "q"}, {"swap": "b", "to": "q"}, {"pop": "", "to": "q"}]}, "q": {}}},
//!  {"accepting": [2], "edges": [["p", "a", 2]]},
//!  {"accepting": [2], "edges": [["q", "b", 2]]}]
//! ```
//!
//! With the weight type `uint` or `int` every rule has a natural number under `weight`; other
//! types, and negative weights, are refused.
//!
//! Without the enclosing array, an object with the key `instance` holds it. A `push` leaves the old
//! top below the new symbol. The label `*` means every symbol of the instance; an edge
//! labelled with the empty text reads nothing. In an automaton a state's name (or, without names, a
//! number below the number of states) is a control state, every other number an inner state.

mod print;

pub use print::print;

use super::json::{self, Json, Placed};
use super::names::Interner;
use super::system::{
    ConfigurationAutomaton, ConfigurationSet, Node, RawRule, RawSystem, RawWeights, StateId,
    SymbolId,
};
use crate::lang::diagnostic::Diagnostics;
use crate::lang::model::Span;
use rustc_hash::FxHashMap;

/// Most rules, those that `*` stands for included.
const MOST_RULES: usize = 4_000_000;

/// Reads an instance. Total and linear in the text but for what `*` stands for (capped); `None` iff
/// an error was reported.
pub fn read(source: &str, diagnostics: &mut Diagnostics) -> Option<RawSystem> {
    let whole = json::read(source, diagnostics)?;
    let instance = enclosed(whole, diagnostics)?;
    let span = instance.span;
    let Json::Array(parts) = instance.json else {
        let message = format!("the instance is {}, not an array", instance.json.kind());
        diagnostics.error(
            span,
            message,
            "write `[header, system, initial automaton, final automaton]`",
        );
        return None;
    };
    let found = parts.len();
    let Ok([header, system, initial, target]) = <[Placed; 4]>::try_from(parts) else {
        let message = format!("an instance has four parts, this one has {found}");
        diagnostics.error(
            span,
            message,
            "they are the header, the pushdown system, the initial and the final automaton",
        );
        return None;
    };
    let (named, weights) = read_header(header, diagnostics);
    let kind = weights.clone();
    let mut reader = Reader {
        named,
        weights,
        states: Interner::default(),
        symbols: Interner::default(),
        rules: Vec::new(),
        diagnostics,
    };
    reader.system(system);
    let initial = reader.automaton(initial, "initial");
    let target = reader.automaton(target, "final");
    let Reader { states, symbols, rules, diagnostics, .. } = reader;
    let rules = expand(rules, symbols.list.len(), diagnostics);
    (!diagnostics.has_errors()).then_some(RawSystem {
        states: states.list,
        symbols: symbols.list,
        weights: kind.unwrap_or_default(),
        rules,
        initial: ConfigurationSet::Automaton(initial),
        target: ConfigurationSet::Automaton(target),
    })
}

/// The array itself, or the value of `instance`.
fn enclosed(whole: Placed, diagnostics: &mut Diagnostics) -> Option<Placed> {
    let Json::Object(entries) = whole.json else { return Some(whole) };
    let mut instance = None;
    for (key, value) in entries {
        match &key.json {
            Json::Text(name) if name == "instance" && instance.is_none() => instance = Some(value),
            Json::Text(name) if name == "instance" => {
                diagnostics.error(key.span, "a second `instance`", "only one can be read")
            }
            Json::Text(name) => {
                let message = format!("`{}` beside the instance is not looked at", shown(name));
                diagnostics.warning(key.span, message, "only `instance` counts");
            }
            _ => {}
        }
    }
    if instance.is_none() {
        diagnostics.error(
            whole.span,
            "there is no `instance`",
            "write `{\"instance\": [header, system, initial, final]}`, or the array alone",
        );
    }
    instance
}

/// Are states named, and what are the weights (`None`: of a kind that was refused)?
fn read_header(header: Placed, diagnostics: &mut Diagnostics) -> (bool, Option<RawWeights>) {
    let Json::Object(entries) = header.json else {
        let message = format!("the header is {}, not an object", header.json.kind());
        diagnostics.error(
            header.span,
            message,
            "write `{\"state-names\": true, \"weight-type\": \"none\"}`",
        );
        return (true, None);
    };
    let (mut named, mut weights) = (None, Some(RawWeights::Boolean));
    for (key, value) in entries {
        let Json::Text(name) = &key.json else { continue };
        match (name.as_str(), &value.json) {
            ("state-names", Json::Truth(truth)) => named = Some(*truth),
            ("state-names", other) => {
                diagnostics.error(
                    value.span,
                    format!("`state-names` is {}", other.kind()),
                    "write true or false",
                );
            }
            ("weight-type", Json::Text(none)) if none == "none" => {
                weights = Some(RawWeights::Boolean)
            }
            ("weight-type", Json::Text(number)) if number == "uint" || number == "int" => {
                weights = Some(RawWeights::MinPath)
            }
            ("weight-type", other) => {
                let which = match other {
                    Json::Text(name) => format!("weights `{}`", shown(name)),
                    Json::Array(_) => "vectors of weights".to_string(),
                    other => format!("`weight-type` {}", other.kind()),
                };
                weights = None;
                let message = format!("{which} are not analysed");
                let hint = "write `\"weight-type\": \"uint\"` for natural numbers, or `\"none\"` and leave the rules' weights out";
                diagnostics.error(value.span, message, hint);
            }
            (other, _) => diagnostics.warning(
                key.span,
                format!("`{}` in the header is not looked at", shown(other)),
                "known are `state-names` and `weight-type`",
            ),
        }
    }
    let named = named.unwrap_or_else(|| {
        if !diagnostics.has_errors() {
            diagnostics.error(
                header.span,
                "the header does not say whether states have names",
                "add `\"state-names\": true`, or false",
            );
        }
        true
    });
    (named, weights)
}

/// A rule whose left symbol may be `*`; `keeps`: the right side's last symbol is the left one.
struct Labelled {
    from: StateId,
    symbol: Option<SymbolId>,
    to: StateId,
    /// Above what stays.
    right: Vec<SymbolId>,
    keeps: bool,
    weight: u32,
    span: Span,
}

/// Puts every symbol for `*`.
fn expand(rules: Vec<Labelled>, symbols: usize, diagnostics: &mut Diagnostics) -> Vec<RawRule> {
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

struct Reader<'d> {
    named: bool,
    weights: Option<RawWeights>,
    states: Interner,
    symbols: Interner,
    rules: Vec<Labelled>,
    diagnostics: &'d mut Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>, hint: &str) {
        self.diagnostics.error(span, message, hint);
    }

    fn system(&mut self, system: Placed) {
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

    fn symbol(&mut self, name: &str, span: Span) -> SymbolId {
        if name == "*" {
            self.error(
                span,
                "`*` stands for every symbol only where a state's rules are listed",
                "name the symbol",
            );
        }
        if name.is_empty() {
            self.error(
                span,
                "a stack symbol has no name",
                "the empty text stands for no symbol; give it a name",
            );
        }
        SymbolId(self.symbols.number(name))
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

    /// A rule's weight; 1 where it was refused.
    fn weight(&mut self, key: Span, value: Placed) -> u32 {
        let number = match value.json {
            // The header's weights were refused, and that is enough.
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

    /// What a rule puts above the old top, and whether that stays; `None` if it was refused.
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

    fn automaton(&mut self, automaton: Placed, which: &str) -> ConfigurationAutomaton {
        let mut read =
            ConfigurationAutomaton { span: automaton.span, ..ConfigurationAutomaton::default() };
        let Json::Object(entries) = automaton.json else {
            let message =
                format!("the {which} automaton is {}, not an object", automaton.json.kind());
            self.error(
                automaton.span,
                message,
                "write `{\"accepting\": […], \"edges\": [[from, label, to], …]}`",
            );
            return read;
        };
        let (mut accepting, mut edges) = (None, None);
        for (key, value) in entries {
            let Json::Text(name) = &key.json else { continue };
            match name.as_str() {
                "accepting" if accepting.is_none() => {
                    accepting = self.list(value, "accepting states")
                }
                "edges" if edges.is_none() => edges = self.list(value, "edges"),
                "accepting" | "edges" => {
                    self.error(key.span, format!("a second `{name}`"), "put everything into one")
                }
                // Reading starts at every control state, whatever the text has here.
                "initial" => self.diagnostics.warning(
                    key.span,
                    "`initial` in an automaton is not looked at",
                    "reading starts at control states",
                ),
                other => {
                    let message = format!("`{}` in an automaton is not understood", shown(other));
                    self.error(key.span, message, "an automaton has `accepting` and `edges`");
                }
            }
        }
        if accepting.is_none() || edges.is_none() {
            self.error(
                automaton.span,
                format!("the {which} automaton lacks its `accepting` or its `edges`"),
                "both are lists; they may be empty",
            );
        }
        let mut inner = FxHashMap::default();
        for state in accepting.unwrap_or_default() {
            read.accepting.extend(self.node(state, &mut inner));
        }
        for edge in edges.unwrap_or_default() {
            let span = edge.span;
            let parts = match edge.json {
                Json::Array(parts) => <[Placed; 3]>::try_from(parts).ok(),
                _ => None,
            };
            let Some([from, label, to]) = parts else {
                self.error(span, "an edge is a list of three", "write `[from, \"label\", to]`");
                continue;
            };
            let label_span = label.span;
            let label = match label.json {
                Json::Text(empty) if empty.is_empty() => None,
                Json::Text(name) => Some(self.symbol(&name, label_span)),
                other => {
                    self.error(
                        label_span,
                        format!("an edge's label is a text, not {}", other.kind()),
                        "write the label in quotes",
                    );
                    continue;
                }
            };
            let (from, to) = (self.node(from, &mut inner), self.node(to, &mut inner));
            if let (Some(from), Some(to)) = (from, to) {
                read.edges.push((from, label, to));
            }
        }
        read.inner = inner.len() as u32;
        read
    }

    fn list(&mut self, value: Placed, what: &str) -> Option<Vec<Placed>> {
        match value.json {
            Json::Array(items) => Some(items),
            other => {
                self.error(
                    value.span,
                    format!("the {what} are {}, not a list", other.kind()),
                    "write a list; it may be empty",
                );
                Some(Vec::new())
            }
        }
    }

    fn node(&mut self, value: Placed, inner: &mut FxHashMap<u64, u32>) -> Option<Node> {
        match &value.json {
            Json::Text(name) if self.named => match self.states.find(name) {
                Some(id) => return Some(Node::Control(StateId(id))),
                None => self.error(
                    value.span,
                    format!("there is no state `{}`", shown(name)),
                    "an automaton's own states are numbers",
                ),
            },
            Json::Number(text) => match text.parse::<u64>() {
                Ok(number) if !self.named && number < self.states.list.len() as u64 => {
                    return Some(Node::Control(StateId(number as u32)));
                }
                Ok(number) => {
                    let next = inner.len() as u32;
                    return Some(Node::Inner(*inner.entry(number).or_insert(next)));
                }
                Err(_) => self.error(
                    value.span,
                    format!("`{}` is no number of a state", shown(text)),
                    "states are counted 0, 1, 2, …",
                ),
            },
            other => self.error(
                value.span,
                format!("a state is expected, this is {}", other.kind()),
                "write a state's name or number",
            ),
        }
        None
    }
}

fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}
