//! A report together with what was asked for besides it.

use crate::report::repair::RepairsReport;
use crate::report::suspects::SuspectsReport;
use serde::Serialize;

/// All of it in one object.
#[derive(Serialize)]
pub(super) struct Beside<'a, R> {
    #[serde(flatten)]
    pub(super) report: &'a R,
    #[serde(flatten)]
    pub(super) suspects: Option<SuspectsReport>,
    #[serde(flatten)]
    pub(super) repairs: Option<RepairsReport>,
}
