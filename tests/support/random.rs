//! Deterministic pseudo-random numbers: equal seeds give equal numbers on every machine.

/// SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random {
    state: u64,
    /// Bytes that decide the next numbers, the first one last.
    bytes: Vec<u8>,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random { state: seed, bytes: Vec::new() }
    }

    /// Each byte decides one number, its upper bits; so a fuzzer that changes one byte changes one
    /// decision. After the last byte the numbers are those of [`Random::new`] with 0.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Random {
        Random { state: 0, bytes: bytes.iter().rev().copied().collect() }
    }

    pub(crate) fn next(&mut self) -> u64 {
        if let Some(byte) = self.bytes.pop() {
            return u64::from(byte) << 56 | u64::from(byte);
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`: the remainder. For the small bounds of tests its bias is no matter.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number below `bound`, by the upper bits. The generator of programs draws with it: with
    /// [`Random::below`] every seed would mean another program.
    pub(crate) fn among(&mut self, bound: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u32
    }

    pub(crate) fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// True in so many of a hundred cases.
    pub(crate) fn percent(&mut self, chance: u32) -> bool {
        self.among(100) < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.among(items.len() as u32) as usize]
    }
}
