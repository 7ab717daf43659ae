//! What page and worker say to each other only once somebody has asked for more than a first
//! answer. The engine's first part does without the code that writes and reads it
//! (`static/delivery/later.mjs`), so that code must not be merged into that of other messages.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a part of a message.
#[inline(never)]
pub fn write<T: Serialize, S: Serializer>(part: &T, to: S) -> Result<S::Ok, S::Error> {
    part.serialize(to)
}

/// Reads a part of a message.
#[inline(never)]
pub fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::deserialize(from)
}
