//! Input and output of the command: files, standard input, standard output and standard error.

use super::arguments::Common;
use super::text::Style;
use super::{diagnostics, pushdown};
use crate::lang::model::Program;
use crate::session::Session;
use crate::wire::diagnostic::Severity;
use std::io::{Read, Write};
use std::rc::Rc;

/// Reads the program and prints its warnings to standard error. Gives its text as well. The error
/// is a message about bad input.
pub(super) fn load(common: &Common) -> Result<(Session, String), String> {
    let source = read(common)?;
    let (session, found) = Session::load(&source, &common.requested());
    let name = common.file.to_string_lossy();
    let messages = diagnostics::render(&name, &source, &found, Style::of_errors());
    if session.program().is_none() && session.raw().is_none()
        || found.iter().any(|d| d.severity == Severity::Error)
    {
        return Err(messages);
    }
    tell(&messages);
    pushdown::refuse_options(common, session.raw().is_some())?;
    Ok((session, source))
}

/// The loaded program. The error is `complaint`, for an analysis that takes no raw pushdown
/// systems.
pub(super) fn program(session: &Session, complaint: &str) -> Result<Rc<Program>, String> {
    session.shared_program().ok_or_else(|| format!("faultline: {complaint}\n"))
}

/// Writes to standard output. A reader that has gone away (`| head`) changes no verdict.
pub(super) fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Writes a message to standard error. A closed standard error changes nothing else.
pub(super) fn tell(message: &str) {
    let _ = std::io::stderr().write_all(message.as_bytes());
}

/// Reads the whole file as text.
fn read(common: &Common) -> Result<String, String> {
    let name = common.file.display();
    let bytes = if common.file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(&common.file)
    };
    let bytes = bytes.map_err(|error| format!("faultline: cannot read {name}: {error}\n"))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        format!("faultline: {name} is no text: byte {place} is not UTF-8\n")
    })
}
