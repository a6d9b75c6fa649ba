//! Bodies on a ground of 8,192 triangles, which meet without a bump in both engines.
//!
//! Only separated pairs are compared with the reference: the penetration of a welded mesh is a
//! matter of definition, and the two engines define it differently.

use embate::math::scalar::sin_cos;
use embate::narrow_phase::{Manifold, closest_points, contact_manifolds};
use embate::shapes::{Shape, TriMesh};
use embate::{Pose, TriangleMesh};
use embate_contracts::contact_reference::{Point, ReferenceShape, Transform, true_separation};
use embate_contracts::contact_scenes::{ShapeKind, ShapeWithReference, pose, random_rotation};
use embate_lab::random::Random;
use parry3d::math::{Pose as ParryPose, Vector};
use parry3d::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    contact,
};
use parry3d::shape::SharedShape;

use super::measure::best_of;
use super::options::Options;
use super::parry;
use super::scenes::{FRAMES, MARGIN, shape};
use crate::table::Table;

pub const KINDS: [ShapeKind; 4] =
    [ShapeKind::Sphere, ShapeKind::Cuboid, ShapeKind::Capsule, ShapeKind::Hull];

/// Cells a side, of half a metre.
const CELLS: u32 = 64;
const CELL: f32 = 0.5;

/// Gentle hills of 16 m by 16 m about the origin.
pub fn ground() -> Shape {
    let at = |i: u32| (i as f32 - CELLS as f32 * 0.5) * CELL;
    let height = |x: f32, z: f32| 0.25 * sin_cos(0.9 * x + 0.3).0 * sin_cos(0.7 * z).1;
    let row = CELLS + 1;
    let points: Vec<[f32; 3]> = (0..row * row)
        .map(|i| {
            let (x, z) = (at(i % row), at(i / row));
            [x, height(x, z), z]
        })
        .collect();
    let triangles = (0..CELLS * CELLS)
        .flat_map(|cell| {
            let corner = cell / CELLS * row + cell % CELLS;
            [[corner, corner + row, corner + 1], [corner + 1, corner + row, corner + row + 1]]
        })
        .collect();
    let mesh = TriangleMesh::new(points, triangles).expect("a valid mesh");
    TriMesh::new(mesh).expect("a mesh with an area").into()
}

/// A body and where it is in each frame.
struct OnGround {
    shape: ShapeWithReference,
    moving: [Pose; FRAMES],
    resting: [Pose; FRAMES],
}

const STATES: [&str; 2] = ["touching", "apart"];
const QUERIES: [&str; 4] = ["cold", "moving", "resting", "closest"];

/// Measures bodies of every kind on the ground.
pub fn run(table: &mut Table, options: &Options) {
    let mesh = ground();
    let parry_mesh = parry::shape(&mesh);
    for (number, kind) in KINDS.into_iter().enumerate() {
        let name = format!("{kind:?}-mesh").to_lowercase();
        for (state, &state_name) in STATES.iter().enumerate() {
            if !(name.contains(&options.kind) && state_name.contains(&options.state)) {
                continue;
            }
            let mut random = Random::for_purpose(9, &[number as u64, state as u64]);
            let bodies: Vec<OnGround> = (0..options.pairs)
                .map(|_| on_ground(&mesh, kind, state_name == "apart", &mut random))
                .collect();
            let mut peers = Peers::new(&mesh, &parry_mesh, bodies);
            for query in QUERIES {
                let count = FRAMES * peers.bodies.len();
                let best = best_of(options.repeats, number, count, |which| {
                    (0..FRAMES).map(|frame| peers.pass(which, query, frame)).sum()
                });
                let (wrong, worst) = peers.judged(query);
                table.line(&format!(
                    "{name},{state_name},{query},{},{FRAMES},{:.1},{:.1},{:.2},{},{},{:.1e},{:.1e}",
                    peers.bodies.len(),
                    best[0],
                    best[1],
                    best[1] / best[0],
                    wrong[0],
                    wrong[1],
                    worst[0],
                    worst[1],
                ));
            }
        }
    }
}

fn on_ground(mesh: &Shape, kind: ShapeKind, apart: bool, random: &mut Random) -> OnGround {
    let body = shape(kind, random);
    let turn = random_rotation(random);
    let (x, z) = (random.unit_f64() * 24.0 - 12.0, random.unit_f64() * 24.0 - 12.0);
    let gap = if apart { 0.05 + 0.45 * random.unit_f64() } else { 0.02 * random.unit_f64() - 0.01 };
    let mut at = Point::new(x, 3.0, z);
    // Down by what is between; on a slope that is too little, so again.
    for _ in 0..6 {
        let told = closest_points(&body.shape, &pose(turn, at), mesh, &Pose::IDENTITY);
        at = at - Point::new(0.0, f64::from(told.distance) - gap, 0.0);
    }
    let mut path = |step: f64| {
        let way = embate_contracts::contact_scenes::any_direction(random);
        core::array::from_fn(|frame: usize| {
            let far = frame.min(FRAMES - frame) as f64;
            pose(turn, at + Point::new(way.0[0], 0.0, way.0[2]) * (step * far))
        })
    };
    OnGround { shape: body, moving: path(0.005), resting: path(1e-5) }
}

struct Peers<'a> {
    mesh: &'a Shape,
    parry_mesh: &'a SharedShape,
    bodies: Vec<OnGround>,
    found: Vec<Manifold>,
    parry: Vec<ParryBody>,
}

struct ParryBody {
    shape: SharedShape,
    moving: [ParryPose; FRAMES],
    resting: [ParryPose; FRAMES],
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
}

impl<'a> Peers<'a> {
    fn new(mesh: &'a Shape, parry_mesh: &'a SharedShape, bodies: Vec<OnGround>) -> Self {
        let parry = bodies
            .iter()
            .map(|body| ParryBody {
                shape: parry::shape(&body.shape.shape),
                moving: body.moving.map(parry::pose),
                resting: body.resting.map(parry::pose),
                manifolds: Vec::new(),
                workspace: None,
            })
            .collect();
        Self { mesh, parry_mesh, bodies, found: Vec::new(), parry }
    }

    fn pass(&mut self, which: usize, query: &str, frame: usize) -> f32 {
        let all = 0..self.bodies.len();
        all.filter_map(|body| self.ask(which, query, body, frame)).map(|(d, x)| d + x).sum()
    }

    /// The nearest distance, and a sum that uses all of the answer.
    fn ask(&mut self, which: usize, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        if which == 0 {
            self.ask_ours(query, body, frame)
        } else {
            self.ask_parry(query, body, frame)
        }
    }

    fn ask_ours(&mut self, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        let body = &self.bodies[body];
        let pose = if query == "resting" { &body.resting[frame] } else { &body.moving[frame] };
        if query == "closest" {
            let told = closest_points(&body.shape.shape, pose, self.mesh, &Pose::IDENTITY);
            return Some((told.distance, told.normal.x + told.points[1].x));
        }
        self.found.clear();
        contact_manifolds(
            &body.shape.shape,
            pose,
            self.mesh,
            &Pose::IDENTITY,
            MARGIN,
            &mut self.found,
        );
        let (mut nearest, mut sum) = (f32::INFINITY, 0.0);
        for manifold in &self.found {
            sum += manifold.normal.x;
            for point in manifold.points() {
                sum += point.position.x;
                nearest = if -point.penetration < nearest { -point.penetration } else { nearest };
            }
        }
        (nearest < f32::INFINITY).then_some((nearest, sum))
    }

    fn ask_parry(&mut self, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        let body = &mut self.parry[body];
        let pose = if query == "resting" { &body.resting[frame] } else { &body.moving[frame] };
        let (mesh, at_rest) = (&*self.parry_mesh.0, ParryPose::IDENTITY);
        if query == "closest" {
            // No farther than any of them is: it would ask all triangles within.
            let found = contact(pose, &*body.shape.0, &at_rest, mesh, 0.6).ok()??;
            return Some((found.dist, found.normal1.x + found.point2.x));
        }
        if query == "cold" {
            body.manifolds.clear();
            body.workspace = None;
        }
        let seen = pose.inv_mul(&at_rest);
        DefaultQueryDispatcher
            .contact_manifolds(
                &seen,
                &*body.shape.0,
                mesh,
                MARGIN,
                &mut body.manifolds,
                &mut body.workspace,
            )
            .expect("parry knows every kind of ours");
        let (mut nearest, mut sum) = (f32::INFINITY, 0.0);
        for manifold in &body.manifolds {
            let normal: Vector = pose.rotation * manifold.local_n1;
            sum += if manifold.points.is_empty() { 0.0 } else { normal.x };
            for point in &manifold.points {
                let middle = point.local_p1 + manifold.local_n1 * (point.dist * 0.5);
                sum += pose.transform_point(middle).x;
                nearest = if point.dist < nearest { point.dist } else { nearest };
            }
        }
        (nearest < f32::INFINITY).then_some((nearest, sum))
    }

    /// Wrong answers of each and the worst error, of bodies that are apart in the first frame.
    fn judged(&mut self, query: &str) -> ([usize; 2], [f64; 2]) {
        let (mut wrong, mut worst) = ([0; 2], [0.0_f64; 2]);
        for body in 0..self.bodies.len() {
            let at = if query == "resting" {
                self.bodies[body].resting[0]
            } else {
                self.bodies[body].moving[0]
            };
            let truth = truth(self.mesh, &self.bodies[body].shape, &at);
            let size = self.bodies[body].shape.reference.size();
            let limit = if query == "closest" { f64::INFINITY } else { f64::from(MARGIN) };
            for which in 0..2 {
                match self.ask(which, query, body, 0) {
                    Some((distance, _)) if truth > 0.0 => {
                        let error = (f64::from(distance) - truth).abs() / size;
                        worst[which] = worst[which].max(error);
                        wrong[which] += usize::from(error > 1e-3);
                    }
                    None if truth < limit - 1e-3 => wrong[which] += 1,
                    _ => {}
                }
            }
        }
        (wrong, worst)
    }
}

/// How far a body is from the ground, by every triangle near it.
fn truth(mesh: &Shape, body: &ShapeWithReference, at: &Pose) -> f64 {
    let Shape::TriMesh(mesh) = mesh else { return f64::INFINITY };
    let mut near = Vec::new();
    let mut bounds = body.shape.aabb(at);
    for axis in 0..3 {
        bounds.min[axis] -= 1.0;
        bounds.max[axis] += 1.0;
    }
    mesh.triangles_in_aabb(&bounds, &mut near);
    let solid = body.reference.placed(&Transform::of(at));
    let origin = Transform::of(&Pose::IDENTITY);
    near.iter()
        .map(|&triangle| {
            let form = ReferenceShape::triangle(mesh.triangle(triangle).map(Point::of));
            true_separation(&solid, &form.placed(&origin)).separation
        })
        .fold(f64::INFINITY, f64::min)
}
