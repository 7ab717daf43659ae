//! The conversions of `printf` (C11 7.21.6.1).

/// One conversion of a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: Option<Amount>,
    precision: Option<Amount>,
    /// `h` −1, `hh` −2, `l` 1, `ll`, `z`, `j`, `t` 2.
    pub length: i32,
    /// What is converted: `d`, `s`, …
    pub letter: u8,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    Number(i64),
    /// `*`
    Argument,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it stands there.
    Plain(Vec<u8>),
    /// `%…`
    Conversion(Conversion),
}

/// Widest field that is printed.
const WIDEST: i64 = 1 << 16;

/// The parts of a format. A conversion without an end is plain text, as glibc prints it.
pub fn parts(format: &[u8]) -> Vec<Part> {
    let mut list = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            plain.push(format[at]);
            at += 1;
            continue;
        }
        if format.get(at + 1) == Some(&b'%') {
            plain.push(b'%');
            at += 2;
            continue;
        }
        match conversion(&format[at + 1..]) {
            Some((found, length)) => {
                if !plain.is_empty() {
                    list.push(Part::Plain(std::mem::take(&mut plain)));
                }
                list.push(Part::Conversion(found));
                at += 1 + length;
            }
            None => {
                plain.push(b'%');
                at += 1;
            }
        }
    }
    if !plain.is_empty() {
        list.push(Part::Plain(plain));
    }
    list
}

fn conversion(text: &[u8]) -> Option<(Conversion, usize)> {
    let mut found = Conversion::default();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b'-' => found.left = true,
            b'+' => found.plus = true,
            b' ' => found.space = true,
            b'#' => found.alternative = true,
            b'0' => found.zero = true,
            b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    found.width = amount(text, &mut at);
    if text.get(at) == Some(&b'.') {
        at += 1;
        found.precision = Some(amount(text, &mut at).unwrap_or(Amount::Number(0)));
    }
    while let Some(byte) = text.get(at) {
        match byte {
            b'h' => found.length -= 1,
            b'l' => found.length += 1,
            b'z' | b'j' | b't' | b'q' | b'L' => found.length = 2,
            _ => break,
        }
        at += 1;
    }
    found.letter = *text.get(at)?;
    b"diouxXcspfFeEgGaAn".contains(&found.letter).then_some((found, at + 1))
}

fn amount(text: &[u8], at: &mut usize) -> Option<Amount> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Some(Amount::Argument);
    }
    let start = *at;
    let mut value = 0i64;
    while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = (value * 10 + i64::from(digit - b'0')).min(WIDEST);
        *at += 1;
    }
    (*at > start).then_some(Amount::Number(value))
}

impl Conversion {
    /// How many `int` arguments it takes before its own.
    pub fn stars(&self) -> usize {
        let star = |amount: &Option<Amount>| usize::from(*amount == Some(Amount::Argument));
        star(&self.width) + star(&self.precision)
    }

    /// Puts the values of its stars in.
    pub fn resolved(mut self, stars: &[i64]) -> Conversion {
        let mut stars = stars.iter().copied();
        if self.width == Some(Amount::Argument) {
            let width = stars.next().unwrap_or(0);
            self.left |= width < 0;
            self.width = Some(Amount::Number(width.saturating_abs().min(WIDEST)));
        }
        if self.precision == Some(Amount::Argument) {
            let precision = stars.next().unwrap_or(0).min(WIDEST);
            self.precision = (precision >= 0).then_some(Amount::Number(precision));
        }
        self
    }

    fn precision(&self) -> Option<usize> {
        match self.precision {
            Some(Amount::Number(number)) => Some(number as usize),
            _ => None,
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        if negative {
            "-"
        } else if self.plus {
            "+"
        } else if self.space {
            " "
        } else {
            ""
        }
    }

    fn padded(&self, sign: &str, body: &[u8], zeros: bool) -> Vec<u8> {
        let width = match self.width {
            Some(Amount::Number(width)) => width as usize,
            _ => 0,
        };
        let missing = width.saturating_sub(sign.len() + body.len());
        let mut text = Vec::new();
        if !self.left && !zeros {
            text.resize(missing, b' ');
        }
        text.extend_from_slice(sign.as_bytes());
        if !self.left && zeros {
            text.resize(text.len() + missing, b'0');
        }
        text.extend_from_slice(body);
        if self.left {
            text.resize(text.len() + missing, b' ');
        }
        text
    }

    /// `%d`, `%u`, `%x` and their like, of an argument in its register.
    pub fn integer(&self, value: u64) -> Vec<u8> {
        let signed = matches!(self.letter, b'd' | b'i');
        let value = match (self.length, signed) {
            (..=-2, true) => value as i8 as i64 as u64,
            (-1, true) => value as i16 as i64 as u64,
            (0, true) => value as i32 as i64 as u64,
            (..=-2, false) => u64::from(value as u8),
            (-1, false) => u64::from(value as u16),
            (0, false) => u64::from(value as u32),
            _ => value,
        };
        let negative = signed && (value as i64) < 0;
        let size = if negative { value.wrapping_neg() } else { value };
        let mut body = match self.letter {
            b'o' => format!("{size:o}"),
            b'x' => format!("{size:x}"),
            b'X' => format!("{size:X}"),
            _ => size.to_string(),
        };
        if let Some(precision) = self.precision() {
            if precision == 0 && size == 0 {
                body.clear();
            }
            body = format!("{}{body}", "0".repeat(precision.saturating_sub(body.len())));
        }
        let prefix = match self.letter {
            b'x' if self.alternative && size != 0 => "0x",
            b'X' if self.alternative && size != 0 => "0X",
            b'o' if self.alternative && !body.starts_with('0') => "0",
            _ if signed => self.sign(negative),
            _ => "",
        };
        let zeros = self.zero && self.precision.is_none();
        self.padded(prefix, body.as_bytes(), zeros)
    }

    /// `%s`, `%c`.
    pub fn text(&self, bytes: &[u8]) -> Vec<u8> {
        let bytes = match self.precision() {
            Some(most) if self.letter == b's' => &bytes[..bytes.len().min(most)],
            _ => bytes,
        };
        self.padded("", bytes, false)
    }

    /// The most bytes of a string that are read.
    pub fn most(&self) -> Option<usize> {
        self.precision()
    }

    /// `%p`
    pub fn pointer(&self, value: u64) -> Vec<u8> {
        let body = if value == 0 { "(nil)".to_string() } else { format!("0x{value:x}") };
        self.padded("", body.as_bytes(), false)
    }

    /// `%f`, `%e`, `%g`.
    pub fn floating(&self, value: f64) -> Vec<u8> {
        let upper = self.letter.is_ascii_uppercase();
        let sign = self.sign(value.is_sign_negative());
        let size = value.abs();
        if !size.is_finite() {
            let word = if size.is_nan() { "nan" } else { "inf" };
            let word = if upper { word.to_uppercase() } else { word.to_string() };
            return self.padded(sign, word.as_bytes(), false);
        }
        let precision = self.precision().unwrap_or(6);
        let mut body = match self.letter.to_ascii_lowercase() {
            b'f' => format!("{size:.precision$}"),
            b'e' => exponential(size, precision),
            b'a' => hexadecimal(size, self.precision()),
            _ => shortest(size, precision.max(1), self.alternative),
        };
        if self.alternative && precision == 0 && !body.contains('.') && self.letter == b'f' {
            body.push('.');
        }
        if upper {
            body = body.to_uppercase();
        }
        self.padded(sign, body.as_bytes(), self.zero)
    }
}

/// `d.ddde±dd`
fn exponential(size: f64, precision: usize) -> String {
    let text = format!("{size:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// `%g`: as `%e` or as `%f`, whichever is shorter, without zeros at its end.
fn shortest(size: f64, precision: usize, keeps_zeros: bool) -> String {
    let scientific = exponential(size, precision - 1);
    let exponent: i32 =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let trimmed = |text: &str| {
        if keeps_zeros || !text.contains('.') {
            return text.to_string();
        }
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, rest) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        return format!("{}e{rest}", trimmed(mantissa));
    }
    let digits = (precision as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{size:.digits$}"))
}

/// `%a`, without a precision or with the exact digits cut off.
fn hexadecimal(size: f64, precision: Option<usize>) -> String {
    let bits = size.to_bits();
    let exponent = (bits >> 52) as i32 & 0x7ff;
    let fraction = bits & ((1 << 52) - 1);
    let (lead, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(precision) => digits.truncate(precision),
        None => digits = digits.trim_end_matches('0').to_string(),
    }
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str) -> Conversion {
        match parts(format.as_bytes()).as_slice() {
            [Part::Conversion(conversion)] => conversion.clone(),
            other => panic!("{other:?}"),
        }
    }

    fn floating(format: &str, value: f64) -> String {
        String::from_utf8(one(format).floating(value)).expect("text")
    }

    #[test]
    fn as_c_prints() {
        let integer = |format: &str, value: i64| {
            String::from_utf8(one(format).integer(value as u64)).expect("text")
        };
        assert_eq!(integer("%5d", -42), "  -42");
        assert_eq!(integer("%-5d", 42), "42   ");
        assert_eq!(integer("%05d", -42), "-0042");
        assert_eq!(integer("%.3d", 7), "007");
        assert_eq!(integer("%+d", 7), "+7");
        assert_eq!(integer("%u", -1), "4294967295");
        assert_eq!(integer("%#x", 255), "0xff");
        assert_eq!(integer("%hhd", 300), "44");
        assert_eq!(floating("%.2f", 2.675), "2.67");
        assert_eq!(floating("%f", 0.5), "0.500000");
        assert_eq!(floating("%.0f", 2.5), "2");
        assert_eq!(floating("%e", 12345.678), "1.234568e+04");
        assert_eq!(floating("%g", 100000.0), "100000");
        assert_eq!(floating("%g", 1e6), "1e+06");
        assert_eq!(floating("%g", 0.0001), "0.0001");
        assert_eq!(floating("%g", 2.7519265), "2.75193");
        assert_eq!(floating("%8.3f", -1.5), "  -1.500");
        assert_eq!(floating("%08.3f", -1.5), "-001.500");
        assert_eq!(floating("%a", 1.5), "0x1.8p+0");
        assert_eq!(String::from_utf8(one("%-6.2s").text(b"abc")).expect("text"), "ab    ");
    }
}
