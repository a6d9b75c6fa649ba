//! Along which axis do two overlapping solids part soonest?
//!
//! The axis is a normal of a face of one, or square to an edge of each (Gottschalk 1996); which pairs of
//! edges count is read off the arcs between the normals of their faces (Gregorius, "The separating axis
//! test between convex polyhedra", 2013). Asking every face and every pair would cost more than anything
//! else in a contact, but any point of B bounds them: the separation along a face of A is at most the
//! point's own distance from that plane, and along a direction between two faces at most the larger of
//! the two distances while both are below 0. The deepest corner of B found so far and a ball inside B
//! leave a handful of faces and edges to ask.
//!
//! Promise: what is said to separate does: the separation along the axis returned is measured by the
//! farthest corners of both.

use embate_geom::{Frame, Vec3};

use super::polytope::Polytope;
use super::wide::Wide;

/// A face wins over an axis that parts sooner by no more than this part of the sizes: faces give more
/// points, and do not flutter. A fifth of the promised precision of depths.
pub(super) const FACE_PREFERENCE: f32 = 2e-5;

/// Edges closer to parallel than this have no axis of their own (sin² of the angle): a face is as good
/// within `FACE_PREFERENCE`.
const PARALLEL: f64 = 1e-12;

/// Edges of A asked at a time.
const CHUNK: usize = 64;

/// Faces whose bounds are remembered; the rest are asked.
const REMEMBERED: usize = 1024;

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

/// The axis along which the two part soonest. If it finds one along which they are apart it may return
/// that one at once.
pub(super) fn deepest<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    seen_back: &Frame,
) -> Axis {
    let preference = FACE_PREFERENCE * (a.reach() + b.reach());
    let mut open_a = Open::new();
    let mut open_b = Open::new();
    let of_a = best_face(a, b, seen, f32::NEG_INFINITY, preference, &mut open_a);
    let (normal, _) = a.plane(of_a.face);
    let mut axis =
        Axis { normal, separation: of_a.separation, of: AxisOf::FaceOfA(of_a.face, of_a.vertex) };
    if axis.separation > 0.0 {
        return axis;
    }
    let of_b = best_face(b, a, seen_back, axis.separation, preference, &mut open_b);
    if of_b.separation > axis.separation + preference {
        let (normal, _) = b.plane(of_b.face);
        axis = Axis {
            normal: -(seen.axes * normal),
            separation: of_b.separation,
            of: AxisOf::FaceOfB(of_b.face, of_b.vertex),
        };
    }
    if axis.separation > 0.0 {
        return axis;
    }
    best_edges(a, b, seen, axis, preference, &open_a, &open_b)
}

/// The face of one along which the other is least deep behind it.
struct Behind {
    face: u32,
    vertex: u32,
    separation: f32,
}

/// Bit `face` is set where a direction near that face may yet be the best: once for every point that
/// bounds.
struct Open {
    by_ball: [u64; REMEMBERED / 64],
    by_corner: [u64; REMEMBERED / 64],
}

impl Open {
    fn new() -> Self {
        Self { by_ball: [0; REMEMBERED / 64], by_corner: [0; REMEMBERED / 64] }
    }

    fn is_open(bits: &[u64; REMEMBERED / 64], face: u32) -> bool {
        bits.get(face as usize / 64).is_none_or(|bits| bits >> (face % 64) & 1 == 1)
    }

    /// Whether a direction between two faces may be the best.
    fn between(&self, faces: [u32; 2]) -> bool {
        (Self::is_open(&self.by_ball, faces[0]) || Self::is_open(&self.by_ball, faces[1]))
            && (Self::is_open(&self.by_corner, faces[0])
                || Self::is_open(&self.by_corner, faces[1]))
    }

    fn set(bits: &mut [u64; REMEMBERED / 64], face: u32, open: bool) {
        if let Some(bits) = bits.get_mut(face as usize / 64) {
            *bits |= u64::from(open) << (face % 64);
        }
    }
}

fn separation<A: Polytope, B: Polytope>(a: &A, b: &B, seen: &Frame, face: u32) -> Behind {
    let (normal, offset) = a.plane(face);
    let (vertex, point) = b.corner_along(-seen.axes.transposed_times(normal));
    Behind { face, vertex, separation: normal.dot(seen.point(point)) - offset }
}

/// The face of A along which B is least deep, if any is less deep than `known` less `preference`;
/// else some face.
fn best_face<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    known: f32,
    preference: f32,
    open: &mut Open,
) -> Behind {
    let (middle, radius) = b.inner_ball();
    let middle = seen.point(middle);
    let out = |face: u32, point: Vec3| {
        let (normal, offset) = a.plane(face);
        normal.dot(point) - offset
    };
    let mut nearest = (f32::NEG_INFINITY, 0);
    for face in 0..a.face_count() {
        let distance = out(face, middle);
        if distance > nearest.0 {
            nearest = (distance, face);
        }
    }
    let mut best = separation(a, b, seen, nearest.1);
    let corner = seen.point(b.vertex(best.vertex));
    for face in 0..a.face_count() {
        let known = if best.separation > known { best.separation } else { known };
        let least = known - preference;
        let by_ball = out(face, middle);
        let by_corner = out(face, corner);
        if by_ball - radius >= least && by_corner >= least {
            let behind = separation(a, b, seen, face);
            if behind.separation > best.separation {
                best = behind;
            }
        }
    }
    // With the best known, for the edges. Beyond a plane nothing is bounded: see the head of the file.
    let known = if best.separation > known { best.separation } else { known };
    let least = if known < 0.0 { known } else { 0.0 };
    let least_ball = if known + radius < 0.0 { known + radius } else { 0.0 };
    for face in 0..a.face_count() {
        Open::set(&mut open.by_ball, face, out(face, middle) >= least_ball);
        Open::set(&mut open.by_corner, face, out(face, corner) >= least);
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

/// The pair of edges that parts them sooner than `axis`, or that axis.
fn best_edges<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    axis: Axis,
    preference: f32,
    open_a: &Open,
    open_b: &Open,
) -> Axis {
    let mut best = axis;
    let mut least = axis.separation + preference;
    let (middle, _) = a.inner_ball();
    let mut arcs = [Arc::default(); CHUNK];
    let mut edge_a = 0;
    while edge_a < a.edge_count() {
        let mut count = 0;
        while edge_a < a.edge_count() && count < CHUNK {
            if open_a.between(a.edge(edge_a).1) {
                arcs[count] = arc(a, edge_a);
                count += 1;
            }
            edge_a += 1;
        }
        for edge_b in 0..b.edge_count() {
            if !open_b.between(b.edge(edge_b).1) {
                continue;
            }
            let own = arc(b, edge_b);
            let arc_b = Arc {
                from: seen.point(own.from),
                along: seen.axes * own.along,
                normals: own.normals.map(|normal| seen.axes * normal),
                edge: edge_b,
            };
            for arc_a in &arcs[..count] {
                if arc_a.crosses(&arc_b)
                    && let Some(found) = edge_axis(a, b, seen, arc_a, &arc_b, middle, least)
                {
                    best = found;
                    least = found.separation;
                }
            }
        }
    }
    best
}

/// The axis square to two edges, if it parts the bodies sooner than `least`.
fn edge_axis<A: Polytope, B: Polytope>(
    a: &A,
    b: &B,
    seen: &Frame,
    arc_a: &Arc,
    arc_b: &Arc,
    middle: Vec3,
    least: f32,
) -> Option<Axis> {
    let (along_a, along_b) = (Wide::from(arc_a.along), Wide::from(arc_b.along));
    let product = along_a.cross(along_b);
    let square = product.length_squared();
    if square <= PARALLEL * along_a.length_squared() * along_b.length_squared() {
        return None;
    }
    let mut normal = (product * (1.0 / square.sqrt())).narrow();
    if normal.dot(arc_a.from - middle) < 0.0 {
        normal = -normal;
    }
    if normal.dot(arc_b.from - arc_a.from) <= least {
        return None;
    }
    // The farthest corners have the last word: rounding may have let arcs cross that do not.
    let (_, of_a) = a.corner_along(normal);
    let (_, of_b) = b.corner_along(-seen.axes.transposed_times(normal));
    let separation = normal.dot(seen.point(of_b)) - normal.dot(of_a);
    (separation > least).then_some(Axis {
        normal,
        separation,
        of: AxisOf::Edges(arc_a.edge, arc_b.edge),
    })
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
        let axis = deepest(a, b, &seen, &seen_back);
        let best = exhaustive(a, b, &seen);
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
