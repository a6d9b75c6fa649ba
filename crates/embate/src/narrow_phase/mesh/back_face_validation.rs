//! Is what a triangle says of a body true, and does somebody speak for every triangle that is touched?
//!
//! ```text
//!          ┌──────┐                   The body lies on the left slope. Its middle is behind the plane of the right
//!          │  ·   │   ╱ plane         one, so that this one tells how deep it is behind its back; but the body
//!          └──────┘ ╱                 does not touch it.
//!      ─────▲─────╱
//!         ╱   ╲ ╱
//!            ridge
//! ```
//!
//! A triangle looks no farther than its own plane and its neighbours. So what it tells of depths behind it holds only
//! if it is cut itself, or one that its surface goes on to, where there is no ridge between. And over a corner each
//! triangle may leave it to the others to speak: what none of them frees the body of is told last.
//!
//! Promises: where a body is apart from a mesh, no depth is told; where it touches, something is.

use embate_geom::{Vec3, scalar};

use super::manifold::Manifold;
use super::mesh::{Visitor, nearer, nearest_of};
use super::mesh_way_out;
use super::mesh_weld::can_be_touched;
use super::nearest::Nearest;
use super::polytope::Polytope;

/// Contacts that are asked whether they free the body of a triangle; of more, the first.
const ASKED: usize = 64;

/// What a triangle says of a body.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// It is out of reach.
    Nothing,
    Told(Manifold),
    /// Depths behind its plane, on one of its sides, over which the body was not seen to cut it.
    Behind(Manifold, u32),
    /// A contact over it that is farther than where it is nearest, which a neighbour should tell.
    Farther(Manifold, Nearest),
    /// It is reached, so, but nothing over it is told.
    Refused(Nearest),
    /// Its plane is reached; nobody has asked further.
    Perhaps,
}

/// What is open when all triangles have spoken.
#[derive(Default)]
pub(super) struct Open {
    /// Triangles and their sides, of contacts that may not be true.
    doubts: Vec<(u32, u32)>,
    refused: Vec<(u32, Nearest)>,
    perhaps: bool,
}

/// A triangle near the body.
struct Near {
    triangle: u32,
    /// The side that the body's middle is on.
    side: u32,
    /// Whether the body touches it.
    touched: bool,
    /// Whether it, or one that its surface goes on to, is touched; `None` until it is asked.
    cut: Option<bool>,
}

impl Open {
    /// Takes down what a triangle says.
    pub(super) fn hear(
        &mut self,
        triangle: u32,
        answer: Answer,
        found: &mut Vec<Manifold>,
        first: usize,
    ) {
        let mut manifold = match answer {
            Answer::Nothing => return,
            Answer::Perhaps => {
                self.perhaps = true;
                return;
            }
            Answer::Refused(nearest) => {
                self.refused.push((triangle, nearest));
                return;
            }
            Answer::Behind(manifold, side) => {
                self.doubts.push((triangle, side));
                manifold
            }
            Answer::Farther(manifold, nearest) => {
                self.refused.push((triangle, nearest));
                manifold
            }
            Answer::Told(manifold) => manifold,
        };
        manifold.parts = [0, triangle];
        if !told_before(&found[first..], &manifold) {
            found.push(manifold);
        }
    }

    /// Takes out contacts behind triangles that the surface which the body cuts does not go on to.
    pub(super) fn drop_what_is_not_cut(
        &self,
        visitor: &Visitor<'_>,
        found: &mut Vec<Manifold>,
        first: usize,
    ) {
        if self.doubts.is_empty() {
            return;
        }
        let mut near = Vec::new();
        visitor.each_near(0.0, |triangle, facet| {
            let side = facet.triangle.side_of(visitor.middle(facet));
            let touched = nearest_of((visitor.shape, &visitor.frame), facet, 0.0).is_some();
            near.push(Near { triangle, side, touched, cut: None });
            false
        });
        let mut index = 0;
        found.retain(|contact| {
            index += 1;
            // Triangles have spoken in ascending order.
            let doubt = self.doubts.binary_search_by_key(&contact.parts[1], |doubt| doubt.0);
            let doubt = doubt.ok().filter(|_| index > first).map(|place| self.doubts[place]);
            doubt.is_none_or(|(triangle, side)| is_cut(&mut near, visitor, triangle, side))
        });
    }

    /// Appends what frees the body of triangles that it touches, and that nothing told so far does.
    pub(super) fn speak_for_what_is_left(
        &self,
        visitor: &Visitor<'_>,
        margin: f32,
        found: &mut Vec<Manifold>,
        first: usize,
    ) {
        let slack = visitor.slack(self.reach(visitor));
        let freed = |triangle: u32, found: &[Manifold]| {
            found.iter().take(ASKED).any(|contact| {
                let way = contact.normal * -(scalar::max(contact.depth(), 0.0) + slack);
                visitor.moved(way).depth_in(triangle).is_none()
            })
        };
        let mut left: Vec<(u32, Nearest)> = Vec::new();
        for &(triangle, nearest) in &self.refused {
            if nearest.distance <= 0.0 && !freed(triangle, &found[first..]) {
                left.push((triangle, nearest));
            }
        }
        if left.is_empty() && found.len() == first && (self.perhaps || !self.refused.is_empty()) {
            let mut nearest: Option<(u32, Nearest)> = None;
            visitor.each_near(margin, |triangle, facet| {
                let told = nearest_of((visitor.shape, &visitor.frame), facet, margin);
                if let Some(told) = told {
                    if told.distance <= 0.0 {
                        left.push((triangle, told));
                    }
                    if nearest.as_ref().is_none_or(|(_, best)| told.distance < best.distance) {
                        nearest = Some((triangle, told));
                    }
                }
                false
            });
            if let Some((triangle, told)) = nearest.filter(|_| left.is_empty()) {
                found.push(spoken(triangle, &told));
            }
        }
        if let Some(out) = way_out(visitor, &left, slack) {
            found.push(out);
        }
        // What is apart and nearer than all that is told is told as well.
        let apart = self.refused.iter().filter(|(_, told)| told.distance > 0.0);
        let nearest = apart.reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
        let told = found[first..]
            .iter()
            .fold(f32::NEG_INFINITY, |most, contact| scalar::max(most, contact.depth()));
        if let Some((triangle, nearest)) = nearest
            && -nearest.distance > told + visitor.precision(*triangle)
        {
            found.push(spoken(*triangle, nearest));
        }
    }

    fn reach(&self, visitor: &Visitor<'_>) -> f32 {
        self.refused.iter().fold(0.0, |most, &(triangle, _)| {
            let reach = visitor.facet(triangle).map_or(0.0, |facet| facet.triangle.reach());
            scalar::max(most, reach)
        })
    }
}

/// Whether the body touches a triangle, or one that its surface goes on to on this side of it.
fn is_cut(near: &mut [Near], visitor: &Visitor<'_>, triangle: u32, side: u32) -> bool {
    let mut next = vec![triangle];
    let mut met = Vec::new();
    let mut cut = false;
    while let Some(triangle) = next.pop() {
        let Ok(place) = near.binary_search_by_key(&triangle, |near| near.triangle) else {
            continue;
        };
        let here = &mut near[place];
        if here.side != side {
            continue;
        }
        if let Some(known) = here.cut {
            cut |= known;
            continue;
        }
        // Until all of its surface is met.
        here.cut = Some(here.touched);
        cut |= here.touched;
        met.push(place);
        let across = visitor.mesh.0.edges(triangle).iter();
        next.extend(
            across
                .filter(|edge| !can_be_touched(edge.kind, side))
                .filter_map(|edge| edge.neighbour),
        );
    }
    for place in met {
        near[place].cut = Some(cut);
    }
    cut
}

/// The shortest of the ways out of some triangles that frees a body of all of them; if there is none, the longest.
fn way_out(visitor: &Visitor<'_>, left: &[(u32, Nearest)], slack: f32) -> Option<Manifold> {
    let deepest = |way: Vec3| {
        let moved = visitor.moved(way);
        let depths = left.iter().map(|&(triangle, _)| moved.depth_in(triangle));
        depths.fold(None, nearer)
    };
    let mut best: Option<(u32, Nearest)> = None;
    for &(triangle, told) in left.iter().take(mesh_way_out::TRIED) {
        let longest = best.as_ref().map_or(f32::INFINITY, |(_, best)| -best.distance);
        let out = mesh_way_out::along(told.separation(), longest, slack, &deepest);
        if let Some(out) = out.filter(|out| -out.distance < longest) {
            best = Some((triangle, Nearest { distance: out.distance, points: out.points, ..told }));
        }
    }
    let longest =
        || left.iter().copied().reduce(|a, b| if b.1.distance < a.1.distance { b } else { a });
    best.or_else(longest).map(|(triangle, told)| spoken(triangle, &told))
}

/// As a contact in one point.
fn spoken(triangle: u32, told: &Nearest) -> Manifold {
    let mut manifold = told.manifold();
    manifold.parts = [0, triangle];
    manifold
}

/// Manifolds that a new one is compared with: neighbours about a corner are rarely more.
const COMPARED: usize = 32;

/// Whether a contact in a single point, on an edge or in a corner, has been told by a neighbour, and no less deep.
fn told_before(found: &[Manifold], new: &Manifold) -> bool {
    let [point] = new.points() else { return false };
    found.iter().rev().take(COMPARED).any(|before| {
        // Corners that two triangles share round alike; far away points lie on a coarse grid, depths do not.
        let near = 1e-5 * (point.depth.abs() + 4e-2 * point.point.abs().largest());
        let deeper = point.depth - before.points()[0].depth;
        before.normal.dot(new.normal) > 1.0 - 1e-6
            && before.points().len() == 1
            && (before.points()[0].point - point.point).length_squared() <= near * near
            && deeper <= 0.05 * point.depth.abs()
    })
}
