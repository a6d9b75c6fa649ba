//! What is a shape, to the judge? The hull of a few points, with a radius round it; or a half-space.
//!
//! A sphere is a point with a radius, a capsule a segment with one. So two deep capsules need no case of
//! their own: depth is that of their cores, plus the radii.

use std::sync::Arc;

use super::skin::Skin;
use super::space::{Place, Point};

/// A shape in its own frame.
#[derive(Clone, Debug)]
pub enum Form {
    /// All points within `radius` of the hull of `points`.
    Round {
        /// Corners of the core: one for a sphere, two for a capsule.
        points: Vec<Point>,
        /// Faces and edges of the core.
        skin: Arc<Skin>,
        /// What is round the core.
        radius: f64,
    },
    /// All points on the far side of a plane through the origin.
    HalfSpace {
        /// Unit, out of the solid.
        normal: Point,
    },
}

impl Form {
    /// A ball about the origin.
    #[must_use]
    pub fn sphere(radius: f64) -> Self {
        Self::Round { points: vec![Point::ZERO], skin: Arc::default(), radius }
    }

    /// From −`half` to `half`.
    #[must_use]
    pub fn cuboid(half: Point) -> Self {
        let side = |corner: u32, axis: usize| f64::from(2 * (corner >> axis & 1)) - 1.0;
        let corner = |corner| Point(core::array::from_fn(|axis| side(corner, axis) * half.0[axis]));
        Self::Round {
            points: (0..8).map(corner).collect(),
            skin: Arc::new(Skin::of_box()),
            radius: 0.0,
        }
    }

    /// Round a segment of the second axis.
    #[must_use]
    pub fn capsule(half_height: f64, radius: f64) -> Self {
        let end = |y| Point::new(0.0, y, 0.0);
        Self::Round {
            points: vec![end(-half_height), end(half_height)],
            skin: Arc::new(Skin::of_segment()),
            radius,
        }
    }

    /// The hull of points that are not all in one plane.
    #[must_use]
    pub fn hull(points: Vec<Point>) -> Self {
        let skin = Arc::new(Skin::of_hull(&points));
        Self::Round { points, skin, radius: 0.0 }
    }

    /// A triangle, without any thickness.
    #[must_use]
    pub fn triangle(corners: [Point; 3]) -> Self {
        let skin = Arc::new(Skin::of_triangle(corners));
        Self::Round { points: corners.to_vec(), skin, radius: 0.0 }
    }

    /// On the side of the origin away from `normal`.
    #[must_use]
    pub fn half_space(normal: Point) -> Self {
        Self::HalfSpace { normal: normal.unit().unwrap_or(Point::new(0.0, 1.0, 0.0)) }
    }

    /// How far its farthest point is from its origin; from its first corner, if it lies away from its origin. 0 for a
    /// half-space, which has no size.
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

    /// How far its farthest point is from its origin; 0 for a half-space, which has none.
    #[must_use]
    pub fn reach(&self) -> f64 {
        match self {
            Self::Round { points, radius, .. } => {
                radius + points.iter().fold(0.0, |reach: f64, p| reach.max(p.length()))
            }
            Self::HalfSpace { .. } => 0.0,
        }
    }

    /// The same shape at a place in the world.
    #[must_use]
    pub fn placed(&self, place: &Place) -> Solid {
        match self {
            Self::Round { points, skin, radius } => Solid::Round(Rounded {
                vertices: points.iter().map(|p| place.point(*p)).collect(),
                normals: skin.normals.iter().map(|n| place.turn(*n)).collect(),
                skin: Arc::clone(skin),
                radius: *radius,
            }),
            Self::HalfSpace { normal } => {
                Solid::HalfSpace { normal: place.turn(*normal), border: place.origin }
            }
        }
    }
}

/// A shape in the world.
#[derive(Clone, Debug)]
pub enum Solid {
    /// A core with a radius.
    Round(Rounded),
    /// All that is not in front of a plane.
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
    /// Corners of the core.
    pub vertices: Vec<Point>,
    /// The unit normal of each face of the core, outwards.
    pub normals: Vec<Point>,
    /// Which corners make edges and faces.
    pub skin: Arc<Skin>,
    /// What is round the core.
    pub radius: f64,
}

impl Solid {
    /// The same somewhere else.
    #[must_use]
    pub fn moved(&self, way: Point) -> Self {
        let mut moved = self.clone();
        match &mut moved {
            Self::Round(Rounded { vertices, .. }) => {
                for vertex in vertices {
                    *vertex = *vertex + way;
                }
            }
            Self::HalfSpace { border, .. } => *border = *border + way,
        }
        moved
    }
}

impl Rounded {
    /// A single point: a sphere without a radius.
    #[must_use]
    pub fn point(at: Point) -> Self {
        Self { vertices: vec![at], normals: Vec::new(), skin: Arc::default(), radius: 0.0 }
    }

    /// How far it reaches along a direction, its radius included.
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
