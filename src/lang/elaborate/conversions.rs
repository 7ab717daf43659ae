//! C's types relative to `bits`, its promotions and its conversions.

use super::address::Address;
use super::elaborator::Elaborator;
use super::value::Value;
use crate::lang::given::{Giver, Role};
use crate::lang::lowering::expressions::cast;
use crate::lang::message::{are, is};
use crate::lang::model::{ChoiceId, Expression, Scalar, Span};
use crate::lang::syntax::{Size, Spelling, TypeName};

impl Elaborator<'_> {
    pub(super) fn int(&self) -> Scalar {
        Scalar::int(self.program.int_width, true)
    }

    /// The scalar of a type name; `None` for `void` and for what was refused.
    pub(super) fn scalar(&self, name: TypeName) -> Option<Scalar> {
        let bits = self.program.int_width;
        match name {
            TypeName::Void
            | TypeName::Poisoned
            | TypeName::Struct(_)
            | TypeName::Handle(_)
            | TypeName::Procedure(_)
            | TypeName::Array(_) => None,
            TypeName::Bool => Some(Scalar::BOOL),
            TypeName::Exact { width, signed } => Some(Scalar::int(width, signed)),
            TypeName::Slot { width, .. } | TypeName::Pattern { width, floating: false } => {
                Some(Scalar::int(width, false))
            }
            TypeName::Floating { width } | TypeName::Pattern { width, floating: true } => {
                Some(Scalar::floating(width))
            }
            TypeName::Enum { id, width } => {
                let whole = self.enums.get(&id).copied().unwrap_or(Scalar::int(bits, false));
                Some(Scalar::int(width.unwrap_or(whole.width), whole.signed))
            }
            TypeName::Integer { size, signed } => {
                let width = match size {
                    Size::Char => bits.min(8),
                    Size::Short => bits.min(16),
                    Size::Int => bits,
                    Size::Long => bits.saturating_mul(2),
                };
                Some(Scalar::int(width, signed))
            }
        }
    }

    /// C's integer promotion: `int` if that holds every value, else `unsigned int`; wider types
    /// stay.
    pub(super) fn promoted(&self, scalar: Scalar) -> Scalar {
        let int = self.int();
        if scalar.floating {
            scalar
        } else if scalar.width > int.width {
            Scalar::int(scalar.width, scalar.signed)
        } else if scalar.width < int.width || scalar.signed {
            int
        } else {
            Scalar::int(int.width, false)
        }
    }

    /// C's usual arithmetic conversions.
    fn common(&self, left: Scalar, right: Scalar) -> Scalar {
        let (left, right) = (self.promoted(left), self.promoted(right));
        match (left.floating, right.floating) {
            (true, true) => return Scalar::floating(left.width.max(right.width)),
            (true, false) => return left,
            (false, true) => return right,
            (false, false) => {}
        }
        let width = left.width.max(right.width);
        let signed = [left, right].iter().all(|s| s.width < width || s.signed);
        Scalar::int(width, signed)
    }

    /// The type that a literal has by itself, if it fits one.
    pub(super) fn literal_scalar(&self, n: i128, spelling: Spelling) -> Scalar {
        let bits = self.program.int_width;
        let width = if spelling.long { bits.saturating_mul(2) } else { bits };
        let signed = Scalar::int(width, true);
        let unsigned = Scalar::int(width, false);
        if spelling.unsigned || (spelling.pattern && !signed.holds(n) && unsigned.holds(n)) {
            unsigned
        } else {
            signed
        }
    }

    /// May the literal stand for a value of this type without a diagnostic? Negative literals wrap
    /// into unsigned types, and patterns wrap into signed types.
    pub(super) fn fits(n: i128, spelling: Spelling, scalar: Scalar) -> bool {
        scalar.holds(n)
            || (!scalar.signed && n < 0 && Scalar::int(scalar.width, true).holds(n))
            || (spelling.pattern && n >= 0 && n <= i128::from(scalar.mask()))
    }

    /// Converts a value as an assignment does. A bool says whether the value is not zero; an
    /// integer wraps. A literal that does not fit is reported.
    pub(super) fn convert(&mut self, value: Value, to: Scalar, span: Span) -> Expression {
        match value {
            Value::Typed(e) if to.floating || e.scalar().floating => self.as_floating(e, to, span),
            Value::Number(n, _) if to.floating => {
                Expression::Constant(crate::lang::floating::of_integer(n, to.width), to)
            }
            Value::Number(n, _) if to.boolean => Expression::Constant(u64::from(n != 0), to),
            Value::Number(n, spelling) => {
                if !Self::fits(n, spelling, to) {
                    match spelling.computed {
                        true => self.constant_wraps(n, to, span),
                        false => self.does_not_fit(n, to, span),
                    }
                }
                Expression::Constant(to.wrap(n), to)
            }
            Value::Choice => self.choice(to),
            Value::Typed(expression) => {
                self.keeps_value(&expression, to, span);
                cast(expression, to)
            }
            Value::Pointer(address) => self.pointer_as(address, to, span),
            Value::Either(condition, branches) => {
                let (then, otherwise) = *branches;
                let then = self.convert(then, to, span);
                let otherwise = self.convert(otherwise, to, span);
                Expression::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise))
            }
            Value::Void => {
                self.diagnostics.error(span, "this has no value", "the procedure returns nothing");
                Expression::Constant(0, to)
            }
            Value::Poisoned => Expression::Constant(0, to),
        }
    }

    /// Converts a pointer. The model only knows whether a pointer is null.
    fn pointer_as(&mut self, address: Address, to: Scalar, span: Span) -> Expression {
        match address {
            Address::Null => Expression::Constant(0, to),
            Address::Unknown => {
                self.refuse_pointer(span, "it is not known where it points");
                Expression::Constant(0, to)
            }
            _ if to.boolean => Expression::truth(),
            Address::Text => {
                let message = are("strings as data").of_memory();
                self.diagnostics.error(span, message, "use integers, or an array of them");
                Expression::Constant(0, to)
            }
            _ => {
                self.refuse_pointer(span, "an address is no number here");
                Expression::Constant(0, to)
            }
        }
    }

    /// Converts a value to a condition.
    pub(super) fn truth(&mut self, value: Value, span: Span) -> Expression {
        self.convert(value, Scalar::BOOL, span)
    }

    /// Converts a value to its own type. Literals and choices are `int` unless their spelling says
    /// otherwise.
    pub(super) fn settle(&mut self, value: Value, span: Span) -> Expression {
        let scalar = self.own_scalar(&value).unwrap_or(self.int());
        self.convert(value, scalar, span)
    }

    /// The type that a value has by itself.
    pub(super) fn own_scalar(&self, value: &Value) -> Option<Scalar> {
        match value {
            Value::Number(n, spelling) => Some(self.literal_scalar(*n, *spelling)),
            Value::Typed(expression) => Some(expression.scalar()),
            Value::Either(_, branches) => {
                match (self.own_scalar(&branches.0), self.own_scalar(&branches.1)) {
                    (Some(then), Some(otherwise)) => Some(self.common(then, otherwise)),
                    (then, otherwise) => then.or(otherwise),
                }
            }
            Value::Choice | Value::Void | Value::Pointer(_) | Value::Poisoned => None,
        }
    }

    pub(super) fn is_floating(&self, value: &Value) -> bool {
        self.own_scalar(value).is_some_and(|scalar| scalar.floating)
    }

    /// The type to which two operands are converted.
    pub(super) fn meeting(&self, left: &Value, right: &Value) -> Scalar {
        match (self.own_scalar(left), self.own_scalar(right)) {
            (Some(left), Some(right)) => self.common(left, right),
            (Some(one), None) | (None, Some(one)) => self.promoted(one),
            (None, None) => self.int(),
        }
    }

    /// Can both operands stay truth values? One is a bool, the other a bool, 0, 1 or a choice. C
    /// would convert them to `int`, with the same result.
    pub(super) fn both_boolean(left: &Value, right: &Value) -> bool {
        let typed = |v: &Value| matches!(v, Value::Typed(e) if e.scalar().boolean);
        let bit = |v: &Value| match v {
            Value::Number(0 | 1, _) | Value::Choice => true,
            Value::Typed(Expression::Constant(0 | 1, s)) => s.width > 1,
            _ => false,
        };
        let may = |v: &Value| typed(v) || bit(v);
        (typed(left) && may(right)) || (may(left) && typed(right))
    }

    /// Makes a new choice, which is pending until the next edge.
    pub(super) fn choice(&mut self, scalar: Scalar) -> Expression {
        let id = ChoiceId(self.pending.choices.len() as u32);
        self.pending.choices.push(scalar.into());
        Expression::Choice(id, scalar)
    }

    /// A new choice that a call gives.
    pub(super) fn given(
        &mut self,
        scalar: Scalar,
        name: &str,
        span: Span,
        role: Role,
    ) -> Expression {
        let choice = self.choice(scalar);
        if let Some(picked) = self.pending.choices.last_mut() {
            picked.giver = Some(Box::new(Giver { name: name.to_string(), span, role }));
        }
        choice
    }

    /// Reports a constant that its type cannot hold, and names a width that can hold it.
    pub(super) fn does_not_fit(&mut self, n: i128, scalar: Scalar, span: Span) {
        self.misfit = true;
        let (message, hint) = self.misfit_words(n, scalar);
        self.diagnostics.error(span, message, hint);
    }

    /// The value `n` of an operator over constants does not fit its type: it wraps, as other values
    /// do.
    pub(super) fn constant_wraps(&mut self, n: i128, scalar: Scalar, span: Span) {
        self.misfit = true;
        let (message, hint) = self.misfit_words(n, scalar);
        let wrapped = scalar.number(scalar.wrap(n));
        self.diagnostics.warning(span, message, format!("it wraps to {wrapped}; {hint}"));
        let old = self.source_text(span);
        self.diagnostics.offer(span, &old, wrapped.to_string());
    }

    /// What to say of a constant that its type cannot hold: the message and the hint.
    fn misfit_words(&self, n: i128, scalar: Scalar) -> (String, String) {
        let bits = self.program.int_width;
        let (low, high) = if scalar.signed {
            (-(1i128 << (scalar.width - 1)), (1i128 << (scalar.width - 1)) - 1)
        } else {
            (0, i128::from(scalar.mask()))
        };
        let needed = width_for(n, scalar.signed);
        let hint = if scalar.width != bits {
            format!("a type of {needed} bits holds it")
        } else if needed <= 32 {
            format!("`//! bits = {needed}` holds it")
        } else {
            "no width up to 32 bits holds it".to_string()
        };
        let sign = if scalar.signed { "" } else { "unsigned " };
        let message = format!(
            "{n} does not fit: {sign}integers of {} bits go from {low} to {high}",
            scalar.width
        );
        (message, hint)
    }

    /// `(type) value`: wraps silently.
    #[inline(never)]
    pub(super) fn explicit_cast(&mut self, type_name: TypeName, value: Value, span: Span) -> Value {
        match type_name {
            TypeName::Void => return Value::Void,
            TypeName::Struct(_) | TypeName::Handle(_) => {
                let message = is("this cast");
                self.diagnostics.error(span, message, "cast to an integer's type");
                return Value::Poisoned;
            }
            TypeName::Poisoned => return Value::Poisoned,
            TypeName::Pattern { width, floating } => {
                let to = if floating { Scalar::floating(width) } else { Scalar::int(width, false) };
                return match value {
                    Value::Typed(e) => Value::Typed(cast(e, to)),
                    Value::Number(n, _) => Value::Typed(Expression::Constant(to.wrap(n), to)),
                    Value::Poisoned => Value::Poisoned,
                    other => Value::Typed(self.convert(other, to, span)),
                };
            }
            _ => {}
        }
        let Some(scalar) = self.scalar(type_name) else { return Value::Poisoned };
        match value {
            Value::Poisoned => Value::Poisoned,
            Value::Typed(e) if scalar.floating || e.scalar().floating => {
                Value::Typed(self.as_floating(e, scalar, span))
            }
            Value::Number(n, _) if !scalar.boolean => {
                Value::Typed(Expression::Constant(scalar.wrap(n), scalar))
            }
            Value::Typed(e) => Value::Typed(cast(e, scalar)),
            other => Value::Typed(self.convert(other, scalar, span)),
        }
    }
}

/// The least width whose type holds `n`.
fn width_for(n: i128, signed: bool) -> u32 {
    let magnitude = if n < 0 { !n } else { n };
    let bits = 128 - magnitude.leading_zeros();
    if signed || n < 0 { bits + 1 } else { bits.max(1) }
}
