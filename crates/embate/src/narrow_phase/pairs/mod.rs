//! Specialized contact tests: one file per pair of shapes.

pub(crate) mod capsule_capsule;
pub(crate) mod capsule_cuboid;
pub(crate) mod capsule_hull;
pub(crate) mod cuboid_cuboid;
pub(crate) mod half_space;
pub(crate) mod segment_segment;
pub(crate) mod sphere_capsule;
pub(crate) mod sphere_cuboid;
pub(crate) mod sphere_hull;
pub(crate) mod sphere_sphere;
