//! Box3D through `boxddd_sys`, which compiles its C: default settings with four sub-steps, sleeping
//! disabled.
#![allow(unsafe_code)] // The engine is C.

use boxddd_sys::ffi;
use embate::shapes::Shape;
use embate::{Pose, Rotation, Vec3};

use super::measure::Engine;
use super::scenes::{Body, Scene};

pub struct Box3d {
    world: ffi::b3WorldId,
    bodies: Vec<ffi::b3BodyId>,
}

/// The number of its own samples, and of Embate and rapier.
const SUBSTEPS: i32 = 4;

impl Box3d {
    pub fn new(scene: &Scene, threads: u32) -> Self {
        // SAFETY: returns a definition with Box3D's defaults.
        let mut def = unsafe { ffi::b3DefaultWorldDef() };
        def.gravity = vector(Vec3::new(0.0, -9.81, 0.0));
        def.enableSleep = false;
        def.workerCount = threads;
        // SAFETY: the definition is complete, and copied.
        let world = unsafe { ffi::b3CreateWorld(&raw const def) };
        let bodies = scene.bodies.iter().map(|body| add(world, body)).collect();
        Self { world, bodies }
    }
}

fn add(world: ffi::b3WorldId, body: &Body) -> ffi::b3BodyId {
    // SAFETY: returns definitions with Box3D's defaults.
    let (mut def, mut shape_def) = unsafe { (ffi::b3DefaultBodyDef(), ffi::b3DefaultShapeDef()) };
    if body.mass.is_some() {
        def.type_ = ffi::b3BodyType_b3_dynamicBody;
    }
    let [x, y, z, w] = body.pose.rotation.to_array();
    def.position = vector(body.pose.position);
    def.rotation = ffi::b3Quat { v: ffi::b3Vec3 { x, y, z }, s: w };
    shape_def.baseMaterial.friction = 0.5;
    let volume = body.shape.mass_properties().map_or(1.0, |properties| properties.volume);
    shape_def.density = body.mass.unwrap_or(1.0) / volume;
    // SAFETY: the world is alive; definitions and geometry are copied by each call, and the hull
    // that Box3D created of the points is destroyed.
    unsafe {
        let id = ffi::b3CreateBody(world, &raw const def);
        match &body.shape {
            Shape::Sphere(sphere) => {
                let sphere = ffi::b3Sphere { center: vector(Vec3::ZERO), radius: sphere.radius() };
                ffi::b3CreateSphereShape(id, &raw const shape_def, &raw const sphere);
            }
            Shape::Cuboid(cuboid) => {
                let [x, y, z] = cuboid.half_extents().to_array();
                let hull = ffi::b3MakeBoxHull(x, y, z);
                ffi::b3CreateHullShape(id, &raw const shape_def, &raw const hull.base);
            }
            Shape::ConvexHull(hull) => {
                let points: Vec<ffi::b3Vec3> =
                    hull.vertices().iter().map(|&at| vector(at)).collect();
                let count = i32::try_from(points.len()).expect("the hulls have few vertices");
                let hull = ffi::b3CreateHull(points.as_ptr(), count, count);
                assert!(!hull.is_null(), "Box3D accepts the hull");
                ffi::b3CreateHullShape(id, &raw const shape_def, hull);
                ffi::b3DestroyHull(hull);
            }
            other => panic!("no scene has a {}", other.type_name()),
        }
        id
    }
}

fn vector(vector: Vec3) -> ffi::b3Vec3 {
    let [x, y, z] = vector.to_array();
    ffi::b3Vec3 { x, y, z }
}

impl Engine for Box3d {
    fn step(&mut self) {
        // SAFETY: the world is alive.
        unsafe { ffi::b3World_Step(self.world, 1.0 / 60.0, SUBSTEPS) }
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |id: &ffi::b3BodyId| {
            // SAFETY: the body is alive as long as its world.
            let (at, turn) =
                unsafe { (ffi::b3Body_GetPosition(*id), ffi::b3Body_GetRotation(*id)) };
            let rotation = Rotation::from_quaternion([turn.v.x, turn.v.y, turn.v.z, turn.s]);
            let position = Vec3::new(at.x, at.y, at.z);
            Pose { rotation: rotation.unwrap_or(Rotation::IDENTITY), position }
        };
        self.bodies.iter().map(pose).collect()
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        // SAFETY: created in `new`, destroyed once.
        unsafe { ffi::b3DestroyWorld(self.world) }
    }
}
