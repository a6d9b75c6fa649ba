//! Run-time choice of the ray structure: [`RayIndexKind`] names it, [`AnyRayIndex`] holds it.

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::advisor::recommend_ray_index;

use crate::raycast::{BruteForce, Bvh, Octree, RayIndex, TraversalObserver};

/// Kind of ray structure. [`ALL`](Self::ALL) is the list that user interfaces show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias("RayTechnique", "Structure"))]
pub enum RayIndexKind {
    /// [`BruteForce`].
    BruteForce,
    /// [`Octree`].
    Octree,
    /// [`Bvh`].
    Bvh,
    /// The structure recommended for the mesh by [`recommend_ray_index`].
    Auto,
}

impl RayIndexKind {
    /// Every structure, then the choice among them.
    pub const ALL: [Self; 4] = [Self::BruteForce, Self::Octree, Self::Bvh, Self::Auto];

    /// [`ALL`](Self::ALL) without [`Auto`](Self::Auto).
    pub const STRUCTURES: [Self; 3] = [Self::BruteForce, Self::Octree, Self::Bvh];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute",
            Self::Octree => "octree",
            Self::Bvh => "bvh",
            Self::Auto => "auto",
        }
    }

    /// The kind with this [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Builds the structure over `mesh`.
    #[must_use]
    pub fn build(self, mesh: &TriangleMesh) -> AnyRayIndex {
        match self {
            Self::BruteForce => AnyRayIndex::BruteForce(BruteForce::new(mesh)),
            Self::Octree => AnyRayIndex::Octree(Octree::build(mesh)),
            Self::Bvh => AnyRayIndex::Bvh(Bvh::build(mesh)),
            Self::Auto => recommend_ray_index(mesh).kind.build(mesh),
        }
    }
}

/// A ray structure of any kind.
#[derive(Clone, Debug)]
pub enum AnyRayIndex {
    /// All triangles, eight per SIMD test.
    BruteForce(BruteForce),
    /// Octree of adaptive depth.
    Octree(Octree),
    /// Eight-wide bounding volume hierarchy.
    Bvh(Bvh),
}

impl AnyRayIndex {
    /// The kind of the structure it holds.
    #[must_use]
    #[doc(alias = "technique")]
    pub fn kind(&self) -> RayIndexKind {
        match self {
            Self::BruteForce(_) => RayIndexKind::BruteForce,
            Self::Octree(_) => RayIndexKind::Octree,
            Self::Bvh(_) => RayIndexKind::Bvh,
        }
    }
}

impl From<BruteForce> for AnyRayIndex {
    fn from(brute_force: BruteForce) -> Self {
        Self::BruteForce(brute_force)
    }
}

impl From<Octree> for AnyRayIndex {
    fn from(octree: Octree) -> Self {
        Self::Octree(octree)
    }
}

impl From<Bvh> for AnyRayIndex {
    fn from(bvh: Bvh) -> Self {
        Self::Bvh(bvh)
    }
}

/// Forwards every method that a structure overrides.
impl RayIndex for AnyRayIndex {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        match self {
            Self::BruteForce(index) => index.visit_hits(ray, observer, on_hit),
            Self::Octree(index) => index.visit_hits(ray, observer, on_hit),
            Self::Bvh(index) => index.visit_hits(ray, observer, on_hit),
        }
    }

    fn memory_usage(&self) -> usize {
        match self {
            Self::BruteForce(index) => index.memory_usage(),
            Self::Octree(index) => index.memory_usage(),
            Self::Bvh(index) => index.memory_usage(),
        }
    }

    fn any_hit_observed<O: TraversalObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        match self {
            Self::BruteForce(index) => index.any_hit_observed(ray, observer),
            Self::Octree(index) => index.any_hit_observed(ray, observer),
            Self::Bvh(index) => index.any_hit_observed(ray, observer),
        }
    }

    fn all_hits_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Vec<TriangleHit> {
        match self {
            Self::BruteForce(index) => index.all_hits_observed(ray, observer),
            Self::Octree(index) => index.all_hits_observed(ray, observer),
            Self::Bvh(index) => index.all_hits_observed(ray, observer),
        }
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        match self {
            Self::Octree(index) => index.closest_hit(ray),
            Self::Bvh(index) => index.closest_hit(ray),
            Self::BruteForce(index) => index.closest_hit(ray),
        }
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        match self {
            Self::BruteForce(index) => index.closest_hits(rays),
            Self::Octree(index) => index.closest_hits(rays),
            Self::Bvh(index) => index.closest_hits(rays),
        }
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        match self {
            Self::BruteForce(index) => index.any_hits(rays),
            Self::Octree(index) => index.any_hits(rays),
            Self::Bvh(index) => index.any_hits(rays),
        }
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        match self {
            Self::Octree(index) => index.any_hit(ray),
            Self::Bvh(index) => index.any_hit(ray),
            Self::BruteForce(index) => index.any_hit(ray),
        }
    }
}
