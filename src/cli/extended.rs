//! A report that `--suspects` and `--repairs` extend.

use crate::wire::repair::RepairsReport;
use crate::wire::suspects::SuspectsReport;
use serde::Serialize;

/// The report and its extensions, as one object.
#[derive(Serialize)]
pub(super) struct Extended<'a, R> {
    #[serde(flatten)]
    pub(super) report: &'a R,
    #[serde(flatten)]
    pub(super) suspects: Option<SuspectsReport>,
    #[serde(flatten)]
    pub(super) repairs: Option<RepairsReport>,
}
