//! Feature ids: 16-bit names of vertices, edges and faces that persist from frame to frame.

/// A vertex, edge or face of one shape, packed into 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FeatureId(u16);

/// Bits of the index. Larger indices wrap around; 2^14 features exceed any practical hull.
const INDEX_BITS: u32 = 14;

impl FeatureId {
    /// The only feature of a round shape.
    pub(super) const ROUND: Self = Self(0);

    #[inline]
    pub(super) fn vertex(index: u32) -> Self {
        Self::pack(1, index)
    }

    #[inline]
    pub(super) fn edge(index: u32) -> Self {
        Self::pack(2, index)
    }

    #[inline]
    pub(super) fn face(index: u32) -> Self {
        Self::pack(3, index)
    }

    /// Feature of a capsule's segment at a parameter in −1..=1: an endpoint, or the interior.
    #[inline]
    pub(super) fn on_segment(param: f64) -> Self {
        if param <= -1.0 {
            Self::vertex(0)
        } else if param >= 1.0 {
            Self::vertex(1)
        } else {
            Self::edge(0)
        }
    }

    /// Feature of the first or second end (`number`) of an interval on a capsule's segment: the
    /// endpoint of the segment if the interval reaches it, otherwise an interior id with that
    /// number. The two ends of an interval thus never share an id.
    #[inline]
    pub(super) fn interval_end(param: f64, number: usize) -> Self {
        match Self::on_segment(param) {
            endpoint if endpoint != Self::edge(0) => endpoint,
            _ => Self::edge(number as u32),
        }
    }

    #[inline]
    fn pack(type_bits: u16, index: u32) -> Self {
        Self(type_bits << INDEX_BITS | (index & ((1 << INDEX_BITS) - 1)) as u16)
    }
}

/// Feature id of a contact between a feature of A and one of B.
#[inline]
pub(super) fn pack_features(a: FeatureId, b: FeatureId) -> u32 {
    u32::from(a.0) << 16 | u32::from(b.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_every_type_have_distinct_ids() {
        let features = [
            FeatureId::ROUND,
            FeatureId::vertex(0),
            FeatureId::edge(0),
            FeatureId::face(0),
            FeatureId::face(1),
        ];
        for (index, one) in features.iter().enumerate() {
            for other in &features[..index] {
                assert_ne!(
                    pack_features(*one, FeatureId::ROUND),
                    pack_features(*other, FeatureId::ROUND)
                );
                assert_ne!(
                    pack_features(FeatureId::ROUND, *one),
                    pack_features(FeatureId::ROUND, *other)
                );
            }
        }
    }
}
