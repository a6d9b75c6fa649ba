//! Convex parts for time of impact: a convex core and a radius around it, in f64.
//!
//! Support vertices are selected in f64 as well: in f32, rounding would leave a gap between two
//! bodies, and for a grazing contact the time of impact would be wrong by about 1/1000.

use embate_geom::{DMat3, DVec3, Vec3, shapes::ConvexHull};

/// A convex part of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvexPart<'a> {
    pub(crate) core: Core<'a>,
    /// Radius of the rounding around the core.
    pub(crate) radius: f64,
    /// Part to body rotation.
    pub(crate) basis: DMat3,
    /// From the center of rotation to the origin of the part, in the frame of the body.
    pub(crate) offset: DVec3,
}

/// A shape without its rounding, in the frame of the part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'a> {
    /// Center of a sphere.
    Point,
    /// Segment of a capsule, along y: half its length.
    Segment(f64),
    /// Half extents of a box.
    Cuboid(DVec3),
    ConvexHull(&'a ConvexHull),
    /// Vertices of a triangle of a mesh.
    Triangle([DVec3; 3]),
    /// Normal of a half-space behind a plane through the origin. It has no vertices.
    HalfSpace(DVec3),
}

impl Core<'_> {
    /// Support vertex: the vertex with the largest projection on a direction, with its index.
    #[inline]
    pub(crate) fn support_vertex(&self, direction: DVec3) -> (u32, DVec3) {
        let signed = |length: f64, component: f64| if component < 0.0 { -length } else { length };
        match self {
            Self::Point | Self::HalfSpace(_) => (0, DVec3::ZERO),
            Self::Segment(half_height) => (
                u32::from(direction.y >= 0.0),
                DVec3::new(0.0, signed(*half_height, direction.y), 0.0),
            ),
            Self::Cuboid(half_extents) => {
                let index = u32::from(direction.x >= 0.0)
                    | u32::from(direction.y >= 0.0) << 1
                    | u32::from(direction.z >= 0.0) << 2;
                let vertex = DVec3::new(
                    signed(half_extents.x, direction.x),
                    signed(half_extents.y, direction.y),
                    signed(half_extents.z, direction.z),
                );
                (index, vertex)
            }
            Self::ConvexHull(hull) => hull_support_vertex(hull.vertices(), direction),
            Self::Triangle(vertices) => {
                let projections = vertices.map(|vertex| vertex.dot(direction));
                let best = usize::from(projections[1] > projections[0]);
                let best = if projections[2] > projections[best] { 2 } else { best };
                (best as u32, vertices[best])
            }
        }
    }

    /// The vertex of an index.
    #[inline]
    pub(crate) fn vertex(&self, index: u32) -> DVec3 {
        let signed = |length: f64, bit: u32| if index >> bit & 1 == 0 { -length } else { length };
        match self {
            Self::Point | Self::HalfSpace(_) => DVec3::ZERO,
            Self::Segment(half_height) => DVec3::new(0.0, signed(*half_height, 0), 0.0),
            Self::Cuboid(half_extents) => DVec3::new(
                signed(half_extents.x, 0),
                signed(half_extents.y, 1),
                signed(half_extents.z, 2),
            ),
            Self::ConvexHull(hull) => DVec3::from(hull.vertices()[index as usize]),
            Self::Triangle(vertices) => vertices[index as usize],
        }
    }

    /// Center and radius of a sphere that contains all vertices.
    pub(crate) fn bounding_sphere(&self) -> (DVec3, f64) {
        match self {
            Self::Point | Self::HalfSpace(_) => (DVec3::ZERO, 0.0),
            Self::Segment(half_height) => (DVec3::ZERO, *half_height),
            Self::Cuboid(half_extents) => (DVec3::ZERO, half_extents.length()),
            Self::ConvexHull(hull) => {
                (DVec3::from(hull.inscribed_sphere().0), f64::from(hull.bounding_radius()))
            }
            Self::Triangle(vertices) => {
                let center = (vertices[0] + vertices[1] + vertices[2]) * (1.0 / 3.0);
                let distances = vertices.map(|vertex| (vertex - center).length());
                (center, distances[0].max(distances[1]).max(distances[2]))
            }
        }
    }
}

fn hull_support_vertex(vertices: &[Vec3], direction: DVec3) -> (u32, DVec3) {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, &vertex) in vertices.iter().enumerate() {
        let projection = DVec3::from(vertex).dot(direction);
        if projection > best.0 {
            best = (projection, index);
        }
    }
    (best.1 as u32, DVec3::from(vertices[best.1]))
}

impl ConvexPart<'_> {
    /// Upper bound of the distance of the core from the center of rotation.
    pub(crate) fn max_radius(&self) -> f64 {
        let (center, radius) = self.core.bounding_sphere();
        // Rounded up.
        ((self.offset + self.basis.mul_vec3(center)).length() + radius) * (1.0 + 1e-12)
    }

    /// Size for tolerances: radius of the bounding sphere.
    pub(crate) fn size(&self) -> f64 {
        self.core.bounding_sphere().1 + self.radius
    }

    /// Support distance: largest projection of the part, relative to the center of rotation, on a
    /// unit vector in the frame of the body.
    #[inline]
    pub(crate) fn support_distance(&self, direction: DVec3) -> f64 {
        let local = self.basis.transpose_mul_vec3(direction);
        let (_, vertex) = self.core.support_vertex(local);
        vertex.dot(local) + self.offset.dot(direction) + self.radius
    }

    /// The part rotated with its body, relative to the center of rotation.
    pub(crate) fn posed(&self, body_basis: &DMat3) -> PosedPart<'_> {
        PosedPart {
            core: self.core,
            basis: *body_basis * self.basis,
            origin: body_basis.mul_vec3(self.offset),
        }
    }
}

/// A core at one fraction of the sweep, along the axes of the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PosedPart<'a> {
    pub(crate) core: Core<'a>,
    pub(crate) basis: DMat3,
    pub(crate) origin: DVec3,
}

impl PosedPart<'_> {
    pub(crate) fn vertex(&self, index: u32) -> DVec3 {
        self.basis.mul_vec3(self.core.vertex(index)) + self.origin
    }

    #[inline]
    pub(crate) fn support_vertex(&self, direction: DVec3) -> (u32, DVec3) {
        let (index, vertex) = self.core.support_vertex(self.basis.transpose_mul_vec3(direction));
        (index, self.basis.mul_vec3(vertex) + self.origin)
    }
}
