//! What the library does that is not written in Java.

mod builder;
mod characters;
mod format;
mod input;
mod mathematics;
mod numbers;
mod objects;
mod pattern;
pub(super) mod show;
mod text;

use super::value::Value;
use super::{Done, Machine, Stop, throw};

/// The methods, each with its class and its name in `src/java/library`.
macro_rules! natives {
    ($($name:ident = $class:literal $method:literal => $run:path;)*) => {
        /// A method of the library without a body.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Native {
            $($name,)*
        }

        impl Native {
            /// By its class and its name.
            pub(super) fn named(class: &str, method: &str) -> Option<Native> {
                match (class, method) {
                    $(($class, $method) => Some(Native::$name),)*
                    _ => None,
                }
            }
        }

        impl Machine<'_> {
            /// Executes it. What gives no value gives `null`.
            pub(super) fn native(&mut self, native: Native, given: &[Value]) -> Done<Value> {
                match native {
                    $(Native::$name => $run(self, given),)*
                }
            }
        }
    };
}

natives! {
    ObjectHash = "Object" "hashCode" => objects::hash_code;
    ObjectClass = "Object" "getClass" => objects::get_class;
    EnumName = "Enum" "name" => objects::name;
    EnumOrdinal = "Enum" "ordinal" => objects::ordinal;
    SystemPrint = "System" "print" => objects::print;
    SystemExit = "System" "exit" => objects::exit;
    SystemMillis = "System" "currentTimeMillis" => objects::clock;
    SystemNanos = "System" "nanoTime" => objects::clock;
    SystemCopy = "System" "arraycopy" => objects::array_copy;
    ArraysCloned = "Arrays" "cloned" => objects::cloned;
    ArraysResized = "Arrays" "resized" => objects::resized;
    ArraysSorted = "Arrays" "sorted" => objects::sorted;
    TextLength = "String" "length" => text::length;
    TextCharAt = "String" "charAt" => text::char_at;
    TextEquals = "String" "equals" => text::equals;
    TextHash = "String" "hashCode" => text::hash_code;
    TextCompare = "String" "compareTo" => text::compare;
    TextSubstring = "String" "substring" => text::substring;
    TextFind = "String" "find" => text::find;
    TextFindLast = "String" "findLast" => text::find_last;
    TextUpper = "String" "toUpperCase" => text::upper;
    TextLower = "String" "toLowerCase" => text::lower;
    TextTrim = "String" "trim" => text::trim;
    TextStrip = "String" "stripped" => text::strip;
    TextChars = "String" "toCharArray" => text::to_chars;
    TextOfChars = "String" "of" => text::of_chars;
    TextOfChar = "String" "ofChar" => text::of_char;
    TextExchange = "String" "exchange" => text::exchange;
    TextIntern = "String" "intern" => text::intern;
    TextFresh = "String" "fresh" => text::fresh;
    TextFormat = "String" "formatted" => format::formatted;
    TextSplit = "String" "pieces" => pattern::split;
    TextMatches = "String" "matches" => pattern::matches;
    TextReplaceAll = "String" "exchangeAll" => pattern::replace;
    BuilderAdd = "AbstractStringBuilder" "add" => builder::add;
    BuilderLength = "AbstractStringBuilder" "length" => builder::length;
    BuilderCharAt = "AbstractStringBuilder" "charAt" => builder::char_at;
    BuilderSet = "AbstractStringBuilder" "setCharAt" => builder::set;
    BuilderInsert = "AbstractStringBuilder" "insertText" => builder::insert;
    BuilderCut = "AbstractStringBuilder" "cut" => builder::cut;
    BuilderSetLength = "AbstractStringBuilder" "setLength" => builder::set_length;
    BuilderReverse = "AbstractStringBuilder" "turn" => builder::reverse;
    BuilderText = "AbstractStringBuilder" "toString" => builder::text;
    IntegerParse = "Integer" "parse" => numbers::parse_int;
    LongParse = "Long" "parse" => numbers::parse_long;
    DoubleParse = "Double" "parseDouble" => numbers::parse_double;
    LongText = "Long" "digits" => numbers::digits;
    LongBits = "Double" "doubleToLongBits" => numbers::bits;
    IntBits = "Float" "floatToIntBits" => numbers::bits_of_float;
    CharacterType = "Character" "kind" => characters::kind;
    CharacterUpper = "Character" "toUpperCase" => characters::upper;
    CharacterLower = "Character" "toLowerCase" => characters::lower;
    MathFunction = "Math" "function" => mathematics::function;
    MathPower = "Math" "pow" => mathematics::power;
    MathAngle = "Math" "atan2" => mathematics::angle;
    MathHypotenuse = "Math" "hypot" => mathematics::hypotenuse;
    ScannerToken = "Scanner" "token" => input::token;
    ScannerPeek = "Scanner" "peek" => input::peek;
    ScannerLine = "Scanner" "line" => input::line;
    ScannerHasLine = "Scanner" "hasNextLine" => input::has_line;
    ReaderLine = "BufferedReader" "readLine" => input::read_line;
    ReaderRead = "BufferedReader" "read" => input::read;
    StreamRead = "InputStream" "read" => input::read;
}

/// The argument at this place.
fn given(list: &[Value], at: usize) -> Value {
    list.get(at).copied().unwrap_or(super::value::NULL)
}

impl Machine<'_> {
    /// The characters of a text; `null` is no text.
    fn units(&self, text: Value) -> Done<&[u16]> {
        match self.state.heap.text_at(text.reference()) {
            Some(units) => Ok(units),
            None => Err(Stop::Throw("NullPointerException", None)),
        }
    }

    /// A new text.
    fn made(&mut self, units: Vec<u16>) -> Done<Value> {
        if units.len() as u64 > self.limits.memory {
            return Err(Stop::Limit(super::Limit::Memory));
        }
        Ok(self.state.heap.units(units))
    }
}

/// What `charAt` and its kin say of a place outside.
fn no_index<T>(index: i32, length: usize) -> Done<T> {
    let message = format!("index {index}, length {length}");
    throw("StringIndexOutOfBoundsException", message)
}
