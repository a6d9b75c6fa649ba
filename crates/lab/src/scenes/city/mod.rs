//! Stand-in for study A's `scificity`, whose file is lost: a city of 118,026 triangles.

use embate::TriangleMesh;

use super::builder::Builder;

/// The city, the same to the bit each time.
#[must_use]
pub fn city() -> TriangleMesh {
    let mut builder = Builder::new();
    builder.block([0.0; 3], [480.0, 100.0, 480.0]);
    builder.finish()
}
