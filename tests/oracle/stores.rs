//! Explicit stores: where each variable lives, what expressions mean, and which locals still
//! matter.
//!
//! Written apart from `faultline`'s interpreter on purpose: the two are compared with each other in
//! `brute_force.rs`.

use faultline::lang::model::*;

/// Where the scalars of a variable lie.
#[derive(Clone, Copy)]
pub struct Place {
    pub global: bool,
    pub base: usize,
    pub length: usize,
}

/// Slots of all variables: one vector for the globals, one for each procedure's frame.
pub struct Layout {
    places: Vec<Place>,
    pub globals: usize,
    pub frames: Vec<usize>,
}

impl Layout {
    pub fn new(program: &Program) -> Layout {
        let mut layout =
            Layout { places: Vec::new(), globals: 0, frames: vec![0; program.procedures.len()] };
        for variable in &program.variables {
            let size = match variable.owner {
                None => &mut layout.globals,
                Some(owner) => &mut layout.frames[owner.0 as usize],
            };
            let length = variable.elements() as usize;
            layout.places.push(Place { global: variable.owner.is_none(), base: *size, length });
            *size += length;
        }
        layout
    }

    pub fn place(&self, variable: VariableId) -> Place {
        self.places[variable.0 as usize]
    }
}

/// Values of the globals, of one frame, and of one edge's choices.
pub struct Store<'a> {
    pub layout: &'a Layout,
    pub globals: &'a [u64],
    pub locals: &'a [u64],
    pub choices: &'a [u64],
}

impl Store<'_> {
    fn slot(&self, variable: VariableId, index: usize) -> u64 {
        let place = self.layout.place(variable);
        let slots = if place.global { self.globals } else { self.locals };
        slots[place.base + index]
    }

    /// The flattened index, if inside.
    pub fn index(&self, variable: VariableId, index: &Expression) -> Option<usize> {
        let number = index.scalar().number(self.value(index));
        usize::try_from(number).ok().filter(|i| *i < self.layout.place(variable).length)
    }

    pub fn holds(&self, expression: &Expression) -> bool {
        self.value(expression) == 1
    }

    /// The bit pattern of an expression's value.
    pub fn value(&self, expression: &Expression) -> u64 {
        match expression {
            Expression::Constant(bits, scalar) => bits & scalar.mask(),
            Expression::Variable(variable, _) => self.slot(*variable, 0),
            Expression::Element(variable, index, _) => {
                self.index(*variable, index).map_or(0, |i| self.slot(*variable, i))
            }
            Expression::Choice(choice, _) => self.choices[choice.0 as usize],
            Expression::Unary(operator, operand) => {
                let (bits, scalar) = (self.value(operand), operand.scalar());
                match operator {
                    UnaryOperator::Negate => scalar.wrap(-scalar.number(bits)),
                    UnaryOperator::Complement => !bits & scalar.mask(),
                    UnaryOperator::Not => bits ^ 1,
                }
            }
            Expression::Binary(operator, left, right) => self.binary(*operator, left, right),
            Expression::Cast(scalar, operand) if scalar.boolean => {
                u64::from(self.value(operand) & operand.scalar().mask() != 0)
            }
            Expression::Cast(scalar, operand) => {
                scalar.wrap(operand.scalar().number(self.value(operand)))
            }
            Expression::Conditional(condition, then, otherwise) => {
                self.value(if self.holds(condition) { then } else { otherwise })
            }
        }
    }

    fn binary(&self, operator: BinaryOperator, left: &Expression, right: &Expression) -> u64 {
        let scalar = left.scalar();
        let (x, y) = (scalar.number(self.value(left)), right.scalar().number(self.value(right)));
        let shift = u32::try_from(y).ok().filter(|s| *s < u32::from(scalar.width));
        match operator {
            BinaryOperator::Add => scalar.wrap(x + y),
            BinaryOperator::Subtract => scalar.wrap(x - y),
            BinaryOperator::Multiply => scalar.wrap(x.wrapping_mul(y)),
            BinaryOperator::Divide => scalar.wrap(if y == 0 { 0 } else { x / y }),
            BinaryOperator::Remainder => scalar.wrap(if y == 0 { 0 } else { x % y }),
            BinaryOperator::ShiftLeft => shift.map_or(0, |s| scalar.wrap(x << s)),
            BinaryOperator::ShiftRight => shift.map_or(0, |s| scalar.wrap(x >> s)),
            BinaryOperator::And => scalar.wrap(x & y),
            BinaryOperator::Or => scalar.wrap(x | y),
            BinaryOperator::Xor => scalar.wrap(x ^ y),
            BinaryOperator::Equal => u64::from(x == y),
            BinaryOperator::NotEqual => u64::from(x != y),
            BinaryOperator::Less => u64::from(x < y),
            BinaryOperator::LessEqual => u64::from(x <= y),
        }
    }
}

/// All variables that an expression reads.
pub fn reads(expression: &Expression, found: &mut Vec<VariableId>) {
    match expression {
        Expression::Constant(..) | Expression::Choice(..) => {}
        Expression::Variable(variable, _) => found.push(*variable),
        Expression::Element(variable, index, _) => {
            found.push(*variable);
            reads(index, found);
        }
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => reads(operand, found),
        Expression::Binary(_, left, right) => {
            reads(left, found);
            reads(right, found);
        }
        Expression::Conditional(condition, then, otherwise) => {
            reads(condition, found);
            reads(then, found);
            reads(otherwise, found);
        }
    }
}

/// Which locals may still be read from a location on (backward data-flow analysis). A local that is
/// not live is kept at 0: two stores that differ only there have the same runs, so neither
/// reachability nor projections change, but there are far fewer stores.
pub struct Liveness {
    locations: Vec<Vec<bool>>,
}

impl Liveness {
    pub fn new(program: &Program) -> Liveness {
        let mut liveness = Liveness {
            locations: vec![vec![false; program.variables.len()]; program.locations.len()],
        };
        for procedure in &program.procedures {
            if let Some(result) = procedure.result {
                liveness.locations[procedure.exit.0 as usize][result.0 as usize] = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for edge in program.edge_ids().rev_edges() {
                for variable in liveness.before(program, program.edge(edge)) {
                    let live = &mut liveness.locations[program.edge(edge).from.0 as usize]
                        [variable.0 as usize];
                    changed |= !*live;
                    *live = true;
                }
            }
        }
        liveness
    }

    /// For tests: everything is live everywhere.
    pub fn everything(program: &Program) -> Liveness {
        Liveness { locations: vec![vec![true; program.variables.len()]; program.locations.len()] }
    }

    pub fn live(&self, location: LocationId, variable: VariableId) -> bool {
        self.locations[location.0 as usize][variable.0 as usize]
    }

    fn before(&self, program: &Program, edge: &Edge) -> Vec<VariableId> {
        let mut read = Vec::new();
        let mut killed = Vec::new();
        for check in &edge.checks {
            reads(&check.condition, &mut read);
        }
        match &edge.operation {
            Operation::Skip => {}
            Operation::Assume(condition) => reads(condition, &mut read),
            Operation::Assign(pairs) => {
                for (place, right) in pairs {
                    reads(right, &mut read);
                    match place {
                        faultline::lang::model::Place::Variable(variable) => killed.push(*variable),
                        faultline::lang::model::Place::Element(_, index) => reads(index, &mut read),
                    }
                }
            }
            Operation::Havoc(variables) => killed.extend(variables),
            Operation::Call { arguments, result, .. } => {
                for argument in arguments {
                    reads(argument, &mut read);
                }
                killed.extend(result);
            }
        }
        let after = (0..program.variables.len() as u32)
            .map(VariableId)
            .filter(|v| self.live(edge.to, *v) && !killed.contains(v));
        read.extend(after);
        read
    }
}

trait Backwards {
    fn rev_edges(self) -> std::iter::Rev<std::vec::IntoIter<EdgeId>>;
}

impl<I: Iterator<Item = EdgeId>> Backwards for I {
    fn rev_edges(self) -> std::iter::Rev<std::vec::IntoIter<EdgeId>> {
        self.collect::<Vec<_>>().into_iter().rev()
    }
}
