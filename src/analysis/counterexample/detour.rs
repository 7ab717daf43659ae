//! A walk back through one round of a loop, in a saturation of its own.

use super::known_store::pick_known;
use super::path::{Next, Path, Rounds};
use crate::analysis::reach::Reach;
use crate::bdd::impl_roots;
use crate::encode::{Copy, ProgramDomain, Valuation, symbol};
use crate::lang::model::LocationId;
use crate::pds::{Pds, PostStar};
use crate::util::Bounded;
use std::rc::Rc;

/// A walk back through one round of a loop, with a saturation of its own.
pub(super) struct Detour {
    poststar: PostStar<ProgramDomain>,
    system: Rc<Pds>,
    header: LocationId,
    after: Valuation,
    /// How many parts that came back to the header were looked at and are not `after`. The first
    /// part is the store that started the round.
    seen: usize,
    /// Once the saturation has come back to the header with `after`.
    path: Option<Path>,
}

impl_roots!(Detour { poststar });

impl Detour {
    pub(super) fn new(reach: &mut Reach, rounds: Rounds) -> Bounded<Detour> {
        let visible = reach.domain.visible(reach.program.location(rounds.header).procedure);
        let stores = reach.domain.fixed(&visible, Copy::Now, &rounds.before)?;
        let (system, poststar) =
            reach.domain.one_round(symbol(rounds.header), &reach.system.priority, stores)?;
        Ok(Detour {
            poststar,
            system,
            header: rounds.header,
            after: rounds.after,
            seen: 1,
            path: None,
        })
    }

    /// One bounded piece of the walk.
    pub(super) fn step(&mut self, reach: &mut Reach) -> Bounded<Next> {
        // The walk reads the saturation of the round instead of the program's.
        std::mem::swap(&mut reach.poststar, &mut self.poststar);
        let next = self.step_inside(reach);
        std::mem::swap(&mut reach.poststar, &mut self.poststar);
        next
    }

    /// The same, where `reach` holds the saturation of the round.
    fn step_inside(&mut self, reach: &mut Reach) -> Bounded<Next> {
        if let Some(path) = &mut self.path {
            return path.step(reach);
        }
        let procedure = reach.program.location(self.header).procedure;
        let visible = reach.domain.visible(procedure);
        let after = reach.domain.fixed(&visible, Copy::Now, &self.after)?;
        while let Some(entry) = reach.poststar.history().all(0).get(self.seen).cloned() {
            self.seen += 1;
            let stores = reach.domain.kernel.and(entry.gained, after)?;
            if !stores.is_false() {
                let at =
                    pick_known(reach, self.header, reach.start(), procedure, stores, entry.moment)?;
                self.path = Some(Path::new(at));
                return Ok(Next::On);
            }
        }
        assert!(!reach.poststar.is_done(), "one round leads there");
        reach.poststar.step(&self.system, &mut reach.domain)?;
        Ok(Next::On)
    }
}
