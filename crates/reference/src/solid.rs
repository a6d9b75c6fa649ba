//! Reference shapes: a convex hull of points with a radius, or a half-space.
//!
//! A sphere is a point with a radius, a capsule a segment with a radius. Their penetration is that
//! of the cores plus the radii, without special cases.

use std::sync::Arc;

use super::hull_features::HullFeatures;
use super::math::{Point, Transform};

/// Shape in its local frame.
#[derive(Clone, Debug)]
pub enum ReferenceShape {
    /// All points within `radius` of the hull of `points`.
    Round {
        /// Vertices of the core: one for a sphere, two for a capsule.
        points: Vec<Point>,
        /// Faces and edges of the core.
        features: Arc<HullFeatures>,
        /// Radius around the core.
        radius: f64,
    },
    /// All points on the far side of a plane through the origin.
    HalfSpace {
        /// Unit, out of the solid.
        normal: Point,
    },
}

impl ReferenceShape {
    /// A ball about the origin.
    #[must_use]
    pub fn sphere(radius: f64) -> Self {
        Self::Round { points: vec![Point::ZERO], features: Arc::default(), radius }
    }

    /// Box from −`half` to `half`.
    #[must_use]
    pub fn cuboid(half: Point) -> Self {
        let side = |corner: u32, axis: usize| f64::from(2 * (corner >> axis & 1)) - 1.0;
        let corner = |corner| Point(core::array::from_fn(|axis| side(corner, axis) * half.0[axis]));
        Self::Round {
            points: (0..8).map(corner).collect(),
            features: Arc::new(HullFeatures::of_box()),
            radius: 0.0,
        }
    }

    /// Capsule along the y axis.
    #[must_use]
    pub fn capsule(half_height: f64, radius: f64) -> Self {
        let end = |y| Point::new(0.0, y, 0.0);
        Self::Round {
            points: vec![end(-half_height), end(half_height)],
            features: Arc::new(HullFeatures::of_segment()),
            radius,
        }
    }

    /// The hull of points that are not all in one plane.
    #[must_use]
    pub fn hull(points: Vec<Point>) -> Self {
        let features = Arc::new(HullFeatures::of_hull(&points));
        Self::Round { points, features, radius: 0.0 }
    }

    /// A triangle, without any thickness.
    #[must_use]
    pub fn triangle(corners: [Point; 3]) -> Self {
        let features = Arc::new(HullFeatures::of_triangle(corners));
        Self::Round { points: corners.to_vec(), features, radius: 0.0 }
    }

    /// Half-space behind the plane through the origin with normal `normal`.
    #[must_use]
    pub fn half_space(normal: Point) -> Self {
        Self::HalfSpace { normal: normal.unit().unwrap_or(Point::new(0.0, 1.0, 0.0)) }
    }

    /// Largest distance of a point from the origin, or from the first vertex if that is smaller. 0
    /// for a half-space.
    #[must_use]
    pub fn size(&self) -> f64 {
        match self {
            Self::Round { points, radius, .. } => {
                let own =
                    points.iter().fold(0.0, |size: f64, p| size.max((*p - points[0]).length()));
                self.reach().min(radius + own.max(f64::MIN_POSITIVE))
            }
            Self::HalfSpace { .. } => 0.0,
        }
    }

    /// Largest distance of a point from the origin; 0 for a half-space.
    #[must_use]
    pub fn reach(&self) -> f64 {
        match self {
            Self::Round { points, radius, .. } => {
                radius + points.iter().fold(0.0, |reach: f64, p| reach.max(p.length()))
            }
            Self::HalfSpace { .. } => 0.0,
        }
    }

    /// Shape transformed into the world.
    #[must_use]
    pub fn placed(&self, transform: &Transform) -> Solid {
        match self {
            Self::Round { points, features, radius } => Solid::Round(Rounded {
                vertices: points.iter().map(|p| transform.transform_point(*p)).collect(),
                normals: features.normals.iter().map(|n| transform.rotate(*n)).collect(),
                features: Arc::clone(features),
                radius: *radius,
            }),
            Self::HalfSpace { normal } => {
                Solid::HalfSpace { normal: transform.rotate(*normal), border: transform.origin }
            }
        }
    }
}

/// Shape in the world.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A core with a radius.
    Round(Rounded),
    /// All points behind a plane.
    HalfSpace {
        /// Unit, out of the solid.
        normal: Point,
        /// A point of the plane.
        border: Point,
    },
}

/// A core with a radius, in the world.
#[derive(Clone, Debug)]
pub struct Rounded {
    /// Vertices of the core.
    pub vertices: Vec<Point>,
    /// The unit normal of each face of the core, outwards.
    pub normals: Vec<Point>,
    /// Faces and edges of the core, by vertex index.
    pub features: Arc<HullFeatures>,
    /// Radius around the core.
    pub radius: f64,
}

impl Solid {
    /// Translated copy.
    #[must_use]
    pub fn moved(&self, translation: Point) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Round(Rounded { vertices, .. }) => {
                for vertex in vertices {
                    *vertex = *vertex + translation;
                }
            }
            Self::HalfSpace { border, .. } => *border = *border + translation,
        }
        moved
    }
}

impl Rounded {
    /// A single point: a sphere without a radius.
    #[must_use]
    pub fn point(at: Point) -> Self {
        Self { vertices: vec![at], normals: Vec::new(), features: Arc::default(), radius: 0.0 }
    }

    /// Support along a direction, including the radius.
    #[must_use]
    pub fn reach(&self, direction: Point) -> f64 {
        let farthest = self.vertices.iter().map(|v| direction.dot(*v)).fold(f64::MIN, f64::max);
        farthest + self.radius * direction.length()
    }

    /// The ends of an edge of the core.
    pub(super) fn edge(&self, [from, to]: [u32; 2]) -> [Point; 2] {
        [self.vertices[from as usize], self.vertices[to as usize]]
    }
}
