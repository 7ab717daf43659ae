//! Help: the tab that is open in three sentences and a picture, the keys, and more in folds.

use super::dialog::Dialog;
use crate::ui::tab::Help;
use yew::prelude::*;

const KEYS: &[(&str, &str)] = &[
    ("Ctrl Enter", "run"),
    ("Esc", "stop a run, close a dialog, leave the presentation"),
    ("← →", "step back, step forward"),
    ("Home End", "first step, last step"),
    ("Space", "play, pause"),
    ("?", "this help"),
    ("Ctrl O", "open a file"),
    ("Ctrl S", "save the program as a file"),
    ("Ctrl F", "search, in the editor"),
    ("Tab", "to the next part of the page, also out of the editor"),
    ("Ctrl ] [", "indent, or take it back, in the editor"),
    ("P", "present: source, picture and steps, large"),
    ("M", "memory at this step as a picture, where a run has pointers"),
    ("+ − 0", "zoom in, zoom out, fit, in the picture"),
    ("arrows", "from box to box, in the picture; with Shift they move it"),
    ("Enter", "unfold or fold, in the picture"),
    ("Del", "clear the example of a first visit"),
    ("Backspace", "from a procedure back to the call graph"),
    ("/", "search the picture: statement, line, procedure"),
];

const PLACES: &[(&str, &str)] = &[
    (
        "Left",
        "The program. Its name opens the programs and questions that this browser keeps, and the \
         comparison. Beside it you find its language, as the page guessed it or as you chose it, \
         Open and Save for files. You can also drop a file anywhere onto the page; undo brings back \
         the program that it replaced. A lit line lies on some failing run, a dimmed line on none. \
         “More” in the legend shows the slice, for comparison. The gutter marks errors and \
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
        "The selected statement: the values at the current step, the values with which runs reach the \
         statement, those of them that fail, and a field to ask about them. For an innocent \
         statement it says why no failing run executes it; for a safe program, what always holds \
         there, which is the proof of the verdict. Below that an expression of your own is watched \
         along the run: its value at the step, and a curve over all steps.",
    ),
    (
        "Bottom",
        "One concrete failing run, replayed statement by statement. It is a shortest one. \
         Selecting a step, a box or a line selects it everywhere. “Values” writes what the step \
         reads and changes behind its line.",
    ),
    (
        "Top",
        "The options that change the answer, as the program's language has them (other widths of \
         int can also be tried below the verdict), the method of the projection, Run and Stop, \
         Lessons (also in the Gallery), Gallery, Export for pictures, graph and report, and Share \
         for a link to the very step that you see. C's int has 32 bits, unless the text or the \
         options say otherwise. Where 32 bits take too much, 16 and then 8 bits are tried, and the \
         headline says for which width the answer holds.",
    ),
];

/// What is different for a pushdown system without a program.
const PUSHDOWN: &str = "Of a pushdown system (.pds, or PDAAAL's JSON) the page says whether a run \
     leads from an initial configuration to a target. Its boxes are heads: a state and the top of \
     the stack. Its arrows are rules, each with what a push leaves on the stack, or ε for a pop, \
     and with the weight of the rule. Lit rules are on some run into the target.";

/// A tab, as the help knows it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Told {
    pub(crate) word: &'static str,
    pub(crate) name: &'static str,
    pub(crate) help: Help,
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// From left to right.
    pub(crate) tabs: Vec<Told>,
    /// The word of the tab that is open.
    pub(crate) shown: &'static str,
    pub(crate) on_close: Callback<()>,
}

#[function_component(HelpDialog)]
pub(crate) fn help(props: &Props) -> Html {
    let about = use_state(|| props.shown);
    let choice = |tab: &Told| {
        let (word, on) = (tab.word, tab.word == *about);
        let about = about.clone();
        html! {
            <button class={classes!("segment", on.then_some("on"))} aria-pressed={on.to_string()}
                onclick={move |_| about.set(word)}>{ tab.name }</button>
        }
    };
    let told = props.tabs.iter().find(|tab| tab.word == *about);
    let own_keys = told.map_or(&[][..], |tab| tab.help.keys);
    html! {
        <Dialog title="Help" class={classes!("help")} on_close={props.on_close.clone()}>
            <div class="segments" role="group" aria-label="About which tab">
                { for props.tabs.iter().map(choice) }
            </div>
            { for told.map(tab) }
            <h3>{ "Keys" }</h3>
            <dl class="keys">{ for KEYS.iter().chain(own_keys).map(|(keys, what)| html! {
                <div>
                    <dt>{ for keys.split(' ').map(|k| html! { <kbd>{ k }</kbd> }) }</dt>
                    <dd>{ *what }</dd>
                </div>
            }) }</dl>
            <details>
                <summary>{ "Where things are on the page" }</summary>
                <dl class="places">
                    { for PLACES.iter().map(|(place, what)| html! {
                        <><dt>{ *place }</dt><dd>{ *what }</dd></>
                    }) }
                </dl>
                <p class="quiet">{ PUSHDOWN }</p>
                <p class="quiet">
                    { "Everything runs in this page; the program does not leave it. This browser \
                        keeps it until you replace it." }
                </p>
                <p class="quiet">
                    <a href="licences.txt" target="_blank" rel="noopener">
                        { "Licences of what this page contains" }
                    </a>
                </p>
            </details>
        </Dialog>
    }
}

/// Three sentences, a picture, and more in a fold.
fn tab(tab: &Told) -> Html {
    html! {
        <section class="help-tab" aria-label={tab.name} key={tab.word}>
            <div class="help-figure">
                { Html::from_html_unchecked(AttrValue::Static(tab.help.picture)) }
            </div>
            <ul class="brief">{ for tab.help.brief.iter().map(|said| html! { <li>{ *said }</li> }) }</ul>
            <details>
                <summary>{ format!("More about {}", tab.name) }</summary>
                { for tab.help.text.iter().map(|text| html! { <p class="quiet">{ *text }</p> }) }
            </details>
        </section>
    }
}
