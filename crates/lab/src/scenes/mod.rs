//! What is there to hit? The study's scenes, made from a seed.

mod random_triangles;

pub use random_triangles::{Family, random_rays, random_triangles};
