//! How do nodes and leaves lie in memory, and which children of a node does a ray cross?
//!
//! The whole tree is one list of cache lines. A node takes four of them, a leaf five:
//!
//! ```text
//!   line   node                                      leaf of up to eight triangles
//!   0      least x of 8 children │ greatest x        a.x of 8 triangles │ b.x
//!   1      least y               │ greatest y        a.y                │ b.y
//!   2      least z               │ greatest z        a.z                │ b.z
//!   3      which child           │ –                 c.x                │ c.y
//!   4                                                c.z                │ numbers in the mesh
//! ```
//!
//! So a child is fetched ahead without asking what it is, and a ray finds its axes by one multiplication.
#![allow(clippy::inline_always)]

use embate_geom::{Aabb, EightTriangles, Hit, Ray};
use embate_mesh::TriangleMesh;
use fearless_simd::{f32x4, f32x8, prelude::*};
use prefetch_index::prefetch_index;

/// Children of a node, and triangles of a leaf.
pub(super) const WIDTH: usize = 8;
pub(super) const NODE_LINES: usize = 4;
pub(super) const LEAF_LINES: usize = 5;

/// Eight numbers side by side; whole numbers are kept by their bits.
pub(super) type Row = [f32; WIDTH];

/// One cache line.
pub(super) type Line = [Row; 2];

pub(super) const ZERO: Line = [[0.0; WIDTH]; 2];
const NO_BOX: Line = [[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]];

pub(super) type Node = [Line; NODE_LINES];

/// A node without children: no ray crosses any of its boxes.
pub(super) const EMPTY_NODE: Node = [NO_BOX, NO_BOX, NO_BOX, ZERO];

/// Up to eight triangles; lanes without one hold a point.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a>(&'a [Line; LEAF_LINES]);

#[inline(always)]
pub(super) fn node(lines: &[Line], child: Child) -> Option<&Node> {
    lines.get(child.line()..child.line() + NODE_LINES)?.first_chunk()
}

#[inline(always)]
pub(super) fn leaf(lines: &[Line], child: Child) -> Option<Leaf<'_>> {
    Some(Leaf(lines.get(child.line()..child.line() + LEAF_LINES)?.first_chunk()?))
}

/// Asks memory for a child that will be visited soon. Nothing is read and nothing can fail; where the
/// machine has no such instruction (wasm) nothing happens.
#[inline(always)]
pub(super) fn fetch_ahead(lines: &[Line], child: Child) {
    for line in 0..LEAF_LINES {
        prefetch_index(lines, child.line() + line);
    }
}

/// The first line of a child, whether it is a leaf, and if so of how many triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Child(pub(super) u32);

impl Child {
    const LEAF: u32 = 1 << 31;
    const COUNT_SHIFT: u32 = 28;
    /// Lines that can be told apart: 16 GiB, some 200 million triangles.
    pub(super) const MOST_LINES: usize = 1 << Self::COUNT_SHIFT;

    /// No child: line 1 is within the root. Counts as a leaf, and may be fetched ahead.
    pub(super) const NONE: Self = Self(Self::LEAF | 1);

    pub(super) fn node(line: usize) -> Self {
        Self(line as u32)
    }

    pub(super) fn leaf(line: usize, count: usize) -> Self {
        Self(Self::LEAF | ((count - 1) as u32) << Self::COUNT_SHIFT | line as u32)
    }

    #[inline(always)]
    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    #[inline(always)]
    pub(super) fn line(self) -> usize {
        self.0 as usize & (Self::MOST_LINES - 1)
    }

    /// Triangles of a leaf.
    #[inline(always)]
    pub(super) fn count(self) -> u32 {
        (self.0 >> Self::COUNT_SHIFT & 7) + 1
    }
}

pub(super) fn set_child(node: &mut Node, lane: usize, bounds: &Aabb<3>, child: Child) {
    for axis in 0..3 {
        node[axis][0][lane] = bounds.min[axis];
        node[axis][1][lane] = bounds.max[axis];
    }
    node[3][0][lane] = f32::from_bits(child.0);
}

#[inline(always)]
pub(super) fn children(node: &Node) -> &Row {
    &node[3][0]
}

/// The lines of a leaf with these triangles of the mesh.
pub(super) fn leaf_of(
    mesh: &TriangleMesh,
    members: impl Iterator<Item = u32>,
) -> [Line; LEAF_LINES] {
    let mut lines = [ZERO; LEAF_LINES];
    for (lane, number) in members.take(WIDTH).enumerate() {
        let triangle = mesh.triangle(number);
        for (corner, point) in triangle.0.iter().enumerate() {
            for (axis, &value) in point.iter().enumerate() {
                lines.as_flattened_mut()[row(corner, axis)][lane] = value;
            }
        }
        lines[4][1][lane] = f32::from_bits(number);
    }
    lines
}

/// Which row of a leaf: there is one for any axis below 4.
#[inline(always)]
fn row(corner: usize, axis: usize) -> usize {
    if corner < 2 { 2 * axis + corner } else { 6 + axis }
}

impl<'a> Leaf<'a> {
    /// Of the triangles, in the mesh.
    #[inline(always)]
    pub(super) fn numbers(self) -> &'a Row {
        &self.0[4][1]
    }
}

impl EightTriangles for Leaf<'_> {
    #[inline(always)]
    fn row(&self, corner: usize, axis: usize) -> &Row {
        &self.0.as_flattened()[row(corner, axis)]
    }
}

/// The box of one lane; `None` if it has no child.
pub(super) fn bounds(node: &Node, lane: usize) -> Option<Aabb<3>> {
    let side = |side: usize| core::array::from_fn(|axis| node[axis][side][lane]);
    let bounds = Aabb { min: side(0), max: side(1) };
    (bounds.min[0] <= bounds.max[0]).then_some(bounds)
}

/// The box around all children.
pub(super) fn hull(node: &Node) -> Aabb<3> {
    let boxes = (0..WIDTH).filter_map(|lane| bounds(node, lane));
    boxes.reduce(|a, b| a.joined(&b)).unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] })
}

/// Where the children of a node are entered. (Aligned: a vector that lies across two lines, or pages, is slow.)
#[repr(align(64))]
pub(super) struct Enter(pub(super) Row);

/// A ray against planes, `FUSED` ([`LaneRay`]) or not. (Four numbers where three axes are: a ray is made ready by
/// one step for all of them.)
#[derive(Clone, Copy)]
pub(super) struct PlaneRay {
    /// What near and far planes are multiplied by; far ones by more, unless the ray looks behind itself.
    inv: [[f32; 4]; 2],
    /// What is added then, if fused; otherwise the ray's origin, which is taken away before.
    moved: [[f32; 4]; 2],
    /// Where in a node the near planes begin; the far ones are the other half of the same line.
    near: [u32; 3],
    t_min: f32,
    /// Whether hits before the origin count.
    looks_behind: bool,
}

/// Whether this machine has a fused product. (WebAssembly has none: there the other way is as fast, and one way makes a
/// smaller module.)
pub(super) const FUSES: bool = !cfg!(target_arch = "wasm32");

impl PlaneRay {
    /// For rays that run along every axis and do not look behind themselves, if the machine [`FUSES`].
    ///
    /// Also tells whether it is such a one. It is not, either, where anything is infinite or NaN: then even a box that is not there, whose planes
    /// are infinite, would be crossed. (Two answers, not one that may be none: that would be put together in memory, and waited for.)
    #[inline(always)]
    pub(super) fn fused<S: Simd>(simd: S, ray: &Ray<3>) -> (Self, bool) {
        let (origin, direction) = (four(simd, ray.origin), four(simd, ray.direction));
        let inv = f32x4::splat(simd, 1.0) / direction;
        let inv_far = inv * f32x4::splat(simd, 1.0 + Hit::MARGIN);
        let (near, far) = (origin * inv, origin * inv_far);
        // Products with the origin are rounded, and large where it is far: near planes come nearer by more than
        // that, and far ones go farther.
        let margin = f32x4::splat(simd, PRODUCT_MARGIN);
        let moved = [near.abs().mul_add(-margin, -near), far.abs().mul_add(margin, -far)];
        // (Of a direction of 0 the product is infinite, or NaN.)
        let in_measure = (far.abs() + direction.abs()).simd_lt(f32x4::splat(simd, HUGE));
        let planes = Self {
            inv: [inv.into(), inv_far.into()],
            moved: [moved[0].into(), moved[1].into()],
            near: near_planes(ray),
            t_min: ray.t_min,
            looks_behind: false,
        };
        (planes, FUSES && ray.t_min >= 0.0 && in_measure.all_true())
    }

    /// For any other ray that [leads somewhere](Ray::leads_somewhere).
    #[inline(always)]
    pub(super) fn unfused<S: Simd>(simd: S, ray: &Ray<3>) -> Self {
        let inv = f32x4::splat(simd, 1.0) / four(simd, ray.direction);
        let looks_behind = ray.t_min < 0.0;
        let widened = if looks_behind { 1.0 } else { 1.0 + Hit::MARGIN };
        let inv_far = inv * f32x4::splat(simd, widened);
        Self {
            inv: [inv.into(), inv_far.into()],
            moved: [four(simd, ray.origin).into(); 2],
            near: near_planes(ray),
            t_min: ray.t_min,
            looks_behind,
        }
    }
}

/// The greatest planes are near to a ray that runs against the axis: by the sign bit, not `< 0.0`, because 1 / -0.0 is -∞.
#[inline(always)]
fn near_planes(ray: &Ray<3>) -> [u32; 3] {
    let half = |c: f32| (c.to_bits() >> 31) * WIDTH as u32;
    let [x, y, z] = ray.direction;
    [half(x), 2 * WIDTH as u32 + half(y), 4 * WIDTH as u32 + half(z)]
}

/// (The fourth is what troubles nobody.)
#[inline(always)]
fn four<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
    f32x4::simd_from(simd, [x, y, z, 1.0])
}

/// Far below what overflows, whatever is added to it.
const HUGE: f32 = 1e37;

/// A [`PlaneRay`] spread over the lanes, once for all the nodes it will meet.
///
/// `FUSED`: planes are multiplied and moved in one step. That is faster, but rounds differently where there is
/// no such step, so that boxes by a rounding beside the ray may be visited on one machine and not on another; whoever is
/// watched takes the other way. [`PlaneRay::fused`] tells for which rays.
#[derive(Clone, Copy)]
pub(super) struct LaneRay<S: Simd, const FUSED: bool> {
    inv: [[f32x8<S>; 3]; 2],
    moved: [[f32x8<S>; 3]; 2],
    near: [u32; 3],
    t_min: f32x8<S>,
    looks_behind: bool,
}

impl<S: Simd, const FUSED: bool> LaneRay<S, FUSED> {
    #[inline(always)]
    pub(super) fn new(simd: S, ray: &PlaneRay) -> Self {
        let PlaneRay { inv: [inv_near, inv_far], moved: [near, far], .. } = *ray;
        Self {
            inv: [spread(simd, inv_near), spread(simd, inv_far)],
            moved: [spread(simd, near), spread(simd, far)],
            near: ray.near,
            t_min: f32x8::splat(simd, ray.t_min),
            looks_behind: ray.looks_behind,
        }
    }

    /// Where the ray enters each child's box, and bits for those that it enters before `end`, as
    /// [`Hit::beyond`] gives it, and before it leaves them.
    #[inline(always)]
    pub(super) fn crossings(&self, simd: S, node: &Node, end: f32) -> (f32x8<S>, u32) {
        let (x, y, z) =
            (self.slab(simd, node, 0), self.slab(simd, node, 1), self.slab(simd, node, 2));
        // In two steps, not three: what is waited for is the longest way through. (Of a NaN in `z` the
        // inner step makes a NaN, and `y` is lost with it: the box is kept rather than not.)
        let enter = larger(larger(y.0, z.0), larger(x.0, self.t_min));
        let mut leave = smaller(smaller(y.1, z.1), smaller(x.1, f32x8::splat(simd, end)));
        if !FUSED && self.looks_behind {
            leave = leave + leave.abs() * f32x8::splat(simd, Hit::MARGIN);
        }
        (enter, enter.simd_le(leave).to_bitmask() as u32)
    }

    /// Where the near and the far planes of one axis are crossed.
    #[inline(always)]
    fn slab(&self, simd: S, node: &Node, axis: usize) -> (f32x8<S>, f32x8<S>) {
        // (They are multiples of 8 and below 48; so that the compiler knows that there is as much.)
        let first = self.near[axis] as usize & 0b11_1000;
        let planes = node.as_flattened().as_flattened();
        let near = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let first = first ^ WIDTH;
        let far = f32x8::from_slice(simd, &planes[first..first + WIDTH]);
        let (inv_near, inv_far) = (self.inv[0][axis], self.inv[1][axis]);
        let (near_moved, far_moved) = (self.moved[0][axis], self.moved[1][axis]);
        if FUSED {
            (near.mul_add(inv_near, near_moved), far.mul_add(inv_far, far_moved))
        } else {
            ((near - near_moved) * inv_near, (far - far_moved) * inv_far)
        }
    }
}

#[inline(always)]
fn spread<S: Simd>(simd: S, [x, y, z, _]: [f32; 4]) -> [f32x8<S>; 3] {
    [f32x8::splat(simd, x), f32x8::splat(simd, y), f32x8::splat(simd, z)]
}

/// Of the product of origin and inverse: it is rounded once, its sum with this once, and the plane's own product is off
/// by as much of it once where it is not fused.
const PRODUCT_MARGIN: f32 = 2.0 * f32::EPSILON;

/// The larger of both; `other` if `value` is NaN (a ray lying in a face), which then cuts nothing.
#[inline(always)]
fn larger<S: Simd>(value: f32x8<S>, other: f32x8<S>) -> f32x8<S> {
    // x86's own maximum is defined so, and a fifth of a node's time faster. Others differ.
    if cfg!(target_arch = "x86_64") {
        value.max(other)
    } else {
        value.simd_gt(other).select(value, other)
    }
}

#[inline(always)]
fn smaller<S: Simd>(value: f32x8<S>, other: f32x8<S>) -> f32x8<S> {
    if cfg!(target_arch = "x86_64") {
        value.min(other)
    } else {
        value.simd_lt(other).select(value, other)
    }
}
