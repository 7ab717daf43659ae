//! The workload of `tests/support/reachable_squares.rs` with OxiDD: the same circuit, order and
//! images, by its own fused operation and its own substitution (both kernels remember them between
//! images).

use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef, Subst};

type Function = BCDDFunction;

/// Room for the nodes of 16 bits (some 650,000) without a collection; larger caches were no faster
/// there.
const NODES: usize = 1 << 20;
const CACHE: usize = 1 << 19;

/// Images and nodes.
pub(crate) fn run(bits: u32) -> (u64, u64) {
    let manager = new_manager(NODES, CACHE, 1);
    let variables: Vec<Function> = manager.with_manager_exclusive(|manager| {
        manager.add_vars(2 * bits);
        (0..2 * bits).map(|k| Function::var(manager, k).expect("room")).collect()
    });
    let (no, yes) = manager.with_manager_shared(|manager| (Function::f(manager), Function::t(manager)));
    let x: Vec<Function> = variables.iter().step_by(2).cloned().collect();
    let y: Vec<Function> = variables.iter().skip(1).step_by(2).cloned().collect();
    let constant =
        |value: u32| -> Vec<Function> { (0..bits).map(|k| if value >> k & 1 == 1 { yes.clone() } else { no.clone() }).collect() };
    let mut square = constant(0);
    for (shift, bit) in x.iter().enumerate() {
        let mut row = constant(0);
        for (k, other) in x[..x.len() - shift].iter().enumerate() {
            row[k + shift] = and(bit, other);
        }
        square = add(&square, &row, &no);
    }
    let next = add(&add(&square, &x, &no), &constant(13), &no);
    let relation = (0..x.len()).rev().fold(yes.clone(), |all, k| and(&y[k].equiv(&next[k]).expect("room"), &all));
    let quantified = x.iter().rev().fold(yes.clone(), |all, bit| and(bit, &all));
    let back = Subst::new((0..bits).map(|k| 2 * k + 1).collect::<Vec<_>>(), x.clone());
    let equals = |value: u32| {
        (0..x.len()).rev().fold(yes.clone(), |all, k| {
            let literal = if value >> k & 1 == 1 { x[k].clone() } else { x[k].not().expect("room") };
            and(&literal, &all)
        })
    };
    let mut reached = equals(0).or(&equals(1)).expect("room");
    let mut frontier = reached.clone();
    let mut images = 0;
    while frontier.satisfiable() {
        let image = relation.apply_exists(BooleanOperator::And, &frontier, &quantified).expect("room");
        let image = image.substitute(&back).expect("room");
        frontier = and(&image, &reached.not().expect("room"));
        reached = reached.or(&frontier).expect("room");
        images += 1;
    }
    (images, manager.with_manager_shared(|manager| manager.num_inner_nodes() as u64))
}

fn and(f: &Function, g: &Function) -> Function {
    f.and(g).expect("room")
}

/// A ripple adder modulo 2^bits.
fn add(a: &[Function], b: &[Function], no: &Function) -> Vec<Function> {
    let mut carry = no.clone();
    let mut sum = Vec::new();
    for (a, b) in a.iter().zip(b) {
        let half = a.xor(b).expect("room");
        sum.push(half.xor(&carry).expect("room"));
        carry = and(a, b).or(&and(&half, &carry)).expect("room");
    }
    sum
}
