//! Exercises: what a student is asked to write, and how the page marks it.
//!
//! All of it travels in a link or a file, so nothing is secret from who unpacks that. What the page
//! does not show by itself are the inputs of hidden tests, whose expected outputs are there as
//! hashes only, and the reference.

use crate::util::sha256::{hexadecimal, sha256};
use crate::wire::permalink::TestsPlace;
use serde::{Deserialize, Serialize};

/// An exercise. Its public tests stand beside it, as those of any program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exercise {
    /// Its name.
    pub title: String,
    /// What is to be written; an empty line begins a paragraph.
    pub statement: String,
    /// The program to begin with.
    pub start: String,
    /// Tests whose texts are not shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenTest>,
    /// A solution; empty: none. With one, a program that passes all tests is compared with it, and
    /// hidden tests that fail can be explained.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reference: String,
}

/// A test whose texts are not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenTest {
    /// Its name.
    pub name: String,
    /// What the program reads.
    pub input: String,
    /// The hash of what it should print ([`output_hash`]), so that nobody reads it by chance.
    pub output: String,
}

/// What a person has done for an exercise. The browser keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExerciseRecord {
    /// The programs that were marked, oldest first; at most [`MOST_ATTEMPTS`].
    pub attempts: Vec<Attempt>,
    /// How many hints were opened.
    pub hints: u32,
}

/// So many attempts are kept.
pub const MOST_ATTEMPTS: usize = 30;

/// A program that was marked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Its text.
    pub source: String,
    /// How many tests passed.
    pub passed: u32,
    /// Of how many.
    pub of: u32,
    /// How many hints had been opened by then.
    pub hints: u32,
}

impl Exercise {
    /// A name for what the browser keeps of it: another text is another exercise.
    pub fn key(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        hexadecimal(&sha256(text.as_bytes())[..8])
    }
}

/// The end of the name of a file that holds an exercise.
pub const FILE_ENDING: &str = ".exercise.json";

/// An exercise as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExerciseFile {
    /// The version of this format: 1.
    pub faultline_exercise: u32,
    /// The exercise, and its public tests.
    pub tests: TestsPlace,
}

impl ExerciseFile {
    /// Reads a file. `None` if it is none, or of another version.
    pub fn read(text: &str) -> Option<ExerciseFile> {
        let file: ExerciseFile = serde_json::from_str(text).ok()?;
        (file.faultline_exercise == 1 && file.tests.exercise.is_some()).then_some(file)
    }

    /// The file's text.
    pub fn written(tests: TestsPlace) -> String {
        let file = ExerciseFile { faultline_exercise: 1, tests };
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }
}

/// The hash of an output. White space at the ends of its lines and of the text does not count.
pub fn output_hash(output: &str) -> String {
    let lines: Vec<&str> = output.trim_end().split('\n').map(str::trim_end).collect();
    hexadecimal(&sha256(lines.join("\n").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_was_written_and_others_are_refused() {
        let exercise = Exercise { title: "Sum".into(), ..Exercise::default() };
        let tests = TestsPlace { exercise: Some(Box::new(exercise)), ..TestsPlace::default() };
        let text = ExerciseFile::written(tests.clone());
        assert_eq!(ExerciseFile::read(&text).map(|file| file.tests), Some(tests));
        assert_eq!(ExerciseFile::read(&text.replace("se\": 1", "se\": 2")), None);
        assert_eq!(ExerciseFile::read(&ExerciseFile::written(TestsPlace::default())), None);
        assert_eq!(ExerciseFile::read("{}"), None);
    }

    #[test]
    fn outputs_that_count_as_the_same_have_the_same_hash() {
        assert_eq!(output_hash("6\n"), output_hash("6 \n\n"));
        assert_eq!(output_hash("a\nb"), output_hash("a \r\nb\n"));
        assert_ne!(output_hash("a\nb"), output_hash("a b"));
        assert_ne!(output_hash("6"), output_hash(" 6"));
    }
}
