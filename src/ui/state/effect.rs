//! What the state of the page asks the browser for. The state itself has no effects: it collects
//! them here, and the page carries them out.

use crate::wire::protocol::Request;
use std::any::Any;

/// An effect.
#[derive(Debug)]
pub(crate) enum Effect {
    /// Send this to the worker, under this number. Did no person ask for it, but a link or a
    /// reload?
    Send(u32, Request, bool),
    /// Send this to the spare worker: it needs no program, and the spare one is free.
    Aside(u32, Request),
    /// End the work on this request. A worker that does not obey soon is replaced.
    Stop(u32),
    /// Say this to the timer's tab after so many milliseconds. Another event for the same timer
    /// takes its place.
    Later { timer: Timer, millis: u32, event: Box<dyn Any> },
    /// Keep the program in the browser.
    Keep,
    /// Put this text into the editor as an edit of the program, and run it.
    Edit(String),
    /// Keep this text in the browser under this name, beside the program.
    Remember { name: String, text: String },
    /// Say to this tab what is kept under this name, if anything is.
    Recall { name: String, tab: &'static str, event: fn(String) -> Box<dyn Any> },
    /// Give the user this text as a file of this name.
    SaveFile { name: String, text: String },
    /// Tell the user.
    Notice(String),
    /// Give the user the answer as a document.
    SaveDocument(String),
    /// Give the user the witness as a file.
    SaveWitness(String),
    /// Give the user this as a file whose name ends like this.
    SaveText(&'static str, Vec<u8>),
}

/// A timer: the word of its tab (`""`: the page's own), and what it is for.
pub(crate) type Timer = (&'static str, &'static str);
