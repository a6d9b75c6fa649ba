//! Time of impact of two moving bodies, and of a body and a mesh.
//!
//! parry has separate functions for linear and nonlinear motion, Embate has one. Times are compared
//! with the 4,096 samples of the reference, except for meshes.

use embate::narrow_phase::{Sweep, time_of_impact};
use embate::shapes::Shape;
use embate::{Pose, Vec3};
use embate_contracts::contact_reference::toi::{MovingShape, first_time_within, separation_at};
use embate_contracts::contact_reference::{Point, Quaternion, ReferenceShape};
use embate_contracts::contact_scenes::{
    SHAPE_PAIRS, ShapeKind, any_direction, pose, random_rotation,
};
use embate_scene::random::Random;
use parry3d::math::{Pose as ParryPose, Vector};
use parry3d::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d::shape::SharedShape;

use super::ground::{KINDS, ground};
use super::measure::best_ns;
use super::options::Options;
use super::parry;
use super::scenes::shape;
use crate::harness::table::Table;

const STATES: [&str; 2] = ["sliding", "turning"];

struct Cast {
    shapes: [Shape; 2],
    motions: [Sweep; 2],
    parry: [SharedShape; 2],
    poses: [ParryPose; 2],
    /// Time of the reference; infinite without an impact, NaN if unknown.
    truth: f64,
    moving: Option<[MovingShape; 2]>,
    size: f64,
}

/// Measures the time of impact of every shape pair.
pub fn run(table: &mut Table, options: &Options) {
    let mesh = ground();
    let parry_mesh = parry::shape(&mesh);
    let pairs = SHAPE_PAIRS.into_iter().map(Some).chain(KINDS.map(|_| None));
    for (number, kinds) in pairs.enumerate() {
        let on_mesh = KINDS[number % KINDS.len()];
        let name = match kinds {
            Some([a, b]) => format!("{a:?}-{b:?}").to_lowercase(),
            None => format!("{on_mesh:?}-mesh").to_lowercase(),
        };
        for (state, &state_name) in STATES.iter().enumerate() {
            if !(name.contains(&options.kind) && state_name.contains(&options.state)) {
                continue;
            }
            let mut random = Random::for_purpose(10, &[number as u64, state as u64]);
            let casts: Vec<Cast> = (0..options.pairs)
                .map(|_| match kinds {
                    Some(kinds) => between_bodies(kinds, state == 1, &mut random),
                    None => at_ground(&mesh, &parry_mesh, on_mesh, state == 1, &mut random),
                })
                .collect();
            let best = best_ns(options.repeats, number, casts.len(), |peer| {
                casts
                    .iter()
                    .filter_map(|cast| impact_time(cast, peer, state == 1).unwrap_or(None))
                    .sum()
            });
            let supported = casts.iter().all(|cast| impact_time(cast, 1, state == 1).is_ok());
            let errors = [0, 1].map(|peer| errors(&casts, peer, state == 1));
            let parry = if supported { best[1] } else { f64::NAN };
            table.row(&format!(
                "{name},{state_name},cast,{},1,{:.1},{parry:.1},{:.2},{},{},{:.1e},{:.1e}",
                casts.len(),
                best[0],
                parry / best[0],
                errors[0].0,
                errors[1].0,
                errors[0].1,
                errors[1].1,
            ));
        }
    }
}

fn between_bodies(kinds: [ShapeKind; 2], turning: bool, random: &mut Random) -> Cast {
    let shapes = kinds.map(|kind| shape(kind, random));
    let height = if kinds[1] == ShapeKind::HalfSpace { 2.5 } else { 0.0 };
    let direction = any_direction(random);
    // A half-space does not move; the other body starts above it.
    let first = if height > 0.0 { Point::new(0.0, height, 0.0) } else { direction * -2.5 };
    let rotation = |kind: ShapeKind, random: &mut Random| {
        if kind == ShapeKind::HalfSpace { Quaternion::IDENTITY } else { random_rotation(random) }
    };
    let poses =
        [pose(rotation(kinds[0], random), first), pose(rotation(kinds[1], random), Point::ZERO)];
    let offset = any_direction(random) * (1.2 * random.unit_f64());
    let translation = (Point::ZERO - first + offset) * (0.6 + 0.8 * random.unit_f64());
    let spin = |kind: ShapeKind, random: &mut Random| {
        let angle = if turning && kind != ShapeKind::HalfSpace { random.unit_f64() } else { 0.0 };
        (any_direction(random) * angle).rounded()
    };
    let motions = [
        Sweep::new(poses[0], translation.rounded(), spin(kinds[0], random)),
        Sweep::new(poses[1], Vec3::ZERO, spin(kinds[1], random)),
    ];
    let moving = [0, 1].map(|body| moving(&shapes[body].reference, &motions[body]));
    let truth = first_time_within(&moving[0], &moving[1], 1.0, 0.0).unwrap_or(f64::INFINITY);
    let size = shapes[0].reference.size().max(shapes[1].reference.size());
    let parry = [parry::shape(&shapes[0].shape), parry::shape(&shapes[1].shape)];
    let shapes = shapes.map(|shape| shape.shape);
    let poses = poses.map(parry::pose);
    Cast { shapes, motions, parry, poses, truth, moving: Some(moving), size }
}

fn moving(shape: &ReferenceShape, motion: &Sweep) -> MovingShape {
    MovingShape {
        shape: shape.clone(),
        rotation: Quaternion(motion.start.rotation.to_array().map(f64::from)),
        origin: Point::of(motion.start.position),
        velocity: Point::of(motion.translation),
        angular_velocity: Point::of(motion.rotation_vector),
    }
}

/// A body that moves down to the ground obliquely, or just misses it.
fn at_ground(
    mesh: &Shape,
    parry_mesh: &SharedShape,
    kind: ShapeKind,
    turning: bool,
    random: &mut Random,
) -> Cast {
    let body = shape(kind, random);
    let mut within = |half: f64| (random.unit_f64() * 2.0 - 1.0) * half;
    let (at, translation) = (
        Point::new(within(8.0), 2.5, within(8.0)),
        Point::new(within(3.0), -1.8 + within(0.8), within(3.0)),
    );
    let start = pose(random_rotation(random), at);
    let angle = if turning { random.unit_f64() } else { 0.0 };
    let spin = (any_direction(random) * angle).rounded();
    Cast {
        parry: [parry::shape(&body.shape), parry_mesh.clone()],
        size: body.reference.size(),
        shapes: [body.shape, mesh.clone()],
        motions: [
            Sweep::new(start, translation.rounded(), spin),
            Sweep::stationary(Pose::IDENTITY),
        ],
        poses: [start, Pose::IDENTITY].map(parry::pose),
        truth: f64::NAN,
        moving: None,
    }
}

/// Time of impact from one peer; an error if parry does not support the shapes.
fn impact_time(cast: &Cast, peer: usize, turning: bool) -> Result<Option<f32>, ()> {
    let ([a, b], [motion_a, motion_b]) = (&cast.shapes, &cast.motions);
    if peer == 0 {
        let impact = time_of_impact(a, motion_a, b, motion_b, 0.0);
        return Ok(impact.map(|impact| impact.fraction + 0.0 * impact.normal.x));
    }
    let vector = |v: Vec3| Vector::from(v.to_array());
    let ([a, b], [pose_a, pose_b]) = (&cast.parry, &cast.poses);
    let hit = if turning {
        let motion = |pose: &ParryPose, motion: &Sweep| {
            let (velocity, spin) = (vector(motion.translation), vector(motion.rotation_vector));
            NonlinearRigidMotion::new(*pose, Vector::ZERO, velocity, spin)
        };
        let (one, two) = (motion(pose_a, motion_a), motion(pose_b, motion_b));
        cast_shapes_nonlinear(&one, &*a.0, &two, &*b.0, 0.0, 1.0, true)
    } else {
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let (one, two) = (vector(motion_a.translation), vector(motion_b.translation));
        cast_shapes(pose_a, one, &*a.0, pose_b, two, &*b.0, options)
    };
    Ok(hit.map_err(|_| ())?.map(|hit| hit.time_of_impact))
}

/// Number of wrong results (missed, false, or an error above 1e-3), and the largest error of the
/// times of true impacts.
fn errors(casts: &[Cast], peer: usize, turning: bool) -> (usize, f64) {
    let (mut wrong, mut worst) = (0, 0.0_f64);
    for cast in casts {
        let Some([a, b]) = &cast.moving else { continue };
        match impact_time(cast, peer, turning).unwrap_or(None) {
            None => wrong += usize::from(cast.truth < f64::INFINITY),
            Some(time) => {
                let error = (f64::from(time) - cast.truth).abs();
                // A touch between two samples of the reference counts as correct.
                let touches = separation_at(a, b, time.into()).abs() < 1e-6 * cast.size;
                if error < f64::INFINITY && !touches {
                    worst = worst.max(error);
                }
                wrong += usize::from(error > 1e-3 && !touches);
            }
        }
    }
    (wrong, worst)
}
