//! Body index: slot of a body in the arrays of a world, and vectors indexed by it.

use core::ops::{Index, IndexMut};
use core::slice::{ChunksMut, Iter};

/// Slot of a body in the arrays of a [`BodySet`](crate::dynamics::body::body_set::BodySet).
///
/// Indices are only stored while the body is alive: the awake list is rebuilt every step, and
/// removing a body removes its pairs and joints. A [`BodyId`](crate::dynamics::BodyId) is valid for
/// longer, because it has a generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BodyIndex(pub(crate) u32);

/// Indices of two bodies, the smaller first.
pub(crate) type BodyPair = [BodyIndex; 2];

/// Sort key of a pair: the order of the keys is that of the pairs. One comparison instead of two.
#[inline]
pub(crate) fn pair_key([a, b]: BodyPair) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0)
}

impl BodyIndex {
    #[inline]
    pub(crate) fn to_usize(self) -> usize {
        self.0 as usize
    }

    /// The indices of two bodies, the smaller first.
    #[inline]
    pub(crate) fn sorted_pair([a, b]: [Self; 2]) -> BodyPair {
        [a.min(b), a.max(b)]
    }
}

/// Vector with one element for each slot of a world, indexed by [`BodyIndex`].
#[derive(Clone, Debug)]
pub(crate) struct BodyVec<T>(Vec<T>);

impl<T> Default for BodyVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> BodyVec<T> {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All indices, in ascending order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = BodyIndex> + use<T> {
        (0..self.0.len() as u32).map(BodyIndex)
    }

    #[inline]
    pub(crate) fn get(&self, index: BodyIndex) -> Option<&T> {
        self.0.get(index.to_usize())
    }

    pub(crate) fn get_mut(&mut self, index: BodyIndex) -> Option<&mut T> {
        self.0.get_mut(index.to_usize())
    }

    pub(crate) fn iter(&self) -> Iter<'_, T> {
        self.0.iter()
    }

    pub(crate) fn push(&mut self, value: T) {
        self.0.push(value);
    }

    /// Sets all elements of `len` slots to `value`, and keeps the allocation.
    pub(crate) fn fill(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.0.clear();
        self.0.resize(len, value);
    }

    /// Replaces all elements, and keeps the allocation.
    pub(crate) fn refill(&mut self, values: impl Iterator<Item = T>) {
        self.0.clear();
        self.0.extend(values);
    }

    /// Appends copies of `value` until there are at least `len` elements.
    pub(crate) fn grow(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.0.resize(len.max(self.0.len()), value);
    }

    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }

    /// Chunks of `size` adjacent slots.
    pub(crate) fn chunks_mut(&mut self, size: usize) -> ChunksMut<'_, T> {
        self.0.chunks_mut(size)
    }
}

impl<T> FromIterator<T> for BodyVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl<T> Index<BodyIndex> for BodyVec<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: BodyIndex) -> &T {
        &self.0[index.to_usize()]
    }
}

impl<T> IndexMut<BodyIndex> for BodyVec<T> {
    #[inline]
    fn index_mut(&mut self, index: BodyIndex) -> &mut T {
        &mut self.0[index.to_usize()]
    }
}
