//! The kinds of error that a run can end with, and one table of what each of them means: for
//! people, for SARIF, and for the properties of SV-COMP.

use crate::util::words;

words! {
    /// What kind of error a run ends with.
    pub enum ErrorKind {
        /// `assert(e)`.
        Assertion = "assertion",
        /// A label `error:`/`ERROR:`, or the one named by `--label`.
        ErrorLabel = "error-label",
        /// `reach_error()` and its like.
        ReachError = "reach-error",
        /// Division or remainder by zero.
        Division = "division",
        /// Array index outside.
        Bounds = "bounds",
        /// Signed overflow.
        Overflow = "overflow",
        /// Shift by a negative amount or by the width or more.
        Shift = "shift",
        /// A null pointer is followed, or given to a procedure that needs an object.
        Null = "null-pointer",
        /// A pointer without a value is used.
        NoValue = "pointer-without-value",
        /// A pointer leads to a place outside of its object.
        Outside = "outside-object",
        /// An address is no multiple of the alignment of what is read or written there.
        Misaligned = "misaligned",
        /// Memory is used after it was freed.
        Freed = "freed",
        /// A variable is used after its scope was left.
        OutOfScope = "out-of-scope",
        /// One of the last two.
        FreedOrOutOfScope = "freed-or-out-of-scope",
        /// A string literal is written.
        ReadOnly = "read-only",
        /// Memory is freed twice.
        FreedTwice = "freed-twice",
        /// A pointer is freed that no allocation returned.
        InvalidFree = "invalid-free",
        /// When `main` ends, nothing points to memory that was not freed.
        LostMemory = "lost-memory",
        /// Pointers into two objects are compared or subtracted.
        UnrelatedPointers = "unrelated-pointers",
        /// An array of variable size has no elements, or fewer.
        ArrayLength = "array-length",
        /// A read of what has no value.
        Initialised = "initialised",
        /// An assignment named by `//! error = (x == V)`.
        Assignment = "assignment",
        /// A rule beside the program is broken.
        Rule = "rule",
        /// Java: an exception that nothing catches.
        Exception = "exception",
        /// A contract or another annotation does not hold.
        Contract = "contract",
        /// A run comes to the line that was asked for.
        Reached = "reached",
        /// All threads wait for ever. No check of a statement has this kind.
        Deadlock = "deadlock",
        /// Two threads access one place, which nothing orders.
        Race = "race",
        /// A pushdown system reaches its target. No check of a statement has this kind.
        Target = "target",
    }
}

words! {
    /// A property of SV-COMP that an error violates.
    pub enum Property {
        /// No call of `reach_error`.
        UnreachCall = "unreach-call",
        /// No signed overflow.
        NoOverflow = "no-overflow",
        /// No invalid use of a pointer.
        ValidDeref = "valid-deref",
        /// No invalid `free`.
        ValidFree = "valid-free",
        /// No lost memory.
        ValidMemtrack = "valid-memtrack",
        /// No data race.
        NoDataRace = "no-data-race",
    }
}

impl Property {
    /// The formula over the runs of a program, as in SV-COMP's property files.
    pub const fn formula(self) -> &'static str {
        match self {
            Property::UnreachCall => "G ! call(reach_error())",
            Property::NoOverflow => "G ! overflow",
            Property::ValidDeref => "G valid-deref",
            Property::ValidFree => "G valid-free",
            Property::ValidMemtrack => "G valid-memtrack",
            Property::NoDataRace => "G ! data-race",
        }
    }
}

/// What a kind of error means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// What happens, before "at line 7": "division by zero".
    pub headline: &'static str,
    /// The name of SARIF's rule.
    pub rule: &'static str,
    /// The sentence of SARIF's rule.
    pub description: &'static str,
    /// The property of SV-COMP that it violates, if there is one.
    pub property: Option<Property>,
}

impl ErrorKind {
    /// The row of the table.
    pub const fn meaning(self) -> Meaning {
        let (headline, rule, description, property) = match self {
            ErrorKind::Assertion => {
                ("assertion", "AssertionFails", "An assertion does not hold.", None)
            }
            ErrorKind::ErrorLabel => (
                "error label",
                "ErrorLabelReached",
                "A run reaches an error label.",
                Some(Property::UnreachCall),
            ),
            ErrorKind::ReachError => (
                "reach_error()",
                "ReachErrorCalled",
                "A run calls `reach_error()` or a function like it.",
                Some(Property::UnreachCall),
            ),
            ErrorKind::Division => {
                ("division by zero", "DivisionByZero", "A division or a remainder by zero.", None)
            }
            ErrorKind::Bounds => (
                "array index outside",
                "IndexOutOfBounds",
                "An index outside of its array.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::Overflow => (
                "signed overflow",
                "SignedOverflow",
                "A signed operation that overflows.",
                Some(Property::NoOverflow),
            ),
            ErrorKind::Shift => (
                "shift out of range",
                "ShiftOutOfRange",
                "A shift by a negative amount, or by the width or more.",
                Some(Property::NoOverflow),
            ),
            ErrorKind::Null => (
                "null pointer",
                "NullPointer",
                "A use of a null pointer.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::NoValue => (
                "pointer without a value",
                "PointerWithoutValue",
                "A use of a pointer that has no value.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::Outside => (
                "pointer outside of its object",
                "PointerOutsideObject",
                "A pointer that leads outside of its object.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::Misaligned => (
                "misaligned pointer",
                "MisalignedPointer",
                "A use of an address that is not aligned for its type.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::Freed => (
                "use of freed memory",
                "UseAfterFree",
                "A use of memory after it was freed.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::OutOfScope => (
                "use of a variable that is gone",
                "UseOutOfScope",
                "A use of a variable after its scope was left.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::FreedOrOutOfScope => (
                "use of memory that was freed or is gone",
                "UseOfDeadObject",
                "A use of memory after it was freed, or of a variable after its scope was left.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::ReadOnly => (
                "string literal written",
                "StringLiteralWritten",
                "A write to a string literal.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::FreedTwice => (
                "memory freed twice",
                "DoubleFree",
                "Memory is freed twice.",
                Some(Property::ValidFree),
            ),
            ErrorKind::InvalidFree => (
                "invalid free",
                "InvalidFree",
                "A `free` of a pointer that no allocation returned.",
                Some(Property::ValidFree),
            ),
            ErrorKind::LostMemory => (
                "memory lost",
                "MemoryLost",
                "When `main` ends, nothing points to memory that was not freed.",
                Some(Property::ValidMemtrack),
            ),
            ErrorKind::UnrelatedPointers => (
                "pointers into different objects",
                "UnrelatedPointers",
                "Pointers into different objects are compared or subtracted.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::ArrayLength => (
                "array length not positive",
                "ArrayLengthNotPositive",
                "An array of variable size whose length is not positive.",
                Some(Property::ValidDeref),
            ),
            ErrorKind::Initialised => (
                "reads a variable without a value",
                "ReadWithoutValue",
                "A read of a variable, an element or a result without a value.",
                None,
            ),
            ErrorKind::Assignment => (
                "forbidden assignment",
                "ForbiddenAssignment",
                "A variable gets a forbidden value.",
                None,
            ),
            ErrorKind::Rule => {
                ("a rule is broken", "RuleBroken", "A run breaks a rule beside the program.", None)
            }
            ErrorKind::Exception => (
                "uncaught exception",
                "UncaughtException",
                "An exception that nothing catches.",
                None,
            ),
            ErrorKind::Contract => (
                "a contract is broken",
                "ContractBroken",
                "A run breaks an annotation: `requires`, `ensures`, `assert`, `loop invariant`.",
                None,
            ),
            ErrorKind::Reached => {
                ("reached", "LineReached", "A run comes to the line that was asked for.", None)
            }
            ErrorKind::Deadlock => {
                ("deadlock", "AllThreadsWait", "All threads wait for ever.", None)
            }
            ErrorKind::Race => (
                "data race",
                "DataRace",
                "Two threads access one place, at least one writes, and nothing orders them.",
                Some(Property::NoDataRace),
            ),
            ErrorKind::Target => {
                ("target", "TargetReached", "A pushdown system reaches its target.", None)
            }
        };
        Meaning { headline, rule, description, property }
    }

    /// Does the program say itself that this is an error?
    pub fn is_stated(self) -> bool {
        matches!(
            self,
            ErrorKind::Assertion
                | ErrorKind::ErrorLabel
                | ErrorKind::ReachError
                | ErrorKind::Assignment
                | ErrorKind::Rule
                | ErrorKind::Contract
        )
    }

    /// Is it an invalid use of memory by a pointer?
    pub fn is_of_memory(self) -> bool {
        (ErrorKind::Null..=ErrorKind::ArrayLength).contains(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rules_have_names_of_their_own() {
        let names: BTreeSet<&str> = ErrorKind::ALL.map(|kind| kind.meaning().rule).into();
        assert_eq!(names.len(), ErrorKind::ALL.len());
    }

    #[test]
    fn errors_of_memory_violate_a_property_of_memory() {
        let of_memory = [Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
        for kind in ErrorKind::ALL.into_iter().filter(|kind| kind.is_of_memory()) {
            let property = kind.meaning().property;
            assert!(property.is_some_and(|one| of_memory.contains(&one)), "{kind}");
        }
        assert!(!ErrorKind::Shift.is_of_memory() && !ErrorKind::Initialised.is_of_memory());
    }
}
