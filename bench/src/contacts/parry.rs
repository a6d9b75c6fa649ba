//! parry 0.31, used as in rapier: one persistent manifold per pair, updated by the persistent
//! dispatcher; then normal and points are transformed to world space, like those of Embate.
//!
//! `cold` clears the manifolds but keeps their allocations. The single-contact query returns the
//! depth, the closest-points query the distance.

use embate::Pose;
use embate::shapes::Shape;
use parry3d::math::{Pose as ParryPose, Vector};
use parry3d::query::{
    ClosestPoints, ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher,
    PersistentQueryDispatcher, closest_points, contact,
};
use parry3d::shape::{Ball, Capsule, Cuboid, HalfSpace, SharedShape, TriMesh, TriMeshFlags};

use super::measure::{Distance, Peer, Query};
use super::scenes::{FRAMES, MARGIN, Motion, Nearness, Workload};

type Manifold = ContactManifold<(), ()>;

/// Shapes, poses and manifolds of all pairs, in parry's types.
pub struct Parry {
    pairs: Vec<Pair>,
}

struct Pair {
    shapes: [SharedShape; 2],
    moving: [[ParryPose; 2]; FRAMES],
    resting: [[ParryPose; 2]; FRAMES],
    manifolds: Vec<Manifold>,
    workspace: Option<ContactManifoldsWorkspace>,
}

impl Pair {
    fn manifold(&mut self, motion: Motion, frame: usize) -> Option<(f32, Vector, Vector)> {
        let [pose_a, pose_b] = match motion {
            Motion::Moving => &self.moving[frame],
            Motion::Resting => &self.resting[frame],
        };
        let [a, b] = &self.shapes;
        let b_in_a = pose_a.inv_mul(pose_b);
        DefaultQueryDispatcher
            .contact_manifolds(
                &b_in_a,
                &*a.0,
                &*b.0,
                MARGIN,
                &mut self.manifolds,
                &mut self.workspace,
            )
            .expect("parry supports all these shapes");
        let manifold = self.manifolds.first().filter(|manifold| !manifold.points.is_empty())?;
        let normal = pose_a.rotation * manifold.local_n1;
        let (mut nearest, mut sum) = (f32::INFINITY, Vector::ZERO);
        for point in &manifold.points {
            // Midway between the two surfaces, in world space.
            let middle = point.local_p1 + manifold.local_n1 * (point.dist * 0.5);
            sum += pose_a.transform_point(middle);
            nearest = if point.dist < nearest { point.dist } else { nearest };
        }
        Some((nearest, normal, sum))
    }

    fn clear(&mut self) {
        for manifold in &mut self.manifolds {
            manifold.points.clear();
            (manifold.local_n1, manifold.local_n2) = (Vector::ZERO, Vector::ZERO);
        }
    }

    fn closest(&self, frame: usize, apart: bool) -> Option<(f32, Vector, Vector)> {
        // Above every distance in the scenes.
        const MAX_DISTANCE: f32 = 100.0;
        let ([pose_a, pose_b], [a, b]) = (&self.moving[frame], &self.shapes);
        if apart {
            match closest_points(pose_a, &*a.0, pose_b, &*b.0, MAX_DISTANCE) {
                Ok(ClosestPoints::WithinMargin(on_a, on_b)) => {
                    let offset = on_b - on_a;
                    let distance = offset.length();
                    Some((distance, offset / distance, on_b))
                }
                _ => None,
            }
        } else {
            let found = contact(pose_a, &*a.0, pose_b, &*b.0, MAX_DISTANCE).ok()??;
            Some((found.dist, found.normal1, found.point2))
        }
    }
}

impl Parry {
    pub fn new(workload: &Workload) -> Self {
        let pairs = workload.pairs.iter().map(|pair| {
            // With a half-space as the second shape its single-contact query is wrong: it uses the
            // inverse of the relative pose.
            let first = usize::from(matches!(pair.shapes[1], Shape::HalfSpace(_)));
            let poses = |poses: [Pose; 2]| [poses[first], poses[1 - first]].map(pose);
            Pair {
                shapes: [shape(&pair.shapes[first]), shape(&pair.shapes[1 - first])],
                moving: pair.moving.map(poses),
                resting: pair.resting.map(poses),
                manifolds: Vec::new(),
                workspace: None,
            }
        });
        Self { pairs: pairs.collect() }
    }
}

impl Peer for Parry {
    fn pass(&mut self, workload: &Workload, query: Query, frame: usize) -> f32 {
        let mut sum = 0.0;
        let apart = workload.state == Nearness::Apart;
        for pair in &mut self.pairs {
            let contact = match query {
                Query::Cold => {
                    pair.clear();
                    pair.manifold(Motion::Moving, frame)
                }
                Query::Cached(motion) => pair.manifold(motion, frame),
                Query::Closest => pair.closest(frame, apart),
            };
            if let Some((distance, normal, point)) = contact {
                sum += distance + normal.x + point.x;
            }
        }
        sum
    }

    fn distances(&mut self, workload: &Workload, query: Query) -> Vec<Distance> {
        let apart = workload.state == Nearness::Apart;
        let result = |pair: &mut Pair| match query {
            Query::Cold => {
                pair.clear();
                pair.manifold(Motion::Moving, 0)
            }
            Query::Cached(motion) => {
                (0..=FRAMES).fold(None, |_, frame| pair.manifold(motion, frame % FRAMES))
            }
            Query::Closest => pair.closest(0, apart),
        };
        self.pairs.iter_mut().map(|pair| result(pair).map(|contact| contact.0.into())).collect()
    }
}

pub fn pose(pose: Pose) -> ParryPose {
    let [x, y, z, w] = pose.rotation.to_array();
    ParryPose::from_parts(
        pose.position.to_array().into(),
        parry3d::math::Rotation::from_xyzw(x, y, z, w),
    )
}

pub fn shape(shape: &Shape) -> SharedShape {
    let vector = |v: embate::Vec3| Vector::from(v.to_array());
    match shape {
        Shape::Sphere(sphere) => SharedShape::new(Ball::new(sphere.radius())),
        Shape::Cuboid(cuboid) => SharedShape::new(Cuboid::new(vector(cuboid.half_extents()))),
        Shape::Capsule(capsule) => {
            SharedShape::new(Capsule::new_y(capsule.half_height(), capsule.radius()))
        }
        Shape::ConvexHull(hull) => {
            let points: Vec<Vector> = hull.vertices().iter().map(|v| vector(*v)).collect();
            SharedShape::convex_hull(&points).expect("a valid hull")
        }
        Shape::HalfSpace(plane) => SharedShape::new(HalfSpace::new(vector(plane.normal()))),
        Shape::TriMesh(mesh) => {
            let corners = mesh.mesh().positions().iter().map(|p| Vector::from(*p)).collect();
            let triangles = mesh.mesh().triangles().to_vec();
            // As Embate's meshes: without contacts at internal edges, two-sided.
            let flags = TriMeshFlags::FIX_INTERNAL_EDGES_TWO_SIDED;
            let mesh = TriMesh::with_flags(corners, triangles, flags);
            SharedShape::new(mesh.expect("a valid mesh"))
        }
        other => panic!("{other:?} is not measured"),
    }
}
