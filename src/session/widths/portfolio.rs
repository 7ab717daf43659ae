//! The portfolio of a session: whether it has one, and what came of it.

use super::plan::{NARROWER, Rung};
use super::{Phase, Widths};
use crate::cfg::never_ends;
use crate::lang::model::Program;
use crate::session::{Budgets, Session};
use crate::wire::cegar::RefinedReport;
use crate::wire::options::{Dialect, EffectiveOptions, RequestedOptions};
use crate::wire::widths::WidthsReport;
use std::collections::VecDeque;
use std::rc::Rc;

/// The narrowest given width for which there is a portfolio.
const LEAST_GIVEN: u32 = 16;

impl Session {
    /// From the next run on, refinement is tried where saturation of a C program exceeds its share
    /// of the budgets, a summary object where its heap is too small, and narrower widths of `int`
    /// if none is given. Does nothing for other languages, for given widths of less than 16 bits
    /// without a heap, if the program has threads, which have an analysis of their own, and if a
    /// recursion lets no run end: the failing runs of narrower integers are as deep as their range.
    /// `requested`: what the program was loaded with.
    pub fn use_portfolio(&mut self, requested: &RequestedOptions) {
        let EffectiveOptions { dialect, bits, open_width, .. } = self.options;
        let Some(full) = self.shared_program() else { return };
        let is_wide =
            open_width || matches!(dialect, Dialect::C | Dialect::Java) && bits >= LEAST_GIVEN;
        let is_wanted = is_wide || full.memory.has_heap();
        if !is_wanted || full.concurrency.has_threads() || never_ends(&full).is_some() {
            return;
        }
        self.widths = Some(Box::new(Widths {
            requested: requested.clone(),
            full,
            full_options: self.options.clone(),
            narrower: if open_width { NARROWER } else { &[] },
            budgets: Budgets::default(),
            rung: Rung::whole(bits, Budgets::default()),
            plan: VecDeque::new(),
            begun: 0,
            phase: Phase::Over,
            tried: Vec::new(),
            given_up: Vec::new(),
            confirmed: None,
            refined: None,
            spent: (0, 0),
        }));
    }

    /// What came of each width; `None` unless narrower ones than C's own were tried.
    pub fn widths(&self) -> Option<WidthsReport> {
        let widths = self.widths.as_ref()?;
        let is_over = widths.tried.is_empty() || widths.refined.is_some();
        if is_over || widths.narrower.is_empty() {
            return None;
        }
        let (at_full, at_full_limit) = match &widths.confirmed {
            Some(confirmed) => {
                let (answer, limit) = confirmed.answer();
                (Some(answer), limit)
            }
            None => (None, None),
        };
        let goes_on = widths.is_again();
        Some(WidthsReport { tried: widths.tried.clone(), at_full, at_full_limit, goes_on })
    }

    /// What refinement did, if it gave the verdict in the place of saturation.
    pub fn refined(&self) -> Option<RefinedReport> {
        if let Some(told) = self.told_execution() {
            return Some(told);
        }
        Some(self.widths.as_ref()?.refined.as_ref()?.report)
    }

    /// The program that [`Session::failing_run`] is a run of, and the options that hold for it: the
    /// session's own, unless a run with narrower integers was found to fail with C's own.
    pub fn answered_program(&self) -> Option<(Rc<Program>, &EffectiveOptions)> {
        match self.widths.as_ref().filter(|widths| widths.wide_run().is_some()) {
            Some(widths) => Some((Rc::clone(&widths.full), &widths.full_options)),
            None => Some((self.shared_program()?, &self.options)),
        }
    }

    /// Are C's own integers being tried again, beside an answer for narrower ones?
    pub fn widens(&self) -> bool {
        self.widths.as_ref().is_some_and(|widths| widths.is_again())
    }
}
