//! `scanf`, `getchar`, `fgets`: what stands in the input is open, and so is whether there is more.

use crate::circuit::{FALSE, Lit, TRUE};
use crate::engine::{Done, Engine};
use crate::failure::{Cut, Limit};
use crate::input::Event;
use crate::state::State;
use crate::value::{Value, Word};
use crate::words;
use faultline_c::code::Number;
use faultline_c::machine::scan::{Directive, directives, is_space};
use faultline_c::types::Integer;

/// Bytes of a word or a line that are looked at.
const WORD: u64 = 40;

/// A call of `scanf` under way.
struct Scan {
    /// Everything before matched.
    alive: Lit,
    /// The input was at its end before anything was assigned.
    ended: Lit,
    /// By conversion: was it assigned?
    assigned: Vec<Lit>,
    /// Was white space skipped just now?
    skipped: bool,
}

impl Engine<'_> {
    /// Is there something to read? If not, the input is at its end from here on.
    fn more(&mut self, state: &mut State, wanted: Lit) -> Lit {
        let end = self.circuit.input();
        let no_more = self.circuit.or(state.input.ended, end);
        let here = self.circuit.and(no_more, !state.input.stuck);
        let ends = self.circuit.and(wanted, here);
        state.input.ended = self.circuit.or(state.input.ended, ends);
        self.circuit.and(wanted, !ends)
    }

    /// No digit follows a number that was read: it would belong to it.
    fn behind_number(&mut self, state: &mut State, byte: &[Lit], read: Lit) {
        let low = self.circuit.less(byte, &words::constant(u64::from(b'0'), 8), false);
        let high = self.circuit.less(&words::constant(u64::from(b'9'), 8), byte, false);
        let digit = self.circuit.and(!low, !high);
        // What is no number does not begin as one, and is no white space.
        let sign = self.one_of(byte, b"+- \t\n\x0b\x0c\r");
        let stuck = self.circuit.or(digit, sign);
        let behind = self.circuit.and(state.input.number, digit);
        let pending = self.circuit.and(state.input.stuck, stuck);
        let impossible = self.circuit.or(behind, pending);
        let impossible = self.circuit.and(impossible, read);
        state.guard = self.circuit.and(state.guard, !impossible);
        state.input.number = self.circuit.and(state.input.number, !read);
        state.input.stuck = self.circuit.and(state.input.stuck, !read);
    }

    fn one_of(&mut self, byte: &[Lit], list: &[u8]) -> Lit {
        let mut result = FALSE;
        for one in list {
            let same = self.circuit.equal_words(byte, &words::constant(u64::from(*one), 8));
            result = self.circuit.or(result, same);
        }
        result
    }

    fn byte(&mut self) -> [Lit; 8] {
        std::array::from_fn(|_| self.circuit.input())
    }

    /// `getchar`: a byte, or -1.
    pub(crate) fn character(&mut self, state: &mut State) -> Value {
        let got = self.more(state, TRUE);
        let byte = self.byte();
        self.behind_number(state, &byte, got);
        state.input.push(got, Event::Raw(vec![byte], Word::Constant(1)));
        let wide = words::extend(&byte, 64, false);
        let result = self.circuit.choose_word(got, &wide, &words::constant(u64::MAX, 64));
        Value::Word(Word::new(result))
    }

    /// `scanf`
    pub(crate) fn scan(
        &mut self,
        state: &mut State,
        format: &Value,
        pointers: &[Value],
    ) -> Done<Value> {
        let format = self.known_string(state, format)?;
        let directives = directives(&format).ok_or(Limit::Unsupported)?;
        let mut scan = Scan { alive: TRUE, ended: FALSE, assigned: Vec::new(), skipped: false };
        let mut pointers = pointers.iter();
        for directive in &directives {
            match directive {
                Directive::Space => {
                    let number = self.circuit.and(scan.alive, state.input.number);
                    state.input.push(number, Event::Raw(vec![blank()], Word::Constant(1)));
                    state.input.number = self.circuit.and(state.input.number, !scan.alive);
                    scan.skipped = true;
                    continue;
                }
                Directive::Plain(byte) => self.plain(state, &mut scan, *byte),
                Directive::Conversion { skip, width, length, letter, set } => {
                    let target = if *skip { None } else { pointers.next() };
                    if target.is_none() && !*skip {
                        return Err(Limit::Unsupported);
                    }
                    let got = match letter {
                        b'n' | b'p' => return Err(Limit::Unsupported),
                        b'c' => self.characters(state, &mut scan, width.unwrap_or(1), target)?,
                        b's' | b'[' => {
                            let set = if *letter == b's' { None } else { Some(&**set) };
                            self.word(state, &mut scan, *width, set, target)?
                        }
                        _ => self.number(state, &mut scan, *width, *length, *letter, target)?,
                    };
                    if !*skip {
                        scan.assigned.push(got);
                    }
                }
            }
            scan.skipped = false;
        }
        let mut count = words::constant(0, 32);
        for got in &scan.assigned {
            let digit = words::extend(&[*got], 32, false);
            count = self.circuit.add(&count, &digit);
        }
        let minus_one = words::constant(u64::MAX, 32);
        let result = self.circuit.choose_word(scan.ended, &minus_one, &count);
        Ok(Value::extended(&result, true))
    }

    /// Something is there, of the kind that is wanted or not.
    fn attempt(&mut self, state: &mut State, scan: &mut Scan, always: bool) -> Lit {
        let more = self.more(state, scan.alive);
        let ends = self.circuit.and(scan.alive, !more);
        let any = self.circuit.any(&scan.assigned);
        let first = self.circuit.and(ends, !any);
        scan.ended = self.circuit.or(scan.ended, first);
        if always {
            scan.alive = more;
            return more;
        }
        let other = self.circuit.input();
        let other = self.circuit.or(other, state.input.stuck);
        let fails = self.circuit.and(more, other);
        let newly = self.circuit.and(fails, !state.input.stuck);
        state.input.push(newly, Event::Mismatch);
        state.input.stuck = self.circuit.or(state.input.stuck, fails);
        let got = self.circuit.and(more, !fails);
        scan.alive = got;
        got
    }

    fn plain(&mut self, state: &mut State, scan: &mut Scan, byte: u8) {
        let got = self.attempt(state, scan, false);
        let bits = std::array::from_fn(|bit| Lit::from(byte >> bit & 1 == 1));
        state.input.push(got, Event::Raw(vec![bits], Word::Constant(1)));
        state.input.number = self.circuit.and(state.input.number, !got);
    }

    fn number(
        &mut self,
        state: &mut State,
        scan: &mut Scan,
        width: Option<usize>,
        length: i32,
        letter: u8,
        target: Option<&Value>,
    ) -> Done<Lit> {
        let got = self.attempt(state, scan, false);
        let floating = matches!(letter, b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A');
        let signed = matches!(letter, b'd' | b'i');
        let kind = match (floating, length) {
            (true, 1..) => Number::Double,
            (true, _) => Number::Single,
            (false, ..=-2) if signed => Number::Integer(Integer::SignedChar),
            (false, ..=-2) => Number::Integer(Integer::UnsignedChar),
            (false, -1) if signed => Number::Integer(Integer::Short),
            (false, -1) => Number::Integer(Integer::UnsignedShort),
            (false, 0) if signed => Number::Integer(Integer::Int),
            (false, 0) => Number::Integer(Integer::UnsignedInt),
            (false, _) if signed => Number::Integer(Integer::Long),
            (false, _) => Number::Integer(Integer::UnsignedLong),
        };
        let value = self.any(kind);
        let Value::Word(word) = &value else { return Err(Limit::Address) };
        if let (Some(digits), false) = (width, floating) {
            // No longer than the field: 10^(w-1) with a sign.
            let most = 10u64.checked_pow(digits as u32).map_or(u64::MAX >> 1, |most| most - 1);
            let least = 10u64.checked_pow(digits as u32 - 1).map_or(u64::MAX >> 1, |most| most - 1);
            let bits = word.bits();
            let high = self.circuit.less(&words::constant(most, 64), &bits, true);
            let low = self.circuit.less(&bits, &words::constant(least.wrapping_neg(), 64), true);
            let long = self.circuit.or(high, low);
            let impossible = self.circuit.and(got, long);
            state.guard = self.circuit.and(state.guard, !impossible);
        } else if width.is_some() {
            return Err(Limit::Unsupported);
        }
        // Another notation: hexadecimal and octal numbers are not written here.
        if matches!(letter, b'x' | b'X' | b'o') {
            return Err(Limit::Unsupported);
        }
        state.input.push(got, Event::Number(kind, word.clone()));
        // Behind a number of a given width there may be more digits.
        let whole = Lit::from(width.is_none());
        state.input.number = self.circuit.choose(got, whole, state.input.number);
        if let Some(target) = target {
            self.write_if(state, got, target, kind.size(), &value)?;
        }
        Ok(got)
    }

    fn characters(
        &mut self,
        state: &mut State,
        scan: &mut Scan,
        count: usize,
        target: Option<&Value>,
    ) -> Done<Lit> {
        let skipped = scan.skipped;
        let mut got = TRUE;
        for k in 0..count {
            got = self.attempt(state, scan, true);
            let byte = self.byte();
            self.behind_number(state, &byte, got);
            if k == 0 && skipped {
                let space = self.one_of(&byte, b" \t\n\x0b\x0c\r");
                let impossible = self.circuit.and(space, got);
                state.guard = self.circuit.and(state.guard, !impossible);
            }
            state.input.push(got, Event::Raw(vec![byte], Word::Constant(1)));
            if let Some(target) = target {
                let place = self.moved(target, &Word::Constant(k as u64));
                self.write_if(state, got, &place, 1, &Value::extended(&byte, false))?;
            }
        }
        Ok(got)
    }

    /// A word of at least one byte: none of them white space, or all in the set.
    fn word(
        &mut self,
        state: &mut State,
        scan: &mut Scan,
        width: Option<usize>,
        set: Option<&[bool]>,
        target: Option<&Value>,
    ) -> Done<Lit> {
        let got = match set {
            None => self.attempt(state, scan, true),
            Some(_) => self.attempt(state, scan, false),
        };
        let most = width.map_or(WORD, |width| (width as u64).min(WORD));
        let (bytes, there) = self.some_bytes(1, most);
        for (byte, there) in bytes.iter().zip(&there) {
            let fits = match set {
                None => !self.one_of(byte, b"\0 \t\n\x0b\x0c\r"),
                Some(set) => self.in_set(byte, set),
            };
            let wrong = self.circuit.and(*there, !fits);
            let impossible = self.circuit.and(wrong, got);
            state.guard = self.circuit.and(state.guard, !impossible);
        }
        if let Some(first) = bytes.first() {
            self.behind_number(state, first, got);
        }
        let length = self.counted(&there);
        let raw = set.is_some();
        let event = if raw {
            Event::Raw(bytes.clone(), length)
        } else {
            Event::Text(bytes.clone(), length)
        };
        state.input.push(got, event);
        if let Some(target) = target {
            self.store_text(state, got, target, &bytes, &there)?;
        }
        if width.is_none_or(|width| width as u64 > WORD) {
            // All bytes that are looked at, and more.
            let more = self.circuit.input();
            let full = there.last().copied().unwrap_or(FALSE);
            let full = self.circuit.and(full, got);
            let longer = self.circuit.and(full, more);
            self.cut(state, longer, Cut::Length);
        }
        Ok(got)
    }

    fn in_set(&mut self, byte: &[Lit], set: &[bool]) -> Lit {
        let members: Vec<u8> = (0..=255u8).filter(|k| set[usize::from(*k)]).collect();
        if members.len() <= 128 {
            return self.one_of(byte, &members);
        }
        let others: Vec<u8> = (0..=255u8).filter(|k| !set[usize::from(*k)]).collect();
        let other = self.one_of(byte, &others);
        let zero = !self.circuit.is_nonzero(byte);
        let wrong = self.circuit.or(other, zero);
        !wrong
    }

    /// Open bytes, of which an open number counts.
    fn some_bytes(&mut self, least: u64, most: u64) -> (Vec<[Lit; 8]>, Vec<Lit>) {
        let (mut bytes, mut list, mut there) = (Vec::new(), Vec::new(), TRUE);
        for k in 0..most {
            if k >= least {
                let more = self.circuit.input();
                there = self.circuit.and(there, more);
            }
            bytes.push(self.byte());
            list.push(there);
        }
        (bytes, list)
    }

    fn counted(&mut self, there: &[Lit]) -> Word {
        let mut count = words::constant(0, 64);
        for lit in there {
            let digit = words::extend(&[*lit], 64, false);
            count = self.circuit.add(&count, &digit);
        }
        Word::new(count)
    }

    /// Writes the bytes that are there, and a zero behind them.
    fn store_text(
        &mut self,
        state: &mut State,
        condition: Lit,
        target: &Value,
        bytes: &[[Lit; 8]],
        there: &[Lit],
    ) -> Done {
        for k in 0..=bytes.len() {
            // The k-th place is written if the byte before is there.
            let before = if k == 0 { TRUE } else { there[k - 1] };
            let writes = self.circuit.and(condition, before);
            let byte = match bytes.get(k) {
                Some(byte) => self.circuit.masked(there[k], byte),
                None => words::constant(0, 8),
            };
            let place = self.moved(target, &Word::Constant(k as u64));
            self.write_if(state, writes, &place, 1, &Value::extended(&byte, false))?;
        }
        Ok(())
    }

    /// `fgets`
    pub(crate) fn line(&mut self, state: &mut State, to: &Value, room: &Value) -> Done<Value> {
        let Value::Word(Word::Constant(room)) = room else { return Err(Limit::Unsupported) };
        let room = (*room as i32).max(0) as u64;
        if room < 2 {
            return Err(Limit::Unsupported);
        }
        let got = self.more(state, TRUE);
        let most = (room - 1).min(WORD);
        if room - 1 > WORD {
            // A longer line is not looked at, but whether it has a place.
            let longer = self.circuit.input();
            let longer = self.circuit.and(longer, got);
            self.within(state, longer, |engine, state| {
                let last = engine.moved(to, &Word::Constant(room - 1));
                engine.targets(state, &last, 1, true);
                Ok(())
            })?;
            self.cut(state, longer, Cut::Length);
        }
        let (bytes, there) = self.some_bytes(1, most);
        for k in 0..bytes.len() {
            let zero = !self.circuit.is_nonzero(&bytes[k]);
            let end = self.circuit.equal_words(&bytes[k], &words::constant(u64::from(b'\n'), 8));
            let next = there.get(k + 1).copied().unwrap_or(FALSE);
            // The end of the line is its last byte.
            let early = self.circuit.and(end, next);
            let wrong = self.circuit.or(zero, early);
            let wrong = self.circuit.and(wrong, there[k]);
            let impossible = self.circuit.and(wrong, got);
            state.guard = self.circuit.and(state.guard, !impossible);
            // It stops before the room is used up: at the end of the line, or of the input.
            if k as u64 + 1 < room - 1 {
                let last = self.circuit.and(there[k], !next);
                let stops = self.circuit.and(last, !end);
                let stops = self.circuit.and(stops, got);
                state.input.ended = self.circuit.or(state.input.ended, stops);
            }
        }
        self.behind_number(state, &bytes[0], got);
        let length = self.counted(&there);
        state.input.push(got, Event::Raw(bytes.clone(), length));
        self.store_text(state, got, to, &bytes, &there)?;
        Ok(self.circuit.choose_value(got, to, &Value::constant(0)))
    }

    /// `sscanf`: what it reads from an open text is any value.
    pub(crate) fn scan_text(
        &mut self,
        state: &mut State,
        text: &Value,
        format: &Value,
        pointers: &[Value],
    ) -> Done<Value> {
        self.string(state, text, crate::library::LONGEST)?;
        let format = self.known_string(state, format)?;
        let directives = directives(&format).ok_or(Limit::Unsupported)?;
        let mut pointers = pointers.iter();
        let (mut there, mut assigned) = (TRUE, Vec::new());
        for directive in &directives {
            let Directive::Conversion { skip: false, length, letter, .. } = directive else {
                continue;
            };
            let kind = match (letter, length) {
                (b'd' | b'i' | b'u', 0) => Number::Integer(Integer::Int),
                (b'd' | b'i' | b'u', 1..) => Number::Integer(Integer::Long),
                (b'f' | b'g' | b'e', 1..) => Number::Double,
                (b'f' | b'g' | b'e', 0) => Number::Single,
                (b'c', _) => Number::Integer(Integer::Char),
                _ => return Err(Limit::Unsupported),
            };
            let more = self.circuit.input();
            there = self.circuit.and(there, more);
            let value = self.any(kind);
            let target = pointers.next().ok_or(Limit::Unsupported)?;
            self.write_if(state, there, target, kind.size(), &value)?;
            assigned.push(there);
        }
        let Word::Bits(count) = self.counted(&assigned) else { return Ok(Value::constant(0)) };
        let nothing = self.circuit.input();
        let first = assigned.first().copied().unwrap_or(FALSE);
        let nothing = self.circuit.and(nothing, !first);
        let result =
            self.circuit.choose_word(nothing, &words::constant(u64::MAX, 32), &count[..32]);
        Ok(Value::extended(&result, true))
    }
}

fn blank() -> [Lit; 8] {
    debug_assert!(is_space(b' '));
    std::array::from_fn(|bit| Lit::from(b' ' >> bit & 1 == 1))
}
