//! What does this ray hit?
//!
//! | structure | for | source |
//! |---|---|---|
//! | [`Bvh`] | nearly every mesh | Wald 2007; Ylitie, Karras, Laine 2017 |
//! | [`Octree`] | soups of large triangles that lie through each other | cells as Meagher 1982, nodes as above |
//! | [`Brute`] | a handful of triangles, and as the judge of all others | |
//! | [`StudyBrute`], [`StudyOctree`] | repeating study A exactly, faults and all | Lorenzi 2014 |
//!
//! Whoever has a mesh and questions takes [`TriangleIndex`]; it chooses the structure. Whoever places meshes many times
//! takes [`Instances`].
//!
//! All answer through [`RayIndex`]. Ours agree with [`Brute`] to the bit: same triangle, same `t`;
//! of equal `t`, the smaller triangle number. The study twins agree with each other instead.

mod boxes;
mod brute;
mod bvh;
mod clip;
mod counters;
mod index;
mod instances;
#[cfg(test)]
mod noise;
mod octree;
mod study_brute;
mod study_fit;
mod study_octree;
mod technique;

pub use boxes::TreeBox;
pub use brute::Brute;
pub use bvh::{Bvh, Preset};
pub use counters::{RayCounts, RayObserver, RayTrace, Unobserved};
pub use index::{
    HitsAlong, InvalidIndex, NearestPoint, SphereHit, Structure, TriangleIndex, Upkeep,
};
pub use instances::{Affine, InstanceHit, Instances, InvalidAffine};
pub use octree::Octree;
pub use study_brute::StudyBrute;
pub use study_fit::{CUBE_EDGE, StudyFit};
pub use study_octree::{Affinity, LEVELS, StudyOctree};
pub use technique::{AnyRayIndex, RayTechnique};

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use rayon::prelude::*;

/// Rays handed to a thread at a time: enough to hide the hand-over, few enough to share evenly.
const BATCH: usize = 256;

/// A structure over a mesh that answers rays.
///
/// A structure says how hits are come upon ([`visit_hits`](Self::visit_hits)); what is asked of them is
/// the same for all. The `*_observed` forms tell an observer what was visited and tested; with
/// [`Unobserved`], as in the plain forms, that costs nothing.
pub trait RayIndex: Sync {
    /// Tells `found` of the ray's hits, in any order, until it breaks off. Hits beyond the `t` that it
    /// last returned may be left out; one may be told again, with the same bits.
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    );

    /// Bytes the structure holds, beside the mesh it was built from.
    fn bytes(&self) -> usize;

    /// The nearest hit; of equal `t`, the smaller triangle number.
    fn closest_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Option<Hit> {
        let mut closest: Option<Hit> = None;
        self.visit_hits(ray, observer, |hit| {
            let nearest = closest.filter(|other| !hit.precedes(other)).unwrap_or(hit);
            closest = Some(nearest);
            ControlFlow::Continue(nearest.t)
        });
        closest
    }

    /// Whether anything is hit at all.
    fn any_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let mut any = false;
        self.visit_hits(ray, observer, |_| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }

    /// Every hit, nearest first; of equal `t`, smaller triangle numbers first.
    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.visit_hits(ray, observer, |hit| {
            hits.push(hit);
            ControlFlow::Continue(ray.t_max)
        });
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        hits
    }

    /// [`closest_hit_observed`](Self::closest_hit_observed), unobserved.
    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        self.closest_hit_observed(ray, &mut Unobserved)
    }

    /// [`any_hit_observed`](Self::any_hit_observed), unobserved.
    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.any_hit_observed(ray, &mut Unobserved)
    }

    /// [`all_hits_observed`](Self::all_hits_observed), unobserved.
    fn all_hits(&self, ray: &Ray<3>) -> Vec<Hit> {
        self.all_hits_observed(ray, &mut Unobserved)
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order, on rayon's current threads.
    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        rays.par_iter().with_min_len(BATCH).map(|ray| self.closest_hit(ray)).collect()
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order, on rayon's current threads.
    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        rays.par_iter().with_min_len(BATCH).map(|ray| self.any_hit(ray)).collect()
    }
}
