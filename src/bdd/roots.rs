//! What a collection must keep.
//!
//! Every structure that holds diagrams implements [`Roots`]; `impl_roots!`
//! writes the implementation from the names of its fields. Options, lists, maps, boxes, references
//! and tuples list the diagrams of everything that they hold.

use super::node::Bdd;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Something that holds decision diagrams.
pub trait Roots {
    /// Appends every diagram that is held here. A collection keeps these and what they reach.
    fn roots(&self, roots: &mut Vec<Bdd>);
}

/// All diagrams that these hold: the argument of [`Manager::collect`](super::Manager::collect).
pub fn roots_of(holders: &[&dyn Roots]) -> Vec<Bdd> {
    let mut roots = Vec::new();
    holders.roots(&mut roots);
    roots
}

impl Roots for Bdd {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        roots.push(*self);
    }
}

/// Numbers hold no diagrams. They occur in tuples with diagrams, and as weights.
macro_rules! impl_no_roots {
    ($($type:ty),*) => {
        $(impl Roots for $type {
            fn roots(&self, _roots: &mut Vec<Bdd>) {}
        })*
    };
}

impl_no_roots!((), bool, u32, u64, usize);

/// Implements [`Roots`](crate::bdd::Roots) by naming the fields that hold diagrams:
/// `impl_roots!(Type { field, other })`, with parameters `impl_roots!([D: Domain] Type<D> { field
/// })`.
macro_rules! impl_roots {
    ([$($parameters:tt)+] $type:ty { $($field:ident),* }) => {
        impl<$($parameters)+> $crate::bdd::Roots for $type {
            fn roots(&self, roots: &mut Vec<$crate::bdd::Bdd>) {
                $($crate::bdd::Roots::roots(&self.$field, roots);)*
            }
        }
    };
    ($type:ty { $($field:ident),* }) => {
        impl $crate::bdd::Roots for $type {
            fn roots(&self, roots: &mut Vec<$crate::bdd::Bdd>) {
                $($crate::bdd::Roots::roots(&self.$field, roots);)*
            }
        }
    };
}

pub(crate) use impl_roots;

impl<T: Roots + ?Sized> Roots for &T {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        (**self).roots(roots);
    }
}

impl<T: Roots + ?Sized> Roots for Box<T> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        (**self).roots(roots);
    }
}

impl<T: Roots + ?Sized> Roots for Rc<T> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        (**self).roots(roots);
    }
}

impl<T: Roots> Roots for Option<T> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.iter().for_each(|held| held.roots(roots));
    }
}

impl<T: Roots> Roots for [T] {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.iter().for_each(|held| held.roots(roots));
    }
}

impl<T: Roots, const N: usize> Roots for [T; N] {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.as_slice().roots(roots);
    }
}

impl<T: Roots> Roots for Vec<T> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.as_slice().roots(roots);
    }
}

/// Lists the diagrams of the values. Keys hold no diagrams.
impl<K, T: Roots> Roots for BTreeMap<K, T> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.values().for_each(|held| held.roots(roots));
    }
}

/// Lists the diagrams of the values. Keys hold no diagrams.
impl<K, T: Roots, S> Roots for HashMap<K, T, S> {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.values().for_each(|held| held.roots(roots));
    }
}

impl<A: Roots, B: Roots> Roots for (A, B) {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.0.roots(roots);
        self.1.roots(roots);
    }
}

impl<A: Roots, B: Roots, C: Roots> Roots for (A, B, C) {
    fn roots(&self, roots: &mut Vec<Bdd>) {
        self.0.roots(roots);
        self.1.roots(roots);
        self.2.roots(roots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Inner {
        at: BTreeMap<u32, Bdd>,
        pairs: Vec<(u32, Bdd)>,
    }
    impl_roots!(Inner { at, pairs });

    struct Outer<T> {
        inner: Option<Box<Inner>>,
        weight: T,
    }
    impl_roots!([T: Roots] Outer<T> { inner, weight });

    #[test]
    fn everything_that_is_held_is_listed() {
        let inner = Inner { at: BTreeMap::from([(7, Bdd::TRUE)]), pairs: vec![(1, Bdd::FALSE)] };
        let outer = Outer { inner: Some(Box::new(inner)), weight: [Bdd::TRUE] };
        assert_eq!(roots_of(&[&outer]), [Bdd::TRUE, Bdd::FALSE, Bdd::TRUE]);
        assert!(roots_of(&[&Outer { inner: None, weight: 3u32 }]).is_empty());
        let (t, f) = (Bdd::TRUE, Bdd::FALSE);
        assert_eq!(roots_of(&[&(f, t), &(t, f, [t])]), [f, t, t, f, t]);
        assert_eq!(roots_of(&[&HashMap::from([(3, (t, f))])]), [t, f]);
    }
}
