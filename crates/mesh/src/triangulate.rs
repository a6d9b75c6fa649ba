//! Triangulation of polygons (fans) and triangle strips.

/// Triangles of a polygon with this many vertices; 0 below three.
pub(crate) fn triangles_in_polygon(vertices: u64) -> u64 {
    vertices.saturating_sub(2)
}

/// Triangle fan around the first vertex of a polygon, fed vertex by vertex.
///
/// ```text
///   3 ─── 2        0 1 2
///   │  ⟋  │   →    0 2 3
///   0 ─── 1
/// ```
/// Correct for convex polygons, which the formats require.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    first: Option<u32>,
    previous: Option<u32>,
}

impl Fan {
    /// Adds a vertex; from the third on, returns a triangle.
    pub(crate) fn push(&mut self, vertex: u32) -> Option<[u32; 3]> {
        let Some(first) = self.first else {
            self.first = Some(vertex);
            return None;
        };
        let previous = self.previous.replace(vertex)?;
        Some([first, previous, vertex])
    }
}

/// Triangles of a strip with consistent winding, fed vertex by vertex.
///
/// ```text
///   1 ─── 3        0 1 2
///   │  ⟍  │   →    1 3 2
///   0 ─── 2
/// ```
/// Every second triangle of a strip has the opposite winding: two of its vertices are swapped.
#[derive(Debug, Default)]
pub(crate) struct Strip {
    last_two: [Option<u32>; 2],
    is_reversed: bool,
}

impl Strip {
    /// Adds a vertex; from the third on, returns a triangle.
    pub(crate) fn push(&mut self, vertex: u32) -> Option<[u32; 3]> {
        let [older, newer] = self.last_two;
        self.last_two = [newer, Some(vertex)];
        let (older, newer) = (older?, newer?);
        let triangle =
            if self.is_reversed { [older, vertex, newer] } else { [older, newer, vertex] };
        self.is_reversed = !self.is_reversed;
        Some(triangle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pentagon_is_a_fan_of_three_triangles() {
        let mut fan = Fan::default();
        let triangles: Vec<_> = [7, 1, 2, 3, 4].into_iter().filter_map(|v| fan.push(v)).collect();
        assert_eq!(triangles, [[7, 1, 2], [7, 2, 3], [7, 3, 4]]);
    }

    #[test]
    fn triangles_of_a_strip_have_consistent_winding() {
        let mut strip = Strip::default();
        let triangles: Vec<_> = (0..5).filter_map(|v| strip.push(v)).collect();
        assert_eq!(triangles, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    }
}
