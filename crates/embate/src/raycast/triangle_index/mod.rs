//! One mesh, every question: [`TriangleIndex`].
//!
//! ```text
//!   ray        closest, any, all hits; filtered; many at a time      here, by the structure that suits the mesh
//!   ray        one hit after the other                               along.rs
//!   sight      is anything between two points?                       here
//!   point      what is nearest?                                      near.rs
//!   box        which triangles reach into it?                        overlap.rs
//!   ball       what does it touch first on its way?                  sphere_cast.rs
//!   vertices   they have moved                                       moved.rs
//!   bytes      to be kept, and read again                            saved.rs
//! ```
//!
//! All answer as a plain loop over the triangles would, to the bit; of equal ones, the smaller triangle
//! number.

mod along;
mod moved;
mod near;
mod overlap;
mod saved;
mod sphere_cast;
mod walk;
mod wide;

pub use along::HitsAlong;
pub use moved::Upkeep;
pub use near::NearestPoint;
pub use saved::InvalidIndex;
pub use sphere_cast::SphereHit;

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use self::moved::Wear;
use super::{AnyRayIndex, Brute, Bvh, Octree, RayIndex, RayTechnique, Unobserved};

/// A mesh that answers questions.
///
/// ```
/// use embate::{Ray, TriangleMesh, rays::TriangleIndex};
///
/// let corners = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
/// let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2]])?);
/// let up = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
/// assert_eq!(index.closest_hit(&up).map(|hit| hit.t), Some(2.0));
/// assert!(!index.is_visible([1.0, 1.0, 0.0], [1.0, 1.0, 5.0]));
/// assert_eq!(index.closest_point([1.0, 1.0, 5.0], f32::INFINITY).unwrap().distance, 3.0);
/// assert_eq!(index.sphere_cast(&up, 0.5).unwrap().t, 1.5);
/// # Ok::<(), embate::InvalidMesh>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriangleIndex {
    mesh: TriangleMesh,
    /// One of ours.
    structure: AnyRayIndex,
    wear: Wear,
}

impl TriangleIndex {
    /// Builds the structure that suits the mesh, on rayon's current threads: the one that
    /// [`advise_rays`](crate::advise::advise_rays) names.
    #[must_use]
    pub fn new(mesh: TriangleMesh) -> Self {
        let structure = RayTechnique::Auto.build(&mesh);
        Self::of(mesh, structure)
    }

    /// With a structure of the caller's choice, whatever the mesh is like.
    ///
    /// ```
    /// use embate::{TriangleMesh, rays::{Bvh, Octree, RayTechnique, TriangleIndex}};
    ///
    /// let mesh = TriangleMesh::new(vec![[0.0; 3], [1.0; 3], [2.0, 0.0, 0.0]], vec![[0, 1, 2]])?;
    /// let index = TriangleIndex::by(Bvh::new, mesh.clone());
    /// assert_eq!(index.structure(), RayTechnique::Bvh);
    /// let small = TriangleIndex::by(|mesh| Octree::within(mesh, 100), mesh);
    /// assert_eq!(small.structure(), RayTechnique::Octree);
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    #[must_use]
    pub fn by<S: Into<Structure>>(
        build: impl FnOnce(&TriangleMesh) -> S,
        mesh: TriangleMesh,
    ) -> Self {
        let structure = match build(&mesh).into() {
            Structure::Brute(brute) => AnyRayIndex::Brute(brute),
            Structure::Octree(octree) => AnyRayIndex::Octree(octree),
            Structure::Bvh(bvh) => AnyRayIndex::Bvh(bvh),
        };
        Self::of(mesh, structure)
    }

    fn of(mesh: TriangleMesh, structure: AnyRayIndex) -> Self {
        Self { mesh, structure, wear: Wear::default() }
    }

    /// Which structure answers: the tree of boxes, the octree, or every triangle in turn.
    #[must_use]
    pub fn structure(&self) -> RayTechnique {
        self.structure.technique()
    }

    /// What it was built from.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Bytes held beside the mesh.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.structure.bytes()
    }

    /// The nearest hit.
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        self.structure.closest_hit(ray)
    }

    /// Whether the ray hits anything.
    #[must_use]
    pub fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.structure.any_hit(ray)
    }

    /// Every hit, nearest first.
    #[must_use]
    pub fn all_hits(&self, ray: &Ray<3>) -> Vec<Hit> {
        self.structure.all_hits(ray)
    }

    /// The nearest hit that `counts`. It is asked about hits in any order, not about all of them, and must
    /// say the same of a hit each time.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, rays::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let corners = [wall(1.0), wall(2.0)].concat();
    /// let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2], [3, 4, 5]])?);
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// let is_glass = |triangle: u32| triangle == 0;
    /// let hit = index.closest_hit_where(&ray, |hit| !is_glass(hit.triangle)).unwrap();
    /// assert_eq!((hit.triangle, hit.t), (1, 2.0));
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    pub fn closest_hit_where(
        &self,
        ray: &Ray<3>,
        mut counts: impl FnMut(&Hit) -> bool,
    ) -> Option<Hit> {
        let mut closest: Option<Hit> = None;
        self.structure.visit_hits(ray, &mut Unobserved, |hit| {
            if closest.is_none_or(|other| hit.precedes(&other)) && counts(&hit) {
                closest = Some(hit);
            }
            ControlFlow::Continue(closest.map_or(ray.t_max, |hit| hit.t))
        });
        closest
    }

    /// Whether any hit `counts`.
    pub fn any_hit_where(&self, ray: &Ray<3>, mut counts: impl FnMut(&Hit) -> bool) -> bool {
        let mut any = false;
        self.structure.visit_hits(ray, &mut Unobserved, |hit| {
            any = counts(&hit);
            if any { ControlFlow::Break(()) } else { ControlFlow::Continue(ray.t_max) }
        });
        any
    }

    /// The nearest hit among triangles that share a bit with `mask`; `masks` holds each triangle's bits,
    /// and a triangle beyond its end has none.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, rays::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// # let corners = [wall(1.0), wall(2.0)].concat();
    /// # let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2], [3, 4, 5]])?);
    /// const BLOCKS_SHOTS: u32 = 1;
    /// const BLOCKS_SIGHT: u32 = 2;
    /// let masks = [BLOCKS_SHOTS, BLOCKS_SHOTS | BLOCKS_SIGHT];
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// assert_eq!(index.closest_hit_among(&ray, &masks, BLOCKS_SIGHT).unwrap().triangle, 1);
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    #[must_use]
    pub fn closest_hit_among(&self, ray: &Ray<3>, masks: &[u32], mask: u32) -> Option<Hit> {
        self.closest_hit_where(ray, |hit| shares_a_bit(masks, mask, hit))
    }

    /// Whether a triangle that shares a bit with `mask` is hit; as [`closest_hit_among`](Self::closest_hit_among).
    #[must_use]
    pub fn any_hit_among(&self, ray: &Ray<3>, masks: &[u32], mask: u32) -> bool {
        self.any_hit_where(ray, |hit| shares_a_bit(masks, mask, hit))
    }

    /// Whether nothing lies between two points, these included up to rounding: a point on a surface may come out
    /// on either side of it. Of a point that is not finite nothing is visible.
    #[must_use]
    pub fn is_visible(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        from.iter().chain(&to).all(|c| c.is_finite()) && !self.any_hit(&Ray::between(from, to))
    }

    /// [`is_visible`](Self::is_visible) of each pair of points, in order; as [`any_hits`](Self::any_hits).
    ///
    /// ```
    /// # use embate::{TriangleMesh, rays::TriangleIndex};
    /// let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(wall, vec![[0, 1, 2]])?);
    /// let (here, there, beside) = ([0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [5.0, 0.0, 0.5]);
    /// assert_eq!(index.are_visible(&[[here, there], [here, beside]]), [false, true]);
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    #[must_use]
    pub fn are_visible(&self, pairs: &[[[f32; 3]; 2]]) -> Vec<bool> {
        let rays: Vec<Ray<3>> = pairs.iter().map(|&[from, to]| Ray::between(from, to)).collect();
        let mut answers = self.any_hits(&rays);
        for (answer, pair) in answers.iter_mut().zip(pairs) {
            *answer = !*answer && pair.iter().flatten().all(|c| c.is_finite());
        }
        answers
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order: several under way at a time on each of
    /// rayon's current threads, which is faster than one after the other.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, rays::TriangleIndex};
    /// let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(wall, vec![[0, 1, 2]])?);
    /// let rays = [1.0, -1.0].map(|z| Ray::new([0.0; 3], [0.0, 0.0, z]));
    /// let hits = index.closest_hits(&rays);
    /// assert_eq!((hits[0].map(|hit| hit.t), hits[1]), (Some(1.0), None));
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    #[must_use]
    pub fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.structure.closest_hits(rays)
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order; as [`closest_hits`](Self::closest_hits).
    #[must_use]
    pub fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.structure.any_hits(rays)
    }
}

/// A structure that an index can answer by: any of ours.
#[derive(Clone, Debug)]
pub enum Structure {
    /// Triangle by triangle.
    Brute(Brute),
    /// Cells that are halved where triangles are.
    Octree(Octree),
    /// A tree of boxes.
    Bvh(Bvh),
}

impl From<Brute> for Structure {
    fn from(brute: Brute) -> Self {
        Self::Brute(brute)
    }
}

impl From<Octree> for Structure {
    fn from(octree: Octree) -> Self {
        Self::Octree(octree)
    }
}

impl From<Bvh> for Structure {
    fn from(bvh: Bvh) -> Self {
        Self::Bvh(bvh)
    }
}

fn shares_a_bit(masks: &[u32], mask: u32, hit: &Hit) -> bool {
    masks.get(hit.triangle as usize).is_some_and(|bits| bits & mask != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walls across the z axis at 1, 2, 3 and 4.
    pub(super) fn walls() -> TriangleIndex {
        let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
        let positions = [1.0, 2.0, 3.0, 4.0].map(wall).concat();
        let triangles = (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriangleIndex::new(TriangleMesh::new(positions, triangles).unwrap())
    }

    #[test]
    fn hits_that_do_not_count_are_looked_through() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let third = index.closest_hit_where(&ray, |hit| hit.triangle >= 2);
        assert_eq!(third.map(|hit| (hit.triangle, hit.t)), Some((2, 3.0)));
        assert!(index.any_hit_where(&ray, |hit| hit.triangle == 3));
        assert!(!index.any_hit_where(&ray, |hit| hit.triangle == 4));
        assert_eq!(index.closest_hit_where(&ray, |_| false), None);
    }

    #[test]
    fn a_mask_chooses_triangles_and_those_without_one_are_not_chosen() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let among = |mask| index.closest_hit_among(&ray, &[1, 2, 6], mask).map(|hit| hit.triangle);
        assert_eq!([1, 2, 4, 8].map(among), [Some(0), Some(1), Some(2), None]);
        assert!(index.any_hit_among(&ray, &[0, 0, 0, 1], 1));
        assert!(!index.any_hit_among(&ray, &[0, 0, 0], 1));
    }

    #[test]
    fn a_wall_blocks_the_sight_through_it_and_of_it() {
        let index = walls();
        assert!(index.is_visible([0.0, 0.0, 1.25], [3.0, 0.0, 1.75]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.25]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.0]));
        assert!(!index.is_visible([f32::NAN, 0.0, 0.0], [0.0; 3]));
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let index = TriangleIndex::new(TriangleMesh::new(vec![], vec![]).unwrap());
        let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        assert_eq!(index.closest_hit(&ray), None);
        assert_eq!(index.closest_hits(&[ray; 3]), [None; 3]);
        assert_eq!(index.closest_point([0.0; 3], f32::INFINITY), None);
        assert_eq!(index.sphere_cast(&ray, 1.0), None);
        assert!(index.is_visible([0.0; 3], [1.0; 3]));
    }
}
