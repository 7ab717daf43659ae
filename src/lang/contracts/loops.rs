//! Loops with invariants: they are checked before the loop and wherever its condition comes next.
//!
//! | loop | becomes |
//! | --- | --- |
//! | `while (c) B` | `check; while (c) { B; check }` |
//! | `for (i; c; s) B` | `{ i; check; for (; c;) { B; s; check } }` |
//! | `do B while (c);` | `do { check; B } while (c);` |
//!
//! A `continue` of the loop does first what stands behind `B`.

use super::Clause;
use super::checks::{Says, require};
use crate::lang::model::Span;
use crate::lang::syntax::{Block, Statement, StatementKind};
use crate::lang::tree::{closed, effect, ghost};

/// A loop with its invariants; the statement itself if it is no loop.
pub(in crate::lang) fn with_invariants(
    invariants: &[Clause],
    own: Statement,
    source: &str,
) -> Result<Statement, Box<Statement>> {
    let span = own.span;
    let check = |when: &str| -> Statement {
        let mut made = Vec::new();
        for one in invariants {
            let text =
                format!("the `loop invariant` in line {} does not hold {when}", one.span.line);
            let begins = "loop invariant";
            made.extend(require(&one.formula, &Says { source, text, begins, at_call: false }));
        }
        ghost(made, span)
    };
    let (first, later) = (check("at the loop's beginning"), check("after a round"));
    let statements = match own.kind {
        StatementKind::While { condition, body } => {
            let body = Box::new(round(*body, vec![later], span));
            vec![first, Statement { kind: StatementKind::While { condition, body }, span }]
        }
        StatementKind::For { initial, condition, step, body } => {
            let mut behind: Vec<Statement> = step.map(effect).into_iter().collect();
            behind.push(later);
            let body = Box::new(round(*body, behind, span));
            let kind = StatementKind::For { initial: None, condition, step: None, body };
            let mut made: Vec<Statement> = initial.map(|one| *one).into_iter().collect();
            made.extend([first, Statement { kind, span }]);
            made
        }
        StatementKind::DoWhile { body, condition, head } => {
            let check = check("at the beginning of a round");
            let body = Box::new(closed(vec![check, *body], span));
            vec![Statement { kind: StatementKind::DoWhile { body, condition, head }, span }]
        }
        kind => return Err(Box::new(Statement { kind, span })),
    };
    Ok(closed(statements, span))
}

/// A body with what comes behind it.
fn round(mut body: Statement, behind: Vec<Statement>, span: Span) -> Statement {
    continued(&mut body, &behind);
    let mut statements = vec![body];
    statements.extend(behind);
    closed(statements, span)
}

/// Puts statements before each `continue` of this loop.
fn continued(s: &mut Statement, behind: &[Statement]) {
    match &mut s.kind {
        StatementKind::Continue => {
            let span = s.span;
            let mut statements = behind.to_vec();
            statements.push(Statement { kind: StatementKind::Continue, span });
            s.kind = StatementKind::Block(Block { statements, end: span });
        }
        StatementKind::If { branches, otherwise } => {
            branches.iter_mut().for_each(|branch| continued(&mut branch.then, behind));
            otherwise.iter_mut().for_each(|s| continued(s, behind));
        }
        StatementKind::Switch { body, .. } => continued(body, behind),
        StatementKind::Block(block) => {
            block.statements.iter_mut().for_each(|s| continued(s, behind));
        }
        _ => {}
    }
}
