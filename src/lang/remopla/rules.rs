//! Raw rules `p <s> --> q <t u>`.
//!
//! The rules become one procedure with a location for each stack symbol. Its argument is the symbol
//! on top; the control state is a global. A rule that pops returns. A rule that steps goes on at
//! another symbol. A rule that pushes calls the procedure again and then goes on at the symbol
//! below. The name of a module on the stack is a call of the module. The run starts where
//! `init p <s>;` says, else with the left side of the first rule.

use super::entity::Declared;
use super::lowering::{Lowering, Signature};
use super::stack_symbols::{Rules, numbers};
use super::syntax::*;
use crate::lang::lowering::expressions::binary;
use crate::lang::lowering::graph::{Looks, Pending};
use crate::lang::model::{
    BinaryOperator, ErrorKind, Expression, Initial, LocationId, Operation, Place, ProcedureId,
    Scalar, StatementKind as Kind, Subject, VariableKind,
};
use crate::lang::syntax::Name;
use rustc_hash::FxHashMap;

fn note<'a>(seen: &mut FxHashMap<&'a str, usize>, name: &'a Name) {
    let next = seen.len();
    seen.entry(&name.text).or_insert(next);
}

impl<'a> Rules<'a> {
    /// Collects the control states and stack symbols of the rules; `None` if there are no rules.
    /// `bodies` is the number of procedures before the procedure of the rules.
    pub(super) fn gather(
        lowering: &mut Lowering<'a>,
        file: &'a File,
        bodies: u32,
    ) -> Option<Rules<'a>> {
        let Some(first) = file.rules.first() else {
            if let Some(init) = file.init.as_ref().filter(|init| init.state.is_some()) {
                lowering.builder.diagnostics.error(
                    init.span,
                    "a control state without rules",
                    "write `init m;`, or rules",
                );
            }
            return None;
        };
        let (mut states, mut symbols) = (FxHashMap::default(), FxHashMap::default());
        if let Some(Init { state: Some(state), name, .. }) = &file.init {
            note(&mut states, state);
            note(&mut symbols, name);
        }
        for rule in &file.rules {
            note(&mut states, &rule.from);
            note(&mut states, &rule.to);
            note(&mut symbols, &rule.symbol);
            if lowering.signatures.contains_key(rule.symbol.text.as_str()) {
                let message = format!("`{}` is a module: no rule rewrites it", rule.symbol.text);
                lowering.builder.diagnostics.error(
                    rule.symbol.span,
                    message,
                    "write what it does in the module",
                );
            }
            for symbol in &rule.word {
                if !lowering.signatures.contains_key(symbol.text.as_str()) {
                    note(&mut symbols, symbol);
                }
            }
        }
        let text =
            if lowering.globals.contains_key("control") { "control state" } else { "control" };
        let name = Name { text: text.to_string(), span: first.span };
        let control = lowering.builder.variable(
            &name,
            numbers(states.len()),
            Vec::new(),
            VariableKind::Global,
        );
        let start = file.init.as_ref().and_then(|init| init.state.as_ref()).unwrap_or(&first.from);
        let initial = states.get(start.text.as_str()).map_or(0, |k| *k as u64);
        lowering.builder.program.variables[control].initial = Initial::Exactly(vec![initial]);
        for (state, k) in &states {
            lowering
                .builder
                .program
                .constants
                .entry(state.to_string())
                .or_insert((*k as u64, Scalar::int(64, true)));
        }
        let mut ordered: Vec<(usize, &str)> =
            symbols.iter().map(|(symbol, k)| (*k, *symbol)).collect();
        ordered.sort_unstable();
        let ordered = ordered.into_iter().map(|(_, symbol)| symbol).collect();
        Some(Rules {
            procedure: ProcedureId(bodies),
            control,
            states,
            symbols: ordered,
            numbers: symbols,
        })
    }

    /// Makes the procedure of the rules. If nothing else starts, also makes a procedure that starts
    /// the rules.
    pub(super) fn lower(lowering: &mut Lowering<'a>, file: &'a File, globals: &[Declared]) {
        let Some(rules) = lowering.rules.take() else { return };
        let Some(first) = file.rules.first() else { return };
        lowering.locals.clear();
        rules.procedure(lowering, file);
        let starts =
            file.init.as_ref().is_some_and(|init| init.state.is_some()) || rules.procedure.0 == 0;
        if starts {
            let (name, span) = match &file.init {
                Some(init) => (&init.name, init.span),
                None => (&first.symbol, first.span),
            };
            lowering.builder.open_procedure();
            lowering.builder.see(std::iter::empty());
            lowering.members(globals, span);
            if let Some((callee, argument)) = rules.call_of(&name.text) {
                let looks = lowering.builder.looks(Kind::Call, span);
                lowering.builder.emit(
                    Operation::Call { callee, arguments: vec![argument], result: None },
                    looks,
                );
            }
            let own = Name { text: "start".to_string(), span };
            lowering.builder.close_procedure(&own, span, span, Vec::new(), None);
        }
        lowering.rules = Some(rules);
    }

    fn procedure(&self, lowering: &mut Lowering<'a>, file: &'a File) {
        let span = file.rules[0].span;
        let end = file.rules.last().map_or(span, |rule| rule.span);
        lowering.builder.open_procedure();
        let scalar = numbers(self.symbols.len());
        let top = lowering.builder.hidden_variable("symbol", scalar, VariableKind::Parameter, span);
        lowering.builder.see(std::iter::empty());
        let entry = lowering.builder.graph.here();
        let mut places: Vec<LocationId> = Vec::new();
        let mut heads: Vec<LocationId> = Vec::new();
        for (k, symbol) in self.symbols.iter().enumerate() {
            let place = lowering.builder.graph.fresh();
            let number = Expression::Constant(k as u64, scalar);
            let on_top = binary(BinaryOperator::Equal, Expression::Variable(top, scalar), number);
            let looks = Looks { kind: Kind::Hidden, span, text: format!("<{symbol}>") };
            lowering.builder.edge(
                (entry, place),
                Operation::Assume(on_top),
                Pending::default(),
                "",
                looks,
            );
            lowering.builder.graph.current = Some(place);
            if lowering.builder.is_error_label(symbol) {
                let mention = file
                    .rules
                    .iter()
                    .flat_map(|rule| rule.word.iter().chain([&rule.symbol]))
                    .find(|name| name.text == *symbol);
                let span = mention.map_or(span, |name| name.span);
                let looks = Looks { kind: Kind::Assertion, span, text: format!("<{symbol}>") };
                lowering.builder.require(
                    ErrorKind::ErrorLabel,
                    Expression::falsity(),
                    Subject::Condition,
                    looks.text.clone(),
                    span,
                );
                lowering.builder.emit(Operation::Skip, looks);
            }
            places.push(place);
            heads.push(lowering.builder.graph.here());
        }
        for rule in &file.rules {
            self.rule(lowering, rule, &places, &heads);
        }
        lowering.builder.graph.current = None;
        let own = Name { text: "rules".to_string(), span };
        lowering.builder.close_procedure(&own, span, end, vec![top], None);
    }

    fn rule(
        &self,
        lowering: &mut Lowering<'a>,
        rule: &'a Rule,
        places: &[LocationId],
        heads: &[LocationId],
    ) {
        let Some(k) = self.numbers.get(rule.symbol.text.as_str()).copied() else { return };
        let scalar = numbers(self.states.len());
        lowering.builder.graph.current = Some(heads[k]);
        let in_state = binary(
            BinaryOperator::Equal,
            Expression::Variable(self.control, scalar),
            self.state(&rule.from),
        );
        let looks = lowering.builder.looks(Kind::Condition, rule.span);
        lowering.builder.emit(Operation::Assume(in_state), looks);
        if let Some(relation) = &rule.relation {
            lowering.relation(relation, rule.span, Kind::Hidden);
        }
        if rule.from.text != rule.to.text {
            lowering.builder.hidden(
                rule.span,
                Operation::Assign(vec![(Place::Variable(self.control), self.state(&rule.to))]),
            );
        }
        if let [called, _] = &rule.word[..] {
            self.called(lowering, called);
        }
        let exit = lowering.builder.graph.exit;
        let to = match rule.word.last() {
            None => exit,
            Some(symbol) => match self.numbers.get(symbol.text.as_str()) {
                Some(k) => places[*k],
                None => {
                    self.called(lowering, symbol);
                    exit
                }
            },
        };
        let here = lowering.builder.graph.here();
        lowering.builder.graph.merge(here, to);
        lowering.builder.graph.current = None;
    }

    /// A symbol above another symbol is a call.
    fn called(&self, lowering: &mut Lowering<'a>, symbol: &'a Name) {
        let (callee, arguments) =
            match (self.call_of(&symbol.text), lowering.signatures.get(symbol.text.as_str())) {
                (Some((callee, argument)), _) => (callee, vec![argument]),
                (None, Some(Signature { id: Some(id), parameters, result: None, .. }))
                    if parameters.is_empty() =>
                {
                    (*id, Vec::new())
                }
                _ => {
                    let message = format!("module `{}` cannot stand on the stack", symbol.text);
                    lowering.builder.diagnostics.error(
                        symbol.span,
                        message,
                        "it needs a body, no parameters and no result",
                    );
                    return;
                }
            };
        let looks =
            Looks { kind: Kind::Call, span: symbol.span, text: format!("<{}>", symbol.text) };
        lowering.builder.emit(Operation::Call { callee, arguments, result: None }, looks);
    }
}
