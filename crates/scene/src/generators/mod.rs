//! Scene generators: random triangles, house, city, closed meshes and moving worlds, each a function
//! of a seed.

mod builder;
mod city;
pub mod closed_meshes;
mod house;
#[cfg(test)]
mod model_checks;
mod moving_world;
mod random_triangles;

pub use city::city;
pub use house::house;
pub use moving_world::{
    Bounds, CLUSTER_SIZE, Distribution, FRAME_S, MovingWorld, MovingWorldDef, Span,
};
pub use random_triangles::{Family, random_rays, random_triangles};
