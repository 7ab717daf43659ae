//! Expressions of the lowered program as people write them.

use crate::lang::model::{BinaryOperator, Expression, UnaryOperator, VariableId};

/// How an expression is written.
pub(in crate::report) struct Words<'a> {
    /// The name of a variable.
    pub(in crate::report) name: &'a dyn Fn(VariableId) -> String,
    /// Must a comparison of these two texts be read from right to left, as `b > a` for `a < b`?
    /// `None`: constants are on the right.
    pub(in crate::report) turned: &'a dyn Fn(&str, &str) -> Option<bool>,
    /// The text for a value that a run picks.
    pub(in crate::report) picked: &'a str,
    /// Is a number that is used as a truth value written as it is, as in C, and not compared with
    /// 0?
    pub(in crate::report) plain_truth: bool,
    /// Is a member of what a pointer leads to written behind a point, as in Java?
    pub(in crate::report) dotted: bool,
}

/// What the names of the arrays have that are memory: no name in a program has a space.
const MEMORY: &str = " objects";

/// How tightly operators bind, as in C.
fn tightness(operator: BinaryOperator) -> u8 {
    use BinaryOperator::{
        Add, And, Divide, Equal, Less, LessEqual, Multiply, NotEqual, Or, Remainder, ShiftLeft,
        ShiftRight, Subtract, Xor,
    };
    match operator {
        Multiply | Divide | Remainder => 10,
        Add | Subtract => 9,
        ShiftLeft | ShiftRight => 8,
        Less | LessEqual => 7,
        Equal | NotEqual => 6,
        And => 5,
        Xor => 4,
        Or => 3,
    }
}

fn symbol(operator: BinaryOperator, boolean: bool) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::And if boolean => "&&",
        BinaryOperator::And => "&",
        BinaryOperator::Or if boolean => "||",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
    }
}

/// The expression as text.
pub(in crate::report) fn written(words: &Words<'_>, e: &Expression) -> String {
    within(words, e, 0)
}

/// The same as an operand of a comparison.
pub(in crate::report) fn operand(words: &Words<'_>, e: &Expression) -> String {
    within(words, e, 8)
}

/// The text, with parentheses if the operator around it binds more tightly. Recursion is as deep as
/// the expression, which loading limits.
fn within(words: &Words<'_>, e: &Expression, around: u8) -> String {
    let (text, tight) = match e {
        Expression::Constant(bits, scalar) => (scalar.show(*bits), 12),
        Expression::Variable(variable, _) => ((words.name)(*variable), 12),
        Expression::Element(array, index, _) => {
            let (name, index) = ((words.name)(*array), within(words, index, 0));
            match name.split_once(MEMORY) {
                // A slot of memory: `p->next` or `*p`.
                Some((_, member)) => match member.split_once('.') {
                    Some((_, member)) if words.dotted => (format!("{index}.{member}"), 12),
                    Some((_, member)) => (format!("{index}->{member}"), 12),
                    None => (format!("*{index}"), 11),
                },
                None => (format!("{name}[{index}]"), 12),
            }
        }
        Expression::Choice(..) => (words.picked.to_string(), 12),
        Expression::Unary(operator, operand) => {
            let sign = match operator {
                UnaryOperator::Negate => "-",
                UnaryOperator::Complement => "~",
                UnaryOperator::Not => "!",
            };
            (format!("{sign}{}", within(words, operand, 11)), 11)
        }
        Expression::Binary(
            operator @ (BinaryOperator::Less | BinaryOperator::LessEqual),
            left,
            right,
        ) => {
            let (left_text, right_text) = (within(words, left, 8), within(words, right, 8));
            // Constants are on the right, as people write them.
            if (words.turned)(&left_text, &right_text)
                .unwrap_or(matches!(**left, Expression::Constant(..)))
            {
                let turned = if *operator == BinaryOperator::Less { ">" } else { ">=" };
                (format!("{right_text} {turned} {left_text}"), 7)
            } else {
                (format!("{left_text} {} {right_text}", symbol(*operator, false)), 7)
            }
        }
        Expression::Binary(operator, left, right) => {
            let own = tightness(*operator);
            // Constants are on the right here, too.
            let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
            let is_constant = |e: &Expression| matches!(e, Expression::Constant(..));
            let (left, right) = if is_equality && is_constant(left) && !is_constant(right) {
                (right, left)
            } else {
                (left, right)
            };
            let (left_text, right_text) = (within(words, left, own), within(words, right, own + 1));
            (format!("{left_text} {} {right_text}", symbol(*operator, left.scalar().boolean)), own)
        }
        // A number as a truth value; otherwise the value stays.
        Expression::Cast(to, operand)
            if to.boolean && !operand.scalar().boolean && !words.plain_truth =>
        {
            (format!("{} != 0", within(words, operand, 7)), 6)
        }
        Expression::Cast(to, operand) if !to.boolean && to.width < operand.scalar().width => {
            let sign = if to.signed { "int" } else { "unsigned" };
            (format!("({sign}:{}) {}", to.width, within(words, operand, 11)), 11)
        }
        Expression::Cast(_, operand) => return within(words, operand, around),
        Expression::Conditional(condition, then, otherwise) => {
            let [a, b, c] = [condition, then, otherwise].map(|e| within(words, e, 3));
            (format!("{a} ? {b} : {c}"), 1)
        }
    };
    if tight < around { format!("({text})") } else { text }
}
