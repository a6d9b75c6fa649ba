//! The tightest box and the smallest sphere around a hull.

use super::Hull;
use crate::{Ball, Mat3, Pose, Rotation, Vec3, Wide, shapes::Obb};

/// Faces that a box is fitted to, the largest first: more are seldom better, and each costs a look at
/// every corner for each of its edges.
const MOST_FACES: usize = 32;

/// Each round either ends or makes the sphere larger; corners run out after a few dozen at most.
const MOST_ROUNDS: usize = 1000;

impl Hull {
    /// A box that lies flat on one of its faces and along one of that face's edges: the smallest on any of its 32
    /// largest faces, or the one along the axes if that is smaller still.
    #[must_use]
    pub fn obb(&self) -> Obb {
        let mut largest: Vec<(f64, usize)> =
            (0..self.faces.len()).map(|face| (self.face_area(face), face)).collect();
        largest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best = self.fitted([Vec3::X, Vec3::Y, Vec3::Z].map(Wide::from));
        for &(_, face) in largest.iter().take(MOST_FACES) {
            let face = &self.faces[face];
            let normal = Wide::from(face.normal).unit();
            let corners = self.corners(face);
            for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                let edge = self.wide(to) - self.wide(from);
                let along = (edge - normal * edge.dot(normal)).unit();
                if along != Wide::ZERO {
                    let fitted = self.fitted([along, normal, along.cross(normal)]);
                    if fitted.0 < best.0 {
                        best = fitted;
                    }
                }
            }
        }
        best.1
    }

    fn wide(&self, vertex: u32) -> Wide {
        Wide::from(self.vertices[vertex as usize])
    }

    /// Twice the area.
    fn face_area(&self, face: usize) -> f64 {
        let corners = self.corners(&self.faces[face]);
        let first = self.wide(corners[0]);
        let fan = corners[1..].windows(2).fold(Wide::ZERO, |sum, pair| {
            sum + (self.wide(pair[0]) - first).cross(self.wide(pair[1]) - first)
        });
        fan.length()
    }

    /// The box along these axes, and its volume.
    fn fitted(&self, axes: [Wide; 3]) -> (f64, Obb) {
        let (mut center, mut half) = (Wide::ZERO, [0.0; 3]);
        for (axis, half) in axes.iter().zip(&mut half) {
            let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
            for &vertex in &self.vertices {
                let along = Wide::from(vertex).dot(*axis);
                least = if along < least { along } else { least };
                most = if along > most { along } else { most };
            }
            center = center + *axis * least.midpoint(most);
            *half = (most - least) / 2.0;
        }
        let axes = Mat3 { columns: axes.map(Wide::narrow) };
        let rotation = Rotation::from_axes(&axes);
        // Room for the rounding of middle and axes.
        let reach = center.length() + half[0] + half[1] + half[2];
        let grown = half.map(|half| (half + 4.0 * f64::from(f32::EPSILON) * reach) as f32);
        let pose = Pose { rotation, position: center.narrow() };
        (half[0] * half[1] * half[2], Obb { pose, half: Vec3::from(grown) })
    }

    /// The smallest sphere around it.
    ///
    /// Begins with the sphere of one corner, and while a corner lies outside, takes the smallest sphere of
    /// that one and of those that held the last (at most four hold any).
    #[must_use]
    pub fn bounding_sphere(&self) -> Ball<3> {
        let mut held: Vec<Wide> = vec![self.wide(0)];
        let (mut center, mut squared) = (held[0], 0.0);
        for _ in 0..MOST_ROUNDS {
            let outermost = self
                .vertices
                .iter()
                .map(|&vertex| Wide::from(vertex))
                .map(|vertex| ((vertex - center).dot(vertex - center), vertex))
                .fold((0.0, center), |most, next| if next.0 > most.0 { next } else { most });
            if outermost.0 <= squared * (1.0 + 1e-12) {
                break;
            }
            held.push(outermost.1);
            (center, squared, held) = smallest_around(&held);
        }
        let center = center.narrow();
        let farthest = self
            .vertices
            .iter()
            .map(|&vertex| (Wide::from(vertex) - Wide::from(center)).length())
            .fold(0.0, |most, next| if next > most { next } else { most });
        let radius = (farthest as f32).next_up();
        Ball { center: center.to_array(), radius }
    }
}

/// The smallest sphere around up to five points, and those on it.
fn smallest_around(points: &[Wide]) -> (Wide, f64, Vec<Wide>) {
    let mut best: Option<(Wide, f64, Vec<Wide>)> = None;
    for chosen in 1_u32..1 << points.len() {
        if chosen.count_ones() > 4 {
            continue;
        }
        let on: Vec<Wide> = (0..points.len())
            .filter(|index| chosen >> index & 1 == 1)
            .map(|index| points[index])
            .collect();
        let Some(center) = equally_far(&on) else { continue };
        let squared = (on[0] - center).dot(on[0] - center);
        let holds_all = points
            .iter()
            .all(|&point| (point - center).dot(point - center) <= squared * (1.0 + 1e-12));
        if holds_all && best.as_ref().is_none_or(|best| squared < best.1) {
            best = Some((center, squared, on));
        }
    }
    // Rounding may refuse all: then the sphere about the middle holds them.
    best.unwrap_or_else(|| {
        let middle =
            points.iter().fold(Wide::ZERO, |sum, &p| sum + p) * (1.0 / points.len() as f64);
        let squared = points
            .iter()
            .map(|&point| (point - middle).dot(point - middle))
            .fold(0.0, |most, next| if next > most { next } else { most });
        (middle, squared, points[..points.len().min(4)].to_vec())
    })
}

/// The point in the flat of up to four points that is as far from each; `None` if there is none.
fn equally_far(points: &[Wide]) -> Option<Wide> {
    let first = points[0];
    let offset = match *points {
        [_] => Wide::ZERO,
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
