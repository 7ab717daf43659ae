//! The types that headers of C declare, and what `long` is.

use super::Parser;
use crate::lang::syntax::{Handle, Size, TypeName};
use crate::wire::options::DataModel;

/// Types that headers declare, unless the program gives the name another meaning.
fn built_in(text: &str) -> Option<TypeName> {
    let integer = |size, signed| TypeName::Integer { size, signed };
    Some(match text {
        "bool" | "atomic_bool" => TypeName::Bool,
        "atomic_int" | "pid_t" | "wchar_t" | "sig_atomic_t" => integer(Size::Int, true),
        "uint" | "u_int" | "atomic_uint" | "uid_t" | "gid_t" | "mode_t" => {
            integer(Size::Int, false)
        }
        "ushort" | "u_short" => integer(Size::Short, false),
        "u_char" => integer(Size::Char, false),
        "ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" | "time_t" | "clock_t" | "off_t"
        | "suseconds_t" | "atomic_long" => integer(Size::Long, true),
        "size_t" | "uintptr_t" | "uintmax_t" | "ulong" | "u_long" => integer(Size::Long, false),
        "pthread_t" => TypeName::Handle(Handle::Thread),
        "pthread_mutex_t" => TypeName::Handle(Handle::Mutex),
        "pthread_attr_t" | "pthread_mutexattr_t" | "FILE" => TypeName::Handle(Handle::Other),
        _ => return super::types::exact_type(text),
    })
}

impl Parser<'_> {
    /// What `long` is.
    pub(super) fn long(&self) -> Size {
        match self.model {
            DataModel::Lp64 => Size::Long,
            DataModel::Ilp32 => Size::Int,
        }
    }

    /// A type that a header declares.
    pub(super) fn header_type(&self, text: &str) -> Option<TypeName> {
        let found = built_in(text)?;
        let longest = matches!(text, "intmax_t" | "uintmax_t");
        Some(match found {
            TypeName::Integer { size: Size::Long, signed } if !longest => {
                TypeName::Integer { size: self.long(), signed }
            }
            other => other,
        })
    }
}
