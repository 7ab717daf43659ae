//! What the page knows of tests: what they are, how they went, which hints are open; and the
//! reference.

use super::exercise::{Doing, Draft, ExerciseEvent};
use super::stepping::Stepping;
use crate::draw::rule_form::{FilledForm, RuleForm};
use crate::ui::state::effect::Effect;
use crate::ui::state::model::Model;
use crate::ui::state::paint::Paint;
use crate::ui::state::question::Question;
use crate::ui::state::shared::Shared;
use crate::wire::permalink::{TestRunPlace, TestsPlace};
use crate::wire::protocol::Request;
use crate::wire::testing::{
    ComparedAnswer, EquivalentRequest, TestResult, TestText, TestsAnswer, TestsRequest, TestsView,
};
use std::collections::BTreeSet;

/// The word of the tab.
pub(super) const WORD: &str = "tests";
/// How outputs are compared unless somebody chooses: a person who types an expected output does not
/// see white space at the ends of lines.
pub(super) const COMPARE: &str = "lines";
/// How a test in a comment of the program begins.
const IN_COMMENT: &str = "/*! test";

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TestsEvent {
    /// One more test.
    Add,
    /// One less.
    Remove(usize),
    /// A test is called so now.
    Name(usize, String),
    /// It reads this now.
    Input(usize, String),
    /// It should print this now.
    Expected(usize, String),
    /// Files were chosen: their names and texts.
    Files(Vec<(String, String)>),
    /// How outputs are compared.
    Compare(String),
    /// Run the tests.
    Run,
    /// Show this row, or no longer.
    Row(usize),
    /// Step through the run of this row.
    Step(usize),
    /// No longer.
    LeaveRun,
    /// Show the lines that may be wrong.
    Suspects,
    /// Show the kind of this suspect's mistake.
    Kind(usize),
    /// Show this suspect's change.
    Change(usize),
    /// The reference is this now.
    Reference(String),
    /// The inputs that count are these now.
    Domain(String),
    /// Look for an input on which both differ.
    Differ,
    /// Make a test of it.
    Keep,
    /// What is done with an exercise.
    Exercise(ExerciseEvent),
    /// What is done with the form of a rule.
    Rule(RuleEvent),
}

/// What is done with the form of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RuleEvent {
    Form(RuleForm),
    /// A call, by its place.
    Call(usize, String),
    Object(String),
    /// Put the rule into the program.
    Add,
}

/// A question that is asked when somebody wants it.
#[derive(Default)]
pub(crate) struct Asked {
    pub(crate) work: Question<()>,
    wanted: bool,
}

impl Asked {
    /// Is it wanted, and has it no answer for the present program yet?
    fn is_due(&self) -> bool {
        self.wanted && self.work.is_due()
    }

    /// It is wanted anew.
    fn want(&mut self, model: &mut Model) {
        model.restart(&mut self.work);
        self.wanted = true;
    }

    /// Nobody wants it any more.
    fn forget(&mut self) {
        *self = Asked::default();
    }
}

/// All of it.
#[derive(Default)]
pub(crate) struct Tests {
    pub(crate) tests: Vec<TestText>,
    /// Empty: as usual.
    compare: String,
    pub(crate) reference: String,
    pub(crate) domain: String,
    /// The form of a rule.
    pub(crate) rule: FilledForm,
    /// How the tests went.
    pub(crate) found: Option<Shared<TestsAnswer>>,
    /// What was asked when they were run.
    asked: Option<TestsPlace>,
    /// The row that is open.
    pub(crate) row: Option<usize>,
    /// The suspects whose kind is shown, and those whose change is.
    pub(crate) kinds: BTreeSet<usize>,
    pub(crate) changes: BTreeSet<usize>,
    /// The answer about the reference, and what was asked.
    pub(crate) compared: Option<Shared<ComparedAnswer>>,
    compared_with: Option<TestsPlace>,
    /// Dim is what no test executes.
    pub(super) paint: Shared<Paint>,
    /// Nothing is painted where that is not known of the present program.
    pub(super) no_paint: Shared<Paint>,
    pub(crate) running: Asked,
    pub(crate) explaining: Asked,
    pub(crate) comparing: Asked,
    pub(crate) stepping: Stepping,
    /// The exercise that the program is a try of.
    pub(crate) doing: Option<Doing>,
    /// An exercise that is being made.
    pub(crate) draft: Option<Draft>,
    /// The run that a link shows, once the tests were run.
    pub(super) linked: Option<TestRunPlace>,
}

impl Tests {
    /// How outputs are compared.
    pub(crate) fn compare(&self) -> &str {
        if self.compare.is_empty() { COMPARE } else { &self.compare }
    }

    /// Is there a test, here or in a comment of the program?
    pub(crate) fn has_tests(&self, source: &str) -> bool {
        let hidden = self.doing.as_ref().is_some_and(|doing| !doing.exercise.hidden.is_empty());
        hidden || source.contains(IN_COMMENT) || self.tests.iter().any(|test| !test.is_blank())
    }

    /// Asks what is due.
    pub(super) fn analyse(&mut self, model: &mut Model) {
        self.recall(model);
        // A Run asks for the tests, too.
        self.running.wanted |= model.wanted && self.found.is_none();
        self.comparing.wanted |= self.has_to_agree();
        let due = [&self.running, &self.explaining, &self.comparing].map(Asked::is_due);
        if due == [false; 3] || !model.ready_for_text(WORD) {
            return;
        }
        if due[0] && self.has_tests(&model.source) {
            let id = model.send(Request::Tests { ask: Box::new(self.request(model, false)) });
            self.asked = Some(self.question());
            self.explaining.forget();
            self.running.work.begin(id, ());
        } else if due[1] {
            let id = model.send(Request::Tests { ask: Box::new(self.request(model, true)) });
            self.explaining.work.begin(id, ());
        }
        if due[2] {
            let TestsRequest { source, tests, compare, .. } = self.request(model, false);
            let (reference, domain) = (self.solution().to_string(), self.domain.clone());
            let ask = EquivalentRequest { source, reference, domain, tests, compare };
            let id = model.send(Request::Equivalent { ask: Box::new(ask) });
            self.compared_with = Some(self.place());
            self.comparing.work.begin(id, ());
        }
    }

    fn request(&self, model: &Model, explain: bool) -> TestsRequest {
        TestsRequest {
            source: model.source.clone(),
            tests: self.tests.iter().filter(|test| !test.is_blank()).map(TestText::ended).collect(),
            compare: self.compare().to_string(),
            explain,
            hidden: self.doing.as_ref().map_or(Vec::new(), |doing| doing.exercise.hidden.clone()),
            reference: self.doing.as_ref().map_or("", |doing| &doing.exercise.reference).into(),
        }
    }

    /// Runs the tests. False if there is none.
    pub(super) fn run(&mut self, model: &mut Model) -> bool {
        if !self.has_tests(&model.source) {
            return false;
        }
        // What is on its way already is not asked for once more.
        let is_asked = self.asked.as_ref() == Some(&self.question());
        if !is_asked || !self.running.work.is_busy() {
            self.running.want(model);
        }
        self.analyse(model);
        true
    }

    /// Ranks lines and tries changes.
    pub(super) fn explain(&mut self, model: &mut Model) {
        self.explaining.want(model);
        self.analyse(model);
    }

    /// Looks for an input on which program and reference differ.
    pub(super) fn differ(&mut self, model: &mut Model) {
        if !self.solution().trim().is_empty() {
            self.comparing.want(model);
            self.analyse(model);
        }
    }

    /// The worker's answer about tests. False if it was not waited for.
    pub(super) fn told(&mut self, id: u32, answer: TestsAnswer) -> bool {
        if self.running.work.tell(id).is_some() {
            self.close_hints();
            self.leave_run();
            let failed = |found: &TestsView| {
                found.tests.iter().position(|test| test.result != TestResult::Passed)
            };
            self.row = match &answer {
                TestsAnswer::Report(found) => failed(found),
                TestsAnswer::Refused(_) => None,
            };
        } else if self.explaining.work.tell(id).is_none() {
            return false;
        }
        let dim = match &answer {
            TestsAnswer::Report(found) => found.missed.clone(),
            TestsAnswer::Refused(_) => Vec::new(),
        };
        self.paint = Shared::new(Paint { dim, ..Paint::default() });
        self.found = Some(Shared::new(answer));
        true
    }

    /// The worker's answer about the reference. False if it was not waited for.
    pub(super) fn told_of_reference(&mut self, id: u32, answer: ComparedAnswer) -> bool {
        let awaited = self.comparing.work.tell(id).is_some();
        if awaited {
            self.compared = Some(Shared::new(answer));
        }
        awaited
    }

    /// Fills the form of a rule in, or puts the rule into the program.
    pub(super) fn rule_event(&mut self, event: RuleEvent, model: &mut Model) {
        match event {
            RuleEvent::Form(form) => self.rule.form = form,
            RuleEvent::Call(at, call) => {
                if let Some(known) = self.rule.calls.get_mut(at) {
                    *known = call;
                }
            }
            RuleEvent::Object(object) => self.rule.object = object,
            RuleEvent::Add => {
                if let Some(text) = self.rule.added_to(&model.source) {
                    model.effect(Effect::Edit(text));
                }
            }
        }
    }

    /// Puts the input on which both differ among the tests.
    pub(super) fn keep(&mut self) {
        let Some(ComparedAnswer::Report(found)) = self.compared.as_deref() else { return };
        let Some(test) = &found.test else { return };
        let (input, expected) = (test.input.clone(), test.expected.clone());
        if self.is_kept(&input) {
            return;
        }
        let name = self.free_name("difference");
        self.tests.push(TestText { name, input, expected });
    }

    /// Is there a test with this input?
    pub(crate) fn is_kept(&self, input: &str) -> bool {
        self.tests.iter().any(|test| test.input == input)
    }

    /// One more test, empty.
    pub(super) fn add(&mut self) {
        let name = self.free_name("test");
        self.tests.push(TestText { name, ..TestText::default() });
    }

    fn free_name(&self, stem: &str) -> String {
        let is_free = |name: &String| self.tests.iter().all(|test| test.name != *name);
        let names = (1..=self.tests.len() + 1).map(|k| format!("{stem} {k}"));
        names.into_iter().find(is_free).unwrap_or_else(|| stem.to_string())
    }

    /// Takes tests from files. A test of the same name is replaced.
    pub(super) fn take(&mut self, files: Vec<(String, String)>) {
        self.tests.retain(|test| !test.is_blank());
        for test in paired(files) {
            match self.tests.iter_mut().find(|old| old.name == test.name) {
                Some(old) => *old = test,
                None => self.tests.push(test),
            }
        }
    }

    /// A text of a test is another one.
    pub(super) fn set(&mut self, at: usize, set: impl FnOnce(&mut TestText)) {
        if let Some(test) = self.tests.get_mut(at) {
            set(test);
        }
    }

    /// Takes a test away.
    pub(super) fn remove(&mut self, at: usize) {
        if at < self.tests.len() {
            self.tests.remove(at);
        }
    }

    /// Another comparison.
    pub(super) fn choose(&mut self, compare: String) {
        self.compare = if compare == COMPARE { String::new() } else { compare };
    }

    /// Opens a row, or closes it.
    pub(super) fn open(&mut self, row: usize) {
        self.row = if self.row == Some(row) { None } else { Some(row) };
    }

    fn close_hints(&mut self) {
        self.kinds.clear();
        self.changes.clear();
        if let Some(doing) = &mut self.doing {
            doing.close_hints();
        }
    }

    /// Another program is in the editor. The tests stay: they say what it should print, also if it
    /// is pasted once more, or another person's.
    pub(super) fn forget_program(&mut self) {
        (self.found, self.asked, self.row) = (None, None, None);
        (self.compared, self.compared_with) = (None, None);
        self.close_hints();
        self.leave_run();
        self.want_nothing();
    }

    /// What was asked is about an older text.
    pub(super) fn want_nothing(&mut self) {
        self.running.forget();
        self.explaining.forget();
        self.comparing.forget();
    }

    /// For a link.
    pub(super) fn place(&self) -> TestsPlace {
        let (reference, domain) = (self.reference.clone(), self.domain.clone());
        let exercise = self.doing.as_ref().map(|doing| Box::new(doing.exercise.clone()));
        let Stepping { row, step, ref run, .. } = self.stepping;
        let run = run.as_ref().map(|_| TestRunPlace { row: row as u32, step: step as u32 });
        let run = run.or(self.linked);
        TestsPlace { reference, domain, exercise, run, ..self.question() }
    }

    /// What is asked about tests.
    fn question(&self) -> TestsPlace {
        let (tests, compare) = (self.tests.clone(), self.compare.clone());
        TestsPlace { tests, compare, ..TestsPlace::default() }
    }

    /// As a link has it.
    pub(super) fn open_at(&mut self, place: TestsPlace) {
        self.forget_program();
        self.draft = None;
        self.doing = place.exercise.map(|exercise| Doing::new(*exercise));
        (self.tests, self.compare) = (place.tests, place.compare);
        (self.reference, self.domain) = (place.reference, place.domain);
        self.linked = place.run;
    }

    /// Is what was found about other tests than those that stand here now, or about an older text
    /// of the program?
    pub(crate) fn is_stale(&self) -> bool {
        self.running.work.is_stale() || self.asked.as_ref() != Some(&self.question())
    }

    /// The same of the reference. Another test does not matter.
    pub(crate) fn is_comparison_stale(&self) -> bool {
        let key = |place: &TestsPlace| {
            (place.compare.clone(), place.reference.clone(), place.domain.clone())
        };
        let now = key(&self.place());
        self.comparing.work.is_stale() || self.compared_with.as_ref().map(key) != Some(now)
    }

    /// How the tests went.
    pub(crate) fn report(&self) -> Option<&TestsView> {
        match self.found.as_deref()? {
            TestsAnswer::Report(found) => Some(found),
            TestsAnswer::Refused(_) => None,
        }
    }
}

/// Tests from files: `NAME.in` with `NAME.out`, in the order of their names.
fn paired(files: Vec<(String, String)>) -> Vec<TestText> {
    let mut tests: Vec<TestText> = Vec::new();
    let mut files = files;
    files.sort();
    for (file, text) in files {
        let (name, extension) = file.rsplit_once('.').unwrap_or((&file, ""));
        let text = text.replace("\r\n", "\n");
        let at = tests.iter().position(|test| test.name == name).unwrap_or_else(|| {
            tests.push(TestText { name: name.to_string(), ..TestText::default() });
            tests.len() - 1
        });
        match extension {
            "out" | "ans" | "expected" | "output" => tests[at].expected = text,
            _ => tests[at].input = text,
        }
    }
    tests
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use crate::ui::state::State;
    use crate::ui::state::testing::{asked, page, read};
    use crate::ui::tab::Tab;
    use crate::wire::permalink::Permalink;
    use crate::wire::protocol::{Reply, ReplyMessage};
    use crate::wire::testing::{ExecutedRun, TestVerdict, TestView};
    use crate::wire::trace::TraceEntry;

    fn one(name: &str, input: &str, expected: &str) -> TestText {
        TestText { name: name.into(), input: input.into(), expected: expected.into() }
    }

    fn answer(result: TestResult) -> TestsAnswer {
        let test = TestView {
            name: "a".into(),
            result,
            told: Vec::new(),
            line: Some(3),
            closest: Vec::new(),
            input: "1\n".into(),
            expected: "2\n".into(),
            got: "1\n".into(),
            wrong: Some(1),
            wrong_byte: Some(0),
            hidden: false,
        };
        TestsAnswer::Report(TestsView {
            verdict: TestVerdict::Fails,
            headline: "The test fails.".into(),
            tests: vec![test],
            suspects: None,
            covered: String::new(),
            missed: Vec::new(),
            tried: 0,
            only_ranked: false,
            cut: false,
            json: "{}\n".into(),
        })
    }

    /// A page on the tab, with a program that was read.
    fn on_tab() -> State {
        let mut state = page();
        state.show(WORD);
        state.load();
        read(&mut state);
        state.settle();
        state
    }

    fn does(state: &mut State, event: TestsEvent) {
        state.tab_event(WORD, Box::new(event));
    }

    /// The numbers of what is asked about tests, and whether changes are to be tried.
    fn explains(state: &mut State) -> Vec<bool> {
        let asked = asked(state).into_iter();
        let explains = asked.filter_map(|request| match request {
            Request::Tests { ask } => Some(ask.explain),
            _ => None,
        });
        explains.collect()
    }

    fn tell(state: &mut State, answer: TestsAnswer) {
        let (id, answer) = (state.model.worker.requests, Box::new(answer));
        state.reply(ReplyMessage { id, last: true, millis: 1, reply: Reply::Tested { answer } });
    }

    #[test]
    fn tests_are_run_when_somebody_asks_and_an_edit_makes_the_answer_stale() {
        let mut state = on_tab();
        does(&mut state, TestsEvent::Run);
        assert!(explains(&mut state).is_empty(), "there is no test");
        does(&mut state, TestsEvent::Add);
        does(&mut state, TestsEvent::Input(0, "1".into()));
        does(&mut state, TestsEvent::Expected(0, "2".into()));
        assert!(explains(&mut state).is_empty(), "nobody has asked");
        assert!(state.key("Run"), "the key belongs to the tab");
        let sent = asked(&mut state);
        let [Request::Tests { ask }] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!(ask.tests, [one("test 1", "1\n", "2")], "the input's line is ended");
        assert_eq!(ask.compare, "lines");
        assert!(!state.said().working.is_empty());
        tell(&mut state, answer(TestResult::Failed));
        assert_eq!(state.said().headline, "The test fails");
        does(&mut state, TestsEvent::Suspects);
        assert_eq!(explains(&mut state), [true]);
        tell(&mut state, answer(TestResult::Failed));
        assert_eq!(state.said().headline, "The test fails");
        state.edited("main()".into());
        assert_eq!(state.said().headline, "Changed since the last answer");
        state.load();
        read(&mut state);
        assert!(explains(&mut state).is_empty(), "nothing is run by itself");
    }

    #[test]
    fn another_test_makes_the_answer_stale_and_a_pasted_program_keeps_the_tests() {
        let mut tests = Tests { tests: vec![one("a", "1", "2")], ..Tests::default() };
        tests.asked = Some(tests.question());
        tests.running.work.begin(1, ());
        assert!(tests.told(1, answer(TestResult::Failed)) && !tests.is_stale());
        assert_eq!(tests.row, Some(0), "what failed is open");
        tests.set(0, |test| test.expected = "3".into());
        assert!(tests.is_stale());
        tests.forget();
        assert!(tests.found.is_none() && tests.tests.len() == 1);
    }

    #[test]
    fn a_failed_test_is_stepped_through_from_where_it_goes_wrong() {
        let mut state = on_tab();
        does(&mut state, TestsEvent::Add);
        does(&mut state, TestsEvent::Input(0, "1".into()));
        does(&mut state, TestsEvent::Run);
        tell(&mut state, answer(TestResult::Failed));
        asked(&mut state);
        does(&mut state, TestsEvent::Step(0));
        let sent = asked(&mut state);
        let [Request::Execute { ask }] = &sent[..] else { panic!("{sent:?}") };
        assert_eq!((ask.input.as_str(), ask.until), ("1\n", Some(0)));
        let entry = |line| TraceEntry { line, ..TraceEntry::default() };
        let run =
            ExecutedRun { trace: vec![entry(2), entry(3)], whole: true, ..Default::default() };
        let (id, run) = (state.model.worker.requests, Box::new(Some(run)));
        state.reply(ReplyMessage { id, last: true, millis: 1, reply: Reply::Executed { run } });
        let timeline = state.tab().timeline(&state.model).expect("there is a run");
        assert_eq!((timeline.step, timeline.count), (1, 2), "the last step is shown first");
        assert_eq!(state.tab().current_line(&state.model), 3);
        let last = state.tab().entry(1, &state.model).expect("a step");
        assert_eq!(last.marks, [("fails-here", "goes wrong")]);
        state.edited("main()".into());
        assert!(state.tab().timeline(&state.model).is_none(), "it is another program's run");
    }

    #[test]
    fn a_link_restores_the_step_of_a_run() {
        let mut tests = Tests { tests: vec![one("a", "1", "2")], ..Tests::default() };
        tests.stepping.run = Some(Shared::new(ExecutedRun::default()));
        tests.stepping.step = 1;
        let mut link = Permalink { view: WORD.into(), ..Permalink::default() };
        tests.present(&mut link);
        let mut state = on_tab();
        assert!(state.restore(link.clone()));
        let place = state.present().place::<TestsPlace>(WORD);
        assert_eq!(place, link.place(WORD), "before it is run");
        does(&mut state, TestsEvent::Run);
        tell(&mut state, answer(TestResult::Failed));
        let sent = asked(&mut state);
        assert!(matches!(sent[..], [.., Request::Execute { .. }]), "{sent:?}");
        let trace = vec![TraceEntry::default(); 3];
        let run = ExecutedRun { trace, whole: true, ..Default::default() };
        let (id, run) = (state.model.worker.requests, Box::new(Some(run)));
        state.reply(ReplyMessage { id, last: true, millis: 1, reply: Reply::Executed { run } });
        let timeline = state.tab().timeline(&state.model).expect("there is a run");
        assert_eq!((timeline.step, timeline.count), (1, 3));
        // A second answer shows the run no more.
        does(&mut state, TestsEvent::Run);
        tell(&mut state, answer(TestResult::Failed));
        assert!(state.tab().timeline(&state.model).is_none());
    }

    #[test]
    fn a_link_holds_tests_and_reference() {
        let mut tests = Tests::default();
        assert_eq!(tests.place(), TestsPlace::default());
        tests.add();
        tests.set(0, |test| test.expected = "2".into());
        tests.choose("words".into());
        (tests.reference, tests.domain) = ("int main".into(), "n in 1..3".into());
        let mut link = Permalink::default();
        tests.present(&mut link);
        let mut other = Tests { tests: vec![one("b", "", "1")], ..Tests::default() };
        assert!(other.restore(&link));
        assert_eq!((other.place(), other.compare()), (tests.place(), "words"));
        assert!(other.restore(&Permalink::default()));
        assert_eq!(other.place(), TestsPlace::default(), "a link without tests has none");
    }

    #[test]
    fn files_are_paired_by_name_and_replace_tests_of_the_same_name() {
        let file = |name: &str, text: &str| (name.to_string(), text.to_string());
        let mut tests =
            Tests { tests: vec![one("b", "0", "0"), one("", "", "")], ..Tests::default() };
        let b = [file("b.out", "2\r\n"), file("b.in", "1\r\n")];
        tests.take(b.into_iter().chain([file("a.1.ans", "x\n")]).collect());
        assert_eq!(tests.tests, [one("b", "1\n", "2\n"), one("a.1", "", "x\n")]);
        tests.add();
        assert_eq!(tests.tests[2].name, "test 1");
    }
}
