//! Locals of which there may be several at once: a procedure that may call itself, or that several
//! threads may run, has one in each of its frames.
//!
//! Such a local stands in a pool of its own, as objects on the heap do: where its block begins one
//! is taken, where it ends that is given back, and a variable of the new tree says where it stands.
//! A run that needs more at once is cut off.

use super::build::{expr, name, named, statement};
use super::layout::Pool;
use super::lowerer::{Lowered, Lowerer, Refused, Variable, refuse};
use super::regions::RegionId;
use crate::lang::elaborate::Survey;
use crate::lang::model::Span;
use crate::lang::syntax::{
    Declaration, Declarator, Expr, ExprKind, Initializer, Statement, StatementKind, TypeName,
};
use rustc_hash::FxHashSet;

impl Lowerer<'_> {
    /// After the first pass: which locals with an address may be there several times?
    pub(super) fn find_frames(&mut self, survey: &Survey) -> Result<(), Refused> {
        let mut found = Vec::new();
        for (key, object) in &self.objects {
            let Some(owner) = &object.owner else { continue };
            if !self.may_call_itself(owner) && threads_in(survey, owner) < 2 {
                continue;
            }
            // What the caller writes would have to be written before there is a frame.
            let is_given = self.by_bytes.values().any(|variable| variable.key == *key);
            if object.varies || is_given {
                let why = format!(
                    "the address of `{}` in `{owner}`, which may run more than once at a time,",
                    object.name
                );
                return refuse(object.span, why);
            }
            found.push(*key);
        }
        for key in found {
            if let Some(object) = self.objects.get_mut(&key) {
                object.in_frames = true;
            }
        }
        Ok(())
    }

    fn may_call_itself(&self, owner: &str) -> bool {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut open: Vec<&str> = vec![owner];
        while let Some(name) = open.pop() {
            for callee in self.calls.get(name).into_iter().flatten() {
                if callee == owner {
                    return true;
                }
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        false
    }

    /// The variable that says where a local stands, if there may be several of it.
    pub(super) fn frame(&self, key: u32) -> Option<String> {
        self.layout.as_ref()?;
        let object = self.objects.get(&key).filter(|object| object.in_frames)?;
        Some(format!("place {key} of {}", object.name))
    }

    /// Takes a place for such a local where its block begins. `is_set`: is it given a value at
    /// once?
    pub(super) fn begin_frame(
        &mut self,
        variable: &Variable,
        is_set: bool,
        into: &mut Vec<Statement>,
        span: Span,
    ) -> Lowered<()> {
        let (Some(room), Some(place)) =
            (self.room(variable.region).cloned(), self.frame(variable.key))
        else {
            return Ok(());
        };
        let is_mine = |pool: &&Pool| pool.owner == Some(variable.key);
        let Some(pool) = room.pools.iter().find(is_mine).copied() else { return Ok(()) };
        let local = self.objects.get(&variable.key).map_or("", |object| &object.name);
        let made = format!("new {local} ({})", variable.key);
        if !self.made.contains_key(&made) {
            let item = self.taking(&made, &room, (pool, 1), is_set, None, span)?;
            self.made.insert(made.clone(), item);
        }
        let taken = expr(ExprKind::Call(name(&made, span), Vec::new()), span);
        into.push(variable_of(&place, room.pointer(), taken, span));
        Ok(())
    }

    /// Gives the place of such a local back where its block ends.
    pub(super) fn end_of_frame(&mut self, region: RegionId, place: &str, span: Span) -> Statement {
        let giver = self.giver(region, span);
        let call = ExprKind::Call(name(&giver, span), vec![named(place, span)]);
        statement(StatementKind::Expression(expr(call, span)), span)
    }
}

/// How many threads may run a procedure? 2 stands for more.
fn threads_in(survey: &Survey, owner: &str) -> u32 {
    let mut threads = 0;
    if survey.reached(std::iter::once(&"main".to_string())).contains(owner) {
        threads += 1;
    }
    for creation in &survey.creations {
        if survey.reached(std::iter::once(&creation.entry)).contains(owner) {
            let once = !creation.in_loop && survey.runs_at_most_once(&creation.owner);
            threads += if once { 1 } else { 2 };
        }
    }
    threads
}

/// A local of the new tree with its value.
fn variable_of(text: &str, ty: TypeName, value: Expr, span: Span) -> Statement {
    let declarator = Declarator {
        name: name(text, span),
        pointers: 0,
        dimensions: Vec::new(),
        initializer: Some(Initializer::Value(value)),
        span,
    };
    statement(StatementKind::Declaration(Declaration::plain(ty, vec![declarator])), span)
}
