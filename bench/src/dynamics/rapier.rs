//! rapier 0.36 with its `PhysicsWorld` and default parameters, sleeping disabled.
//!
//! Its threads need the Cargo feature `parallel`; without it, it is faster on one thread.

use embate::shapes::Shape;
use embate::{Pose, Rotation, Vec3};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, Pose as RapierPose, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::measure::Engine;
use super::scenes::{Body, Scene};

pub struct Rapier {
    world: PhysicsWorld,
    bodies: Vec<RigidBodyHandle>,
}

impl Rapier {
    pub fn new(scene: &Scene) -> Self {
        let mut world = PhysicsWorld::new();
        let bodies = scene.bodies.iter().map(|body| add(&mut world, body)).collect();
        Self { world, bodies }
    }
}

fn add(world: &mut PhysicsWorld, body: &Body) -> RigidBodyHandle {
    let builder = match body.mass {
        Some(_) => RigidBodyBuilder::dynamic().can_sleep(false),
        None => RigidBodyBuilder::fixed(),
    };
    let collider = match &body.shape {
        Shape::Sphere(sphere) => ColliderBuilder::ball(sphere.radius()),
        Shape::Cuboid(cuboid) => {
            let [x, y, z] = cuboid.half_extents().to_array();
            ColliderBuilder::cuboid(x, y, z)
        }
        Shape::ConvexHull(hull) => {
            let points: Vec<Vector> = hull.vertices().iter().map(|&point| vector(point)).collect();
            ColliderBuilder::convex_hull(&points).expect("rapier accepts the hull")
        }
        other => panic!("no scene has a {}", other.type_name()),
    };
    let collider = collider.friction(0.5).mass(body.mass.unwrap_or(1.0));
    world.insert(builder.pose(pose(&body.pose)), collider).0
}

fn vector(vector: Vec3) -> Vector {
    Vector::from(vector.to_array())
}

fn pose(pose: &Pose) -> RapierPose {
    let [x, y, z, w] = pose.rotation.to_array();
    let rotation = rapier3d::math::Rotation::from_xyzw(x, y, z, w);
    RapierPose::from_parts(vector(pose.position), rotation)
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step();
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |handle: &RigidBodyHandle| {
            let at = self.world.bodies[*handle].position();
            let rotation = Rotation::from_quaternion(at.rotation.to_array());
            let position = Vec3::from(at.translation.to_array());
            Pose { rotation: rotation.unwrap_or(Rotation::IDENTITY), position }
        };
        self.bodies.iter().map(pose).collect()
    }
}
