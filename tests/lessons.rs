//! The lessons of `static/lessons`: every program loads, every prediction has an answer of the
//! engine, also for a program that was changed, and every "try" is open at first and done by its
//! solution. The answers are written to `tests/golden/lessons/answers.json`, which the browser test
//! compares with what the page reveals; the changes are in `tests/golden/lessons/changes.json`.
//!
//! The page has the one reader of lessons (`static/lesson_panel/reader.js`), which reports what is
//! wrong with a text. Here is only as much reading as the tests need.
#![allow(clippy::unwrap_used)]

use expect_test::expect_file;
use faultline::report::unrolling;
use faultline::session::Session;
use faultline::wire::lab::{LabOptions, LabTask};
use faultline::wire::options::RequestedOptions;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// The fields of a directive, in order.
type Fields = Vec<(String, String)>;

#[derive(Default)]
struct Step {
    shows: Fields,
    tries: Vec<Fields>,
    predicts: Vec<Fields>,
}

struct Lesson {
    name: String,
    programs: BTreeMap<String, (String, String)>,
    steps: Vec<Step>,
}

/// What a step has in the page: the text, its extension, and what is set besides.
#[derive(Clone, Default)]
struct Shown {
    text: String,
    extension: String,
    set: BTreeMap<String, String>,
    /// Of an example: where its tab Tests opens.
    tests_place: Value,
}

fn folder(name: &str) -> PathBuf {
    Path::new("static").join(name)
}

/// What the gallery says of the tests and the reference of an example.
fn tests_place(example: &str) -> Value {
    let list = std::fs::read_to_string(folder("examples").join("index.json")).unwrap();
    let list: Vec<Value> = serde_json::from_str(&list).unwrap();
    let entry = list.into_iter().find(|entry| entry["file"] == example).unwrap();
    entry["tests"].clone()
}

fn lessons() -> Vec<Lesson> {
    let entries = std::fs::read_dir(folder("lessons")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Lesson {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut lesson = Lesson { name, programs: BTreeMap::new(), steps: Vec::new() };
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("## ") {
            lesson.steps.push(Step::default());
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let step = lesson.steps.last_mut().expect("a step comes first");
        if let Some((language, name)) = info.split_once(" program ") {
            let program = (body.join("\n") + "\n", language.to_string());
            lesson.programs.insert(name.into(), program);
        } else {
            let fields = body.iter().map(|field| {
                let (key, value) = field.split_once(": ").expect("key: value");
                (key.to_string(), value.to_string())
            });
            match info {
                "show" => step.shows = fields.collect(),
                "try" => step.tries.push(fields.collect()),
                "predict" => step.predicts.push(fields.collect()),
                _ => panic!("{}: {info}", lesson.name),
            }
        }
    }
    lesson
}

impl Lesson {
    /// What the page has at each step, if nobody changes it.
    fn shown(&self) -> Vec<Shown> {
        let mut now = Shown::default();
        let mut all = Vec::new();
        for step in &self.steps {
            for (key, value) in &step.shows {
                match key.as_str() {
                    "program" => {
                        let (text, extension) = self.programs[value].clone();
                        now = Shown { text, extension, ..Shown::default() };
                    }
                    "example" => {
                        let text = std::fs::read_to_string(folder("examples").join(value)).unwrap();
                        let extension = value.rsplit_once('.').unwrap().1.to_string();
                        let tests_place = tests_place(value);
                        now = Shown { text, extension, tests_place, ..Shown::default() };
                    }
                    _ => {
                        now.set.insert(key.clone(), value.clone());
                    }
                }
            }
            all.push(now.clone());
        }
        all
    }
}

impl Shown {
    fn set(&self, key: &str) -> Option<&str> {
        self.set.get(key).map(String::as_str)
    }

    fn solved(mut self, solution: &str) -> Shown {
        if let Some(edit) = solution.strip_prefix("replace `") {
            let (old, new) = edit.strip_suffix('`').unwrap().split_once("` by `").unwrap();
            let (old, new) = (old.replace("\\n", "\n"), new.replace("\\n", "\n"));
            assert!(self.text.contains(&old), "{old} is not in\n{}", self.text);
            self.text = self.text.replacen(&old, &new, 1);
        } else if !solution.starts_with("press `") {
            let (key, value) = solution.strip_prefix("set ").unwrap().split_once(" = ").unwrap();
            self.set.insert(key.into(), value.into());
        }
        self
    }

    /// What the command says, as JSON.
    fn said(&self, arguments: &[&str]) -> Value {
        self.said_of(arguments, Path::new(""))
    }

    /// The same with one more file.
    fn said_of(&self, arguments: &[&str], other: &Path) -> Value {
        let name = format!("lesson-{:?}.{}", std::thread::current().id(), self.extension);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, &self.text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_faultline"));
        command.args(arguments).args(["--format", "json"]).arg(&path);
        if other != Path::new("") {
            command.arg(other);
        }
        let output = command.output().unwrap();
        let problem = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{problem}\n{}", self.text))
    }

    fn projection(&self) -> Value {
        self.said(&["projection", "--method", self.set("method").unwrap_or("functional")])
    }

    fn refinement(&self) -> Value {
        self.refinement_with(&["cegar"])
    }

    fn refinement_with(&self, arguments: &[&str]) -> Value {
        match self.set("refinement.ask.interpolants") {
            Some(word) => self.said(&[arguments, &["--interpolants", word]].concat()),
            None => self.said(arguments),
        }
    }

    fn liveness(&self) -> Value {
        let is_formula = self.text.contains("//! ltl");
        self.said(&[if is_formula { "ltl" } else { "terminates" }])
    }

    fn tests(&self) -> Value {
        self.said(&["test", "--compare", "lines"])
    }

    /// The first test that does not pass.
    fn first_wrong(&self) -> Value {
        let tests = self.tests()["tests"].as_array().unwrap().clone();
        tests.into_iter().find(|test| test["result"] != "passed").unwrap_or(Value::Null)
    }

    /// Does the program do what its reference does? The gallery has the reference.
    fn differs(&self) -> Value {
        let place = &self.tests_place;
        let name = format!("reference-{:?}.c", std::thread::current().id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, place["reference"].as_str().unwrap()).unwrap();
        let domain = place["domain"].as_str().unwrap();
        let said = self.said_of(&["equivalent", "--compare", "lines", "--input", domain], &path);
        said["verdict"].clone()
    }

    /// A fact of the list in `docs/lessons.md`; null where the engine has none. None: it is about
    /// the page and not about the program.
    fn fact(&self, name: &str) -> Option<Value> {
        if let Some((which, line)) = name.strip_suffix(')').and_then(|name| name.split_once('(')) {
            let line: u64 = line.parse().unwrap();
            let nodes = self.refinement_with(&["cegar", "--explain"])["interpolants"]
                .as_array()
                .unwrap()
                .clone();
            let at = nodes.iter().filter(|node| node["line"] == line && node["round"] == 1);
            let texts: Vec<Value> = at.map(|node| node[which]["text"].clone()).collect();
            return Some(json!(texts));
        }
        if let Some(variable) = name.strip_prefix("effect-") {
            let report = self.projection();
            let words = report["pushdown"]["effect"]["words"].as_str().unwrap_or_default();
            let start = format!("{variable}'");
            let found = words.split(", ").find(|words| words.starts_with(&start));
            return Some(found.map_or(Value::Null, |words| json!(words)));
        }
        Some(match name {
            "verdict" => self.projection()["verdict"].clone(),
            "error" => self.projection()["error"]["kind"].clone(),
            "fails" => self.projection()["error"]["line"].clone(),
            "length" => json!(self.projection()["trace"].as_array().map(Vec::len)),
            "lit" => self.projection()["projection"]["lines"].clone(),
            "weight" => self.projection()["pushdown"]["weight"].clone(),
            "transitions" => {
                let report = self.said(&["pds"]);
                json!(report["automata"][0]["transitions"].as_array().map(Vec::len))
            }
            "unrolled" => {
                let requested = RequestedOptions::default();
                let (session, _) = Session::load(&self.text, &requested);
                let options = session.options();
                let asked = LabOptions { task: LabTask::Unrolling, ..LabOptions::default() };
                let never = Rc::new(|| false);
                let report = unrolling(&self.text, &requested, options, asked, never);
                json!(report.bounds.last().map(|last| last.bound))
            }
            "refinement" => self.refinement()["verdict"].clone(),
            "rounds" => json!(self.refinement()["rounds"].as_array().map(Vec::len)),
            "spurious" => {
                let round: usize = self.set("refinement.round").unwrap().parse().unwrap();
                let is_spurious = &self.refinement()["rounds"][round - 1]["spurious"];
                json!(if *is_spurious == json!(true) { "spurious" } else { "real" })
            }
            "cause" => self.said(&["localize"])["causes"][0]["lines"].clone(),
            "focus" => {
                let found = self.said(&["focus"])["sequences"][0]["lines"].clone();
                let mut lines: Vec<u64> = serde_json::from_value(found).unwrap();
                lines.sort_unstable();
                lines.dedup();
                json!(lines)
            }
            "threads" => {
                let bound = self.set("threads.ask.bound").unwrap_or("rising");
                self.said(&["threads", "--switches", bound])["verdict"].clone()
            }
            "switches" => self.said(&["threads", "--switches", "rising"])["switches"].clone(),
            "liveness" => self.liveness()["verdict"].clone(),
            "tests" => self.tests()["verdict"].clone(),
            "passed" => {
                let tests = self.tests()["tests"].as_array().unwrap().clone();
                json!(tests.iter().filter(|test| test["result"] == "passed").count())
            }
            "wrong-line" => self.first_wrong()["line"].clone(),
            "ends" => self.tests()["tests"][0]["result"].clone(),
            "differs" => self.differs(),
            "cycle" => {
                let lasso = self.liveness()["lasso"]["cycle"].clone();
                let lines = lasso.as_array().unwrap().iter().map(|entry| &entry["line"]);
                let mut lines: Vec<u64> = lines.map(|line| line.as_u64().unwrap()).collect();
                lines.sort_unstable();
                lines.dedup();
                json!(lines)
            }
            "grows" => json!(self.liveness()["lasso"]["grows"].as_array().map(Vec::len)),
            _ => return None,
        })
    }

    /// Is a condition true? None: it is about the page.
    fn holds(&self, condition: &str) -> Option<bool> {
        let is = [" != ", " <= ", " >= ", " = ", " has "]
            .into_iter()
            .find(|is| condition.split_once(is).is_some_and(|(fact, _)| !fact.contains(' ')))?;
        let (fact, value) = condition.split_once(is)?;
        // Innocent is what is not lit.
        if fact == "innocent" {
            return self.holds(&format!("lit has {value}")).map(|lit| !lit);
        }
        let found = self.fact(fact)?;
        let words = |value: &Value| value.to_string().trim_matches('"').to_string();
        Some(match is {
            " = " => words(&found) == value,
            " != " => words(&found) != value,
            " has " => found.as_array().is_some_and(|all| all.iter().any(|v| words(v) == value)),
            " <= " => found.as_f64()? <= value.parse().ok()?,
            _ => found.as_f64()? >= value.parse().ok()?,
        })
    }
}

fn values<'a>(fields: &'a Fields, key: &str) -> Vec<&'a str> {
    fields.iter().filter(|(k, _)| k == key).map(|(_, value)| value.as_str()).collect()
}

#[test]
fn there_are_sixteen_with_two_predictions_each_and_something_to_try() {
    let lessons = lessons();
    assert_eq!(lessons.len(), 16);
    for lesson in lessons {
        let predicts: usize = lesson.steps.iter().map(|step| step.predicts.len()).sum();
        let tries: usize = lesson.steps.iter().map(|step| step.tries.len()).sum();
        assert!(predicts >= 2 && tries >= 1, "{}: {predicts}, {tries}", lesson.name);
    }
}

#[test]
fn every_prediction_has_an_answer_of_the_engine() {
    let mut answers = BTreeMap::new();
    let changes: BTreeMap<String, Vec<(String, String)>> =
        serde_json::from_str(include_str!("golden/lessons/changes.json")).unwrap();
    let mut others = 0;
    for lesson in lessons() {
        for (k, (step, shown)) in lesson.steps.iter().zip(lesson.shown()).enumerate() {
            for predict in &step.predicts {
                let place = format!("{}, step {}", lesson.name, k + 1);
                let [fact] = values(predict, "answer")[..] else { panic!("{place}: one answer") };
                let answer = shown.fact(fact).unwrap_or_else(|| panic!("{place}: {fact}"));
                let is_there = !answer.is_null() && answer != json!([]);
                assert!(is_there, "{place}: the engine has no {fact}");
                if let [choices] = values(predict, "choices")[..] {
                    let answer = answer.get(0).unwrap_or(&answer).as_str().unwrap_or_default();
                    let offered = choices.split('|').any(|choice| choice.trim() == answer);
                    assert!(offered, "{place}: {answer} is none of {choices}");
                }
                let mut changed = shown.clone();
                for (old, new) in &changes[&place] {
                    assert!(changed.text.contains(old), "{place}: {old}");
                    changed.text = changed.text.replacen(old, new, 1);
                }
                let other = changed.fact(fact).unwrap();
                assert!(!other.is_null() && other != json!([]), "{place}: no {fact} when changed");
                others += usize::from(other != answer);
                let row = json!({ "fact": fact, "answer": answer, "changed": other });
                answers.insert(place, row);
            }
        }
    }
    assert!(answers.len() >= 24, "{}", answers.len());
    assert_eq!(others, answers.len(), "each answer is another one after the change");
    let text = serde_json::to_string_pretty(&answers).unwrap() + "\n";
    expect_file!["golden/lessons/answers.json"].assert_eq(&text);
}

#[test]
fn every_try_is_open_at_first_and_done_by_its_solution() {
    let mut checked = 0;
    for lesson in lessons() {
        for (step, shown) in lesson.steps.iter().zip(lesson.shown()) {
            for tried in &step.tries {
                let until = values(tried, "until");
                let solution = values(tried, "solution");
                let place = format!("{}: {until:?}", lesson.name);
                assert!(!solution.is_empty(), "{place} has no solution");
                let solved = solution.iter().fold(shown.clone(), |shown, one| shown.solved(one));
                // What is about the page the browser test does.
                let before: Vec<bool> = until.iter().filter_map(|c| shown.holds(c)).collect();
                if before.len() == until.len() {
                    assert!(before.contains(&false), "{place} is done at first");
                }
                for condition in until {
                    let Some(holds) = solved.holds(condition) else { continue };
                    assert!(holds, "{place} is not done by {solution:?}\n{}", solved.text);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 15, "{checked}");
}
