//! Budgets that run out are results, and leave the manager as usable as before.

use faultline::bdd::{Bdd, BitVector, KernelLimits, MAX_LEVELS, Manager, Var};
use faultline::util::Alarm;
use faultline::util::limits::{Bounded, Limit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A product of variables, whose middle bits need some hundred thousand nodes.
fn large(manager: &mut Manager, width: u32) -> Bounded<BitVector> {
    let vars = |offset: u32| (0..width).map(|k| Var(2 * k + offset)).collect::<Vec<_>>();
    let x = BitVector::from_variables(manager, &vars(0))?;
    let y = BitVector::from_variables(manager, &vars(1))?;
    x.mul(manager, &y)
}

fn still_usable(manager: &mut Manager) {
    let steps = manager.steps();
    manager.set_limits(KernelLimits::NONE);
    let (x, y) = (manager.var(Var(0)).unwrap(), manager.var(Var(1)).unwrap());
    let both = manager.and(x, y).unwrap();
    let either = manager.or(x, y).unwrap();
    let (not_x, parity) = (!x, manager.xor(x, y).unwrap());
    assert!(manager.is_subset(both, either).unwrap());
    assert_eq!(manager.difference(either, both).unwrap(), parity);
    assert_eq!(manager.and(either, not_x).unwrap(), manager.difference(y, x).unwrap());
    assert!(manager.steps() >= steps);
}

#[test]
fn node_limit_a_hundred_times() {
    let mut manager = Manager::new(24, KernelLimits::NONE).unwrap();
    let mut peaks = Vec::new();
    for _ in 0..100 {
        manager.set_limits(KernelLimits { max_nodes: 2000, max_steps: u64::MAX });
        assert_eq!(large(&mut manager, 12), Err(Limit::Nodes));
        assert_eq!(manager.live_nodes(), 2000);
        still_usable(&mut manager);
        manager.collect(&[]);
        assert_eq!(manager.live_nodes(), 1);
        peaks.push((manager.peak_nodes(), manager.bytes()));
    }
    assert_eq!(peaks.first(), peaks.last(), "memory does not grow from attempt to attempt");
}

#[test]
fn step_limit_a_hundred_times() {
    let mut manager = Manager::new(24, KernelLimits::NONE).unwrap();
    for _ in 0..100 {
        let until = manager.steps() + 1000;
        manager.set_limits(KernelLimits { max_nodes: u64::MAX, max_steps: until });
        assert_eq!(large(&mut manager, 12), Err(Limit::Steps));
        assert_eq!(manager.steps(), until);
        still_usable(&mut manager);
        manager.collect(&[]);
    }
}

#[test]
fn a_larger_budget_continues_to_the_same_result() {
    let mut patient = Manager::new(16, KernelLimits::NONE).unwrap();
    let expected = large(&mut patient, 8).unwrap();
    let mut manager = Manager::new(16, KernelLimits { max_nodes: u64::MAX, max_steps: 0 }).unwrap();
    let mut attempts = 0;
    let product = loop {
        let until = manager.steps() + 500;
        manager.set_limits(KernelLimits { max_nodes: u64::MAX, max_steps: until });
        match large(&mut manager, 8) {
            Ok(product) => break product,
            Err(limit) => assert_eq!(limit, Limit::Steps),
        }
        attempts += 1;
    };
    assert!(attempts > 3);
    let all: Vec<Var> = (0..16).map(Var).collect();
    for (bit, same) in product.bits().iter().zip(expected.bits()) {
        assert_eq!(manager.sat_count(*bit, &all), patient.sat_count(*same, &all));
        assert_eq!(manager.node_count(*bit), patient.node_count(*same));
    }
}

#[test]
fn every_operation_reports_the_limit() {
    let mut manager = Manager::new(16, KernelLimits::NONE).unwrap();
    let product = large(&mut manager, 8).unwrap();
    let (f, g, h) = (product.bits()[7], product.bits()[6], product.bits()[5]);
    let set = manager.var_set(&[Var(3), Var(6)]);
    let renaming = manager.renaming(&[(Var(0), Var(9))]);
    let steps = manager.steps();
    manager.set_limits(KernelLimits { max_nodes: u64::MAX, max_steps: steps });
    let stopped = Err(Limit::Steps);
    assert_eq!(manager.and(f, g), stopped);
    assert_eq!(manager.or(f, g), stopped);
    assert_eq!(manager.xor(f, g), stopped);
    assert_eq!(manager.ite(f, g, h), stopped);
    assert_eq!(manager.exists(f, set), stopped);
    assert_eq!(manager.forall(f, set), stopped);
    assert_eq!(manager.and_exists(f, g, set), stopped);
    assert_eq!(manager.or_forall(f, g, set), stopped);
    assert_eq!(manager.rename(f, renaming), stopped);
    assert_eq!(manager.compose(f, Var(4), g), stopped);
    assert_eq!(manager.restrict(f, g), stopped);
    assert_eq!(manager.cofactor(f, &[(Var(8), true)]), stopped);
    assert_eq!(manager.is_subset(f, g), Err(Limit::Steps));
    assert_eq!(manager.steps(), steps);
}

#[test]
fn levels_are_capped() {
    assert_eq!(Manager::new(MAX_LEVELS + 1, KernelLimits::NONE).err(), Some(Limit::Depth));
    let mut manager = Manager::new(MAX_LEVELS, KernelLimits::NONE).unwrap();
    assert!(manager.var(Var(MAX_LEVELS - 1)).is_ok());
    assert_eq!(manager.var(Var(MAX_LEVELS)), Err(Limit::Depth));
    assert_eq!(Manager::new(0, KernelLimits::NONE).map(|manager| manager.levels()), Ok(0));
    assert!(manager.sat_count(Bdd::TRUE, &[]).to_u64() == Some(1));
}

/// A driver with a clock ends an operation from outside; the manager goes on once the alarm is off.
#[test]
fn an_alarm_ends_operations_while_it_is_on() {
    let alarm = Arc::new(AtomicBool::new(false));
    let mut manager = Manager::new(40, KernelLimits::NONE).expect("few levels");
    manager.set_alarm(Some(Alarm::of_flag(Arc::clone(&alarm))));
    let pairs = |manager: &mut Manager| {
        let mut all = Bdd::TRUE;
        for k in 0..12 {
            let (a, b) = (manager.var(Var(k))?, manager.var(Var(k + 20))?);
            let same = manager.iff(a, b)?;
            all = manager.and(all, same)?;
        }
        Ok(all)
    };
    alarm.store(true, Ordering::Relaxed);
    manager.set_alarm(Some(Alarm::of_flag(Arc::clone(&alarm))));
    assert_eq!(pairs(&mut manager), Err(Limit::Time));
    alarm.store(false, Ordering::Relaxed);
    let all: Bounded<Bdd> = pairs(&mut manager);
    assert!(all.is_ok());
}
