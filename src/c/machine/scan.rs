//! The conversions of `scanf` (C11 7.21.6.2), on a text with a place in it.

/// A text that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

/// What a conversion read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scanned {
    Integer(u64),
    Floating(f64),
    /// Without a zero.
    Text(Vec<u8>),
    /// `%c`
    Characters(Vec<u8>),
    /// `%n`
    Count(u64),
}

/// One directive of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Any white space, or none.
    Space,
    /// This byte.
    Plain(u8),
    /// `%…`: without a target (`*`), at most so many bytes, the length (`h` −1, `l` 1, `L` 3), the
    /// letter, and for `[` which bytes are taken.
    #[allow(missing_docs)]
    Conversion { skip: bool, width: Option<usize>, length: i32, letter: u8, set: Box<[bool]> },
}

/// Why reading ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// The text is at its end.
    End,
    /// It is something else.
    Match,
}

/// The directives of a format; `None` if it is none.
pub fn directives(format: &[u8]) -> Option<Vec<Directive>> {
    let mut list = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if is_space(byte) {
            if list.last() != Some(&Directive::Space) {
                list.push(Directive::Space);
            }
            continue;
        }
        if byte != b'%' {
            list.push(Directive::Plain(byte));
            continue;
        }
        let skip = format.get(at) == Some(&b'*');
        at += usize::from(skip);
        let mut width = None;
        while let Some(digit) = format.get(at).filter(|byte| byte.is_ascii_digit()) {
            width = Some((width.unwrap_or(0usize) * 10 + usize::from(digit - b'0')).min(1 << 20));
            at += 1;
        }
        let mut length = 0;
        while let Some(byte) = format.get(at) {
            match byte {
                b'h' => length -= 1,
                b'l' => length += 1,
                b'z' | b'j' | b't' | b'q' => length = 2,
                b'L' => length = 3,
                _ => break,
            }
            at += 1;
        }
        let letter = *format.get(at)?;
        at += 1;
        let mut set = Vec::new();
        match letter {
            b'%' => {
                list.push(Directive::Space);
                list.push(Directive::Plain(b'%'));
                continue;
            }
            b'[' => set = read_set(format, &mut at)?,
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'c' | b's' | b'n' | b'p' | b'f' | b'F'
            | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {}
            _ => return None,
        }
        list.push(Directive::Conversion { skip, width, length, letter, set: set.into() });
    }
    Some(list)
}

/// `[a-z]`, `[^\n]` behind its bracket.
fn read_set(format: &[u8], at: &mut usize) -> Option<Vec<bool>> {
    let mut set = vec![false; 256];
    let inverse = format.get(*at) == Some(&b'^');
    *at += usize::from(inverse);
    let first = *at;
    loop {
        let byte = *format.get(*at)?;
        if byte == b']' && *at > first {
            *at += 1;
            break;
        }
        let range = format.get(*at + 1) == Some(&b'-')
            && format.get(*at + 2).is_some_and(|last| *last != b']');
        if range {
            let last = format[*at + 2];
            for k in byte..=last {
                set[usize::from(k)] = true;
            }
            *at += 3;
        } else {
            set[usize::from(byte)] = true;
            *at += 1;
        }
    }
    if inverse {
        set.iter_mut().for_each(|entry| *entry = !*entry);
    }
    Some(set)
}

/// Is it white space (C11 7.4.1.10)?
pub fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    /// A character of the format.
    pub(super) fn plain(&mut self, byte: u8) -> Result<(), Failed> {
        match self.peek() {
            None => Err(Failed::End),
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Failed::Match),
        }
    }

    /// A conversion.
    pub(super) fn conversion(
        &mut self,
        letter: u8,
        width: Option<usize>,
        set: &[bool],
    ) -> Result<Scanned, Failed> {
        if letter == b'n' {
            return Ok(Scanned::Count(self.at as u64));
        }
        if !matches!(letter, b'c' | b'[') {
            self.skip_space();
        }
        if self.peek().is_none() {
            return Err(Failed::End);
        }
        let most = width.unwrap_or(usize::MAX).max(1);
        match letter {
            b'c' => {
                let count = width.unwrap_or(1).max(1);
                let end = (self.at + count).min(self.text.len());
                let bytes = self.text[self.at..end].to_vec();
                self.at = end;
                if bytes.len() < count { Err(Failed::End) } else { Ok(Scanned::Characters(bytes)) }
            }
            b's' => Ok(Scanned::Text(self.take(most, |byte| !is_space(byte)))),
            b'[' => {
                let bytes = self.take(most, |byte| set[usize::from(byte)]);
                if bytes.is_empty() { Err(Failed::Match) } else { Ok(Scanned::Text(bytes)) }
            }
            b'd' | b'u' => self.integer(10, most),
            b'i' => self.integer(0, most),
            b'o' => self.integer(8, most),
            b'x' | b'X' | b'p' => self.integer(16, most),
            _ => self.floating(most).map(Scanned::Floating),
        }
    }

    fn take(&mut self, most: usize, wanted: impl Fn(u8) -> bool) -> Vec<u8> {
        let start = self.at;
        while self.at - start < most && self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.text[start..self.at].to_vec()
    }

    fn integer(&mut self, base: u32, most: usize) -> Result<Scanned, Failed> {
        let end = self.at.saturating_add(most).min(self.text.len());
        let at = |k: usize| self.text.get(k).copied().filter(|_| k < end);
        let mut k = self.at;
        let negative = at(k) == Some(b'-');
        if matches!(at(k), Some(b'-' | b'+')) {
            k += 1;
        }
        let mut base = base;
        let prefix = at(k) == Some(b'0') && matches!(at(k + 1), Some(b'x' | b'X'));
        if prefix && (base == 0 || base == 16) {
            base = 16;
            k += 2;
        } else if base == 0 {
            base = if at(k) == Some(b'0') { 8 } else { 10 };
        }
        let first = k;
        let mut value: Option<u64> = Some(0);
        while let Some(digit) = at(k).and_then(|byte| char::from(byte).to_digit(base)) {
            value = value
                .and_then(|value| value.checked_mul(u64::from(base)))
                .and_then(|value| value.checked_add(u64::from(digit)));
            k += 1;
        }
        self.at = k;
        if k == first && !prefix {
            return Err(Failed::Match);
        }
        // As `strtol`: what is too large becomes the largest.
        let limit = if negative { 1u64 << 63 } else { i64::MAX as u64 };
        let size = value.unwrap_or(u64::MAX).min(if base == 10 { limit } else { u64::MAX });
        Ok(Scanned::Integer(if negative { size.wrapping_neg() } else { size }))
    }

    /// A floating number; used by `strtod` as well.
    pub(super) fn floating(&mut self, most: usize) -> Result<f64, Failed> {
        let end = self.at.saturating_add(most).min(self.text.len());
        let text = &self.text[self.at..end];
        let (value, length) = number_prefix(text).ok_or(Failed::Match)?;
        self.at += length;
        Ok(value)
    }
}

/// The longest beginning that is a floating number.
fn number_prefix(text: &[u8]) -> Option<(f64, usize)> {
    let mut k = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let word = |word: &str| {
        text.len() >= k + word.len()
            && text[k..k + word.len()].eq_ignore_ascii_case(word.as_bytes())
    };
    let sign = if text.first() == Some(&b'-') { -1.0 } else { 1.0 };
    for (name, value) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if word(name) {
            return Some((sign * value, k + name.len()));
        }
    }
    let digits = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(k);
    k += whole;
    let mut fraction = 0;
    if text.get(k) == Some(&b'.') {
        fraction = digits(k + 1);
        if whole + fraction > 0 {
            k += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(text.get(k), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(k + 1), Some(b'-' | b'+')));
        let exponent = text.get(k + 1 + sign..).map_or(0, |_| digits(k + 1 + sign));
        if exponent > 0 {
            k += 1 + sign + exponent;
        }
    }
    let text = std::str::from_utf8(&text[..k]).ok()?;
    Some((text.parse().ok()?, k))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str, letter: u8) -> (Result<Scanned, Failed>, usize) {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let result = reader.conversion(letter, None, &[]);
        (result, reader.at)
    }

    #[test]
    fn as_c_reads() {
        assert_eq!(scan("  -12x", b'd'), (Ok(Scanned::Integer(-12i64 as u64)), 5));
        assert_eq!(scan("x", b'd'), (Err(Failed::Match), 0));
        assert_eq!(scan("  ", b'd'), (Err(Failed::End), 2));
        assert_eq!(scan("0x1f", b'i'), (Ok(Scanned::Integer(31)), 4));
        assert_eq!(scan("1.5e3z", b'f'), (Ok(Scanned::Floating(1500.0)), 5));
        assert_eq!(scan(".5", b'f'), (Ok(Scanned::Floating(0.5)), 2));
        assert_eq!(scan(" ab c", b's'), (Ok(Scanned::Text(b"ab".to_vec())), 3));
        assert_eq!(scan(" a", b'c'), (Ok(Scanned::Characters(b" ".to_vec())), 1));
        let list = directives(b"%3[^\n] %*d").expect("a format");
        assert_eq!(list.len(), 3);
        assert!(directives(b"%").is_none());
    }
}
