//! A program that reads nothing and chooses nothing has one run: it is executed, and that is the
//! answer, however often its loops go round. The machine is the one that confirms the failing runs
//! of the circuits; it executes the run twice, with its objects at different addresses.

use crate::check::{Found, Verdict};
use crate::failure::{Checks, Failure};
use crate::input::Given;
use faultline_c::code::{Code, Number, Op};
use faultline_c::machine::{End, Fault, Layout, Limits, Machine, Remark};
use faultline_c::tree::Tree;

/// The answer, if there is one run only and it ends within the machine's limits.
pub(crate) fn only_run(tree: &Tree, code: &Code, checks: Checks) -> Option<Verdict> {
    let main = code.procedures.get(code.main?.index())?.as_ref()?;
    // Arguments of `main` are an input, and so are addresses that are used as numbers.
    let is_open =
        |op: &Op| matches!(op, Op::Convert(Number::Pointer, to) if *to != Number::Pointer);
    if !main.parameters.is_empty() || code.ops.iter().any(is_open) {
        return None;
    }
    let executed = |layout: Layout| {
        let mut machine = Machine::laid_out(tree, code, &[], Limits::default(), layout);
        machine.choose(&[], !checks.initialised);
        machine.go(u64::MAX);
        (!machine.is_open()).then(|| machine.finish())
    };
    let run = executed(Layout::Ascending)?;
    // What follows from where objects happen to lie is no answer: with other addresses the run is
    // the same, statement by statement.
    let other = executed(Layout::Descending)?;
    if (run.end, &run.passed, &run.remarks) != (other.end, &other.passed, &other.remarks) {
        return None;
    }
    // Without the check what is read has any value, and the machine has read one of them.
    let no_value = |(remark, _): &(Remark, _)| matches!(remark, Remark::NoValue(_));
    if !checks.initialised && run.remarks.iter().any(no_value) {
        return None;
    }
    let wanted = run.remarks.iter().find_map(|(remark, point)| {
        let failure = Failure::of(*remark).filter(|failure| checks.wants(*failure))?;
        Some((failure, *point))
    });
    let found = match (wanted, run.end) {
        (Some(first), _) => Some(first),
        (None, End::Fault(Fault::Abort | Fault::Depth, _) | End::Endless(_) | End::Limit(..)) => {
            return None;
        }
        (None, End::Fault(fault, point)) => match checks.wants(Failure::Fault(fault)) {
            true => Some((Failure::Fault(fault), point)),
            false => return None,
        },
        (None, End::Exited(_)) => None,
    };
    Some(match found {
        None => Verdict::Executed,
        Some((failure, point)) => {
            let given = Given { text: Vec::new(), choices: Vec::new() };
            Verdict::Fails(vec![Found { failure, point, given, complete: true }])
        }
    })
}
