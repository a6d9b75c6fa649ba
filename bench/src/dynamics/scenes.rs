//! Scenes: piles of one shape in a basin, and stacks that should stand.

use embate::shapes::{ConvexHull, Cuboid, Shape, Sphere};
use embate::{Pose, Rotation, Vec3};
use embate_scene::random::Random;

use super::Options;

pub struct Scene {
    pub name: String,
    pub bodies: Vec<Body>,
    pub steps: u32,
    /// Whether bodies should not move, so that their drift is reported.
    pub should_stand: bool,
}

pub struct Body {
    pub shape: Shape,
    pub pose: Pose,
    /// `None` for a static body.
    pub mass: Option<f32>,
}

/// Steps of a pile, 5 s: it falls for the first second, then rests.
const PILE_STEPS: u32 = 300;
/// Steps of a stack, 20 s.
const STANDING_STEPS: u32 = 1200;

/// The selected scenes.
pub fn all(options: &Options) -> Vec<Scene> {
    let mut scenes = Vec::new();
    let is_selected =
        |name: &str, bodies: u32| name.starts_with(&options.scene) && bodies <= options.max_bodies;
    for bodies in [1_000, 5_000] {
        for kind in ["spheres", "boxes", "hulls"] {
            if is_selected(kind, bodies) {
                scenes.push(pile(kind, bodies));
            }
        }
    }
    if is_selected("pyramid", 1_275) {
        scenes.push(pyramid(50));
    }
    if is_selected("stack", 20) {
        scenes.push(stack("stack", &[1.0; 20]));
    }
    if is_selected("heavy-top", 10) {
        let mut masses = [1.0; 10];
        masses[9] = 100.0;
        scenes.push(stack("heavy-top", &masses));
    }
    for scene in &mut scenes {
        scene.steps = options.steps.unwrap_or(scene.steps);
    }
    scenes
}

const VALID: &str = "shapes of these sizes are valid";

fn block(half: Vec3) -> Shape {
    Cuboid::new(half).expect(VALID).into()
}

fn fixed(half: Vec3, at: Vec3) -> Body {
    Body { shape: block(half), pose: Pose::from_translation(at), mass: None }
}

fn ground() -> Body {
    fixed(Vec3::new(100.0, 1.0, 100.0), Vec3::Y * -1.0)
}

/// Bodies with a radius of about 0.5 m, in layers above a basin.
fn pile(kind: &str, bodies: u32) -> Scene {
    let mut random = Random::for_purpose(3, &[bodies.into()]);
    let across = f64::cbrt(f64::from(bodies)).ceil() as u32;
    let half = across as f32 * 0.65;
    let mut all = vec![ground()];
    for (x, z) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let reach = half + 2.0;
        let size =
            Vec3::new(if x == 0.0 { reach } else { 1.0 }, 50.0, if z == 0.0 { reach } else { 1.0 });
        all.push(fixed(size, Vec3::new(x * (half + 1.0), 50.0, z * (half + 1.0))));
    }
    for number in 0..bodies {
        let cell = [number % across, number / across / across, number / across % across];
        let [x, y, z] = cell.map(|cell| cell as f32);
        let middle = (across as f32 - 1.0) * 0.5;
        let mut jitter = || random.between(-0.08, 0.08);
        let at =
            Vec3::new((x - middle) * 1.2 + jitter(), 0.8 + y * 1.15, (z - middle) * 1.2 + jitter());
        let shape = match kind {
            "spheres" => Sphere::new(random.between(0.4, 0.5)).expect(VALID).into(),
            "boxes" => block(Vec3::new(
                random.between(0.3, 0.5),
                random.between(0.3, 0.5),
                random.between(0.3, 0.5),
            )),
            _ => hull(&mut random),
        };
        let rotation = Rotation::from_axis_angle(Vec3::Y, random.between(0.0, 0.3))
            .unwrap_or(Rotation::IDENTITY);
        all.push(Body { shape, pose: Pose { rotation, position: at }, mass: Some(1.0) });
    }
    let name = format!("{kind}-{bodies}");
    Scene { name, bodies: all, steps: PILE_STEPS, should_stand: false }
}

/// Hull of 16 to 32 vertices on a sphere.
fn hull(random: &mut Random) -> Shape {
    let count = 16 + random.below(17);
    loop {
        let mut vertex = || loop {
            let any = Vec3::new(
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
                random.between(-1.0, 1.0),
            );
            let length = any.length();
            if (0.1..1.0).contains(&length) {
                return any * (0.5 / length);
            }
        };
        let points: Vec<Vec3> = (0..count).map(|_| vertex()).collect();
        if let Ok(hull) = ConvexHull::new(&points) {
            return hull.into();
        }
    }
}

/// Rows of boxes of 1 m, each on two of the row below.
fn pyramid(base: u32) -> Scene {
    let mut bodies = vec![ground()];
    for row in 0..base {
        for column in 0..base - row {
            let x = (column as f32 - (base - row - 1) as f32 * 0.5) * 1.05;
            let at = Vec3::new(x, row as f32 + 0.5, 0.0);
            bodies.push(Body {
                shape: block(Vec3::splat(0.5)),
                pose: Pose::from_translation(at),
                mass: Some(1.0),
            });
        }
    }
    Scene { name: "pyramid-50".to_owned(), bodies, steps: STANDING_STEPS, should_stand: true }
}

/// Boxes of 1 m on top of each other.
fn stack(name: &str, masses: &[f32]) -> Scene {
    let mut bodies = vec![ground()];
    for (level, mass) in masses.iter().enumerate() {
        let at = Vec3::Y * (level as f32 + 0.5);
        bodies.push(Body {
            shape: block(Vec3::splat(0.5)),
            pose: Pose::from_translation(at),
            mass: Some(*mass),
        });
    }
    let name = format!("{name}-{}", masses.len());
    Scene { name, bodies, steps: STANDING_STEPS, should_stand: true }
}
