//! A stack for signals, so that an input that overflows the program's own stack is kept.
//!
//! A handler runs on the stack that is full unless it has another (`sigaltstack`, POSIX), and
//! libFuzzer gives it none: it keeps `SA_ONSTACK` where a handler before its own had it
//! (its `FuzzerUtilPosix.cpp`). Rust's runtime would set one up, but `main` is libFuzzer's.

use libc::{SA_ONSTACK, SIG_DFL, SIGBUS, SIGSEGV, sigaction, sigaltstack, stack_t};

/// Bytes; libFuzzer writes a trace and the input from there.
const SIZE: usize = 1 << 20;

/// Gives the handlers of this thread, which are still to come, a stack of their own. To be called
/// before libFuzzer sets its handlers: as a target's `init`.
pub fn for_signals() {
    let bytes = Box::leak(vec![0u8; SIZE].into_boxed_slice());
    let stack = stack_t { ss_sp: bytes.as_mut_ptr().cast(), ss_flags: 0, ss_size: SIZE };
    // SAFETY: the stack is never freed; all zeros are a `sigaction` with an empty mask.
    unsafe {
        assert_eq!(sigaltstack(&stack, std::ptr::null_mut()), 0);
        let mut action: sigaction = std::mem::zeroed();
        action.sa_sigaction = SIG_DFL;
        action.sa_flags = SA_ONSTACK;
        for signal in [SIGSEGV, SIGBUS] {
            assert_eq!(sigaction(signal, &action, std::ptr::null_mut()), 0);
        }
    }
}
