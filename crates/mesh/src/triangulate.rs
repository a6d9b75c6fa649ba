//! How does a polygon or a strip become triangles?

/// Triangles of a polygon with this many corners; none below three.
pub(crate) fn triangles_in_polygon(corners: u64) -> u64 {
    corners.saturating_sub(2)
}

/// Cuts a polygon, given corner by corner, into triangles around its first corner.
///
/// ```text
///   3 ─── 2        0 1 2
///   │  ⟋  │   →    0 2 3
///   0 ─── 1
/// ```
/// Right for convex polygons, which is what the formats ask for.
#[derive(Debug, Default)]
pub(crate) struct Fan {
    first: Option<u32>,
    previous: Option<u32>,
}

impl Fan {
    pub(crate) fn corner(&mut self, vertex: u32) -> Option<[u32; 3]> {
        let Some(first) = self.first else {
            self.first = Some(vertex);
            return None;
        };
        let previous = self.previous.replace(vertex)?;
        Some([first, previous, vertex])
    }
}

/// Turns a strip, given corner by corner, into triangles that all face the same way.
///
/// ```text
///   1 ─── 3        0 1 2
///   │  ⟍  │   →    1 3 2
///   0 ─── 2
/// ```
/// Every second triangle of a strip is wound backwards; two of its corners are swapped.
#[derive(Debug, Default)]
pub(crate) struct Strip {
    last_two: [Option<u32>; 2],
    backwards: bool,
}

impl Strip {
    pub(crate) fn corner(&mut self, vertex: u32) -> Option<[u32; 3]> {
        let [older, old] = self.last_two;
        self.last_two = [old, Some(vertex)];
        let (older, old) = (older?, old?);
        let triangle = if self.backwards { [older, vertex, old] } else { [older, old, vertex] };
        self.backwards = !self.backwards;
        Some(triangle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pentagon_makes_three_triangles_around_its_first_corner() {
        let mut fan = Fan::default();
        let triangles: Vec<_> = [7, 1, 2, 3, 4].into_iter().filter_map(|v| fan.corner(v)).collect();
        assert_eq!(triangles, [[7, 1, 2], [7, 2, 3], [7, 3, 4]]);
    }

    #[test]
    fn every_triangle_of_a_strip_faces_the_same_way() {
        let mut strip = Strip::default();
        let triangles: Vec<_> = (0..5).filter_map(|v| strip.corner(v)).collect();
        assert_eq!(triangles, [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    }
}
