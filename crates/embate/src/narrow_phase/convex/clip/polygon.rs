//! Convex polygon in projection: edge lines and point containment.

use embate_geom::scalar;

/// A projected face, counter-clockwise seen along the normal.
pub(crate) struct ProjectedPolygon<const N: usize> {
    pub(crate) u: [f32; N],
    pub(crate) v: [f32; N],
    /// Vertex indices in the shape.
    pub(crate) vertex: [u32; N],
    /// The edge of the shape that starts at each vertex, counter-clockwise around the face's own
    /// normal.
    pub(crate) edge: [u32; N],
    pub(crate) count: usize,
}

impl<const N: usize> ProjectedPolygon<N> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { u: [0.0; N], v: [0.0; N], vertex: [0; N], edge: [0; N], count: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, [vertex, edge]: [u32; 2], [u, v]: [f32; 2]) {
        if self.count < N {
            (self.u[self.count], self.v[self.count]) = (u, v);
            (self.vertex[self.count], self.edge[self.count]) = (vertex, edge);
            self.count += 1;
        }
    }

    #[inline]
    pub(crate) fn at(&self, vertex: usize) -> [f32; 2] {
        [self.u[vertex], self.v[vertex]]
    }

    #[inline]
    pub(crate) fn next(&self, vertex: usize) -> usize {
        if vertex + 1 < self.count { vertex + 1 } else { 0 }
    }

    /// The line from a vertex to the next one, and an upper bound of the length of that edge.
    #[inline]
    pub(crate) fn line(&self, vertex: usize) -> (EdgeLine, f32) {
        let ([u, v], [to_u, to_v]) = (self.at(vertex), self.at(self.next(vertex)));
        let (du, dv) = (to_u - u, to_v - v);
        let line = EdgeLine { a: -dv, b: du, c: dv * u - du * v };
        (line, du.abs() + dv.abs())
    }

    /// Whether the bounding rectangle, enlarged by `tolerance`, contains a point. The edge lines of
    /// a needle-shaped face do not bound its length: beyond its tip a point stays within their
    /// tolerance for a long way.
    pub(crate) fn bounds_contain(&self, uv: [f32; 2], tolerance: f32) -> bool {
        let (mut min, mut max) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for vertex in 0..self.count {
            for (axis, value) in self.at(vertex).into_iter().enumerate() {
                min[axis] = scalar::min(min[axis], value);
                max[axis] = scalar::max(max[axis], value);
            }
        }
        (0..2).all(|axis| uv[axis] >= min[axis] - tolerance && uv[axis] <= max[axis] + tolerance)
    }

    /// Whether the polygon, enlarged by `tolerance`, contains a point.
    #[inline]
    pub(crate) fn contains(&self, uv: [f32; 2], tolerance: f32) -> bool {
        let (mut is_outside_any, mut max_outside) = (false, 0.0_f32);
        for vertex in 0..self.count {
            let (line, length) = self.line(vertex);
            let inside = line.evaluate(uv);
            if inside < 0.0 {
                is_outside_any = true;
                let outside = -inside / length;
                max_outside = if outside > max_outside { outside } else { max_outside };
            }
        }
        !is_outside_any || (max_outside <= tolerance && self.bounds_contain(uv, tolerance))
    }
}

/// Line `a u + b v + c = 0`; positive inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeLine {
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) c: f32,
}

impl EdgeLine {
    #[inline]
    pub(crate) fn evaluate(self, [u, v]: [f32; 2]) -> f32 {
        self.a * u + self.b * v + self.c
    }
}
