//! Own broad phase in the simulator of Lasch: a sweep along y that sorts from scratch.
//!
//! `cargo run -p embate-replica --example own_broad_phase`

use std::error::Error;

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OverlapPair};
use embate::dynamics::{BodyDef, Settings, WorldBounds};
use embate::{Vec3, shapes::Sphere};
use embate_replica::lasch::{Config, Parts, Simulator};

#[derive(Clone, Debug, Default)]
struct SweepAlongY {
    order: Vec<u32>,
}

impl BroadPhase<3> for SweepAlongY {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, 3>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let aabb = |index: u32| &boxes[index as usize];
        self.order = (0..boxes.len() as u32).collect();
        self.order.sort_by(|&a, &b| aabb(a).min[1].total_cmp(&aabb(b).min[1]));
        for (place, &one) in self.order.iter().enumerate() {
            let after = self.order[place + 1..].iter();
            for &other in after.take_while(|&&other| aabb(other).min[1] <= aabb(one).max[1]) {
                observer.count_overlap_tests(1);
                if aabb(one).overlaps(aabb(other)) {
                    pairs.push([one, other]);
                }
            }
        }
    }

    fn memory_usage(&self) -> usize {
        self.order.capacity() * size_of::<u32>()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let bounds = WorldBounds::solid(Vec3::splat(-4.0), Vec3::splat(4.0));
    let settings = Settings { bounds: Some(bounds), ..Settings::default() };
    let run = |parts| -> Result<_, Box<dyn Error>> {
        let mut simulator = Simulator::with_parts(settings, Config::PUBLISHED, parts)?;
        for number in 0..100_u16 {
            let at = [number % 5, number / 25, number / 5 % 5].map(|i| f32::from(i) * 1.4 - 2.8);
            simulator.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0).position(at))?;
        }
        (0..300).for_each(|_| simulator.step());
        Ok(simulator.state_hash())
    };
    let own = run(Parts::new().broad_phase(SweepAlongY::default()))?;
    assert_eq!(own, run(Parts::new())?, "every broad phase yields the same motion");
    println!("100 balls, 300 steps: state {own:016x}, as with the study's sweep");
    Ok(())
}
