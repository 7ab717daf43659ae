//! The refinement loop as a tab of the page.

use super::events::{RefinementEvent, SideEvent};
use super::run::summary;
use super::state::Refinement;
use crate::draw::refinement_fold::{frame_of_cluster, frame_of_node};
use crate::draw::svg::{self, Painting, Theme};
use crate::ui::state::export::{Export, File};
use crate::ui::state::model::Model;
use crate::ui::state::said::{Ask, Said};
use crate::ui::state::shared::Shared;
use crate::ui::state::timeline::{Entry, Timeline};
use crate::ui::tab::{Help, Tab};
use crate::wire::permalink::{Permalink, RefinementPlace};
use crate::wire::protocol::ReplyMessage;
use crate::wire::refinement::PaperTable;
use std::any::Any;

const HELP: Help = Help {
    brief: [
        "The program is checked with a few predicates instead of all its values, round by round.",
        "If no error is left, it is proved; if a run to an error is a run of the program too, it \
         can fail; otherwise interpolants say which predicates were missing.",
        "Step through the rounds below, and select a node of the picture to read its \
         interpolants.",
    ],
    picture: include_str!("../../../../static/help/refinement.svg"),
    text: &[
        "The tab Refinement checks the same program with predicates instead of values \
         (counterexample-guided abstraction refinement). Each round steps through its phases. \
         Statements are abstracted over the predicates found so far; the abstract program is \
         checked; all its error traces become one graph without cycles. If none of them can be \
         executed, interpolants say why, place by place, and the chosen ones become new predicates.",
        "Where many variables matter, predicates take many rounds. Once they have had their share, \
         rounds follow whole variables instead: the program is searched with values for these alone, \
         and the interpolants of a trace that cannot be executed name the next ones. The right side \
         says which variables a round follows. The switch “follow variables” turns this off; a \
         heuristic that you choose is used by itself.",
        "Select a node of the graph to see its interpolants: the strongest implies the chosen one, \
            and that one implies the weakest. Nodes on a trace with the selected one stay in full \
            ink. Runs of a callee that returns have a frame of their own, entered from the pivot \
            point of the call. A frame folds into one box that says what these runs come to, and \
            stays folded from round to round. A line chosen in the source selects its first node \
            and marks the others.",
        "Abstract program compares each statement of your program with its abstraction, and shows \
         the predicates of each place and the round that added them. Heuristics runs all six ways \
         to choose interpolants on your program; tick two to compare their rounds and \
         counterexamples. If the program asks something of its runs (//! ltl, //! terminates), the \
         switch “of the formula” refines that: a run and its cycle, unrolled until it cannot be \
         executed. While a long run goes on, its rounds appear on the timeline; Stop keeps \
         them.",
    ],
    keys: &[
        ("f", "fold or unfold a procedure's frame, in a refinement's picture"),
        ("↑ ↓", "in a refinement's picture: from node to node"),
    ],
};

impl Tab for Refinement {
    fn name(&self) -> &'static str {
        "Refinement"
    }

    fn word(&self) -> &'static str {
        "refinement"
    }

    fn help(&self) -> Help {
        HELP
    }

    fn forget(&mut self) {
        self.forget_run();
    }

    fn invalidate(&mut self) {
        self.invalidate_run();
    }

    /// What the paper prints is about the text as the gallery has it.
    fn edited(&mut self) {
        self.paper = None;
    }

    fn lose_worker(&mut self) {
        self.forget_worker();
    }

    fn ask(&mut self, model: &mut Model) {
        self.refine(model);
    }

    fn reply(&mut self, message: ReplyMessage, model: &mut Model) -> Option<ReplyMessage> {
        self.told(message, model)
    }

    fn stop(&mut self, model: &mut Model) {
        self.stop_all(model);
    }

    fn work(&mut self, ask: Ask, model: &mut Model) {
        ask.readies(&mut self.work);
        self.refine_anew(model);
    }

    fn said(&self, model: &Model) -> Said {
        self.verdict(model)
    }

    fn knows(&self, _: &Model) -> Option<String> {
        self.known()
    }

    fn suits(&self, model: &Model) -> bool {
        model.is_sequential()
    }

    fn event(&mut self, event: Box<dyn Any>, model: &mut Model) {
        let Ok(event) = event.downcast::<RefinementEvent>() else { return };
        match *event {
            RefinementEvent::Other(ask) if ask != self.ask => {
                self.ask = ask;
                self.refine_anew(model);
            }
            RefinementEvent::Other(_) => {}
            RefinementEvent::Show(shown) => {
                self.show(shown);
                self.rest(model);
            }
            RefinementEvent::Select(selected) => {
                self.select(selected);
                if self.line > 0 {
                    model.select_line(self.line);
                    model.reveal();
                }
            }
            RefinementEvent::Fold(node) => {
                self.fold(self.view().and_then(|view| frame_of_node(&view, node)));
                self.ask_shown(model);
            }
            RefinementEvent::FoldFrame(cluster) => {
                self.fold(self.view().and_then(|view| frame_of_cluster(&view, cluster)));
                self.ask_shown(model);
            }
            RefinementEvent::FoldAll(folded) => {
                if let Some(view) = self.view() {
                    self.folds.all(&view, folded);
                }
                self.ask_shown(model);
            }
            RefinementEvent::Choose(heuristic) => self.pair.choose(heuristic),
            RefinementEvent::Pair(shown) => {
                self.pair.shown = shown && self.pair.chosen.len() == 2;
                self.ask_shown(model);
            }
            RefinementEvent::Side(side, SideEvent::Heuristic(heuristic)) => {
                self.pair.put(side, heuristic);
                self.ask_shown(model);
            }
            RefinementEvent::Side(side, SideEvent::Round(round)) => {
                self.pair.show_round(side, round);
                self.ask_shown(model);
            }
            RefinementEvent::Live => self.show_progress(),
            RefinementEvent::Stop => self.stop_all(model),
            RefinementEvent::Compare => self.compare(model),
            RefinementEvent::Settled => self.ask_shown(model),
        }
    }

    fn line_selected(&mut self, line: u32) {
        self.mark_line(line);
    }

    fn timeline(&self, _: &Model) -> Option<Timeline> {
        let run = self.run.as_ref()?;
        let (now, round) = (run.steps.get(self.step)?, run.round(self.step)?);
        let so_far = if run.live { " so far" } else { "" };
        Some(Timeline {
            step: self.step,
            count: run.steps.len(),
            name: "Rounds of refinement".into(),
            list: "Phases".into(),
            class: "refinement-timeline",
            position: (
                format!("Round {} of {}{so_far}: {}", now.round, run.rounds.len(), now.phase),
                summary(round, now.phase),
            ),
            note: String::new(),
            noun: "phase",
            live: run.live,
            wraps_to: None,
            folds: Vec::new(),
        })
    }

    fn entry(&self, step: usize, _: &Model) -> Option<Entry> {
        let run = self.run.as_ref()?;
        let (here, round) = (run.steps.get(step)?, run.round(step)?);
        let before = step.checked_sub(1).and_then(|before| run.steps.get(before));
        let first = before.is_none_or(|before| before.round != here.round);
        let text = summary(round, here.phase);
        Some(Entry {
            number: here.phase.to_string(),
            line: if first { format!("round {}", here.round) } else { String::new() },
            title: format!("Round {}, {}: {text}", here.round, here.phase),
            text,
            begins: first.then_some("first-of-round"),
            ..Entry::default()
        })
    }

    fn go_to(&mut self, step: usize, model: &mut Model) {
        self.show_step(step);
        self.rest(model);
    }

    /// The line of the selected node.
    fn current_line(&self, _: &Model) -> u32 {
        let view = self.view().filter(|_| self.work.is_fresh());
        let selected = view.zip(self.selected);
        selected
            .and_then(|(view, node)| view.nodes.iter().find(|n| n.node == node).map(|n| n.line))
            .unwrap_or(0)
    }

    fn present(&self, link: &mut Permalink) {
        link.put(self.word(), &self.place());
    }

    fn restore(&mut self, link: &Permalink) -> bool {
        let paper = link.place::<PaperTable>("paper");
        self.paper = paper.as_ref().ok().cloned().flatten().map(Shared::new);
        let place = link.place::<RefinementPlace>(self.word());
        let read = place.map(|place| place.into_iter().for_each(|place| self.open_at(place)));
        paper.is_ok() && read.is_ok()
    }

    fn can_export(&self, what: Export, model: &Model) -> bool {
        match what {
            Export::Svg | Export::Png => {
                self.view().is_some_and(|view| !view.graph.boxes.is_empty())
            }
            _ => model.can_export(what),
        }
    }

    fn export(&self, what: Export, model: &Model, theme: Theme) -> Option<File> {
        match what {
            Export::Dot => Some(model.export_graph()),
            Export::Report => model.export_report(),
            _ => {
                let picture = self.picture().filter(|picture| !picture.boxes.is_empty())?;
                let svg = svg::standalone(&picture, &Painting::default(), theme);
                Some(File::Picture(svg, picture.size.x, picture.size.y))
            }
        }
    }

    #[cfg(feature = "ui")]
    fn panes(&self, view: &crate::ui::view::View) -> crate::ui::view::Panes {
        super::view::panes(self, view)
    }
}
