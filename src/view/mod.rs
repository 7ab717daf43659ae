//! Plain data for every picture and report.
