//! What is there to hit, and what moves? The studies' scenes, made from a seed.

mod builder;
#[cfg(test)]
mod checks;
mod city;
mod house;
mod moving;
mod random_triangles;

pub use city::city;
pub use house::house;
pub use moving::{Bounds, FRAME_S, IN_A_CLUMP, MovingWorld, Places, Span, WorldPlan};
pub use random_triangles::{Family, random_rays, random_triangles};
