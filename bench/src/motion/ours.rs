//! A world of ours, as its settings come, but for sleep.

use embate::Pose;
use embate::motion::{BodyId, BodyPlan, Settings, World};

use super::measure::Engine;
use super::scenes::Scene;

pub struct Ours {
    world: World,
    bodies: Vec<BodyId>,
}

impl Ours {
    pub fn new(scene: &Scene, threads: u32) -> Self {
        let settings = Settings { sleeping: false, threads, ..Settings::default() };
        let mut world = World::new(settings).expect("the settings are ours");
        let add = |body: &super::scenes::Body| {
            let shape = body.shape.clone();
            let plan = match body.mass {
                Some(mass) => BodyPlan::moving(shape, mass),
                None => BodyPlan::still(shape),
            };
            let plan = plan.at(body.pose.position).turned(body.pose.rotation);
            world.add(plan).expect("the scene is valid")
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
