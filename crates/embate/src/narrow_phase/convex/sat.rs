//! Along which axis do two solids part soonest?
//!
//! The axis is a normal of a face of one, or square to an edge of each (Gottschalk 1996); which pairs of
//! edges count is read off the arcs between the normals of their faces (Gregorius, "The separating axis
//! test between convex polyhedra", 2013). Asking every face and every pair would cost more than anything
//! else in a contact; what may be left out is in `bound`, and leaves a handful.
//!
//! Promise: what is said to separate does: the separation along the axis returned is measured by the
//! farthest corners of both.

use embate_geom::{Frame, Vec3, Wide};

use super::arcs::Arcs;
use super::bound::{Bound, OpenEdges, OpenFaces};
use super::polytope::Polytope;

/// A face wins over an axis that parts sooner by no more than this part of the smaller one's size: faces give
/// more points, and do not flutter. A fifth of the promised precision of depths.
pub(super) const FACE_PREFERENCE: f32 = 2e-5;

/// Edges closer to parallel than this have no axis of their own (sin² of the angle): a face is as good
/// within `FACE_PREFERENCE`.
const PARALLEL: f64 = 1e-12;

/// Edges of A asked at a time.
const CHUNK: usize = 32;

/// The axis of least depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// From A to B, of length 1, as seen from A.
    pub(super) normal: Vec3,
    /// Below 0 if they overlap along it.
    pub(super) separation: f32,
    pub(super) of: AxisOf,
}

/// What the axis is the normal of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum AxisOf {
    /// A face of A, with the corner of B deepest behind it.
    FaceOfA(u32, u32),
    /// A face of B, with the corner of A deepest behind it.
    FaceOfB(u32, u32),
    /// An edge of A and one of B.
    Edges(u32, u32),
}

/// Two solids, each seen from the other.
pub(super) struct Solids<'a, A, B> {
    pub(super) a: &'a A,
    pub(super) b: &'a B,
    pub(super) seen: &'a Frame,
    pub(super) seen_back: &'a Frame,
    /// By how much a face wins over what is better.
    pub(super) preference: f32,
}

/// A face of each to begin with: the one whose plane the middle of the other is farthest out of.
pub(super) struct Start {
    of_a: Behind,
    of_b: Behind,
}

impl Start {
    /// If the two are farther apart than `beyond` along one of them, that one.
    pub(super) fn new<A: Polytope, B: Polytope>(
        solids: &Solids<'_, A, B>,
        beyond: f32,
    ) -> Result<Self, Axis> {
        Self::after(Behind::first(solids), solids, beyond)
    }

    /// With the face of A known.
    pub(super) fn after<A: Polytope, B: Polytope>(
        of_a: Behind,
        solids: &Solids<'_, A, B>,
        beyond: f32,
    ) -> Result<Self, Axis> {
        if of_a.separation > beyond {
            return Err(of_a.axis(solids));
        }
        let of_b = Behind::farthest(solids.b, solids.a, solids.seen_back);
        if of_b.separation <= beyond {
            Ok(Self { of_a, of_b })
        } else {
            Err(solids.along_face_of_b(of_b.face, of_b.vertex, of_b.separation))
        }
    }

    /// The better of the two.
    pub(super) fn axis<A: Polytope, B: Polytope>(&self, solids: &Solids<'_, A, B>) -> Axis {
        face_axis(solids, &self.of_a, &self.of_b)
    }
}

/// The axis along which two solids that overlap part soonest.
///
/// If they are apart after all, it is some axis along which they are.
pub(super) fn deepest<A: Polytope, B: Polytope>(solids: &Solids<'_, A, B>, start: &Start) -> Axis {
    let Solids { a, b, seen, seen_back, preference } = *solids;
    let of_a = best_face(a, b, seen, &start.of_a, f32::NEG_INFINITY);
    let of_b = best_face(b, a, seen_back, &start.of_b, of_a.separation + preference);
    let axis = face_axis(solids, &of_a, &of_b);
    if axis.separation > 0.0 {
        return axis;
    }
    best_edges(solids, axis, preference, &of_a.bound, &of_b.bound)
}

fn face_axis<A: Polytope, B: Polytope>(
    solids: &Solids<'_, A, B>,
    of_a: &Behind,
    of_b: &Behind,
) -> Axis {
    let parts = of_b.separation > 0.0 && of_a.separation <= 0.0;
    if parts || of_b.separation > of_a.separation + solids.preference {
        solids.along_face_of_b(of_b.face, of_b.vertex, of_b.separation)
    } else {
        solids.along_face_of_a(of_a.face, of_a.vertex, of_a.separation)
    }
}

impl<A: Polytope, B: Polytope> Solids<'_, A, B> {
    #[inline]
    pub(super) fn along_face_of_a(&self, face: u32, vertex: u32, separation: f32) -> Axis {
        Axis { normal: self.a.plane(face).0, separation, of: AxisOf::FaceOfA(face, vertex) }
    }

    #[inline]
    pub(super) fn along_face_of_b(&self, face: u32, vertex: u32, separation: f32) -> Axis {
        let normal = -(self.seen.axes * self.b.plane(face).0);
        Axis { normal, separation, of: AxisOf::FaceOfB(face, vertex) }
    }
}

/// A face of one, and how the other lies behind it.
#[derive(Clone, Copy)]
pub(super) struct Behind {
    face: u32,
    vertex: u32,
    separation: f32,
    /// What is known of the other by then.
    bound: Bound,
}

impl Behind {
    /// Of A.
    pub(super) fn first<A: Polytope, B: Polytope>(solids: &Solids<'_, A, B>) -> Self {
        Self::farthest(solids.a, solids.b, solids.seen)
    }

    /// The axis along a face of A.
    pub(super) fn axis<A: Polytope, B: Polytope>(&self, solids: &Solids<'_, A, B>) -> Axis {
        solids.along_face_of_a(self.face, self.vertex, self.separation)
    }

    fn farthest<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame) -> Self {
        let (middle, radius) = b.inner_ball();
        let middle = seen.point(middle);
        let (face, _) = a.farthest_plane(middle);
        let (vertex, corner, separation) = separation(a, b, seen, face);
        Self { face, vertex, separation, bound: Bound { middle, radius, corner } }
    }
}

/// The corner of B that is deepest behind a face of A, where that is, and how far out of its plane.
#[inline]
fn separation<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame, face: u32) -> (u32, Vec3, f32) {
    let (normal, offset) = a.plane(face);
    let (vertex, point) = b.corner_along(-seen.axes.transposed_times(normal));
    let point = seen.point(point);
    (vertex, point, normal.dot(point) - offset)
}

/// The face of A along which B is least deep, if any is less deep than `known`; else some face. Of equal
/// ones, the first.
fn best_face<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    start: &Behind,
    known: f32,
) -> Behind {
    let mut best = *start;
    let bound = start.bound;
    let mut open = OpenFaces::new();
    let rounding = Bound::ROUNDING * (a.reach() + bound.corner.abs().largest());
    let least = |best: &Behind| {
        if best.separation > known { best.separation - rounding } else { known - rounding }
    };
    a.faces_within(&bound, least(&best), &mut open);
    let mut latest = bound.corner;
    let mut ask = |face: u32| {
        let (normal, offset) = a.plane(face);
        // The corner that was found last bounds this face too.
        if face == start.face || normal.dot(latest) - offset < least(&best) {
            return;
        }
        let (vertex, corner, depth) = separation(a, b, seen, face);
        latest = corner;
        if depth > best.separation || (depth == best.separation && face < best.face) {
            let bound = Bound { corner, ..bound };
            best = Behind { face, vertex, separation: depth, bound };
        }
    };
    match open.faces() {
        Some(faces) => faces.iter().for_each(|&face| ask(face)),
        None => (0..a.face_count()).for_each(ask),
    }
    best
}

/// An edge made ready for the test of its arc.
#[derive(Clone, Copy, Default)]
struct Arc {
    from: Vec3,
    along: Vec3,
    normals: [Vec3; 2],
    edge: u32,
}

fn arc<A: Polytope>(a: &A, edge: u32) -> Arc {
    let ([from, to], faces) = a.edge(edge);
    let from = a.vertex(from);
    Arc { from, along: a.vertex(to) - from, normals: faces.map(|face| a.plane(face).0), edge }
}

impl Arc {
    fn seen(&self, seen: &Frame) -> Self {
        Self {
            from: seen.point(self.from),
            along: seen.axes * self.along,
            normals: self.normals.map(|normal| seen.axes * normal),
            edge: self.edge,
        }
    }

    /// Whether the arc between the normals of A's edge crosses that between the negated ones of B's: only
    /// then is there a face of the difference `A − B` between the two edges.
    #[inline]
    fn crosses(&self, b: &Self) -> bool {
        let b_first = -b.normals[0].dot(self.along);
        let b_second = -b.normals[1].dot(self.along);
        let a_first = self.normals[0].dot(b.along);
        let a_second = self.normals[1].dot(b.along);
        b_first * b_second < 0.0 && a_first * a_second < 0.0 && a_first * b_second > 0.0
    }
}

/// The pair of edges that parts them sooner than `axis`, or that axis. `in_b` is what is known of B as seen
/// from A, `in_a` of A as seen from B.
fn best_edges<A: Polytope, B: Polytope>(
    solids: &Solids<'_, A, B>,
    axis: Axis,
    preference: f32,
    in_b: &Bound,
    in_a: &Bound,
) -> Axis {
    let Solids { a, b, seen, .. } = *solids;
    let least = axis.separation + preference;
    let of_a = OpenEdges::new(a, in_b, least);
    if of_a.is_empty() {
        return axis;
    }
    let of_b = OpenEdges::new(b, in_a, least);
    if of_b.is_empty() {
        return axis;
    }
    let mut best = axis;
    let mut search = Search { a, b, seen, middle: a.inner_ball().0, least, best: &mut best };
    if of_a.are_many() && of_b.are_many() {
        let mut arcs_b = Vec::new();
        of_b.each(b, |edge| arcs_b.push(arc(b, edge).seen(seen)));
        let near = Arcs::new(arcs_b.iter().map(|arc| arc.normals.map(|normal| -normal)));
        of_a.each(a, |edge| {
            let arc_a = arc(a, edge);
            near.each_near(arc_a.normals, |index| search.ask(&[arc_a], &arcs_b[index as usize]));
        });
        return best;
    }
    let mut arcs = [Arc::default(); CHUNK];
    let mut count = 0;
    of_a.each(a, |edge| {
        arcs[count] = arc(a, edge);
        count += 1;
        if count == CHUNK {
            of_b.each(b, |edge| search.ask(&arcs, &arc(b, edge).seen(seen)));
            count = 0;
        }
    });
    of_b.each(b, |edge| search.ask(&arcs[..count], &arc(b, edge).seen(seen)));
    best
}

/// The best pair of edges so far.
struct Search<'a, A, B> {
    a: &'a A,
    b: &'a B,
    seen: &'a Frame,
    /// A point inside of A.
    middle: Vec3,
    least: f32,
    best: &'a mut Axis,
}

impl<A: Polytope, B: Polytope> Search<'_, A, B> {
    #[inline]
    fn ask(&mut self, arcs: &[Arc], arc_b: &Arc) {
        for arc_a in arcs {
            if arc_a.crosses(arc_b) {
                self.measure(arc_a, arc_b);
            }
        }
    }

    /// The axis square to two edges, if it parts the bodies sooner than the best; of equal ones, the first.
    fn measure(&mut self, arc_a: &Arc, arc_b: &Arc) {
        let (along_a, along_b) = (Wide::from(arc_a.along), Wide::from(arc_b.along));
        let product = along_a.cross(along_b);
        let square = product.length_squared();
        if square <= PARALLEL * along_a.length_squared() * along_b.length_squared() {
            return;
        }
        let mut normal = (product * (1.0 / square.sqrt())).narrow();
        if normal.dot(arc_a.from - self.middle) < 0.0 {
            normal = -normal;
        }
        if normal.dot(arc_b.from - arc_a.from) < self.least {
            return;
        }
        // The farthest corners have the last word: rounding may have let arcs cross that do not.
        let (_, of_a) = self.a.corner_along(normal);
        let (_, of_b) = self.b.corner_along(-self.seen.axes.transposed_times(normal));
        let separation = normal.dot(self.seen.point(of_b)) - normal.dot(of_a);
        let of = AxisOf::Edges(arc_a.edge, arc_b.edge);
        let earlier = match self.best.of {
            AxisOf::Edges(edge_a, edge_b) => (arc_a.edge, arc_b.edge) < (edge_a, edge_b),
            _ => false,
        };
        if separation > self.least || (separation == self.least && earlier) {
            self.least = separation;
            *self.best = Axis { normal, separation, of };
        }
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::{
        Pose, Rotation,
        shapes::{Cuboid, Hull},
    };

    use super::*;

    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
        }

        fn vector(&mut self) -> Vec3 {
            Vec3::new(self.unit(), self.unit(), self.unit())
        }

        fn pose(&mut self, reach: f32) -> Pose {
            let rotation = Rotation::about(self.vector(), 3.0 * self.unit()).unwrap_or_default();
            Pose { rotation, position: self.vector() * reach }
        }

        fn hull(&mut self) -> Hull {
            loop {
                let points: Vec<Vec3> = (0..6 + (self.0 % 16)).map(|_| self.vector()).collect();
                if let Ok(hull) = Hull::new(&points) {
                    return hull;
                }
            }
        }
    }

    fn along<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame, normal: Vec3) -> f32 {
        let (_, of_a) = a.corner_along(normal);
        let (_, of_b) = b.corner_along(-seen.axes.transposed_times(normal));
        normal.dot(seen.point(of_b) - of_a)
    }

    /// The largest separation over every face and every pair of edges.
    fn exhaustive<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame) -> f32 {
        let mut best = f32::NEG_INFINITY;
        let mut ask = |normal: Vec3| {
            let separation = along(a, b, seen, normal);
            best = if separation > best { separation } else { best };
        };
        for face in 0..a.face_count() {
            ask(a.plane(face).0);
        }
        for face in 0..b.face_count() {
            ask(-(seen.axes * b.plane(face).0));
        }
        for edge_a in 0..a.edge_count() {
            for edge_b in 0..b.edge_count() {
                let normal = arc(a, edge_a).along.cross(seen.axes * arc(b, edge_b).along);
                if let Some(normal) = normal.normalised() {
                    ask(normal);
                    ask(-normal);
                }
            }
        }
        best
    }

    fn check<A: Polytope, B: Polytope>(a: &A, b: &B, pose: &Pose) {
        let seen = pose.frame();
        let back = seen.axes.transposed();
        let seen_back = Frame { axes: back, origin: -(back * seen.origin) };
        let preference = FACE_PREFERENCE * (a.reach() + b.reach());
        let solids = Solids { a, b, seen: &seen, seen_back: &seen_back, preference };
        let start = Start::new(&solids, f32::INFINITY).unwrap();
        let axis = deepest(&solids, &start);
        let best = exhaustive(a, b, &seen);
        assert!((along(a, b, &seen, axis.normal) - axis.separation).abs() < 1e-6, "{axis:?}");
        if best < 0.0 {
            assert!((axis.separation - best).abs() < 1e-4, "{axis:?}, but {best}");
        } else {
            assert!(axis.separation > -1e-4, "{axis:?}, but {best}");
        }
    }

    /// More faces and edges than are remembered.
    #[test]
    fn of_large_hulls_few_axes_tell_what_all_of_them_would() {
        let mut random = Random(0x2545_F491_4F6C_DD1D);
        let round = |random: &mut Random, count: usize| {
            let points: Vec<Vec3> =
                (0..count).filter_map(|_| random.vector().normalised()).collect();
            Hull::new(&points).unwrap()
        };
        let hulls = [
            round(&mut random, 300),
            round(&mut random, 120),
            Hull::cylinder(0.4, 1.0, 64).unwrap(),
            Hull::cone(1.0, 0.7, 100).unwrap(),
        ];
        for case in 0..24 {
            let (a, b) = (&hulls[case % 4], &hulls[case / 4 % 4]);
            let pose = random.pose([0.0, 0.2, 0.7, 1.1][case % 3]);
            check(a, b, &pose);
        }
    }

    #[test]
    fn few_axes_tell_what_all_of_them_would() {
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for case in 0..2000 {
            let (a, b) = (random.hull(), random.hull());
            let cuboid = Cuboid::new(random.vector().abs() + Vec3::splat(0.05)).unwrap();
            let pose = random.pose([0.0, 0.1, 0.5, 1.2][case % 4]);
            check(&a, &b, &pose);
            check(&cuboid, &b, &pose);
            check(&a, &cuboid, &pose);
        }
    }
}
