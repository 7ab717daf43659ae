//! The types that headers of C declare, and what `long` is.

use super::Parser;
use crate::lang::syntax::{Handle, Size, TypeName};
use crate::wire::options::DataModel;

/// Types that headers declare, unless the program gives the name another meaning.
fn built_in(text: &str) -> Option<TypeName> {
    let integer = |size, signed| TypeName::Integer { size, signed };
    Some(match text {
        "bool" | "atomic_bool" | "__CPROVER_bool" => TypeName::Bool,
        "atomic_int" | "pid_t" | "wchar_t" | "sig_atomic_t" => integer(Size::Int, true),
        "uint" | "u_int" | "atomic_uint" | "uid_t" | "gid_t" | "mode_t" => {
            integer(Size::Int, false)
        }
        "ushort" | "u_short" => integer(Size::Short, false),
        "u_char" => integer(Size::Char, false),
        "ssize_t" | "__CPROVER_ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" | "time_t"
        | "clock_t" | "off_t" | "suseconds_t" | "atomic_long" => integer(Size::Long, true),
        "size_t" | "__CPROVER_size_t" | "uintptr_t" | "uintmax_t" | "ulong" | "u_long" => {
            integer(Size::Long, false)
        }
        "pthread_t" => TypeName::Handle(Handle::Thread),
        "pthread_mutex_t" | "pthread_spinlock_t" => TypeName::Handle(Handle::Mutex),
        "pthread_key_t" => TypeName::Handle(Handle::Key),
        "pthread_attr_t"
        | "pthread_mutexattr_t"
        | "pthread_condattr_t"
        | "pthread_rwlockattr_t"
        | "pthread_barrierattr_t"
        | "FILE" => TypeName::Handle(Handle::Other),
        "sem_t" => integer(Size::Int, false),
        "pthread_rwlock_t" | "memory_order" => integer(Size::Int, true),
        "pthread_cond_t" | "pthread_barrier_t" => super::types::exact_type("uint16_t")?,
        "atomic_flag" => TypeName::Bool,
        "atomic_char" | "atomic_schar" => integer(Size::Char, true),
        "atomic_uchar" => integer(Size::Char, false),
        "atomic_short" => integer(Size::Short, true),
        "atomic_ushort" => integer(Size::Short, false),
        "atomic_llong" => integer(Size::Long, true),
        "atomic_ulong" | "atomic_ullong" | "atomic_size_t" => integer(Size::Long, false),
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
