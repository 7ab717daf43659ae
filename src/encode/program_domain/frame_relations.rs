//! The relations and renamings with which one procedure's frame is entered and left.

use crate::bdd::{Bdd, Manager, Renaming, VarSet, impl_roots};
use crate::encode::effect::identity;
use crate::encode::frame::Frame;
use crate::encode::layout::{Cell, Copy, Layout};
use crate::util::Bounded;

/// The relations with which a procedure is entered and left, and the renamings and sets of levels
/// that pass weights from one copy to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameRelations {
    /// Relation: entry equals now, for tracked cells.
    pub(super) entry: Bdd,
    /// Relation: the changed globals and the result at the exit are those with which the frame is
    /// left.
    pub(super) exit: Bdd,
    /// The locals now, which no caller sees after the return.
    pub(super) dropped: VarSet,
    /// The entry copies of locals that are not parameters.
    pub(super) uninitialised: VarSet,
    /// Parameters, from [`Copy::Middle`] to [`Copy::Now`] and back.
    pub(super) middle_to_now: Renaming,
    pub(super) now_to_middle: Renaming,
    /// Parameters, from [`Copy::Entry`] to [`Copy::Now`].
    pub(super) entry_to_now: Renaming,
    pub(super) parameters_middle: VarSet,
    pub(super) parameters_now: VarSet,
    /// Everything that a weight of this procedure may mention, except the store in which the frame
    /// is left: from [`Copy::Entry`] to [`Copy::Middle`], to [`Copy::Now`], and from
    /// [`Copy::Middle`] to [`Copy::Now`].
    pub(super) all_entry_to_middle: Renaming,
    pub(super) all_entry_to_now: Renaming,
    pub(super) all_middle_to_now: Renaming,
    /// The cells with which a frame is left.
    pub(super) left: VarSet,
    /// The entry copies of tracked cells.
    pub(super) tracked: VarSet,
    /// Tracked cells, from [`Copy::Now`] to [`Copy::Entry`].
    pub(super) tracked_to_entry: Renaming,
}

impl FrameRelations {
    /// All relations of a procedure.
    pub(super) fn of(
        kernel: &mut Manager,
        layout: &Layout,
        frame: &Frame,
    ) -> Bounded<FrameRelations> {
        let left: Vec<Cell> = frame.changed_globals.iter().copied().chain(frame.result).collect();
        let (entry, exit) =
            (identity(kernel, layout, &frame.tracked)?, identity(kernel, layout, &left)?);
        Ok(FrameRelations { entry, exit, ..FrameRelations::open(kernel, layout, frame) })
    }

    /// The same without the two identities, which are as large as the store.
    pub(super) fn open(kernel: &mut Manager, layout: &Layout, frame: &Frame) -> FrameRelations {
        let left: Vec<Cell> = frame.changed_globals.iter().copied().chain(frame.result).collect();
        let kept =
            |cell: &Cell| frame.constant_parameters.contains(cell) || frame.result == Some(*cell);
        let dropped: Vec<Cell> = frame.locals.iter().copied().filter(|cell| !kept(cell)).collect();
        let all: Vec<Cell> = frame
            .locals
            .iter()
            .chain(&frame.changed_globals)
            .chain(&frame.constant_globals)
            .copied()
            .collect();
        FrameRelations {
            all_entry_to_middle: kernel.renaming(&layout.shift(&all, Copy::Entry, Copy::Middle)),
            all_entry_to_now: kernel.renaming(&layout.shift(&all, Copy::Entry, Copy::Now)),
            all_middle_to_now: kernel.renaming(&layout.shift(&all, Copy::Middle, Copy::Now)),
            left: kernel.var_set(&layout.cells_levels(&left, Copy::Now)),
            tracked: kernel.var_set(&layout.cells_levels(&frame.tracked, Copy::Entry)),
            tracked_to_entry: kernel.renaming(&layout.shift(
                &frame.tracked,
                Copy::Now,
                Copy::Entry,
            )),
            entry: Bdd::TRUE,
            exit: Bdd::TRUE,
            dropped: kernel.var_set(&layout.cells_levels(&dropped, Copy::Now)),
            uninitialised: kernel.var_set(&layout.cells_levels(&frame.others, Copy::Entry)),
            middle_to_now: kernel.renaming(&layout.shift(
                &frame.parameters,
                Copy::Middle,
                Copy::Now,
            )),
            now_to_middle: kernel.renaming(&layout.shift(
                &frame.parameters,
                Copy::Now,
                Copy::Middle,
            )),
            entry_to_now: kernel.renaming(&layout.shift(&frame.parameters, Copy::Entry, Copy::Now)),
            parameters_middle: kernel
                .var_set(&layout.cells_levels(&frame.parameters, Copy::Middle)),
            parameters_now: kernel.var_set(&layout.cells_levels(&frame.parameters, Copy::Now)),
        }
    }
}

impl_roots!(FrameRelations { entry, exit });
