//! `docs/command-line.md` says what the command line takes. It is generated; `UPDATE_GOLDEN=1`
//! writes it anew, and the difference is to be read.

use faultline::cli::{command, reference};

#[test]
fn the_reference_is_fresh() {
    let path = format!("{}/docs/command-line.md", env!("CARGO_MANIFEST_DIR"));
    let made = reference(command());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &made).expect("the reference is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/command-line.md is not what the command line says; write it anew by\n  \
         UPDATE_GOLDEN=1 cargo test --test command reference"
    );
}
