//! SHA-256 (FIPS 180-4), for the hashes that witnesses carry. Small inputs, no secrets: plain and
//! short rather than fast.

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4,
/// 4.2.2), computed rather than copied.
fn constants() -> [u32; 64] {
    let mut constants = [0; 64];
    for (constant, prime) in constants.iter_mut().zip(primes()) {
        *constant = fraction(prime, 3);
    }
    constants
}

fn primes() -> impl Iterator<Item = u128> {
    (2u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d)))
}

/// 32 bits behind the point of the `degree`-th root (2 or 3) of a small number: the largest r with
/// r^degree ≤ n · 2^(32 · degree).
fn fraction(n: u128, degree: u32) -> u32 {
    let target = n << (32 * degree);
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= target { low = middle } else { high = middle }
    }
    low as u32
}

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let constants = constants();
    let mut state = [0u32; 8];
    for (word, prime) in state.iter_mut().zip(primes()) {
        *word = fraction(prime, 2);
    }
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(64) {
        let mut w = [0u32; 64];
        for (word, four) in w.iter_mut().zip(block.chunks_exact(4)) {
            *word = four.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        for t in 16..64 {
            let s0 = w[t - 15].rotate_right(7) ^ w[t - 15].rotate_right(18) ^ w[t - 15] >> 3;
            let s1 = w[t - 2].rotate_right(17) ^ w[t - 2].rotate_right(19) ^ w[t - 2] >> 10;
            w[t] = s1.wrapping_add(w[t - 7]).wrapping_add(s0).wrapping_add(w[t - 16]);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for t in 0..64 {
            let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let t1 = h
                .wrapping_add(s1)
                .wrapping_add(e & f ^ !e & g)
                .wrapping_add(constants[t])
                .wrapping_add(w[t]);
            let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let t2 = s0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
        }
        for (word, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(new);
        }
    }
    let mut digest = [0; 32];
    for (four, word) in digest.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// Lower-case hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4's examples, and a message whose padding needs a block of its own.
    #[test]
    fn the_standards_examples() {
        let digest = |text: &str| hexadecimal(&sha256(text.as_bytes()));
        assert_eq!(digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(
            digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(
            digest(long),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
    }
}
