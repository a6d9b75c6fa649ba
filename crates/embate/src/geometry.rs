//! Geometric primitives: boxes, spheres, planes, rays, triangles, meshes, cameras and exact
//! predicates.
//!
//! ```
//! use embate::geometry::{Aabb, BoundingSphere};
//!
//! let cube = Aabb { min: [0.0; 3], max: [1.0; 3] };
//! let sphere = BoundingSphere { center: [2.0, 0.5, 0.5], radius: 1.0 };
//! assert!(sphere.intersects_aabb(&cube));
//! ```

#[doc(inline)]
pub use embate_geom::{
    Aabb, BoundingSphere, Camera, ConvexVolume, CullMode, Plane, PrimaryRays, Ray, RaySlabs,
    Triangle, TriangleHit, WatertightRay, predicates,
};
#[doc(inline)]
pub use embate_mesh::{MeshValidationError, TriangleMesh};
