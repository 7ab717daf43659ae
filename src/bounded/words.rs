//! Numbers as words of literals, lowest bit first: what an arithmetic unit computes.

use crate::circuit::{Circuit, FALSE, Lit, TRUE};

/// A constant.
pub fn constant(value: u64, width: usize) -> Vec<Lit> {
    (0..width).map(|k| Lit::from(k < 64 && value >> k & 1 == 1)).collect()
}

/// The number, if all bits are constants; of at most 64 bits.
pub fn value(word: &[Lit]) -> Option<u64> {
    let mut value = 0;
    for (k, bit) in word.iter().enumerate() {
        value |= u64::from(bit.constant()?) << k;
    }
    Some(value)
}

/// More bits above: zeros, or copies of the sign.
pub fn extend(word: &[Lit], width: usize, signed: bool) -> Vec<Lit> {
    let high = if signed { word.last().copied().unwrap_or(FALSE) } else { FALSE };
    let mut result = word.to_vec();
    result.resize(width, high);
    result
}

impl Circuit {
    /// Any number.
    pub fn word(&mut self, width: usize) -> Vec<Lit> {
        (0..width).map(|_| self.input()).collect()
    }

    /// A sum of three bits: the bit and its carry.
    fn full_adder(&mut self, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
        let different = self.xor(a, b);
        let sum = self.xor(different, carry);
        let carry = self.choose(different, carry, a);
        (sum, carry)
    }

    /// `a + b + carry` and the carry out of the last bit.
    pub fn add_with(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let (bit, next) = self.full_adder(*a, *b, carry);
            sum.push(bit);
            carry = next;
        }
        (sum, carry)
    }

    /// `a + b`, wrapping.
    pub fn add(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.add_with(a, b, FALSE).0
    }

    /// `a - b`, wrapping, and whether `a < b` without signs.
    pub fn subtract_with(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let inverted: Vec<Lit> = b.iter().map(|bit| !*bit).collect();
        let (difference, carry) = self.add_with(a, &inverted, TRUE);
        (difference, !carry)
    }

    /// `a - b`, wrapping.
    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.subtract_with(a, b).0
    }

    /// `-a`, wrapping.
    pub fn negate(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = vec![FALSE; a.len()];
        self.subtract(&zero, a)
    }

    /// `-a` if the condition holds, else `a`.
    pub fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        let inverted: Vec<Lit> = a.iter().map(|bit| self.xor(*bit, condition)).collect();
        let zero = vec![FALSE; a.len()];
        self.add_with(&inverted, &zero, condition).0
    }

    /// `a` if the condition holds, else `b`.
    pub fn choose_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(a, b)| self.choose(condition, *a, *b)).collect()
    }

    /// Bit by bit.
    pub fn bitwise(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        operator: fn(&mut Circuit, Lit, Lit) -> Lit,
    ) -> Vec<Lit> {
        a.iter().zip(b).map(|(a, b)| operator(self, *a, *b)).collect()
    }

    /// Each bit, if the condition holds, else zero.
    pub fn masked(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        a.iter().map(|bit| self.and(condition, *bit)).collect()
    }

    /// `a == b`
    pub fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(a, b)| self.equal(*a, *b)).collect();
        self.all(&bits)
    }

    /// `a != 0`
    pub fn is_nonzero(&mut self, a: &[Lit]) -> Lit {
        self.any(a)
    }

    /// `a < b`, from the lowest bit up: the highest bit that differs decides.
    pub fn less(&mut self, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
        let mut less = FALSE;
        let top = a.len().saturating_sub(1);
        for (k, (a, b)) in a.iter().zip(b).enumerate() {
            let different = self.xor(*a, *b);
            // Of two signs that differ the negative number is less.
            let here = if signed && k == top { *a } else { *b };
            less = self.choose(different, here, less);
        }
        less
    }

    /// `a * b` in so many bits; the operands have no sign.
    pub fn multiply_to(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Vec<Lit> {
        // Rows for the operand with fewer bits that are not zero.
        let bits = |word: &[Lit]| word.iter().filter(|bit| **bit != FALSE).count();
        let (a, b) = if bits(a) < bits(b) { (b, a) } else { (a, b) };
        let mut product = vec![FALSE; width];
        for (shift, bit) in b.iter().enumerate().take(width) {
            if *bit == FALSE {
                continue;
            }
            let most = a.len().min(width - shift);
            let row = self.masked(*bit, &a[..most]);
            let mut carry = FALSE;
            for (k, bit) in product[shift..].iter_mut().enumerate() {
                if k >= row.len() && carry == FALSE {
                    break;
                }
                let digit = row.get(k).copied().unwrap_or(FALSE);
                (*bit, carry) = self.full_adder(*bit, digit, carry);
            }
        }
        product
    }

    /// `a * b`, wrapping.
    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        self.multiply_to(a, b, a.len())
    }

    /// `a * b` with signs, wrapping, and whether the product has no place in the width.
    pub fn multiply_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let width = a.len();
        let (left, right) = (a[width - 1], b[width - 1]);
        let (magnitude_a, magnitude_b) = (self.negate_if(left, a), self.negate_if(right, b));
        let magnitude = self.multiply_to(&magnitude_a, &magnitude_b, 2 * width);
        let negative = self.xor(left, right);
        let product = self.negate_if(negative, &magnitude[..width]);
        let high = self.any(&magnitude[width..]);
        // 2^(width-1) has a place with a minus only.
        let top = magnitude[width - 1];
        let below = self.any(&magnitude[..width - 1]);
        let least = self.and(negative, !below);
        let top = self.and(top, !least);
        let over = self.or(high, top);
        (product, over)
    }

    /// `a / b` and `a % b` without signs; any values if `b = 0`.
    ///
    /// Not a divider: quotient and remainder are new inputs of which `quotient · b + remainder = a`
    /// and `remainder < b` always hold. A solver reasons about a product much faster than about a
    /// chain of subtractions, each of which waits for the one before (Clarke, Kroening, Lerda 2004
    /// do the same).
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        if let (Some(x), Some(y)) = (value(a), value(b)) {
            let quotient = x.checked_div(y).unwrap_or(0);
            let remainder = x.checked_rem(y).unwrap_or(x);
            return (constant(quotient, a.len()), constant(remainder, a.len()));
        }
        if let Some(known) = self.quotients.get(&(a.to_vec(), b.to_vec())) {
            return known.clone();
        }
        let width = a.len();
        // Bits above the highest one that `a` can have are zero in both.
        let used = a.iter().rposition(|bit| *bit != FALSE).map_or(0, |k| k + 1);
        let room = b.iter().rposition(|bit| *bit != FALSE).map_or(0, |k| k + 1);
        // With a constant divisor of n bits the quotient has n - 1 bits less.
        let low = if value(b).is_some() { room.saturating_sub(1) } else { 0 };
        let quotient = extend(&self.word(used.saturating_sub(low)), width, false);
        let remainder = extend(&self.word(room.min(used)), width, false);
        let product = self.multiply_to(&quotient, b, 2 * width);
        let (sum, carry) = self.add_with(&product[..width], &remainder, FALSE);
        let over = self.any(&product[width..]);
        let over = self.or(over, carry);
        let exact = self.equal_words(&sum, a);
        let small = self.less(&remainder, b, false);
        let right = self.and(exact, small);
        let right = self.and(right, !over);
        let zero = !self.is_nonzero(b);
        let definition = self.or(zero, right);
        let inputs: Vec<Lit> =
            quotient.iter().chain(&remainder).copied().filter(|bit| *bit != FALSE).collect();
        self.define(&inputs, definition);
        self.quotients.insert((a.to_vec(), b.to_vec()), (quotient.clone(), remainder.clone()));
        (quotient, remainder)
    }

    /// `a / b` and `a % b`, rounded towards zero.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let (left, right) = (a[width - 1], b[width - 1]);
        let (magnitude_a, magnitude_b) = (self.negate_if(left, a), self.negate_if(right, b));
        let (quotient, remainder) = self.divide(&magnitude_a, &magnitude_b);
        let negative = self.xor(left, right);
        (self.negate_if(negative, &quotient), self.negate_if(left, &remainder))
    }

    /// Shifted to higher bits, zeros below; by an amount without a sign.
    pub fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Vec<Lit> {
        self.shifted(a, by, |k, step| k.checked_sub(step), FALSE)
    }

    /// Shifted to lower bits, `fill` above; by an amount without a sign.
    pub fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        self.shifted(a, by, |k, step| k.checked_add(step).filter(|k| *k < width), fill)
    }

    fn shifted(
        &mut self,
        a: &[Lit],
        by: &[Lit],
        from: impl Fn(usize, usize) -> Option<usize>,
        fill: Lit,
    ) -> Vec<Lit> {
        let mut word = a.to_vec();
        for (stage, bit) in by.iter().enumerate() {
            if *bit == FALSE {
                continue;
            }
            let step = if stage < 16 { 1usize << stage } else { usize::MAX / 2 };
            let moved: Vec<Lit> =
                (0..word.len()).map(|k| from(k, step).map_or(fill, |k| word[k])).collect();
            word = self.choose_word(*bit, &moved, &word);
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With constants the circuit folds to the result: each operation on many numbers.
    #[test]
    fn as_the_processor() {
        let mut c = Circuit::default();
        let mut seed = 7u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Small and large numbers alike.
            (seed as i32) >> (seed >> 40 & 31)
        };
        for _ in 0..2000 {
            let (x, y) = (next(), next());
            let (a, b) = (constant(x as u32 as u64, 32), constant(y as u32 as u64, 32));
            let number = |word: &[Lit]| value(word).map(|v| v as u32 as i32);
            let sum = c.add(&a, &b);
            assert_eq!(number(&sum), Some(x.wrapping_add(y)));
            let (product, over) = c.multiply_signed(&a, &b);
            let (expected, overflows) = x.overflowing_mul(y);
            assert_eq!((number(&product), over.constant()), (Some(expected), Some(overflows)));
            let product = c.multiply(&a, &b);
            assert_eq!(number(&product), Some(expected));
            assert_eq!(c.less(&a, &b, true).constant(), Some(x < y), "{x} < {y}");
            assert_eq!(c.less(&a, &b, false).constant(), Some((x as u32) < y as u32));
            if y != 0 && (x, y) != (i32::MIN, -1) {
                let (quotient, remainder) = c.divide_signed(&a, &b);
                assert_eq!((number(&quotient), number(&remainder)), (Some(x / y), Some(x % y)));
                let (quotient, remainder) = c.divide(&a, &b);
                let (x, y) = (x as u32, y as u32);
                assert_eq!(value(&quotient), Some(u64::from(x / y)));
                assert_eq!(value(&remainder), Some(u64::from(x % y)));
            }
            let by = (y as u32) % 40;
            let amount = constant(u64::from(by), 8);
            let left = c.shift_left(&a, &amount);
            assert_eq!(value(&left), Some(u64::from((x as u32).checked_shl(by).unwrap_or(0))));
            let right = c.shift_right(&a, &amount, a[31]);
            assert_eq!(number(&right), Some(x >> by.min(31)));
        }
        assert_eq!(c.size(), 1, "constants make no nodes");
    }
}
