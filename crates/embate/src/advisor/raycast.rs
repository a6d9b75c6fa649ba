//! Which structure suits rays on this mesh?

use core::fmt;

use embate_geom::Aabb;
use embate_mesh::TriangleMesh;

use crate::rays::RayTechnique;

/// Triangles looked at for the features.
const SAMPLE: usize = 1 << 16;

/// So many triangles are tested at once, before a tree is walked to its first leaf. (Sixteen that lie apart take a sixth longer than a walk.)
const FEW: usize = 8;

/// And up to so many where their boxes lie over each other, [`THICK`] over a point or more, and a tree would look into most
/// of them: measured on random triangles, `brute` is 0.9 to 1.1 times as fast as the octree at 100 and 0.6 times at 200.
const FEW_OVER_EACH_OTHER: usize = 128;
const THICK: f32 = 1.0;

/// Where so many boxes of triangles lie over a point in the mean, no tree of whole triangles can tell them apart. From here
/// on the octree cuts them: measured on random triangles, it is equally fast at 3.4 and 1.5 times as fast at 5.4.
const CROWDED: f32 = 4.0;

/// What decides which structure suits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshFeatures {
    /// How many triangles there are.
    pub triangles: usize,
    /// How many boxes of triangles lie over a point of the box of all, in the mean: their volumes, over its. Far below 1 on
    /// surfaces, up to a tenth of the triangles in a soup of large ones.
    pub crowding: f32,
}

impl MeshFeatures {
    /// Looks at the box of all triangles, and at those of some.
    #[must_use]
    pub fn of(mesh: &TriangleMesh) -> Self {
        let triangles = mesh.triangles().len();
        let step = triangles.div_ceil(SAMPLE).max(1);
        let sampled = (0..triangles).step_by(step);
        let looked_at = sampled.len();
        let volumes: f64 =
            sampled.map(|number| volume(&mesh.triangle(number as u32).bounds())).sum();
        let whole = mesh.bounds().map_or(0.0, |bounds| volume(&bounds));
        let all = volumes * (triangles as f64 / looked_at.max(1) as f64);
        let crowding = if whole > 0.0 { (all / whole) as f32 } else { 0.0 };
        Self { triangles, crowding }
    }
}

fn volume(bounds: &Aabb<3>) -> f64 {
    let side = |axis: usize| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
    side(0) * side(1) * side(2)
}

/// A choice and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayAdvice {
    /// What decided.
    pub features: MeshFeatures,
    /// One of ours, and never [`RayTechnique::Auto`].
    pub technique: RayTechnique,
}

/// Which structure answers rays on this mesh the fastest?
///
/// ```
/// use embate::{TriangleMesh, advise::advise_rays, rays::RayTechnique};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let advice = advise_rays(&TriangleMesh::new(corners, vec![[0, 1, 2]])?);
/// assert_eq!(advice.technique, RayTechnique::Brute);
/// println!("{advice}");
/// # Ok::<(), embate::InvalidMesh>(())
/// ```
#[must_use]
pub fn advise_rays(mesh: &TriangleMesh) -> RayAdvice {
    let features = MeshFeatures::of(mesh);
    RayAdvice { technique: choose(&features), features }
}

fn choose(features: &MeshFeatures) -> RayTechnique {
    let &MeshFeatures { triangles, crowding } = features;
    if triangles <= FEW || (triangles <= FEW_OVER_EACH_OTHER && crowding >= THICK) {
        RayTechnique::Brute
    } else if crowding >= CROWDED {
        RayTechnique::Octree
    } else {
        RayTechnique::Bvh
    }
}

impl RayAdvice {
    /// Why this structure.
    #[must_use]
    pub fn reason(&self) -> String {
        let MeshFeatures { triangles, crowding } = self.features;
        match self.technique {
            RayTechnique::Brute if triangles == 1 => {
                "a triangle that is alone is tested sooner than a tree is walked".to_owned()
            }
            RayTechnique::Brute => {
                format!(
                    "{triangles} triangles are tested, eight at a time, sooner than a tree is walked"
                )
            }
            RayTechnique::Octree => format!(
                "{crowding:.1} boxes of triangles lie over a point in the mean, and a tree of whole triangles would look into \
                 all of them; the octree cuts them where they lie across each other"
            ),
            _ => format!(
                "its triangles lie beside each other ({crowding:.2} of their boxes over a point in the mean), and a tree of \
                 boxes finds the few that a ray comes near"
            ),
        }
    }
}

impl fmt::Display for RayAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.technique.name(), self.reason())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_triangles_are_tested_one_and_all_and_more_where_they_lie_over_each_other() {
        let choice = |triangles, crowding| choose(&MeshFeatures { triangles, crowding });
        for crowding in [0.0, 0.9, 20.0] {
            assert_eq!(choice(FEW, crowding), RayTechnique::Brute);
        }
        assert_eq!(choice(FEW + 1, 0.9), RayTechnique::Bvh);
        assert_eq!(choice(FEW_OVER_EACH_OTHER, THICK), RayTechnique::Brute);
        assert_eq!(choice(FEW_OVER_EACH_OTHER + 1, THICK), RayTechnique::Bvh);
        assert_eq!(choice(FEW_OVER_EACH_OTHER + 1, CROWDED), RayTechnique::Octree);
    }
}
