//! The procedures of the library that the machine executes itself. The others have bodies in C
//! (`library/library.h`).

use super::fault::{Fault, Limit, Piece, Remark, Taker};
use super::format::{Part, parts};
use super::memory::{self, Origin};
use super::scan::{Directive, Failed, Reader, Scanned, directives, is_space};
use super::{Done, Machine, Stop, moved, random};
use crate::code::Native;

const END: u64 = -1i64 as u64;

/// The arguments of a call behind its format, as x86-64 passes them: numbers and addresses in one
/// row of registers, `double` in another. A conversion takes the next of its own row, whatever
/// stands there.
struct Arguments {
    whole: Vec<u64>,
    floating: Vec<u64>,
    next_whole: usize,
    next_floating: usize,
    /// From a `va_list`: one row, in order.
    cells: Option<u64>,
}

impl Arguments {
    fn of(list: &[u64], first: usize, doubles: u64) -> Arguments {
        let (mut whole, mut floating) = (Vec::new(), Vec::new());
        for (k, value) in list.iter().enumerate().skip(first) {
            if k < 64 && doubles >> k & 1 == 1 {
                floating.push(*value);
            } else {
                whole.push(*value);
            }
        }
        Arguments { whole, floating, next_whole: 0, next_floating: 0, cells: None }
    }
}

/// The functions of `math.h` that are functions: the same results on every platform. `None` for a
/// procedure that is none.
pub fn mathematics(native: Native, arguments: &[u64]) -> Option<u64> {
    let argument = |k: usize| arguments.get(k).copied().unwrap_or(0);
    let double = |k: usize| f64::from_bits(argument(k));
    let of = f64::to_bits;
    Some(match native {
        Native::Sqrt => of(libm::sqrt(double(0))),
        Native::Pow => of(libm::pow(double(0), double(1))),
        Native::Sin => of(libm::sin(double(0))),
        Native::Cos => of(libm::cos(double(0))),
        Native::Tan => of(libm::tan(double(0))),
        Native::Asin => of(libm::asin(double(0))),
        Native::Acos => of(libm::acos(double(0))),
        Native::Atan => of(libm::atan(double(0))),
        Native::Atan2 => of(libm::atan2(double(0), double(1))),
        Native::Exp => of(libm::exp(double(0))),
        Native::Exp2 => of(libm::exp2(double(0))),
        Native::Log => of(libm::log(double(0))),
        Native::Log10 => of(libm::log10(double(0))),
        Native::Log2 => of(libm::log2(double(0))),
        Native::Floor => of(libm::floor(double(0))),
        Native::Ceil => of(libm::ceil(double(0))),
        Native::Round => of(libm::round(double(0))),
        Native::Trunc => of(libm::trunc(double(0))),
        Native::Rint => of(libm::rint(double(0))),
        Native::Fabs => of(libm::fabs(double(0))),
        Native::Fmod => of(libm::fmod(double(0), double(1))),
        Native::Cbrt => of(libm::cbrt(double(0))),
        Native::Hypot => of(libm::hypot(double(0), double(1))),
        Native::Sinh => of(libm::sinh(double(0))),
        Native::Cosh => of(libm::cosh(double(0))),
        Native::Tanh => of(libm::tanh(double(0))),
        Native::Fmax => of(libm::fmax(double(0), double(1))),
        Native::Fmin => of(libm::fmin(double(0), double(1))),
        Native::Fma => of(libm::fma(double(0), double(1), double(2))),
        Native::Signbit => argument(0) >> 63,
        Native::Ldexp => of(libm::ldexp(double(0), argument(1) as i32)),
        _ => return None,
    })
}

impl Machine<'_> {
    pub(super) fn native(&mut self, native: Native, count: usize, doubles: u64) -> Done {
        let first = self.state.stack.len().saturating_sub(count);
        let list = self.state.stack.split_off(first);
        let argument = |k: usize| list.get(k).copied().unwrap_or(0);
        let double = |k: usize| f64::from_bits(argument(k));
        let float = |value: f64| Some(value.to_bits());
        if let Some(value) = mathematics(native, &list) {
            self.push(value);
            return Ok(());
        }
        let result = match native {
            Native::Printf => {
                let text = self.formatted(argument(0), Arguments::of(&list, 1, doubles))?;
                Some(self.print(&text)?)
            }
            Native::Fprintf => {
                let text = self.formatted(argument(1), Arguments::of(&list, 2, doubles))?;
                Some(self.print_to(argument(0), &text)?)
            }
            Native::Sprintf | Native::Snprintf => {
                let bounded = native == Native::Snprintf;
                let at = if bounded { 2 } else { 1 };
                let text = self.formatted(argument(at), Arguments::of(&list, at + 1, doubles))?;
                let most = if bounded { argument(1) } else { u64::MAX };
                Some(self.text_into(argument(0), &text, most)?)
            }
            Native::Vprintf => {
                let text = self.formatted(argument(0), in_cells(argument(1)))?;
                Some(self.print(&text)?)
            }
            Native::Vfprintf => {
                let text = self.formatted(argument(1), in_cells(argument(2)))?;
                Some(self.print_to(argument(0), &text)?)
            }
            Native::Vsprintf => {
                let text = self.formatted(argument(1), in_cells(argument(2)))?;
                Some(self.text_into(argument(0), &text, u64::MAX)?)
            }
            Native::Vsnprintf => {
                let text = self.formatted(argument(2), in_cells(argument(3)))?;
                Some(self.text_into(argument(0), &text, argument(1))?)
            }
            Native::Scanf => Some(self.scan(argument(0), &list[1.min(list.len())..])?),
            Native::Fscanf => Some(self.scan(argument(1), &list[2.min(list.len())..])?),
            Native::Sscanf => {
                let (text, known) = self.state.memory.string(argument(0))?;
                if !known {
                    self.remark(Remark::NoValue(None));
                }
                let (result, _) =
                    self.scan_text(&text, 0, argument(1), &list[2.min(list.len())..])?;
                Some(result)
            }
            Native::Putchar => {
                self.print(&[argument(0) as u8])?;
                Some(u64::from(argument(0) as u8))
            }
            Native::Fputc | Native::Putc => {
                self.print_to(argument(1), &[argument(0) as u8])?;
                Some(u64::from(argument(0) as u8))
            }
            Native::Puts => {
                let mut text = self.text_argument(argument(0))?;
                text.push(b'\n');
                Some(self.print(&text)?)
            }
            Native::Fputs => {
                let text = self.text_argument(argument(0))?;
                Some(self.print_to(argument(1), &text)?)
            }
            Native::Getchar | Native::Getc | Native::Fgetc => {
                self.is_open = true;
                let byte = self.input.get(self.state.at).copied();
                self.state.at += usize::from(byte.is_some());
                Some(byte.map_or(END, u64::from))
            }
            Native::Ungetc => {
                self.is_open = true;
                let back = self.state.at > 0
                    && self.input.get(self.state.at - 1) == Some(&(argument(0) as u8));
                self.state.at -= usize::from(back);
                Some(if back { argument(0) } else { END })
            }
            Native::Fgets => Some(self.line(argument(0), argument(1) as i32)?),
            Native::Gets => Some(self.whole_line(argument(0))?),
            Native::Feof => {
                self.is_open = true;
                Some(u64::from(self.state.at >= self.input.len()))
            }
            Native::Fflush => Some(0),
            Native::Malloc => Some(self.allocate(argument(0), Origin::Heap, false)?),
            Native::Calloc => {
                let size = argument(0).checked_mul(argument(1));
                Some(match size {
                    Some(size) => self.allocate(size, Origin::Heap, true)?,
                    None => 0,
                })
            }
            Native::Realloc => Some(self.reallocated(argument(0), argument(1))?),
            Native::Free => {
                if argument(0) != 0 {
                    self.state.memory.free(argument(0))?;
                }
                None
            }
            Native::Exit => return Err(Stop::Exit(i32::from(argument(0) as u8))),
            Native::Abort => return Err(Stop::Fault(Fault::Abort)),
            Native::Memcpy | Native::Memmove => {
                if argument(2) > 0 {
                    self.state.memory.copy(argument(0), argument(1), argument(2))?;
                }
                Some(argument(0))
            }
            Native::Memset => {
                self.state.memory.locate(argument(0), argument(2))?;
                let bytes = vec![argument(1) as u8; argument(2) as usize];
                self.state.memory.fill(argument(0), &bytes)?;
                Some(argument(0))
            }
            Native::Memcmp => Some(self.compared(argument(0), argument(1), argument(2))?),
            Native::Strtod => Some(self.floating_text(argument(0), argument(1))?),
            Native::Rand => Some(match self.choice(Taker::Native(native)) {
                Some(value) => value,
                None => u64::from(self.state.random.next()),
            }),
            Native::Srand => {
                self.state.random = random::Random::new(argument(0) as u32);
                None
            }
            Native::Time => {
                // Always the same: a test that passes, passes again.
                let now = self.choice(Taker::Native(native)).unwrap_or(1_700_000_000);
                if argument(0) != 0 {
                    self.state.memory.write(argument(0), 8, now)?;
                }
                Some(now)
            }
            Native::Clock => {
                self.state.clock += 1000;
                let clock = self.state.clock;
                Some(self.choice(Taker::Native(native)).unwrap_or(clock))
            }
            Native::Modf => {
                let whole = libm::trunc(double(0));
                self.state.memory.write(argument(1), 8, whole.to_bits())?;
                float(double(0) - whole)
            }
            Native::Frexp => {
                let (fraction, exponent) = libm::frexp(double(0));
                self.state.memory.write(argument(1), 4, exponent as u64)?;
                float(fraction)
            }
            Native::Alloca => {
                let address = self.allocate(argument(0), Origin::Temporary, false)?;
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.allocated.push(address);
                }
                Some(address)
            }
            Native::ReadOk | Native::WriteOk | Native::ReadWriteOk => {
                let writes = native != Native::ReadOk;
                Some(u64::from(self.state.memory.allows(argument(0), argument(1), writes)))
            }
            Native::ObjectSize => Some(self.state.memory.object_size(argument(0))),
            Native::PointerOffset => Some(self.state.memory.offset(argument(0))),
            Native::PointerObject => Some(memory::object_number(argument(0))),
            Native::Popcount => Some(u64::from((argument(0) as u32).count_ones())),
            // Those of `mathematics`.
            _ => None,
        };
        if let Some(value) = result {
            self.push(value);
        }
        Ok(())
    }

    fn print(&mut self, text: &[u8]) -> Done<u64> {
        if self.output.len() + text.len() > self.limits.output as usize {
            return Err(Stop::Limit(Limit::Output));
        }
        self.output.extend_from_slice(text);
        let end = self.output.len() as u32;
        match self.pieces.last_mut() {
            Some(piece) if piece.point == self.point => piece.end = end,
            _ if text.is_empty() => {}
            _ => self.pieces.push(Piece { end, point: self.point }),
        }
        Ok(text.len() as u64)
    }

    /// Into a stream: what goes to the error stream is no output.
    fn print_to(&mut self, file: u64, text: &[u8]) -> Done<u64> {
        let (number, _) = self.state.memory.read(file, 4)?;
        if number == 1 { self.print(text) } else { Ok(text.len() as u64) }
    }

    fn text_argument(&mut self, address: u64) -> Done<Vec<u8>> {
        let (text, known) = self.state.memory.string(address)?;
        if !known {
            let variable = self.state.memory.variable(address);
            self.remark(Remark::NoValue(variable));
        }
        Ok(text)
    }

    /// `sprintf`, `snprintf`: at most this many bytes with the zero.
    fn text_into(&mut self, to: u64, text: &[u8], most: u64) -> Done<u64> {
        if most > 0 {
            let kept = text.len().min((most - 1) as usize);
            let mut bytes = text[..kept].to_vec();
            bytes.push(0);
            for (k, byte) in bytes.iter().enumerate() {
                self.state.memory.write(moved(to, k as u64), 1, u64::from(*byte))?;
            }
        }
        Ok(text.len() as u64)
    }

    fn next_whole(&mut self, arguments: &mut Arguments) -> Done<u64> {
        if let Some(cell) = arguments.cells {
            arguments.cells = Some(moved(cell, 8));
            return Ok(self.state.memory.read(cell, 8)?.0);
        }
        let value = arguments.whole.get(arguments.next_whole).copied();
        arguments.next_whole += 1;
        if value.is_none() {
            self.remark(Remark::Argument);
        }
        Ok(value.unwrap_or(0))
    }

    fn next_floating(&mut self, arguments: &mut Arguments) -> Done<f64> {
        if let Some(cell) = arguments.cells {
            arguments.cells = Some(moved(cell, 8));
            return Ok(f64::from_bits(self.state.memory.read(cell, 8)?.0));
        }
        let value = arguments.floating.get(arguments.next_floating).copied();
        arguments.next_floating += 1;
        if value.is_none() {
            self.remark(Remark::Argument);
        }
        Ok(f64::from_bits(value.unwrap_or(0)))
    }

    /// What `printf` prints.
    fn formatted(&mut self, format: u64, mut arguments: Arguments) -> Done<Vec<u8>> {
        let format = self.text_argument(format)?;
        let mut text = Vec::new();
        for part in parts(&format) {
            let conversion = match part {
                Part::Plain(plain) => {
                    text.extend(plain);
                    continue;
                }
                Part::Conversion(conversion) => conversion,
            };
            let mut stars = Vec::new();
            for _ in 0..conversion.stars() {
                stars.push(i64::from(self.next_whole(&mut arguments)? as i32));
            }
            let conversion = conversion.resolved(&stars);
            match conversion.letter {
                b'c' => {
                    let value = self.next_whole(&mut arguments)?;
                    text.extend(conversion.text(&[value as u8]));
                }
                b's' => {
                    let address = self.next_whole(&mut arguments)?;
                    let bytes = self.string_argument(address, conversion.most())?;
                    text.extend(conversion.text(&bytes));
                }
                b'p' => {
                    let value = self.next_whole(&mut arguments)?;
                    text.extend(conversion.pointer(value));
                }
                b'n' => {
                    let address = self.next_whole(&mut arguments)?;
                    self.state.memory.write(address, 4, text.len() as u64)?;
                }
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                    let value = self.next_whole(&mut arguments)?;
                    text.extend(conversion.integer(value));
                }
                _ => {
                    let value = self.next_floating(&mut arguments)?;
                    text.extend(conversion.floating(value));
                }
            }
            if text.len() > self.limits.output as usize {
                return Err(Stop::Limit(Limit::Output));
            }
        }
        Ok(text)
    }

    /// The string of `%s`: with a precision it need not have a zero.
    fn string_argument(&mut self, address: u64, most: Option<usize>) -> Done<Vec<u8>> {
        if address == 0 {
            return Ok(b"(null)".to_vec());
        }
        let Some(most) = most else { return self.text_argument(address) };
        let mut bytes = Vec::new();
        while bytes.len() < most {
            let (byte, _) = self.state.memory.read(moved(address, bytes.len() as u64), 1)?;
            if byte == 0 {
                break;
            }
            bytes.push(byte as u8);
        }
        Ok(bytes)
    }

    /// `scanf` from the input.
    fn scan(&mut self, format: u64, pointers: &[u64]) -> Done<u64> {
        self.is_open = true;
        let input = self.input;
        let (result, at) = self.scan_text(input, self.state.at, format, pointers)?;
        self.state.at = at;
        Ok(result)
    }

    fn scan_text(
        &mut self,
        text: &[u8],
        at: usize,
        format: u64,
        pointers: &[u64],
    ) -> Done<(u64, usize)> {
        let format = self.text_argument(format)?;
        let Some(directives) = directives(&format) else {
            self.remark(Remark::Argument);
            return Ok((0, at));
        };
        let mut reader = Reader { text, at };
        let mut pointers = pointers.iter();
        let (mut assigned, mut failed) = (0u64, None);
        for directive in &directives {
            let result = match directive {
                Directive::Space => {
                    reader.skip_space();
                    Ok(())
                }
                Directive::Plain(byte) => reader.plain(*byte),
                Directive::Conversion { skip, width, length, letter, set } => {
                    match reader.conversion(*letter, *width, set) {
                        Err(error) => Err(error),
                        Ok(_) if *skip => Ok(()),
                        Ok(value) => {
                            let Some(pointer) = pointers.next() else {
                                self.remark(Remark::Argument);
                                return Err(Stop::Fault(Fault::Wild));
                            };
                            assigned += u64::from(*letter != b'n');
                            self.scanned(*pointer, value, *length, *letter)?;
                            Ok(())
                        }
                    }
                }
            };
            if let Err(error) = result {
                failed = Some(error);
                break;
            }
        }
        let result = if failed == Some(Failed::End) && assigned == 0 { END } else { assigned };
        Ok((result, reader.at))
    }

    /// Writes what a conversion read.
    fn scanned(&mut self, to: u64, value: Scanned, length: i32, letter: u8) -> Done {
        match value {
            Scanned::Integer(value) | Scanned::Count(value) => {
                let size = match length {
                    _ if letter == b'p' => 8,
                    ..=-2 => 1,
                    -1 => 2,
                    0 => 4,
                    _ => 8,
                };
                self.state.memory.write(to, size, value)?;
            }
            Scanned::Floating(value) if length > 0 => {
                self.state.memory.write(to, 8, value.to_bits())?;
            }
            Scanned::Floating(value) => {
                self.state.memory.write(to, 4, u64::from((value as f32).to_bits()))?;
            }
            Scanned::Text(mut bytes) => {
                bytes.push(0);
                self.write_bytes(to, &bytes)?;
            }
            Scanned::Characters(bytes) => self.write_bytes(to, &bytes)?,
        }
        Ok(())
    }

    fn write_bytes(&mut self, to: u64, bytes: &[u8]) -> Done {
        for (k, byte) in bytes.iter().enumerate() {
            self.state.memory.write(moved(to, k as u64), 1, u64::from(*byte))?;
        }
        Ok(())
    }

    /// `fgets`
    fn line(&mut self, to: u64, most: i32) -> Done<u64> {
        self.is_open = true;
        let mut bytes = Vec::new();
        while (bytes.len() as i64) < i64::from(most) - 1 {
            let Some(byte) = self.input.get(self.state.at) else { break };
            self.state.at += 1;
            bytes.push(*byte);
            if *byte == b'\n' {
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(0);
        }
        bytes.push(0);
        self.write_bytes(to, &bytes)?;
        Ok(to)
    }

    /// `gets`
    fn whole_line(&mut self, to: u64) -> Done<u64> {
        self.is_open = true;
        let rest = &self.input[self.state.at.min(self.input.len())..];
        if rest.is_empty() {
            return Ok(0);
        }
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let mut bytes = rest[..length].to_vec();
        bytes.push(0);
        self.state.at += (length + 1).min(rest.len());
        self.write_bytes(to, &bytes)?;
        Ok(to)
    }

    fn reallocated(&mut self, old: u64, size: u64) -> Done<u64> {
        let new = self.allocate(size, Origin::Heap, false)?;
        if old != 0 {
            let kept = self.state.memory.room(old)?.min(size);
            self.state.memory.copy(new, old, kept)?;
            self.state.memory.free(old)?;
        }
        Ok(new)
    }

    fn compared(&mut self, a: u64, b: u64, length: u64) -> Done<u64> {
        for k in 0..length {
            let (x, _) = self.state.memory.read(moved(a, k), 1)?;
            let (y, _) = self.state.memory.read(moved(b, k), 1)?;
            if x != y {
                return Ok(x.wrapping_sub(y));
            }
        }
        Ok(0)
    }

    fn floating_text(&mut self, from: u64, end: u64) -> Done<u64> {
        let text = self.text_argument(from)?;
        let mut reader = Reader { text: &text, at: 0 };
        while reader.text.get(reader.at).is_some_and(|byte| is_space(*byte)) {
            reader.at += 1;
        }
        let value = reader.floating(usize::MAX);
        if end != 0 {
            let used = if value.is_ok() { reader.at } else { 0 };
            self.state.memory.write(end, 8, moved(from, used as u64))?;
        }
        Ok(value.unwrap_or(0.0).to_bits())
    }
}

fn in_cells(cell: u64) -> Arguments {
    Arguments {
        whole: vec![],
        floating: vec![],
        next_whole: 0,
        next_floating: 0,
        cells: Some(cell),
    }
}
