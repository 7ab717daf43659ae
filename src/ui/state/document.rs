//! The answer as one HTML document, with the picture as it is folded and the step that is shown.

use super::State;
use super::effect::Effect;
use crate::draw::document::{Document, document};
use crate::draw::fold::WHOLE;
use crate::wire::invariant::InvariantReport;
use crate::wire::protocol::Request;
use crate::wire::report::Report;

impl State {
    /// Makes the document of the answer that is shown. Of a safe program the worker first tells
    /// what always holds.
    pub(crate) fn ask_document(&mut self) {
        match self.model.inspectable() {
            Some(answer) if answer.report.proof.is_some() => {
                self.model.send(Request::Invariants);
            }
            _ => self.save_document(None),
        }
    }

    /// Hands the document over.
    pub(super) fn save_document(&mut self, invariant: Option<Vec<InvariantReport>>) {
        let Some(answer) = self.model.inspectable() else { return };
        let (model, link) = (&self.model, self.present());
        let report = Report { invariant, ..Report::clone(&answer.report) };
        let graph = Some(&*model.picture).filter(|graph| graph.boxes.len() <= WHOLE);
        let causes = self.tabs.iter().map(|tab| tab.causes()).find(|causes| !causes.is_empty());
        let text = document(&Document {
            name: &model.file_name(),
            source: &model.source,
            report: &report,
            statements: &model.statements,
            graph,
            causes: causes.unwrap_or(&[]),
            step: link.step.filter(|_| link.through.is_empty()).map(|step| step as usize),
        });
        self.model.effect(Effect::SaveDocument(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::state::shared::Shared;
    use crate::ui::state::testing::{failed, page};
    use crate::ui::state::timeline::Move;
    use crate::util::Budgets;
    use crate::wire::report::ProofReport;

    /// The program was run, and it fails.
    fn answered() -> State {
        let mut state = page();
        state.run(Budgets::default());
        failed(&mut state);
        state.model.picture = state.model.graph.clone();
        state.settle();
        state
    }

    /// The document that was made, and the requests: the effects are taken.
    fn made(state: &mut State) -> (Option<String>, Vec<Request>) {
        let (mut text, mut sent) = (None, Vec::new());
        for effect in state.settle() {
            match effect {
                Effect::SaveDocument(document) => text = Some(document),
                Effect::Send(_, request, _) => sent.push(request),
                _ => {}
            }
        }
        (text, sent)
    }

    #[test]
    fn a_document_opens_at_the_step_that_is_shown() {
        let mut state = answered();
        state.step(Move::First);
        state.ask_document();
        let text = made(&mut state).0.expect("a document");
        assert!(text.contains("data-step=\"0\"") && text.contains("<svg"), "{text}");
        state.edited("main()".into());
        state.ask_document();
        assert_eq!(made(&mut state).0, None, "the answer is about another text");
    }

    #[test]
    fn of_a_safe_program_the_worker_is_asked_what_always_holds() {
        let mut state = answered();
        let answer = state.model.answer.as_mut().expect("it was run");
        let proof = Some(ProofReport { checked: true, limit: None });
        answer.report = Shared::new(Report { proof, ..Report::clone(&answer.report) });
        state.ask_document();
        let (text, sent) = made(&mut state);
        assert!(text.is_none() && sent == [Request::Invariants], "{sent:?}");
        let (procedure, formula) = ("main".to_string(), "x == y".to_string());
        let holds = InvariantReport { line: 2, procedure, formula, exact: true };
        state.save_document(Some(vec![holds]));
        let text = made(&mut state).0.expect("a document");
        assert!(text.contains("<code>x == y</code>"), "{text}");
    }
}
