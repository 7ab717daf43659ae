//! Memory: pointers, the heap, and what has an address, for C programs that use pointers in ways
//! that one address for each pointer cannot say.
//!
//! This rewrites the syntax tree before elaboration. Each *region* (what pointers that are assigned
//! to each other can point to) becomes an array; an object has consecutive slots in it; a pointer
//! is the number of a slot, 0 is the null pointer, and one more number stands for a pointer without
//! a value. So `p->next` becomes `nodes[p].next`. What must hold for that stands beside it as
//! [`Checked`](crate::lang::syntax::Checked). Two passes over the program do the same walk: the
//! first finds the regions and the objects ([`regions`]), the second writes the new tree.
//!
//! Where types share memory (unions, pointers to characters, addresses of members), the slots of a
//! region are groups of bytes instead ([`flat`], [`flats`], [`bytes`]). Numbers can be pointers
//! only there; a pointer is an address then.
//!
//! Whatever is not read is refused by name.

mod arguments;
mod assignments;
mod blocks;
mod build;
mod bytes;
mod calls;
mod contracts;
mod declarations;
mod expressions;
mod file;
mod flat;
mod flats;
mod foreign;
mod frames;
mod heap;
mod initializers;
mod input;
mod key_destructors;
mod keys;
mod layout;
mod leaks;
mod library;
mod literals;
mod lowerer;
mod members;
mod naming;
mod numbers;
mod parameters;
mod places;
mod pointers;
mod procedures;
mod regions;
mod sizes;
mod statements;
mod summary;
mod surface;
mod temporaries;
mod thread_numbers;
mod threads;
mod types;
mod verifiers;

pub(in crate::lang) use calls::{is_heap, reads};
pub(in crate::lang) use expressions::has_effects;
pub(in crate::lang) use file::{HEAP, lower};
pub(in crate::lang) use layout::Heap;
pub(in crate::lang) use lowerer::{Reason, Refused};
pub(in crate::lang) use numbers::PART_OF_ADDRESS;
pub(in crate::lang) use summary::{BEFORE, INDIVIDUALS, LAST, SUMMARY};
