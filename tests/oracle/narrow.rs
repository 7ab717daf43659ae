//! Variables that are stored with fewer bits than they have: against the oracle, and a wrong range
//! against the proof.

use crate::compare::difference;
use crate::explicit::{Settings, explore};
use crate::loops;
use crate::support::generate;
use crate::support::load;
use crate::support::shrink::each;
use crate::support::tree::Program;
use crate::symbolic::answer;
use faultline::analysis::invariant::Invariant;
use faultline::analysis::invariant::check::{Errors, holds, obligations};
use faultline::analysis::reach::{Reach, layout};
use faultline::bdd::KernelLimits;
use faultline::cfg::{Range, ranges};
use faultline::encode::Layout;
use faultline::session::Budgets;
use faultline::util::Narrow;
use std::rc::Rc;

/// How many variables of a program can be stored with fewer bits.
pub fn partial(program: &faultline::lang::model::Program) -> usize {
    let is_partial = |(variable, range): (&faultline::lang::model::Variable, Range)| {
        range.least > Range::all(variable.scalar).least
            && range.most < Range::all(variable.scalar).most
    };
    program.variables.iter().zip(ranges(program)).filter(|pair| is_partial(*pair)).count()
}

/// Verdict, reached statements and both projections are the oracle's if every bit is saved that can
/// be.
fn agree(make: impl Fn(u64) -> Program, seeds: std::ops::Range<u64>) -> (u32, u32) {
    let (mut compared, mut narrowed) = (0, 0);
    each(seeds, make, |seed, source| {
        let program = crate::load(source).expect("a program");
        let Some(oracle) = explore(&program, Settings { cap: 8_000, ..Settings::default() }) else {
            return;
        };
        let budgets = Budgets { narrow: Narrow::Saving(1), ..Budgets::default() };
        let mut product = answer(source, None, budgets);
        // The naive projection looks at stores that no run reaches, of which there are fewer.
        if let Some(product) = &mut product {
            let lit = |(naive, oracle): (&bool, &bool)| *naive <= *oracle;
            assert!(product.naive.iter().zip(&oracle.naive).all(lit), "seed {seed}\n{source}");
            product.naive.clone_from(&oracle.naive);
        }
        assert_eq!(difference(&program, &oracle, &product), None, "seed {seed}\n{source}");
        compared += 1;
        narrowed += u32::from(partial(&program) > 0);
    });
    (compared, narrowed)
}

#[test]
fn programs_with_narrow_variables_agree_with_the_oracle() {
    let (compared, narrowed) = agree(loops::program, 3000..3120);
    assert!(compared >= 30 && narrowed >= compared / 3, "{narrowed} of {compared}");
    let (compared, narrowed) = agree(generate::sequential, 0..200);
    assert!(compared >= 100 && narrowed >= 20, "{narrowed} of {compared}");
}

const COUNTS: &str = "//! bits = 32\nint state;\nint next(int s) {\n  int t = 0;\n  \
                      if (s < 5) { t = s + 1; }\n  if (t > 5) { t = 5; }\n  return t;\n}\n\
                      void main() {\n  int k = 3;\n  while (*) {\n    state = next(state & 7);\n    \
                      k = state % 4;\n    assert(k < 4);\n  }\n}\n";

/// Is every obligation of the program's invariant proved, with this layout?
fn is_proved(program: &Rc<faultline::lang::model::Program>, layout: Layout) -> bool {
    let mut reach =
        Reach::with_layout(Rc::clone(program), None, layout, KernelLimits::NONE).expect("no limit");
    while !reach.is_done() {
        reach.step().expect("no limit");
    }
    let invariant = Invariant::of(&mut reach).expect("no limit");
    obligations(program, Errors::All).into_iter().all(|obligation| {
        let domain = &mut reach.domain;
        holds(program, &domain.layout, &mut domain.kernel, &invariant, obligation)
            .expect("no limit")
    })
}

#[test]
fn a_wrong_range_is_no_proof() {
    let program = load::program(COUNTS);
    assert!(is_proved(&program, Layout::new(&program)));
    assert!(is_proved(
        &program,
        layout(&program, Budgets { narrow: Narrow::Saving(1), ..Budgets::default() })
    ));
    let right = ranges(&program);
    let mut refuted = 0;
    let is_known = |range: &Range| range.least == 0 && range.most > 1;
    for (k, range) in right.iter().enumerate().filter(|(_, range)| is_known(range)) {
        let mut wrong = right.clone();
        wrong[k] = Range { least: 0, most: range.most / 4 };
        let layout = Layout::narrowed(&program, &wrong, 1);
        if layout.is_partial(faultline::lang::model::VariableId(k as u32)) {
            assert!(!is_proved(&program, layout), "{}", program.variables[k].name);
            refuted += 1;
        }
    }
    assert!(refuted >= 3, "{refuted}");
}
