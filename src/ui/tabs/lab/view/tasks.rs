//! What the lab can build, as a row of buttons.

use crate::ui::tabs::lab::state::LabEvent;
use crate::wire::lab::LabTask;
use yew::prelude::*;

const TASKS: [(LabTask, &str, &str); 4] = [
    (LabTask::Post, "post*", "All configurations that runs from the set come to"),
    (LabTask::Pre, "pre*", "All configurations from which runs come into the set"),
    (LabTask::Transducer, "transducer", "All runs from any configuration to any other"),
    (LabTask::Unrolling, "unrolling", "Each loop written out k times, as the bounded engine does"),
];

/// The buttons; without `programs` those of a pushdown system alone.
pub(super) fn tasks(task: LabTask, programs: bool, on_event: &Callback<LabEvent>) -> Html {
    let shown = TASKS.into_iter().filter(|(task, ..)| programs || *task != LabTask::Unrolling);
    html! {
        <div class="segments" role="group" aria-label="What is built">
            { for shown.map(|(one, name, title)| {
                let on = task == one;
                let choose = on_event.reform(move |_: MouseEvent| LabEvent::Task(one));
                html! {
                    <button
                        class={classes!("segment", on.then_some("on"))}
                        aria-pressed={on.to_string()}
                        {title}
                        onclick={choose}
                    >
                        { name }
                    </button>
                }
            }) }
        </div>
    }
}
