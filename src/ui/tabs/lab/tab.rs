//! The lab as a tab of the page.

use super::recording::{numbers, summary};
use super::state::{Lab, LabEvent};
use crate::draw::automaton_svg;
use crate::draw::lab_dot::automaton_dot;
use crate::draw::lab_replay::spoken;
use crate::draw::svg::Theme;
use crate::draw::unrolling::{self, brief};
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::wire::lab::LabTask;
use crate::wire::permalink::{LabPlace, Permalink};
use crate::wire::protocol::{Reply, ReplyMessage};
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "Here you see how the answers come about: an automaton that grows step by step until it \
         holds all stacks that can be reached.",
        "post* goes forward from the start, pre* backward from the errors; each step looks at \
         one transition and adds what follows from it.",
        "Click a transition to see how it came about, or type a set such as <p, a b*> to read \
         its weight.",
    ],
    picture: include_str!("../../../../static/help/lab.svg"),
    text: &["The tab Lab shows how the answers come about. post* adds to an automaton every \
        configuration that runs from a set come to. pre* adds every one from which runs come into \
        it. The transducer relates any configuration to any other. A recording steps like a run: a \
        dashed circle is a state made on the way, a double one accepts; › marks the transition \
        that a step looks at, + one that it adds, ↑ one whose weight it raises. The inspector \
        shows the rule, what waits in the worklist, and how the transition that you click came \
        about. Type a configuration or a set such as <p, a b*> to read its weight at the step \
        shown. The field above the picture takes other sets to start from. For C there is a fourth \
        picture, the unrolling: each loop written out once, twice, three times, as the bounded \
        engine does. Step through k to see what a bound excludes, what it leaves open, and how \
        the question grows."],
    keys: &[("↑ ↓", "in the lab's picture: from transition to transition")],
};

impl Tab for Lab {
    fn name(&self) -> &'static str {
        "Lab"
    }

    fn word(&self) -> &'static str {
        "lab"
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {
        *self = Lab { task: self.task, ..Lab::default() };
    }

    fn invalidate(&mut self) {
        self.work.invalidate();
        self.forget_details();
    }

    fn lose_worker(&mut self) {
        // Another request was stopped, and its worker with it: nobody stopped this one.
        let is_wanted = self.work.pending().is_some_and(|pending| !pending.stopping);
        self.work.lose_worker();
        if is_wanted {
            self.work.invalidate();
        }
        self.forget_details();
    }

    fn ask(&mut self, model: &mut Model) {
        self.record(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        let ReplyMessage { id, last, millis, reply } = message;
        match reply {
            Reply::Lab { report } => {
                if self.work.tell(id).is_some() {
                    model.playing = false;
                    self.recorded(*report);
                    self.rest(model);
                }
            }
            Reply::Cut if self.work.cut(id) => {}
            Reply::Progress { progress, .. } if self.work.waits_for(id) => {
                self.work.progress(id).into_iter().for_each(|done| *done = progress.items);
            }
            Reply::LabWitness { witness, limit } => {
                self.told_witness(id, witness.map(Shared::new).ok_or(limit));
                self.ask_details(model);
            }
            Reply::LabWeight { answer } | Reply::LabTransfer { answer } => {
                self.told_weight(id, answer);
                self.ask_details(model);
            }
            reply => return Some(ReplyMessage { id, last, millis, reply }),
        }
        None
    }

    fn stop(&mut self, model: &mut Model) {
        model.stop(&mut self.work);
    }

    fn work(&mut self, _: Ask, model: &mut Model) {
        self.record_anew(model);
    }

    fn said(&self, model: &Model) -> Said {
        self.recorded_or_not(model)
    }

    /// It builds automata, and gives no verdict on the program.
    fn knows(&self, _: &Model) -> Option<String> {
        None
    }

    fn suits(&self, _: &Model) -> bool {
        true
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<LabEvent>() else { return };
        match *event {
            LabEvent::Task(task) if task != self.task => {
                self.task = task;
                self.record_anew(model);
            }
            LabEvent::Set(set) if set.trim() != self.set.trim() => {
                self.set = set;
                self.record_anew(model);
            }
            LabEvent::Task(_) | LabEvent::Set(_) => {}
            LabEvent::Automaton(automaton) => {
                model.playing = false;
                self.show(automaton);
                self.rest(model);
            }
            LabEvent::Select(selected) => {
                self.selected = selected;
                self.rest(model);
            }
            LabEvent::Ask(set) => {
                self.question = set;
                self.ask_details(model);
            }
            LabEvent::Transfer(from, to) => {
                self.transfer = (from, to);
                self.ask_details(model);
            }
            LabEvent::Settled => self.ask_details(model),
        }
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        if let Some(bound) = self.recording.as_ref().and_then(|all| all.bound(self.step)) {
            let count = self.recording.as_ref().map_or(0, |all| all.report.bounds.len());
            return (count > 1).then(|| Timeline {
                step: self.step,
                count,
                name: "Unrolling, bound by bound".into(),
                class: "lab-timeline",
                position: (format!("k = {}", bound.bound), brief(bound).into()),
                noun: "bound",
                ..Timeline::default()
            });
        }
        let automaton = self.recording.as_ref()?.automaton(self.automaton)?;
        let (step, count) = (self.step, automaton.steps.len());
        let here = automaton.steps.get(step).filter(|_| count > 1)?;
        Some(Timeline {
            step,
            count,
            name: format!("Saturation of {}", automaton.title),
            class: "lab-timeline",
            position: (format!("Step {step} of {}", count - 1), summary(here, step)),
            note: if automaton.complete {
                "saturated at the last step"
            } else {
                "not saturated: the recording was cut"
            }
            .into(),
            noun: "step",
            ..Timeline::default()
        })
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        if let Some(bound) = self.recording.as_ref().and_then(|all| all.bound(step)) {
            let text = brief(bound).to_string();
            let title = format!("k = {}: {text}", bound.bound);
            return Some(Entry {
                number: bound.bound.to_string(),
                title,
                text,
                ..Entry::default()
            });
        }
        let automaton = self.recording.as_ref()?.automaton(self.automaton)?;
        let here = automaton.steps.get(step)?;
        let (added, raised) = numbers(here);
        let looked_at = here.looked_at.and_then(|t| automaton.transitions.get(t as usize));
        let text = looked_at
            .map_or_else(|| "start".to_string(), |transition| spoken(automaton, transition));
        let mut counts = Vec::new();
        if added > 0 {
            counts.push(("added", format!("+{added}")));
        }
        if raised > 0 {
            counts.push(("raised", format!(" ↑{raised}")));
        }
        let quiet = step > 0 && counts.is_empty();
        Some(Entry {
            number: step.to_string(),
            title: format!("{text}: {}", summary(here, step)),
            text,
            counts,
            classes: quiet.then_some("nothing").into_iter().collect(),
            ..Entry::default()
        })
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.step = step;
        self.rest(model);
    }

    /// The line of the first rule that the step applies.
    fn current_line(&self, _: &Model) -> u32 {
        let recording = self.recording.as_ref().filter(|_| self.work.is_fresh());
        let rule = recording.and_then(|recording| {
            let step = recording.automaton(self.automaton)?.steps.get(self.step)?;
            let rule = step.changes.iter().find_map(|change| change.rule)?;
            recording.report.rules.get(rule as usize)
        });
        rule.map_or(0, |rule| rule.line)
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        link.place::<LabPlace>(self.word()).map(|place| self.open_at(place)).is_ok()
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Dot if self.task == LabTask::Unrolling => false,
            Export::Svg | Export::Png | Export::Dot => !self.is_empty(),
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        if what == Export::Report {
            return model.export_report();
        }
        let recording = self.recording.as_ref()?;
        if let Some(bound) = recording.bound(self.step) {
            let picture = unrolling::standalone(bound, theme);
            return Some(File::Picture(picture, bound.graph.size.x, bound.graph.size.y));
        }
        let (automaton, weighted) =
            (recording.automaton(self.automaton)?, recording.report.weighted);
        Some(match what {
            Export::Dot => File::Dot(automaton_dot(automaton, self.step, weighted)),
            _ => {
                let picture = automaton_svg::standalone(automaton, self.step, weighted, theme);
                File::Picture(picture, automaton.size.x, automaton.size.y)
            }
        })
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
