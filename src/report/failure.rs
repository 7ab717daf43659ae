//! What a failing run ends with: a sentence, and the values that explain it. The interpreter
//! evaluates the parts of the failed check where it fails.

use crate::draw::failure::{PICKED, enumerated};
use crate::draw::words::counted;
use crate::lang::interpreter::{Assignment, Configuration, Machine, Replayed, observe};
use crate::lang::model::{
    BinaryOperator, Check, EdgeId, ErrorKind, Expression, Operation, Program, Scalar,
    StatementKind, Subject, UnaryOperator, VariableId,
};
use crate::report::broken::broken;
use crate::report::expression_words::{Words, written};
use crate::report::memory_failure;
use crate::report::steps::named;
use crate::report::suspects::called;
use crate::report::values::{is_character, member};
use crate::session::ReplayedRun;
use crate::wire::report::{ErrorReport, Value};

/// At most so many values are told.
const MOST_VALUES: usize = 6;
/// Temporaries inside one another that are written out.
const NESTED: u32 = 6;

/// The error that a replayed run ends with.
pub(in crate::report) fn error(program: &Program, run: &ReplayedRun) -> ErrorReport {
    let observation = observe(program, &run.run);
    let choices = run.run.steps.last().map_or(&[][..], |step| &step.choices);
    let steps: Vec<Passed<'_>> = run
        .entries
        .iter()
        .map(|entry| Passed { edge: entry.edge, depth: entry.depth, store: &entry.values })
        .collect();
    of_check(program, &run.check, (&observation.end, choices), &steps)
}

/// A step on the way to a failure, of the thread that fails.
pub(in crate::report) struct Passed<'r> {
    pub(super) edge: EdgeId,
    pub(super) depth: u32,
    pub(super) store: &'r Assignment,
}

impl<'r> From<&'r Replayed> for Passed<'r> {
    fn from(step: &'r Replayed) -> Passed<'r> {
        Passed { edge: step.edge, depth: step.depth, store: &step.store }
    }
}

/// The error of a check that fails in this configuration, with what the run picks there. The last
/// of the steps is the one that fails.
pub(in crate::report) fn of_check(
    program: &Program,
    check: &Check,
    (configuration, choices): (&Configuration, &[u64]),
    steps: &[Passed<'_>],
) -> ErrorReport {
    let passed = || steps.iter().map(|step| (step.edge, step.depth));
    let call = || program.told(steps.last()?.edge, program.pending(passed()));
    let broken = broken(&check.subject, call().map(|call| call.text.as_str()));
    let told =
        steps.last().map(|step| program.told_check(step.edge, check, program.pending(passed())));
    let check = told.as_ref().unwrap_or(check);
    let is_shared = steps.last().is_some_and(|step| program.is_shared(step.edge));
    let message = match check.kind {
        ErrorKind::Assertion => format!("{} does not hold", check.message),
        ErrorKind::ErrorLabel => {
            format!("the label {} is reached", check.message.trim_end_matches(':'))
        }
        ErrorKind::ReachError => format!("{} is called", check.message),
        ErrorKind::Division => format!("division by zero: {}", check.message),
        // A sentence already.
        _ if matches!(check.subject, Subject::Memory(_)) => check.message.clone(),
        ErrorKind::Bounds => format!("array index out of bounds: {}", check.message),
        ErrorKind::Overflow => format!("signed overflow: {}", check.message),
        ErrorKind::Shift => format!("shift by a negative amount or too far: {}", check.message),
        ErrorKind::Assignment => format!("the assignment {} happens", check.message),
        ErrorKind::Initialised => match check.subject {
            Subject::Returned(callee, _) => {
                let (callee, line) = (&program.procedure(callee).name, check.line);
                format!("`{callee}` returned no value, and line {line} uses its result")
            }
            _ if is_shared => format!("`{}` reads what has no value", check.message),
            _ => format!("`{}` has no value when line {} reads it", check.message, check.line),
        },
        _ => check.message.clone(),
    };
    let failure = Failure { machine: Machine::new(program), configuration, choices };
    let detail = match check.kind {
        ErrorKind::ErrorLabel | ErrorKind::ReachError => led_here(program, steps),
        _ => match &check.subject {
            Subject::Memory(fault) => memory_failure::detail(&failure, check, fault, steps),
            _ => failure.detail(check),
        },
    };
    ErrorReport { broken, ..ErrorReport::new(check.line, check.kind, message, detail) }
}

/// Where a check fails.
pub(super) struct Failure<'a> {
    machine: Machine<'a>,
    configuration: &'a Configuration,
    choices: &'a [u64],
}

impl Failure<'_> {
    fn detail(&self, check: &Check) -> Option<String> {
        match &check.subject {
            Subject::Condition => self.operands(&check.condition),
            Subject::Index { array, indices, sizes } => self.index(array, indices, sizes),
            Subject::Binary(operator, left, right) => match check.kind {
                ErrorKind::Division => self.division(check, *operator, left, right),
                ErrorKind::Shift => self.shift(check, *operator, left, right),
                _ => self.overflow(check, *operator, left, right),
            },
            Subject::Negation(operand) => self.negation(operand),
            Subject::Contract(broken) => self.bound(&broken.bound),
            Subject::Value(..) | Subject::Returned(..) | Subject::Memory(_) | Subject::Rule(_) => {
                None
            }
        }
    }

    /// The values of bound variables: `i = 2, j = 3`.
    fn bound(&self, variables: &[(String, Expression)]) -> Option<String> {
        let value = |(name, e): &(String, Expression)| format!("{name} = {}", self.number(e));
        let values: Vec<String> = variables.iter().map(value).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    pub(super) fn program(&self) -> &Program {
        self.machine.program()
    }

    pub(super) fn bits(&self, e: &Expression) -> u64 {
        self.machine.evaluate(self.configuration, e, self.choices)
    }

    pub(super) fn number(&self, e: &Expression) -> i128 {
        e.scalar().number(self.bits(e))
    }

    /// The object or the element at a slot of memory that the program names without a pointer.
    fn fixed_slot(&self, e: &Expression) -> Option<String> {
        let Expression::Element(id, index, _) = e else { return None };
        let Expression::Constant(bits, _) = **index else { return None };
        let program = self.machine.program();
        let number = u32::try_from(bits).ok()? / program.variable(*id).inner().max(1);
        let slot = program.memory.slot(*id, number)?;
        Some(format!("{}{}", slot.place(), member(program, *id)))
    }

    /// An element of an array of arrays, by its indices here: `c[1][2]`.
    fn in_rows(&self, e: &Expression) -> Option<String> {
        let Expression::Element(id, index, _) = e else { return None };
        let program = self.machine.program();
        let variable = program.variable(*id);
        let element = u32::try_from(self.number(index)).ok()?;
        let is_own = variable.dimensions.len() > 1
            && element < variable.elements()
            && !program.memory.arrays.contains_key(id);
        is_own.then(|| named(program, *id, element).place)
    }

    /// As the program writes it; `None` if the program has no short text for it.
    fn text(&self, e: &Expression) -> Option<String> {
        let program = self.machine.program();
        if let Some(slot) = self.fixed_slot(unwidened(e)) {
            return Some(slot);
        }
        // Casts and the places of elements in rows are ours: the program writes them otherwise.
        let ours = |part: &Expression| match part {
            Expression::Cast(to, inner) => !to.boolean && to.width < inner.scalar().width,
            Expression::Element(id, ..) => program.variable(*id).dimensions.len() > 1,
            _ => false,
        };
        if e.any(|part| ours(part) || self.fixed_slot(part).is_some()) {
            return None;
        }
        let turned = |_: &str, _: &str| None;
        let name = |id: VariableId| called(program, "", id, &turned, NESTED);
        let picked = PICKED;
        let dotted = program.memory.dotted;
        let words = Words { name: &name, turned: &turned, picked, plain_truth: true, dotted };
        let mut text = written(&words, e);
        let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        if let (Expression::Variable(..), Some(inner)) = (unwidened(e), inner) {
            text = inner.to_string();
        }
        (!text.contains('…') && !text.is_empty()).then_some(text)
    }

    /// "x is 3"; `None` for constants.
    fn value(&self, e: &Expression) -> Option<String> {
        let constant = matches!(unwidened(e), Expression::Constant(..));
        let text = self.in_rows(unwidened(e)).or_else(|| self.text(e)).filter(|_| !constant)?;
        let bits = self.bits(e);
        let pointer = match unwidened(e) {
            Expression::Variable(id, _) | Expression::Element(id, ..) => {
                self.machine.program().memory.pointer(*id, bits)
            }
            _ => None,
        };
        let character = || {
            let own = unwidened(e).scalar();
            let is_one = is_character(self.machine.program(), own);
            is_one.then(|| Value::Character(e.scalar().number(bits)).to_string())
        };
        let shown = pointer.map(str::to_string).or_else(character);
        Some(format!("{text} is {}", shown.unwrap_or_else(|| e.scalar().show(bits))))
    }

    /// "x + y is 4 (x is 3 and y is 1)".
    fn explained(&self, e: &Expression) -> Option<String> {
        if e.has_pattern() {
            let parts = self.inside(vec![e]);
            return (!parts.is_empty()).then(|| enumerated(&parts));
        }
        let value = self.value(e)?;
        let parts = self.parts(e);
        Some(match parts.is_empty() {
            true => value,
            false => format!("{value} ({})", enumerated(&parts)),
        })
    }

    /// The values of the variables in a composed expression, each once.
    fn parts(&self, e: &Expression) -> Vec<String> {
        self.inside(match unwidened(e) {
            Expression::Variable(..) | Expression::Constant(..) | Expression::Choice(..) => vec![],
            Expression::Element(_, index, _) => vec![&**index],
            composed => vec![composed],
        })
    }

    /// The values of the variables in these expressions, each once.
    fn inside(&self, mut stack: Vec<&Expression>) -> Vec<String> {
        let mut parts = Vec::new();
        while let Some(e) = stack.pop() {
            match e {
                Expression::Variable(..) => parts.extend(self.value(e)),
                Expression::Element(_, index, _) => {
                    parts.extend(self.value(e));
                    stack.push(index);
                }
                Expression::Constant(..) | Expression::Choice(..) => {}
                Expression::Unary(_, e) | Expression::Cast(_, e) => stack.push(e),
                Expression::Binary(_, left, right) => stack.extend([&**right, &**left]),
                Expression::Conditional(condition, then, otherwise) => {
                    stack.extend([&**otherwise, &**then, &**condition])
                }
            }
        }
        once(parts)
    }

    /// The values of what a condition compares.
    fn operands(&self, condition: &Expression) -> Option<String> {
        let mut found = Vec::new();
        let mut stack = vec![condition];
        while let Some(e) = stack.pop() {
            match e {
                Expression::Unary(UnaryOperator::Not, e) => stack.push(e),
                Expression::Cast(to, e) if to.boolean => stack.push(e),
                Expression::Binary(operator, left, right)
                    if e.scalar().boolean && left.scalar().boolean && is_logical(*operator) =>
                {
                    stack.extend([&**right, &**left])
                }
                Expression::Binary(operator, left, right) if compares(*operator) => {
                    found.extend([left, right].map(|e| self.explained(e)).into_iter().flatten())
                }
                Expression::Conditional(condition, then, otherwise) => {
                    stack.extend([&**otherwise, &**then, &**condition])
                }
                e => found.extend(self.explained(e)),
            }
        }
        let found = once(found);
        (!found.is_empty()).then(|| enumerated(&found))
    }

    fn index(&self, array: &str, indices: &[Expression], sizes: &[u32]) -> Option<String> {
        let outside = |(index, size): (&Expression, &u32)| {
            !(0..i128::from(*size)).contains(&self.number(index))
        };
        let k = indices.iter().zip(sizes).position(outside)?;
        let (index, size) = (&indices[k], sizes[k]);
        let which = match (indices.len(), k) {
            (1, _) => "index",
            (_, 0) => "first index",
            (_, 1) => "second index",
            (_, 2) => "third index",
            _ => "next index",
        };
        let value = self.counted(which, index);
        let (of, noun) = match (indices.len(), k) {
            (1, _) => (format!("the array {array}"), "element"),
            (_, 0) => (format!("the array {array}"), "row"),
            (count, k) if k + 1 < count => (format!("each row of {array}"), "row"),
            _ => (format!("each row of {array}"), "element"),
        };
        Some(format!("{value}, and {of} has {}", numbered(size.into(), noun)))
    }

    /// "the index i + 1 is 3 (i is 2)".
    pub(super) fn counted(&self, which: &str, index: &Expression) -> String {
        if let Some(value) = self.explained(index) {
            return format!("the {which} {value}");
        }
        let parts = self.parts(index);
        let with = match parts.is_empty() {
            true => String::new(),
            false => format!(" ({})", enumerated(&parts)),
        };
        format!("the {which} is {}{with}", self.number(index))
    }

    /// "d is 0, so n / d is 7 / 0, which has no value".
    fn division(
        &self,
        check: &Check,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<String> {
        let calculation = self.calculation(check, operator, left, right);
        let zero = self.explained(right).map_or(String::new(), |zero| format!("{zero}, so "));
        Some(format!("{zero}{calculation}, which has no value"))
    }

    /// "n / d is 7 / 0": the expression, where it has a text, and the same with its values.
    fn calculation(
        &self,
        check: &Check,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> String {
        let whole = Expression::binary(operator, left.clone(), right.clone());
        let (l, r) = (self.number(left), self.number(right));
        let r = if r < 0 { format!("({r})") } else { r.to_string() };
        let values = format!("{l} {} {r}", sign(operator));
        // What has no short text here is told as the program writes it.
        let text = self.text(&whole).unwrap_or_else(|| check.message.clone());
        if text == values { values } else { format!("{text} is {values}") }
    }

    /// "x + 1 is 127 + 1 = 128, but a signed integer of 8 bits holds only -128 to 127".
    fn overflow(
        &self,
        check: &Check,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<String> {
        let (l, r) = (self.number(left), self.number(right));
        let calculation = self.calculation(check, operator, left, right);
        let exact = match operator {
            BinaryOperator::Add => l.checked_add(r),
            BinaryOperator::Subtract => l.checked_sub(r),
            BinaryOperator::Multiply => l.checked_mul(r),
            BinaryOperator::Divide => l.checked_div(r),
            BinaryOperator::Remainder => {
                return Some(format!(
                    "{calculation}, and the quotient of the two does not fit: {}",
                    range(left.scalar())
                ));
            }
            BinaryOperator::ShiftLeft if l < 0 => {
                return Some(format!("{calculation}, and {l} is negative"));
            }
            BinaryOperator::ShiftLeft => {
                let fits = (0..63).contains(&r);
                fits.then(|| l << r)
            }
            _ => return None,
        };
        let exact = exact.map_or(String::new(), |exact| format!(" = {exact}"));
        Some(format!("{calculation}{exact}, but {}", range(left.scalar())))
    }

    fn negation(&self, operand: &Expression) -> Option<String> {
        let (number, text) = (self.number(operand), self.text(operand));
        let negated = Expression::Unary(UnaryOperator::Negate, Box::new(operand.clone()));
        let value = match text.and(self.text(&negated)) {
            Some(negated) => format!("{negated} is -({number}) = {}", -number),
            None => format!("-({number}) = {}", -number),
        };
        Some(format!("{value}, but {}", range(operand.scalar())))
    }

    /// "1 << n is 1 << 40, but a value of 32 bits can only be shifted by 0 to 31".
    fn shift(
        &self,
        check: &Check,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Option<String> {
        let width = left.scalar().width;
        let calculation = self.calculation(check, operator, left, right);
        let most = width - 1;
        Some(format!(
            "{calculation}, but a value of {width} bits can only be shifted by 0 to {most}"
        ))
    }
}

/// "5 elements, 0 to 4".
pub(super) fn numbered(size: u64, noun: &str) -> String {
    let numbers = match size {
        1 => "number 0".to_string(),
        size => format!("0 to {}", size.saturating_sub(1)),
    };
    format!("{}, {numbers}", counted(size, noun))
}

fn range(scalar: Scalar) -> String {
    let (least, most) = (-(1i128 << (scalar.width - 1)), (1i128 << (scalar.width - 1)) - 1);
    format!("a signed integer of {} bits holds only {least} to {most}", scalar.width)
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        _ => "?",
    }
}

fn is_logical(operator: BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor)
}

fn compares(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessEqual
    )
}

/// Without the casts around it that its text does not show.
fn unwidened(mut e: &Expression) -> &Expression {
    while let Expression::Cast(to, inner) = e {
        if to.width < inner.scalar().width {
            break;
        }
        e = inner;
    }
    e
}

/// The first of the values, each once.
fn once(values: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for value in values {
        if kept.len() < MOST_VALUES && !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

/// The last condition that led to the failing step, in the same call: "line 7 leads here: if (x >
/// 3) is true with x = 5".
fn led_here(program: &Program, steps: &[Passed<'_>]) -> Option<String> {
    let (last, before) = steps.split_last()?;
    let here = before.iter().rev().take_while(|step| step.depth >= last.depth);
    let mut branches = here.filter(|step| {
        step.depth == last.depth && program.edge(step.edge).kind == StatementKind::Condition
    });
    let step = branches.next()?;
    let edge = program.edge(step.edge);
    let Operation::Assume(condition) = &edge.operation else { return None };
    let mut read = Vec::new();
    variables(condition, &mut read);
    let value = |id: &VariableId| {
        let variable = program.variable(*id);
        let (_, bits) = step.store.iter().find(|(known, _)| known == id)?;
        let [bits] = bits[..] else { return None };
        Some(format!("{} = {}", variable.name, variable.scalar.show(bits)))
    };
    let values = once(read.iter().filter_map(value).collect());
    let with = match values.is_empty() {
        true => String::new(),
        false => format!(" with {}", enumerated(&values)),
    };
    Some(format!("line {} leads here: {} is {}{with}", edge.span.line, edge.text, edge.outcome))
}

fn variables(e: &Expression, into: &mut Vec<VariableId>) {
    match e {
        Expression::Variable(id, _) => into.push(*id),
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Element(_, e, _) | Expression::Unary(_, e) | Expression::Cast(_, e) => {
            variables(e, into)
        }
        Expression::Binary(_, left, right) => {
            variables(left, into);
            variables(right, into);
        }
        Expression::Conditional(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                variables(part, into);
            }
        }
    }
}
