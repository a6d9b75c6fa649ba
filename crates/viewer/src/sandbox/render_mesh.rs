//! Render mesh: triangles and edges of every body in its own frame, in one list.
//!
//! One list makes a thousand bodies as cheap to draw as one.

use embate::shapes::{Capsule, ConvexHull, Cuboid, Shape};
use embate::{Pose, Vec3, math::scalar};

use super::Sandbox;

/// Sides of a rod, and rings of its round ends.
const SIDES: u32 = 20;
const RINGS: u32 = 5;

/// Triangles of all bodies except half-spaces, which are infinite.
#[derive(Clone, Debug, Default)]
pub struct RenderMesh {
    /// Vertices: position, normal and body number, seven values each.
    pub vertices: Vec<f32>,
    /// Vertex indices, three per triangle, counter-clockwise seen from outside.
    pub triangles: Vec<u32>,
    /// Ends of the edges: position and body number, four values each, two ends per edge.
    pub edges: Vec<f32>,
    /// First index and number of indices of each body's triangles, and the same of its edge ends.
    pub ranges: Vec<u32>,
}

impl Sandbox {
    /// Render mesh, valid until [`shape_version`](Sandbox::shape_version) changes.
    #[must_use]
    pub fn render_mesh(&self) -> RenderMesh {
        let shape =
            |index: usize| self.scene.world.body(self.scene.ids[index]).map(|body| body.shape());
        let bodies = self.scene.ids.len();
        let spheres = (0..bodies).filter(|&index| matches!(shape(index), Some(Shape::Sphere(_))));
        // As round as a stage has room for.
        let cuts = match spheres.count() {
            0..=24 => 3,
            25..=320 => 2,
            _ => 1,
        };
        let ball = Ball::cut(cuts);
        let mut mesh = RenderMesh::default();
        for index in 0..bodies {
            let (first, ends) = (mesh.triangles.len() as u32, mesh.edges.len() as u32 / 4);
            if let Some(shape) = shape(index) {
                MeshWriter {
                    mesh: &mut mesh,
                    body: index as f32,
                    ball: &ball,
                    pose: Pose::IDENTITY,
                }
                .shape(shape);
            }
            let (all, all_ends) = (mesh.triangles.len() as u32, mesh.edges.len() as u32 / 4);
            mesh.ranges.extend([first, all - first, ends, all_ends - ends]);
        }
        mesh
    }
}

/// A ball of radius 1 as triangles.
struct Ball {
    corners: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Ball {
    /// An icosahedron, each triangle cut into four so often.
    fn cut(times: u32) -> Self {
        // The golden ratio: corners of three rectangles that stand in each other, 2 from their
        // neighbors.
        let long = f32::midpoint(1.0, 5.0_f32.sqrt());
        let mut corners = Vec::new();
        for axis in 0..3 {
            for (a, b) in [(1.0, long), (-1.0, long), (1.0, -long), (-1.0, -long)] {
                let mut corner = Vec3::ZERO;
                corner[(axis + 1) % 3] = a;
                corner[(axis + 2) % 3] = b;
                corners.push(corner);
            }
        }
        let mut triangles: Vec<[u32; 3]> = Vec::new();
        let is_edge = |a: Vec3, b: Vec3| (a - b).length_squared() < 4.5;
        for (a, &one) in (0..).zip(&corners) {
            for (b, &other) in (0..).zip(&corners).skip(a as usize + 1) {
                for (c, &third) in (0..).zip(&corners).skip(b as usize + 1) {
                    if is_edge(one, other) && is_edge(other, third) && is_edge(third, one) {
                        let is_seen = (other - one).cross(third - one).dot(one) > 0.0;
                        triangles.push(if is_seen { [a, b, c] } else { [a, c, b] });
                    }
                }
            }
        }
        let unit = |corner: Vec3| corner.try_normalize().unwrap_or(Vec3::Y);
        for corner in &mut corners {
            *corner = unit(*corner);
        }
        for _ in 0..times {
            // Of each corner: to which later ones there is a middle, and which that is.
            let mut middles: Vec<Vec<(u32, u32)>> = vec![Vec::new(); corners.len()];
            let mut finer = Vec::with_capacity(4 * triangles.len());
            for [a, b, c] in triangles {
                let mut middle = |from: u32, to: u32| {
                    let (low, high) = (from.min(to), from.max(to));
                    let known = &mut middles[low as usize];
                    if let Some(&(_, found)) = known.iter().find(|(to, _)| *to == high) {
                        return found;
                    }
                    let made = corners.len() as u32;
                    corners.push(unit(corners[from as usize] + corners[to as usize]));
                    known.push((high, made));
                    made
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
            }
            triangles = finer;
        }
        Self { corners, triangles }
    }
}

/// Draws one body, or a part of it where its pose puts it.
struct MeshWriter<'a> {
    mesh: &'a mut RenderMesh,
    body: f32,
    ball: &'a Ball,
    pose: Pose,
}

impl MeshWriter<'_> {
    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Sphere(sphere) => self.sphere(sphere.radius()),
            Shape::Cuboid(cuboid) => self.cuboid(cuboid),
            Shape::Capsule(capsule) => self.capsule(*capsule),
            Shape::ConvexHull(hull) => self.hull(hull),
            Shape::Compound(compound) => {
                for (pose, part) in compound.sub_shapes() {
                    let (mesh, body, ball) = (&mut *self.mesh, self.body, self.ball);
                    MeshWriter { mesh, body, ball, pose: *pose }.shape(part);
                }
            }
            Shape::TriMesh(mesh) => {
                for triangle in 0..mesh.mesh().triangles().len() as u32 {
                    if let Some(normal) = mesh.triangle_normal(triangle) {
                        self.flat(&mesh.triangle(triangle), normal);
                    }
                }
            }
            _ => {}
        }
    }

    fn corner(&mut self, position: Vec3, normal: Vec3) -> u32 {
        let (position, normal) =
            (self.pose.transform_point(position), self.pose.rotation.rotate(normal));
        self.mesh.vertices.extend(position.to_array());
        self.mesh.vertices.extend(normal.to_array());
        self.mesh.vertices.push(self.body);
        self.mesh.vertices.len() as u32 / 7 - 1
    }

    fn edge(&mut self, from: Vec3, to: Vec3) {
        for end in [from, to] {
            self.mesh.edges.extend(self.pose.transform_point(end).to_array());
            self.mesh.edges.push(self.body);
        }
    }

    /// A flat side with these corners.
    fn flat(&mut self, corners: &[Vec3], normal: Vec3) {
        let numbers: Vec<u32> = corners.iter().map(|&corner| self.corner(corner, normal)).collect();
        for pair in numbers.get(1..).unwrap_or_default().windows(2) {
            self.mesh.triangles.extend([numbers[0], pair[0], pair[1]]);
        }
    }

    fn sphere(&mut self, radius: f32) {
        let first = self.mesh.vertices.len() as u32 / 7;
        for corner in 0..self.ball.corners.len() {
            let normal = self.ball.corners[corner];
            self.corner(normal * radius, normal);
        }
        let corners = self.ball.triangles.iter().flatten().map(|&corner| first + corner);
        self.mesh.triangles.extend(corners);
    }

    fn cuboid(&mut self, cuboid: &Cuboid) {
        let half = cuboid.half_extents();
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for side in [-1.0, 1.0] {
                let corner = |a: f32, b: f32| {
                    let mut corner = Vec3::ZERO;
                    corner[axis] = side * half[axis];
                    // The other way round on the far side, so that it is seen from outside.
                    corner[u] = a * side * half[u];
                    corner[v] = b * half[v];
                    corner
                };
                let corners =
                    [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                self.flat(&corners, Vec3::AXES[axis] * side);
                let mut from = corner(-1.0, side);
                let mut to = corner(1.0, side);
                self.edge(from, to);
                (from[v], to[v]) = (-from[v], -to[v]);
                self.edge(from, to);
            }
        }
    }

    fn capsule(&mut self, capsule: Capsule) {
        let (half, radius) = (capsule.half_height(), capsule.radius());
        let turn = core::f32::consts::TAU / SIDES as f32;
        let quarter = core::f32::consts::FRAC_PI_2 / RINGS as f32;
        let mut rings = Vec::new();
        for ring in 0..=2 * RINGS + 1 {
            // Both round ends have a ring where the rod begins.
            let (up, end) = if ring <= RINGS {
                (ring as f32 * quarter - core::f32::consts::FRAC_PI_2, -half)
            } else {
                ((ring - RINGS - 1) as f32 * quarter, half)
            };
            let (rise, width) = scalar::sin_cos(up);
            let first = self.mesh.vertices.len() as u32 / 7;
            for side in 0..=SIDES {
                let (sine, cosine) = scalar::sin_cos(side as f32 * turn);
                let normal = Vec3::new(width * cosine, rise, width * sine);
                self.corner(normal * radius + Vec3::Y * end, normal);
            }
            rings.push(first);
        }
        for pair in rings.windows(2) {
            for side in 0..SIDES {
                let (a, b) = (pair[0] + side, pair[1] + side);
                self.mesh.triangles.extend([a, b, a + 1, b, b + 1, a + 1]);
            }
        }
    }

    fn hull(&mut self, hull: &ConvexHull) {
        let at = |corner: u32| hull.vertices()[corner as usize];
        for face in hull.faces() {
            let corners: Vec<Vec3> =
                hull.face_vertices(face).iter().map(|&corner| at(corner)).collect();
            self.flat(&corners, face.normal);
        }
        for edge in hull.edges() {
            self.edge(at(edge.vertices[0]), at(edge.vertices[1]));
        }
    }
}
