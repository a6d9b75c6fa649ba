//! Which structure, chosen by name at run time?

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use super::{Brute, RayIndex, RayObserver, StudyBrute, StudyOctree};

/// The structures by name. [`ALL`](Self::ALL) is the list that every shell shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayTechnique {
    /// [`StudyBrute`].
    StudyBrute,
    /// [`StudyOctree`].
    StudyOctree,
    /// [`Brute`].
    Brute,
}

impl RayTechnique {
    /// Every structure: the study's two, then ours.
    pub const ALL: [Self; 3] = [Self::StudyBrute, Self::StudyOctree, Self::Brute];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudyBrute => "study-brute",
            Self::StudyOctree => "study-octree",
            Self::Brute => "brute",
        }
    }

    /// The structure of this name; `auto` is the one that suits the mesh.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        // Until there is a better structure of ours, brute force suits every mesh best.
        let name = if name == "auto" { "brute" } else { name };
        Self::ALL.into_iter().find(|technique| technique.name() == name)
    }

    /// The brute force whose answers this structure must repeat.
    #[must_use]
    pub fn judge(self) -> Self {
        match self {
            Self::StudyBrute | Self::StudyOctree => Self::StudyBrute,
            Self::Brute => Self::Brute,
        }
    }

    /// Builds the structure over a mesh.
    #[must_use]
    pub fn build(self, mesh: &TriangleMesh) -> AnyRayIndex {
        match self {
            Self::StudyBrute => AnyRayIndex::StudyBrute(StudyBrute::new(mesh)),
            Self::StudyOctree => AnyRayIndex::StudyOctree(StudyOctree::new(mesh)),
            Self::Brute => AnyRayIndex::Brute(Brute::new(mesh)),
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
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::StudyBrute(index) => index.bytes(),
            Self::StudyOctree(index) => index.bytes(),
            Self::Brute(index) => index.bytes(),
        }
    }
}
