//! The sequential product of two weighted automata: each configuration has what the first automaton
//! says of it, then what the second says (Lal, Touili, Kidd, Reps 2007, § 6.1).

use super::automaton::{PAutomaton, State, Transition};
use super::system::ControlLocation;
use crate::semiring::{Semiring, Tensors};
use crate::util::Bounded;
use std::collections::BTreeMap;

/// The weights of the factors.
type Factor<T> = <<T as Tensors>::Base as Semiring>::Weight;

/// An automaton in which the weight of a configuration, once detensored, is A1(c) ⊗ A2(c), and the
/// weight of a set is ⊕ of these. Both automata are read in the same direction and have no ε
/// transitions. `tensors` has two factors. The states are pairs, at most |Q1| · |Q2|.
pub fn sequential_product<T: Tensors>(
    tensors: &mut T,
    left: &PAutomaton<Factor<T>>,
    right: &PAutomaton<Factor<T>>,
) -> Bounded<PAutomaton<T::Weight>> {
    let mut product = PAutomaton::new(left.locations());
    let mut pairs: BTreeMap<(State, State), State> = BTreeMap::new();
    let mut waiting = Vec::new();
    for p in (0..left.locations()).map(ControlLocation) {
        pairs.insert((p.into(), p.into()), p.into());
        waiting.push((State::from(p), State::from(p)));
    }
    while let Some((a, b)) = waiting.pop() {
        let from = pairs[&(a, b)];
        if left.is_final(a) && right.is_final(b) {
            product.set_final(from);
        }
        for one in left.outgoing(a).iter().map(|id| (left.transition(*id), left.weight(*id))) {
            for two in right.outgoing(b).iter().map(|id| (right.transition(*id), right.weight(*id)))
            {
                if one.0.symbol != two.0.symbol {
                    continue;
                }
                let pair = (one.0.to, two.0.to);
                let to = match pairs.get(&pair) {
                    Some(known) => *known,
                    None => {
                        let new = product.add_state();
                        pairs.insert(pair, new);
                        waiting.push(pair);
                        new
                    }
                };
                let weight = tensors.tensor(&[one.1.clone(), two.1.clone()])?;
                let transition = Transition { from, symbol: one.0.symbol, to, via: None };
                match product.find(transition) {
                    Some(id) => {
                        let both = tensors.combine(product.weight(id), &weight)?;
                        product.set_weight(id, both);
                    }
                    None => _ = product.insert(transition, weight),
                }
            }
        }
    }
    Ok(product)
}
