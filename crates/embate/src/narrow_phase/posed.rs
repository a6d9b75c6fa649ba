//! Posed shape: a shape and its pose in world space, as one argument.

use embate_geom::Pose;

/// A shape and its pose.
#[derive(Debug)]
pub(crate) struct Posed<'a, S> {
    pub(crate) shape: &'a S,
    pub(crate) pose: &'a Pose,
}

impl<'a, S> Posed<'a, S> {
    #[inline]
    pub(crate) fn new(shape: &'a S, pose: &'a Pose) -> Self {
        Self { shape, pose }
    }

    /// Another shape at the same pose.
    #[inline]
    pub(crate) fn with<T>(self, shape: &'a T) -> Posed<'a, T> {
        Posed { shape, pose: self.pose }
    }
}

// Derived implementations would require `S: Clone` and `S: Copy`.
impl<S> Clone for Posed<'_, S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Posed<'_, S> {}
