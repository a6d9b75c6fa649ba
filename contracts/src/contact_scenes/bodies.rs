//! Random shapes of every type and size, each paired with its f64 reference shape.

use embate::shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Shape, Sphere, TriMesh};
use embate::{TriangleMesh, Vec3};
use embate_scene::random::Random;

use crate::contact_reference::{Point, ReferenceShape};

/// Shape types that the reference supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShapeKind {
    /// Sphere.
    Sphere,
    /// Box.
    Cuboid,
    /// Capsule.
    Capsule,
    /// Convex hull.
    Hull,
    /// Half-space.
    HalfSpace,
    /// Mesh of a single triangle.
    Triangle,
}

/// All pairs of types that can touch, each once.
pub const SHAPE_PAIRS: [[ShapeKind; 2]; 14] = {
    use ShapeKind::{Capsule, Cuboid, HalfSpace, Hull, Sphere};
    [
        [Sphere, Sphere],
        [Sphere, Cuboid],
        [Sphere, Capsule],
        [Sphere, Hull],
        [Sphere, HalfSpace],
        [Cuboid, Cuboid],
        [Cuboid, Capsule],
        [Cuboid, Hull],
        [Cuboid, HalfSpace],
        [Capsule, Capsule],
        [Capsule, Hull],
        [Capsule, HalfSpace],
        [Hull, Hull],
        [Hull, HalfSpace],
    ]
};

/// All pairs of a type and a mesh triangle.
pub const TRIANGLE_PAIRS: [[ShapeKind; 2]; 6] = {
    use ShapeKind::{Capsule, Cuboid, HalfSpace, Hull, Sphere, Triangle};
    [
        [Sphere, Triangle],
        [Cuboid, Triangle],
        [Capsule, Triangle],
        [Hull, Triangle],
        [Triangle, HalfSpace],
        [Triangle, Triangle],
    ]
};

/// A shape of the engine and its reference shape.
#[derive(Clone, Debug)]
pub struct ShapeWithReference {
    /// Shape of the engine.
    pub shape: Shape,
    /// Reference shape, in f64.
    pub reference: ReferenceShape,
}

impl ShapeWithReference {
    /// Pairs a shape with its reference shape.
    ///
    /// # Panics
    /// For compounds and for meshes of several triangles, which are not a single solid.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        let reference = match &shape {
            Shape::Sphere(sphere) => ReferenceShape::sphere(sphere.radius().into()),
            Shape::Cuboid(cuboid) => ReferenceShape::cuboid(Point::of(cuboid.half_extents())),
            Shape::Capsule(capsule) => {
                ReferenceShape::capsule(capsule.half_height().into(), capsule.radius().into())
            }
            Shape::ConvexHull(hull) => {
                ReferenceShape::hull(hull.vertices().iter().copied().map(Point::of).collect())
            }
            Shape::HalfSpace(plane) => ReferenceShape::half_space(Point::of(plane.normal())),
            Shape::TriMesh(mesh) if mesh.mesh().triangles().len() == 1 => {
                ReferenceShape::triangle(mesh.triangle(0).map(Point::of))
            }
            other => panic!("no reference for {other:?}"),
        };
        Self { shape, reference }
    }
}

/// Pool of hulls of sizes from 1e-3 to 1e4: their reference shapes are expensive to build.
#[derive(Debug)]
pub struct HullPool {
    /// Sorted by size.
    hulls: Vec<ShapeWithReference>,
}

impl HullPool {
    /// A pool of `hulls` hulls of all difficult types.
    ///
    /// # Panics
    /// If the engine rejects one of them.
    #[must_use]
    pub fn new(hulls: u32) -> Self {
        let mut hulls: Vec<ShapeWithReference> = (0..hulls)
            .map(|number| {
                let mut random = Random::for_purpose(6, &[u64::from(number)]);
                let size = log_uniform(&mut random, 1e-3, 1e4);
                let points = hull_points(number, &mut random);
                // Some lie up to 100 times their size away from their origin.
                let offset = match number % 7 {
                    3 => any_direction(&mut random) * log_uniform(&mut random, 1.0, 100.0),
                    _ => Point::ZERO,
                };
                let points: Vec<Vec3> =
                    points.iter().map(|p| ((*p + offset) * size).rounded()).collect();
                let hull = ConvexHull::new(&points);
                ShapeWithReference::new(Shape::from(
                    hull.unwrap_or_else(|error| panic!("hull {number}: {error}")),
                ))
            })
            .collect();
        hulls.sort_by(|a, b| a.reference.size().total_cmp(&b.reference.size()));
        Self { hulls }
    }

    /// All hulls, the smallest first.
    #[must_use]
    pub fn hulls(&self) -> &[ShapeWithReference] {
        &self.hulls
    }

    /// A random shape of type `kind`, approximately of size `size`.
    ///
    /// # Panics
    /// If the engine rejects it: every one is valid.
    #[must_use]
    pub fn shape(&self, kind: ShapeKind, size: f64, random: &mut Random) -> ShapeWithReference {
        let length = |random: &mut Random| (size * (0.05 + 0.95 * random.unit_f64())) as f32;
        ShapeWithReference::new(match kind {
            ShapeKind::Sphere => Sphere::new(size as f32).expect("a valid radius").into(),
            ShapeKind::Cuboid => {
                let mut half_extents = Vec3::new(length(random), length(random), length(random));
                match random.below(8) {
                    0 => half_extents = Vec3::splat(half_extents.x),
                    1 => half_extents.y = size as f32 * 0.002,
                    2 => {
                        (half_extents.y, half_extents.z) = (size as f32 * 0.01, size as f32 * 0.01);
                    }
                    _ => {}
                }
                Cuboid::new(half_extents).expect("valid half extents").into()
            }
            ShapeKind::Capsule => {
                let half_height = if random.below(16) == 0 { 0.0 } else { length(random) };
                Capsule::new(half_height, length(random)).expect("a valid capsule").into()
            }
            ShapeKind::Hull => {
                let first = self.hulls.partition_point(|hull| hull.reference.size() < size);
                // One of the next eight in size.
                let index = (first + random.below(8) as usize).min(self.hulls.len() - 1);
                return self.hulls[index].clone();
            }
            ShapeKind::HalfSpace => {
                let axis = Vec3::AXES[random.below(3) as usize];
                let axis_aligned = random.below(2) == 0;
                let normal = if axis_aligned { axis } else { any_direction(random).rounded() };
                HalfSpace::new(normal).expect("a valid normal").into()
            }
            ShapeKind::Triangle => triangle(size, random),
        })
    }
}

/// Log-uniform in `low..high`: all orders of magnitude are equally likely.
#[must_use]
pub fn log_uniform(random: &mut Random, low: f64, high: f64) -> f64 {
    low * libm::exp(random.unit_f64() * libm::log(high / low))
}

/// A uniformly distributed unit vector.
#[must_use]
pub fn any_direction(random: &mut Random) -> Point {
    loop {
        let point = Point(core::array::from_fn(|_| random.unit_f64() * 2.0 - 1.0));
        if (0.1..1.0).contains(&point.length())
            && let Some(unit) = point.unit()
        {
            return unit;
        }
    }
}

/// Points of a hull of size 1, of one of ten difficult types.
fn hull_points(number: u32, random: &mut Random) -> Vec<Point> {
    let in_ball = |random: &mut Random| any_direction(random) * (0.4 + 0.6 * random.unit_f64());
    let cloud = |random: &mut Random, count: u32| (0..count).map(|_| in_ball(random)).collect();
    let scaled = |points: Vec<Point>, factors: [f64; 3]| {
        let scale = |p: &Point| Point(core::array::from_fn(|axis| p.0[axis] * factors[axis]));
        points.iter().map(scale).collect()
    };
    match number % 10 {
        // More vertices, faces and edges than the culled SAT buffers, and faces with more vertices
        // than the clipper.
        3 if number % 40 == 13 => ring(random, 48 + number % 50, true),
        3 if number % 40 == 33 => (0..150).map(|_| any_direction(random)).collect(),
        0 => {
            // Four vertices that are clearly not coplanar.
            let vertices =
                [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
            vertices.map(|c| Point(c) * 0.5 + in_ball(random) * 0.3).to_vec()
        }
        1 => cloud(random, 8),
        2 => cloud(random, 24),
        3 => (0..40).map(|_| any_direction(random)).collect(),
        4 => ring(random, 6 + number % 13, true),
        5 => ring(random, 5 + number % 11, false),
        // Plate, needle.
        6 => scaled(cloud(random, 12), [1.0, 0.003, 1.0]),
        7 => scaled(cloud(random, 12), [0.003, 1.0, 0.003]),
        // Vertices on a lattice: many coplanar faces.
        8 => (0..20)
            .map(|_| Point(core::array::from_fn(|_| f64::from(random.below(4)) / 3.0 - 0.5)))
            .chain([[-0.5; 3], [0.5; 3], [0.5, -0.5, 0.5], [-0.5, 0.5, 0.5]].map(Point))
            .collect(),
        // Box.
        _ => (0..8_u32)
            .map(|vertex| Point(core::array::from_fn(|axis| f64::from(vertex >> axis & 1) - 0.5)))
            .collect(),
    }
}

/// Mesh of one triangle; one in six is a sliver.
fn triangle(size: f64, random: &mut Random) -> Shape {
    let [a, b, c] = [(); 3].map(|()| any_direction(random) * size);
    let c = if random.below(6) == 0 { a.towards(b, 0.4) + (c - a) * 0.01 } else { c };
    let vertices = [a, b, c].map(|vertex| vertex.rounded().to_array()).to_vec();
    let mesh = TriangleMesh::new(vertices, vec![[0, 1, 2]]).expect("a valid mesh");
    TriMesh::new(mesh).expect("a triangle of nonzero area").into()
}

/// Vertices of a cylinder, or of a cone unless `both_ends`.
fn ring(random: &mut Random, sides: u32, both_ends: bool) -> Vec<Point> {
    let height = 0.2 + 0.8 * random.unit_f64();
    let mut points = Vec::new();
    for side in 0..sides {
        let (sin, cos) = libm::sincos(core::f64::consts::TAU * f64::from(side) / f64::from(sides));
        points.push(Point::new(cos, -height, sin) * 0.7);
        if both_ends {
            points.push(Point::new(cos, height, sin) * 0.7);
        }
    }
    if !both_ends {
        points.push(Point::new(0.0, height, 0.0));
    }
    points
}
