//! The graph that is shown. It leaves out statements that the front end made: the locations before
//! and after such a statement share a box.

use crate::lang::model::{EdgeId, LocationId, Program, StatementKind};

/// By location, the location in whose box it is shown.
pub struct Contraction {
    target: Vec<LocationId>,
    /// By location: the edges that leave it.
    pub out: Vec<Vec<EdgeId>>,
    /// By location: does some path lead to it from its procedure's entry? Data are ignored.
    pub connected: Vec<bool>,
}

impl Contraction {
    /// The contraction of a program.
    pub fn of(program: &Program) -> Contraction {
        let count = program.locations.len();
        let mut out = vec![Vec::new(); count];
        for id in program.edge_ids() {
            out[program.edge(id).from].push(id);
        }
        let next = |location: LocationId| match out[location][..] {
            [only] if program.edge(only).kind == StatementKind::Hidden => {
                Some(program.edge(only).to)
            }
            _ => None,
        };
        let follow = |start: LocationId| {
            let mut location = start;
            for _ in 0..count {
                match next(location) {
                    Some(to) => location = to,
                    None => return location,
                }
            }
            start
        };
        let target = (0..count as u32).map(|k| follow(LocationId(k))).collect();
        let mut connected = vec![false; count];
        let mut waiting: Vec<LocationId> =
            program.procedures.iter().map(|procedure| procedure.entry).collect();
        while let Some(location) = waiting.pop() {
            if !std::mem::replace(&mut connected[location], true) {
                waiting.extend(out[location].iter().map(|edge| program.edge(*edge).to));
            }
        }
        Contraction { target, out, connected }
    }

    /// The location in whose box this one is shown.
    pub fn box_of(&self, location: LocationId) -> LocationId {
        self.target[location]
    }
}
