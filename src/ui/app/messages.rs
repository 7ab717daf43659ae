//! What the user, the worker and the browser tell the page.

use crate::ui::engine::EngineEvent;
use crate::ui::frame::files::{FileEvent, Opened};
use crate::ui::frame::gallery::Example;
use crate::ui::state::export::Export;
use crate::ui::state::picture::GraphEvent;
use crate::ui::state::said::Ask;
use crate::ui::state::timeline::Move;
use crate::ui::view::TabEvent;
use crate::wire::diagnostic::TextEdit;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::projection::Method;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    Gallery,
    Share,
    Help,
}

/// Which pane a splitter moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Left,
    Right,
    Bottom,
}

/// What a phone shows: one thing at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Facet {
    #[default]
    Source,
    Picture,
    Inspector,
}

impl Facet {
    pub(crate) const ALL: [Facet; 3] = [Facet::Source, Facet::Picture, Facet::Inspector];

    /// What its button says.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Facet::Source => "Source",
            Facet::Picture => "Picture",
            Facet::Inspector => "Inspector",
        }
    }

    /// The class of the page while it is shown.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Facet::Source => "at-source",
            Facet::Picture => "at-picture",
            Facet::Inspector => "at-inspector",
        }
    }
}

impl Msg {
    /// Does it choose a line, a statement, a step or a tab to look at?
    pub(super) fn explores(&self) -> bool {
        match self {
            Msg::Graph(event) => matches!(event, GraphEvent::Select(_) | GraphEvent::Add(_)),
            Msg::Cursor(_) | Msg::Line(_) | Msg::Statement(_) | Msg::Step(_) | Msg::Show(_) => true,
            _ => false,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Msg {
    Engine(EngineEvent),
    /// An event of a tab's panes, or one that is due.
    Tab(TabEvent),
    /// Show this tab.
    Show(&'static str),
    /// The program was edited: its text, and whether it was pasted into an empty editor.
    Edited(String, bool),
    /// The whole program is about to be replaced by a pasted one.
    Replaced,
    /// The editor's cursor is on this line.
    Cursor(u32),
    /// This line was chosen on the page.
    Line(u32),
    Statement(u32),
    Graph(GraphEvent),
    Requested(RequestedOptions),
    /// Another width of `int`, from the verdict panel: what was pressed is gone then.
    Bits(u32),
    /// Another number of objects, from the verdict panel.
    Heap(u32),
    /// Whether a run comes to this line is asked, or again whether one fails.
    Reach(Option<u32>),
    /// This procedure is checked alone, or the program as it says.
    Alone(Option<String>),
    Method(Method),
    ToggleOptions,
    ToggleSlice,
    /// Take the example of a first visit away.
    Clear,
    /// All of the legend, or one line.
    ToggleLegend,
    /// The list of steps, or its buttons alone.
    ToggleTimeline,
    /// Draw memory, or the tab's own picture.
    ToggleMemory,
    /// Typing has paused.
    Load,
    Run,
    /// A button beside the verdict: what was pressed is gone then.
    Ask(Ask),
    /// Edit the program as a diagnostic proposes: what was pressed is gone then.
    Mend(TextEdit),
    Witness,
    Stop,
    Step(Move),
    /// Playing: one step on.
    Tick,
    /// Time passes while a run is on.
    Clock,
    /// Only the picture and the steps, large; or everything again.
    Present(bool),
    /// On a phone: show this.
    Face(Facet),
    Open(Open),
    CloseDialog,
    Copy,
    Copied(bool),
    Index(Vec<Example>),
    Fetch(Box<Example>),
    Fetched(Box<Example>, Option<String>),
    /// Open a file.
    Choose,
    File(FileEvent),
    Opened(Opened),
    /// Another language; `None`: guess it.
    Dialect(Option<Dialect>),
    Theme,
    /// The system has turned dark or light.
    SystemTheme,
    Resize(Pane, i32),
    /// Back or forward, to this entry of the history; or another address was typed.
    Visited(Option<String>),
    /// The address is to follow what is shown.
    Follow,
    /// The page is left or loaded again.
    Leave,
    /// An example's text, for a link or for the program that is an edit of it.
    Original(Box<Example>, Option<String>),
    Dismiss,
    /// Watch this expression along runs.
    Watch(String),
    /// No longer.
    Unwatch(usize),
    /// Show the step's values behind its line, or no longer.
    ToggleValues,
    /// Predict the values of the run, or no longer.
    TogglePredicting,
    /// A value that is predicted; `None`: show it.
    Predict(Option<String>),
    /// What is said of the gallery's example was read.
    DismissLook,
    /// Another tab of the browser has written what the browser keeps.
    Elsewhere,
    /// Show what another tab has made of the program.
    TakeOther,
    Restore,
    /// Opens what was kept and could not be read, as it was.
    OpenUnread,
    Key(String),
    Export(Export),
    Notice(String),
}
