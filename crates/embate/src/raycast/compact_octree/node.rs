//! Node of the compact octree: up to eight children with quantized boxes.
//!
//! ```text
//!   bytes  field
//!   12     origin        minimum corner of the node, f32
//!    3     exponents     scale of each axis: a power of two
//!    1     counts        inner children, all children
//!    4     first_child   index of the first inner child; the others follow it
//!    4     first_id      index of the first triangle id; those of all leaves are contiguous
//!    4     leaf_counts   triangles of the child in each lane, 4 bits each; 0 for an inner child
//!   48     planes        min and max of 8 children on each axis: origin + scale · (0 to 255)
//! ```
//!
//! Guarantee: a decoded box contains the encoded one. The encoder decodes every plane, by the same
//! f32 operations as the traversal, and moves it outward until it does not cut the box.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use embate_geom::Aabb;
use fearless_simd::{f32x8, prelude::*};

use crate::raycast::bvh::{NodeRef, WIDTH, WideNode, ZERO_LINE};
use crate::raycast::compact_octree::merge_all;

/// Added to the position of an id in a reference to a leaf: `NodeRef::NONE` is a leaf at 1.
const LEAF_OFFSET: usize = 2;
/// Largest quantized coordinate.
const MAX_STEP: u8 = u8::MAX;
/// Bits of the mantissa of an f32: the biased exponent is above them.
const MANTISSA_BITS: u32 = 23;
/// Biased exponent of the smallest normal scale, 2⁻¹²⁶.
const MIN_EXPONENT: u8 = 1;
/// Biased exponent of 2¹²⁰: 255 of them are finite.
const MAX_EXPONENT: u8 = 247;

/// Node with one to eight children: first the inner ones, then the leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompactNode {
    origin: [f32; 3],
    exponents: [u8; 3],
    /// Inner children in the low half, all children in the high half.
    counts: u8,
    first_child: u32,
    first_id: u32,
    leaf_counts: u32,
    /// `planes[axis][side][lane]`.
    planes: [[[u8; WIDTH]; 2]; 3],
}

/// Child of a node to be encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct EncodedChild {
    pub(super) bounds: Aabb<3>,
    /// Number of triangles of a leaf, at most eight; 0 for an inner child.
    pub(super) triangles: u32,
}

/// Decoded planes of a node, in the layout of the BVH8. Aligned, because vectors across two cache
/// lines are slow.
#[repr(align(64))]
pub(super) struct DecodedPlanes(pub(super) WideNode);

impl DecodedPlanes {
    pub(super) const ZERO: Self = Self([ZERO_LINE; 4]);
}

/// Reference to the leaf with `count` ids from position `first`.
#[inline(always)]
pub(super) fn leaf_ref(first: usize, count: usize) -> NodeRef {
    NodeRef::leaf(first + LEAF_OFFSET, count)
}

/// Position of the first id of a leaf.
#[inline(always)]
pub(super) fn first_id(leaf: NodeRef) -> usize {
    leaf.line().wrapping_sub(LEAF_OFFSET)
}

/// Decoded plane. `step · scale` is exact, because the scale is a power of two; the sum is rounded,
/// monotonically in `step`.
#[inline(always)]
fn decode_plane(origin: f32, scale: f32, step: u8) -> f32 {
    origin + f32::from(step) * scale
}

fn scale_of(exponent: u8) -> f32 {
    f32::from_bits(u32::from(exponent) << MANTISSA_BITS)
}

impl CompactNode {
    /// Placeholder of a node that is encoded later.
    pub(super) const EMPTY: Self = Self {
        origin: [0.0; 3],
        exponents: [MIN_EXPONENT; 3],
        counts: 0,
        first_child: 0,
        first_id: 0,
        leaf_counts: 0,
        planes: [[[0; WIDTH]; 2]; 3],
    };

    /// Encodes one to eight children, inner ones first.
    pub(super) fn encode(children: &[EncodedChild], first_child: u32, first_id: u32) -> Self {
        let bounds = merge_all(children.iter().map(|child| child.bounds));
        let inner = children.iter().filter(|child| child.triangles == 0).count();
        let mut node = Self {
            origin: bounds.min,
            counts: (inner | children.len() << 4) as u8,
            first_child,
            first_id,
            ..Self::EMPTY
        };
        for axis in 0..3 {
            node.exponents[axis] = smallest_exponent(bounds.min[axis], bounds.max[axis]);
        }
        for (lane, child) in children.iter().enumerate() {
            node.leaf_counts |= child.triangles << (4 * lane);
            for axis in 0..3 {
                let (origin, scale) = (node.origin[axis], scale_of(node.exponents[axis]));
                let [min, max] = [child.bounds.min[axis], child.bounds.max[axis]];
                node.planes[axis][0][lane] = last_step_up_to(min, origin, scale);
                node.planes[axis][1][lane] = first_step_from(max, origin, scale);
            }
        }
        node
    }

    #[inline(always)]
    fn inner_count(&self) -> usize {
        usize::from(self.counts & 0xf)
    }

    #[inline(always)]
    pub(super) fn child_count(&self) -> usize {
        usize::from(self.counts >> 4)
    }

    /// Lanes with a child, as bits.
    #[inline(always)]
    pub(super) fn child_mask(&self) -> u32 {
        (1 << self.child_count()) - 1
    }

    /// Reference to the child in `lane`: a node, or a leaf of up to eight ids.
    #[inline(always)]
    pub(super) fn child(&self, lane: usize) -> NodeRef {
        if lane < self.inner_count() {
            return NodeRef::node(self.first_child as usize + lane);
        }
        let shift = (4 * lane as u32) & 31;
        let count = self.leaf_counts >> shift & 0xf;
        // Sum of the counts of the lanes before: pairs of 4 bits, then four bytes, at most 56.
        let before = self.leaf_counts & ((1 << shift) - 1);
        let pairs = (before & 0x0f0f_0f0f) + (before >> 4 & 0x0f0f_0f0f);
        let before = pairs.wrapping_mul(0x0101_0101) >> 24;
        leaf_ref(self.first_id as usize + before as usize, count as usize)
    }

    /// Decodes the planes of all lanes. Those without a child have arbitrary planes.
    #[inline(always)]
    pub(super) fn decode<S: Simd>(&self, simd: S, planes: &mut DecodedPlanes) {
        for axis in 0..3 {
            let origin = f32x8::splat(simd, self.origin[axis]);
            let scale = f32x8::splat(simd, scale_of(self.exponents[axis]));
            for side in 0..2 {
                let steps = self.planes[axis][side].map(f32::from);
                let decoded = origin + f32x8::simd_from(simd, steps) * scale;
                decoded.store_slice(&mut planes.0[axis][side]);
            }
        }
    }

    /// Decoded box of a child.
    pub(super) fn child_bounds(&self, lane: usize) -> Aabb<3> {
        let side = |side: usize| {
            core::array::from_fn(|axis| {
                let scale = scale_of(self.exponents[axis]);
                decode_plane(self.origin[axis], scale, self.planes[axis][side][lane])
            })
        };
        Aabb { min: side(0), max: side(1) }
    }

    /// Box of all children.
    pub(super) fn bounds(&self) -> Aabb<3> {
        merge_all((0..self.child_count()).map(|lane| self.child_bounds(lane)))
    }
}

/// Exponent of the smallest scale whose steps reach from `min` to `max`.
fn smallest_exponent(min: f32, max: f32) -> u8 {
    let reaches = |exponent: u8| decode_plane(min, scale_of(exponent), MAX_STEP) >= max;
    let (mut low, mut high) = (MIN_EXPONENT, MAX_EXPONENT);
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if reaches(middle) { (low, middle) } else { (middle + 1, high) };
    }
    low
}

/// The last step that is decoded to at most `plane`, which is at least `origin`.
fn last_step_up_to(plane: f32, origin: f32, scale: f32) -> u8 {
    // The conversion saturates.
    let mut step = ((plane - origin) / scale) as u8;
    while step > 0 && decode_plane(origin, scale, step) > plane {
        step -= 1;
    }
    step
}

/// The first step that is decoded to at least `plane`, which the last step reaches.
fn first_step_from(plane: f32, origin: f32, scale: f32) -> u8 {
    let mut step = last_step_up_to(plane, origin, scale);
    while step < MAX_STEP && decode_plane(origin, scale, step) < plane {
        step += 1;
    }
    step
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;

    fn random_children(rng: &mut Rng, size: f32, shift: f32, count: usize) -> Vec<EncodedChild> {
        let mut child = |_| {
            let point = |rng: &mut Rng| rng.point(-1.0, 1.0).map(|c| c * size + shift);
            let bounds = Aabb::from_points(&[point(rng), point(rng)]).unwrap();
            EncodedChild { bounds, triangles: 0 }
        };
        (0..count).map(&mut child).collect()
    }

    fn contains(outer: &Aabb<3>, inner: &Aabb<3>) -> bool {
        outer.merged(inner) == *outer
    }

    #[test]
    fn node_takes_76_bytes() {
        assert_eq!(size_of::<CompactNode>(), 76);
    }

    #[test]
    fn decoded_boxes_contain_the_encoded_ones_at_every_size_and_distance() {
        let mut rng = Rng::new(5);
        for size in [0.0, 1e-38, 1e-15, 1e-6, 1.0, 1e6, 1e18] {
            for shift in [0.0, 1e-15, 1.0, -3e5, 1e15] {
                for count in 1..=8 {
                    let children = random_children(&mut rng, size, shift, count);
                    let node = CompactNode::encode(&children, 0, 0);
                    for (lane, child) in children.iter().enumerate() {
                        let decoded = node.child_bounds(lane);
                        assert!(contains(&decoded, &child.bounds), "{size}, {shift}: {decoded:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn decoded_box_exceeds_the_encoded_one_by_less_than_one_128th_of_the_node() {
        let mut rng = Rng::new(6);
        for _ in 0..1_000 {
            let children = random_children(&mut rng, 3.0, 1.0, 8);
            let extents = merge_all(children.iter().map(|child| child.bounds)).extents();
            let node = CompactNode::encode(&children, 0, 0);
            for (lane, child) in children.iter().enumerate() {
                let decoded = node.child_bounds(lane);
                for axis in 0..3 {
                    let tolerance = extents[axis] / 127.0;
                    assert!(child.bounds.min[axis] - decoded.min[axis] < tolerance);
                    assert!(decoded.max[axis] - child.bounds.max[axis] < tolerance);
                }
            }
        }
    }

    #[test]
    fn simd_decoding_equals_scalar_decoding() {
        let mut rng = Rng::new(7);
        for level in [fearless_simd::Level::new(), fearless_simd::Level::baseline()] {
            for shift in [0.0, 1e6] {
                let children = random_children(&mut rng, 2.0, shift, 8);
                let node = CompactNode::encode(&children, 0, 0);
                let mut planes = DecodedPlanes::ZERO;
                fearless_simd::dispatch!(level, simd => node.decode(simd, &mut planes));
                for lane in 0..8 {
                    let bounds = node.child_bounds(lane);
                    for axis in 0..3 {
                        assert_eq!(planes.0[axis][0][lane], bounds.min[axis]);
                        assert_eq!(planes.0[axis][1][lane], bounds.max[axis]);
                    }
                }
            }
        }
    }

    #[test]
    fn leaves_follow_the_inner_children_and_their_ids_are_contiguous() {
        let bounds = Aabb { min: [0.0; 3], max: [1.0; 3] };
        let counts = [0, 0, 8, 8, 3, 8, 1, 8];
        let children = counts.map(|triangles| EncodedChild { bounds, triangles });
        let node = CompactNode::encode(&children, 70, 1_000);
        assert_eq!([node.child(0), node.child(1)], [NodeRef::node(70), NodeRef::node(71)]);
        let mut first = 1_000;
        for lane in 2..8 {
            let count = counts[lane] as usize;
            assert_eq!(node.child(lane), leaf_ref(first, count), "lane {lane}");
            assert_eq!(
                (first_id(node.child(lane)), node.child(lane).count()),
                (first, counts[lane])
            );
            first += count;
        }
        assert_eq!(CompactNode::encode(&children[..3], 0, 0).child_mask(), 0b111);
        assert_eq!(node.child_mask(), 0xff);
    }
}
