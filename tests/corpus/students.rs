//! Programs of students with the tests of their exercises: correct ones pass, wrong ones fail.

use faultline_c::machine::Limits;
use faultline_testing::compare::Comparison;
use faultline_testing::program::Program;
use faultline_testing::suite::{Test, test};
use std::fs;
use std::path::Path;

/// Of correct programs, those that do what no C program may do: an index outside of its array.
const UNDEFINED: [&str; 1] = ["programs/year-3__lab04__ex04__ex04-stu_100-sub_066.c"];

/// At least this many in a hundred of the wrong programs fail a test. The others read variables
/// without a value, whose values at home are a matter of chance.
const LEAST_FAILING: usize = 97;

/// Every program is read; correct ones pass all tests, wrong ones fail one.
pub fn tests_tell_wrong_from_correct(cases: &Path) {
    let folder = cases.join("students");
    let index = fs::read_to_string(folder.join("index.tsv")).expect("the index");
    let (mut wrong, mut failing) = (0, 0);
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (file, exercise, answer) = (columns[0], columns[1], columns[2]);
        let text = fs::read(folder.join(file)).expect("a program");
        let text = String::from_utf8_lossy(&text);
        let program = Program::read(&text, &Default::default())
            .unwrap_or_else(|mistake| panic!("{file}:{}: {}", mistake.line, mistake.message));
        let mut inputs: Vec<_> = fs::read_dir(folder.join("tests").join(exercise))
            .expect("tests")
            .map(|entry| entry.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "in"))
            .collect();
        inputs.sort();
        let passes = inputs.iter().all(|input| {
            let one = Test {
                name: String::new(),
                input: fs::read(input).expect("an input"),
                expected: fs::read(input.with_extension("out")).expect("an output"),
                exit: None,
            };
            test(&program, &one, Comparison::Exact, Limits::default()).passed()
        });
        if answer == "wrong" {
            wrong += 1;
            failing += usize::from(!passes);
        } else if !UNDEFINED.contains(&file) {
            assert!(passes, "{file} is correct, and fails a test of {exercise}");
        }
    }
    assert!(
        failing * 100 >= wrong * LEAST_FAILING,
        "only {failing} of {wrong} wrong programs fail a test"
    );
}
