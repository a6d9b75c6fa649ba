//! Minimum translation vector (MTV) of a convex body out of a mesh, checked against all triangles.
//!
//! Each triangle has its own shortest separating translation. The longest of these is a lower
//! bound, but only a translation that is clear of every other triangle separates the body from the
//! mesh, also of triangles that it does not yet touch:
//!
//! ```text
//!         ┌────────┐ ▲      The body penetrates the top and the side of the step. Upwards it
//!         │  body  │        clears both, and the distance is shorter than to the right.
//!   ──────┴────┬───┘ ►
//!     mesh     │
//! ```
//!
//! The displacements at which the body overlaps a triangle are a convex set (`exit_distance`), and
//! the MTV is the shortest vector outside of all sets. Along one direction the body moves from exit
//! to exit until it is clear. Directions come from the penetrated triangles, the faces of the body
//! and, iteratively, from the planes of the triangles in the way: the shortest vector beyond several
//! of them is the next direction, which finds the way out of a valley of two or three triangles.
//!
//! Guarantee: a body moved by the returned depth overlaps no triangle by more than 1e-5 of its
//! size plus the rounding of coordinates. Both witness points lie on the surfaces, where the moved
//! body touches the mesh.

use embate_geom::{DVec3, Vec3};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::manifold::ClosestPoints;
use crate::narrow_phase::mesh::TriangleVisitor;
use crate::narrow_phase::mesh::exit_distance::{BodyAndMesh, Exit};
use crate::narrow_phase::posed::Posed;
use crate::shapes::Shape;

/// Directions followed, apart from refinements. The best is usually among the first three.
const MAX_STARTS: usize = 12;

/// Refinements of one direction.
const MAX_REFINEMENTS: usize = 6;

/// Improvements of the best translation.
const MAX_POLISHES: usize = 8;
/// Distance within which an improvement considers triangles, as a ratio of the translation's length.
const POLISH_MARGIN_RATIO: f64 = 0.1;
/// Triangles that an improvement considers: the first by index, because the result is verified.
const MAX_POLISH_TRIANGLES: usize = 1_024;

/// Cosine above which two planes count as parallel.
const SAME_PLANE_COSINE: f64 = 1.0 - 1e-6;

/// Planes of penetrated triangles whose shortest common way out is tried.
const MAX_PLANES: usize = 8;

/// Target of the product of triangles penetrated and directions compared. At least 16 directions
/// are compared.
const MAX_COMPARISONS: usize = 65_536;

/// Cosine above which two compared directions count as equal.
const SAME_START_COSINE: f64 = 1.0 - 1e-4;
/// Cosine above which two followed directions count as equal.
const SAME_DIRECTION_COSINE: f64 = 1.0 - 1e-10;

/// Times that a body is moved on along one direction because it overlaps further triangles. Beyond
/// that it is moved past the whole mesh.
const MAX_ADVANCES: usize = 256;

/// Faces of a hull that are tried as directions. Hulls with more are round, and the directions of
/// the triangles suffice.
const MAX_BODY_FACES: u32 = 32;

/// A triangle that the body penetrates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PenetratedTriangle {
    pub(crate) index: u32,
    /// Closest features of the body, A, and the triangle.
    pub(crate) features: ClosestFeatures,
}

impl PenetratedTriangle {
    fn depth(&self) -> f64 {
        f64::from(-self.features.distance)
    }

    /// Direction in which the body leaves the triangle.
    fn direction(&self) -> DVec3 {
        -DVec3::from(self.features.normal)
    }
}

/// A translation that separates the body from the mesh.
struct WayOut {
    direction: DVec3,
    exit: Exit,
}

/// A displacement beyond this plane does not overlap the triangle it comes from.
#[derive(Clone, Copy)]
struct ExitPlane {
    normal: DVec3,
    offset: f64,
}

/// Planes of the least penetration of a triangle and of the exit from it.
type Obstacle = [ExitPlane; 2];

/// Search for the shortest way out.
struct Search<'a, 'b> {
    visitor: &'b TriangleVisitor<'a>,
    bodies: BodyAndMesh<'a>,
    penetrated: &'b [PenetratedTriangle],
    /// Overlap that counts as touching.
    tolerance: f64,
    followed: Vec<DVec3>,
    best: Option<WayOut>,
}

/// The shortest translation found that separates the body A from the mesh, with the triangle that
/// it touches then. `visitor` is that of the body. `penetrated` are all triangles deeper than
/// `tolerance`. `None` for a half-space, and if there is no such triangle.
pub(crate) fn minimum_translation<'a>(
    body: Posed<'a, Shape>,
    visitor: &TriangleVisitor<'a>,
    penetrated: &[PenetratedTriangle],
    tolerance: f32,
) -> Option<(ClosestPoints, u32)> {
    let deepest = penetrated
        .iter()
        .reduce(|a, b| if b.features.distance < a.features.distance { b } else { a })?;
    let mut search = Search {
        visitor,
        bodies: BodyAndMesh::new(body, visitor.mesh)?,
        penetrated,
        tolerance: f64::from(tolerance),
        followed: Vec::new(),
        best: None,
    };
    search.refine(deepest.direction());
    // No way out is shorter than that of the deepest triangle alone.
    let least_depth = deepest.depth() + search.tolerance;
    for start in search.starts() {
        if search.best_distance() <= least_depth {
            break;
        }
        search.refine(start);
    }
    if search.best.is_none() {
        search.leave_mesh(deepest.direction());
    }
    for _ in 0..MAX_POLISHES {
        if search.best_distance() <= least_depth || !search.polish() {
            break;
        }
    }
    let way_out = search.best?;
    Some((closest_points(&way_out, search.bodies.position), way_out.exit.triangle))
}

fn closest_points(way_out: &WayOut, position: DVec3) -> ClosestPoints {
    let depth = way_out.exit.distance as f32;
    let rounded_up = if f64::from(depth) < way_out.exit.distance { depth.next_up() } else { depth };
    ClosestPoints {
        distance: -rounded_up,
        normal: (-way_out.direction).as_vec3(),
        points: way_out.exit.points.map(|point| (position + point).as_vec3()),
    }
}

impl Search<'_, '_> {
    fn best_distance(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| best.exit.distance)
    }

    /// Directions to start from, the shortest estimated way out of the penetrated triangles first.
    fn starts(&self) -> Vec<DVec3> {
        let count = (MAX_COMPARISONS / self.penetrated.len()).clamp(16, 256);
        let mut directions: Vec<DVec3> = Vec::new();
        let mut add = |direction: DVec3| {
            if directions.len() < count
                && direction.length_squared() > 0.5
                && !directions.iter().any(|kept| kept.dot(direction) > SAME_START_COSINE)
            {
                directions.push(direction);
            }
        };
        let sum = self
            .penetrated
            .iter()
            .fold(DVec3::ZERO, |sum, triangle| sum + triangle.direction() * triangle.depth());
        add(sum.normalize());
        if let Some(shortest) = shortest_beyond(&self.deepest_planes()) {
            add(shortest.normalize());
        }
        self.body_face_normals().for_each(&mut add);
        for triangle in self.penetrated {
            let [a, b, c] = self.bodies.triangle(triangle.index);
            let normal = (b - a).cross(c - a).normalize();
            [triangle.direction(), normal, -normal].into_iter().for_each(&mut add);
        }
        let mut estimated: Vec<(f64, DVec3)> =
            directions.iter().map(|&direction| (self.estimate(direction), direction)).collect();
        // A stable sort: of equal estimates the first wins.
        estimated.sort_by(|a, b| a.0.total_cmp(&b.0));
        estimated.into_iter().take(MAX_STARTS).map(|(_, direction)| direction).collect()
    }

    /// Planes of the penetrated triangles, the deepest of each direction.
    fn deepest_planes(&self) -> Vec<ExitPlane> {
        let mut triangles: Vec<&PenetratedTriangle> = self.penetrated.iter().collect();
        // A stable sort: of equal depths the lower index wins.
        triangles.sort_by(|a, b| a.features.distance.total_cmp(&b.features.distance));
        let mut planes: Vec<ExitPlane> = Vec::new();
        for triangle in triangles {
            let normal = triangle.direction();
            if planes.len() == MAX_PLANES {
                break;
            }
            if !planes.iter().any(|plane| plane.normal.dot(normal) > SAME_START_COSINE) {
                planes.push(ExitPlane { normal, offset: triangle.depth() });
            }
        }
        planes
    }

    fn body_face_normals(&self) -> impl Iterator<Item = DVec3> {
        let (shape, frame) = (self.visitor.shape, self.visitor.frame);
        let count = match shape {
            Shape::Cuboid(_) => 6,
            Shape::ConvexHull(hull) => Some(hull.faces().len() as u32)
                .filter(|&count| count <= MAX_BODY_FACES)
                .unwrap_or(0),
            _ => 0,
        };
        (0..count).map(move |face| {
            let normal = match shape {
                Shape::ConvexHull(hull) => hull.faces()[face as usize].normal,
                _ if face % 2 == 0 => Vec3::AXES[face as usize / 2],
                _ => -Vec3::AXES[face as usize / 2],
            };
            DVec3::from(frame.basis * normal)
        })
    }

    /// Upper bound of the way out of the penetrated triangles along a direction.
    fn estimate(&self, direction: DVec3) -> f64 {
        let lowest = self.bodies.lowest(direction);
        self.penetrated.iter().fold(0.0, |estimate, triangle| {
            let vertices = self.bodies.triangle(triangle.index);
            let highest = vertices.map(|vertex| vertex.dot(direction));
            let bound = highest[0].max(highest[1]).max(highest[2]) - lowest;
            let cosine = triangle.direction().dot(direction);
            let bound = if cosine > 0.0 { bound.min(triangle.depth() / cosine) } else { bound };
            bound.max(estimate)
        })
    }

    /// Follows a direction and those that its obstacles suggest, each shorter than the best so far:
    /// one sequence by the planes of least penetration, one by those of the exits.
    fn refine(&mut self, start: DVec3) {
        let Some(first) = self.follow(start) else { return };
        for kind in 0..2 {
            let mut planes = vec![first[kind]];
            while planes.len() <= MAX_REFINEMENTS
                && let Some(next) = shortest_beyond(&planes)
            {
                let length = next.length();
                if length + self.tolerance >= self.best_distance() || length <= 0.0 {
                    break;
                }
                let Some(obstacle) = self.follow(next * (1.0 / length)) else { break };
                planes.push(obstacle[kind]);
            }
        }
    }

    /// Shortens the best translation: to the shortest vector beyond the planes that separate the
    /// body from nearby triangles after it. Whether it is shorter now.
    fn polish(&mut self) -> bool {
        let Some(best) = &self.best else { return false };
        let before = best.exit.distance;
        // Beyond the exit by the tolerance, where the closest points have a direction.
        let displacement = best.direction * (before + self.tolerance);
        let margin = POLISH_MARGIN_RATIO * before;
        let mut nearby: Vec<(f64, ExitPlane)> = Vec::new();
        let moved = self.visitor.translated(displacement.as_vec3());
        moved.for_each_nearby(margin as f32, |index, _| {
            let vertices = self.bodies.triangle(index);
            if let Some((gap, axis)) = self.bodies.separation(displacement, &vertices)
                && gap <= margin
            {
                let offset = -axis.dot(displacement) - gap;
                nearby.push((gap, ExitPlane { normal: -axis, offset }));
            }
            nearby.len() == MAX_POLISH_TRIANGLES
        });
        // A stable sort: of equal gaps the lower index wins.
        nearby.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut planes: Vec<ExitPlane> = Vec::new();
        for (_, plane) in nearby {
            let is_new = |kept: &ExitPlane| kept.normal.dot(plane.normal) <= SAME_PLANE_COSINE;
            if planes.len() < MAX_PLANES && planes.iter().all(is_new) {
                planes.push(plane);
            }
        }
        let Some(shorter) = shortest_beyond(&planes) else { return false };
        let length = shorter.length();
        if length <= 0.0 || length + self.tolerance >= before {
            return false;
        }
        self.follow(shorter * (1.0 / length));
        self.best_distance() + self.tolerance < before
    }

    /// Planes of the last triangle that the body left along a direction, and that it overlapped
    /// after the displacement `start`: of the least penetration there, and of the exit.
    fn obstacle(&self, direction: DVec3, start: f64, exit: &Exit) -> Obstacle {
        let leaving =
            ExitPlane { normal: exit.normal, offset: exit.normal.dot(direction) * exit.distance };
        let displacement = direction * start;
        let features = self.visitor.translated(displacement.as_vec3()).penetration(exit.triangle);
        let least = features.map_or(leaving, |features| {
            let normal = -DVec3::from(features.normal);
            let offset = normal.dot(displacement) - f64::from(features.distance);
            ExitPlane { normal, offset }
        });
        [least, leaving]
    }

    /// Moves the body along a direction until it is clear of the mesh, or farther than the best
    /// translation. Returns the last obstacle; `None` for a direction followed before, and for a body
    /// that overlaps ever more triangles.
    fn follow(&mut self, direction: DVec3) -> Option<Obstacle> {
        if self.followed.iter().any(|followed| followed.dot(direction) > SAME_DIRECTION_COSINE) {
            return None;
        }
        self.followed.push(direction);
        let lowest = self.bodies.lowest(direction);
        let limit = self.best_distance();
        let mut last: Option<Exit> = None;
        for triangle in self.penetrated {
            self.extend(direction, lowest, triangle.index, &mut last, |_| true);
            if let Some(exit) = last.filter(|exit| exit.distance >= limit) {
                return Some(self.obstacle(direction, 0.0, &exit));
            }
        }
        let mut overlap_start = 0.0;
        for _ in 0..MAX_ADVANCES {
            let start = last?.distance;
            let (bodies, displacement) = (&self.bodies, direction * start);
            let moved = self.visitor.translated(displacement.as_vec3());
            moved.for_each_nearby(0.0, |index, _| {
                self.extend(direction, lowest, index, &mut last, |vertices| {
                    match bodies.separation(displacement, vertices) {
                        Some((separation, _)) => separation < -self.tolerance,
                        None => moved
                            .penetration(index)
                            .is_some_and(|features| f64::from(features.distance) < -self.tolerance),
                    }
                });
                last.is_some_and(|exit| exit.distance >= limit)
            });
            let exit = last?;
            if exit.distance == start {
                let obstacle = self.obstacle(direction, overlap_start, &exit);
                self.best = Some(WayOut { direction, exit });
                return Some(obstacle);
            }
            if exit.distance >= limit {
                return Some(self.obstacle(direction, start, &exit));
            }
            overlap_start = start;
        }
        None
    }

    /// Moves `last` to the exit from a triangle, if that is farther and the body overlaps it.
    fn extend(
        &self,
        direction: DVec3,
        lowest: f64,
        triangle: u32,
        last: &mut Option<Exit>,
        overlaps: impl Fn(&[DVec3; 3]) -> bool,
    ) {
        let after = last.map_or(0.0, |exit| exit.distance + self.tolerance);
        let vertices = self.bodies.triangle(triangle);
        let bound = self.bodies.exit_bound(direction, lowest, &vertices);
        if bound > after
            && overlaps(&vertices)
            && let Some(exit) = self.bodies.exit(direction, triangle, [after, bound])
        {
            *last = Some(exit);
        }
    }

    /// The last exit from all triangles along a direction: the body is then beyond the whole mesh.
    fn leave_mesh(&mut self, direction: DVec3) {
        let lowest = self.bodies.lowest(direction);
        let mut last = None;
        for triangle in self.bodies.triangles() {
            self.extend(direction, lowest, triangle, &mut last, |_| true);
        }
        self.best = last.map(|exit| WayOut { direction, exit });
    }
}

/// The shortest vector beyond all planes, if one exists: the closest point of one plane, of the
/// line of two or of the point of three.
fn shortest_beyond(planes: &[ExitPlane]) -> Option<DVec3> {
    let mut shortest: Option<DVec3> = None;
    let mut consider = |point: DVec3| {
        let length = point.length();
        let is_beyond = |plane: &ExitPlane| plane.normal.dot(point) >= plane.offset - 1e-9 * length;
        if length < f64::INFINITY
            && shortest.is_none_or(|shortest| length < shortest.length())
            && planes.iter().all(is_beyond)
        {
            shortest = Some(point);
        }
    };
    for (index, first) in planes.iter().enumerate() {
        consider(first.normal * first.offset);
        for (second_index, second) in planes.iter().enumerate().skip(index + 1) {
            let along = first.normal.cross(second.normal);
            let square = along.length_squared();
            if square < 1e-8 {
                continue;
            }
            let line_point = (second.normal.cross(along) * first.offset
                + along.cross(first.normal) * second.offset)
                * (1.0 / square);
            consider(line_point);
            for third in &planes[second_index + 1..] {
                let slope = third.normal.dot(along);
                if slope.abs() > 1e-4 {
                    let rest = third.offset - third.normal.dot(line_point);
                    consider(line_point + along * (rest / slope));
                }
            }
        }
    }
    shortest
}
