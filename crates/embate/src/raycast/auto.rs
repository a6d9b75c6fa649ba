//! Which structure, chosen by name at run time?

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use crate::advise::advise_rays;

use super::{Brute, Bvh, Octree, RayIndex, RayObserver, StudyBrute, StudyOctree, Unobserved};

/// The structures by name. [`ALL`](Self::ALL) is the list that every shell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayTechnique {
    /// [`StudyBrute`].
    StudyBrute,
    /// [`StudyOctree`].
    StudyOctree,
    /// [`Brute`].
    Brute,
    /// [`Octree`].
    Octree,
    /// [`Bvh`].
    Bvh,
    /// The one of ours that suits the mesh: [`advise_rays`].
    Auto,
}

impl RayTechnique {
    /// Every structure: the study's two, then ours, then the choice among ours.
    pub const ALL: [Self; 6] =
        [Self::StudyBrute, Self::StudyOctree, Self::Brute, Self::Octree, Self::Bvh, Self::Auto];

    /// Those of [`ALL`](Self::ALL) that are a structure of their own.
    pub const STRUCTURES: [Self; 5] =
        [Self::StudyBrute, Self::StudyOctree, Self::Brute, Self::Octree, Self::Bvh];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudyBrute => "study-brute",
            Self::StudyOctree => "study-octree",
            Self::Brute => "brute",
            Self::Octree => "octree",
            Self::Bvh => "bvh",
            Self::Auto => "auto",
        }
    }

    /// The structure of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|technique| technique.name() == name)
    }

    /// The brute force whose answers this structure must repeat.
    #[must_use]
    pub fn judge(self) -> Self {
        match self {
            Self::StudyBrute | Self::StudyOctree => Self::StudyBrute,
            Self::Brute | Self::Octree | Self::Bvh | Self::Auto => Self::Brute,
        }
    }

    /// Builds the structure over a mesh.
    #[must_use]
    pub fn build(self, mesh: &TriangleMesh) -> AnyRayIndex {
        match self {
            Self::StudyBrute => AnyRayIndex::StudyBrute(StudyBrute::new(mesh)),
            Self::StudyOctree => AnyRayIndex::StudyOctree(StudyOctree::new(mesh)),
            Self::Brute => AnyRayIndex::Brute(Brute::new(mesh)),
            Self::Octree => AnyRayIndex::Octree(Octree::new(mesh)),
            Self::Bvh => AnyRayIndex::Bvh(Bvh::new(mesh)),
            Self::Auto => advise_rays(mesh).technique.build(mesh),
        }
    }
}

/// Any one of the structures.
#[derive(Clone, Debug)]
pub enum AnyRayIndex {
    /// Study A's basic detection.
    StudyBrute(StudyBrute),
    /// Study A's octree.
    StudyOctree(StudyOctree),
    /// Ours, triangle by triangle.
    Brute(Brute),
    /// Ours, by cells that are halved where triangles are.
    Octree(Octree),
    /// Ours, by a tree of boxes.
    Bvh(Bvh),
}

impl AnyRayIndex {
    /// Which it is.
    #[must_use]
    pub fn technique(&self) -> RayTechnique {
        match self {
            Self::StudyBrute(_) => RayTechnique::StudyBrute,
            Self::StudyOctree(_) => RayTechnique::StudyOctree,
            Self::Brute(_) => RayTechnique::Brute,
            Self::Octree(_) => RayTechnique::Octree,
            Self::Bvh(_) => RayTechnique::Bvh,
        }
    }
}

impl RayIndex for AnyRayIndex {
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        match self {
            Self::StudyBrute(index) => index.visit_hits(ray, observer, found),
            Self::StudyOctree(index) => index.visit_hits(ray, observer, found),
            Self::Brute(index) => index.visit_hits(ray, observer, found),
            Self::Octree(index) => index.visit_hits(ray, observer, found),
            Self::Bvh(index) => index.visit_hits(ray, observer, found),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::StudyBrute(index) => index.bytes(),
            Self::StudyOctree(index) => index.bytes(),
            Self::Brute(index) => index.bytes(),
            Self::Octree(index) => index.bytes(),
            Self::Bvh(index) => index.bytes(),
        }
    }

    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        match self {
            Self::StudyBrute(index) => index.all_hits_observed(ray, observer),
            Self::StudyOctree(index) => index.all_hits_observed(ray, observer),
            Self::Brute(index) => index.all_hits_observed(ray, observer),
            Self::Octree(index) => index.all_hits_observed(ray, observer),
            Self::Bvh(index) => index.all_hits_observed(ray, observer),
        }
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        match self {
            Self::Octree(index) => index.closest_hit(ray),
            Self::Bvh(index) => index.closest_hit(ray),
            others => others.closest_hit_observed(ray, &mut Unobserved),
        }
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        match self {
            Self::StudyBrute(index) => index.closest_hits(rays),
            Self::StudyOctree(index) => index.closest_hits(rays),
            Self::Brute(index) => index.closest_hits(rays),
            Self::Octree(index) => index.closest_hits(rays),
            Self::Bvh(index) => index.closest_hits(rays),
        }
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        match self {
            Self::StudyBrute(index) => index.any_hits(rays),
            Self::StudyOctree(index) => index.any_hits(rays),
            Self::Brute(index) => index.any_hits(rays),
            Self::Octree(index) => index.any_hits(rays),
            Self::Bvh(index) => index.any_hits(rays),
        }
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        match self {
            Self::Octree(index) => index.any_hit(ray),
            Self::Bvh(index) => index.any_hit(ray),
            others => others.any_hit_observed(ray, &mut Unobserved),
        }
    }
}
