//! What is there to hit? The study's scenes, made from a seed.

mod builder;
#[cfg(test)]
mod checks;
mod city;
mod house;
mod random_triangles;

pub use city::city;
pub use house::house;
pub use random_triangles::{Family, random_rays, random_triangles};
