//! Is a point inside a flat face, on its rim, or beside it?

use embate_geom::scalar;

/// The corners of a face, counter-clockwise as seen along the normal.
pub(super) struct Polygon<const N: usize> {
    pub(super) u: [f32; N],
    pub(super) v: [f32; N],
    /// Of the corners in their body.
    pub(super) index: [u32; N],
    /// The edge that begins in each corner, counter-clockwise about the face's own normal.
    pub(super) edge: [u32; N],
    pub(super) count: usize,
}

impl<const N: usize> Polygon<N> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { u: [0.0; N], v: [0.0; N], index: [0; N], edge: [0; N], count: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, [index, edge]: [u32; 2], [u, v]: [f32; 2]) {
        if self.count < N {
            (self.u[self.count], self.v[self.count]) = (u, v);
            (self.index[self.count], self.edge[self.count]) = (index, edge);
            self.count += 1;
        }
    }

    #[inline]
    pub(super) fn at(&self, corner: usize) -> [f32; 2] {
        [self.u[corner], self.v[corner]]
    }

    #[inline]
    pub(super) fn next(&self, corner: usize) -> usize {
        if corner + 1 < self.count { corner + 1 } else { 0 }
    }

    /// The line from a corner to the next, and the length of that edge or a little more.
    #[inline]
    pub(super) fn line(&self, corner: usize) -> (Line, f32) {
        let ([u, v], [to_u, to_v]) = (self.at(corner), self.at(self.next(corner)));
        let (along, across) = (to_u - u, to_v - v);
        let line = Line { a: -across, b: along, c: across * u - along * v };
        (line, along.abs() + across.abs())
    }

    /// Whether a point is no farther than this on both axes. The lines of a face that is thin as a needle do
    /// not tell how long it is: beyond its tip they are within their slack for long.
    pub(super) fn spans(&self, at: [f32; 2], slack: f32) -> bool {
        let (mut least, mut most) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for corner in 0..self.count {
            for (axis, value) in self.at(corner).into_iter().enumerate() {
                least[axis] = scalar::min(least[axis], value);
                most[axis] = scalar::max(most[axis], value);
            }
        }
        (0..2).all(|axis| at[axis] >= least[axis] - slack && at[axis] <= most[axis] + slack)
    }

    /// Whether it holds a point, or nearly.
    #[inline]
    pub(super) fn holds(&self, at: [f32; 2], slack: f32) -> bool {
        let (mut doubtful, mut beyond) = (false, 0.0_f32);
        for corner in 0..self.count {
            let (line, length) = self.line(corner);
            let inside = line.inside(at);
            if inside < 0.0 {
                doubtful = true;
                let out = -inside / length;
                beyond = if out > beyond { out } else { beyond };
            }
        }
        !doubtful || (beyond <= slack && self.spans(at, slack))
    }
}

/// `a u + b v + c` is above 0 inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) a: f32,
    pub(super) b: f32,
    pub(super) c: f32,
}

impl Line {
    #[inline]
    pub(super) fn inside(self, [u, v]: [f32; 2]) -> f32 {
        self.a * u + self.b * v + self.c
    }
}
