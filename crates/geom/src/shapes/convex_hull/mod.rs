//! What is the smallest convex solid around these points?

mod around;
mod bounds;
mod convex;
mod faces;
mod lanes;
mod questions;
mod quickhull;
mod round;
mod simplify;
mod tolerance;

pub use around::PlaneBlock;
pub use lanes::VertexBlock;

use self::{around::Around, quickhull::Surface, tolerance::Tolerance};
use super::{InvalidShape, MAX_SIZE, MassProperties, guarded_aabb};
use crate::{Aabb, Pose, Vec3, Wide};

/// Sides a cylinder or cone may have: more are below the steps of f32.
pub(super) const MAX_SIDES: u32 = 1024;

/// A convex solid by its corners, edges and flat faces.
///
/// Points that rounding explains are not told apart: a point inside a face or on an edge is no corner, and
/// faces in one plane are one face, within 4 ε (|n.x| X + |n.y| Y + |n.z| Z) along a unit direction `n`,
/// where X, Y, Z are the largest coordinates without their signs, and within 1/256 of the hull's
/// thickness. With the rounding of what is stored, the hull is convex, and holds every point it was made
/// of, within 9 ε (…). Corners keep the order of the points.
///
/// ```
/// use embate_geom::{Vec3, shapes::Hull};
///
/// let corner = |bits: u32| Vec3::new((bits & 1) as f32, (bits >> 1 & 1) as f32, (bits >> 2) as f32);
/// let mut points: Vec<Vec3> = (0..8).map(corner).collect();
/// points.push(Vec3::new(0.5, 0.5, 1.0)); // inside a face
/// let cube = Hull::new(&points)?;
/// assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
/// # Ok::<(), embate_geom::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    vertices: Vec<Vec3>,
    blocks: Vec<VertexBlock>,
    faces: Vec<HullFace>,
    corners: Vec<u32>,
    edges: Vec<HullEdge>,
    mass: MassProperties,
    around: Around,
}

/// A flat side of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullFace {
    /// Outwards, of length 1.
    pub normal: Vec3,
    /// `normal · p` of its farthest corner, so that no corner of it stands out of its plane.
    pub offset: f32,
    /// Where its corners begin in the hull's list.
    pub first: u32,
    /// How many corners it has.
    pub count: u32,
}

/// Where two faces of a hull meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HullEdge {
    /// Its ends; from the first to the second it runs counter-clockwise about the first face.
    pub vertices: [u32; 2],
    /// The faces on both sides.
    pub faces: [u32; 2],
}

/// Each round drops a corner or is the last; nearly all inputs end with the second.
const MOST_ROUNDS: usize = 8;

/// The exact surface around some points, and what counts as rounding there.
struct Found {
    surface: Surface,
    tolerance: Tolerance,
}

impl Found {
    fn around(points: &[Wide]) -> Result<Self, InvalidShape> {
        let tolerance = Tolerance::of(points);
        let seed = quickhull::seed(points, &tolerance)?;
        let tolerance = tolerance.for_thickness(seed.thickness);
        Ok(Self { surface: quickhull::quickhull(points, &seed), tolerance })
    }
}

impl Hull {
    /// Around `points`, in any order, with any duplicates.
    ///
    /// # Errors
    /// [`InvalidShape`] if there are fewer than 4, one is not finite or beyond [`MAX_SIZE`], or all lie in
    /// one place, on one line or in one plane.
    pub fn new(points: &[Vec3]) -> Result<Self, InvalidShape> {
        check(points)?;
        // Adding 0 makes of −0 a 0.
        let mut wide: Vec<Wide> =
            points.iter().map(|&point| Wide::from(point + Vec3::ZERO)).collect();
        let mut found = Found::around(&wide)?;
        // Again with the corners alone, until all of them stay: then a hull is the hull of its corners,
        // to the bit.
        for _ in 0..MOST_ROUNDS {
            let Found { surface, tolerance } = &found;
            let corners = if let Some(kept) = simplify::corners(&wide, surface, tolerance) {
                kept.iter().map(|&corner| wide[corner as usize]).collect()
            } else {
                let hull = faces::assemble(&wide, surface, tolerance);
                if hull.vertices.len() == wide.len() {
                    return Ok(hull);
                }
                hull.vertices.iter().map(|&vertex| Wide::from(vertex)).collect::<Vec<Wide>>()
            };
            let Ok(next) = Found::around(&corners) else { break };
            (wide, found) = (corners, next);
        }
        Ok(faces::assemble(&wide, &found.surface, &found.tolerance))
    }

    /// Its corners.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Its corners eight at a time, the last one repeated to fill its block.
    #[inline]
    #[must_use]
    pub fn blocks(&self) -> &[VertexBlock] {
        &self.blocks
    }

    /// Its flat sides.
    #[inline]
    #[must_use]
    pub fn faces(&self) -> &[HullFace] {
        &self.faces
    }

    /// The corners of a face, counter-clockwise seen from outside.
    ///
    /// # Panics
    /// If the face is another hull's.
    #[inline]
    #[must_use]
    pub fn corners(&self, face: &HullFace) -> &[u32] {
        &self.corners[face.first as usize..][..face.count as usize]
    }

    /// Its edges, each once.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> &[HullEdge] {
        &self.edges
    }

    /// The corner farthest along `direction`; of equal ones, and without a direction, the first.
    #[inline]
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        self.vertices[self.support_index(direction) as usize]
    }

    /// Which corner is the farthest along `direction`; of equal ones, and without a direction, the first.
    #[inline]
    #[must_use]
    pub fn support_index(&self, direction: Vec3) -> u32 {
        lanes::farthest(&self.blocks, direction)
    }

    /// What it weighs.
    #[inline]
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        self.mass
    }

    /// A box around it in the world.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        let to_world = pose.rotation.matrix();
        let (mut min, mut max) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        for &vertex in &self.vertices {
            let turned = to_world * vertex;
            (min, max) = (turned.min(min), turned.max(max));
        }
        let half = (max - min) * 0.5;
        guarded_aabb(pose, (max + min) * 0.5 + pose.position, half)
    }
}

fn check(points: &[Vec3]) -> Result<(), InvalidShape> {
    let count = points.len();
    for (index, &point) in points.iter().enumerate() {
        if !point.is_finite() {
            return Err(InvalidShape::NotFinite { index, point: point.to_array() });
        }
        if point.abs().largest() > MAX_SIZE {
            return Err(InvalidShape::TooFar { index, point: point.to_array() });
        }
    }
    match count {
        0 => Err(InvalidShape::NoPoints),
        1..=3 => Err(InvalidShape::TooFewPoints { count }),
        _ if u32::try_from(count).is_err() => Err(InvalidShape::TooManyPoints { count }),
        _ => Ok(()),
    }
}

#[cfg(test)]
pub(super) mod tests;
