//! `docs/command-line.md` says what the command line takes. It is generated; `UPDATE_EXPECT=1`
//! writes it anew. Read the difference.

use expect_test::expect_file;
use faultline::cli::{command, reference};

#[test]
fn the_reference_is_fresh() {
    expect_file!["../../docs/command-line.md"].assert_eq(&reference(command()));
}
