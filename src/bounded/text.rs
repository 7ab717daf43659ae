//! `printf` and its kin: what is checked of their arguments, and texts that are written into
//! memory.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::Limit;
use crate::library::LONGEST;
use crate::state::State;
use crate::value::{Value, Word};
use crate::words;
use faultline_c::machine::format::{Conversion, Part, parts};

/// The longest number that `%f` prints of a `double`, with six digits behind the point.
const LONGEST_NUMBER: u64 = 317;

/// A byte of a text and the condition under which it is there. Those that are there stand before
/// those that are not, within one piece.
type Piece = Vec<([Lit; 8], Lit)>;

fn plain(bytes: &[u8]) -> Piece {
    let byte = |byte: &u8| std::array::from_fn(|bit| Lit::from(byte >> bit & 1 == 1));
    bytes.iter().map(|b| (byte(b), TRUE)).collect()
}

impl Engine<'_> {
    /// What is printed does not matter here; that it can be printed does.
    pub(crate) fn printed(
        &mut self,
        state: &mut State,
        format: &Value,
        list: &[Value],
    ) -> Done<Value> {
        let format = self.known_string(state, format)?;
        let mut arguments = list.iter();
        for part in parts(&format) {
            let Part::Conversion(conversion) = part else { continue };
            for _ in 0..conversion.stars() {
                arguments.next();
            }
            let argument = arguments.next();
            match (conversion.letter, argument) {
                (b's', Some(address)) => {
                    let most = conversion.resolved(&[]).most();
                    self.string(state, address, most.map_or(LONGEST, |most| most as u64))?;
                }
                (b'n', _) => return Err(Limit::Unsupported),
                _ => {}
            }
        }
        let mut bits = self.circuit.word(31);
        bits.resize(64, FALSE);
        Ok(Value::Word(Word::new(bits)))
    }

    /// The arguments of a `va_list` that a format asks for.
    pub(crate) fn cells(
        &mut self,
        state: &mut State,
        format: &Value,
        list: &Value,
    ) -> Done<Vec<Value>> {
        let format = self.known_string(state, format)?;
        let mut count = 0;
        for part in parts(&format) {
            if let Part::Conversion(conversion) = part {
                count += conversion.stars() as u64 + 1;
            }
        }
        let mut result = Vec::new();
        for k in 0..count {
            let place = self.moved(list, &Word::Constant(8 * k));
            result.push(self.read(state, &place, 8)?.value);
        }
        Ok(result)
    }

    /// `sprintf`, `snprintf`: at most so many bytes with the zero.
    pub(crate) fn print_into(
        &mut self,
        state: &mut State,
        to: &Value,
        most: Option<&Value>,
        format: &Value,
        list: &[Value],
    ) -> Done<Value> {
        let format = self.known_string(state, format)?;
        let mut arguments = list.iter();
        let mut pieces = Vec::new();
        for part in parts(&format) {
            pieces.push(match part {
                Part::Plain(text) => plain(&text),
                Part::Conversion(conversion) if conversion.stars() > 0 => {
                    return Err(Limit::Unsupported);
                }
                Part::Conversion(conversion) => {
                    let argument = arguments.next().ok_or(Limit::Unsupported)?;
                    self.converted_text(state, &conversion, argument)?
                }
            });
        }
        let room = match most {
            None => None,
            Some(Value::Word(word)) => Some(word.bits()),
            Some(Value::Pointer(_)) => return Err(Limit::Address),
        };
        // A byte goes to the place behind all bytes before it that are there.
        let mut position = words::constant(0, 64);
        for (byte, there) in pieces.into_iter().flatten() {
            let fits = match &room {
                None => there,
                Some(room) => {
                    let next = self.circuit.add(&position, &words::constant(1, 64));
                    let fits = self.circuit.less(&next, room, false);
                    self.circuit.and(there, fits)
                }
            };
            let place = self.moved(to, &Word::new(position.clone()));
            self.write_if(state, fits, &place, 1, &Value::extended(&byte, false))?;
            let one = words::extend(&[there], 64, false);
            position = self.circuit.add(&position, &one);
        }
        let (end, writes) = match &room {
            None => (position.clone(), TRUE),
            Some(room) => {
                let last = self.circuit.subtract(room, &words::constant(1, 64));
                let fits = self.circuit.less(&position, room, false);
                let end = self.circuit.choose_word(fits, &position, &last);
                (end, self.circuit.is_nonzero(room))
            }
        };
        let place = self.moved(to, &Word::new(end));
        self.write_if(state, writes, &place, 1, &Value::constant(0))?;
        Ok(Value::Word(Word::new(position)))
    }

    fn converted_text(
        &mut self,
        state: &mut State,
        conversion: &Conversion,
        argument: &Value,
    ) -> Done<Piece> {
        let conversion = conversion.clone().resolved(&[]);
        match (conversion.letter, argument) {
            (b's', address) => {
                if conversion.text(b"") != b"" {
                    return Err(Limit::Unsupported);
                }
                let most = conversion.most().map_or(LONGEST, |most| most as u64);
                self.string(state, address, most)
            }
            (b'c', Value::Word(word)) if conversion.text(b"a") == b"a" => {
                let byte = word.low(8);
                Ok(vec![(std::array::from_fn(|bit| byte[bit]), TRUE)])
            }
            (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', Value::Word(Word::Constant(value))) => {
                Ok(plain(&conversion.integer(*value)))
            }
            (b'd' | b'i' | b'u', Value::Word(word)) => {
                let least = conversion.integer(0);
                let signed = conversion.letter != b'u';
                let wide = if conversion.length > 0 { 64 } else { 32 };
                let bits = word.low(wide);
                let exact = least == b"0" && conversion.integer(5) == b"5";
                self.decimal(&bits, signed, exact, least.len())
            }
            (b'f' | b'e' | b'g' | b'E' | b'G', Value::Word(Word::Constant(value))) => {
                Ok(plain(&conversion.floating(f64::from_bits(*value))))
            }
            (b'f' | b'e' | b'g' | b'E' | b'G', _) => Ok(self.some_text(1, LONGEST_NUMBER)),
            _ => Err(Limit::Unsupported),
        }
    }

    /// Some text of `least` to `most` bytes.
    fn some_text(&mut self, least: u64, most: u64) -> Piece {
        let mut there = TRUE;
        let mut list = Vec::new();
        for k in 0..most {
            if k >= least {
                let more = self.circuit.input();
                there = self.circuit.and(there, more);
            }
            // Printable: 32 to 63 is enough of what a number is written with.
            let byte = std::array::from_fn(|bit| match bit {
                0..5 => self.circuit.input(),
                5 => TRUE,
                _ => FALSE,
            });
            list.push((byte, there));
        }
        list
    }

    /// The digits of a number. With a width or flags only the length is exact.
    fn decimal(&mut self, bits: &[Lit], signed: bool, exact: bool, least: usize) -> Done<Piece> {
        let negative = if signed { bits[bits.len() - 1] } else { FALSE };
        let magnitude = self.circuit.negate_if(negative, bits);
        let most = if bits.len() == 32 { 10 } else { 20 };
        // From the last digit to the first: value, and whether the number has it.
        let mut digits: Vec<(Vec<Lit>, Lit)> = Vec::new();
        let mut rest = magnitude;
        let ten = words::constant(10, bits.len());
        for k in 0..most {
            let needed = if k == 0 { TRUE } else { self.circuit.is_nonzero(&rest) };
            if needed == FALSE {
                break;
            }
            let (quotient, digit) = self.circuit.divide(&rest, &ten);
            digits.push((digit[..4].to_vec(), needed));
            rest = quotient;
        }
        let sign = u64::from(negative != FALSE);
        let length = digits.len() as u64 + sign;
        if !exact {
            let mut list = self.some_text(0, length.max(least as u64));
            for (k, (_, there)) in list.iter_mut().enumerate() {
                // There are as many as digits and sign, and at least the width.
                *there = if k < least { TRUE } else { self.has_length(&digits, negative, k) };
            }
            return Ok(list);
        }
        // The k-th byte is the sign or the digit that is so far from the first one.
        let mut list = Vec::new();
        for k in 0..length as usize {
            let there = self.has_length(&digits, negative, k);
            let mut byte = words::constant(0, 8);
            for (at, (_, needed)) in digits.iter().enumerate() {
                // `at` is the first digit if the next one is not needed.
                let next = digits.get(at + 1).map_or(FALSE, |(_, needed)| *needed);
                let first = self.circuit.and(*needed, !next);
                for with_sign in [false, true] {
                    let lead = usize::from(with_sign);
                    let here =
                        self.circuit.and(first, if with_sign { negative } else { !negative });
                    let value = if with_sign && k == 0 {
                        words::constant(u64::from(b'-'), 8)
                    } else if let Some(index) = (at + lead).checked_sub(k) {
                        let mut value = digits[index].0.clone();
                        value.extend([TRUE, TRUE, FALSE, FALSE]);
                        value
                    } else {
                        continue;
                    };
                    byte = self.circuit.choose_word(here, &value, &byte);
                }
            }
            list.push((std::array::from_fn(|bit| byte[bit]), there));
        }
        Ok(list)
    }

    /// Has the number more than `k` characters?
    fn has_length(&mut self, digits: &[(Vec<Lit>, Lit)], negative: Lit, k: usize) -> Lit {
        let needed = |k: usize| digits.get(k).map_or(FALSE, |(_, needed)| *needed);
        let (without, with) = (needed(k), if k == 0 { TRUE } else { needed(k - 1) });
        self.circuit.choose(negative, with, without)
    }
}
