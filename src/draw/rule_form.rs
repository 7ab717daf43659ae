//! Rules that people often want, as forms: a form with the calls that it is about gives the text of
//! a rule (`docs/specifications.md`, "Rules"), which stands in a comment of the program.

use std::fmt::Write;

/// What a rule says of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleForm {
    /// No second A.
    #[default]
    NeverTwice,
    /// No B without an A before it.
    Before,
    /// Behind every A there is a B before the program ends.
    Follows,
    /// No A once there was a B.
    NeverAfter,
    /// A between a `lock` and an `unlock` only.
    OnlyWhile,
}

impl RuleForm {
    /// All of them.
    pub const ALL: [RuleForm; 5] = [
        RuleForm::NeverTwice,
        RuleForm::Before,
        RuleForm::Follows,
        RuleForm::NeverAfter,
        RuleForm::OnlyWhile,
    ];

    /// The sentence that it stands for.
    pub fn name(self) -> &'static str {
        match self {
            RuleForm::NeverTwice => "A never twice",
            RuleForm::Before => "A before B",
            RuleForm::Follows => "B follows A before the end",
            RuleForm::NeverAfter => "never A after B",
            RuleForm::OnlyWhile => "A only between B and C",
        }
    }

    /// How many calls it is about.
    pub fn calls(self) -> usize {
        match self {
            RuleForm::NeverTwice => 1,
            RuleForm::Before | RuleForm::Follows | RuleForm::NeverAfter => 2,
            RuleForm::OnlyWhile => 3,
        }
    }
}

/// A form that is filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilledForm {
    /// Which.
    pub form: RuleForm,
    /// A, B and C: a procedure's name (`close`), or a call with its arguments (`close(file, _)`).
    pub calls: [String; 3],
    /// The argument whose objects have an automaton each; empty: there is one automaton.
    pub object: String,
}

impl FilledForm {
    /// The rule; `None` while a call is missing.
    pub fn rule(&self) -> Option<String> {
        let [a, b, c] = [0, 1, 2].map(|k| self.calls[k].trim());
        if self.calls.iter().take(self.form.calls()).any(|call| call.trim().is_empty()) {
            return None;
        }
        let (call_a, call_b, call_c) = (self.call(a), self.call(b), self.call(c));
        let (a, b, c) = (name(a), name(b), name(c));
        let (title, lines) = match self.form {
            RuleForm::NeverTwice => (
                format!("{a} never twice"),
                vec![
                    "start fresh".to_string(),
                    format!("fresh: {call_a} -> once"),
                    format!("once: {call_a} -> error \"{a} twice\""),
                ],
            ),
            RuleForm::Before => (
                format!("{a} before {b}"),
                vec![
                    "start before".to_string(),
                    "state after".to_string(),
                    format!("before: {call_a} -> after"),
                    format!("before: {call_b} -> error \"{b} without {a} before it\""),
                ],
            ),
            RuleForm::Follows => (
                format!("{b} follows {a}"),
                vec![
                    "start idle".to_string(),
                    format!("idle: {call_a} -> due"),
                    format!("due: {call_b} -> idle"),
                    format!("due: at exit -> error \"no {b} after {a}\""),
                ],
            ),
            RuleForm::NeverAfter => (
                format!("never {a} after {b}"),
                vec![
                    "start before".to_string(),
                    format!("before: {call_b} -> after"),
                    format!("after: {call_a} -> error \"{a} after {b}\""),
                ],
            ),
            RuleForm::OnlyWhile => (
                format!("{a} only between {b} and {c}"),
                vec![
                    "start outside".to_string(),
                    format!("outside: {call_b} -> inside"),
                    format!("inside: {call_c} -> outside"),
                    format!("outside: {call_a} -> error \"{a} outside of {b} and {c}\""),
                ],
            ),
        };
        let object = match self.object.trim() {
            "" => String::new(),
            object => format!(" for {object}"),
        };
        let mut text = format!("rule \"{title}\"{object}\n");
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "  {line}");
        });
        Some(text)
    }

    /// The program with the rule in a comment behind it, where it moves no line.
    pub fn added_to(&self, program: &str) -> Option<String> {
        let rule = self.rule()?;
        let end = if program.is_empty() || program.ends_with('\n') { "" } else { "\n" };
        Some(format!("{program}{end}/*! {rule}*/\n"))
    }

    /// A call as a rule has it.
    fn call(&self, text: &str) -> String {
        match (text.ends_with(')'), self.object.trim()) {
            (true, _) => text.to_string(),
            (false, "") => format!("{text}(...)"),
            (false, object) => format!("{text}({object})"),
        }
    }
}

/// The procedure of a call.
fn name(call: &str) -> &str {
    call.split('(').next().unwrap_or(call).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Budgets, Job, Outcome, Session, Task};
    use crate::wire::error_kind::ErrorKind;
    use crate::wire::options::{Dialect, RequestedOptions};

    fn outcome(form: &FilledForm, body: &str) -> (Outcome, Option<ErrorKind>) {
        let program = format!(
            "struct file {{ int n; }};\nvoid use(struct file *f);\nvoid begin(struct file *f);\n\
             void end(struct file *f);\nint main(void) {{\n  struct file f, g;\n  {body}\n  return 0;\n}}"
        );
        let source = form.added_to(&program).expect("all calls are given");
        let requested =
            RequestedOptions { dialect: Some(Dialect::C), ..RequestedOptions::default() };
        let (mut session, found) = Session::load(&source, &requested);
        assert!(session.program().is_some(), "{found:?}\n{source}");
        session.start(Task::Check, Budgets::default());
        session.run();
        (session.outcome(), session.failing_run().map(|run| run.check.kind))
    }

    #[test]
    fn each_form_is_broken_by_what_it_forbids_and_by_nothing_else() {
        let cases = [
            (RuleForm::NeverTwice, "use(&f); use(&f);", "use(&f); use(&g);"),
            (RuleForm::Before, "use(&g); begin(&f);", "use(&f); begin(&f); begin(&f);"),
            (RuleForm::Follows, "use(&f); begin(&g);", "use(&f); begin(&f);"),
            (RuleForm::NeverAfter, "begin(&f); use(&f);", "use(&f); begin(&f); use(&g);"),
            (RuleForm::OnlyWhile, "begin(&f); end(&f); use(&f);", "begin(&f); use(&f); end(&f);"),
        ];
        for (form, broken, kept) in cases {
            let calls = ["use".to_string(), "begin".into(), "end".into()];
            let filled = FilledForm { form, calls, object: "f".into() };
            assert_eq!(
                outcome(&filled, broken),
                (Outcome::Unsafe, Some(ErrorKind::Rule)),
                "{form:?}"
            );
            assert_eq!(outcome(&filled, kept), (Outcome::Safe, None), "{form:?}");
        }
    }

    #[test]
    fn without_an_object_all_calls_count() {
        let calls = ["use(_)".to_string(), String::new(), String::new()];
        let filled = FilledForm { calls, ..FilledForm::default() };
        assert_eq!(outcome(&filled, "use(&f); use(&g);").0, Outcome::Unsafe);
        assert_eq!(FilledForm::default().rule(), None, "a call is missing");
    }
}
