//! Rules by number: those with the same number stand next to each other.

use super::system::RuleId;
use crate::util::order::sort_by_key;
use rustc_hash::FxHashMap;

/// The most numbers for which a table has an entry each, whether rules have them or not.
const TABLE: u64 = 1 << 20;

/// Rules by number, those of one number in the order in which they were given.
#[derive(Clone, Debug)]
pub(super) struct Grouped {
    ranges: Ranges,
    rules: Vec<RuleId>,
}

/// Where the rules of a number stand.
#[derive(Clone, Debug)]
enum Ranges {
    /// By number: the first of its rules; the first of the next number's rules is behind the last.
    Table(Vec<u32>),
    /// Where most numbers have no rule.
    Map(FxHashMap<u64, (u32, u32)>),
}

impl Grouped {
    /// Rules with numbers below `numbers`.
    pub(super) fn of(
        numbers: u64,
        numbered: impl Iterator<Item = (u64, RuleId)> + Clone,
    ) -> Grouped {
        if numbers > TABLE {
            Grouped::sorted(numbered)
        } else {
            Grouped::counted(numbers, numbered)
        }
    }

    fn counted(numbers: u64, numbered: impl Iterator<Item = (u64, RuleId)> + Clone) -> Grouped {
        let mut firsts = vec![0u32; numbers as usize + 1];
        for (number, _) in numbered.clone() {
            firsts[number as usize + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut firsts {
            sum += *first;
            *first = sum;
        }
        // Each first moves on to the next number's while its rules are entered.
        let mut rules = vec![RuleId(0); sum as usize];
        for (number, rule) in numbered {
            let at = &mut firsts[number as usize];
            rules[*at as usize] = rule;
            *at += 1;
        }
        firsts.rotate_right(1);
        firsts[0] = 0;
        Grouped { ranges: Ranges::Table(firsts), rules }
    }

    fn sorted(numbered: impl Iterator<Item = (u64, RuleId)>) -> Grouped {
        let mut pairs: Vec<(u64, RuleId)> = numbered.collect();
        sort_by_key(&mut pairs, |(number, _)| *number);
        let mut ranges = FxHashMap::default();
        let mut at = 0;
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            let end = at + group.len() as u32;
            ranges.insert(group[0].0, (at, end));
            at = end;
        }
        let rules = pairs.into_iter().map(|(_, rule)| rule).collect();
        Grouped { ranges: Ranges::Map(ranges), rules }
    }

    /// The rules with this number.
    pub(super) fn get(&self, number: u64) -> &[RuleId] {
        let (start, end) = match &self.ranges {
            Ranges::Table(firsts) => (firsts[number as usize], firsts[number as usize + 1]),
            Ranges::Map(ranges) => ranges.get(&number).copied().unwrap_or_default(),
        };
        &self.rules[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_give_the_rules_of_a_number_in_their_order() {
        let numbered = [(3, 0), (0, 1), (3, 2), (5, 3), (0, 4), (3, 5)];
        let numbered = numbered.map(|(number, rule)| (number, RuleId(rule)));
        for grouped in
            [Grouped::counted(7, numbered.into_iter()), Grouped::sorted(numbered.into_iter())]
        {
            let rules = |number| grouped.get(number).iter().map(|rule| rule.0).collect::<Vec<_>>();
            assert_eq!(
                (0..7).map(rules).collect::<Vec<_>>(),
                [vec![1, 4], vec![], vec![], vec![0, 2, 5], vec![], vec![3], vec![]]
            );
        }
    }
}
