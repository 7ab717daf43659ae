//! Weight domains and their laws.
