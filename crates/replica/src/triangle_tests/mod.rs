//! Ray–triangle intersection tests to choose from and to compare, one file each.
//!
//! | test | source | arithmetic | on a closed mesh |
//! |---|---|---|---|
//! | [`StudyMollerTrumbore`] | Lorenzi 2014: culls, epsilon 1e-5, hits behind the origin | f64 | may leak |
//! | [`MollerTrumbore`] | Möller and Trumbore 1997, two-sided | f32 | may leak |
//! | [`SeguraFeito`] | Segura and Feito 2001: signs of three tetrahedra | f32 | may leak |
//! | [`Plucker`] | Plücker coordinates of ray and edges, from the ray's origin | f32 | may leak at vertices |
//! | [`WatertightRay`] | Woop, Benthin, Wald 2013; the test of the engine | f32, rarely f64 | never leaks |
//! | [`ExactTest`] | sign-exact volumes; ground truth of the others | exact | never leaks |
//!
//! A *leak* is a ray from the interior of a closed mesh that hits no triangle. All but the first
//! report the hits in `t_min..=t_max`, include edges and vertices, and miss a triangle whose plane
//! contains the ray.

mod brute_force;
mod exact;
mod moller_trumbore;
mod plucker;
mod ray_frame;
mod segura_feito;
mod woop;

use embate_geom::{Ray, Triangle, TriangleHit};

pub use brute_force::TestedBruteForce;
pub use embate_geom::WatertightRay;
pub use exact::{Crossing, ExactTest};
pub use moller_trumbore::{MollerTrumbore, StudyMollerTrumbore};
pub use plucker::Plucker;
pub use segura_feito::SeguraFeito;

/// A ray–triangle intersection test: a ray in the form that the test computes once per ray.
pub trait TriangleTest {
    /// Which test.
    const KIND: TriangleTestKind;

    /// Prepares a ray. An invalid ray hits nothing.
    fn new(ray: &Ray<3>) -> Self;

    /// Hit with `triangle` between the ray's `t_min` and `t_max`, if any; `index` is stored in the
    /// result.
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit>;
}

/// A ray–triangle intersection test by name.
///
/// ```
/// use embate_replica::triangle_tests::TriangleTestKind;
///
/// let names = TriangleTestKind::SELECTABLE.map(TriangleTestKind::name);
/// assert_eq!(names, ["moller-trumbore", "segura-feito", "plucker", "woop"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TriangleTestKind {
    /// [`StudyMollerTrumbore`].
    StudyMollerTrumbore,
    /// [`MollerTrumbore`].
    MollerTrumbore,
    /// [`SeguraFeito`].
    SeguraFeito,
    /// [`Plucker`].
    Plucker,
    /// [`WatertightRay`].
    Woop,
    /// [`ExactTest`].
    Exact,
}

impl TriangleTestKind {
    /// Every test, in the order of the report.
    pub const ALL: [Self; 6] = [
        Self::StudyMollerTrumbore,
        Self::MollerTrumbore,
        Self::SeguraFeito,
        Self::Plucker,
        Self::Woop,
        Self::Exact,
    ];

    /// The tests that ray casting can select: one definition of a hit, computed in f32.
    pub const SELECTABLE: [Self; 4] =
        [Self::MollerTrumbore, Self::SeguraFeito, Self::Plucker, Self::Woop];

    /// The name used in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudyMollerTrumbore => "study-moller-trumbore",
            Self::MollerTrumbore => "moller-trumbore",
            Self::SeguraFeito => "segura-feito",
            Self::Plucker => "plucker",
            Self::Woop => "woop",
            Self::Exact => "exact",
        }
    }

    /// The test of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether no ray leaks through a closed mesh.
    #[must_use]
    pub fn is_watertight(self) -> bool {
        matches!(self, Self::Woop | Self::Exact)
    }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;

    fn hit<T: TriangleTest>(ray: &Ray<3>, triangle: &Triangle) -> Option<TriangleHit> {
        T::new(ray).intersect(triangle, 7, ray.t_max)
    }

    /// The hits of every test but the study's.
    fn hits(ray: &Ray<3>, triangle: &Triangle) -> [(TriangleTestKind, Option<TriangleHit>); 5] {
        fn one<T: TriangleTest>(
            r: &Ray<3>,
            t: &Triangle,
        ) -> (TriangleTestKind, Option<TriangleHit>) {
            (T::KIND, hit::<T>(r, t))
        }
        [
            one::<MollerTrumbore>(ray, triangle),
            one::<SeguraFeito>(ray, triangle),
            one::<Plucker>(ray, triangle),
            one::<WatertightRay>(ray, triangle),
            one::<ExactTest>(ray, triangle),
        ]
    }

    const FLOOR: Triangle = Triangle([[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [0.0, 4.0, 5.0]]);

    #[test]
    fn every_test_returns_parameter_triangle_and_weights() {
        let ray = Ray::new([1.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
        let expected = Some(TriangleHit { t: 5.0, triangle: 7, u: 0.25, v: 0.5 });
        for (kind, found) in hits(&ray, &FLOOR) {
            assert_eq!(found, expected, "{kind:?}");
        }
    }

    #[test]
    fn edges_and_vertices_are_hit_and_the_range_is_inclusive() {
        for (x, y) in [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (2.0, 2.0), (0.0, 1.0), (3.0, 0.0)] {
            let ray = Ray::new([x, y, 0.0], [0.0, -0.0, 1.0]).with_range(5.0, 5.0);
            for (kind, found) in hits(&ray, &FLOOR) {
                assert_eq!(found.map(|hit| hit.t), Some(5.0), "{kind:?} at ({x}, {y})");
            }
            for range in [(0.0, 4.999), (5.001, 9.0)] {
                for (kind, found) in hits(&ray.with_range(range.0, range.1), &FLOOR) {
                    assert_eq!(found, None, "{kind:?}");
                }
            }
        }
    }

    #[test]
    fn back_faces_are_hit_unless_culled() {
        let from_back = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let from_front = Ray::new([1.0, 1.0, 9.0], [0.0, 0.0, -1.0]);
        for ray in [from_back, from_front] {
            assert!(hits(&ray, &FLOOR).iter().all(|(_, found)| found.is_some()));
            for (kind, found) in hits(&ray.with_backface_culling(), &FLOOR) {
                assert_eq!(found.is_some(), ray == from_front, "{kind:?}");
            }
        }
    }

    #[test]
    fn rays_in_the_plane_degenerate_triangles_and_invalid_rays_are_missed() {
        let up = |x: f32| Ray::new([x, x, 0.0], [0.0, 0.0, 1.0]);
        let needle = Triangle([[0.0, 0.0, 5.0], [2.0, 2.0, 5.0], [4.0, 4.0, 5.0]]);
        let mut cases = vec![
            (Ray::new([-1.0, 1.0, 5.0], [1.0, 0.0, 0.0]), FLOOR),
            (up(1.0), needle),
            (Ray::new([f32::NAN, 1.0, 0.0], [0.0, 0.0, 1.0]), FLOOR),
        ];
        for direction in [[0.0; 3], [f32::NAN, 0.0, 1.0], [0.0, 0.0, f32::INFINITY]] {
            cases.push((Ray::new([1.0; 3], direction), FLOOR));
        }
        for (ray, triangle) in cases {
            for (kind, found) in hits(&ray, &triangle) {
                assert_eq!(found, None, "{kind:?}, {ray:?}");
            }
            assert_eq!(hit::<StudyMollerTrumbore>(&ray, &triangle), None, "{ray:?}");
        }
    }

    /// Clear cases: the ray passes the edges at 1/20 of the triangle or more, and its plane at an
    /// angle.
    #[test]
    fn all_tests_agree_on_clear_cases() {
        let mut random = Rng::new(1);
        let (mut clear, mut all_hits) = (0, 0);
        while clear < 5_000 {
            let mut point = |edge: f32| [(); 3].map(|()| edge * random.signed_unit());
            let (triangle, origin, target) =
                (Triangle([(); 3].map(|()| point(10.0))), point(30.0), point(10.0));
            let ray = Ray::segment(origin, target).with_range(0.0, f32::INFINITY);
            let exact = ExactTest::new(&ray);
            if !exact.is_clear(&triangle, 0.05) {
                continue;
            }
            clear += 1;
            let expected = hit::<ExactTest>(&ray, &triangle);
            all_hits += u32::from(expected.is_some());
            for (kind, found) in hits(&ray, &triangle) {
                assert_eq!(found.is_some(), expected.is_some(), "{kind:?}: {ray:?} {triangle:?}");
                if let (Some(found), Some(expected)) = (found, expected) {
                    let error = (found.t - expected.t).abs() / expected.t;
                    assert!(error < 1e-4, "{kind:?}: {found:?} {expected:?}");
                    assert!((found.u - expected.u).abs() < 1e-3, "{kind:?}");
                    assert!((found.v - expected.v).abs() < 1e-3, "{kind:?}");
                }
            }
            // The study's test: front faces only, also behind the origin.
            let crossing = exact.crossing(&triangle).filter(|crossing| crossing.is_front);
            let study = hit::<StudyMollerTrumbore>(&ray, &triangle);
            assert_eq!(study.is_some(), crossing.is_some(), "{ray:?} {triangle:?}");
        }
        assert!(all_hits > 200, "{all_hits}");
    }

    #[test]
    fn names_are_unique_and_found() {
        for kind in TriangleTestKind::ALL {
            assert_eq!(TriangleTestKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(TriangleTestKind::from_name("Woop"), None);
    }
}
