//! Prints transformers. Reading the text gives the same tree.

use super::{Comparison, Condition, Term, Transformer};

impl Transformer {
    /// `x > 0, x := x - 1`; empty for the one that does nothing.
    pub fn print(&self, names: &[String]) -> String {
        let mut parts: Vec<String> =
            self.conditions.iter().map(|condition| condition.print(names)).collect();
        parts.extend(self.assigned.iter().map(|(variable, term)| {
            let term = term.as_ref().map_or("*".to_string(), |term| term.print(names));
            format!("{} := {term}", name(names, *variable))
        }));
        parts.join(", ")
    }
}

fn name(names: &[String], variable: u32) -> &str {
    names.get(variable as usize).map_or("?", String::as_str)
}

impl Term {
    fn print(&self, names: &[String]) -> String {
        match self {
            Term::Number(n) => n.to_string(),
            Term::Old(variable) => name(names, *variable).to_string(),
            Term::New(variable) => format!("{}'", name(names, *variable)),
            Term::Sum(items) => {
                let mut out = String::new();
                for (k, (minus, item)) in items.iter().enumerate() {
                    out.push_str(match (k, minus) {
                        (0, true) => "-",
                        (0, false) => "",
                        (_, true) => " - ",
                        (_, false) => " + ",
                    });
                    let enclosed = matches!(item, Term::Sum(_));
                    out.push_str(&if enclosed {
                        format!("({})", item.print(names))
                    } else {
                        item.print(names)
                    });
                }
                out
            }
            Term::Product(items) => {
                let factor = |item: &Term| match item {
                    Term::Sum(_) | Term::Product(_) => format!("({})", item.print(names)),
                    _ => item.print(names),
                };
                items.iter().map(factor).collect::<Vec<_>>().join("*")
            }
        }
    }
}

impl Condition {
    fn print(&self, names: &[String]) -> String {
        let joined = |items: &[Condition], sign: &str| {
            let enclosed = |item: &Condition| match item {
                Condition::All(_) | Condition::Any(_) => format!("({})", item.print(names)),
                _ => item.print(names),
            };
            items.iter().map(enclosed).collect::<Vec<_>>().join(sign)
        };
        match self {
            Condition::Compare(how, left, right) => {
                let sign = match how {
                    Comparison::Equal => "=",
                    Comparison::NotEqual => "!=",
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                };
                format!("{} {sign} {}", left.print(names), right.print(names))
            }
            Condition::Not(inner) => format!("!({})", inner.print(names)),
            Condition::All(items) => joined(items, " && "),
            Condition::Any(items) => joined(items, " || "),
        }
    }
}
