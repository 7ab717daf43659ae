//! The failing run through chosen statements: what is asked, what is shown instead of the overall
//! shortest run, and the buttons for it.

use super::shared::Shared;
use crate::draw::words;
use crate::wire::graph::StatementView;
use crate::wire::report::{Report, ThroughReport};
use yew::prelude::*;

/// Most statements that a run can be asked to go through.
pub(super) const MOST: usize = 8;

/// What was asked and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ThroughRun {
    /// One statement of each set; edge numbers.
    pub(super) sets: Vec<Vec<u32>>,
    /// The request that is being worked on.
    pub(super) asked: Option<u32>,
    /// The answer.
    pub(super) answer: Option<ThroughReport>,
    /// The report with the run through the statements in the place of its own, if there is such a
    /// run.
    pub(super) shown: Option<Shared<Report>>,
    /// Where to go in it; else to the first of the statement chosen last.
    pub(super) step: Option<usize>,
}

impl ThroughRun {
    /// A question.
    pub(super) fn new(sets: Vec<Vec<u32>>, asked: u32, step: Option<usize>) -> ThroughRun {
        ThroughRun { sets, asked: Some(asked), answer: None, shown: None, step }
    }

    /// The worker's answer for the program of this report.
    pub(super) fn answered(&mut self, report: &Report, answer: Option<ThroughReport>) {
        self.asked = None;
        self.shown = answer.as_ref().filter(|answer| answer.trace.is_some()).map(|answer| {
            let (trace, error) = (answer.trace.clone(), answer.error.clone());
            Shared::new(Report { trace, error, ..report.clone() })
        });
        self.answer = answer;
    }

    /// What the stepper says of it.
    pub(super) fn headline(&self) -> String {
        match &self.answer {
            Some(answer) => words::through_headline(answer),
            None if self.asked.is_some() => "Looking for the shortest run through here…".into(),
            None => "Nothing is known of runs through here: run the program again".into(),
        }
    }
}

/// Buttons of the selected statement.
#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Is it a rule of a raw pushdown system?
    pub(super) raw: bool,
    pub(super) statement: StatementView,
    pub(super) through: Option<ThroughRun>,
    /// Statement, and whether it is added to those chosen before.
    pub(super) on_through: Callback<(u32, bool)>,
}

#[function_component(ThroughButtons)]
pub(super) fn buttons(props: &Props) -> Html {
    let id = props.statement.id;
    let chosen = props.through.as_ref().map_or(0, |through| through.sets.len());
    let alone = props.on_through.reform(move |_| (id, false));
    let added = props.on_through.reform(move |_| (id, true));
    html! {
        <div class="through" role="group" aria-label="Failing run through this statement">
            <button class="tool" onclick={alone} aria-keyshortcuts="Enter">{ if props.raw { "Run by this rule" } else { "Failing run through here" } }<kbd aria-hidden="true">{ "Enter" }</kbd></button>
            if chosen > 0 && chosen < MOST {
                <button class="tool" onclick={added} aria-keyshortcuts="Shift+Enter">{ if props.raw { "And by this rule" } else { "And through here" } }<kbd aria-hidden="true">{ "⇧ Enter" }</kbd></button>
            }
        </div>
    }
}
