//! Help: what is where, what the colours mean, what each tab is, and the keys.

use super::dialog::Dialog;
use crate::ui::tab::Help;
use yew::prelude::*;

const KEYS: &[(&str, &str)] = &[
    ("Ctrl Enter", "run"),
    ("Esc", "stop a run, close a dialog"),
    ("← →", "step back, step forward"),
    ("Home End", "first step, last step"),
    ("Space", "play, pause"),
    ("?", "this help"),
    ("Ctrl O", "open a file"),
    ("Ctrl F", "search, in the editor"),
    ("+ − 0", "zoom in, zoom out, fit, in the picture"),
    ("arrows", "from box to box, in the picture; with Shift they move it"),
    ("Enter", "unfold or fold, in the picture"),
    ("Backspace", "from a procedure back to the call graph"),
    ("/", "search the picture: statement, line, procedure"),
];

const PLACES: &[(&str, &str)] = &[
    (
        "Left",
        "The program. Above it you find its language, as the page guessed it or as you chose it, \
         and Open for a file. You can also drop a file anywhere onto the page; undo brings back \
         the program that it replaced. A lit line lies on some failing run, a dimmed line on none. \
         The switch in the legend shows the slice, for comparison. The gutter marks errors and \
         warnings.",
    ),
    (
        "Middle",
        "The control-flow graph: a frame for each procedure, a box for each place, an arrow for \
         each statement. Hexagons branch, boxes with double sides call, and dashed arrows enter \
         the procedure that is called. Procedures and rows of statements fold. A large program \
         opens on its call graph.",
    ),
    (
        "Right",
        "The selected statement: the values at the current step, the stores that reach the \
         statement, those of them that fail, and a field to ask about them. For an innocent \
         statement it says why no failing run executes it; for a safe program, what always holds \
         there, which is the proof of the verdict.",
    ),
    (
        "Bottom",
        "One concrete failing run, replayed statement by statement. It is a shortest one. \
         Selecting a step, a box or a line selects it everywhere.",
    ),
    (
        "Top",
        "The options that change the answer, as the program's language has them (other widths of \
         int can also be tried below the verdict), the method of the projection, Run and Stop, \
         Gallery, Export for pictures, graph and report, and Share for a link to the very step \
         that you see.",
    ),
];

/// What is different for a pushdown system without a program.
const PUSHDOWN: &str = "Of a pushdown system (.pds, or PDAAAL's JSON) the page says whether a run \
     leads from an initial configuration to a target. Its boxes are heads: a state and the top of \
     the stack. Its arrows are rules, each with what a push leaves on the stack, or ε for a pop, \
     and with the weight of the rule. Lit rules are on some run into the target.";

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// What the tabs say of themselves, from left to right.
    pub(crate) tabs: Vec<Help>,
    pub(crate) on_close: Callback<()>,
}

#[function_component(HelpDialog)]
pub(crate) fn help(props: &Props) -> Html {
    let texts = props.tabs.iter().flat_map(|tab| tab.text).chain([&PUSHDOWN]);
    let keys = KEYS.iter().chain(props.tabs.iter().flat_map(|tab| tab.keys));
    html! {
        <Dialog
            title="What you see, and the keys"
            class={classes!("wide")}
            on_close={props.on_close.clone()}
        >
            <dl class="places">
                { for PLACES.iter().map(|(place, what)| html! {
                    <><dt>{ *place }</dt><dd>{ *what }</dd></>
                }) }
            </dl>
            { for texts.map(|text| html! { <p class="quiet">{ *text }</p> }) }
            <dl class="keys">{ for keys.map(|(keys, what)| html! {
                <div>
                    <dt>{ for keys.split(' ').map(|k| html! { <kbd>{ k }</kbd> }) }</dt>
                    <dd>{ *what }</dd>
                </div>
            }) }</dl>
            <p class="quiet small">
                { "Everything runs in this page; the program does not leave it. This browser keeps \
                    it until you replace it." }
            </p>
        </Dialog>
    }
}
