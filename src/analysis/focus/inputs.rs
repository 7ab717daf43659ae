//! Inputs: the values that a run starts with or picks, as variables in addition to the program's;
//! and the bits of all variables.

use crate::analysis::invariant::weakest::operate;
use crate::bdd::{Bdd, BitVector, KernelLimits, MAX_LEVELS, Manager, Var};
use crate::lang::model::{
    ChoiceId, EdgeId, Expression, Program, Scalar, UnaryOperator, VariableId,
};
use crate::util::{Bounded, Limit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The meaning of an added variable. Ordinals count a sequence's entries from its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Input {
    /// A local of a pending caller, by the number of calls below it, while the search is inside the
    /// callee.
    Saved(VariableId, u32),
    /// The value that a local has when the call at this ordinal enters its procedure.
    Local(VariableId, u32),
    /// The value that the statement at this ordinal picks.
    Choice(EdgeId, ChoiceId, u32),
    /// The value that the statement at this ordinal gives a variable.
    Havoc(VariableId, u32),
}

/// The program's variables and the inputs, each with bits of its own.
pub struct Inputs {
    program: Rc<Program>,
    /// The diagrams over all of these bits.
    pub kernel: Manager,
    by_input: FxHashMap<Input, VariableId>,
    all: Vec<(Input, Scalar)>,
    /// By variable and element: the number of its bits.
    places: FxHashMap<(VariableId, u32), u32>,
    order: Vec<(VariableId, u32)>,
    stride: u32,
    /// By diagram: the numbers of the scalars that it mentions. A collection of garbage clears this
    /// table.
    places_of: FxHashMap<Bdd, Rc<[u32]>>,
    /// By diagram: its projection to the program's start ([`Inputs::of_the_start`]). Many nodes of
    /// the search share their conjuncts. A collection of garbage clears this table.
    starts: FxHashMap<Bdd, Bdd>,
}

impl Inputs {
    pub(super) fn new(program: Rc<Program>, limits: KernelLimits) -> Bounded<Inputs> {
        let scalars = program.variables.iter().map(|variable| variable.scalar);
        let widest = scalars
            .chain(program.edges.iter().flat_map(|edge| edge.choices.iter().copied()))
            .map(|s| u32::from(s.width))
            .max();
        let stride = MAX_LEVELS / widest.unwrap_or(1).max(1);
        Ok(Inputs {
            kernel: Manager::new(MAX_LEVELS, limits)?,
            program,
            by_input: FxHashMap::default(),
            all: Vec::new(),
            places: FxHashMap::default(),
            order: Vec::new(),
            stride,
            places_of: FxHashMap::default(),
            starts: FxHashMap::default(),
        })
    }

    /// The variable of an input.
    pub(super) fn variable(&mut self, input: Input) -> VariableId {
        let scalar = match input {
            Input::Saved(of, _) | Input::Local(of, _) | Input::Havoc(of, _) => {
                self.program.variable(of).scalar
            }
            Input::Choice(edge, choice, _) => {
                let types = &self.program.edge(edge).choices;
                types.get(choice.0 as usize).copied().unwrap_or(Scalar::BOOL)
            }
        };
        let fresh = VariableId((self.program.variables.len() + self.all.len()) as u32);
        let found = *self.by_input.entry(input).or_insert(fresh);
        if found == fresh {
            self.all.push((input, scalar));
        }
        found
    }

    /// The variable of an input, if the input was met before.
    pub(super) fn known(&self, input: Input) -> Option<VariableId> {
        self.by_input.get(&input).copied()
    }

    /// The meaning of a variable, if it is an added one.
    pub fn input(&self, variable: VariableId) -> Option<Input> {
        let index = (variable.0 as usize).checked_sub(self.program.variables.len())?;
        self.all.get(index).map(|(input, _)| *input)
    }

    fn elements(&self, variable: VariableId) -> u32 {
        match self.input(variable) {
            None => self.program.variable(variable).elements(),
            Some(Input::Saved(of, _) | Input::Local(of, _) | Input::Havoc(of, _)) => {
                self.program.variable(of).elements()
            }
            Some(Input::Choice(..)) => 1,
        }
    }

    fn levels(&mut self, variable: VariableId, element: u32, width: u8) -> Bounded<Vec<Var>> {
        let next = self.order.len() as u32;
        let place = *self.places.entry((variable, element)).or_insert(next);
        if place == next {
            if next >= self.stride {
                self.places.remove(&(variable, element));
                return Err(Limit::Depth);
            }
            self.order.push((variable, element));
        }
        Ok((0..u32::from(width)).map(|bit| Var(bit * self.stride + place)).collect())
    }

    /// The variable and element of a level, and which of its bits.
    pub fn at_level(&self, level: Var) -> Option<((VariableId, u32), u32)> {
        let place = self.order.get((level.0 % self.stride) as usize).copied()?;
        Some((place, level.0 / self.stride))
    }

    fn read(&mut self, variable: VariableId, element: u32, scalar: Scalar) -> Bounded<BitVector> {
        let levels = self.levels(variable, element, scalar.width)?;
        BitVector::from_variables(&mut self.kernel, &levels)
    }

    /// The bits of a variable's element, least significant first.
    pub fn bits(
        &mut self,
        variable: VariableId,
        element: u32,
        scalar: Scalar,
    ) -> Bounded<Vec<Var>> {
        self.levels(variable, element, scalar.width)
    }

    /// The truth of a bool without choices.
    pub(super) fn truth(&mut self, e: &Expression) -> Bounded<Bdd> {
        Ok(self.value(e)?.bits()[0])
    }

    fn value(&mut self, e: &Expression) -> Bounded<BitVector> {
        Ok(match e {
            Expression::Constant(bits, scalar) => BitVector::constant(*bits, scalar.width.into()),
            Expression::Choice(_, scalar) => BitVector::constant(0, scalar.width.into()),
            Expression::Variable(variable, scalar) => self.read(*variable, 0, *scalar)?,
            Expression::Element(array, index, scalar) => {
                let count = self.elements(*array);
                if let Expression::Constant(bits, of) = &**index {
                    let number = of.number(*bits);
                    return match u32::try_from(number).ok().filter(|element| *element < count) {
                        Some(element) => self.read(*array, element, *scalar),
                        None => Ok(BitVector::constant(0, scalar.width.into())),
                    };
                }
                let at = self.value(index)?;
                let mut elements = Vec::new();
                for element in 0..count {
                    elements.push(self.read(*array, element, *scalar)?);
                }
                BitVector::read(&mut self.kernel, &elements, &at, index.scalar().signed)?
            }
            Expression::Unary(UnaryOperator::Negate, operand) => {
                let value = self.value(operand)?;
                value.neg(&mut self.kernel)?
            }
            Expression::Unary(UnaryOperator::Complement | UnaryOperator::Not, operand) => {
                self.value(operand)?.complement()
            }
            Expression::Binary(operator, left, right) => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                operate(&mut self.kernel, *operator, (a, left.scalar()), (b, right.scalar()))?
            }
            Expression::Cast(to, operand) => {
                let (value, from) = (self.value(operand)?, operand.scalar());
                if to.boolean && !from.boolean {
                    BitVector::from_bool(value.any(&mut self.kernel)?)
                } else if from.signed {
                    value.sign_extend(to.width.into())
                } else {
                    value.zero_extend(to.width.into())
                }
            }
            Expression::Conditional(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
                then.ite(&mut self.kernel, condition, &otherwise)?
            }
        })
    }

    /// Does a formula over one scalar alone hold for this value of it?
    pub fn holds_for(&self, f: Bdd, value: u64) -> bool {
        self.kernel.eval(f, &|level| {
            self.at_level(level).is_some_and(|(_, bit)| value >> bit.min(63) & 1 == 1)
        })
    }

    /// The projection of a formula to the store at the program's start: some inputs that are picked
    /// later fulfil it.
    pub(super) fn of_the_start(&mut self, f: Bdd) -> Bounded<Bdd> {
        if let Some(known) = self.starts.get(&f) {
            return Ok(*known);
        }
        let start = self.projected_to_the_start(f)?;
        self.starts.insert(f, start);
        Ok(start)
    }

    fn projected_to_the_start(&mut self, f: Bdd) -> Bounded<Bdd> {
        let of = |v: &Var| self.at_level(*v).and_then(|((variable, _), _)| self.input(variable));
        // A saved local belongs to its procedure and is not picked later.
        let picked = |v: &Var| of(v).is_some_and(|input| !matches!(input, Input::Saved(..)));
        let later: Vec<Var> = self.kernel.support(f).into_iter().filter(picked).collect();
        if later.is_empty() {
            return Ok(f);
        }
        let later = self.kernel.var_set(&later);
        self.kernel.exists(f, later)
    }

    /// Numbers of the scalars that a formula mentions, ascending.
    pub(super) fn places_of(&mut self, f: Bdd) -> Rc<[u32]> {
        if let Some(known) = self.places_of.get(&f) {
            return Rc::clone(known);
        }
        let mut places: Vec<u32> =
            self.kernel.support(f).into_iter().map(|level| level.0 % self.stride).collect();
        places.sort_unstable();
        places.dedup();
        let places: Rc<[u32]> = places.into();
        self.places_of.insert(f, Rc::clone(&places));
        places
    }

    /// Frees every diagram that no root reaches.
    pub(super) fn collect(&mut self, roots: &[Bdd]) {
        self.places_of.clear();
        self.starts.clear();
        self.kernel.collect(roots);
    }

    /// One model of a satisfiable formula: the values of the elements that it speaks of; others are
    /// 0.
    pub(super) fn model(&self, f: Bdd) -> FxHashMap<(VariableId, u32), u64> {
        let over = self.kernel.support(f);
        let mut values: FxHashMap<(VariableId, u32), u64> = FxHashMap::default();
        let Some(truths) = self.kernel.pick(f, &over) else { return values };
        for (level, truth) in over.iter().zip(truths) {
            if let Some((place, bit)) = self.at_level(*level) {
                *values.entry(place).or_default() |= u64::from(truth) << bit;
            }
        }
        values
    }
}
