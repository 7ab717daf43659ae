//! The summary object: a heap without a bound, of which only some objects are told apart.
//!
//! Each run of the program may choose two objects of each type which it follows (*individual*
//! objects, with exact contents). All others are one *summary object* (Sagiv, Reps and Wilhelm
//! 2002, § 2; of the objects that are followed Yahav and Ramalingam 2004 say more): what is read
//! there is any value, what is written there is forgotten, and whether two pointers to it are equal
//! is open. So each run of the program is, for every choice, a run of this model; and where the
//! model has no failing run, the program has none, however many objects it takes.
//!
//! A failing run of the model says nothing by itself, since almost everything can be read in the
//! summary object. But each failing run of the program is a run of the model for *every* choice:
//! also for the one in which the two objects are those to which pointers led last. So only failing
//! runs count whose two last objects were individual ([`crate::lang::excused`]). The model notes
//! which these were: here, where a pointer is followed or given back.

use super::build::{binary, conditional, named, number};
use super::layout::Room;
use super::lowerer::Lowerer;
use super::regions::RegionId;
use super::types::{unsigned, width_of};
use crate::lang::syntax::{BinaryOp, Expr, ExprKind, TypeName};

/// Individual objects of each type.
pub(in crate::lang) const INDIVIDUALS: u32 = 2;

/// The variable that holds the number of the object to which a pointer led last.
pub(in crate::lang) const LAST: &str = "last object";
/// The same of the object before it.
pub(in crate::lang) const BEFORE: &str = "object before";

/// In these variables: no object.
const NONE: u64 = 0;
/// In these variables: the summary object. Greater numbers are individual objects.
pub(in crate::lang) const SUMMARY: u64 = 1;

impl Lowerer<'_> {
    /// The type of the numbers of objects.
    pub(super) fn number_of_object(&self) -> TypeName {
        let individuals = self.layout.as_ref().map_or(0, |layout| layout.individuals);
        unsigned(width_of(SUMMARY + u64::from(individuals)))
    }

    /// A checked value, where a pointer into the region is followed or given back: the model notes
    /// which object it leads to. `slot` is the pointer; it has no effects.
    pub(super) fn led_to(&mut self, mut checked: Expr, region: RegionId, slot: &Expr) -> Expr {
        let Some(room) = self.room(region).filter(|room| room.summary).cloned() else {
            return checked;
        };
        if let ExprKind::Checked(checked) = &mut checked.kind {
            checked.notes = self.noted(&room, slot);
        }
        checked
    }

    fn noted(&self, room: &Room, slot: &Expr) -> Vec<(Expr, Expr)> {
        let Some(summary) = room.summarized() else { return Vec::new() };
        let (span, ty, pointer) = (slot.span, self.number_of_object(), room.pointer());
        let object = |n: u64| number(n, ty, span);
        let is = |op, n: u64| binary(op, slot.clone(), number(n, pointer, span));
        let mut found =
            conditional(is(BinaryOp::GreaterEqual, summary), object(SUMMARY), object(NONE));
        for pool in room.pools.iter().filter(|pool| pool.summary) {
            for k in 0..pool.count {
                let slot = room.code(u64::from(pool.first + k));
                let individual = SUMMARY + 1 + u64::from(pool.first_individual + k);
                found = conditional(is(BinaryOp::Equal, slot), object(individual), found);
            }
        }
        let (last, before) = (named(LAST, span), named(BEFORE, span));
        let leads = binary(BinaryOp::NotEqual, found.clone(), object(NONE));
        let differs = binary(BinaryOp::NotEqual, found.clone(), last.clone());
        let moves = binary(BinaryOp::LogicalAnd, leads.clone(), differs);
        vec![
            (before.clone(), conditional(moves, last.clone(), before)),
            (last.clone(), conditional(leads, found, last)),
        ]
    }
}
