//! Collision detection and rigid-body dynamics: ray casting, broad phase, narrow phase, time of
//! impact, and a deterministic soft-step solver.
//!
//! | question | module | start with |
//! |---|---|---|
//! | Which triangle does a ray hit? | [`raycast`] | [`TriangleIndex`] |
//! | … in a scene of many instances? | [`raycast`] | [`Instances`] |
//! | Which point of a mesh is closest? | [`raycast`] | [`TriangleIndex::closest_point`] |
//! | Which boxes overlap, once? | [`broad_phase`] | [`overlapping_pairs`] |
//! | … every frame? | [`broad_phase`] | [`IncrementalBroadPhase`] |
//! | Which boxes overlap a box, sphere, frustum or ray? | [`broad_phase`] | [`DynamicBvh`] |
//! | Where do two shapes touch? | [`narrow_phase`] | [`contact_manifold`] |
//! | How far apart are they? | [`narrow_phase`] | [`closest_points`] |
//! | When do two moving shapes touch? | [`narrow_phase`] | [`time_of_impact`] |
//! | How do bodies and joints move? | [`dynamics`] | [`World`] |
//! | Which bodies does a ray or shape cast hit? | [`dynamics`] | [`World::cast_ray`] |
//! | How are spheres, boxes, hulls and meshes represented? | [`shapes`] | [`Shape`] |
//! | Which structure suits this input? | [`advisor`] | [`recommend_broad_phase`] |
//! | Vectors, rotations, poses | [`math`] | [`Vec3`], [`Pose`] |
//! | Boxes, rays, triangles, exact predicates | [`geometry`] | [`Aabb`], [`Ray`] |
//! | How is a mesh file read? | [`mesh_io`] | [`load`](mesh_io::load) |
//!
//! Results are bit-identical on every platform and for any number of threads. The units of
//! [`dynamics`] are meters, kilograms and seconds.
//!
//! # Cargo features
//!
//! | feature | default | contains |
//! |---|---|---|
//! | `raycast` | yes | [`raycast`] and the part of [`advisor`] for ray indices |
//! | `broad-phase` | yes | [`broad_phase`] and the part of [`advisor`] for it |
//! | `dynamics` | yes | [`dynamics`], [`narrow_phase`] and [`shapes`]; enables `broad-phase` |
//! | `mesh-io` | yes | [`mesh_io`]: readers and writers of mesh files |
//! | `parallel` | yes | threads of a rayon pool; without it, the same bits on the calling thread |
//! | `serde` | no | `Serialize` and `Deserialize` of vectors, rotations, poses, boxes, rays |
//! | `mint`, `glam` | no | conversions of vectors, rotations and matrices |
//!
//! [`math`], [`geometry`] and [`TriangleMesh`] do not depend on features. A crate that only casts
//! rays compiles in 19 instead of 47 s in release on two cores (decision 12) with
//! `embate = { …, default-features = false, features = ["raycast"] }`.
//!
//! # Ray casting
//! ```
//! use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
//!
//! let vertices = vec![[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [0.0, 4.0, 5.0]];
//! let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
//! let hit = index.closest_hit(&Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
//! assert_eq!((hit.triangle, hit.t), (0, 5.0));
//! # Ok::<(), embate::MeshValidationError>(())
//! ```
//!
//! # Broad phase
//! ```
//! use embate::{Aabb, broad_phase::overlapping_pairs};
//!
//! let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
//! assert_eq!(overlapping_pairs(&[square(0.0), square(5.0), square(0.5)])?, [[0, 2]]);
//! # Ok::<(), embate::broad_phase::AabbError>(())
//! ```
//!
//! # Narrow phase
//! ```
//! use embate::narrow_phase::{closest_points, contact_manifold};
//! use embate::shapes::{Cuboid, Shape, Sphere};
//! use embate::{Pose, Vec3};
//!
//! let floor = Shape::from(Cuboid::new(Vec3::new(5.0, 0.5, 5.0))?);
//! let sphere = Shape::from(Sphere::new(1.0)?);
//! let touching = Pose::from_translation(Vec3::new(0.0, 1.25, 0.0));
//! let manifold = contact_manifold(&floor, &Pose::IDENTITY, &sphere, &touching, 0.0).unwrap();
//! assert_eq!((manifold.normal, manifold.points()[0].penetration), (Vec3::Y, 0.25));
//! let above = Pose::from_translation(Vec3::new(0.0, 3.5, 0.0));
//! assert_eq!(closest_points(&floor, &Pose::IDENTITY, &sphere, &above).distance, 2.0);
//! # Ok::<(), embate::shapes::ShapeError>(())
//! ```
//!
//! # Dynamics
//! ```
//! use embate::dynamics::{BodyDef, Settings, World};
//! use embate::shapes::{HalfSpace, Sphere};
//! use embate::Vec3;
//!
//! let mut world = World::new(Settings::default())?;
//! world.insert_body(BodyDef::fixed(HalfSpace::new(Vec3::Y)?))?;
//! let sphere = BodyDef::dynamic(Sphere::new(0.5)?, 1.0).position(Vec3::new(0.0, 2.0, 0.0));
//! let sphere = world.insert_body(sphere)?;
//! for _ in 0..240 {
//!     world.step();
//! }
//! assert!((world.body(sphere).unwrap().position().y - 0.5).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Shapes
//! ```
//! use embate::{Pose, Ray, shapes::{Shape, Sphere}};
//!
//! let sphere = Shape::from(Sphere::new(0.5)?);
//! let hit = sphere.cast_ray(&Pose::IDENTITY, &Ray::new([0.0, 0.0, -2.0], [0.0, 0.0, 1.0]));
//! assert_eq!(hit.map(|hit| hit.t), Some(1.5));
//! # Ok::<(), embate::shapes::ShapeError>(())
//! ```
//!
//! # Advisor
//! ```
//! use embate::{Aabb, advisor::recommend_broad_phase, broad_phase::AabbSlice};
//!
//! let boxes = vec![Aabb { min: [0.0; 3], max: [1.0; 3] }; 1_000];
//! let advice = recommend_broad_phase(AabbSlice::new(&boxes)?, 0.1);
//! assert_eq!((advice.kind.name(), advice.use_incremental), ("sweep", true));
//! # Ok::<(), embate::broad_phase::AabbError>(())
//! ```
//!
//! [`TriangleIndex`]: raycast::TriangleIndex
//! [`Instances`]: raycast::Instances
//! [`TriangleIndex::closest_point`]: raycast::TriangleIndex::closest_point
//! [`overlapping_pairs`]: broad_phase::overlapping_pairs
//! [`IncrementalBroadPhase`]: broad_phase::IncrementalBroadPhase
//! [`DynamicBvh`]: broad_phase::DynamicBvh
//! [`contact_manifold`]: narrow_phase::contact_manifold
//! [`closest_points`]: narrow_phase::closest_points()
//! [`time_of_impact`]: narrow_phase::time_of_impact
//! [`World`]: dynamics::World
//! [`World::cast_ray`]: dynamics::World::cast_ray
//! [`Shape`]: shapes::Shape
//! [`recommend_broad_phase`]: advisor::recommend_broad_phase

#[cfg(any(feature = "raycast", feature = "broad-phase"))]
#[doc(alias = "advise")]
pub mod advisor;
#[cfg(feature = "broad-phase")]
#[doc(alias = "pairs")]
pub mod broad_phase;
#[cfg(feature = "dynamics")]
#[doc(alias = "motion")]
pub mod dynamics;
pub mod geometry;
pub mod math;
#[cfg(feature = "mesh-io")]
pub mod mesh_io;
#[cfg(feature = "dynamics")]
#[doc(alias = "contacts")]
pub mod narrow_phase;
#[cfg(any(feature = "raycast", feature = "broad-phase"))]
mod no_stats;
#[cfg(any(feature = "raycast", feature = "broad-phase", test))]
mod parallel;
#[cfg(feature = "raycast")]
#[doc(alias = "rays")]
pub mod raycast;
#[cfg(feature = "dynamics")]
pub mod shapes;

#[doc(no_inline)]
pub use geometry::{Aabb, MeshValidationError, Ray, Triangle, TriangleMesh};
#[doc(no_inline)]
pub use math::{Pose, Rotation, Vec3};

/// Doc tests of the Rust samples in `README.md` and `docs/guide`. One module per page, so that a
/// failure names the page.
#[cfg(all(doctest, feature = "raycast", feature = "dynamics", feature = "mesh-io"))]
mod documentation {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../README.pt-BR.md")]
    mod readme_pt_br {}

    #[doc = include_str!("../../../docs/guide/getting-started.md")]
    mod getting_started {}
    #[doc = include_str!("../../../docs/guide/getting-started.pt-BR.md")]
    mod getting_started_pt_br {}
    #[doc = include_str!("../../../docs/guide/rays-and-meshes.md")]
    mod rays_and_meshes {}
    #[doc = include_str!("../../../docs/guide/broad-phase.md")]
    mod broad_phase {}
    #[doc = include_str!("../../../docs/guide/contacts-and-distance.md")]
    mod contacts_and_distance {}
    #[doc = include_str!("../../../docs/guide/dynamics.md")]
    mod dynamics {}
    #[doc = include_str!("../../../docs/guide/scenes.md")]
    mod scenes {}
    #[doc = include_str!("../../../docs/guide/studies.md")]
    mod studies {}
    #[doc = include_str!("../../../docs/guide/determinism.md")]
    mod determinism {}
    #[doc = include_str!("../../../docs/guide/choosing-a-structure.md")]
    mod choosing_a_structure {}
    #[doc = include_str!("../../../docs/guide/from-other-engines.md")]
    mod from_other_engines {}
}
