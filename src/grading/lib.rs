//! A class at once: the submissions of a folder or an archive, judged in parallel, and a report.
//!
//! What a submission is worth is the caller's matter (`judge::Judge`); nothing here knows C.
//! Layers, each of which imports only from those before it: `archive`, `submissions`, `row`,
//! `judge`, `kept`, `class`, `summary`, and the forms of the report: `text`, `csv`, `junit`,
//! `html`. No name from an archive is ever a path on the disk.

pub mod archive;
pub mod class;
pub mod csv;
pub mod html;
pub mod judge;
pub mod junit;
mod kept;
pub mod row;
pub mod submissions;
pub mod summary;
pub mod text;
