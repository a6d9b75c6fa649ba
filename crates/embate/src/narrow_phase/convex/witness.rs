//! Witness points of overlapping shapes: GJK after separation along the contact axis.
//!
//! ```text
//!      ┌───────┐  B        ┌───────┐  B, translated along n by the penetration plus an epsilon
//!   ┌──┼──┐    │           └───┬───┘
//!   │  └──┼────┘    ──►     ┌──┴──┐   closest points of the two; that of B is translated back
//!   └─────┘  A              └─────┘  A
//! ```
//!
//! The SAT axis determines the penetration, not the location. A support vertex or the crossing of
//! two edges mostly determines it, but where faces or edges are parallel that vertex may lie beside
//! the other shape.

use embate_geom::{RigidTransform, Vec3};

use crate::narrow_phase::convex::gjk::{self, GjkResult};
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::simplex::Simplex;
use crate::narrow_phase::convex::support::Support;
use crate::narrow_phase::feature_id::FeatureId;

/// Extra separation, as a ratio of the smaller shape's size: 1/5 of the guaranteed accuracy.
pub(crate) const SEPARATION_EPSILON: f32 = 2e-5;

/// Location of a contact.
pub(crate) struct Witness {
    /// Midpoint between the surfaces, in A's frame.
    pub(crate) midpoint: Vec3,
    /// The simplex that contains the closest points.
    pub(crate) simplex: Simplex,
}

/// Closest points of `a` and `b`, whose pose in A's frame is `b_in_a`, after B has been translated
/// along `normal` (from A to B) until the `separation` vanishes and a `gap` opens. `scale` bounds
/// the coordinates. `None` if the translation does not separate them.
pub(crate) fn witness_after_separation<A: Support, B: Support>(
    a: &A,
    b: &B,
    b_in_a: &RigidTransform,
    normal: Vec3,
    separation: f32,
    gap: f32,
    scale: f32,
) -> Option<Witness> {
    let translation = normal * (gap - separation);
    let separated =
        RigidTransform { basis: b_in_a.basis, translation: b_in_a.translation + translation };
    match gjk::distance(
        a,
        b,
        &separated,
        normal,
        f32::INFINITY,
        scale + translation.abs().max_element(),
    ) {
        GjkResult::Separated(closest) => {
            let on_a = closest.on_a.as_vec3();
            let on_b = (closest.on_a + closest.a_to_b).as_vec3() - translation;
            Some(Witness { midpoint: (on_a + on_b) * 0.5, simplex: closest.simplex })
        }
        GjkResult::OutOfRange | GjkResult::Overlapping => None,
    }
}

/// The feature of one shape (`side` 0 is A) that contains the vertices of a simplex; `direction` is
/// its outward direction.
pub(crate) fn simplex_feature<P: PolyhedralShape>(
    shape: &P,
    simplex: &Simplex,
    side: usize,
    direction: Vec3,
) -> FeatureId {
    let first = simplex.vertices[0].indices[side];
    let mut others = simplex.vertices().iter().map(|vertex| vertex.indices[side]);
    let Some(second) = others.find(|&vertex| vertex != first) else {
        return FeatureId::vertex(first);
    };
    let edge = shape.edge_between(first, second);
    match edge.filter(|_| others.all(|vertex| vertex == first || vertex == second)) {
        Some(edge) => FeatureId::edge(edge),
        None => FeatureId::face(shape.most_aligned_face(first, direction)),
    }
}
