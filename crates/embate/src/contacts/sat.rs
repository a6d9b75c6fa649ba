//! Along which axis do two solids part soonest?
//!
//! The axis is a normal of a face of one, or square to an edge of each (Gottschalk 1996); which pairs of
//! edges count is read off the arcs between the normals of their faces (Gregorius, "The separating axis
//! test between convex polyhedra", 2013). Asking every face and every pair would cost more than anything
//! else in a contact; what may be left out is in `bound`, and leaves a handful.
//!
//! Promise: what is said to separate does: the separation along the axis returned is measured by the
//! farthest corners of both. Where the search begins changes its speed and no bit of its answer, but for
//! axes that are equally good within rounding.

use embate_geom::{Frame, Vec3};

use super::bound::{Bound, OpenEdges, OpenFaces};
use super::polytope::Polytope;
use super::wide::Wide;

/// A face wins over an axis that parts sooner by no more than this part of the sizes: faces give more
/// points, and do not flutter. A fifth of the promised precision of depths.
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
}

/// The axis along which the two part soonest; `None` if they are apart by more than `beyond` along some
/// axis. If they are apart along a face, no edges are asked. `start` are faces to begin with.
pub(super) fn deepest<A: Polytope, B: Polytope>(
    solids: &Solids<'_, A, B>,
    beyond: f32,
    start: [Option<u32>; 2],
) -> Option<Axis> {
    let Solids { a, b, seen, seen_back } = *solids;
    let preference = preference(a, b);
    let of_a = best_face(a, b, seen, start[0], f32::NEG_INFINITY);
    if of_a.separation > beyond {
        return None;
    }
    let of_b = best_face(b, a, seen_back, start[1], of_a.separation + preference);
    if of_b.separation > beyond {
        return None;
    }
    let axis = if of_b.separation > of_a.separation + preference {
        let normal = -(seen.axes * b.plane(of_b.face).0);
        let of = AxisOf::FaceOfB(of_b.face, of_b.vertex);
        Axis { normal, separation: of_b.separation, of }
    } else {
        let of = AxisOf::FaceOfA(of_a.face, of_a.vertex);
        Axis { normal: a.plane(of_a.face).0, separation: of_a.separation, of }
    };
    if axis.separation > 0.0 {
        return Some(axis);
    }
    let axis = best_edges(solids, axis, preference, &of_a.bound, &of_b.bound);
    (axis.separation <= beyond).then_some(axis)
}

/// By how much a face wins over what is better.
pub(super) fn preference<A: Polytope, B: Polytope>(a: &A, b: &B) -> f32 {
    FACE_PREFERENCE * (a.reach() + b.reach())
}

/// The face of one along which the other is least deep behind it.
struct Behind {
    face: u32,
    vertex: u32,
    separation: f32,
    /// What is known of the other by then.
    bound: Bound,
}

fn separation<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame, face: u32) -> (u32, f32) {
    let (normal, offset) = a.plane(face);
    let (vertex, point) = b.corner_along(-seen.axes.transposed_times(normal));
    (vertex, normal.dot(seen.point(point)) - offset)
}

/// The face of A along which B is least deep, if any is less deep than `known`; else some face. Of equal
/// ones, the first.
fn best_face<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    start: Option<u32>,
    known: f32,
) -> Behind {
    let (middle, radius) = b.inner_ball();
    let middle = seen.point(middle);
    let face = start.unwrap_or_else(|| a.farthest_plane(middle).0);
    let (vertex, depth) = separation(a, b, seen, face);
    let corner = seen.point(b.vertex(vertex));
    let bound = Bound { middle, radius, corner };
    let mut best = Behind { face, vertex, separation: depth, bound };
    let mut open = OpenFaces::new();
    let rounding = Bound::ROUNDING * (a.reach() + corner.abs().largest());
    let least = |best: &Behind| {
        if best.separation > known { best.separation - rounding } else { known - rounding }
    };
    a.faces_within(&bound, least(&best), &mut open);
    let mut latest = corner;
    let mut ask = |face: u32| {
        let (normal, offset) = a.plane(face);
        // The corner that was found last bounds this face too.
        if face == best.face || normal.dot(latest) - offset < least(&best) {
            return;
        }
        let (vertex, depth) = separation(a, b, seen, face);
        latest = seen.point(b.vertex(vertex));
        if depth > best.separation || (depth == best.separation && face < best.face) {
            let bound = Bound { corner: latest, ..bound };
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
        let solids = Solids { a, b, seen: &seen, seen_back: &seen_back };
        let axis = deepest(&solids, f32::INFINITY, [None; 2]).unwrap();
        let best = exhaustive(a, b, &seen);
        for (face_a, face_b) in (0..a.face_count()).zip((0..b.face_count()).cycle()) {
            let elsewhere = deepest(&solids, f32::INFINITY, [Some(face_a), Some(face_b)]).unwrap();
            assert!(
                (elsewhere.separation - axis.separation).abs() < 1e-6,
                "{axis:?} {elsewhere:?}"
            );
        }
        assert!((along(a, b, &seen, axis.normal) - axis.separation).abs() < 1e-6, "{axis:?}");
        if best < 0.0 {
            assert!((axis.separation - best).abs() < 1e-4, "{axis:?}, but {best}");
        } else {
            assert!(axis.separation > -1e-4, "{axis:?}, but {best}");
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
