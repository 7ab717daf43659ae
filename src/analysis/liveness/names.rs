//! What the names in a formula stand for: places of the program, its variables, its enumerators.

use super::atoms::{Atom, Condition, Term, atoms_of};
use super::formula::Formula;
use super::parser::{Item, Parsed, Parser};
use super::places::{at_label, on_line};
use crate::lang::model::{ProcedureId, VariableId};

impl Parser<'_> {
    /// `at(…)`, `enter(…)`, `leave(…)`, `inside(…)`
    pub(super) fn place_atom(&mut self, from: usize, word: &str) -> Parsed<Item> {
        self.at += 2;
        let begin = self.at;
        let name = self.peek();
        if name.is_empty() || name == ")" {
            return Err(self.expected("a name"));
        }
        self.at += 1;
        if word == "at" {
            let places = match name.parse::<u32>() {
                Ok(line) => Some(on_line(self.program, line)).filter(|list| !list.is_empty()),
                Err(_) => at_label(self.program, self.source, name),
            };
            let places = places.ok_or_else(|| {
                let message = match name.parse::<u32>() {
                    Ok(line) => format!("no statement begins in line {line}"),
                    Err(_) => format!("there is no label `{name}`"),
                };
                self.error(begin, message)
            })?;
            self.needs(")")?;
            return Ok(Item::Formula(self.atom(from, Atom::At(places))));
        }
        let found = self.program.procedures.iter().position(|procedure| procedure.name == name);
        let procedure = found.map(|k| ProcedureId(k as u32));
        let procedure = procedure
            .ok_or_else(|| self.error(begin, format!("there is no procedure `{name}`")))?;
        let atom = match word {
            "enter" => Atom::Enter(procedure),
            "leave" => Atom::Leave(procedure),
            _ => {
                self.needs(":")?;
                self.inside = Some(procedure);
                let outside = (self.atoms.len(), self.at);
                let formula = self.formula()?;
                self.inside = None;
                let condition = self.condition(&formula, outside.1)?;
                self.atoms.truncate(outside.0);
                self.texts.truncate(outside.0);
                Atom::Inside(procedure, condition)
            }
        };
        self.needs(")")?;
        Ok(Item::Formula(self.atom(from, atom)))
    }

    /// A formula without time, as a condition.
    fn condition(&self, formula: &Formula, from: usize) -> Parsed<Condition> {
        let both = |a: &Formula, b: &Formula| -> Parsed<(Box<Condition>, Box<Condition>)> {
            Ok((Box::new(self.condition(a, from)?), Box::new(self.condition(b, from)?)))
        };
        let not = |a: Box<Condition>| Box::new(Condition::Not(a));
        Ok(match formula {
            Formula::Constant(value) => Condition::Constant(*value),
            Formula::Atom(atom) => match &self.atoms[*atom as usize] {
                Atom::Condition(condition) => condition.clone(),
                _ => return Err(self.error(from, "only a condition can stand here".to_string())),
            },
            Formula::Not(a) => Condition::Not(Box::new(self.condition(a, from)?)),
            Formula::And(a, b) => {
                let (a, b) = both(a, b)?;
                Condition::And(a, b)
            }
            Formula::Or(a, b) => {
                let (a, b) = both(a, b)?;
                Condition::Or(a, b)
            }
            Formula::Implies(a, b) => {
                let (a, b) = both(a, b)?;
                Condition::Or(not(a), b)
            }
            Formula::Iff(a, b) => {
                let (a, b) = both(a, b)?;
                Condition::Or(
                    Box::new(Condition::And(a.clone(), b.clone())),
                    Box::new(Condition::And(not(a), not(b))),
                )
            }
            _ => return Err(self.error(from, "`inside` is about one state".to_string())),
        })
    }

    /// A variable, with members and indices, or an enumerator.
    pub(super) fn variable(&mut self, from: usize) -> Parsed<Item> {
        let mut name = self.peek().to_string();
        self.at += 1;
        let mut indices = Vec::new();
        loop {
            if self.takes(".") {
                name = format!("{name}.{}", self.peek());
                self.at += 1;
            } else if self.takes("[") {
                let begin = self.at;
                let index = self.deeper(Parser::sum)?;
                indices.push(self.number(begin, index)?);
                self.needs("]")?;
            } else {
                break;
            }
        }
        let named = |id: &VariableId| {
            let variable = self.program.variable(*id);
            variable.has_name() && variable.name == name
        };
        let all: Vec<VariableId> =
            (0..self.program.variables.len() as u32).map(VariableId).filter(named).collect();
        let owner = |id: &VariableId| self.program.variable(*id).owner;
        let mut found: Vec<VariableId> = all
            .iter()
            .copied()
            .filter(|id| owner(id).is_some() && owner(id) == self.inside)
            .collect();
        if found.is_empty() {
            found = all.iter().copied().filter(|id| owner(id).is_none()).collect();
        }
        if let Some(first) = found.first() {
            let dimensions = self.program.variable(*first).dimensions.len();
            found.retain(|id| self.program.variable(*id).dimensions.len() == dimensions);
            if dimensions != indices.len() {
                let message = match dimensions {
                    0 => format!("`{name}` is no array"),
                    1 => format!("`{name}` is an array: name an element, `{name}[0]`"),
                    n => format!("`{name}` has {n} indices"),
                };
                return Err(self.error(from, message));
            }
            if found.iter().any(|id| self.program.variable(*id).scalar.floating) {
                let message = format!("`{name}` is floating point, which formulas do not compare");
                return Err(self.error(from, message));
            }
            return Ok(Item::Number(Term::Variable(found, indices)));
        }
        if let Some((bits, scalar)) = self.program.constants.get(&name)
            && indices.is_empty()
        {
            return Ok(Item::Number(Term::Number(scalar.number(*bits))));
        }
        let message = match all.first().and_then(owner) {
            Some(of) => {
                let of = &self.program.procedure(of).name;
                format!("`{name}` is a local variable of `{of}`: write `inside({of}: …)`")
            }
            None => match self.names {
                None => format!("there is no variable `{name}`"),
                Some(names) => format!("there is no atom `{name}`; {}", atoms_of(names)),
            },
        };
        Err(self.error(from, message))
    }
}
