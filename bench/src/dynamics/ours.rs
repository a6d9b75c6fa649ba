//! World of Embate with default settings, sleeping disabled.

use embate::Pose;
use embate::dynamics::{BodyDef, BodyId, Settings, World};

use super::measure::Engine;
use super::scenes::Scene;

pub struct Ours {
    world: World,
    bodies: Vec<BodyId>,
}

impl Ours {
    pub fn new(scene: &Scene, threads: u32) -> Self {
        let settings =
            Settings { enable_sleep: false, worker_count: threads, ..Settings::default() };
        let mut world = World::new(settings).expect("the settings are valid");
        let add = |body: &super::scenes::Body| {
            let shape = body.shape.clone();
            let def = match body.mass {
                Some(mass) => BodyDef::dynamic(shape, mass),
                None => BodyDef::fixed(shape),
            };
            let def = def.position(body.pose.position).rotation(body.pose.rotation);
            world.insert_body(def).expect("the scene is valid")
        };
        let bodies = scene.bodies.iter().map(add).collect();
        Self { world, bodies }
    }
}

impl Engine for Ours {
    fn step(&mut self) {
        self.world.step();
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |id: &BodyId| self.world.body(*id).map_or(Pose::IDENTITY, |body| body.pose());
        self.bodies.iter().map(pose).collect()
    }
}
