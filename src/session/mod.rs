//! The one façade that the page's worker and the command line use.
