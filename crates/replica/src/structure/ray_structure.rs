//! Ray-casting structures: the engine's, those of Lorenzi 2014, and brute force with a chosen
//! triangle test.

use core::ops::ControlFlow;

use embate::raycast::{AnyRayIndex, NodeBounds, RayIndex, RayIndexKind, TraversalObserver};
use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::lorenzi2014;
use crate::triangle_tests::{TestedBruteForce, TriangleTestKind};

/// A ray-casting structure by name.
///
/// ```
/// use embate_replica::structure::RayStructure;
///
/// let names = RayStructure::ALL.map(RayStructure::name);
/// let replicas = ["study-brute", "study-octree", "study-brute-literal", "study-octree-literal"];
/// assert_eq!(names[..4], replicas);
/// assert_eq!(names[4..7], ["brute", "octree", "bvh"]);
/// assert_eq!(names.last(), Some(&"auto"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayStructure {
    /// [`lorenzi2014::BruteForce`].
    LorenziBruteForce,
    /// [`lorenzi2014::Octree`].
    LorenziOctree,
    /// [`lorenzi2014::LiteralBruteForce`].
    LiteralBruteForce,
    /// [`lorenzi2014::LiteralOctree`].
    LiteralOctree,
    /// A structure of the engine.
    Engine(RayIndexKind),
    /// [`TestedBruteForce`].
    TestedBruteForce(TriangleTestKind),
}

impl RayStructure {
    /// The engine's brute force, ground truth of the engine's structures.
    pub const BRUTE_FORCE: Self = Self::Engine(RayIndexKind::BruteForce);
    /// The engine's octree.
    pub const OCTREE: Self = Self::Engine(RayIndexKind::Octree);
    /// The engine's BVH.
    pub const BVH: Self = Self::Engine(RayIndexKind::Bvh);
    /// The engine's choice by the mesh.
    pub const AUTO: Self = Self::Engine(RayIndexKind::Auto);

    /// The structures of Lorenzi 2014.
    const REPLICAS: [Self; 4] = [
        Self::LorenziBruteForce,
        Self::LorenziOctree,
        Self::LiteralBruteForce,
        Self::LiteralOctree,
    ];

    /// Every structure: the replicas, then the engine's, then the choice among these.
    pub const ALL: [Self; Self::REPLICAS.len() + RayIndexKind::ALL.len()] =
        followed_by_engine(&Self::REPLICAS, &RayIndexKind::ALL);

    /// One of each algorithm: [`ALL`](Self::ALL) without `auto`, which is one of the others, and
    /// without the literal replicas, which return the hits of the counted ones.
    pub const STRUCTURES: [Self; 2 + RayIndexKind::STRUCTURES.len()] = followed_by_engine(
        &[Self::LorenziBruteForce, Self::LorenziOctree],
        &RayIndexKind::STRUCTURES,
    );

    /// Brute force with each triangle test that can be chosen; not in [`ALL`](Self::ALL), because
    /// studies compare structures with the same hits.
    pub const TRIANGLE_TESTS: [Self; 4] = {
        let [a, b, c, d] = TriangleTestKind::SELECTABLE;
        [
            Self::TestedBruteForce(a),
            Self::TestedBruteForce(b),
            Self::TestedBruteForce(c),
            Self::TestedBruteForce(d),
        ]
    };

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LorenziBruteForce => "study-brute",
            Self::LorenziOctree => "study-octree",
            Self::LiteralBruteForce => "study-brute-literal",
            Self::LiteralOctree => "study-octree-literal",
            Self::Engine(kind) => kind.name(),
            Self::TestedBruteForce(kind) => match kind {
                TriangleTestKind::StudyMollerTrumbore => "brute-study-moller-trumbore",
                TriangleTestKind::MollerTrumbore => "brute-moller-trumbore",
                TriangleTestKind::SeguraFeito => "brute-segura-feito",
                TriangleTestKind::Plucker => "brute-plucker",
                TriangleTestKind::Woop => "brute-woop",
                TriangleTestKind::Exact => "brute-exact",
            },
        }
    }

    /// The structure of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|structure| structure.name() == name)
    }

    /// The structure of this name, in [`ALL`](Self::ALL) or in
    /// [`TRIANGLE_TESTS`](Self::TRIANGLE_TESTS).
    #[must_use]
    pub fn from_name_or_test(name: &str) -> Option<Self> {
        let test = Self::TRIANGLE_TESTS.into_iter().find(|structure| structure.name() == name);
        Self::from_name(name).or(test)
    }

    /// The brute force whose hits this structure must return.
    #[must_use]
    pub fn reference(self) -> Self {
        match self {
            Self::LorenziBruteForce | Self::LorenziOctree => Self::LorenziBruteForce,
            Self::LiteralBruteForce | Self::LiteralOctree => Self::LiteralBruteForce,
            Self::Engine(_) | Self::TestedBruteForce(TriangleTestKind::Woop) => Self::BRUTE_FORCE,
            Self::TestedBruteForce(_) => self,
        }
    }

    /// Whether this is a structure of Lorenzi 2014, whose hits differ from the engine's.
    #[must_use]
    pub fn is_replica(self) -> bool {
        matches!(self.reference(), Self::LorenziBruteForce | Self::LiteralBruteForce)
    }

    /// Whether this is one of the [structures](RayIndexKind::AUTO_CANDIDATES) that `auto` chooses
    /// among. Only these are recommended.
    #[must_use]
    pub fn is_auto_candidate(self) -> bool {
        matches!(self, Self::Engine(kind) if RayIndexKind::AUTO_CANDIDATES.contains(&kind))
    }

    /// Whether this is a structure of the engine for comparison with the literature, or for little
    /// memory: one that `auto` does not choose.
    #[must_use]
    pub fn is_for_comparison(self) -> bool {
        let is_engine = matches!(self, Self::Engine(kind) if kind != RayIndexKind::Auto);
        is_engine && !self.is_auto_candidate()
    }

    /// Builds the structure over a mesh.
    #[must_use]
    pub fn build(self, mesh: &TriangleMesh) -> AnyRayStructure {
        match self {
            Self::LorenziBruteForce => {
                AnyRayStructure::LorenziBruteForce(lorenzi2014::BruteForce::new(mesh))
            }
            Self::LorenziOctree => AnyRayStructure::LorenziOctree(lorenzi2014::Octree::new(mesh)),
            Self::LiteralBruteForce => {
                AnyRayStructure::LiteralBruteForce(lorenzi2014::LiteralBruteForce::new(mesh))
            }
            Self::LiteralOctree => {
                AnyRayStructure::LiteralOctree(lorenzi2014::LiteralOctree::new(mesh))
            }
            Self::Engine(kind) => AnyRayStructure::Engine(kind.build(mesh)),
            Self::TestedBruteForce(kind) => {
                AnyRayStructure::TestedBruteForce(TestedBruteForce::new(mesh, kind))
            }
        }
    }
}

/// The replicas, followed by structures of the engine.
const fn followed_by_engine<const N: usize>(
    replicas: &[RayStructure],
    kinds: &[RayIndexKind],
) -> [RayStructure; N] {
    let mut all = [RayStructure::AUTO; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < replicas.len() {
            replicas[index]
        } else {
            RayStructure::Engine(kinds[index - replicas.len()])
        };
        index += 1;
    }
    all
}

impl From<RayIndexKind> for RayStructure {
    fn from(kind: RayIndexKind) -> Self {
        Self::Engine(kind)
    }
}

/// A built [`RayStructure`].
#[derive(Clone, Debug)]
pub enum AnyRayStructure {
    /// Brute force of Lorenzi 2014.
    LorenziBruteForce(lorenzi2014::BruteForce),
    /// Octree of Lorenzi 2014.
    LorenziOctree(lorenzi2014::Octree),
    /// Brute force of Lorenzi 2014, at the cost of its program.
    LiteralBruteForce(lorenzi2014::LiteralBruteForce),
    /// Octree of Lorenzi 2014, at the cost of its program.
    LiteralOctree(lorenzi2014::LiteralOctree),
    /// A structure of the engine.
    Engine(AnyRayIndex),
    /// Brute force with a chosen triangle test.
    TestedBruteForce(TestedBruteForce),
}

/// Evaluates an expression with the structure that an [`AnyRayStructure`] holds.
macro_rules! with_structure {
    ($any:expr, $index:ident => $result:expr) => {
        match $any {
            AnyRayStructure::LorenziBruteForce($index) => $result,
            AnyRayStructure::LorenziOctree($index) => $result,
            AnyRayStructure::LiteralBruteForce($index) => $result,
            AnyRayStructure::LiteralOctree($index) => $result,
            AnyRayStructure::Engine($index) => $result,
            AnyRayStructure::TestedBruteForce($index) => $result,
        }
    };
}

impl AnyRayStructure {
    /// Which structure this is; never `auto`.
    #[must_use]
    pub fn structure(&self) -> RayStructure {
        match self {
            Self::LorenziBruteForce(_) => RayStructure::LorenziBruteForce,
            Self::LorenziOctree(_) => RayStructure::LorenziOctree,
            Self::LiteralBruteForce(_) => RayStructure::LiteralBruteForce,
            Self::LiteralOctree(_) => RayStructure::LiteralOctree,
            Self::Engine(index) => RayStructure::Engine(index.kind()),
            Self::TestedBruteForce(index) => RayStructure::TestedBruteForce(index.kind()),
        }
    }

    /// Visits the node bounds down to `depth` (root: 0), parents before children; the subtree of a
    /// node is skipped if `visit` returns `false`. Brute force has no nodes.
    pub fn visit_nodes(&self, depth: u32, visit: impl FnMut(NodeBounds) -> bool) {
        match self {
            Self::LorenziBruteForce(_) | Self::LiteralBruteForce(_) | Self::TestedBruteForce(_) => {
            }
            Self::LiteralOctree(index) => index.visit_nodes(depth, visit),
            Self::LorenziOctree(index) => index.visit_nodes(depth, visit),
            Self::Engine(index) => index.visit_nodes(depth, visit),
        }
    }
}

/// Forwards every method, so that the overrides of the inner structure are used.
impl RayIndex for AnyRayStructure {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        with_structure!(self, index => index.visit_hits(ray, observer, found));
    }

    fn memory_usage(&self) -> usize {
        with_structure!(self, index => index.memory_usage())
    }

    fn closest_hit_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Option<TriangleHit> {
        with_structure!(self, index => index.closest_hit_observed(ray, observer))
    }

    fn any_hit_observed<O: TraversalObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        with_structure!(self, index => index.any_hit_observed(ray, observer))
    }

    fn all_hits_observed<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
    ) -> Vec<TriangleHit> {
        with_structure!(self, index => index.all_hits_observed(ray, observer))
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        with_structure!(self, index => index.closest_hit(ray))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        with_structure!(self, index => index.any_hit(ray))
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        with_structure!(self, index => index.closest_hits(rays))
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        with_structure!(self, index => index.any_hits(rays))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_structure_returns_its_kind_and_auto_is_resolved() {
        let mesh = TriangleMesh::default();
        for structure in RayStructure::ALL {
            if structure != RayStructure::AUTO {
                assert_eq!(structure.build(&mesh).structure(), structure);
            }
            assert_eq!(RayStructure::from_name(structure.name()), Some(structure));
        }
        assert!(RayStructure::STRUCTURES.contains(&RayStructure::AUTO.build(&mesh).structure()));
        assert_eq!(RayStructure::from_name("kd"), None);
        let comparison: Vec<_> =
            RayStructure::ALL.into_iter().filter(|each| each.is_for_comparison()).collect();
        assert!(comparison.contains(&RayIndexKind::KdTree.into()));
        let engine = RayStructure::ALL.into_iter().filter(|each| each.is_auto_candidate()).count();
        assert_eq!(engine + comparison.len(), RayIndexKind::STRUCTURES.len());
        for structure in RayStructure::TRIANGLE_TESTS {
            assert_eq!(structure.build(&mesh).structure(), structure);
            assert_eq!(RayStructure::from_name_or_test(structure.name()), Some(structure));
            assert_eq!(RayStructure::from_name(structure.name()), None);
        }
    }
}
