//! Bodies on a ground mesh of 8,192 triangles, with internal-edge handling in both libraries.
//!
//! Only separated pairs are compared with the reference: the penetration of such a mesh is a
//! matter of definition, and the two libraries define it differently.

use embate::math::scalar::sin_cos;
use embate::narrow_phase::{Manifold, closest_points, contact_manifolds};
use embate::shapes::{Shape, TriMesh};
use embate::{Pose, TriangleMesh};
use embate_contracts::contact_reference::{Point, ReferenceShape, Transform, true_separation};
use embate_contracts::contact_scenes::{ShapeKind, ShapeWithReference, pose, random_rotation};
use embate_scene::random::Random;
use parry3d::math::{Pose as ParryPose, Vector};
use parry3d::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    contact,
};
use parry3d::shape::SharedShape;

use super::measure::best_ns;
use super::options::Options;
use super::parry;
use super::scenes::{FRAMES, MARGIN, shape};
use crate::harness::table::Table;

pub const KINDS: [ShapeKind; 4] =
    [ShapeKind::Sphere, ShapeKind::Cuboid, ShapeKind::Capsule, ShapeKind::Hull];

/// Number of cells per side, and their size in m.
const CELLS: u32 = 64;
const CELL: f32 = 0.5;

/// A hilly ground of 32 m by 32 m around the origin.
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

/// A body with its poses in each frame.
struct OnGround {
    shape: ShapeWithReference,
    moving: [Pose; FRAMES],
    resting: [Pose; FRAMES],
}

const STATES: [&str; 2] = ["touching", "apart"];
const QUERIES: [&str; 4] = ["cold", "moving", "resting", "closest"];

/// Measures bodies of every shape on the ground.
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
                let best = best_ns(options.repeats, number, count, |peer| {
                    (0..FRAMES).map(|frame| peers.pass(peer, query, frame)).sum()
                });
                let (wrong, worst) = peers.errors(query);
                table.row(&format!(
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
    let rotation = random_rotation(random);
    let (x, z) = (random.unit_f64() * 24.0 - 12.0, random.unit_f64() * 24.0 - 12.0);
    let gap = if apart { 0.05 + 0.45 * random.unit_f64() } else { 0.02 * random.unit_f64() - 0.01 };
    let mut at = Point::new(x, 3.0, z);
    // Moves down by the distance to the ground; on a slope that is too little, hence the
    // repetition.
    for _ in 0..6 {
        let closest = closest_points(&body.shape, &pose(rotation, at), mesh, &Pose::IDENTITY);
        at = at - Point::new(0.0, f64::from(closest.distance) - gap, 0.0);
    }
    let mut path = |step: f64| {
        let direction = embate_contracts::contact_scenes::any_direction(random);
        core::array::from_fn(|frame: usize| {
            let distance = frame.min(FRAMES - frame) as f64;
            pose(rotation, at + Point::new(direction.0[0], 0.0, direction.0[2]) * (step * distance))
        })
    };
    OnGround { shape: body, moving: path(0.005), resting: path(1e-5) }
}

struct Peers<'a> {
    mesh: &'a Shape,
    parry_mesh: &'a SharedShape,
    bodies: Vec<OnGround>,
    manifolds: Vec<Manifold>,
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
        Self { mesh, parry_mesh, bodies, manifolds: Vec::new(), parry }
    }

    fn pass(&mut self, peer: usize, query: &str, frame: usize) -> f32 {
        let all = 0..self.bodies.len();
        all.filter_map(|body| self.query(peer, query, body, frame)).map(|(d, x)| d + x).sum()
    }

    /// The minimum distance, and a sum over the result, so that the optimizer removes no part of
    /// the query.
    fn query(&mut self, peer: usize, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        if peer == 0 {
            self.query_ours(query, body, frame)
        } else {
            self.query_parry(query, body, frame)
        }
    }

    fn query_ours(&mut self, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        let body = &self.bodies[body];
        let pose = if query == "resting" { &body.resting[frame] } else { &body.moving[frame] };
        if query == "closest" {
            let closest = closest_points(&body.shape.shape, pose, self.mesh, &Pose::IDENTITY);
            return Some((closest.distance, closest.normal.x + closest.points[1].x));
        }
        self.manifolds.clear();
        contact_manifolds(
            &body.shape.shape,
            pose,
            self.mesh,
            &Pose::IDENTITY,
            MARGIN,
            &mut self.manifolds,
        );
        let (mut nearest, mut sum) = (f32::INFINITY, 0.0);
        for manifold in &self.manifolds {
            sum += manifold.normal.x;
            for point in manifold.points() {
                sum += point.position.x;
                nearest = if -point.penetration < nearest { -point.penetration } else { nearest };
            }
        }
        (nearest < f32::INFINITY).then_some((nearest, sum))
    }

    fn query_parry(&mut self, query: &str, body: usize, frame: usize) -> Option<(f32, f32)> {
        let body = &mut self.parry[body];
        let pose = if query == "resting" { &body.resting[frame] } else { &body.moving[frame] };
        let (mesh, mesh_pose) = (&*self.parry_mesh.0, ParryPose::IDENTITY);
        if query == "closest" {
            // 0.6 is above every distance here; a larger limit would visit more triangles.
            let found = contact(pose, &*body.shape.0, &mesh_pose, mesh, 0.6).ok()??;
            return Some((found.dist, found.normal1.x + found.point2.x));
        }
        if query == "cold" {
            body.manifolds.clear();
            body.workspace = None;
        }
        let mesh_in_body = pose.inv_mul(&mesh_pose);
        DefaultQueryDispatcher
            .contact_manifolds(
                &mesh_in_body,
                &*body.shape.0,
                mesh,
                MARGIN,
                &mut body.manifolds,
                &mut body.workspace,
            )
            .expect("parry supports all these shapes");
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

    /// Number of wrong results and maximum error of each peer, for bodies that are separated in the
    /// first frame.
    fn errors(&mut self, query: &str) -> ([usize; 2], [f64; 2]) {
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
            for peer in 0..2 {
                match self.query(peer, query, body, 0) {
                    Some((distance, _)) if truth > 0.0 => {
                        let error = (f64::from(distance) - truth).abs() / size;
                        worst[peer] = worst[peer].max(error);
                        wrong[peer] += usize::from(error > 1e-3);
                    }
                    None if truth < limit - 1e-3 => wrong[peer] += 1,
                    _ => {}
                }
            }
        }
        (wrong, worst)
    }
}

/// Distance of a body from the ground: minimum over all triangles near it, from the reference.
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
