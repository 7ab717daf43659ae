//! `rand` as glibc computes it (its additive feedback generator, `TYPE_3`), so that a program with
//! a fixed seed prints here what it prints at home.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Random {
    table: Vec<u32>,
    at: usize,
}

impl Random {
    /// `srand(seed)`
    pub(super) fn new(seed: u32) -> Random {
        let mut table = vec![0u32; 34];
        table[0] = seed.max(1);
        for k in 1..31 {
            let word = (16807 * i64::from(table[k - 1] as i32)) % 2_147_483_647;
            table[k] = (if word < 0 { word + 2_147_483_647 } else { word }) as u32;
        }
        for k in 31..34 {
            table[k] = table[k - 31];
        }
        let mut random = Random { table, at: 0 };
        random.table.drain(..3);
        for _ in 0..310 {
            random.next();
        }
        random
    }

    /// `rand()`
    pub(super) fn next(&mut self) -> u32 {
        // r[i] = r[i - 3] + r[i - 31], in a ring of 31.
        let k = self.at;
        let value = self.table[k].wrapping_add(self.table[(k + 28) % 31]);
        self.table[k] = value;
        self.at = (k + 1) % 31;
        value >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_glibc() {
        let mut random = Random::new(1);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [1804289383, 846930886, 1681692777]
        );
        let mut random = Random::new(42);
        assert_eq!([random.next(), random.next()], [71876166, 708592740]);
    }
}
