//! What is a part of a body called, so that it is found again in the next frame?

/// A corner, edge or face of one body, in 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part(u16);

/// Bits for the index; one that needs more wraps, so that far more than any hull has stay apart.
const INDEX_BITS: u32 = 14;

impl Part {
    /// All of something round.
    pub(super) const WHOLE: Self = Self(0);

    #[inline]
    pub(super) fn corner(index: u32) -> Self {
        Self::of(1, index)
    }

    #[inline]
    pub(super) fn edge(index: u32) -> Self {
        Self::of(2, index)
    }

    #[inline]
    pub(super) fn face(index: u32) -> Self {
        Self::of(3, index)
    }

    /// Of a capsule's segment, at a place from −1 to 1 along it: an end, or all between.
    #[inline]
    pub(super) fn of_rod(place: f64) -> Self {
        if place <= -1.0 {
            Self::corner(0)
        } else if place >= 1.0 {
            Self::corner(1)
        } else {
            Self::edge(0)
        }
    }

    /// Of a capsule's segment, the first or second end of a stretch: an end of the segment if the stretch goes that
    /// far, else one of two names, so that the two ends of a stretch are never called the same.
    #[inline]
    pub(super) fn of_stretch(place: f64, number: usize) -> Self {
        match Self::of_rod(place) {
            corner if corner != Self::edge(0) => corner,
            _ => Self::edge(number as u32),
        }
    }

    #[inline]
    fn of(kind: u16, index: u32) -> Self {
        Self(kind << INDEX_BITS | (index & ((1 << INDEX_BITS) - 1)) as u16)
    }
}

/// The name of a contact between two parts.
#[inline]
pub(super) fn feature(a: Part, b: Part) -> u32 {
    u32::from(a.0) << 16 | u32::from(b.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_every_kind_have_names_of_their_own() {
        let parts = [Part::WHOLE, Part::corner(0), Part::edge(0), Part::face(0), Part::face(1)];
        for (index, one) in parts.iter().enumerate() {
            for other in &parts[..index] {
                assert_ne!(feature(*one, Part::WHOLE), feature(*other, Part::WHOLE));
                assert_ne!(feature(Part::WHOLE, *one), feature(Part::WHOLE, *other));
            }
        }
    }
}
