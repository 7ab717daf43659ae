//! Affine relations at the places of a program.

use crate::util::Limit;
use crate::wire::options::EffectiveOptions;
use crate::wire::report::Analysis;
use serde::{Deserialize, Serialize};

/// What always holds among the variables, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AffineReport {
    /// [`Analysis::Affine`].
    pub analysis: Analysis,
    /// The limit that ended it early: then there are no relations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// In force.
    pub options: EffectiveOptions,
    /// The width of C's `int` that this holds for, where nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// w, if the equalities are modulo 2^w; else they hold for integers that never wrap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modulo: Option<u32>,
    /// With threads: they hold in runs with at most so many context switches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switches: Option<u32>,
    /// Some condition or expression is not affine, or there are threads: more equalities may hold.
    pub approximate: bool,
    /// In the order of the lines.
    pub relations: Vec<PlaceRelations>,
}

/// What holds before a statement, or where a procedure ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceRelations {
    /// 1-based line.
    pub line: u32,
    /// Location number, as in the graph.
    pub location: u32,
    /// Its procedure.
    pub procedure: String,
    /// The statement; empty at the end of a procedure.
    pub statement: String,
    /// Readable equalities, all of which follow from these; `None` if no run comes here.
    pub equalities: Option<Vec<String>>,
}
