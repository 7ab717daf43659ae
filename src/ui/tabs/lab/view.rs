//! The lab as it is drawn.

mod automaton_view;
mod inspector;
mod pane;
mod question;
mod tasks;
mod unrolling;
mod witness;

use super::state::{Lab, LabEvent};
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use crate::wire::lab::LabTask;
use inspector::LabInspector;
use pane::LabPane;
use unrolling::{UnrollingInspector, UnrollingPane};
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(lab: &Lab, view: &View) -> Panes {
    let model = view.model;
    let on_event = view.on.sends::<LabEvent>(lab.word());
    let raw = model.dialect().is_raw();
    if lab.task == LabTask::Unrolling {
        let (recording, step) = (lab.recording.clone(), lab.step);
        let said = lab.in_place_of_picture(model.broken());
        let (recorded, on_line) = (lab.is_settled(), view.on.line.clone());
        return Panes {
            picture: html! {
                <UnrollingPane recording={recording.clone()} {step} {said} {recorded}
                    on_event={on_event.clone()} on_line={on_line.clone()} />
            },
            inspector: html! {
                <UnrollingInspector {recording} {step} {recorded} {on_event} {on_line} />
            },
            ..Panes::default()
        };
    }
    let picture = html! {
        <LabPane task={lab.task} set={lab.set.clone()} automaton={lab.automaton} step={lab.step}
            selected={lab.selected} recording={lab.recording.clone()}
            said={lab.in_place_of_picture(model.broken())}
            recorded={lab.is_settled()} {raw} on_event={on_event.clone()} />
    };
    let inspector = html! {
        <LabInspector task={lab.task} recording={lab.recording.clone()} automaton={lab.automaton}
            step={lab.step} selected={lab.selected} witness={lab.witness()}
            question={lab.question.clone()} transfer={lab.transfer.clone()}
            answer={lab.weight().map(|(_, told)| told)} reading={lab.reading()} {raw} {on_event}
            on_line={view.on.line.clone()} />
    };
    Panes { picture, inspector, ..Panes::default() }
}
