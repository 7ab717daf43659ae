//! Input and output of the command: files, standard input, standard output and standard error.

use super::arguments::Common;
use super::text::Style;
use super::{diagnostics, pushdown};
use crate::draw::refusal::unreadable;
use crate::draw::widths::suggestion;
use crate::lang::model::Program;
use crate::report;
use crate::session::Session;
use crate::util::Limit;
use crate::wire::diagnostic::Severity;
use crate::wire::options::EffectiveOptions;
use same_file::Handle;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::rc::Rc;

/// The most bytes that a program may have: 16 MB.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// Reads the program and prints its warnings to standard error. Gives its text as well. The error
/// is a message about bad input.
pub(super) fn load(common: &Common) -> Result<(Session, String), String> {
    let source = source(common)?;
    Ok((load_text(common, &source)?, source))
}

/// Reads the program.
pub(super) fn source(common: &Common) -> Result<String, String> {
    if let Some(witness) = &common.witness {
        refuse_over_program(common, "--witness", witness)?;
    }
    read(common)
}

/// Loads a program that was read, and prints its warnings.
pub(super) fn load_text(common: &Common, source: &str) -> Result<Session, String> {
    let (session, found) = Session::load(source, &common.requested());
    let name = common.file.to_string_lossy();
    let messages = diagnostics::render(&name, source, &found, Style::of_errors());
    if session.program().is_none() && session.raw().is_none()
        || found.iter().any(|d| d.severity == Severity::Error)
    {
        let told = report::diagnostics::diagnostics(source, &found);
        let headline = unreadable(told.iter().filter(|d| d.severity == Severity::Error));
        return Err(format!("{headline}\n{messages}"));
    }
    tell(&messages);
    pushdown::refuse_options(common, session.raw().is_some())?;
    Ok(session)
}

/// The loaded program. The error is `complaint`, for an analysis that takes no raw pushdown
/// systems.
pub(super) fn program(session: &Session, complaint: &str) -> Result<Rc<Program>, String> {
    session.shared_program().ok_or_else(|| format!("faultline: {complaint}\n"))
}

/// Writes to standard output. A reader that has gone away (`| head`) changes no verdict; the error
/// is a message about anything else that lost the output, such as a full disk.
pub(super) fn print(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout();
    kept(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The same for what has been written already.
pub(super) fn kept(written: std::io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("faultline: cannot write the output: {error}\n"))
        }
        _ => Ok(()),
    }
}

/// Writes a message to standard error. A closed standard error changes nothing else.
pub(super) fn tell(message: &str) {
    let _ = std::io::stderr().write_all(message.as_bytes());
}

/// Says which option to try, if an analysis that tries one width only hit this limit with C's own.
pub(super) fn suggest_width(options: &EffectiveOptions, limit: Option<Limit>) {
    if let Some(suggestion) = suggestion(options, limit) {
        tell(&format!("{suggestion}\n"));
    }
}

/// Refuses a file to write, of this option, that is the program, by whatever name or link.
pub(super) fn refuse_over_program(
    common: &Common,
    option: &str,
    file: &Path,
) -> Result<(), String> {
    let program = match is_standard_input(common) {
        true => Handle::stdin(),
        false => Handle::from_path(&common.file),
    };
    // A file that is not there yet, or a program that cannot be read, is another matter.
    match (program, Handle::from_path(file)) {
        (Ok(program), Ok(written)) if program == written => Err(format!(
            "faultline: {option} {} would overwrite the program; choose another file\n",
            file.display()
        )),
        _ => Ok(()),
    }
}

fn is_standard_input(common: &Common) -> bool {
    common.file.as_os_str() == "-"
}

/// Reads the whole file as text.
fn read(common: &Common) -> Result<String, String> {
    let name = common.file.display();
    let mut bytes = Vec::new();
    let read = if is_standard_input(common) {
        std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(&common.file)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| format!("faultline: cannot read {name}: {error}\n"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!(
            "faultline: {name} has more than {} MB, the most that a program may have\n",
            MOST_BYTES >> 20
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        format!("faultline: {name} is no text: byte {place} is not UTF-8\n")
    })
}
