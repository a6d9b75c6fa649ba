//! Run-time choice of the ray structure: [`RayIndexKind`] names it, [`AnyRayIndex`] holds it.

use core::ops::ControlFlow;

use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use crate::advisor::recommend_ray_index;

use crate::raycast::{
    BruteForce, BspTree, Bvh, CompactOctree, KdTree, NodeBounds, Octree, RayIndex,
    TraversalObserver, UniformGrid,
};

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
    /// [`KdTree`], for comparison.
    KdTree,
    /// [`BspTree`], for comparison.
    Bsp,
    /// [`UniformGrid`], for comparison.
    Grid,
    /// [`CompactOctree`], for little memory.
    CompactOctree,
    /// The structure recommended for the mesh by [`recommend_ray_index`].
    Auto,
}

impl RayIndexKind {
    /// The structures that [`Auto`](Self::Auto) chooses among.
    pub const AUTO_CANDIDATES: [Self; 3] = [Self::BruteForce, Self::Octree, Self::Bvh];

    /// Every structure: the candidates of [`Auto`](Self::Auto), then those for comparison with the
    /// literature or for little memory.
    pub const STRUCTURES: [Self; 7] = [
        Self::BruteForce,
        Self::Octree,
        Self::Bvh,
        Self::KdTree,
        Self::Bsp,
        Self::Grid,
        Self::CompactOctree,
    ];

    /// Every structure, then the choice among them.
    pub const ALL: [Self; Self::STRUCTURES.len() + 1] = {
        let mut all = [Self::Auto; Self::STRUCTURES.len() + 1];
        let (structures, _) = all.split_at_mut(Self::STRUCTURES.len());
        structures.copy_from_slice(&Self::STRUCTURES);
        all
    };

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BruteForce => "brute",
            Self::Octree => "octree",
            Self::Bvh => "bvh",
            Self::KdTree => "kd-tree",
            Self::Bsp => "bsp",
            Self::Grid => "grid",
            Self::CompactOctree => "compact-octree",
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
            Self::BruteForce => BruteForce::new(mesh).into(),
            Self::Octree => Octree::build(mesh).into(),
            Self::Bvh => Bvh::build(mesh).into(),
            Self::KdTree => KdTree::build(mesh).into(),
            Self::Bsp => BspTree::build(mesh).into(),
            Self::Grid => UniformGrid::new(mesh).into(),
            Self::CompactOctree => CompactOctree::new(mesh).into(),
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
    /// k-d tree by the surface area heuristic.
    KdTree(KdTree),
    /// BSP tree.
    Bsp(BspTree),
    /// Uniform grid.
    Grid(UniformGrid),
    /// Octree with quantized boxes.
    CompactOctree(CompactOctree),
}

/// Evaluates an expression with the structure that an [`AnyRayIndex`] holds.
macro_rules! with_structure {
    ($any:expr, $index:ident => $result:expr) => {
        match $any {
            AnyRayIndex::BruteForce($index) => $result,
            AnyRayIndex::Octree($index) => $result,
            AnyRayIndex::Bvh($index) => $result,
            AnyRayIndex::KdTree($index) => $result,
            AnyRayIndex::Bsp($index) => $result,
            AnyRayIndex::Grid($index) => $result,
            AnyRayIndex::CompactOctree($index) => $result,
        }
    };
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
            Self::KdTree(_) => RayIndexKind::KdTree,
            Self::Bsp(_) => RayIndexKind::Bsp,
            Self::Grid(_) => RayIndexKind::Grid,
            Self::CompactOctree(_) => RayIndexKind::CompactOctree,
        }
    }

    /// Calls `visit` for the nodes down to `depth`, parents before children. The subtree of a node
    /// for which `visit` returns false is skipped. A structure without a tree has no nodes.
    ///
    /// ```
    /// use embate::{TriangleMesh, raycast::RayIndexKind};
    ///
    /// let vertices = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
    /// let mesh = TriangleMesh::new(vertices, vec![[0, 1, 2]])?;
    /// let mut nodes = Vec::new();
    /// RayIndexKind::Bvh.build(&mesh).visit_nodes(u32::MAX, |node| {
    ///     nodes.push(node);
    ///     true
    /// });
    /// assert_eq!(nodes.len(), 1);
    /// assert_eq!(nodes[0].triangles, Some(1));
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias = "visit_boxes")]
    pub fn visit_nodes(&self, depth: u32, visit: impl FnMut(NodeBounds) -> bool) {
        with_structure!(self, index => index.visit_nodes(depth, visit));
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

impl From<KdTree> for AnyRayIndex {
    fn from(kd_tree: KdTree) -> Self {
        Self::KdTree(kd_tree)
    }
}

impl From<BspTree> for AnyRayIndex {
    fn from(bsp_tree: BspTree) -> Self {
        Self::Bsp(bsp_tree)
    }
}

impl From<UniformGrid> for AnyRayIndex {
    fn from(grid: UniformGrid) -> Self {
        Self::Grid(grid)
    }
}

impl From<CompactOctree> for AnyRayIndex {
    fn from(octree: CompactOctree) -> Self {
        Self::CompactOctree(octree)
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
        with_structure!(self, index => index.visit_hits(ray, observer, on_hit));
    }

    fn memory_usage(&self) -> usize {
        with_structure!(self, index => index.memory_usage())
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

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        with_structure!(self, index => index.closest_hits(rays))
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        with_structure!(self, index => index.any_hits(rays))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        with_structure!(self, index => index.any_hit(ray))
    }
}
