//! Scene generators: random triangles, house, city, closed meshes and moving worlds, each a function
//! of a seed; and three embedded meshes made by artists.

mod artist_meshes;
mod builder;
mod city;
pub mod closed_meshes;
mod house;
#[cfg(test)]
mod model_checks;
mod moving_world;
mod random_triangles;

pub use artist_meshes::{ARTIST_MESHES, artist_meshes};
pub use city::city;
pub use house::house;
pub use moving_world::{
    Bounds, CLUSTER_SIZE, Distribution, FRAME_S, MovingWorld, MovingWorldDef, Span,
};
pub use random_triangles::{Family, random_rays, random_triangles};
