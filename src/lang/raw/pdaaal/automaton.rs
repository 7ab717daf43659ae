//! The initial and the final automaton of an instance.

use super::reader::{Reader, shown};
use crate::lang::raw::json::{Json, Value};
use crate::lang::raw::{ConfigurationAutomaton, Node, StateId};
use rustc_hash::FxHashMap;

impl Reader<'_> {
    pub(super) fn automaton(&mut self, automaton: Value, which: &str) -> ConfigurationAutomaton {
        let mut read =
            ConfigurationAutomaton { span: automaton.span(), ..ConfigurationAutomaton::default() };
        let Json::Object(entries) = automaton.json() else {
            let message = format!("the {which} automaton is {}, not an object", automaton.kind());
            self.error(
                automaton.span(),
                message,
                "write `{\"accepting\": […], \"edges\": [[from, label, to], …]}`",
            );
            return read;
        };
        let (mut accepting, mut edges) = (None, None);
        for (key, value) in entries {
            let name = key.text();
            match name.as_ref() {
                "accepting" if accepting.is_none() => {
                    accepting = self.list(value, "accepting states")
                }
                "edges" if edges.is_none() => edges = self.list(value, "edges"),
                "accepting" | "edges" => {
                    self.error(key.span(), format!("a second `{name}`"), "put everything into one")
                }
                // Reading starts at every control state, even if the text says otherwise.
                "initial" => self.diagnostics.warning(
                    key.span(),
                    "`initial` in an automaton is not looked at",
                    "reading starts at control states",
                ),
                other => {
                    let message = format!("`{}` in an automaton is not understood", shown(other));
                    self.error(key.span(), message, "an automaton has `accepting` and `edges`");
                }
            }
        }
        if accepting.is_none() || edges.is_none() {
            self.error(
                automaton.span(),
                format!("the {which} automaton lacks its `accepting` or its `edges`"),
                "both are lists; they may be empty",
            );
        }
        let mut inner = FxHashMap::default();
        for state in accepting.into_iter().flatten() {
            read.accepting.extend(self.node(state, &mut inner));
        }
        for edge in edges.into_iter().flatten() {
            let parts: Vec<Value> = match edge.json() {
                Json::Array(parts) => parts.take(4).collect(),
                _ => Vec::new(),
            };
            let [from, label, to] = parts[..] else {
                self.error(
                    edge.span(),
                    "an edge is a list of three",
                    "write `[from, \"label\", to]`",
                );
                continue;
            };
            let label = match label.json() {
                Json::Text(empty) if empty.is_empty() => None,
                Json::Text(name) => Some(self.symbol(&name, label)),
                _ => {
                    self.error(
                        label.span(),
                        format!("an edge's label is a text, not {}", label.kind()),
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

    fn node(&mut self, value: Value, inner: &mut FxHashMap<u64, u32>) -> Option<Node> {
        match value.json() {
            Json::Text(name) if self.named => match self.states.find(&name) {
                Some(id) => return Some(Node::Control(StateId(id))),
                None => self.error(
                    value.span(),
                    format!("there is no state `{}`", shown(&name)),
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
                    value.span(),
                    format!("`{}` is no number of a state", shown(text)),
                    "states are counted 0, 1, 2, …",
                ),
            },
            _ => self.error(
                value.span(),
                format!("a state is expected, this is {}", value.kind()),
                "write a state's name or number",
            ),
        }
        None
    }
}
