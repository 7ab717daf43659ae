//! Helpers shared by the integration tests.
#![allow(dead_code)]

pub(crate) mod boolean_programs;
pub(crate) mod explicit_systems;
pub(crate) mod figure_9;
pub(crate) mod meaning;
pub(crate) mod printing;
pub(crate) mod tcas;

/// SplitMix64 (Steele, Lea, Flood 2014): tiny, seeded, the same on every machine.
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }
}
