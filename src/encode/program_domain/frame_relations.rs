//! Relations and renamings of one procedure's frame: what entering it and leaving it needs.

use crate::bdd::{Bdd, Manager, Renaming, VarSet, impl_roots};
use crate::encode::effect::identity;
use crate::encode::frame::Frame;
use crate::encode::layout::{Cell, Copy, Layout};
use crate::util::Bounded;

/// What entering and leaving a procedure needs: relations, and the renamings and sets of levels to
/// pass weights from one copy to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameRelations {
    /// Tracked cells: entry equals now.
    pub(super) entry: Bdd,
    /// The changed globals and the result at the exit are those with which the frame is left.
    pub(super) exit: Bdd,
    /// Locals now that no caller sees after the return.
    pub(super) dropped: VarSet,
    /// Entry copies of locals that are not parameters.
    pub(super) uninitialised: VarSet,
    /// Parameters, [`Copy::Middle`] to [`Copy::Now`], and back.
    pub(super) middle_to_now: Renaming,
    pub(super) now_to_middle: Renaming,
    /// Parameters, [`Copy::Entry`] to [`Copy::Now`].
    pub(super) entry_to_now: Renaming,
    pub(super) parameters_middle: VarSet,
    pub(super) parameters_now: VarSet,
    /// Everything that a weight of this procedure may speak of besides the store in which the frame
    /// is left: [`Copy::Entry`] to [`Copy::Middle`], to [`Copy::Now`], and [`Copy::Middle`] to
    /// [`Copy::Now`].
    pub(super) all_entry_to_middle: Renaming,
    pub(super) all_entry_to_now: Renaming,
    pub(super) all_middle_to_now: Renaming,
    /// What a frame is left with.
    pub(super) left: VarSet,
    /// Entry copies of tracked cells.
    pub(super) tracked: VarSet,
    /// Tracked cells, [`Copy::Now`] to [`Copy::Entry`].
    pub(super) tracked_to_entry: Renaming,
}

impl FrameRelations {
    /// All of it.
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

    /// Without the two identities, which are as large as the store.
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
