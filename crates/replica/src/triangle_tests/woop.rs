//! Watertight test of Woop, Benthin and Wald (2013): that of the engine, in `embate_geom`.

use embate_geom::{Ray, Triangle, TriangleHit, WatertightRay};

use super::{TriangleTest, TriangleTestKind};

impl TriangleTest for WatertightRay {
    const KIND: TriangleTestKind = TriangleTestKind::Woop;

    #[inline]
    fn new(ray: &Ray<3>) -> Self {
        Self::new(ray)
    }

    #[inline]
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        self.intersect_triangle(triangle, index, t_max)
    }
}
