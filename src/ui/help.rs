//! Help: what is where, what the colours mean, and the keys.

use super::dialog::Dialog;
use yew::prelude::*;

const KEYS: &[(&str, &str)] = &[
    ("Ctrl Enter", "run"),
    ("Esc", "stop a run, close a dialog"),
    ("← →", "step back, step forward"),
    ("Home End", "first step, last step"),
    ("Space", "play, pause"),
    ("Enter", "the shortest failing run through the selected statement"),
    ("⇧Enter", "also through the ones chosen before"),
    ("1 2 3 4", "in Explain: program, failing run, focus sequence, NEST"),
    ("[ ]", "in Explain: the failing run, or the sequence, before and after"),
    ("?", "this help"),
    ("Ctrl O", "open a file"),
    ("Ctrl F", "search, in the editor"),
    ("+ − 0", "zoom in, zoom out, fit, in the picture"),
    ("arrows", "from box to box, in the picture; with Shift they move it"),
    ("Enter", "unfold or fold, in the picture"),
    ("f", "fold or unfold a procedure's frame, in a refinement's picture"),
    ("+ −", "in Threads: one context switch more, or less"),
    ("Backspace", "from a procedure back to the call graph"),
    ("/", "search the picture: statement, line, procedure"),
    (
        "↑ ↓",
        "in the lab's picture: from transition to transition; in a refinement's: from node to node",
    ),
];

const PLACES: &[(&str, &str)] = &[
    (
        "Left",
        "The program; above it its language, as guessed or as chosen, and Open for a file. A file can also be dropped anywhere onto the page; undo brings back what it replaced. Lit lines lie on some failing run; the dimmed ones lie on none; the legend's switch shows the slice beside it. Diagnostics stand in the gutter.",
    ),
    (
        "Middle",
        "Its control-flow graph: a frame for each procedure, a box for each place, an arrow for each statement; hexagons branch, double sides call, dashed arrows enter the procedure that is called. Procedures and rows of statements fold; large programs open on their call graph.",
    ),
    (
        "Right",
        "The selected statement: the values at the current step, the stores that reach it, those among them that fail, and a field to ask about them; for an innocent statement, why no failing run executes it; of a safe program, what always holds there, the proof of its verdict.",
    ),
    (
        "Bottom",
        "One concrete failing run, replayed statement by statement. It is a shortest one; a click on a lit box shows a shortest one through that box, with Shift through all boxes clicked so far. Selecting a step, a box or a line selects it everywhere.",
    ),
    (
        "Top",
        "Options that change the answer (those of the program's language; widths of int to try also stand beside the verdict), the method of the projection, Run and Stop, Gallery, Export for pictures, graph and report, and Share for a link to the very step that you see.",
    ),
];

/// What explanations are.
const EXPLAIN: &str = "The tab Explain says why a program fails. Four levels of detail zoom in on one error: the program, a failing run, the focus sequence (the statements that made it fail; without the others it fails all the same) and the NEST, the neighborhood of error statements, where to mend it. A cause is what a failing run does and no correct run does (correct runs pass the check that fails; where nothing passes it, as at reach_error(), they reach the end of main, and a run that exits before does not count): by edges, whatever the values; by transitions, with these values. Where the runs are shown, the failing one stands beside the correct run closest to it, or a close one where that is not found, row by row, and it is marked where they part. Ways to fail are listed the simplest first, with what each assumes of inputs and uninitialised variables; chips keep only assumptions over the inputs that you choose. Suspicious statements are those of which one small change (another operator, number or variable, a part negated, left out or added) lets known failing runs pass and keeps known passing ones passing: both are counted by executing runs beside the failing one, and nothing is proved. A suggested repair was checked before it is offered, and says what was proved; Apply edits the program, and undo takes it back.";

/// What refinement is.
const REFINEMENT: &str = "The tab Refinement checks the same program with predicates instead of values (counterexample-guided abstraction refinement). Each round steps through its phases: statements are abstracted over the predicates found so far; the abstract program is checked; all its error traces become one graph without cycles; if none of them can be executed, interpolants say why, place by place; the chosen ones become new predicates. Select a node of the graph: the strongest interpolant implies the chosen one, and that the weakest; what lies on a trace with it stays in full ink. Runs of a callee that returns have a frame of their own, entered from the pivot point of the call; it folds into one box that says what they come to, and stays folded from round to round. A line chosen in the source selects its first node and marks the others. Abstract program stands statement by statement beside yours, with the predicates of each place and the round that added them. Heuristics runs all six ways to choose interpolants on your program; tick two to see their rounds and counterexamples beside each other. While a long run goes on, its rounds appear on the timeline; Stop keeps them.";

/// What the threads' analysis is.
const THREADS: &str = "The tab Threads runs all threads of the program together, under a bound on context switches: at most so many times another thread goes on. Raise the bound one by one; the strip below it counts the values of the globals that became reachable, and the answer holds up to the bound and not beyond it. A failing run is drawn as swim lanes: time runs down, each thread has a lane, a crossing is a switch, with the globals as the next thread finds them and what has changed in bold. How it was found shows the tree of contexts of Qadeer and Rehof, where globals are enumerated at each switch, or the interfaces of the threads, where nothing is.";

/// What the lab is.
const LAB: &str = "The tab Lab shows how the answers come about. post* adds to an automaton every configuration that runs from a set come to, pre* every one from which runs come into it; the transducer relates any configuration to any other. A recording steps like a run: a dashed circle is a state made on the way, a double one accepts; › stands before the transition that a step looks at, + before what it adds, ↑ before a weight that it raises. Beside it: the rule, what waits in the worklist, and of the transition that you click, how it came about. Type a configuration or a set such as <p, a b*> to read its weight at the step shown; other sets to start from go into the field above the picture.";

/// What is different for a pushdown system without a program.
const PUSHDOWN: &str = "Of a pushdown system (.pds, or PDAAAL's JSON) the page says whether a run leads from an initial configuration to a target. Its boxes are heads: a state and the top of the stack; its arrows are rules, with what a push leaves on the stack, or ε for a pop, and what the rule weighs. Lit rules are on some run into the target.";

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) on_close: Callback<()>,
}

#[function_component(Help)]
pub(super) fn help(props: &Props) -> Html {
    html! {
        <Dialog title="What you see, and the keys" class={classes!("wide")} on_close={props.on_close.clone()}>
            <dl class="places">{ for PLACES.iter().map(|(place, what)| html! { <><dt>{ *place }</dt><dd>{ *what }</dd></> }) }</dl>
            <p class="quiet">{ EXPLAIN }</p>
            <p class="quiet">{ REFINEMENT }</p>
            <p class="quiet">{ THREADS }</p>
            <p class="quiet">{ LAB }</p>
            <p class="quiet">{ PUSHDOWN }</p>
            <dl class="keys">{ for KEYS.iter().map(|(keys, what)| html! {
                <div><dt>{ for keys.split(' ').map(|k| html! { <kbd>{ k }</kbd> }) }</dt><dd>{ *what }</dd></div>
            }) }</dl>
            <p class="quiet small">{ "Everything runs in this page; the program does not leave it. It is kept in this browser until you replace it." }</p>
        </Dialog>
    }
}
