//! Where is a range of triangles best cut in two by a plane, and what crosses it with it?
//!
//! A large triangle makes the box of whatever it is put with large. Cut in two, each part has a small box, and
//! the triangle is in two leaves (Stich, Friedrich, Dietrich 2009). What is estimated here may be off by
//! a rounding; the parts themselves are [`halves`], whose boxes lose no hit.

use embate_geom::Triangle;
use embate_mesh::TriangleMesh;

use super::wide_box::WideBox;
use crate::rays::clip::halves;

/// Slabs an axis is cut into. More found no better planes.
const SLABS: usize = 16;

/// A plane across a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Area times members, of both sides.
    pub(super) cost: f32,
    axis: usize,
    place: f32,
    low: Side,
    high: Side,
}

/// What lies on one side of a plane.
#[derive(Clone, Copy, Debug)]
struct Side {
    bounds: WideBox,
    count: u32,
}

impl Side {
    const NOTHING: Self = Self { bounds: WideBox::NOTHING, count: 0 };

    fn cost(&self) -> f32 {
        if self.count == 0 { 0.0 } else { self.bounds.area() * self.count as f32 }
    }

    fn with(mut self, bounds: &WideBox) -> Self {
        self.bounds = self.bounds.joined(bounds);
        self
    }
}

/// The plane with the least cost that makes at most `spare` more members.
pub(super) fn best_plane(
    mesh: &TriangleMesh,
    members: &[WideBox],
    bounds: &WideBox,
    spare: usize,
) -> Option<Plane> {
    let mut best: Option<Plane> = None;
    for axis in 0..3 {
        let slabs = Slabs::new(mesh, members, bounds, axis);
        if let Some(plane) = slabs.and_then(|slabs| slabs.best(members.len() + spare))
            && best.is_none_or(|best| plane.cost < best.cost)
        {
            best = Some(plane);
        }
    }
    best
}

/// A range cut into slabs along one axis.
struct Slabs {
    axis: usize,
    origin: f32,
    width: f32,
    parts: [WideBox; SLABS],
    /// Members that begin and that end in each slab.
    begin: [u32; SLABS],
    end: [u32; SLABS],
}

impl Slabs {
    fn new(
        mesh: &TriangleMesh,
        members: &[WideBox],
        bounds: &WideBox,
        axis: usize,
    ) -> Option<Self> {
        let (origin, length) = (-bounds.0[axis], bounds.0[axis + 4] + bounds.0[axis]);
        let width = length / SLABS as f32;
        let per_slab = 1.0 / width;
        if !(per_slab.is_finite() && per_slab > 0.0) {
            return None;
        }
        let mut slabs = Self {
            axis,
            origin,
            width,
            parts: [WideBox::NOTHING; SLABS],
            begin: [0; SLABS],
            end: [0; SLABS],
        };
        let slab_of = |place: f32| (((place - origin) * per_slab) as usize).min(SLABS - 1);
        for member in members {
            let (first, last) = (slab_of(-member.0[axis]), slab_of(member.0[axis + 4]));
            slabs.begin[first] += 1;
            slabs.end[last] += 1;
            if first == last {
                slabs.parts[first] = slabs.parts[first].joined(member);
            } else {
                slabs.add_parts(&mesh.triangle(member.number()), member, first, last);
            }
        }
        Some(slabs)
    }

    /// The plane before a slab.
    fn plane(&self, slab: usize) -> f32 {
        self.origin + self.width * slab as f32
    }

    /// Adds what a member has in each of the slabs.
    fn add_parts(&mut self, triangle: &Triangle, member: &WideBox, first: usize, last: usize) {
        let corners = triangle.0.map(point);
        let mut before = WideBox::NOTHING;
        for slab in first..=last {
            let (low, high) = (self.plane(slab), self.plane(slab + 1));
            let behind =
                if slab == last { WideBox::NOTHING } else { section(triangle, self.axis, high) };
            let mut part = before.joined(&behind);
            for (corner, at) in corners.iter().zip(&triangle.0) {
                let is_inside = (slab == first || at[self.axis] >= low)
                    && (slab == last || at[self.axis] <= high);
                if is_inside {
                    part = part.joined(corner);
                }
            }
            let part = part.common(member);
            if !part.is_empty() {
                self.parts[slab] = self.parts[slab].joined(&part);
            }
            before = behind;
        }
    }

    fn best(&self, most: usize) -> Option<Plane> {
        let mut above = [Side::NOTHING; SLABS];
        let mut side = Side::NOTHING;
        for slab in (1..SLABS).rev() {
            side = side.with(&self.parts[slab]);
            side.count += self.end[slab];
            above[slab] = side;
        }
        let mut best: Option<Plane> = None;
        let mut low = Side::NOTHING;
        for slab in 1..SLABS {
            low = low.with(&self.parts[slab - 1]);
            low.count += self.begin[slab - 1];
            let high = above[slab];
            let cost = low.cost() + high.cost();
            let is_cut = low.count > 0 && high.count > 0;
            if is_cut
                && (low.count + high.count) as usize <= most
                && best.is_none_or(|best| cost < best.cost)
            {
                best = Some(Plane { cost, axis: self.axis, place: self.plane(slab), low, high });
            }
        }
        best
    }
}

/// A box that is but a point.
fn point([x, y, z]: [f32; 3]) -> WideBox {
    WideBox([-x, -y, -z, f32::NEG_INFINITY, x, y, z, f32::NEG_INFINITY])
}

/// Around what a plane cuts from a triangle.
fn section(triangle: &Triangle, axis: usize, plane: f32) -> WideBox {
    let mut around = WideBox::NOTHING;
    let [a, b, c] = &triangle.0;
    for (from, to) in [(a, b), (b, c), (c, a)] {
        if (from[axis] < plane) != (to[axis] < plane) {
            let share = (plane - from[axis]) / (to[axis] - from[axis]);
            let mut crossing =
                core::array::from_fn(|other| from[other] + (to[other] - from[other]) * share);
            crossing[axis] = plane;
            around = around.joined(&point(crossing));
        }
    }
    around
}

impl Plane {
    /// The members of either side. Those that cross the plane are cut, or go whole to one side where that
    /// costs less.
    pub(super) fn cut(
        mut self,
        mesh: &TriangleMesh,
        members: &[WideBox],
    ) -> (Vec<WideBox>, Vec<WideBox>) {
        let mut low = Vec::with_capacity(self.low.count as usize);
        let mut high = Vec::with_capacity(self.high.count as usize);
        for member in members {
            if member.0[self.axis + 4] <= self.place {
                low.push(*member);
            } else if -member.0[self.axis] >= self.place {
                high.push(*member);
            } else {
                let [below, above] = self.parts_of(mesh, member);
                low.extend(below);
                high.extend(above);
            }
        }
        (low, high)
    }

    fn parts_of(&mut self, mesh: &TriangleMesh, member: &WideBox) -> [Option<WideBox>; 2] {
        let Self { low, high, .. } = *self;
        let all_low = low.with(member).cost() + less_one(high).cost();
        let all_high = less_one(low).cost() + high.with(member).cost();
        let both = low.cost() + high.cost();
        if all_low <= both && all_low <= all_high {
            (self.low, self.high) = (low.with(member), less_one(high));
            return [Some(*member), None];
        }
        if all_high <= both {
            (self.low, self.high) = (less_one(low), high.with(member));
            return [None, Some(*member)];
        }
        let number = member.number();
        let pieces = halves(&mesh.triangle(number), &member.bounds(), self.axis, self.place);
        if pieces.iter().all(Option::is_none) {
            return [Some(*member), None];
        }
        pieces.map(|piece| piece.map(|piece| WideBox::new(&piece.bounds, number)))
    }
}

fn less_one(mut side: Side) -> Side {
    side.count = side.count.saturating_sub(1);
    side
}
