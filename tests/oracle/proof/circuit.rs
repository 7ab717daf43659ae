//! A second bit-blaster: words over literals of a SAT solver, gates by Tseitin's clauses (Tseitin
//! 1968). Written from the program model's words alone; shares nothing with `faultline::encode` or
//! the decision diagrams' arithmetic, and does division and shifts another way.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use faultline::lang::model::{BinaryOperator, Expression, Scalar, UnaryOperator, VariableId};

pub type Word = Vec<Lit>;

pub struct Circuit {
    solver: BasicSolver,
    truth: Lit,
}

impl Circuit {
    pub fn new() -> Circuit {
        let mut solver = BasicSolver::default();
        let truth = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![truth]);
        Circuit { solver, truth }
    }

    pub fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub fn fresh_word(&mut self, width: u8) -> Word {
        (0..width).map(|_| self.fresh()).collect()
    }

    pub fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    pub fn assume(&mut self, literal: Lit) {
        self.clause(&[literal]);
    }

    /// Is there a model?
    pub fn satisfiable(&mut self) -> bool {
        let answer = self.solver.solve_limited(&[]);
        assert!(answer != lbool::UNDEF, "the solver has no budget to run out of");
        answer == lbool::TRUE
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (yes, no) = (self.truth, !self.truth);
        match (a, b) {
            _ if a == no || b == no || a == !b => no,
            _ if a == yes || a == b => b,
            _ if b == yes => a,
            _ => {
                let out = self.fresh();
                self.clause(&[!out, a]);
                self.clause(&[!out, b]);
                self.clause(&[out, !a, !b]);
                out
            }
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn all(&mut self, literals: impl IntoIterator<Item = Lit>) -> Lit {
        literals.into_iter().fold(self.truth, |all, literal| self.and(all, literal))
    }

    pub fn ite(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if then == otherwise {
            return then;
        }
        let (yes, no) = (self.and(condition, then), self.and(!condition, otherwise));
        self.or(yes, no)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        self.ite(a, !b, b)
    }

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        assert_eq!(a.len(), b.len());
        let same: Vec<Lit> = a.iter().zip(b).map(|(a, b)| !self.xor(*a, *b)).collect();
        self.all(same)
    }

    pub fn choose(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
        assert_eq!(then.len(), otherwise.len());
        then.iter().zip(otherwise).map(|(a, b)| self.ite(condition, *a, *b)).collect()
    }

    pub fn number(&self, bits: u64, width: usize) -> Word {
        (0..width).map(|k| self.constant(k < 64 && bits >> k & 1 == 1)).collect()
    }

    /// Wider by zeros or by the sign, or cut.
    fn resize(&self, word: &[Lit], width: usize, signed: bool) -> Word {
        let fill = if signed { *word.last().expect("no word is empty") } else { !self.truth };
        (0..width).map(|k| word.get(k).copied().unwrap_or(fill)).collect()
    }

    fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let mut carry = !self.truth;
        let mut sum = Vec::new();
        for (a, b) in a.iter().zip(b) {
            let either = self.xor(*a, *b);
            sum.push(self.xor(either, carry));
            let (both, passed) = (self.and(*a, *b), self.and(either, carry));
            carry = self.or(both, passed);
        }
        sum
    }

    fn negate(&mut self, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|bit| !*bit).collect();
        let one = self.number(1, a.len());
        self.add(&flipped, &one)
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        let mut product = self.number(0, width);
        for (k, digit) in b.iter().enumerate() {
            let row: Word = (0..width)
                .map(|i| if i < k { !self.truth } else { self.and(a[i - k], *digit) })
                .collect();
            product = self.add(&product, &row);
        }
        product
    }

    /// a < b, from the top bit down.
    fn less(&mut self, a: &[Lit], b: &[Lit], signed: bool) -> Lit {
        let (mut less, mut same) = (!self.truth, self.truth);
        for k in (0..a.len()).rev() {
            let flip = signed && k + 1 == a.len();
            let (x, y) = if flip { (b[k], a[k]) } else { (a[k], b[k]) };
            let here = self.and(!x, y);
            let here = self.and(same, here);
            less = self.or(less, here);
            let differ = self.xor(x, y);
            same = self.and(same, !differ);
        }
        less
    }

    fn magnitude(&mut self, a: &[Lit], signed: bool) -> Word {
        if !signed {
            return a.to_vec();
        }
        let negative = self.negate(a);
        self.choose(a[a.len() - 1], &negative, a)
    }

    /// Quotient and remainder, guessed and then pinned down: |a| = q · |b| + r, r < |b|, in twice
    /// the width; both 0 if b is.
    fn divide(&mut self, a: &[Lit], b: &[Lit], signed: bool) -> (Word, Word) {
        let width = a.len();
        let (x, y) = (self.magnitude(a, signed), self.magnitude(b, signed));
        let (q, r) = (self.fresh_word(width as u8), self.fresh_word(width as u8));
        let zero = self.number(0, width);
        let by_zero = self.equal(b, &zero);
        let wide = |c: &Circuit, word: &[Lit]| c.resize(word, 2 * width, false);
        let (wq, wy, wr, wx) = (wide(self, &q), wide(self, &y), wide(self, &r), wide(self, &x));
        let product = self.multiply(&wq, &wy);
        let sum = self.add(&product, &wr);
        let exact = self.equal(&sum, &wx);
        let small = self.less(&r, &y, false);
        self.clause(&[by_zero, exact]);
        self.clause(&[by_zero, small]);
        for bit in q.iter().chain(&r) {
            self.clause(&[!by_zero, !*bit]);
        }
        if !signed {
            return (q, r);
        }
        let (a_sign, b_sign) = (a[width - 1], b[width - 1]);
        let differ = self.xor(a_sign, b_sign);
        let (minus_q, minus_r) = (self.negate(&q), self.negate(&r));
        (self.choose(differ, &minus_q, &q), self.choose(a_sign, &minus_r, &r))
    }

    /// One case for each amount; 0 in all others.
    fn shift(
        &mut self,
        a: &[Lit],
        amount: &[Lit],
        amount_signed: bool,
        shifted: impl Fn(&Circuit, usize) -> Word,
    ) -> Word {
        let mut result = self.number(0, a.len());
        for k in 0..a.len() {
            let here = self.is(amount, amount_signed, k as i128);
            let case = shifted(self, k);
            result = self.choose(here, &case, &result);
        }
        result
    }

    /// Is the word's number this one?
    pub fn is(&mut self, word: &[Lit], signed: bool, number: i128) -> Lit {
        let scalar = Scalar::int(word.len() as u8, signed);
        if !scalar.holds(number) {
            return !self.truth;
        }
        let wanted = self.number(scalar.wrap(number), word.len());
        self.equal(word, &wanted)
    }

    /// The value of an expression; `read` gives the elements of a variable.
    pub fn value(
        &mut self,
        e: &Expression,
        read: &dyn Fn(VariableId) -> Vec<Word>,
        choices: &[Word],
    ) -> Word {
        match e {
            Expression::Constant(bits, scalar) => self.number(*bits, scalar.width.into()),
            Expression::Variable(variable, _) => read(*variable)[0].clone(),
            Expression::Element(array, index, scalar) => {
                let (at, signed) = (self.value(index, read, choices), index.scalar().signed);
                let mut value = self.number(0, scalar.width.into());
                for (k, element) in read(*array).iter().enumerate() {
                    let here = self.is(&at, signed, k as i128);
                    value = self.choose(here, element, &value);
                }
                value
            }
            Expression::Choice(choice, _) => choices[choice.0 as usize].clone(),
            Expression::Unary(operator, operand) => {
                let value = self.value(operand, read, choices);
                match operator {
                    UnaryOperator::Negate => self.negate(&value),
                    UnaryOperator::Complement | UnaryOperator::Not => {
                        value.iter().map(|bit| !*bit).collect()
                    }
                }
            }
            Expression::Binary(operator, left, right) => {
                let (a, b) = (self.value(left, read, choices), self.value(right, read, choices));
                self.binary(*operator, &a, left.scalar(), &b, right.scalar())
            }
            Expression::Cast(to, operand) => {
                let (value, from) = (self.value(operand, read, choices), operand.scalar());
                if to.boolean {
                    let zero = self.number(0, value.len());
                    vec![!self.equal(&value, &zero)]
                } else {
                    self.resize(&value, to.width.into(), from.signed)
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.value(condition, read, choices)[0];
                let (then, otherwise) =
                    (self.value(then, read, choices), self.value(otherwise, read, choices));
                self.choose(condition, &then, &otherwise)
            }
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        a: &[Lit],
        left: Scalar,
        b: &[Lit],
        right: Scalar,
    ) -> Word {
        let (width, no) = (a.len(), !self.truth);
        match operator {
            BinaryOperator::Add => self.add(a, b),
            BinaryOperator::Subtract => {
                let minus = self.negate(b);
                self.add(a, &minus)
            }
            BinaryOperator::Multiply => self.multiply(a, b),
            BinaryOperator::Divide => self.divide(a, b, left.signed).0,
            BinaryOperator::Remainder => self.divide(a, b, left.signed).1,
            BinaryOperator::ShiftLeft => self.shift(a, b, right.signed, |_, k| {
                (0..width).map(|i| if i < k { no } else { a[i - k] }).collect()
            }),
            BinaryOperator::ShiftRight => {
                let fill = if left.signed { a[width - 1] } else { no };
                self.shift(a, b, right.signed, |_, k| {
                    (0..width).map(|i| a.get(i + k).copied().unwrap_or(fill)).collect()
                })
            }
            BinaryOperator::And => a.iter().zip(b).map(|(a, b)| self.and(*a, *b)).collect(),
            BinaryOperator::Or => a.iter().zip(b).map(|(a, b)| self.or(*a, *b)).collect(),
            BinaryOperator::Xor => a.iter().zip(b).map(|(a, b)| self.xor(*a, *b)).collect(),
            BinaryOperator::Equal => vec![self.equal(a, b)],
            BinaryOperator::NotEqual => vec![!self.equal(a, b)],
            BinaryOperator::Less => vec![self.less(a, b, left.signed)],
            BinaryOperator::LessEqual => vec![!self.less(b, a, left.signed)],
        }
    }
}
