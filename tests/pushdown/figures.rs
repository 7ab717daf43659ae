//! Figures of the papers with the values that their texts state.

use crate::support::systems::{saturate_post, saturate_pre};
use faultline::bdd::{Bdd, KernelLimits, Manager, Var};
use faultline::encode::RawRelations;
use faultline::lang::raw::RawVariable;
use faultline::pds::{
    ControlLocation, PAutomaton, Pds, Plain, Read, Right, Rule, StackAutomaton, StackSymbol, State,
    Transition, read_backward, read_forward, sequential_product,
};
use faultline::report::raw_weight::InWords;
use faultline::semiring::affine::{Affine, AffineExpression, Rationals};
use faultline::semiring::{RelationTensors, Relations, Semiring, Tensors};
use faultline::session::{Budgets, Job, Outcome, Task};
use faultline::wire::options::RequestedOptions;
use faultline::wire::projection::Method;
use num_bigint::BigInt;

const P: ControlLocation = ControlLocation(0);

/// n1 … n8 of Fig. 4(a): n1 sets x to 3 (then bar is called at n3, and returns to n4) or to 7 (n2,
/// n5); bar (n7, n8) sets y to x; n6 is the end.
fn figure_4() -> (Pds, Plain<RawRelations>) {
    let variable = |name: &str| RawVariable { name: name.to_string(), bits: 3 };
    let mut semiring =
        RawRelations::new(&[variable("x"), variable("y")], KernelLimits::NONE).expect("no limit");
    let mut pds = Pds::new(1, 9);
    let n = |k: u32| StackSymbol(k);
    let mut weights = Vec::new();
    let rules = [
        (1, Right::Step(n(3)), "x := 3"),
        (1, Right::Step(n(2)), "x := 7"),
        (2, Right::Push(n(7), n(5)), ""),
        (3, Right::Push(n(7), n(4)), ""),
        (4, Right::Step(n(6)), ""),
        (5, Right::Step(n(6)), ""),
        (7, Right::Step(n(8)), "y := x"),
        (8, Right::Pop, ""),
    ];
    for (symbol, right, effect) in rules {
        pds.add(Rule { from: P, symbol: n(symbol), to: P, right });
        weights.push(weight(&mut semiring, effect));
    }
    (pds, Plain { semiring, weights })
}

/// The weight of an effect, read as a rule of a system of its own.
fn weight(semiring: &mut RawRelations, effect: &str) -> faultline::bdd::Bdd {
    let source = format!(
        "weights relation x y {{0..7}}\n<p, a> -> <p, a> {effect}\ninitial <p, a>\ntarget <p, a>\n"
    );
    let requested = RequestedOptions {
        dialect: Some(faultline::wire::options::Dialect::Pds),
        ..RequestedOptions::default()
    };
    let system = faultline::lang::raw::load(&source, &requested).system.expect("it loads");
    semiring.transformer(&system.rules[0].effect).expect("no limit")
}

/// Lal, Touili, Kidd, Reps 2007, § 4.1: n6 is reached with x = y = 3 or x = y = 7, n8 called from
/// the edge n3 → n4 with x = y = 3; § 4.3: pre\*.
#[test]
fn context_bound_figure_4() {
    let (pds, mut domain) = figure_4();
    let one = domain.semiring.one().expect("no limit");
    let n = |k: u32| StackSymbol(k);
    let post = saturate_post(
        &pds,
        &mut domain,
        StackAutomaton::exactly(&[n(1)]).configurations(1, P, 9, &one),
    );
    let mut at = |set: StackAutomaton| {
        read_backward(&mut domain, Read::of(&post), P, &set, &one).expect("no limit")
    };
    let (n6, n8_n4, n8_n5, n8) = (
        at(StackAutomaton::top(n(6))),
        at(StackAutomaton::exactly(&[n(8), n(4)])),
        at(StackAutomaton::exactly(&[n(8), n(5)])),
        at(StackAutomaton::top(n(8))),
    );
    let (three, seven) = (
        weight(&mut domain.semiring, "x := 3, y := 3"),
        weight(&mut domain.semiring, "x := 7, y := 7"),
    );
    let either = domain.semiring.combine(&three, &seven).expect("no limit");
    assert_eq!((n6, n8_n4, n8_n5, n8), (either, three, seven, either));
    assert_eq!(domain.semiring.in_words(&three), "x' = 3 ∧ y' = 3");
    let pre = saturate_pre(
        &pds,
        &mut domain,
        StackAutomaton::exactly(&[n(6)]).configurations(1, P, 9, &one),
    );
    let mut from = |stack: &[StackSymbol]| {
        read_forward(&mut domain, Read::of(&pre), P, &StackAutomaton::exactly(stack), &one)
            .expect("no limit")
    };
    let (n1, n4, inside, entering) =
        (from(&[n(1)]), from(&[n(4)]), from(&[n(8), n(4)]), from(&[n(7), n(5)]));
    let copy = weight(&mut domain.semiring, "y := x");
    assert_eq!(
        (n1, n4, inside, entering),
        (either, one, one, copy),
        "from n4 on nothing happens; inside bar y becomes x"
    );
}

/// Lal, Touili, Kidd, Reps 2007, Fig. 8 and § 6.1: A3(ab) = w1 ⊗ w2 ⊗ w4 ⊗ w5. Of a set of two
/// configurations the tensors give A1(c1) ⊗ A2(c1) ⊕ A1(c2) ⊗ A2(c2), componentwise pairs also the
/// cross terms A1(c1) ⊗ A2(c2) and A1(c2) ⊗ A2(c1).
#[test]
fn context_bound_figure_8() {
    let bits = |factor: u32| {
        (0..2).map(|bit| [0, 1, 2].map(|k| Var(6 * factor + 3 * bit + k))).collect::<Vec<_>>()
    };
    let kernel = Manager::new(12, KernelLimits::NONE).expect("few levels");
    let mut tensors = RelationTensors::new(kernel, vec![bits(0), bits(1)]);
    let mut constant = |value: u64| {
        let pairs: Vec<(u64, u64)> = (0..4).map(|old| (old, value)).collect();
        tensors.base().from_pairs(&pairs).expect("no limit")
    };
    let (to_1, to_2) = (constant(1), constant(2));
    let mut relation = |pairs: &[(u64, u64)]| tensors.base().from_pairs(pairs).expect("no limit");
    let w1 = relation(&[(0, 1), (1, 2), (2, 3), (3, 0)]);
    let w2 = relation(&[(0, 0), (1, 3), (2, 1), (3, 3)]);
    let w4 = relation(&[(0, 2), (1, 1), (3, 2)]);
    let w5 = relation(&[(1, 3), (2, 0), (2, 1)]);
    // c1 and c2: two configurations of one symbol each.
    let (up, down) = (relation(&[(1, 3), (2, 2)]), relation(&[(1, 0), (2, 1)]));
    let [a, b, c1, c2] = [0, 1, 2, 3].map(StackSymbol);
    let chain = |word: &[(StackSymbol, Bdd)], single: &[(StackSymbol, Bdd)]| {
        let mut automaton = PAutomaton::new(1);
        let (middle, end) = (automaton.add_state(), automaton.add_state());
        automaton.set_final(end);
        let places = [State(0), middle, end];
        for (k, (symbol, weight)) in word.iter().enumerate() {
            automaton.insert(
                Transition { from: places[k], symbol: Some(*symbol), to: places[k + 1], via: None },
                *weight,
            );
        }
        for (symbol, weight) in single {
            automaton.insert(
                Transition { from: State(0), symbol: Some(*symbol), to: end, via: None },
                *weight,
            );
        }
        automaton
    };
    let first = chain(&[(a, w1), (b, w2)], &[(c1, to_1), (c2, to_2)]);
    let second = chain(&[(a, w4), (b, w5)], &[(c1, up), (c2, down)]);
    let third = sequential_product(&mut tensors, &first, &second).expect("no limit");
    assert!(third.states() <= first.states() * second.states());
    let one = tensors.one().expect("no limit");
    let mut domain = Plain { semiring: tensors, weights: Vec::new() };
    let mut read = |automaton: &PAutomaton<Bdd>, set: &StackAutomaton| {
        let weight =
            read_forward(&mut domain, Read::of(automaton), P, set, &one).expect("no limit");
        domain.semiring.detensor(&weight).expect("no limit")
    };
    let ab = read(&third, &StackAutomaton::exactly(&[a, b]));
    let (at_1, at_2) = (
        read(&third, &StackAutomaton::exactly(&[c1])),
        read(&third, &StackAutomaton::exactly(&[c2])),
    );
    let either = read(&third, &StackAutomaton::all());
    let base = domain.semiring.base();
    let extend = |base: &mut Relations, weights: &[Bdd]| {
        weights[1..].iter().fold(weights[0], |all, next| base.extend(&all, next).expect("no limit"))
    };
    let expected = extend(base, &[w1, w2, w4, w5]);
    assert_eq!(ab, expected);
    assert!(!ab.is_false());
    assert_eq!((at_1, at_2), (extend(base, &[to_1, up]), extend(base, &[to_2, down])));
    let both = base.combine(&at_1, &at_2).expect("no limit");
    let exact = base.combine(&both, &ab).expect("no limit");
    assert_eq!(either, exact);
    // Componentwise: ⊕ first, then ⊗.
    let (left, right) = (
        base.combine(&to_1, &to_2).expect("no limit"),
        base.combine(&up, &down).expect("no limit"),
    );
    let pairs = extend(base, &[left, right]);
    let crossed = [extend(base, &[to_1, down]), extend(base, &[to_2, up])];
    let with_cross_terms =
        crossed.iter().fold(both, |all, next| base.combine(&all, next).expect("no limit"));
    assert_eq!(pairs, with_cross_terms);
    assert_ne!(pairs, both);
}

fn outcome(source: &str) -> Outcome {
    let mut session = crate::support::load::session(source);
    session.start(Task::Projection(Method::Functional), Budgets::default());
    session.run();
    session.outcome()
}

/// The same as a program: at n6 exactly the two stores.
#[test]
fn context_bound_figure_4_as_a_program() {
    let program = |claim: &str, inside: &str| {
        format!(
            "//! bits = 4\nint x, y;\nvoid bar() {{ y = x; {inside} }}\nvoid main() {{\n  if (*) {{ x = 3; bar(); }} else {{ x = 7; bar(); }}\n  {claim}\n}}"
        )
    };
    assert_eq!(outcome(&program("assert(x == y && (x == 3 || x == 7));", "")), Outcome::Safe);
    assert_eq!(outcome(&program("assert(x != 3);", "")), Outcome::Unsafe);
    assert_eq!(outcome(&program("assert(x != 7);", "")), Outcome::Unsafe);
    assert_eq!(outcome(&program("", "assert(x == y && (x == 3 || x == 7));")), Outcome::Safe);
}

/// Müller-Olm, Seidl 2004 (POPL), the running example of Fig. 1:
/// `Main: x1 := x2; x3 := 0; P(); x1 := x1 − x2 − x3` and
/// `P: either nothing, or x3 := x3 + 1; x1 := x1 + x2 + 1; P(); x1 := x1 − x2`. After the call x1 =
/// x2 + x3, and at the end x1 = 0.
#[test]
fn mueller_olm_and_seidl() {
    let [start, call, back, end, entry, inner, after] = [0, 1, 2, 3, 4, 5, 6].map(StackSymbol);
    let e = |constant: i64, terms: &[(usize, i64)]| AffineExpression {
        constant: BigInt::from(constant),
        terms: terms.iter().map(|(k, f)| (k - 1, BigInt::from(*f))).collect(),
    };
    let mut semiring = Affine::new(Rationals, 3, u64::MAX);
    let mut pds = Pds::new(1, 7);
    let mut weights = Vec::new();
    let mut add = |symbol, right, effect: &[(usize, AffineExpression)]| {
        pds.add(Rule { from: P, symbol, to: P, right });
        let effect: Vec<_> = effect.iter().map(|(k, e)| (k - 1, Some(e.clone()))).collect();
        weights.push(semiring.assign(&effect).expect("no limit"));
    };
    add(start, Right::Step(call), &[(1, e(0, &[(2, 1)])), (3, e(0, &[]))]);
    add(call, Right::Push(entry, back), &[]);
    add(back, Right::Step(end), &[(1, e(0, &[(1, 1), (2, -1), (3, -1)]))]);
    add(entry, Right::Pop, &[]);
    add(entry, Right::Step(inner), &[(1, e(1, &[(1, 1), (2, 1)])), (3, e(1, &[(3, 1)]))]);
    add(inner, Right::Push(entry, after), &[]);
    add(after, Right::Pop, &[(1, e(0, &[(1, 1), (2, -1)]))]);
    let mut domain = Plain { semiring, weights };
    let one = domain.semiring.one().expect("no limit");
    let post = saturate_post(
        &pds,
        &mut domain,
        StackAutomaton::exactly(&[start]).configurations(1, P, 7, &one),
    );
    let mut relations = |symbol| {
        let weight = read_backward(
            &mut domain,
            Read::of(&post),
            P,
            &StackAutomaton::exactly(&[symbol]),
            &one,
        )
        .expect("no limit");
        let found = domain.semiring.relations(&weight).expect("no limit");
        found
            .rows()
            .iter()
            .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    // Columns: constant, x1, x2, x3.
    assert_eq!(relations(back), ["0 1 -1 -1"]);
    assert_eq!(relations(end), ["0 1 0 0"]);
}
