//! Exact natural numbers, with the operations that counting models needs.

use std::fmt;

/// A natural number of any size. Prints in decimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    /// The digits in base 2^32, least significant first, without a zero at the end.
    digits: Vec<u32>,
}

impl Natural {
    /// 2^`exponent`.
    pub fn power_of_two(exponent: u32) -> Natural {
        let mut one = Natural::from(1);
        one.shift_left(exponent);
        one
    }

    /// The number, if it is below 2^64.
    pub fn to_u64(&self) -> Option<u64> {
        match self.digits[..] {
            [] => Some(0),
            [low] => Some(u64::from(low)),
            [low, high] => Some(u64::from(high) << 32 | u64::from(low)),
            _ => None,
        }
    }

    /// Is it 0?
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The number in decimal. A number of more than twelve digits is given by its magnitude: `about
    /// 3.9·10^129`.
    pub fn short(&self) -> String {
        let text = self.to_string();
        if text.len() <= 12 {
            text
        } else {
            format!("about {}.{}·10^{}", &text[..1], &text[1..2], text.len() - 1)
        }
    }

    /// Adds `other`.
    pub fn add(&mut self, other: &Natural) {
        let mut carry = 0;
        for k in 0..self.digits.len().max(other.digits.len()) {
            if k == self.digits.len() {
                self.digits.push(0);
            }
            let sum = u64::from(self.digits[k])
                + u64::from(other.digits.get(k).copied().unwrap_or(0))
                + carry;
            self.digits[k] = sum as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.digits.push(carry as u32);
        }
    }

    /// Multiplies by 2^`by`.
    pub fn shift_left(&mut self, by: u32) {
        if self.is_zero() {
            return;
        }
        let (words, bits) = (by / 32, by % 32);
        if bits > 0 {
            let mut carry = 0;
            for digit in &mut self.digits {
                let shifted = u64::from(*digit) << bits | carry;
                *digit = shifted as u32;
                carry = shifted >> 32;
            }
            if carry > 0 {
                self.digits.push(carry as u32);
            }
        }
        self.digits.splice(0..0, std::iter::repeat_n(0, words as usize));
    }
}

impl From<u64> for Natural {
    fn from(number: u64) -> Natural {
        let mut digits = vec![number as u32, (number >> 32) as u32];
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Natural { digits }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = self.digits.clone();
        let mut groups = Vec::new();
        while !digits.is_empty() {
            let mut remainder = 0;
            for digit in digits.iter_mut().rev() {
                let dividend = remainder << 32 | u64::from(*digit);
                *digit = (dividend / 1_000_000_000) as u32;
                remainder = dividend % 1_000_000_000;
            }
            while digits.last() == Some(&0) {
                digits.pop();
            }
            groups.push(remainder);
        }
        let mut text = groups.pop().unwrap_or(0).to_string();
        groups.iter().rev().for_each(|group| text.push_str(&format!("{group:09}")));
        out.pad_integral(true, "", &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_in_decimal() {
        assert_eq!(Natural::from(0).to_string(), "0");
        assert_eq!(Natural::from(u64::MAX).to_string(), u64::MAX.to_string());
        assert_eq!(Natural::power_of_two(127).to_string(), (1u128 << 127).to_string());
        assert_eq!(
            Natural::power_of_two(200).to_string(),
            "1606938044258990275541962092341162602522202993782792835301376"
        );
        assert_eq!(Natural::from(1_000_000_007_000_000_000).to_string(), "1000000007000000000");
    }

    #[test]
    fn shortens_large_numbers() {
        assert_eq!(Natural::from(999_999_999_999).short(), "999999999999");
        assert_eq!(Natural::power_of_two(64).short(), "about 1.8·10^19");
    }

    #[test]
    fn shifts_by_words_and_bits() {
        for by in [0, 1, 31, 32, 33, 64, 95] {
            let mut number = Natural::from(0xdead_beef);
            number.shift_left(by);
            let expected = 0xdead_beef_u128 << by;
            assert_eq!(number.to_string(), expected.to_string());
            assert_eq!(number.to_u64(), u64::try_from(expected).ok());
            let mut zero = Natural::from(0);
            zero.shift_left(by);
            assert!(zero.is_zero());
            assert_eq!((zero.to_u64(), zero), (Some(0), Natural::from(0)));
        }
    }

    #[test]
    fn adds_with_carry() {
        let mut sum = Natural::from(u64::MAX);
        sum.add(&Natural::from(1));
        assert_eq!(sum, Natural::power_of_two(64));
        assert_eq!(sum.to_u64(), None);
        assert_eq!(Natural::power_of_two(63).to_u64(), Some(1 << 63));
    }
}
