//! Which inputs are tried: all of a small domain in order of size, random ones of a large one, and
//! smaller ones than one that was found.

use super::SMALL;
use crate::domain::{Count, Domain, Item, Value};
use crate::program::{Body, Program};
use faultline_c::tree::{ExprKind, StatementKind};

/// How many inputs a domain has; `None` if too many to say.
pub(super) fn size(domain: &Domain) -> Option<u64> {
    let mut total = 1u64;
    for item in &domain.items {
        total = total.checked_mul(item_size(item)?)?;
        if total > 1 << 40 {
            return None;
        }
    }
    Some(total)
}

pub(super) fn item_size(item: &Item) -> Option<u64> {
    match item {
        Item::Integer { low, high, .. } => Some(high.abs_diff(*low) + 1),
        Item::Times { count: Count::Number(count), item } => {
            item_size(item)?.checked_pow(*count).filter(|size| *size < 1 << 40)
        }
        _ => None,
    }
}

/// The few values that small inputs are made of.
pub(super) fn few(low: i64, high: i64) -> Vec<i64> {
    let mut list: Vec<i64> = Vec::new();
    for value in [0, 1, 2, -1, 3, 4, 5, 10, low, high] {
        if (low..=high).contains(&value) && !list.contains(&value) {
            list.push(value);
        }
    }
    if list.len() < 3 {
        list.extend((low..=high).filter(|value| *value > low + 1 - 2).take(5));
        list.sort_unstable();
        list.dedup();
    }
    list
}

/// Inputs in order of the sum of the places that their values have in their lists.
pub(super) fn enumerated(
    domain: &Domain,
    values: &dyn Fn(i64, i64) -> Vec<i64>,
    most: usize,
) -> Vec<Vec<Value>> {
    let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
    for item in &domain.items {
        let mut longer = Vec::new();
        for list in &lists {
            for value in item_values(domain, item, list, values, most) {
                let mut next = list.clone();
                next.push(value);
                longer.push(next);
                if longer.len() >= most {
                    break;
                }
            }
            if longer.len() >= most {
                break;
            }
        }
        lists = longer;
    }
    lists.sort_by_key(|list| (Domain::text(list).len(), magnitude(list)));
    lists
}

pub(super) fn magnitude(list: &[Value]) -> u64 {
    let one = |value: &Value| match value {
        Value::Integer(value) => value.unsigned_abs(),
        Value::Float(value) => value.unsigned_abs() / 100,
        Value::Text(text, _) => text.len() as u64,
        Value::List(list) => magnitude(list),
    };
    list.iter().fold(0, |sum, value| sum.saturating_add(one(value)))
}

pub(super) fn item_values(
    domain: &Domain,
    item: &Item,
    before: &[Value],
    values: &dyn Fn(i64, i64) -> Vec<i64>,
    most: usize,
) -> Vec<Value> {
    match item {
        Item::Integer { low, high, .. } => {
            values(*low, *high).into_iter().map(Value::Integer).collect()
        }
        Item::Float { low, high } => {
            [0, 100, 50, 150, -100, 225, 1000, (*low * 100.0) as i64, (*high * 100.0) as i64]
                .into_iter()
                .filter(|value| (*low..=*high).contains(&(*value as f64 / 100.0)))
                .map(Value::Float)
                .collect()
        }
        Item::Word { most: letters } => {
            texts(&["a", "b", "ab", "aa", "aba", "abc", "Ab", "zz"], *letters, false)
        }
        Item::Line { most: letters } => {
            texts(&["", "a", "a b", " a", "ab", "1", "A b c", "a  b"], *letters, true)
        }
        Item::Text { characters, most: letters } => {
            let mut list = vec![Value::Text(Vec::new(), false)];
            for length in 1..=2.min(*letters) {
                for k in 0..characters.len().pow(length) {
                    let mut rest = k;
                    let mut text = Vec::new();
                    for _ in 0..length {
                        text.push(characters[rest % characters.len()]);
                        rest /= characters.len();
                    }
                    list.push(Value::Text(text, false));
                }
            }
            list
        }
        Item::Times { count, item } => {
            let counts: Vec<usize> = match count {
                Count::UpTo(most) => (0..=(*most as usize).min(3)).collect(),
                other => vec![domain.count(other, before)],
            };
            let mut result = Vec::new();
            for count in counts {
                let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
                for _ in 0..count {
                    let mut longer = Vec::new();
                    'lists: for list in &lists {
                        for value in item_values(domain, item, before, values, most) {
                            let mut next = list.clone();
                            next.push(value);
                            longer.push(next);
                            if longer.len() >= most.min(400) && most < SMALL as usize {
                                break 'lists;
                            }
                        }
                    }
                    lists = longer;
                }
                result.extend(lists.into_iter().map(Value::List));
            }
            result
        }
    }
}

pub(super) fn texts(list: &[&str], most: u32, ends: bool) -> Vec<Value> {
    let fits = |text: &&&str| text.len() <= most as usize;
    list.iter().filter(fits).map(|text| Value::Text(text.as_bytes().to_vec(), ends)).collect()
}

/// Inputs that are one step smaller.
pub(super) fn reductions(domain: &Domain, values: &[Value]) -> Vec<Vec<Value>> {
    let mut list = Vec::new();
    for (k, value) in values.iter().enumerate() {
        for smaller in smaller_values(value) {
            let mut next = values.to_vec();
            next[k] = smaller;
            // What is repeated as often as this number says follows it.
            for at in 0..next.len() {
                if let Some(Item::Times { count: count @ Count::Name(_), .. }) =
                    domain.items.get(at)
                {
                    let count = domain.count(count, &next);
                    if let Value::List(inner) = &mut next[at] {
                        inner.truncate(count);
                    }
                }
            }
            list.push(next);
        }
    }
    list
}

pub(super) fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(0) | Value::Float(0) => Vec::new(),
        Value::Integer(value) => {
            let toward = value.signum();
            let mut list = vec![0, value / 10, value / 2, value - toward];
            list.dedup();
            list.into_iter().filter(|smaller| smaller != value).map(Value::Integer).collect()
        }
        Value::Float(value) => {
            vec![Value::Float(0), Value::Float(value / 200 * 100), Value::Float(value / 2)]
                .into_iter()
                .filter(|smaller| *smaller != Value::Float(*value))
                .collect()
        }
        Value::Text(text, ends) => (0..text.len())
            .map(|k| {
                let mut shorter = text.clone();
                shorter.remove(k);
                Value::Text(shorter, *ends)
            })
            .collect(),
        Value::List(list) => {
            let mut result = Vec::new();
            for k in 0..list.len() {
                let mut shorter = list.clone();
                shorter.remove(k);
                result.push(Value::List(shorter));
                for smaller in smaller_values(&list[k]) {
                    let mut next = list.clone();
                    next[k] = smaller;
                    result.push(Value::List(next));
                }
            }
            result
        }
    }
}

/// The numbers of both programs: where they behave differently there is often one near.
pub(super) fn numbers(program: &Program, reference: &Program) -> Vec<i64> {
    let mut list = vec![0, 1, -1, 2, 10, 100];
    for program in [program, reference] {
        let tree = match &program.body {
            Body::C(parts) => &parts.0,
            Body::Java(parts) => {
                for value in crate::java::numbers(&parts.0) {
                    list.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
                }
                continue;
            }
        };
        for k in tree.library..tree.procedures.len() as u32 {
            if let Some(body) = &tree.procedures[k as usize].body {
                crate::changes::each_expression(body, &mut |e| {
                    if let ExprKind::Integer(value) = e.kind {
                        let value = value as i64;
                        list.extend([value, value.wrapping_add(1), value.wrapping_sub(1)]);
                    }
                });
                if let StatementKind::Block(_) = body.kind {
                    list.dedup();
                }
            }
        }
    }
    list.sort_unstable();
    list.dedup();
    list
}

/// Marsaglia's xorshift, with a fixed seed: the same answer for the same question.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    pub(super) fn integer(&mut self, low: i64, high: i64, numbers: &[i64]) -> i64 {
        let width = high.abs_diff(low).saturating_add(1);
        match self.below(6) {
            0 => numbers[self.below(numbers.len() as u64) as usize].clamp(low, high),
            1 => (self.below(20) as i64 - 5).clamp(low, high),
            2 => low.saturating_add(self.below(width.min(50)) as i64),
            3 if width > 100 => low.saturating_add(self.below(width.min(1000)) as i64),
            _ => low.saturating_add(self.below(width) as i64),
        }
    }

    pub(super) fn values(&mut self, domain: &Domain, numbers: &[i64]) -> Vec<Value> {
        let mut values = Vec::new();
        for item in &domain.items {
            let value = self.value(domain, item, &values, numbers);
            values.push(value);
        }
        values
    }

    pub(super) fn value(
        &mut self,
        domain: &Domain,
        item: &Item,
        before: &[Value],
        numbers: &[i64],
    ) -> Value {
        match item {
            Item::Integer { low, high, .. } => Value::Integer(self.integer(*low, *high, numbers)),
            Item::Float { low, high } => {
                let (low, high) = ((low * 100.0) as i64, (high * 100.0) as i64);
                Value::Float(self.integer(low, high, numbers))
            }
            Item::Word { most } => {
                let length = 1 + self.below(u64::from(*most).min(8));
                let letters = (0..length).map(|_| b'a' + self.below(4) as u8).collect();
                Value::Text(letters, false)
            }
            Item::Line { most } => Value::Text(self.text(b"ab c1A.", *most), true),
            Item::Text { characters, most } => Value::Text(self.text(characters, *most), false),
            Item::Times { count, item } => {
                let count = match count {
                    Count::UpTo(most) => self.below(u64::from(*most) + 1) as usize,
                    other => domain.count(other, before),
                };
                let mut list: Vec<Value> = Vec::new();
                for _ in 0..count {
                    // Equal values are a case of their own.
                    let again = !list.is_empty() && self.below(4) == 0;
                    let next = match list.last() {
                        Some(last) if again => last.clone(),
                        _ => self.value(domain, item, before, numbers),
                    };
                    list.push(next);
                }
                Value::List(list)
            }
        }
    }

    pub(super) fn text(&mut self, characters: &[u8], most: u32) -> Vec<u8> {
        let length = self.below(u64::from(most.min(30)) + 1);
        if characters.is_empty() {
            return Vec::new();
        }
        (0..length).map(|_| characters[self.below(characters.len() as u64) as usize]).collect()
    }
}
