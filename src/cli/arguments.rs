//! The command line's contract: `faultline <analysis> FILE [options]`.

mod analyses;
mod choices;
mod common;
mod testing;

pub(super) use analyses::{
    Affine, Cegar, Check, Focus, Graph, Leaves, Localize, Lsp, Ltl, Pds, Projection, RefineFormula,
    ReportPage, Terminates, Threads,
};
pub(super) use choices::{Engine, Format};
pub(super) use common::Common;
pub(super) use testing::{Equivalent, Grade, Test};

#[cfg(test)]
mod tests {
    use super::{Check, Engine};
    use crate::cli::{Analysis, Arguments};
    use crate::wire::options::{Checks, Dialect, Globals, RequestedOptions};
    use clap::{CommandFactory, Parser};

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
        let Some(Analysis::Check(Check { common, engine, .. })) =
            arguments.expect("a good line").analysis
        else {
            panic!("not a check")
        };
        let expected = RequestedOptions {
            dialect: Some(Dialect::Cimple),
            defines: vec!["N=3".to_string()],
            bits: Some(7),
            globals: Some(Globals::Zero),
            checks: Some(Checks { bounds: true, shift: true, ..Checks::NONE }),
            error: Some(12),
            label: None,
            heap: None,
            model: None,
            saturation: None,
            rules: Vec::new(),
            function: None,
            array: None,
            reach: None,
        };
        assert_eq!(engine, Engine::Auto);
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
