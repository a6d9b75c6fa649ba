//! Shapes of every kind and size, each with what the judge takes it for.

use embate::shapes::{Capsule, Cuboid, Hull, MeshShape, Plane, Shape, Sphere};
use embate::{TriangleMesh, Vec3};
use embate_lab::random::Random;

use crate::contact_reference::{Form, Point};

/// The kinds of shapes the judge knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A ball.
    Sphere,
    /// A box.
    Cuboid,
    /// A rounded rod.
    Capsule,
    /// A convex solid.
    Hull,
    /// Everything behind a plane.
    HalfSpace,
    /// A mesh of a single triangle.
    Triangle,
}

/// Every two kinds that can touch, once.
pub const KIND_PAIRS: [[Kind; 2]; 14] = {
    use Kind::{Capsule, Cuboid, HalfSpace, Hull, Sphere};
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

/// Every kind with a triangle of a mesh.
pub const TRIANGLE_PAIRS: [[Kind; 2]; 6] = {
    use Kind::{Capsule, Cuboid, HalfSpace, Hull, Sphere, Triangle};
    [
        [Sphere, Triangle],
        [Cuboid, Triangle],
        [Capsule, Triangle],
        [Hull, Triangle],
        [Triangle, HalfSpace],
        [Triangle, Triangle],
    ]
};

/// A shape as the engine and as the judge has it.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The engine's.
    pub shape: Shape,
    /// The judge's.
    pub form: Form,
}

impl Twin {
    /// What the judge takes a shape for.
    ///
    /// # Panics
    /// For compounds and meshes of several triangles, which are no single solid.
    #[must_use]
    pub fn of(shape: Shape) -> Self {
        let form = match &shape {
            Shape::Sphere(sphere) => Form::sphere(sphere.radius().into()),
            Shape::Cuboid(cuboid) => Form::cuboid(Point::of(cuboid.half())),
            Shape::Capsule(capsule) => {
                Form::capsule(capsule.half_height().into(), capsule.radius().into())
            }
            Shape::Hull(hull) => {
                Form::hull(hull.vertices().iter().copied().map(Point::of).collect())
            }
            Shape::HalfSpace(plane) => Form::half_space(Point::of(plane.normal())),
            Shape::Mesh(mesh) if mesh.mesh().triangles().len() == 1 => {
                Form::triangle(mesh.triangle(0).map(Point::of))
            }
            other => panic!("the judge knows no {other:?}"),
        };
        Self { shape, form }
    }
}

/// Hulls take the judge long to understand, so there is a stock of them, in sizes from 1e-3 to 1e4.
#[derive(Debug)]
pub struct Stock {
    /// Sorted by size.
    hulls: Vec<Twin>,
}

impl Stock {
    /// So many hulls of every awkward kind.
    ///
    /// # Panics
    /// If the engine refuses one of them.
    #[must_use]
    pub fn new(hulls: u32) -> Self {
        let mut hulls: Vec<Twin> = (0..hulls)
            .map(|number| {
                let mut random = Random::for_purpose(6, &[u64::from(number)]);
                let size = size_between(&mut random, 1e-3, 1e4);
                let points = hull_points(number, &mut random);
                // Some lie away from their own origin, up to a hundred times their size.
                let aside = match number % 7 {
                    3 => any_direction(&mut random) * size_between(&mut random, 1.0, 100.0),
                    _ => Point::ZERO,
                };
                let points: Vec<Vec3> =
                    points.iter().map(|p| ((*p + aside) * size).rounded()).collect();
                let hull = Hull::new(&points);
                Twin::of(Shape::from(hull.unwrap_or_else(|why| panic!("hull {number}: {why}"))))
            })
            .collect();
        hulls.sort_by(|a, b| a.form.size().total_cmp(&b.form.size()));
        Self { hulls }
    }

    /// All of them, the smallest first.
    #[must_use]
    pub fn hulls(&self) -> &[Twin] {
        &self.hulls
    }

    /// A shape of a kind, about as large as `size`.
    ///
    /// # Panics
    /// If the engine refuses it: every one is valid.
    #[must_use]
    pub fn shape(&self, kind: Kind, size: f64, random: &mut Random) -> Twin {
        let part = |random: &mut Random| (size * (0.05 + 0.95 * random.unit_f64())) as f32;
        Twin::of(match kind {
            Kind::Sphere => Sphere::new(size as f32).expect("a valid radius").into(),
            Kind::Cuboid => {
                let mut half = Vec3::new(part(random), part(random), part(random));
                match random.below(8) {
                    0 => half = Vec3::splat(half.x),
                    1 => half.y = size as f32 * 0.002,
                    2 => (half.y, half.z) = (size as f32 * 0.01, size as f32 * 0.01),
                    _ => {}
                }
                Cuboid::new(half).expect("valid half-widths").into()
            }
            Kind::Capsule => {
                let half_height = if random.below(16) == 0 { 0.0 } else { part(random) };
                Capsule::new(half_height, part(random)).expect("a valid capsule").into()
            }
            Kind::Hull => {
                let after = self.hulls.partition_point(|hull| hull.form.size() < size);
                // Any of the eight that come next in size.
                let next = (after + random.below(8) as usize).min(self.hulls.len() - 1);
                return self.hulls[next].clone();
            }
            Kind::HalfSpace => {
                let axis = Vec3::AXES[random.below(3) as usize];
                let upright = random.below(2) == 0;
                let normal = if upright { axis } else { any_direction(random).rounded() };
                Plane::new(normal).expect("a valid normal").into()
            }
            Kind::Triangle => triangle(size, random),
        })
    }
}

/// Of every order of magnitude equally often.
#[must_use]
pub fn size_between(random: &mut Random, low: f64, high: f64) -> f64 {
    low * libm::exp(random.unit_f64() * libm::log(high / low))
}

/// Every direction equally often.
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

/// Points of a hull of size 1, by what is awkward about it.
fn hull_points(number: u32, random: &mut Random) -> Vec<Point> {
    let ball = |random: &mut Random| any_direction(random) * (0.4 + 0.6 * random.unit_f64());
    let cloud = |random: &mut Random, count: u32| (0..count).map(|_| ball(random)).collect();
    let squeezed = |points: Vec<Point>, by: [f64; 3]| {
        let squeeze = |p: &Point| Point(core::array::from_fn(|axis| p.0[axis] * by[axis]));
        points.iter().map(squeeze).collect()
    };
    match number % 10 {
        // Far more corners, faces and edges than a search keeps in mind, and faces with more than it lays over
        // each other.
        3 if number % 40 == 13 => ring(random, 48 + number % 50, true),
        3 if number % 40 == 33 => (0..150).map(|_| any_direction(random)).collect(),
        0 => {
            // Four corners that are not nearly in one plane.
            let corners =
                [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
            corners.map(|c| Point(c) * 0.5 + ball(random) * 0.3).to_vec()
        }
        1 => cloud(random, 8),
        2 => cloud(random, 24),
        3 => (0..40).map(|_| any_direction(random)).collect(),
        4 => ring(random, 6 + number % 13, true),
        5 => ring(random, 5 + number % 11, false),
        // A plate and a needle.
        6 => squeezed(cloud(random, 12), [1.0, 0.003, 1.0]),
        7 => squeezed(cloud(random, 12), [0.003, 1.0, 0.003]),
        // Corners on a lattice: many faces in one plane.
        8 => (0..20)
            .map(|_| Point(core::array::from_fn(|_| f64::from(random.below(4)) / 3.0 - 0.5)))
            .chain([[-0.5; 3], [0.5; 3], [0.5, -0.5, 0.5], [-0.5, 0.5, 0.5]].map(Point))
            .collect(),
        // A box that is a hull.
        _ => (0..8_u32)
            .map(|corner| Point(core::array::from_fn(|axis| f64::from(corner >> axis & 1) - 0.5)))
            .collect(),
    }
}

/// A mesh of one triangle, now and then a sliver.
fn triangle(size: f64, random: &mut Random) -> Shape {
    let [a, b, c] = [(); 3].map(|()| any_direction(random) * size);
    let c = if random.below(6) == 0 { a.towards(b, 0.4) + (c - a) * 0.01 } else { c };
    let corners = [a, b, c].map(|corner| corner.rounded().to_array()).to_vec();
    let mesh = TriangleMesh::new(corners, vec![[0, 1, 2]]).expect("a valid mesh");
    MeshShape::new(mesh).expect("a triangle with an area").into()
}

/// A cylinder or a cone.
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
