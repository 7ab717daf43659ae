//! Random sequential programs for as long as one likes: verdict and projections against the
//! explicit oracle, and six heuristics of the refinement loop against the verdict.
//! `cargo run -p fuzz --profile fast --bin random_programs -- FILE SECONDS`, see `fuzz::going_on`.

mod sequential_oracle;
use sequential_oracle::*;

use fuzz::going_on::go_on;
use support::generate;

fn main() {
    go_on(1_000_000, |seed, counts| {
        let source = generate::sequential(seed).to_string();
        let compared = agrees(&source);
        let word = match compared {
            Compared::Safe => "safe",
            Compared::Unsafe => "unsafe",
            Compared::Refused => "refused",
            Compared::TooLarge => "too large for the oracle",
            Compared::Limit => "limit",
        };
        counts.add(word, 1);
        // Ten times as long as the rest: for every tenth program.
        if matches!(compared, Compared::Safe | Compared::Unsafe) && seed % 10 == 0 {
            let (agree, undecided) = heuristics_agree(&source, seed);
            counts.add("refinements that agree", u64::from(agree));
            counts.add("refinements that end in a limit", u64::from(undecided));
        }
    });
}
