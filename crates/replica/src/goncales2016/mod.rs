//! Replica of Gonçales et al. 2016: 2D broad phase by brute force and by a grid with spatial
//! hashing.
//!
//! The study compares both techniques in a web page with many moving objects. Both are here with
//! their faults, because the published test counts depend on them: see `docs/studies.md`, "Gonçales
//! et al. 2016". For finding pairs use `embate::broad_phase`.
//!
//! | item | published technique |
//! |---|---|
//! | [`brute_force`] | all n(n−1)/2 pairs |
//! | [`Grid`] | an object is listed in the cells of its four key points; all pairs of a cell are tested |
//!
//! Objects are AABBs or circles ([`Shape`]). They are their own bounding volumes, so the overlap
//! test is the narrow phase, too.

mod grid;

use embate::broad_phase::{BroadPhaseObserver, BroadPhaseStats, OverlapPair};
use embate_geom::{Aabb, BoundingSphere};

pub use grid::{Grid, MAX_CELLS};

/// An object of the study: an AABB or a circle.
#[doc(alias = "StudyShape")]
pub trait Shape: Copy {
    /// Points whose cells list the object: the corners of an AABB, the extreme points of a circle
    /// on both axes.
    fn key_points(&self) -> [[f32; 2]; 4];

    /// The study's overlap test; touching counts.
    fn overlaps(&self, other: &Self) -> bool;
}

impl Shape for Aabb<2> {
    fn key_points(&self) -> [[f32; 2]; 4] {
        let ([left, top], [right, bottom]) = (self.min, self.max);
        [[left, top], [right, top], [left, bottom], [right, bottom]]
    }

    fn overlaps(&self, other: &Self) -> bool {
        Aabb::overlaps(self, other)
    }
}

impl Shape for BoundingSphere<2> {
    fn key_points(&self) -> [[f32; 2]; 4] {
        let ([x, y], r) = (self.center, self.radius);
        [[x - r, y], [x + r, y], [x, y - r], [x, y + r]]
    }

    fn overlaps(&self, other: &Self) -> bool {
        BoundingSphere::overlaps(self, other)
    }
}

/// Tests all pairs, one at a time. Appends the overlapping ones, sorted.
#[doc(alias = "study_brute")]
#[must_use]
pub fn brute_force<S: Shape>(objects: &[S], pairs: &mut Vec<OverlapPair>) -> BroadPhaseStats {
    let mut stats = BroadPhaseStats::default();
    brute_force_observed(objects, pairs, &mut stats);
    stats
}

/// [`brute_force`] with an observer.
pub fn brute_force_observed<S: Shape, O: BroadPhaseObserver>(
    objects: &[S],
    pairs: &mut Vec<OverlapPair>,
    observer: &mut O,
) {
    let mut tests = 0;
    for (a, object) in (0_u32..).zip(objects) {
        for (b, other) in (a + 1..).zip(&objects[a as usize + 1..]) {
            tests += 1;
            if object.overlaps(other) {
                pairs.push([a, b]);
            }
        }
    }
    observer.count_overlap_tests(tests);
    if observer.wants_details() {
        observer.overlap_tests_among(0..objects.len() as u32);
    }
}
