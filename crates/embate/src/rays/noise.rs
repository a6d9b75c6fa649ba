//! Numbers that look random, and a mesh made of them, for tests.

use embate_mesh::TriangleMesh;

/// What comes next depends on the number it begins with alone.
pub(super) struct Noise(pub(super) u32);

impl Noise {
    /// From 0 up to 1.
    pub(super) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }

    /// Each coordinate from `-size` to `size`.
    pub(super) fn point(&mut self, size: f32) -> [f32; 3] {
        core::array::from_fn(|_| self.between(-1.0, 1.0) * size)
    }
}

/// Large triangles through each other, their corners anywhere in a cube of edge 1.
pub(super) fn soup(count: u32) -> TriangleMesh {
    let mut noise = Noise(1);
    let corners = (0..3 * count).map(|_| [noise.unit(), noise.unit(), noise.unit()]).collect();
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    TriangleMesh::new(corners, triangles).unwrap()
}
