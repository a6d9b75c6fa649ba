//! What of a body can be hit: a convex core with a radius round it, in f64.
//!
//! Corners are chosen in f64 too: f32 would leave the gap between two bodies open by its rounding, and
//! bodies that graze each other would meet a thousandth too late or too soon.

use embate_geom::{Vec3, Wide, shapes::Hull};

use super::impact_motion::Axes;

/// A convex part of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) core: Core<'a>,
    /// What is round the core.
    pub(super) radius: f64,
    /// How the part is turned within its body.
    pub(super) axes: Axes,
    /// From the point about which the body turns to the part's origin, in the body's frame.
    pub(super) offset: Wide,
}

/// What remains of a shape without its rounding, in the part's own frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Core<'a> {
    /// The middle of a sphere.
    Point,
    /// The segment of a capsule: half its height.
    Rod(f64),
    /// Half the edges of a box.
    Cuboid(Wide),
    Hull(&'a Hull),
    /// Of a mesh.
    Triangle([Wide; 3]),
    /// All that lies behind a plane through the origin: its normal. It has no corners.
    HalfSpace(Wide),
}

impl Core<'_> {
    /// The corner farthest along a direction.
    #[inline]
    pub(super) fn corner_along(&self, direction: Wide) -> (u32, Wide) {
        let signed = |length: f64, along: f64| if along < 0.0 { -length } else { length };
        match self {
            Self::Point | Self::HalfSpace(_) => (0, Wide::ZERO),
            Self::Rod(half) => {
                (u32::from(direction.y >= 0.0), Wide::new(0.0, signed(*half, direction.y), 0.0))
            }
            Self::Cuboid(half) => {
                let index = u32::from(direction.x >= 0.0)
                    | u32::from(direction.y >= 0.0) << 1
                    | u32::from(direction.z >= 0.0) << 2;
                let corner = Wide::new(
                    signed(half.x, direction.x),
                    signed(half.y, direction.y),
                    signed(half.z, direction.z),
                );
                (index, corner)
            }
            Self::Hull(hull) => farthest(hull.vertices(), direction),
            Self::Triangle(corners) => {
                let along = corners.map(|corner| corner.dot(direction));
                let best = usize::from(along[1] > along[0]);
                let best = if along[2] > along[best] { 2 } else { best };
                (best as u32, corners[best])
            }
        }
    }

    /// The corner of an index.
    #[inline]
    pub(super) fn corner(&self, index: u32) -> Wide {
        let signed = |length: f64, bit: u32| if index >> bit & 1 == 0 { -length } else { length };
        match self {
            Self::Point | Self::HalfSpace(_) => Wide::ZERO,
            Self::Rod(half) => Wide::new(0.0, signed(*half, 0), 0.0),
            Self::Cuboid(half) => {
                Wide::new(signed(half.x, 0), signed(half.y, 1), signed(half.z, 2))
            }
            Self::Hull(hull) => Wide::from(hull.vertices()[index as usize]),
            Self::Triangle(corners) => corners[index as usize],
        }
    }

    /// No corner is farther from this point of the part than this.
    fn ball(&self) -> (Wide, f64) {
        match self {
            Self::Point | Self::HalfSpace(_) => (Wide::ZERO, 0.0),
            Self::Rod(half) => (Wide::ZERO, *half),
            Self::Cuboid(half) => (Wide::ZERO, half.length()),
            Self::Hull(hull) => (Wide::from(hull.inner_ball().0), f64::from(hull.outer_radius())),
            Self::Triangle(corners) => {
                let middle = (corners[0] + corners[1] + corners[2]) * (1.0 / 3.0);
                let far = corners.map(|corner| (corner - middle).length());
                (middle, far[0].max(far[1]).max(far[2]))
            }
        }
    }
}

fn farthest(vertices: &[Vec3], direction: Wide) -> (u32, Wide) {
    let mut best = (f64::NEG_INFINITY, 0);
    for (index, &vertex) in vertices.iter().enumerate() {
        let along = Wide::from(vertex).dot(direction);
        if along > best.0 {
            best = (along, index);
        }
    }
    (best.1 as u32, Wide::from(vertices[best.1]))
}

impl Part<'_> {
    /// No point of the core is farther from the point about which the body turns.
    pub(super) fn reach(&self) -> f64 {
        let (middle, far) = self.core.ball();
        // Rounded up.
        ((self.offset + self.axes.times(middle)).length() + far) * (1.0 + 1e-12)
    }

    /// How large it is, for tolerances.
    pub(super) fn size(&self) -> f64 {
        self.core.ball().1 + self.radius
    }

    /// How far it reaches along a direction of length 1 of the body's frame.
    #[inline]
    pub(super) fn reach_along(&self, direction: Wide) -> f64 {
        let local = self.axes.transposed_times(direction);
        let (_, corner) = self.core.corner_along(local);
        corner.dot(local) + self.offset.dot(direction) + self.radius
    }

    /// The same part as its body is turned in the world: from the point about which it turns.
    pub(super) fn turned(&self, body: &Axes) -> Turned<'_> {
        Turned {
            core: self.core,
            axes: body.times_axes(&self.axes),
            origin: body.times(self.offset),
        }
    }
}

/// A core at one moment, along the axes of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turned<'a> {
    pub(super) core: Core<'a>,
    pub(super) axes: Axes,
    pub(super) origin: Wide,
}

impl Turned<'_> {
    pub(super) fn corner(&self, index: u32) -> Wide {
        self.axes.times(self.core.corner(index)) + self.origin
    }

    #[inline]
    pub(super) fn corner_along(&self, direction: Wide) -> (u32, Wide) {
        let (index, corner) = self.core.corner_along(self.axes.transposed_times(direction));
        (index, self.axes.times(corner) + self.origin)
    }
}
