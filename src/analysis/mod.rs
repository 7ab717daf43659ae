//! The analyses.
