//! A tree of boxes, eight children a node: the structure for nearly every mesh.
//!
//! ```text
//!   triangles ──► binary tree ──► which eight belong together ──► nodes and leaves, depth first
//!                 binary.rs        collapse.rs                     layout.rs
//!                 bins.rs          reinsert.rs (what is better     node.rs, leaves.rs (what they hold)
//!                 spatial.rs       off elsewhere, before)          pages.rs (where they are kept)
//!   ray ──► search.rs, with node.rs (eight boxes at once) and stack.rs (what waits)
//!   points, boxes, balls ──► walk.rs
//!   many rays ──► batch.rs (several under way at a time), with pile.rs (what waits)
//!   whoever draws it ──► boxes.rs
//! ```
//!
//! Answers equal [`Brute`](super::Brute)'s to the bit: boxes hold what `Triangle::guarded_bounds` asks,
//! and leaves the mesh's own vertex values.

mod batch;
mod binary;
mod bins;
mod boxes;
mod collapse;
mod layout;
mod leaves;
mod node;
mod pages;
mod pile;
mod preset;
mod refit;
mod reinsert;
mod saved;
mod search;
mod spatial;
mod stack;
mod walk;
mod wide_box;

use core::ops::ControlFlow;
use std::sync::Arc;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;

pub(super) use self::binary::BinaryNode;
use self::leaves::Leaves;
use self::node::Child;
use self::pages::Lines;
pub use self::preset::Preset;
pub(super) use self::saved::LINE_WORDS;
pub(super) use self::wide_box::WideBox;
use super::{RayIndex, RayObserver, Unobserved};

/// [`dispatch!`] for what is over soon: wide vectors first, and what is done with others kept out of the way, whose frame on
/// the stack all would have to make and leave.
macro_rules! at_once {
    ($level:expr, $simd:ident => $answer:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($simd) = $level.as_avx512() {
                return $simd.vectorize(
                    #[inline(always)]
                    move || $answer,
                );
            }
            if let Some($simd) = $level.as_avx2() {
                return $simd.vectorize(
                    #[inline(always)]
                    move || $answer,
                );
            }
        }
        apart(move || dispatch!($level, $simd => $answer))
    }};
}

#[inline(never)]
fn apart<R>(answer: impl FnOnce() -> R) -> R {
    answer()
}

/// Rays handed to a thread at a time: enough that few of them run out of company at the end.
const BATCH: usize = 2_048;

/// A tree of boxes over a mesh. Watertight.
#[derive(Clone, Debug)]
pub struct Bvh {
    lines: Lines,
    /// `None` over no triangles.
    root: Option<Child>,
    /// What the leaves of a compact tree share; in others each holds its own.
    corners: Option<Arc<Vec<[f32; 3]>>>,
    level: Level,
}

impl Bvh {
    /// Builds the tree, on rayon's current threads. The same tree for any number of them.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with(mesh, Preset::Balanced)
    }

    /// [`new`](Self::new) with more or less time for the build, and more or less memory.
    #[must_use]
    pub fn with(mesh: &TriangleMesh, preset: Preset) -> Self {
        layout::build(mesh, preset, Level::new())
    }

    /// The layout of a binary tree over these members, of which several may be of one triangle: hits are then
    /// told several times.
    pub(super) fn of(mesh: &TriangleMesh, members: &[WideBox], tree: &[BinaryNode]) -> Self {
        layout::of(mesh, members, tree, false, Level::new())
    }

    fn leaves(&self) -> Leaves<'_> {
        let corners = self.corners.as_ref().map(|corners| corners.as_slice());
        Leaves { lines: self.lines.as_slice(), corners }
    }

    /// Every ray's answer, in order: its closest hit, or with `ANY` whichever is found first.
    fn answers<const ANY: bool>(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        let mut answers = vec![None; rays.len()];
        let parts = answers.par_chunks_mut(BATCH).zip(rays.par_chunks(BATCH));
        parts.for_each(|(answers, rays)| {
            let level = self.level;
            dispatch!(level, simd => self.answer_each::<_, ANY>(simd, rays, answers));
        });
        answers
    }
}

impl RayIndex for Bvh {
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.search::<_, O, true>(simd, ray, observer, &mut found));
    }

    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.visit_hits(ray, observer, |hit| {
            hits.push(hit);
            ControlFlow::Continue(ray.t_max)
        });
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        // Found in every leaf that knows of the triangle.
        hits.dedup_by_key(|hit| hit.triangle);
        hits
    }

    fn any_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let level = self.level;
        dispatch!(level, simd => self.any(simd, ray, observer))
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        at_once!(self.level, simd => self.closest(simd, ray))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        at_once!(self.level, simd => self.any(simd, ray, &mut Unobserved))
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.answers::<false>(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.answers::<true>(rays).iter().map(Option::is_some).collect()
    }

    fn bytes(&self) -> usize {
        let corners = self.corners.as_ref().map_or(0, |corners| size_of_val(corners.as_slice()));
        size_of_val(self.lines.as_slice()) + corners
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bumpy floor of `side` × `side` squares.
    fn floor(side: u32) -> TriangleMesh {
        let height = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as f32 / 256.0;
        let points = (0..(side + 1) * (side + 1))
            .map(|i| [(i % (side + 1)) as f32, (i / (side + 1)) as f32, height(i)]);
        let squares = (0..side * side).flat_map(|i| {
            let a = i / side * (side + 1) + i % side;
            [[a, a + 1, a + side + 2], [a, a + side + 2, a + side + 1]]
        });
        TriangleMesh::new(points.collect(), squares.collect()).unwrap()
    }

    /// Large triangles through each other, their corners anywhere in a cube of edge 1.
    fn soup(count: u32) -> TriangleMesh {
        let mut state = 1_u32;
        let mut unit = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let corners = (0..3 * count).map(|_| [unit(), unit(), unit()]).collect();
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriangleMesh::new(corners, triangles).unwrap()
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        for mesh in [floor(100), soup(6_000)] {
            for preset in Preset::ALL {
                let built = |threads| {
                    let pool =
                        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    let bvh = pool.install(|| Bvh::with(&mesh, preset));
                    let words = bvh.lines.as_slice().iter().flatten().flatten().copied();
                    (bvh.root, words.map(f32::to_bits).collect::<Vec<_>>())
                };
                assert!(built(1) == built(3), "{}", preset.name());
            }
        }
    }

    #[test]
    fn a_triangle_takes_less_than_a_hundred_bytes_and_less_than_half_if_compact() {
        let mesh = floor(100);
        let bytes = |preset| Bvh::with(&mesh, preset).bytes() / mesh.triangles().len();
        assert!((40..100).contains(&bytes(Preset::Balanced)), "{}", bytes(Preset::Balanced));
        assert!((20..46).contains(&bytes(Preset::Compact)), "{}", bytes(Preset::Compact));
    }

    /// Every triangle overlaps nearly every other, and cutting would never end.
    #[test]
    fn a_soup_is_cut_only_as_far_as_there_is_room() {
        let mesh = soup(2_000);
        let bytes = |preset| Bvh::with(&mesh, preset).bytes();
        let whole = bytes(Preset::Fast);
        assert!(bytes(Preset::Balanced) < whole * 5 / 4, "{}", bytes(Preset::Balanced));
        assert!(bytes(Preset::Best) < whole * 2, "{}", bytes(Preset::Best));
    }

    #[test]
    fn large_triangles_among_small_ones_are_cut_and_a_ray_looks_at_less() {
        // A bumpy floor under a roof of a few slanted triangles as large as all of it.
        let low = floor(40);
        let mut positions = low.positions().to_vec();
        let mut triangles = low.triangles().to_vec();
        for roof in 0..30_u8 {
            let (first, lift) = (positions.len() as u32, f32::from(roof) * 0.03);
            positions.extend([[0.0, 0.0, -1.0 + lift], [40.0, 0.0, 3.0], [0.0, 40.0, 3.0 + lift]]);
            triangles.push([first, first + 1, first + 2]);
        }
        let mesh = TriangleMesh::new(positions, triangles).unwrap();
        let boxes = |preset| {
            let (bvh, mut counts) = (Bvh::with(&mesh, preset), crate::rays::RayCounts::default());
            for step in 0..400_u16 {
                let place = f32::from(step) * 0.1;
                let ray = Ray::new([place, 40.0 - place, 9.0], [0.1, 0.2, -1.0]);
                bvh.closest_hit_observed(&ray, &mut counts);
            }
            counts.boxes + counts.tests
        };
        assert!(boxes(Preset::Best) < boxes(Preset::Fast));
    }

    /// Products of origin and inverse that overflow, NaNs and infinities on several axes at once had the boxes that are not
    /// there crossed, and the search began anew at the root for ever.
    #[test]
    fn rays_out_of_all_measure_come_to_an_end_and_hit_what_brute_force_hits() {
        let mesh = floor(20);
        let (bvh, brute) = (Bvh::new(&mesh), crate::rays::Brute::new(&mesh));
        let odd = [1e20, -1e20, 1e38, f32::NAN, f32::INFINITY, 0.0, -0.0, 0.5, 1e-45];
        let small = [1e-19, -1e-19, 1e-38, f32::NAN, f32::NEG_INFINITY, 0.0, -0.0, 1.0, 3e38];
        let mut rays = Vec::new();
        for origin in odd {
            for direction in small {
                for along in 0..3 {
                    let (mut from, mut to) = ([origin; 3], [direction; 3]);
                    (from[along], to[along]) = (0.5, 1.0);
                    let ray = Ray::new(from, to);
                    rays.extend([
                        ray,
                        Ray::new([origin; 3], [direction; 3]),
                        ray.within(-9.0, 9.0),
                    ]);
                    rays.push(ray.within(0.0, f32::NAN));
                }
            }
        }
        let bits = |hit: Option<Hit>| hit.map(|hit| (hit.t.to_bits(), hit.triangle));
        let (batch, any) = (bvh.closest_hits(&rays), bvh.any_hits(&rays));
        for (number, ray) in rays.iter().enumerate() {
            let expected = bits(brute.closest_hit(ray));
            assert_eq!(bits(bvh.closest_hit(ray)), expected, "{ray:?}");
            assert_eq!(bits(batch[number]), expected, "{ray:?}");
            assert_eq!([bvh.any_hit(ray), any[number]], [expected.is_some(); 2], "{ray:?}");
            let mut counts = crate::rays::RayCounts::default();
            assert_eq!(bits(bvh.closest_hit_observed(ray, &mut counts)), expected, "{ray:?}");
        }
    }

    #[test]
    fn a_ray_down_on_a_floor_looks_at_few_nodes() {
        let bvh = Bvh::new(&floor(100));
        let mut counts = crate::rays::RayCounts::default();
        let hit =
            bvh.closest_hit_observed(&Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]), &mut counts);
        assert!(hit.is_some_and(|hit| hit.t > 7.0));
        assert!((1..20).contains(&counts.boxes) && counts.tests < 100, "{counts:?}");
    }
}
