//! C's types, their sizes and their conversions, as on x86-64 Linux.

use std::rc::Rc;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// `_Bool`
    Bool,
    /// `char`, which has a sign.
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
}

impl Integer {
    /// In bytes.
    pub fn size(self) -> u64 {
        match self {
            Integer::Bool | Integer::Char | Integer::SignedChar | Integer::UnsignedChar => 1,
            Integer::Short | Integer::UnsignedShort => 2,
            Integer::Int | Integer::UnsignedInt => 4,
            _ => 8,
        }
    }

    /// Has it negative values?
    pub fn signed(self) -> bool {
        matches!(
            self,
            Integer::Char
                | Integer::SignedChar
                | Integer::Short
                | Integer::Int
                | Integer::Long
                | Integer::LongLong
        )
    }

    /// C11 6.3.1.1.
    fn rank(self) -> u32 {
        match self {
            Integer::Bool => 0,
            Integer::Char | Integer::SignedChar | Integer::UnsignedChar => 1,
            Integer::Short | Integer::UnsignedShort => 2,
            Integer::Int | Integer::UnsignedInt => 3,
            Integer::Long | Integer::UnsignedLong => 4,
            Integer::LongLong | Integer::UnsignedLongLong => 5,
        }
    }

    /// The integer promotions (C11 6.3.1.1).
    pub fn promoted(self) -> Integer {
        if self.rank() < 3 { Integer::Int } else { self }
    }

    /// The type of the same rank without a sign.
    pub fn unsigned(self) -> Integer {
        match self {
            Integer::Char | Integer::SignedChar => Integer::UnsignedChar,
            Integer::Short => Integer::UnsignedShort,
            Integer::Int => Integer::UnsignedInt,
            Integer::Long => Integer::UnsignedLong,
            Integer::LongLong => Integer::UnsignedLongLong,
            other => other,
        }
    }

    /// The value of the low bits of a number in this type, extended to 64 bits by its sign.
    pub fn wrap(self, bits: u64) -> u64 {
        match self {
            Integer::Bool => u64::from(bits != 0),
            Integer::Char | Integer::SignedChar => bits as i8 as i64 as u64,
            Integer::UnsignedChar => u64::from(bits as u8),
            Integer::Short => bits as i16 as i64 as u64,
            Integer::UnsignedShort => u64::from(bits as u16),
            Integer::Int => bits as i32 as i64 as u64,
            Integer::UnsignedInt => u64::from(bits as u32),
            _ => bits,
        }
    }
}

/// How many elements an array has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A number.
    Known(u64),
    /// `[]`
    Open,
    /// The value of a variable that the parser made, when the declaration is executed.
    Variable(u32),
}

/// A type. Qualifiers have no effect on a run and are not kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `void`
    Void,
    /// An integer, or an enumeration.
    Integer(Integer),
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`, computed as `double`.
    LongDouble,
    /// A pointer.
    Pointer(Rc<Type>),
    /// An array.
    Array(Rc<Type>, Length),
    /// A procedure.
    Procedure(Rc<Signature>),
    /// A struct or union.
    Record(RecordId),
}

/// The type of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    /// What it returns.
    pub result: Type,
    /// Its parameters; arrays and procedures are pointers here.
    pub parameters: Vec<Type>,
    /// `...`
    pub variadic: bool,
    /// `()`: any arguments.
    pub open: bool,
}

/// The number of a struct or union.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordId(pub u32);

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, or the name of a `typedef`; may be empty.
    pub name: String,
    /// `union`
    pub union: bool,
    /// `None` until its members are declared.
    pub members: Option<Vec<Member>>,
    /// In bytes.
    pub size: u64,
    /// In bytes.
    pub alignment: u64,
}

/// A member.
#[derive(Clone, Debug)]
pub struct Member {
    /// Empty for a struct whose members are members of this one.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// In bytes from the start.
    pub offset: u64,
    /// The first bit and the number of bits in the unit of type `ty` at `offset`.
    pub bits: Option<(u8, u8)>,
}

/// `int`
pub const INT: Type = Type::Integer(Integer::Int);
/// `char`
pub const CHAR: Type = Type::Integer(Integer::Char);
/// `size_t`
pub const SIZE: Type = Type::Integer(Integer::UnsignedLong);

impl Type {
    /// A pointer to it.
    pub fn pointer(self) -> Type {
        Type::Pointer(Rc::new(self))
    }

    /// Is it an integer?
    pub fn integer(&self) -> Option<Integer> {
        match self {
            Type::Integer(integer) => Some(*integer),
            _ => None,
        }
    }

    /// `float`, `double`, `long double`.
    pub fn is_floating(&self) -> bool {
        matches!(self, Type::Float | Type::Double | Type::LongDouble)
    }

    /// A number.
    pub fn is_arithmetic(&self) -> bool {
        self.is_floating() || self.integer().is_some()
    }

    /// A number or a pointer.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || matches!(self, Type::Pointer(_))
    }

    /// What a pointer points to.
    pub fn target(&self) -> Option<&Type> {
        match self {
            Type::Pointer(target) => Some(target),
            _ => None,
        }
    }

    /// Does its size depend on a variable?
    pub fn is_variable(&self) -> bool {
        match self {
            Type::Array(element, length) => {
                matches!(length, Length::Variable(_)) || element.is_variable()
            }
            _ => false,
        }
    }

    /// In bytes; `None` if it has none, or if it depends on a variable.
    pub fn size(&self, records: &[Record]) -> Option<u64> {
        match self {
            // GNU: so that arithmetic on `void *` counts bytes.
            Type::Void | Type::Procedure(_) => Some(1),
            Type::Integer(integer) => Some(integer.size()),
            Type::Float => Some(4),
            Type::Double | Type::Pointer(_) => Some(8),
            Type::LongDouble => Some(16),
            Type::Array(element, Length::Known(count)) => {
                element.size(records)?.checked_mul(*count)
            }
            Type::Array(..) => None,
            Type::Record(id) => {
                let record = &records[id.0 as usize];
                record.members.as_ref().map(|_| record.size)
            }
        }
    }

    /// In bytes.
    pub fn alignment(&self, records: &[Record]) -> u64 {
        match self {
            Type::Array(element, _) => element.alignment(records),
            Type::Record(id) => records[id.0 as usize].alignment.max(1),
            other => other.size(records).unwrap_or(1),
        }
    }

    /// As a message names it.
    pub fn name(&self, records: &[Record]) -> String {
        match self {
            Type::Void => "void".into(),
            Type::Integer(integer) => match integer {
                Integer::Bool => "_Bool",
                Integer::Char => "char",
                Integer::SignedChar => "signed char",
                Integer::UnsignedChar => "unsigned char",
                Integer::Short => "short",
                Integer::UnsignedShort => "unsigned short",
                Integer::Int => "int",
                Integer::UnsignedInt => "unsigned",
                Integer::Long => "long",
                Integer::UnsignedLong => "unsigned long",
                Integer::LongLong => "long long",
                Integer::UnsignedLongLong => "unsigned long long",
            }
            .into(),
            Type::Float => "float".into(),
            Type::Double => "double".into(),
            Type::LongDouble => "long double".into(),
            Type::Pointer(target) => format!("{} *", target.name(records)),
            Type::Array(element, Length::Known(count)) => {
                format!("{} [{count}]", element.name(records))
            }
            Type::Array(element, _) => format!("{} []", element.name(records)),
            Type::Procedure(_) => "procedure".into(),
            Type::Record(id) => {
                let record = &records[id.0 as usize];
                let keyword = if record.union { "union" } else { "struct" };
                format!("{keyword} {}", record.name)
            }
        }
    }
}

/// The usual arithmetic conversions (C11 6.3.1.8).
pub fn common(left: &Type, right: &Type) -> Option<Type> {
    for floating in [Type::LongDouble, Type::Double, Type::Float] {
        if *left == floating || *right == floating {
            return (left.is_arithmetic() && right.is_arithmetic()).then_some(floating);
        }
    }
    let (left, right) = (left.integer()?.promoted(), right.integer()?.promoted());
    let (low, high) = if left.rank() <= right.rank() { (left, right) } else { (right, left) };
    let result = if low.signed() == high.signed() || low.rank() == high.rank() {
        // Of two types of one rank the one without a sign.
        if low.signed() { high } else { low.max_unsigned(high) }
    } else if !high.signed() || high.size() > low.size() {
        high
    } else {
        high.unsigned()
    };
    Some(Type::Integer(result))
}

impl Integer {
    /// Of two types without a sign, or of one rank: the wider; of one rank, the one without a sign.
    fn max_unsigned(self, high: Integer) -> Integer {
        if self.rank() == high.rank() { self.unsigned() } else { high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_conversions() {
        let of = |left, right| {
            common(&Type::Integer(left), &Type::Integer(right)).and_then(|ty| ty.integer())
        };
        assert_eq!(of(Integer::Char, Integer::Short), Some(Integer::Int));
        assert_eq!(of(Integer::Int, Integer::UnsignedInt), Some(Integer::UnsignedInt));
        assert_eq!(of(Integer::UnsignedInt, Integer::Int), Some(Integer::UnsignedInt));
        assert_eq!(of(Integer::UnsignedInt, Integer::Long), Some(Integer::Long));
        assert_eq!(of(Integer::UnsignedLong, Integer::LongLong), Some(Integer::UnsignedLongLong));
        assert_eq!(of(Integer::UnsignedInt, Integer::UnsignedLong), Some(Integer::UnsignedLong));
        assert_eq!(common(&Type::Float, &INT), Some(Type::Float));
        assert_eq!(common(&Type::Void, &INT), None);
    }
}
