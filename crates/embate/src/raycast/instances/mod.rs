//! One mesh in many places: [`Instances`].
//!
//! ```text
//!   ray ──► tree.rs: which instances may it meet?      boxes in the world, f64, near ones first
//!             └──► affine.rs: the ray in that mesh's frame
//!                    └──► TriangleIndex: what does it hit there?      t is kept
//! ```
//!
//! **What the answer is.** [`Affine::local_ray`] takes the ray into the frame of each instance; there it is answered as
//! [`TriangleIndex`] answers, which is as a loop over the mesh's triangles would. The nearest hit is that of the least `t`; of equal
//! ones, of the smaller instance number, then of the smaller triangle number. [`Instances`] gives this answer to the bit, and is
//! watertight where the meshes are: each is seen by one ray in one frame.
//!
//! **Why the tree loses nothing.** Let `r(t)` be the ray, exactly, in the mesh's frame, and `ρ(t)` the rounded one, `o` and `d` its
//! origin and direction. A number rounded once is off by at most ε/2 of itself, so on each axis `|ρ − r| ≤ ε/2 (|o| + |t d|)`.
//! At a hit's `t` the rounded ray is in the mesh's guarded box but for another 10 ε of `|t d|` (`docs/robustness.md`); and where the ray
//! is in that box `|t d| ≤ |o| + b`, if `b` is how far the box reaches. So `r(t)` is in the box grown by 16 ε (|o| + b).
//! In the world this is at most `16 ε |axes| (|o| + b)`, and `|o| ≤ |inverse| · |from the instance's origin to the ray's|`:
//! the box of an instance is grown by 32 ε of its own reach once, and of the distance to the ray's origin for each
//! ray, times [`Affine::stretch`]. (Twice what is needed covers everything that is done in f64.) That holds as long
//! as neither ray leaves the magnitudes from 1e-18 to 1e18.

mod affine;
mod tree;

pub use affine::{Affine, InvalidAffine};

use std::collections::HashMap;
use std::sync::Arc;

use embate_geom::{Aabb, Hit, Ray};
use rayon::prelude::*;

use self::tree::{InstanceTree, WorldBox};
use super::{BATCH, TriangleIndex};

/// See above: twice 16 ε.
const DOUBT: f64 = 32.0 * f32::EPSILON as f64;

/// Where a ray meets an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceHit {
    /// Which instance, in the order they were given.
    pub instance: u32,
    /// Where, and which triangle of its mesh.
    pub hit: Hit,
}

impl InstanceHit {
    /// Whether this hit is the one to report: nearer, or as near and of a smaller instance, then triangle number.
    #[must_use]
    pub fn precedes(&self, other: &Self) -> bool {
        self.hit.t < other.hit.t || (self.hit.t == other.hit.t && self.numbers() < other.numbers())
    }

    fn numbers(&self) -> (u32, u32) {
        (self.instance, self.hit.triangle)
    }
}

/// Meshes, each placed as often as you like, that answer rays together.
///
/// A mesh is held once, however often it is placed; what an instance takes is its [`Affine`] and a place in the tree. Back faces
/// are those of the mesh as it was made: a mirrored instance shows its outside to the outside.
///
/// ```
/// use std::sync::Arc;
/// use embate::{Pose, Ray, TriangleMesh, Vec3, rays::{Affine, Instances, TriangleIndex}};
///
/// let corners = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
/// let tile = Arc::new(TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2]])?));
/// let at = |z: f32| Affine::rigid(&Pose::at(Vec3::new(0.0, 0.0, z)));
/// let mut tiles = Instances::new([(tile.clone(), at(7.0)?), (tile.clone(), at(4.0)?)]);
///
/// let up = Ray::new([0.0; 3], [0.0, 0.0, 2.0]);
/// let nearest = tiles.closest_hit(&up).unwrap();
/// assert_eq!((nearest.instance, nearest.hit.t), (1, 2.0));
/// assert_eq!(tiles.all_hits(&up).len(), 2);
///
/// tiles.place([(1, at(9.0)?)]);
/// assert_eq!(tiles.closest_hit(&up).unwrap().instance, 0);
/// assert!(tiles.is_visible([0.0; 3], [0.0, 0.0, 6.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Instances {
    placed: Vec<Placed>,
    tree: InstanceTree,
}

#[derive(Clone, Debug)]
struct Placed {
    index: Arc<TriangleIndex>,
    affine: Affine,
    /// Around all guarded boxes of the mesh; `None` without triangles.
    bounds: Option<Aabb<3>>,
}

impl Instances {
    /// Meshes and where they are; the first is instance 0.
    #[must_use]
    pub fn new(placements: impl IntoIterator<Item = (Arc<TriangleIndex>, Affine)>) -> Self {
        // Looked up alone, never gone through: their order means nothing.
        let mut known = HashMap::new();
        let place = |(index, affine): (Arc<TriangleIndex>, Affine)| {
            let bounds = known.entry(Arc::as_ptr(&index)).or_insert_with(|| guarded_bounds(&index));
            Placed { bounds: *bounds, index, affine }
        };
        let mut instances = Self {
            placed: placements.into_iter().map(place).collect(),
            tree: InstanceTree::default(),
        };
        instances.order();
        instances
    }

    /// Moves instances, by number, to other places; the tree over all of them is made anew once. A number that
    /// there is not is passed over.
    pub fn place(&mut self, changes: impl IntoIterator<Item = (u32, Affine)>) {
        for (number, affine) in changes {
            if let Some(placed) = self.placed.get_mut(number as usize) {
                placed.affine = affine;
            }
        }
        self.order();
    }

    fn order(&mut self) {
        let boxes = self.placed.iter().zip(0..);
        let boxes = boxes.filter_map(|(placed, number)| Some((placed.world_box()?, number)));
        let stretches = self.placed.iter().map(|placed| placed.affine.stretch());
        let most = stretches.fold(1.0, |most, stretch| if stretch > most { stretch } else { most });
        self.tree = InstanceTree::new(boxes.collect(), DOUBT * most);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    /// An instance's mesh, and where it is.
    #[must_use]
    pub fn get(&self, instance: u32) -> Option<(&Arc<TriangleIndex>, &Affine)> {
        let placed = self.placed.get(instance as usize)?;
        Some((&placed.index, &placed.affine))
    }

    /// Bytes held beside the meshes and their own structures.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + size_of_val(self.placed.as_slice())
    }

    /// The nearest hit.
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray<3>) -> Option<InstanceHit> {
        self.closest(ray, |placed, _, ray| placed.index.closest_hit(ray))
    }

    /// The nearest hit that `counts`. It is asked about hits in any order, not about all of them, and must say the same
    /// of a hit each time.
    pub fn closest_hit_where(
        &self,
        ray: &Ray<3>,
        mut counts: impl FnMut(&InstanceHit) -> bool,
    ) -> Option<InstanceHit> {
        self.closest(ray, |placed, instance, ray| {
            placed.index.closest_hit_where(ray, |&hit| counts(&InstanceHit { instance, hit }))
        })
    }

    fn closest(
        &self,
        ray: &Ray<3>,
        mut ask: impl FnMut(&Placed, u32, &Ray<3>) -> Option<Hit>,
    ) -> Option<InstanceHit> {
        let mut closest: Option<InstanceHit> = None;
        self.tree.visit(ray, |instance| {
            let placed = &self.placed[instance as usize];
            let reach = closest.map_or(ray.t_max, |nearest| nearest.hit.t);
            let local = placed.affine.local_ray(ray).within(ray.t_min, reach);
            let found = ask(placed, instance, &local).map(|hit| InstanceHit { instance, hit });
            closest = match (closest, found) {
                (Some(nearest), Some(hit)) if !hit.precedes(&nearest) => Some(nearest),
                (nearest, found) => found.or(nearest),
            };
            Some(closest.map_or(ray.t_max, |nearest| nearest.hit.t))
        });
        closest
    }

    /// Whether the ray hits anything.
    #[must_use]
    pub fn any_hit(&self, ray: &Ray<3>) -> bool {
        let mut any = false;
        self.tree.visit(ray, |instance| {
            let placed = &self.placed[instance as usize];
            any = placed.index.any_hit(&placed.affine.local_ray(ray));
            (!any).then_some(ray.t_max)
        });
        any
    }

    /// Every hit, nearest first; of equal `t`, smaller instance numbers first, then smaller triangle numbers.
    #[must_use]
    pub fn all_hits(&self, ray: &Ray<3>) -> Vec<InstanceHit> {
        let mut hits = Vec::new();
        self.tree.visit(ray, |instance| {
            let placed = &self.placed[instance as usize];
            let found = placed.index.all_hits(&placed.affine.local_ray(ray));
            hits.extend(found.into_iter().map(|hit| InstanceHit { instance, hit }));
            Some(ray.t_max)
        });
        hits.sort_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.numbers().cmp(&b.numbers())));
        hits
    }

    /// Whether nothing lies between two points; as [`TriangleIndex::is_visible`].
    #[must_use]
    pub fn is_visible(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        from.iter().chain(&to).all(|c| c.is_finite()) && !self.any_hit(&Ray::between(from, to))
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order, on rayon's current threads.
    #[must_use]
    pub fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<InstanceHit>> {
        rays.par_iter().with_min_len(BATCH).map(|ray| self.closest_hit(ray)).collect()
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order, on rayon's current threads.
    #[must_use]
    pub fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        rays.par_iter().with_min_len(BATCH).map(|ray| self.any_hit(ray)).collect()
    }
}

impl Placed {
    /// In the world, with what does not depend on the ray of how far the frames disagree.
    fn world_box(&self) -> Option<WorldBox> {
        let bounds = self.bounds?;
        let axes = self.affine.wide_axes();
        let middle =
            |axis: usize| 0.5 * (f64::from(bounds.min[axis]) + f64::from(bounds.max[axis]));
        let half = |axis: usize| 0.5 * (f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]));
        let mut world = WorldBox { min: [0.0; 3], max: [0.0; 3] };
        for row in 0..3 {
            let origin = f64::from(self.affine.origin()[row]);
            let centre = origin + (0..3).map(|axis| axes[axis][row] * middle(axis)).sum::<f64>();
            let reach: f64 = (0..3).map(|axis| axes[axis][row].abs() * half(axis)).sum();
            world.min[row] = centre - reach;
            world.max[row] = centre + reach;
        }
        // How far anything of it lies from its origin: |inverse| times that is no less than `b`, nor than what the origin's
        // own distance adds to |o|.
        let mut farthest = 0.0;
        for row in 0..3 {
            let origin = f64::from(self.affine.origin()[row]);
            for side in [world.min[row], world.max[row]] {
                let far = (side - origin).abs();
                farthest = if far > farthest { far } else { farthest };
            }
        }
        let margin = 2.0 * DOUBT * self.affine.stretch() * farthest;
        for row in 0..3 {
            world.min[row] -= margin;
            world.max[row] += margin;
        }
        Some(world)
    }
}

/// Around all that a hit's `t` can lie in.
fn guarded_bounds(index: &TriangleIndex) -> Option<Aabb<3>> {
    let boxes = index.mesh().corners().map(|triangle| triangle.guarded_bounds());
    boxes.reduce(|all, each| all.joined(&each))
}

#[cfg(test)]
mod tests;
