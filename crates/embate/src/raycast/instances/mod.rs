//! Instancing: a two-level acceleration structure, [`Instances`] (TLAS) over [`TriangleIndex`]
//! (BLAS).
//!
//! ```text
//!   ray ──► tlas.rs: instances whose world box it hits, nearest first (f64)
//!             └──► transform.rs: the ray in the local frame of the instance
//!                    └──► TriangleIndex: hits in the local frame      t is unchanged
//! ```
//!
//! **Definition of a result.** [`Affine::inverse_transform_ray`] transforms the ray into the local
//! frame of each instance. There the result is that of [`TriangleIndex`], which equals a loop over
//! the triangles of the mesh. The closest hit has the least `t`; of equal `t`, the smaller instance
//! index, then the smaller triangle index. [`Instances`] returns this result to the bit. It is
//! watertight where the meshes are, because each mesh is tested with one ray in one frame.
//!
//! **The TLAS loses no hit.** Let `r(t)` be the exact ray in the local frame and `ρ(t)` the rounded
//! one, with origin `o` and direction `d`. A number rounded once has an error of at most ε/2 of
//! itself, so on each axis `|ρ − r| ≤ ε/2 (|o| + |t d|)`. At the `t` of a hit the rounded ray is
//! inside the padded box of the mesh except for another 10 ε of `|t d|` (`docs/robustness.md`).
//! Inside that box `|t d| ≤ |o| + b`, where `b` bounds the magnitude of its coordinates. Hence
//! `r(t)` is in the box grown by `16 ε (|o| + b)`. In the world this is at most
//! `16 ε |basis| (|o| + b)`, with
//! `|o| ≤ |inverse| · |distance from the instance translation to the ray origin|`. The world box of
//! an instance is therefore grown once by 32 ε of its own extent, and per ray by 32 ε of the
//! distance to the ray origin, each times [`Affine::error_amplification`]. The factor 2 covers all
//! rounding in f64. This holds while both rays stay within the magnitudes 1e-18 to 1e18.

#[cfg(test)]
mod tests;
mod tlas;
mod transform;

pub use transform::{Affine, TransformError};

use std::collections::HashMap;
use std::sync::Arc;

use embate_geom::{Aabb, Ray, TriangleHit, Vec3};

use crate::parallel;
use crate::raycast::{MIN_RAYS_PER_TASK, TriangleIndex};
use tlas::{InstanceBounds, Tlas};

/// Relative error between the frames: twice the 16 ε derived above.
const FRAME_ERROR: f64 = 32.0 * f32::EPSILON as f64;

/// A hit of a ray with an instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstanceHit {
    /// Index of the instance.
    pub instance: u32,
    /// The hit, with the triangle index in the mesh of the instance.
    pub hit: TriangleHit,
}

impl InstanceHit {
    /// Whether this hit precedes `other`: smaller `t`; of equal `t`, smaller instance, then
    /// triangle.
    #[must_use]
    pub fn is_before(&self, other: &Self) -> bool {
        self.hit.t < other.hit.t || (self.hit.t == other.hit.t && self.ids() < other.ids())
    }

    fn ids(&self) -> (u32, u32) {
        (self.instance, self.hit.triangle)
    }
}

/// Scene of mesh instances: a top-level acceleration structure (TLAS).
///
/// Each mesh is stored once and shared. An instance takes its [`Affine`] transform and a TLAS node.
/// Back faces are those of the mesh before the transform: a mirrored instance keeps its outside.
///
/// ```
/// use std::sync::Arc;
/// use embate::{Pose, Ray, TriangleMesh, Vec3, raycast::{Affine, Instances, TriangleIndex}};
///
/// let vertices = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
/// let tile = Arc::new(TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?));
/// let at = |z: f32| Affine::from_pose(&Pose::from_translation(Vec3::new(0.0, 0.0, z)));
/// let mut tiles = Instances::new([(tile.clone(), at(7.0)?), (tile.clone(), at(4.0)?)]);
///
/// let up = Ray::new([0.0; 3], [0.0, 0.0, 2.0]);
/// let closest = tiles.closest_hit(&up).unwrap();
/// assert_eq!((closest.instance, closest.hit.t), (1, 2.0));
/// assert_eq!(tiles.all_hits(&up).len(), 2);
///
/// tiles.set_transforms([(1, at(9.0)?)]);
/// assert_eq!(tiles.closest_hit(&up).unwrap().instance, 0);
/// assert!(tiles.is_visible([0.0; 3], [0.0, 0.0, 6.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("tlas", "scene", "accel", "bvh", "instance", "intersect", "occluded"))]
#[derive(Clone, Debug, Default)]
pub struct Instances {
    instances: Vec<Instance>,
    tlas: Tlas,
}

#[derive(Clone, Debug)]
struct Instance {
    index: Arc<TriangleIndex>,
    transform: Affine,
    /// Union of the padded triangle boxes of the mesh, in the local frame; `None` without
    /// triangles.
    bounds: Option<Aabb<3>>,
}

impl Instances {
    /// Builds the scene from meshes and their transforms. Instances are numbered in order from 0.
    #[must_use]
    pub fn new(placements: impl IntoIterator<Item = (Arc<TriangleIndex>, Affine)>) -> Self {
        // Lookup only, never iterated: the random order of the map has no effect.
        let mut bounds_of = HashMap::new();
        let instance = |(index, transform): (Arc<TriangleIndex>, Affine)| {
            let bounds =
                bounds_of.entry(Arc::as_ptr(&index)).or_insert_with(|| padded_mesh_bounds(&index));
            Instance { bounds: *bounds, index, transform }
        };
        let instances = placements.into_iter().map(instance).collect();
        let mut scene = Self { instances, tlas: Tlas::default() };
        scene.rebuild_tlas();
        scene
    }

    /// Sets the transforms of instances, by index, and rebuilds the TLAS once. Indices out of range
    /// are ignored.
    #[doc(alias = "place")]
    pub fn set_transforms(&mut self, changes: impl IntoIterator<Item = (u32, Affine)>) {
        for (index, transform) in changes {
            if let Some(instance) = self.instances.get_mut(index as usize) {
                instance.transform = transform;
            }
        }
        self.rebuild_tlas();
    }

    fn rebuild_tlas(&mut self) {
        let boxes = self.instances.iter().zip(0..);
        let boxes = boxes.filter_map(|(instance, index)| Some((instance.world_bounds()?, index)));
        let amplifications =
            self.instances.iter().map(|instance| instance.transform.error_amplification());
        let largest = amplifications.fold(1.0, |a, b| if b > a { b } else { a });
        self.tlas = Tlas::new(boxes.collect(), FRAME_ERROR * largest);
    }

    /// Number of instances.
    #[must_use]
    pub fn len(&self) -> usize {
        self.instances.len()
    }

    /// Whether there are no instances.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.instances.is_empty()
    }

    /// Mesh and transform of an instance.
    #[must_use]
    pub fn get(&self, instance: u32) -> Option<(&Arc<TriangleIndex>, &Affine)> {
        let instance = self.instances.get(instance as usize)?;
        Some((&instance.index, &instance.transform))
    }

    /// Heap memory in bytes, without the meshes and their own structures.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        self.tlas.memory_usage() + size_of_val(self.instances.as_slice())
    }

    /// The closest hit.
    #[doc(alias = "intersect")]
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray<3>) -> Option<InstanceHit> {
        self.closest_with(ray, |instance, _, ray| instance.index.closest_hit(ray))
    }

    /// The closest hit accepted by `filter`. Hits are filtered in any order, and not all of them.
    /// `filter` must be a pure function of the hit.
    #[doc(alias = "closest_hit_where")]
    pub fn closest_hit_filtered(
        &self,
        ray: &Ray<3>,
        mut filter: impl FnMut(&InstanceHit) -> bool,
    ) -> Option<InstanceHit> {
        self.closest_with(ray, |instance, id, ray| {
            instance
                .index
                .closest_hit_filtered(ray, |&hit| filter(&InstanceHit { instance: id, hit }))
        })
    }

    /// The closest of the local hits that `query` returns for an instance, its index and the local
    /// ray.
    fn closest_with(
        &self,
        ray: &Ray<3>,
        mut query: impl FnMut(&Instance, u32, &Ray<3>) -> Option<TriangleHit>,
    ) -> Option<InstanceHit> {
        let mut closest: Option<InstanceHit> = None;
        self.tlas.visit_instances(ray, |id| {
            let instance = &self.instances[id as usize];
            let t_max = closest.map_or(ray.t_max, |closest| closest.hit.t);
            let local = instance.transform.inverse_transform_ray(ray).with_range(ray.t_min, t_max);
            let found = query(instance, id, &local).map(|hit| InstanceHit { instance: id, hit });
            closest = match (closest, found) {
                (Some(closest), Some(hit)) if !hit.is_before(&closest) => Some(closest),
                (closest, found) => found.or(closest),
            };
            Some(closest.map_or(ray.t_max, |closest| closest.hit.t))
        });
        closest
    }

    /// Whether the ray hits any triangle.
    #[doc(alias = "occluded")]
    #[must_use]
    pub fn any_hit(&self, ray: &Ray<3>) -> bool {
        let mut any = false;
        self.tlas.visit_instances(ray, |id| {
            let instance = &self.instances[id as usize];
            any = instance.index.any_hit(&instance.transform.inverse_transform_ray(ray));
            (!any).then_some(ray.t_max)
        });
        any
    }

    /// All hits sorted by `t`; of equal `t`, by instance index, then by triangle index.
    #[must_use]
    pub fn all_hits(&self, ray: &Ray<3>) -> Vec<InstanceHit> {
        let mut hits = Vec::new();
        self.tlas.visit_instances(ray, |id| {
            let instance = &self.instances[id as usize];
            let found = instance.index.all_hits(&instance.transform.inverse_transform_ray(ray));
            hits.extend(found.into_iter().map(|hit| InstanceHit { instance: id, hit }));
            Some(ray.t_max)
        });
        hits.sort_by(|a, b| a.hit.t.total_cmp(&b.hit.t).then(a.ids().cmp(&b.ids())));
        hits
    }

    /// Whether the segment between two points is unobstructed, as [`TriangleIndex::is_visible`].
    #[must_use]
    pub fn is_visible(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> bool {
        let (from, to) = (from.into(), to.into());
        from.is_finite() && to.is_finite() && !self.any_hit(&Ray::segment(from, to))
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order, in parallel on the current rayon
    /// pool.
    #[must_use]
    pub fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<InstanceHit>> {
        parallel::map(rays.len(), MIN_RAYS_PER_TASK, |index| self.closest_hit(&rays[index]))
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order, in parallel on the current rayon pool.
    #[must_use]
    pub fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        parallel::map(rays.len(), MIN_RAYS_PER_TASK, |index| self.any_hit(&rays[index]))
    }
}

impl Instance {
    /// World box, grown by the part of the frame error that does not depend on the ray.
    fn world_bounds(&self) -> Option<InstanceBounds> {
        let bounds = self.bounds?;
        let basis = self.transform.basis_f64();
        let center =
            |axis: usize| 0.5 * (f64::from(bounds.min[axis]) + f64::from(bounds.max[axis]));
        let half = |axis: usize| 0.5 * (f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]));
        let mut world = InstanceBounds { min: [0.0; 3], max: [0.0; 3] };
        for row in 0..3 {
            let origin = f64::from(self.transform.translation()[row]);
            let world_center =
                origin + (0..3).map(|axis| basis.columns[axis][row] * center(axis)).sum::<f64>();
            let half_extent: f64 =
                (0..3).map(|axis| basis.columns[axis][row].abs() * half(axis)).sum();
            world.min[row] = world_center - half_extent;
            world.max[row] = world_center + half_extent;
        }
        // Largest distance of the box from the translation: times |inverse| it is at least `b`, and
        // at least the part of |o| that is due to the distance of the box from the translation.
        let mut farthest = 0.0;
        for row in 0..3 {
            let origin = f64::from(self.transform.translation()[row]);
            for side in [world.min[row], world.max[row]] {
                let distance = (side - origin).abs();
                farthest = if distance > farthest { distance } else { farthest };
            }
        }
        let margin = 2.0 * FRAME_ERROR * self.transform.error_amplification() * farthest;
        for row in 0..3 {
            world.min[row] -= margin;
            world.max[row] += margin;
        }
        Some(world)
    }
}

/// Union of the padded triangle boxes: contains every point that a hit can report.
fn padded_mesh_bounds(index: &TriangleIndex) -> Option<Aabb<3>> {
    let boxes = index.mesh().iter_triangles().map(|triangle| triangle.padded_aabb());
    boxes.reduce(|all, each| all.merged(&each))
}
