//! The topics of the gallery (`static/examples/index.json`).

use crate::util::words;

words! {
    /// What an example is about. Each example has one topic.
    #[derive(Default)]
    pub enum Topic {
        /// For a first visit.
        #[default]
        Start = "start",
        /// C as people write it.
        C = "c",
        /// Java as first courses have it.
        Java = "java",
        /// Pointers, the heap and strings.
        Memory = "memory",
        /// Tests and reference solutions.
        Tests = "tests",
        /// Programs to write, which the page marks.
        Exercises = "exercises",
        /// Which statements take part in a failure.
        Projections = "projections",
        /// Proofs by abstraction and refinement.
        Refinement = "refinement",
        /// Why a program fails.
        Causes = "causes",
        /// Programs with threads.
        Threads = "threads",
        /// What happens for ever.
        Liveness = "liveness",
        /// Systems of rules, without a program.
        Pushdown = "pushdown",
        /// Figures of "Abstract Error Projection".
        FiguresProjection = "figures-projection",
        /// Figures of the thesis on refinement.
        FiguresRefinement = "figures-refinement",
        /// Figures of "From Symptom to Cause".
        FiguresCauses = "figures-causes",
        /// Figures of the paper on focus-statement sequences.
        FiguresFocus = "figures-focus",
        /// Figures of the paper on context bounds.
        FiguresThreads = "figures-threads",
    }
}

impl Topic {
    /// A few words.
    pub fn name(self) -> &'static str {
        match self {
            Topic::Start => "Start here",
            Topic::C => "C",
            Topic::Java => "Java",
            Topic::Memory => "Memory",
            Topic::Tests => "Tests and references",
            Topic::Exercises => "Exercises",
            Topic::Projections => "Error projections",
            Topic::Refinement => "Refinement",
            Topic::Causes => "Causes",
            Topic::Threads => "Threads",
            Topic::Liveness => "Liveness",
            Topic::Pushdown => "Pushdown systems",
            Topic::FiguresProjection => "Abstract error projection",
            Topic::FiguresRefinement => "Refinement of pushdown systems",
            Topic::FiguresCauses => "From symptom to cause",
            Topic::FiguresFocus => "Focus-statement sequences",
            Topic::FiguresThreads => "Threads under a context bound",
        }
    }

    /// What its examples have in common, in a sentence.
    pub fn told(self) -> &'static str {
        match self {
            Topic::Start => "Short programs with one mistake each, and one without.",
            Topic::C => "Mistakes that C programmers make, and a few programs that are right.",
            Topic::Java => "Classes, exceptions and recursion, as a first course has them.",
            Topic::Memory => "Pointers, lists on the heap, strings and callbacks in C.",
            Topic::Tests => "No assertion: inputs with expected outputs, or a correct solution.",
            Topic::Exercises => "Write the program; the page marks it, and gives hints one by one.",
            Topic::Projections => "Which statements take part in a failure, and which cannot?",
            Topic::Refinement => "Which few facts are enough to prove a program, or to break it?",
            Topic::Causes => "Why does it fail, and what is the closest run that does not?",
            Topic::Threads => "Two threads, and the moment at which one interrupts the other.",
            Topic::Liveness => "What happens again and again, and does every run end?",
            Topic::Pushdown => "Rules over a stack, without a program around them.",
            Topic::FiguresProjection => "Lal, Kidd, Reps, Touili (2007)",
            Topic::FiguresRefinement => {
                "Counterexample-guided abstraction refinement for symbolic pushdown systems (thesis)"
            }
            Topic::FiguresCauses => {
                "Ball, Naik, Rajamani (2003). Fig. 7 is a table of Windows drivers, whose source is not public."
            }
            Topic::FiguresFocus => {
                "Error explanation by focus-statement sequences. Fig. 3 and 4 are one example; Fig. 5, 6 and 8 are an algorithm and drawings."
            }
            Topic::FiguresThreads => {
                "Lal, Touili, Kidd, Reps (2007). Figures 2, 6, 8 and 9 are drawings of rules, paths and products, without a program."
            }
        }
    }

    /// Are its examples figures of one of the five papers?
    pub fn is_of_a_paper(self) -> bool {
        matches!(
            self,
            Topic::FiguresProjection
                | Topic::FiguresRefinement
                | Topic::FiguresCauses
                | Topic::FiguresFocus
                | Topic::FiguresThreads
        )
    }
}
