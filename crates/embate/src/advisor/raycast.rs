//! Recommendation of a ray index.

use core::fmt;

use embate_geom::Aabb;
use embate_mesh::TriangleMesh;

use crate::raycast::RayIndexKind;

/// Number of triangles sampled for the features.
const TRIANGLE_SAMPLES: usize = 1 << 16;

/// Up to this many triangles, one SIMD test of all costs less than the descent to the first leaf of
/// a BVH. (Sixteen separate triangles take a sixth longer than a traversal.)
const BRUTE_FORCE_MAX_TRIANGLES: usize = 8;

/// The limit if the triangles' AABBs overlap by [`BRUTE_FORCE_MIN_OVERLAP`] or more, where a BVH
/// would visit most of them. Measured on random triangles: brute force is 0.9 to 1.1 times as fast
/// as the octree at 100, and 0.6 times at 200.
const BRUTE_FORCE_MAX_OVERLAPPING: usize = 128;
const BRUTE_FORCE_MIN_OVERLAP: f32 = 1.0;

/// From this mean overlap on, no hierarchy of whole triangles separates them, and the octree, which
/// clips them, is recommended. Measured on random triangles: equally fast at 3.4, 1.5 times as fast
/// at 5.4.
const OCTREE_MIN_OVERLAP: f32 = 4.0;

/// Features of a mesh that determine the recommendation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshFeatures {
    /// Number of triangles.
    pub triangles: usize,
    /// Mean number of triangle AABBs that contain a point of the mesh's AABB: the sum of their
    /// volumes divided by its volume. Far below 1 on surfaces, up to a tenth of the number of
    /// triangles in a soup of large ones.
    #[doc(alias = "crowding")]
    pub mean_aabb_overlap: f32,
}

impl MeshFeatures {
    /// Computes the features from the mesh's AABB and the AABBs of a sample of its triangles.
    #[must_use]
    pub fn of(mesh: &TriangleMesh) -> Self {
        let triangles = mesh.triangles().len();
        let step = triangles.div_ceil(TRIANGLE_SAMPLES).max(1);
        let sampled = (0..triangles).step_by(step);
        let sample_count = sampled.len();
        let volumes: f64 = sampled.map(|number| volume(&mesh.triangle(number as u32).aabb())).sum();
        let whole = mesh.bounds().map_or(0.0, |bounds| volume(&bounds));
        let all = volumes * (triangles as f64 / sample_count.max(1) as f64);
        let mean_aabb_overlap = if whole > 0.0 { (all / whole) as f32 } else { 0.0 };
        Self { triangles, mean_aabb_overlap }
    }
}

fn volume(bounds: &Aabb<3>) -> f64 {
    let extent = |axis: usize| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
    extent(0) * extent(1) * extent(2)
}

/// A recommended ray index with its reason.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "RayAdvice")]
pub struct RayIndexAdvice {
    /// The features that determined the choice.
    pub features: MeshFeatures,
    /// The structure; never [`RayIndexKind::Auto`].
    pub kind: RayIndexKind,
}

/// Recommends the fastest structure for ray casts against this mesh.
///
/// ```
/// use embate::{TriangleMesh, advisor::recommend_ray_index, raycast::RayIndexKind};
///
/// let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let advice = recommend_ray_index(&TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
/// assert_eq!(advice.kind, RayIndexKind::BruteForce);
/// println!("{advice}");
/// # Ok::<(), embate::MeshValidationError>(())
/// ```
#[must_use]
#[doc(alias = "advise_rays")]
pub fn recommend_ray_index(mesh: &TriangleMesh) -> RayIndexAdvice {
    let features = MeshFeatures::of(mesh);
    RayIndexAdvice { kind: choose(&features), features }
}

fn choose(features: &MeshFeatures) -> RayIndexKind {
    let &MeshFeatures { triangles, mean_aabb_overlap: overlap } = features;
    if triangles <= BRUTE_FORCE_MAX_TRIANGLES
        || (triangles <= BRUTE_FORCE_MAX_OVERLAPPING && overlap >= BRUTE_FORCE_MIN_OVERLAP)
    {
        RayIndexKind::BruteForce
    } else if overlap >= OCTREE_MIN_OVERLAP {
        RayIndexKind::Octree
    } else {
        RayIndexKind::Bvh
    }
}

impl RayIndexAdvice {
    /// Reason for the recommendation.
    #[must_use]
    pub fn reason(&self) -> String {
        let MeshFeatures { triangles, mean_aabb_overlap: overlap } = self.features;
        match self.kind {
            RayIndexKind::BruteForce if triangles == 1 => {
                "testing a single triangle is faster than traversing a tree".to_owned()
            }
            RayIndexKind::BruteForce => format!(
                "testing {triangles} triangles, eight at a time, is faster than traversing a tree"
            ),
            RayIndexKind::Octree => format!(
                "a point lies in {overlap:.1} triangle boxes on average, so a tree of whole \
                 triangles would visit most of them; the octree clips triangles to its cells"
            ),
            _ => format!(
                "the triangles hardly overlap (a point lies in {overlap:.2} of their boxes on \
                 average), so a bounding volume hierarchy finds the few near a ray"
            ),
        }
    }
}

impl fmt::Display for RayIndexAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_is_recommended_for_few_triangles_and_for_more_if_they_overlap() {
        let choice =
            |triangles, overlap| choose(&MeshFeatures { triangles, mean_aabb_overlap: overlap });
        for overlap in [0.0, 0.9, 20.0] {
            assert_eq!(choice(BRUTE_FORCE_MAX_TRIANGLES, overlap), RayIndexKind::BruteForce);
        }
        assert_eq!(choice(BRUTE_FORCE_MAX_TRIANGLES + 1, 0.9), RayIndexKind::Bvh);
        let (limit, dense) = (BRUTE_FORCE_MAX_OVERLAPPING, BRUTE_FORCE_MIN_OVERLAP);
        assert_eq!(choice(limit, dense), RayIndexKind::BruteForce);
        assert_eq!(choice(limit + 1, dense), RayIndexKind::Bvh);
        assert_eq!(choice(limit + 1, OCTREE_MIN_OVERLAP), RayIndexKind::Octree);
    }
}
