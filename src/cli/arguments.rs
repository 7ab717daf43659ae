//! The command line's contract: `faultline <analysis> FILE [options]`.

mod analyses;
mod choices;
mod common;

pub(super) use analyses::{Affine, Cegar, Focus, Graph, Localize, Pds, Projection, Threads};
pub(super) use choices::Format;
pub(super) use common::Common;

use clap::{Parser, Subcommand};

/// All arguments.
#[derive(Debug, Parser)]
#[command(
    name = "faultline",
    version,
    about = "Proves or breaks programs: can an assertion fail, on which runs, and which statements are innocent",
    after_help = "Exit codes: 0 safe, 1 an error found, 2 bad input, 3 unknown (a limit was hit).\n\nRaw pushdown systems (.pds, and PDAAAL's .json): 0 no target is reached, 1 one is; `check` shows a run,\n`projection` the rules on such runs, `graph` heads and rules."
)]
pub(super) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(super) analysis: Analysis,
}

/// The analyses.
#[derive(Debug, Subcommand)]
pub(super) enum Analysis {
    /// Can the program fail? If so, print one concrete failing run.
    Check(Common),
    /// As `check`, and print every statement that is on some failing run.
    Projection(Projection),
    /// Counterexample-guided abstraction refinement: find predicates by Craig interpolation, until
    /// the program is proved or broken.
    Cegar(Cegar),
    /// Where to mend: what failing runs do that no correct run does.
    Localize(Localize),
    /// Why the program fails: the statements that matter, one way to fail after the other, and what
    /// they assume of the inputs.
    Focus(Focus),
    /// Threads under a bound on context switches: can the program fail, with how few of them, and
    /// on which interleaved run.
    Threads(Threads),
    /// What always holds among the variables: every affine equality, line by line.
    Affine(Affine),
    /// The control-flow graph, as text, JSON, DOT or SVG.
    Graph(Graph),
    /// The pushdown system behind a program, or a raw one: its saturation, weights and witnesses.
    Pds(Pds),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::options::{Checks, Dialect, Globals, RequestedOptions};
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_reach_the_front_end() {
        let arguments = parse(
            "faultline check a.cimple --bits 7 --globals zero --check bounds,shift --error 12 --timeout 1.5 -D N=3",
        );
        let Analysis::Check(common) = arguments.expect("a good line").analysis else {
            panic!("not a check")
        };
        let expected = RequestedOptions {
            dialect: Some(Dialect::Cimple),
            defines: vec!["N=3".to_string()],
            bits: Some(7),
            globals: Some(Globals::Zero),
            checks: Some(Checks { bounds: true, division: false, overflow: false, shift: true }),
            error: Some(12),
            label: None,
            saturation: None,
        };
        assert_eq!(common.requested(), expected);
        assert_eq!(common.timeout, Some(1.5));
        assert_eq!(common.dialect(), Some(Dialect::Cimple));
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        for line in [
            "faultline check a.cimple --bits 0",
            "faultline check a.cimple --bits 99",
            "faultline check a.cimple --check bonds",
            "faultline check a.cimple --timeout -1",
            "faultline check a.cimple --timeout nan",
            "faultline check a.cimple --error 0",
            "faultline check",
            "faultline check a.cimple --frobnicate",
            "faultline check a.cimple --method naive",
            "faultline projection a.cimple --through 0",
            "faultline projection a.cimple --through x",
            "faultline projection a.cimple --through",
            "faultline projection a.cimple --where x>0",
            "faultline projection a.cimple --stores 0",
            "faultline projection a.cimple --why line",
        ] {
            assert_eq!(parse(line).expect_err(line).exit_code(), 2, "{line}");
        }
    }
}
