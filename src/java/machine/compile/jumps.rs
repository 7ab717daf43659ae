//! Ways out of statements: `break`, `continue` and `return` run the blocks of `finally` on their
//! way, which stand at each way out once more.

use super::super::code::{Handler, Op};
use super::Compiler;
use crate::mistake::Read;
use crate::typed::{Catch, ClassId, LabelId, Statement};

/// A statement that is being compiled, and that a way out concerns.
pub(super) enum Context<'p> {
    /// `break` and `continue` name it; their jumps are not yet landed.
    Label { label: LabelId, breaks: Vec<usize>, continues: Vec<usize> },
    /// What is tried. Exceptions from between the gaps are not its own.
    Try { finally: Option<&'p [Statement]>, gaps: Vec<(u32, u32)> },
}

impl<'p> Compiler<'p> {
    pub(super) fn enter_label(&mut self, label: LabelId) {
        let (breaks, continues) = (Vec::new(), Vec::new());
        self.contexts.push(Context::Label { label, breaks, continues });
    }

    /// Its jumps behind it, and to its next turn.
    pub(super) fn leave_label(&mut self) -> (Vec<usize>, Vec<usize>) {
        match self.contexts.pop() {
            Some(Context::Label { breaks, continues, .. }) => (breaks, continues),
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// Lands the jumps of `continue` here.
    pub(super) fn land_continues(&mut self) {
        if let Some(Context::Label { continues, .. }) = self.contexts.last_mut() {
            let list = std::mem::take(continues);
            list.into_iter().for_each(|jump| self.land(jump));
        }
    }

    pub(super) fn go_to(&mut self, wanted: LabelId, is_break: bool) -> Read<()> {
        let is_wanted =
            |c: &Context<'p>| matches!(c, Context::Label { label, .. } if *label == wanted);
        let Some(depth) = self.contexts.iter().rposition(is_wanted) else { return Ok(()) };
        self.finish_until(depth)?;
        let jump = self.jump(Op::Jump);
        if let Some(Context::Label { breaks, continues, .. }) = self.contexts.get_mut(depth) {
            if is_break { breaks.push(jump) } else { continues.push(jump) }
        }
        Ok(())
    }

    /// Writes the blocks of `finally` out that stand around, up to this depth.
    pub(super) fn finish_until(&mut self, depth: usize) -> Read<()> {
        for k in (depth..self.contexts.len()).rev() {
            let Context::Try { finally: Some(block), .. } = &self.contexts[k] else { continue };
            let block: &'p [Statement] = block;
            let inner = self.contexts.split_off(k);
            let start = self.pc();
            let done = self.statements(block);
            self.contexts.extend(inner);
            done?;
            let end = self.pc();
            for context in &mut self.contexts[k..] {
                if let Context::Try { gaps, .. } = context {
                    gaps.push((start, end));
                }
            }
        }
        Ok(())
    }

    pub(super) fn has_finally(&self) -> bool {
        let has = |c: &Context<'p>| matches!(c, Context::Try { finally: Some(_), .. });
        self.contexts.iter().any(has)
    }

    /// What was tried since `start` is caught at `target`.
    fn leave_try(&mut self, start: u32, mut catches: Vec<(Vec<ClassId>, u32)>) {
        let Some(Context::Try { gaps, .. }) = self.contexts.pop() else { return };
        let end = self.pc();
        let mut ranges = Vec::new();
        let mut from = start;
        for (gap_start, gap_end) in gaps {
            ranges.push((from, gap_start));
            from = gap_end;
        }
        ranges.push((from, end));
        for (classes, target) in catches.drain(..) {
            for (start, end) in ranges.iter().copied().filter(|(start, end)| start < end) {
                self.handlers.push(Handler { start, end, target, classes: classes.clone() });
            }
        }
    }

    pub(super) fn try_statement(
        &mut self,
        body: &'p [Statement],
        catches: &'p [Catch],
        finally: Option<&'p [Statement]>,
    ) -> Read<()> {
        let start = self.pc();
        if finally.is_some() {
            self.contexts.push(Context::Try { finally, gaps: Vec::new() });
        }
        let mut ends = Vec::new();
        self.contexts.push(Context::Try { finally: None, gaps: Vec::new() });
        self.statements(body)?;
        // The targets follow; their places are known once the range is closed.
        let first = self.handlers.len();
        let list = catches.iter().enumerate();
        self.leave_try(start, list.map(|(k, c)| (c.classes.clone(), k as u32)).collect());
        let last = self.handlers.len();
        ends.push(self.jump(Op::Jump));
        let mut targets = Vec::new();
        for catch in catches {
            targets.push(self.pc());
            self.emit(Op::Store(self.slot(catch.local)));
            self.statements(&catch.body)?;
            ends.push(self.jump(Op::Jump));
        }
        for handler in &mut self.handlers[first..last] {
            handler.target = targets[handler.target as usize];
        }
        if let Some(finally) = finally {
            let target = self.pc();
            self.leave_try(start, vec![(Vec::new(), target)]);
            let slot = self.fresh_slot();
            self.emit(Op::Store(slot));
            self.statements(finally)?;
            self.emit(Op::Load(slot));
            self.emit(Op::Throw);
        }
        ends.into_iter().for_each(|jump| self.land(jump));
        match finally {
            Some(finally) => self.statements(finally),
            None => Ok(()),
        }
    }
}
