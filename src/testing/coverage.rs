//! Coverage: which lines of a program its tests execute.

use crate::program::Program;
use crate::suite::Tested;
use faultline_c::tree::PointId;
use std::collections::BTreeMap;

/// Lines on which statements start, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Some test executes a statement of the line.
    pub reached: Vec<u32>,
    /// No test executes one.
    pub missed: Vec<u32>,
}

/// Which lines the tests execute, as far as their runs came.
pub fn coverage(program: &Program, tested: &[Tested]) -> Coverage {
    let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
    for point in (0..program.points() as u32).map(PointId) {
        let Some(line) = program.line(point) else { continue };
        let executed = tested
            .iter()
            .any(|tested| tested.run.passed.get(point.index()).is_some_and(|count| *count > 0));
        *lines.entry(line).or_default() |= executed;
    }
    let of = |wanted: bool| {
        let found = lines.iter().filter(|(_, reached)| **reached == wanted);
        found.map(|(line, _)| *line).collect()
    };
    Coverage { reached: of(true), missed: of(false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Comparison;
    use crate::suite::{Test, test};
    use faultline_c::machine::Limits;

    const SIGN: &str = "#include <stdio.h>
int twice(int n) {
  return 2 * n;
}
int main(void) {
  int n;
  scanf(\"%d\", &n);
  if (n < 0)
    printf(\"negative\\n\");
  else
    printf(\"%d\\n\", twice(n));
  return 0;
}
";

    fn covered(inputs: &[&str]) -> Coverage {
        let program = Program::read(SIGN, &Default::default()).expect("a program");
        let run = |input: &&str| {
            let one = Test {
                name: String::new(),
                input: input.as_bytes().to_vec(),
                expected: Vec::new(),
                exit: None,
            };
            test(&program, &one, Comparison::Exact, Limits::default())
        };
        coverage(&program, &inputs.iter().map(run).collect::<Vec<_>>())
    }

    #[test]
    fn what_no_test_executes_is_missed_procedures_that_nobody_calls_too() {
        assert_eq!(covered(&["-3\n"]).missed, [3, 11]);
        assert_eq!(covered(&["3\n"]).missed, [9]);
        let both = covered(&["3\n", "-3\n"]);
        assert_eq!((both.missed, both.reached.first()), (vec![], Some(&3)));
    }
}
