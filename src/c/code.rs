//! The code that the machine executes: a stack machine over 64-bit cells.
//!
//! Each operation says what it takes from the stack and what it leaves, top last.

use crate::tree::{Binary, PointId, ProcedureId, TextId, VariableId};
use crate::types::Integer;

/// How a number stands in a cell and in memory. A floating number is its pattern of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Extended by its sign.
    Integer(Integer),
    /// `float`
    Single,
    /// `double`
    Double,
    /// An address.
    Pointer,
}

impl Number {
    /// In bytes of memory.
    pub fn size(self) -> u64 {
        match self {
            Number::Integer(integer) => integer.size(),
            Number::Single => 4,
            Number::Double | Number::Pointer => 8,
        }
    }
}

/// What a step `++` or `--` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The type of the place.
    pub number: Number,
    /// What is added: for a pointer in bytes.
    pub delta: i64,
    /// Is the result the new value?
    pub before: bool,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// The run passes a point.
    Point(PointId),
    /// → number
    Constant(u64),
    /// → value of a variable in a slot
    Slot(u32, VariableId),
    /// value → value
    SetSlot(u32),
    /// The variable has no value from here on.
    ForgetSlot(u32),
    /// → new or old value
    StepSlot(u32, Step, VariableId),
    /// → address of the object of a local variable
    Object(u32),
    /// The object of a local variable has no value from here on.
    Forget(u32),
    /// It is all zero from here on.
    Zero(u32),
    /// The block of a local variable is left: pointers to its object lead nowhere from here on.
    Renew(u32, VariableId),
    /// index → index, which is to be less than this
    Index(u64),
    /// size → ; a new object for a local variable
    Allocate(u32, VariableId),
    /// → address
    Global(u32),
    /// → address
    Text(TextId),
    /// → address
    Procedure(ProcedureId),
    /// address → value
    Load(Number),
    /// address, value → value
    Store(Number),
    /// address → value of a bit-field
    LoadBits(Integer, u8, u8),
    /// address, value → value
    StoreBits(Integer, u8, u8),
    /// address → new or old value
    StepPlace(Step),
    /// target, source → target
    Copy(u64),
    /// a → a, a
    Double,
    /// a →
    Drop,
    /// value → value
    Convert(Number, Number),
    /// a, b → a op b
    Binary(Binary, Number),
    /// a → -a
    Negate(Number),
    /// a → ~a
    Complement(Integer),
    /// a → 1 if it is zero, else 0
    Not(Number),
    /// a → 0 if it is zero, else 1
    Truth(Number),
    /// address, n → address of the n-th element of this size
    Element(u64),
    /// address, n, size → address
    ElementOf,
    /// address, address → elements between
    Difference(u64),
    /// Goes there.
    Jump(u32),
    /// condition →
    JumpIfZero(u32),
    /// condition →
    JumpIfNot(u32),
    /// arguments → result (nothing for `void`)
    Call(ProcedureId, u32),
    /// address, arguments → result
    CallPointer(u32),
    /// arguments → result; the bits of the last number say which arguments are `double`.
    Native(Native, u32, u64),
    /// result →
    Return,
    /// → ; a procedure ends without a result
    ReturnNothing,
    /// The end of a procedure that returns a value, without one: `main` returns 0.
    End,
    /// address of a `va_list` →
    VariableArguments,
    /// address of a `va_list` → cell of the next argument
    NextArgument,
    /// condition →
    Assert,
    /// condition → ; runs on which it does not hold do not count
    Assume,
    /// → any value; of a call of which procedure
    Choose(Number, Option<ProcedureId>),
}

/// The code of a procedure.
#[derive(Clone, Debug, Default)]
pub struct ProcedureCode {
    /// Its first operation.
    pub entry: u32,
    /// How many slots its variables have.
    pub slots: u32,
    /// The slots of its parameters, in order; how many bytes a struct has.
    pub parameters: Vec<(u32, Passing)>,
    /// The objects that exist as long as a call: slot, size, variable.
    pub objects: Vec<(u32, u64, VariableId)>,
    /// `...`
    pub variadic: bool,
    /// Does it return a value?
    pub returns: bool,
}

/// How an argument reaches its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Into the slot.
    Slot,
    /// Into the object of the parameter, as a number.
    Number(Number),
    /// Into the object of the parameter, as so many bytes.
    Record(u64),
}

/// A variable that lives as long as the program.
#[derive(Clone, Copy, Debug)]
pub struct GlobalObject {
    /// In bytes.
    pub size: u64,
    /// Which.
    pub variable: VariableId,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// All operations.
    pub ops: Vec<Op>,
    /// By procedure; `None` for those without code.
    pub procedures: Vec<Option<ProcedureCode>>,
    /// What the machine executes itself, by procedure, for pointers to them.
    pub natives: Vec<Option<Native>>,
    /// The variables that live as long as the program.
    pub globals: Vec<GlobalObject>,
    /// Where the initial values are computed.
    pub start: u32,
    /// Where `main` is called.
    pub main: Option<ProcedureId>,
    /// The labels of the program.
    pub labels: Vec<String>,
}

macro_rules! natives {
    ($($name:ident = $text:literal,)*) => {
        /// A procedure of the library that the machine executes itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Native { $($name,)* }

        impl Native {
            /// The procedure of this name.
            pub fn named(name: &str) -> Option<Native> {
                match name { $($text => Some(Native::$name),)* _ => None }
            }

            /// Its name.
            pub fn name(self) -> &'static str {
                match self { $(Native::$name => $text,)* }
            }
        }
    };
}

natives! {
    Printf = "printf", Fprintf = "fprintf", Sprintf = "sprintf", Snprintf = "snprintf",
    Vprintf = "vprintf", Vfprintf = "vfprintf", Vsprintf = "vsprintf", Vsnprintf = "vsnprintf",
    Scanf = "scanf", Fscanf = "fscanf", Sscanf = "sscanf",
    Putchar = "putchar", Puts = "puts", Fputs = "fputs", Fputc = "fputc", Putc = "putc",
    Getchar = "getchar", Getc = "getc", Fgetc = "fgetc", Fgets = "fgets", Gets = "gets",
    Ungetc = "ungetc", Feof = "feof", Fflush = "fflush",
    Malloc = "malloc", Calloc = "calloc", Realloc = "realloc", Free = "free",
    Exit = "exit", Abort = "abort",
    Memcpy = "memcpy", Memmove = "memmove", Memset = "memset", Memcmp = "memcmp",
    Strtod = "strtod", Rand = "rand", Srand = "srand", Time = "time", Clock = "clock",
    Sqrt = "sqrt", Pow = "pow", Sin = "sin", Cos = "cos", Tan = "tan", Asin = "asin",
    Acos = "acos", Atan = "atan", Atan2 = "atan2", Exp = "exp", Exp2 = "exp2", Log = "log",
    Log10 = "log10", Log2 = "log2", Floor = "floor", Ceil = "ceil", Round = "round",
    Trunc = "trunc", Fabs = "fabs", Fmod = "fmod", Cbrt = "cbrt", Hypot = "hypot",
    Sinh = "sinh", Cosh = "cosh", Tanh = "tanh", Rint = "rint", Fmax = "fmax", Fmin = "fmin",
    Fma = "fma", Signbit = "__signbit", Ldexp = "ldexp", Modf = "modf", Frexp = "frexp",
    Popcount = "__builtin_popcount", Alloca = "alloca",
    ReadOk = "__CPROVER_r_ok", WriteOk = "__CPROVER_w_ok", ReadWriteOk = "__CPROVER_rw_ok",
    ObjectSize = "__CPROVER_OBJECT_SIZE", PointerOffset = "__CPROVER_POINTER_OFFSET",
    PointerObject = "__CPROVER_POINTER_OBJECT",
}
