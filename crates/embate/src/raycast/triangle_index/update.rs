//! What if vertices move? The index follows, and is built anew when that pays.

use embate_mesh::InvalidMesh;

use super::TriangleIndex;
use crate::rays::{AnyRayIndex, Brute, RayTechnique};

/// About what a ray takes for each unit of a tree's cost, and a build for each triangle, in nanoseconds, on meshes from
/// 37,000 to 871,000 triangles. Only their ratio matters, and it decides when to build, never what is answered.
const RAY_NS: f64 = 16.0;
const BUILD_NS: f64 = 350.0;

/// How a tree has fared since it was built.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wear {
    /// What it cost a ray then, and what it costs now; `None` as long as nothing has moved.
    costs: Option<(f64, f64)>,
    /// What rays have taken since because the tree is not new, in nanoseconds.
    wasted: f64,
}

impl Wear {
    fn decay(&self) -> f64 {
        match self.costs {
            Some((built, now)) if built > 0.0 && now > built => now / built,
            _ => 1.0,
        }
    }
}

/// What was done about vertices that moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upkeep {
    /// The structure follows them.
    Refitted,
    /// It was built anew.
    Rebuilt,
}

impl TriangleIndex {
    /// Moves the vertices, one position for each, and fits the structure to them: a fraction of a build. What was answered of the
    /// old places is answered of the new ones, to the bit, as slowly as [`decay`](Self::decay) tells. (An
    /// octree is cut to its triangles and cannot follow them: it is built anew.)
    ///
    /// ```
    /// use embate::{Ray, TriangleMesh, rays::{TriangleIndex, Upkeep}};
    ///
    /// let wall = |z: f32| vec![[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let mut index = TriangleIndex::new(TriangleMesh::new(wall(1.0), vec![[0, 1, 2]])?);
    /// index.refit(&wall(4.0))?;
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// assert_eq!(index.closest_hit(&ray).unwrap().t, 4.0);
    ///
    /// // Or leave it to the index: so many rays will be asked before the vertices move again.
    /// let done = index.update(&wall(5.0), 10_000)?;
    /// assert_eq!(done, Upkeep::Refitted);
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidMesh`] if a position is not finite or out of range, or there are more or fewer than vertices; nothing has
    /// moved then.
    pub fn refit(&mut self, positions: &[[f32; 3]]) -> Result<(), InvalidMesh> {
        self.mesh.move_vertices(positions)?;
        match &mut self.structure {
            AnyRayIndex::Bvh(bvh) => {
                let built = self.wear.costs.map_or_else(|| bvh.cost(), |(built, _)| built);
                self.wear.costs = Some((built, bvh.refit(&self.mesh)));
            }
            AnyRayIndex::Octree(_) => self.rebuild(),
            others => *others = AnyRayIndex::Brute(Brute::new(&self.mesh)),
        }
        Ok(())
    }

    /// How much more a ray is expected to visit than in the tree as it was built, by the surface-area heuristic: 1 when it is new,
    /// 2 when rays take about twice as long.
    #[must_use]
    pub fn decay(&self) -> f64 {
        self.wear.decay()
    }

    /// Builds the same kind of structure anew, with its usual settings.
    pub fn rebuild(&mut self) {
        self.structure = self.structure.technique().build(&self.mesh);
        self.wear = Wear::default();
    }

    /// [`refit`](Self::refit), and [`rebuild`](Self::rebuild) when it pays: when the time that rays have lost to the decay since
    /// the last build, `rays` of them until the next update, adds up to that of a build. So never more than
    /// about twice the time is spent that somebody would who knew what was to come.
    ///
    /// # Errors
    /// As [`refit`](Self::refit).
    pub fn update(&mut self, positions: &[[f32; 3]], rays: u64) -> Result<Upkeep, InvalidMesh> {
        self.refit(positions)?;
        if self.structure() == RayTechnique::Octree {
            return Ok(Upkeep::Rebuilt);
        }
        let Some((built, now)) = self.wear.costs else { return Ok(Upkeep::Refitted) };
        let lost = if now > built { now - built } else { 0.0 };
        self.wear.wasted += rays as f64 * lost * RAY_NS;
        if self.wear.wasted < self.mesh.triangles().len() as f64 * BUILD_NS {
            return Ok(Upkeep::Refitted);
        }
        self.rebuild();
        Ok(Upkeep::Rebuilt)
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;
    use embate_mesh::TriangleMesh;

    use super::super::sphere_cast::tests::{bumps, places};
    use super::*;
    use crate::rays::{Brute, Bvh, Octree, Preset, RayIndex};

    fn rays() -> Vec<Ray<3>> {
        let pairs = places(600);
        let ray =
            |pair: &[[f32; 3]]| Ray { t_max: f32::INFINITY, ..Ray::between(pair[0], pair[1]) };
        pairs.chunks_exact(2).map(ray).collect()
    }

    /// Turned about the z axis, the more the farther from it, by `twist` at a distance of 20.
    fn twisted(mesh: &TriangleMesh, twist: f32) -> Vec<[f32; 3]> {
        let positions = mesh.positions().iter();
        let turned = |&[x, y, z]: &[f32; 3]| {
            let angle = twist * (x * x + y * y) / 400.0;
            let (sin, cos) = embate_geom::scalar::sin_cos(angle);
            [x * cos - y * sin, x * sin + y * cos, z + 0.1 * angle]
        };
        positions.map(turned).collect()
    }

    #[test]
    fn after_vertices_moved_every_structure_answers_as_brute_force_does() {
        let mesh = bumps();
        let made: [fn(TriangleMesh) -> TriangleIndex; 4] = [
            |mesh| TriangleIndex::by(Bvh::new, mesh),
            |mesh| TriangleIndex::by(|mesh| Bvh::with(mesh, Preset::Compact), mesh),
            |mesh| TriangleIndex::by(Octree::new, mesh),
            |mesh| TriangleIndex::by(Brute::new, mesh),
        ];
        for make in made {
            let mut index = make(mesh.clone());
            for twist in [0.3, 2.0, 9.0, 0.0] {
                index.refit(&twisted(&mesh, twist)).unwrap();
                let brute = Brute::new(index.mesh());
                let rays = rays();
                for ray in &rays {
                    assert_eq!(index.closest_hit(ray), brute.closest_hit(ray));
                    assert_eq!(index.all_hits(ray), brute.all_hits(ray));
                    assert_eq!(index.any_hit(ray), brute.any_hit(ray));
                }
                assert_eq!(index.closest_hits(&rays), brute.closest_hits(&rays));
            }
        }
    }

    #[test]
    fn a_twisted_tree_decays_and_one_that_comes_back_does_not() {
        let mesh = bumps();
        let mut index = TriangleIndex::by(Bvh::new, mesh.clone());
        assert_eq!(index.decay(), 1.0);
        index.refit(mesh.positions()).unwrap();
        assert!((index.decay() - 1.0).abs() < 1e-6, "{}", index.decay());
        index.refit(&twisted(&mesh, 9.0)).unwrap();
        let decayed = index.decay();
        assert!(decayed > 1.5, "{decayed}");
        index.refit(mesh.positions()).unwrap();
        assert!((index.decay() - 1.0).abs() < 1e-6, "{}", index.decay());
        index.refit(&twisted(&mesh, 9.0)).unwrap();
        index.rebuild();
        assert_eq!(index.decay(), 1.0);
    }

    #[test]
    fn it_is_built_anew_when_enough_rays_have_paid_for_the_decay() {
        let mesh = bumps();
        let rebuilt_after = |rays: u64| {
            let mut index = TriangleIndex::by(Bvh::new, mesh.clone());
            let update = |_| index.update(&twisted(&mesh, 9.0), rays).unwrap();
            (0..1_000).map(update).position(|done| done == Upkeep::Rebuilt)
        };
        assert_eq!(rebuilt_after(0), None);
        let (few, many) = (rebuilt_after(50), rebuilt_after(1_000_000));
        assert_eq!(many, Some(0));
        assert!(few.is_some_and(|updates| updates > 2), "{few:?}");
        // What stays as it is never needs to be built anew.
        let mut index = TriangleIndex::by(Bvh::new, mesh.clone());
        assert!(
            (0..50).all(|_| index.update(mesh.positions(), 1 << 40).unwrap() == Upkeep::Refitted)
        );
    }

    #[test]
    fn what_is_no_position_moves_nothing() {
        let mesh = bumps();
        let mut index = TriangleIndex::by(Bvh::new, mesh.clone());
        assert!(index.refit(&mesh.positions()[1..]).is_err());
        let mut wrong = mesh.positions().to_vec();
        wrong[7][1] = f32::NAN;
        assert!(index.update(&wrong, 1).is_err());
        assert_eq!(index.mesh(), &mesh);
    }

    #[test]
    fn a_copy_keeps_the_old_places() {
        let mesh = bumps();
        let mut index = TriangleIndex::by(Bvh::new, mesh.clone());
        let copy = index.clone();
        let before: Vec<_> = rays().iter().map(|ray| copy.closest_hit(ray)).collect();
        index.refit(&twisted(&mesh, 2.0)).unwrap();
        let after: Vec<_> = rays().iter().map(|ray| copy.closest_hit(ray)).collect();
        assert_eq!(before, after);
        assert_ne!(before, rays().iter().map(|ray| index.closest_hit(ray)).collect::<Vec<_>>());
    }
}
