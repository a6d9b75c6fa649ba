//! Bounding volumes of a hull: oriented bounding box and smallest enclosing sphere.

use crate::shapes::convex_hull::ConvexHull;
use crate::{BoundingSphere, DVec3, Mat3, Pose, Rotation, Vec3, shapes::Obb};

/// Candidate faces for the box, largest first: more are seldom better, and each of their edges
/// costs a pass over all vertices.
const MAX_OBB_FACES: usize = 32;

/// Bound on the iterations of the enclosing sphere. Each one terminates or enlarges the sphere; a
/// few dozen exhaust the vertices.
const MAX_SPHERE_ITERATIONS: usize = 1000;

/// Factor on the squared radius in the containment test, for the rounding of f64.
const RADIUS_SQUARED_FACTOR: f64 = 1.0 + 1e-12;

impl ConvexHull {
    /// Oriented bounding box with one side on a face and aligned with an edge of that face: the
    /// smallest over the 32 largest faces, or the axis-aligned box if that is smaller.
    #[must_use]
    pub fn obb(&self) -> Obb {
        let mut largest: Vec<(f64, usize)> =
            (0..self.faces.len()).map(|face| (self.doubled_face_area(face), face)).collect();
        largest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = self.fit_obb([Vec3::X, Vec3::Y, Vec3::Z].map(DVec3::from));
        for &(_, face) in largest.iter().take(MAX_OBB_FACES) {
            let face = &self.faces[face];
            let normal = DVec3::from(face.normal).normalize();
            let vertices = self.face_vertices(face);
            for (&from, &to) in vertices.iter().zip(vertices.iter().cycle().skip(1)) {
                let edge = self.vertex_f64(to) - self.vertex_f64(from);
                let along = (edge - normal * edge.dot(normal)).normalize();
                if along != DVec3::ZERO {
                    let candidate = self.fit_obb([along, normal, along.cross(normal)]);
                    if candidate.0 < best.0 {
                        best = candidate;
                    }
                }
            }
        }
        best.1
    }

    fn vertex_f64(&self, vertex: u32) -> DVec3 {
        DVec3::from(self.vertices[vertex as usize])
    }

    fn doubled_face_area(&self, face: usize) -> f64 {
        let vertices = self.face_vertices(&self.faces[face]);
        let first = self.vertex_f64(vertices[0]);
        let area_vector = vertices[1..].windows(2).fold(DVec3::ZERO, |sum, pair| {
            sum + (self.vertex_f64(pair[0]) - first).cross(self.vertex_f64(pair[1]) - first)
        });
        area_vector.length()
    }

    /// Bounding box along these axes, and 1/8 of its volume.
    fn fit_obb(&self, axes: [DVec3; 3]) -> (f64, Obb) {
        let (mut center, mut half_extents) = (DVec3::ZERO, [0.0; 3]);
        for (axis, half_extent) in axes.iter().zip(&mut half_extents) {
            let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
            for &vertex in &self.vertices {
                let along = DVec3::from(vertex).dot(*axis);
                min = if along < min { along } else { min };
                max = if along > max { along } else { max };
            }
            center = center + *axis * min.midpoint(max);
            *half_extent = (max - min) / 2.0;
        }
        let axes = Mat3 { columns: axes.map(DVec3::as_vec3) };
        let rotation = Rotation::from_matrix(&axes);
        // Padded by the rounding error of center and axes.
        let magnitude = center.length() + half_extents[0] + half_extents[1] + half_extents[2];
        let padded = half_extents
            .map(|half_extent| (half_extent + 4.0 * f64::from(f32::EPSILON) * magnitude) as f32);
        let pose = Pose { rotation, position: center.as_vec3() };
        let eighth_of_volume = half_extents[0] * half_extents[1] * half_extents[2];
        (eighth_of_volume, Obb { pose, half_extents: Vec3::from(padded) })
    }

    /// Smallest enclosing sphere.
    ///
    /// Starts with the sphere of one vertex. While a vertex lies outside, the next sphere is the
    /// smallest around that vertex and the at most four vertices that support the current sphere.
    #[must_use]
    pub fn bounding_sphere(&self) -> BoundingSphere<3> {
        let mut support: Vec<DVec3> = vec![self.vertex_f64(0)];
        let (mut center, mut radius_squared) = (support[0], 0.0);
        for _ in 0..MAX_SPHERE_ITERATIONS {
            let outermost = self
                .vertices
                .iter()
                .map(|&vertex| DVec3::from(vertex))
                .map(|vertex| ((vertex - center).dot(vertex - center), vertex))
                .fold((0.0, center), |max, next| if next.0 > max.0 { next } else { max });
            if outermost.0 <= radius_squared * RADIUS_SQUARED_FACTOR {
                break;
            }
            support.push(outermost.1);
            (center, radius_squared, support) = smallest_enclosing_sphere(&support);
        }
        let center = center.as_vec3();
        let farthest = self
            .vertices
            .iter()
            .map(|&vertex| (DVec3::from(vertex) - DVec3::from(center)).length())
            .fold(0.0, |max, next| if next > max { next } else { max });
        let radius = (farthest as f32).next_up();
        BoundingSphere { center: center.to_array(), radius }
    }
}

/// Center, squared radius and support points of the smallest sphere around up to five points, by
/// enumeration of all support sets.
fn smallest_enclosing_sphere(points: &[DVec3]) -> (DVec3, f64, Vec<DVec3>) {
    let mut best: Option<(DVec3, f64, Vec<DVec3>)> = None;
    for subset in 1_u32..1 << points.len() {
        if subset.count_ones() > 4 {
            continue;
        }
        let support: Vec<DVec3> = (0..points.len())
            .filter(|index| subset >> index & 1 == 1)
            .map(|index| points[index])
            .collect();
        let Some(center) = circumcenter(&support) else { continue };
        let radius_squared = (support[0] - center).dot(support[0] - center);
        let contains_all = points.iter().all(|&point| {
            (point - center).dot(point - center) <= radius_squared * RADIUS_SQUARED_FACTOR
        });
        if contains_all && best.as_ref().is_none_or(|best| radius_squared < best.1) {
            best = Some((center, radius_squared, support));
        }
    }
    // Rounding may reject every candidate: then the sphere around the mean contains all points.
    best.unwrap_or_else(|| {
        let mean = points.iter().fold(DVec3::ZERO, |sum, &p| sum + p) * (1.0 / points.len() as f64);
        let radius_squared = points
            .iter()
            .map(|&point| (point - mean).dot(point - mean))
            .fold(0.0, |max, next| if next > max { next } else { max });
        (mean, radius_squared, points[..points.len().min(4)].to_vec())
    })
}

/// Circumcenter of up to four points within their affine hull; `None` if they are degenerate.
fn circumcenter(points: &[DVec3]) -> Option<DVec3> {
    let first = points[0];
    let offset = match *points {
        [_] => DVec3::ZERO,
        [_, b] => (b - first) * 0.5,
        [_, b, c] => {
            let (u, v) = (b - first, c - first);
            let normal = u.cross(v);
            let twice = 2.0 * normal.dot(normal);
            (v.cross(normal) * u.dot(u) + normal.cross(u) * v.dot(v)) * (1.0 / twice)
        }
        [_, b, c, d] => {
            let (u, v, w) = (b - first, c - first, d - first);
            let twice = 2.0 * u.dot(v.cross(w));
            (v.cross(w) * u.dot(u) + w.cross(u) * v.dot(v) + u.cross(v) * w.dot(w)) * (1.0 / twice)
        }
        _ => return None,
    };
    (offset.x.is_finite() && offset.y.is_finite() && offset.z.is_finite()).then_some(first + offset)
}
