//! Comparisons in the form of the program's text. The model knows only `<` and `<=`, and writes `a
//! > b` as `b < a`.

use crate::lang::model::BinaryOperator;

/// Should `a < b` (or `a <= b`) be written `b > a` (or `b >= a`), if the condition that it comes
/// from has this text?
///
/// A comparison that the text writes with `>` is turned. A comparison that does not hold is also
/// turned if the text writes it with `<=` (for `<`) or `<` (for `<=`). So the operands keep their
/// order in the text. If several comparisons of a condition disagree, nothing is turned.
pub(in crate::report) fn is_turned(operator: BinaryOperator, text: &str) -> bool {
    let (turning, keeping) = match operator {
        BinaryOperator::Less => ([">", "<="], ["<", ">="]),
        BinaryOperator::LessEqual => ([">=", "<"], ["<=", ">"]),
        _ => return false,
    };
    let signs = signs(text);
    signs.iter().any(|sign| turning.contains(sign))
        && !signs.iter().any(|sign| keeping.contains(sign))
}

/// The comparison signs in a text. Shifts and arrows are none.
fn signs(text: &str) -> Vec<&str> {
    let is_sign = |c: char| matches!(c, '<' | '>' | '=' | '-' | '!');
    text.split(|c: char| !is_sign(c))
        .filter(|sign| matches!(*sign, "<" | "<=" | ">" | ">="))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_keep_the_order_of_the_text() {
        let turned = |text| {
            [BinaryOperator::Less, BinaryOperator::LessEqual]
                .map(|operator| is_turned(operator, text))
        };
        // The condition holds: a > b; it does not: a <= b.
        assert_eq!(turned("if (a > b)"), [true, false]);
        assert_eq!(turned("while (a >= b && c >= d)"), [false, true]);
        assert_eq!(turned("if (a < b)"), [false, true]);
        assert_eq!(turned("if (a <= b)"), [true, false]);
        assert_eq!(turned("if (a < b && c > d)"), [false, false]);
    }

    #[test]
    fn shifts_and_arrows_compare_nothing() {
        assert_eq!(signs("p->x >> 2 << 1 >= (a <b)"), [">=", "<"]);
        assert!(!is_turned(BinaryOperator::Less, "x = a >> b"));
        assert!(!is_turned(BinaryOperator::Equal, "if (a > b)"));
    }
}
