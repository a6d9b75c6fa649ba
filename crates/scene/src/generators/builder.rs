//! Builder of meshes from flat pieces: walls, openings, boxes and prisms of the house and the city.
//!
//! Meters; x east, y up, z south. Vertices run counter-clockwise seen from outside, because the
//! rays of Lorenzi 2014 pass through back faces. A part that stands on another has no underside.

use embate::TriangleMesh;
use embate::math::scalar::sin_cos;

/// A point of the frame that is being built in.
pub(super) type Point = [f32; 3];

/// A direction along the ground, as a turn from south towards east.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    sin: f32,
    cos: f32,
}

impl Heading {
    /// What faced south still does.
    pub(super) const SOUTH: Self = Self { sin: 0.0, cos: 1.0 };
    /// What faced south faces east.
    pub(super) const EAST: Self = Self { sin: 1.0, cos: 0.0 };
    /// What faced south faces north.
    pub(super) const NORTH: Self = Self { sin: 0.0, cos: -1.0 };
    /// What faced south faces west.
    pub(super) const WEST: Self = Self { sin: -1.0, cos: 0.0 };
    /// The four sides of a building, each followed by its neighbor on the right.
    pub(super) const ALL: [Self; 4] = [Self::SOUTH, Self::EAST, Self::NORTH, Self::WEST];

    /// Any other turn, in radians.
    pub(super) fn turned(angle: f32) -> Self {
        let (sin, cos) = sin_cos(angle);
        Self { sin, cos }
    }

    fn apply(self, [x, y, z]: Point) -> Point {
        [x * self.cos + z * self.sin, y, z * self.cos - x * self.sin]
    }

    fn then(self, next: Self) -> Self {
        Self {
            sin: self.sin * next.cos + self.cos * next.sin,
            cos: self.cos * next.cos - self.sin * next.sin,
        }
    }
}

/// The axis that a prism runs along.
#[derive(Clone, Copy, Debug)]
pub(super) enum Along {
    /// West to east; the outline is given in (y, z).
    X,
    /// North to south; the outline is given in (x, y).
    Z,
}

/// A face of a box, by where it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    West,
    East,
    Down,
    Up,
    North,
    South,
}

/// A hole in a wall, in the wall's own coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) sill: f32,
    pub(super) head: f32,
}

/// An upright wall. Its outer face lies in z = 0 and looks south, x runs from 0 to `width`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall<'a> {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) thickness: f32,
    /// How far the reveals stand out before the outer face, to meet a casing.
    pub(super) casing: f32,
    /// From left to right, without overlap.
    pub(super) openings: &'a [Opening],
}

/// Collects triangles; each word adds some, at the point that [`at`](Self::at) set.
#[derive(Debug)]
pub(super) struct Builder {
    positions: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    origin: Point,
    heading: Heading,
}

impl Builder {
    pub(super) fn new() -> Self {
        Self {
            positions: Vec::new(),
            triangles: Vec::new(),
            origin: [0.0; 3],
            heading: Heading::SOUTH,
        }
    }

    /// How many triangles there are by now.
    pub(super) fn count(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn finish(self) -> TriangleMesh {
        TriangleMesh::new(self.positions, self.triangles).expect("built of finite lengths")
    }

    /// Whatever `build` adds is turned by `heading` and then moved to `origin`.
    pub(super) fn at(&mut self, origin: Point, heading: Heading, build: impl FnOnce(&mut Self)) {
        let outer = (self.origin, self.heading);
        self.origin = self.placed(origin);
        self.heading = heading.then(outer.1);
        build(self);
        (self.origin, self.heading) = outer;
    }

    fn placed(&self, point: Point) -> Point {
        let turned = self.heading.apply(point);
        core::array::from_fn(|axis| self.origin[axis] + turned[axis])
    }

    /// A convex polygon, as a fan around its first corner.
    pub(super) fn polygon(&mut self, corners: impl IntoIterator<Item = Point>) {
        let first = self.positions.len() as u32;
        for corner in corners {
            self.positions.push(self.placed(corner));
        }
        let last = self.positions.len() as u32;
        self.triangles.extend((first + 2..last).map(|corner| [first, corner - 1, corner]));
    }

    pub(super) fn quad(&mut self, a: Point, b: Point, c: Point, d: Point) {
        self.polygon([a, b, c, d]);
    }

    /// An upright rectangle at `z` that looks south, or north if `left > right`.
    pub(super) fn panel(&mut self, left: f32, right: f32, low: f32, high: f32, z: f32) {
        self.quad([left, low, z], [right, low, z], [right, high, z], [left, high, z]);
    }

    /// A rectangle lying at height `y`, looking up.
    pub(super) fn sheet(&mut self, [west, east]: [f32; 2], [north, south]: [f32; 2], y: f32) {
        self.quad([west, y, south], [east, y, south], [east, y, north], [west, y, north]);
    }

    /// The four upright sides of a box around the origin: `build` is given each one's width and
    /// the frame of its left end, where x runs along the side and z out of it.
    pub(super) fn on_sides(
        &mut self,
        width: f32,
        depth: f32,
        mut build: impl FnMut(&mut Self, usize, f32),
    ) {
        let halves = [width / 2.0, depth / 2.0];
        for (side, heading) in Heading::ALL.into_iter().enumerate() {
            let (along, out) = (halves[side % 2], halves[1 - side % 2]);
            self.at([0.0; 3], heading, |builder| {
                builder.at([-along, 0.0, out], Heading::SOUTH, |builder| {
                    build(builder, side, 2.0 * along);
                });
            });
        }
    }

    /// A box of 12 triangles, closed all around.
    pub(super) fn cuboid(&mut self, min: Point, max: Point) {
        self.cuboid_without(&[], min, max);
    }

    /// A box that stands on something: 10 triangles.
    pub(super) fn block(&mut self, min: Point, max: Point) {
        self.cuboid_without(&[Side::Down], min, max);
    }

    /// A box that lacks some sides, where it meets what it is fixed to.
    pub(super) fn cuboid_without(&mut self, open: &[Side], min: Point, max: Point) {
        let ([w, d, n], [e, u, s]) = (min, max);
        let sides = [
            (Side::West, [[w, d, n], [w, d, s], [w, u, s], [w, u, n]]),
            (Side::East, [[e, d, s], [e, d, n], [e, u, n], [e, u, s]]),
            (Side::Down, [[w, d, n], [e, d, n], [e, d, s], [w, d, s]]),
            (Side::Up, [[w, u, s], [e, u, s], [e, u, n], [w, u, n]]),
            (Side::North, [[e, d, n], [w, d, n], [w, u, n], [e, u, n]]),
            (Side::South, [[w, d, s], [e, d, s], [e, u, s], [w, u, s]]),
        ];
        for (_, corners) in sides.into_iter().filter(|(side, _)| !open.contains(side)) {
            self.polygon(corners);
        }
    }

    /// A convex outline drawn out from `from` to `to`, closed at both ends. The outline runs
    /// counter-clockwise as seen from the far end.
    pub(super) fn prism(&mut self, along: Along, outline: &[[f32; 2]], from: f32, to: f32) {
        let point = |[u, v]: [f32; 2], w: f32| match along {
            Along::X => [w, u, v],
            Along::Z => [u, v, w],
        };
        let edges = outline.iter().zip(outline.iter().cycle().skip(1));
        for (&a, &b) in edges {
            self.quad(point(a, from), point(b, from), point(b, to), point(a, to));
        }
        self.polygon(outline.iter().map(|&corner| point(corner, to)));
        self.polygon(outline.iter().rev().map(|&corner| point(corner, from)));
    }

    /// A thing turned on a lathe: `profile` lists (radius, height) from the foot upwards. Closed
    /// at the top; open below, where it stands.
    pub(super) fn turned(&mut self, [x, y, z]: Point, sides: u32, profile: &[[f32; 2]]) {
        let around = |[radius, height]: [f32; 2], side: u32| {
            let turn = core::f32::consts::TAU * (side % sides) as f32 / sides as f32;
            let (sin, cos) = sin_cos(turn);
            [x + radius * sin, y + height, z + radius * cos]
        };
        for ring in profile.windows(2) {
            let (low, high) = (ring[0], ring[1]);
            for side in 0..sides {
                let corners = [
                    around(low, side),
                    around(low, side + 1),
                    around(high, side + 1),
                    around(high, side),
                ];
                // At a tip the two corners of that end are one.
                match (low[0] > 0.0, high[0] > 0.0) {
                    (true, true) => self.polygon(corners),
                    (true, false) => self.polygon(corners[..3].iter().copied()),
                    (false, _) => self.polygon([corners[0], corners[2], corners[3]]),
                }
            }
        }
        if let Some(&top) = profile.last()
            && top[0] > 0.0
        {
            self.polygon((0..sides).map(|side| around(top, side)));
        }
    }

    /// Both faces of a wall and the reveals of its openings. Its ends, head and foot are left to
    /// what they meet.
    pub(super) fn wall(&mut self, wall: &Wall) {
        let &Wall { width, height, thickness, casing, openings } = wall;
        let mut pieces = Vec::new();
        let mut pier_left = 0.0;
        for &Opening { left, right, sill, head } in openings {
            pieces.push([pier_left, left, 0.0, height]);
            if sill > 0.0 {
                pieces.push([left, right, 0.0, sill]);
            }
            pieces.push([left, right, head, height]);
            pier_left = right;
        }
        pieces.push([pier_left, width, 0.0, height]);
        for [left, right, low, high] in pieces {
            self.panel(left, right, low, high, 0.0);
            self.panel(right, left, low, high, -thickness);
        }
        for opening in openings {
            self.reveals(opening, casing, -thickness);
        }
    }

    /// The inner sides of an opening, from `front` back to `back`. A door has no sill.
    pub(super) fn reveals(&mut self, opening: &Opening, front: f32, back: f32) {
        let &Opening { left: l, right: r, sill, head } = opening;
        self.quad([l, sill, back], [l, head, back], [l, head, front], [l, sill, front]);
        self.quad([r, sill, front], [r, head, front], [r, head, back], [r, sill, back]);
        self.quad([l, head, front], [l, head, back], [r, head, back], [r, head, front]);
        if sill > 0.0 {
            self.quad([l, sill, front], [r, sill, front], [r, sill, back], [l, sill, back]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume that the faces enclose; negative if they look inwards.
    fn volume(build: impl FnOnce(&mut Builder)) -> f32 {
        let mut builder = Builder::new();
        builder.at([5.0, -2.0, 3.0], Heading::turned(0.7), build);
        let mesh = builder.finish();
        let sixths = mesh.iter_triangles().map(|triangle| {
            let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = triangle.0;
            ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        });
        sixths.sum::<f32>() / 6.0
    }

    #[test]
    fn closed_solids_face_outwards_and_enclose_their_volume() {
        let triangle = [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]];
        let octahedron = [[0.0, -1.0], [1.0, 0.0], [0.0, 1.0]];
        for (expected, found) in [
            (24.0, volume(|builder| builder.cuboid([0.0; 3], [2.0, 3.0, 4.0]))),
            (15.0, volume(|builder| builder.prism(Along::X, &triangle, 1.0, 6.0))),
            (15.0, volume(|builder| builder.prism(Along::Z, &triangle, 1.0, 6.0))),
            (4.0 / 3.0, volume(|builder| builder.turned([0.0; 3], 4, &octahedron))),
        ] {
            assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
        }
    }

    #[test]
    fn four_side_panels_close_a_box() {
        let walls = volume(|builder| {
            builder
                .on_sides(4.0, 6.0, |builder, _, width| builder.panel(0.0, width, 0.0, 5.0, 0.0));
            builder.sheet([-2.0, 2.0], [-3.0, 3.0], 5.0);
            builder.quad([-2.0, 0.0, -3.0], [2.0, 0.0, -3.0], [2.0, 0.0, 3.0], [-2.0, 0.0, 3.0]);
        });
        assert!((walls - 120.0).abs() < 1e-3, "{walls}");
    }

    #[test]
    fn wall_with_a_window_has_faces_reveals_and_an_open_hole() {
        let mut builder = Builder::new();
        let openings = &[Opening { left: 1.0, right: 2.0, sill: 1.0, head: 2.0 }];
        let wall = Wall { width: 4.0, height: 3.0, thickness: 0.2, casing: 0.0, openings };
        builder.wall(&wall);
        // Four pieces on each face, four reveals.
        assert_eq!(builder.count(), 2 * (2 * 4 + 4));
        let through = embate::Ray::new([1.5, 1.6, 9.0], [0.0, 0.0, -1.0]);
        let brute = embate::raycast::BruteForce::new(&builder.finish());
        assert!(!embate::raycast::RayIndex::any_hit(&brute, &through));
    }
}
