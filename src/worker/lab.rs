//! The pushdown lab behind messages.

use super::driver::Driver;
use crate::lang::diagnostic::Severity;
use crate::view::lab::{LabAnswer, LabReport};
use crate::view::protocol::{DiagnosticView, Reply, Request};

impl Driver {
    /// Answers a request of the lab; true if slices are now to be worked off.
    pub(super) fn lab(&mut self, request: Request, post: &mut dyn FnMut(Reply)) -> bool {
        match request {
            Request::Lab { id, options } => post(Reply::Lab { id, report: Box::new(LabReport::nothing(options, vec![refused()])) }),
            Request::LabWeight { id, .. } => {
                post(Reply::LabWeight { id, answer: LabAnswer { problems: vec![refused()], ..LabAnswer::default() } })
            }
            Request::LabTransfer { id, .. } => {
                post(Reply::LabTransfer { id, answer: LabAnswer { problems: vec![refused()], ..LabAnswer::default() } })
            }
            Request::LabWitness { id, .. } => post(Reply::LabWitness { id, witness: None, limit: None }),
            _ => {}
        }
        false
    }
}

fn refused() -> DiagnosticView {
    let (message, hint) = ("saturations are not recorded yet".to_string(), "look at the projection meanwhile".to_string());
    DiagnosticView { severity: Severity::Error, from: 0, to: 1, line: 1, message, hint }
}
