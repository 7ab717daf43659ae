//! The pushdown lab in the page's frame: an automaton that saturates step by step, what each step
//! does, weights and witnesses.
//!
//! A recording comes from the worker as a whole; a step in the page only shows and hides.

mod automaton_view;
mod inspector;
mod pane;
mod question;
mod state;
mod timeline;
mod witness;

pub(super) use state::{Lab, LabEvent, Question as LabQuestion};

use super::analysis::{Panes, Timeline};
use super::app::App;
use super::model::Activity;
use crate::draw::automaton_svg;
use crate::draw::svg::Theme;
use crate::report::lab::automaton_dot;
use inspector::LabInspector;
use pane::LabPane;
use timeline::LabTimeline;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(app: &App) -> Panes {
    let (lab, on) = (&app.model.lab, &app.handlers);
    let raw = app.model.dialect().is_raw();
    let picture = html! {
        <LabPane task={lab.task} set={lab.set.clone()} automaton={lab.automaton} step={lab.step} selected={lab.selected}
            recording={lab.recording.clone()} said={lab.said(app.model.broken())} busy={lab.progress(app.model.activity != Activity::Idle)} stale={lab.stale()} {raw} on_event={on.lab.clone()} />
    };
    let inspector = html! {
        <LabInspector task={lab.task} recording={lab.recording.clone()} automaton={lab.automaton} step={lab.step} selected={lab.selected}
            witness={lab.witness()} question={lab.question.clone()} transfer={lab.transfer.clone()} answer={lab.answer.clone()} reading={lab.reading()}
            {raw} on_event={on.lab.clone()} on_line={on.line.clone()} />
    };
    let steps = lab.recording.as_ref().filter(|recording| recording.steps(lab.automaton) > 1);
    let timeline = steps.map(|recording| {
        html! { <LabTimeline recording={recording.clone()} automaton={lab.automaton} step={lab.step} playing={app.playing()} on_move={on.step.clone()} /> }
    });
    Panes { picture, inspector, timeline }
}

/// The recording's steps.
pub(super) fn timeline(app: &App) -> Option<Timeline> {
    let lab = &app.model.lab;
    let count = lab.recording.as_ref()?.steps(lab.automaton);
    (count > 1).then_some(Timeline { step: lab.step, count })
}

/// The line of the first rule that the step applies.
pub(super) fn current_line(app: &App) -> u32 {
    let lab = &app.model.lab;
    let Some(recording) = lab.recording.as_ref().filter(|_| lab.fresh) else { return 0 };
    let step =
        recording.automaton(lab.automaton).and_then(|automaton| automaton.steps.get(lab.step));
    let rule = step.and_then(|step| step.changes.iter().find_map(|change| change.rule));
    rule.and_then(|rule| recording.report.rules.get(rule as usize)).map_or(0, |rule| rule.line)
}

/// The automaton as it is shown, for Graphviz.
pub(super) fn dot(lab: &Lab) -> Option<String> {
    let recording = lab.recording.as_ref()?;
    Some(automaton_dot(recording.automaton(lab.automaton)?, lab.step, recording.report.weighted))
}

/// The picture as it is shown, for any viewer, and its extent.
pub(super) fn standalone(lab: &Lab, theme: Theme) -> Option<(String, f64, f64)> {
    let recording = lab.recording.as_ref()?;
    let automaton = recording.automaton(lab.automaton)?;
    Some((
        automaton_svg::standalone(automaton, lab.step, recording.report.weighted, theme),
        automaton.size.x,
        automaton.size.y,
    ))
}
