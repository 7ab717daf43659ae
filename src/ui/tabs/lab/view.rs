//! The lab as it is drawn.

mod automaton_view;
mod inspector;
mod pane;
mod question;
mod witness;

use super::state::{Lab, LabEvent};
use crate::ui::tab::Tab;
use crate::ui::view::{Panes, View};
use inspector::LabInspector;
use pane::LabPane;
use yew::prelude::*;

/// What it shows.
pub(super) fn panes(lab: &Lab, view: &View) -> Panes {
    let model = view.model;
    let on_event = view.on.sends::<LabEvent>(lab.word());
    let raw = model.dialect().is_raw();
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
