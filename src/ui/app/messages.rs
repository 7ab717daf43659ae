//! What the user, the worker and the browser tell the page.

use crate::ui::analysis::Analysis;
use crate::ui::controls::Move;
use crate::ui::engine::EngineEvent;
use crate::ui::explain::ExplainEvent;
use crate::ui::export_menu::Export;
use crate::ui::files::{FileEvent, Opened};
use crate::ui::gallery::Example;
use crate::ui::graph_view::GraphEvent;
use crate::ui::lab::LabEvent;
use crate::ui::refinement::RefinementEvent;
use crate::ui::threads::ThreadsEvent;
use crate::wire::options::{Dialect, RequestedOptions};
use crate::wire::protocol::Method;

/// Which dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Open {
    Gallery,
    Share,
    Help,
}

/// Which pane a splitter moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Pane {
    Left,
    Right,
    Bottom,
}

#[derive(Debug)]
pub(in crate::ui) enum Msg {
    Engine(EngineEvent),
    Edited(String, bool),
    Cursor(u32),
    Line(u32),
    Statement(u32),
    Through(u32, bool),
    LeaveThrough,
    Graph(GraphEvent),
    Requested(RequestedOptions),
    /// Another width of `int`, from the verdict panel: what was pressed is gone then.
    Bits(u32),
    Method(Method),
    ToggleOptions,
    ToggleSlice,
    Load,
    Run,
    More,
    Witness,
    Stop,
    Inspect,
    Step(Move),
    Query(String),
    Beside,
    Tick,
    Clock,
    Open(Open),
    CloseDialog,
    Copied(bool),
    Copy,
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
    Resize(Pane, i32),
    Hash,
    Dismiss,
    Restore,
    Key(String),
    Export(Export),
    /// Another analysis.
    Analysis(Analysis),
    Lab(LabEvent),
    Refinement(RefinementEvent),
    Explain(Box<ExplainEvent>),
    Threads(ThreadsEvent),
    /// Show equalities modulo 2^w, or over the integers, or none.
    Equalities(Option<Option<u32>>),
    Notice(String),
    /// The system has turned dark or light.
    SystemTheme,
    /// Check again, from the verdict panel: what was pressed is gone then.
    Again,
    Replaced,
}
