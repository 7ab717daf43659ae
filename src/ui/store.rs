//! What the browser keeps between visits: program, options, theme, the panes' sizes.

use crate::lang::options::RequestedOptions;
use gloo::storage::{LocalStorage, Storage};
use serde::{Deserialize, Serialize};

const PROGRAM: &str = "faultline.program";
const LOOK: &str = "faultline.look";

/// The program and its options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Program {
    pub(super) source: String,
    pub(super) options: RequestedOptions,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Theme {
    Light,
    Dark,
}

/// How the page looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Look {
    /// `None`: as the system says.
    pub(super) theme: Option<Theme>,
    /// Pixels of the editor, the inspector and the timeline.
    pub(super) left: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Default for Look {
    fn default() -> Self {
        Look { theme: None, left: 420, right: 320, bottom: 132 }
    }
}

/// The kept program, or an empty one.
pub(super) fn program() -> Program {
    LocalStorage::get(PROGRAM).unwrap_or_default()
}

/// Keeps the program. False if the browser keeps nothing (private windows, a full store).
pub(super) fn keep_program(program: &Program) -> bool {
    LocalStorage::set(PROGRAM, program).is_ok()
}

/// The kept look, or the default.
pub(super) fn look() -> Look {
    LocalStorage::get(LOOK).unwrap_or_default()
}

/// Keeps the look, if the browser keeps anything.
pub(super) fn keep_look(look: &Look) {
    let _ = LocalStorage::set(LOOK, look);
}
