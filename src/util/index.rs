//! Ids as indices: `frames[procedure]` for a list with one entry for each procedure.

/// Lets lists be indexed by an id, a `u32` newtype whose numbers count from 0.
macro_rules! index_by {
    ($($id:ty),+ $(,)?) => {
        $(
            impl<T> std::ops::Index<$id> for Vec<T> {
                type Output = T;
                #[inline]
                fn index(&self, id: $id) -> &T {
                    &self[id.0 as usize]
                }
            }

            impl<T> std::ops::IndexMut<$id> for Vec<T> {
                #[inline]
                fn index_mut(&mut self, id: $id) -> &mut T {
                    &mut self[id.0 as usize]
                }
            }

            impl<T> std::ops::Index<$id> for [T] {
                type Output = T;
                #[inline]
                fn index(&self, id: $id) -> &T {
                    &self[id.0 as usize]
                }
            }

            impl<T> std::ops::IndexMut<$id> for [T] {
                #[inline]
                fn index_mut(&mut self, id: $id) -> &mut T {
                    &mut self[id.0 as usize]
                }
            }
        )+
    };
}

pub(crate) use index_by;
