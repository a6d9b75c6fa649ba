//! Serialization of shapes: a table of distinct shapes that bodies refer to by index.

use std::collections::BTreeMap;
use std::sync::Arc;

use embate_mesh::TriangleMesh;

use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};
use crate::shapes::{Capsule, Compound, ConvexHull, Cuboid, HalfSpace, Shape, Sphere, TriMesh};

const SPHERE: u8 = 0;
const CUBOID: u8 = 1;
const CAPSULE: u8 = 2;
const CONVEX_HULL: u8 = 3;
const HALF_SPACE: u8 = 4;
const TRI_MESH: u8 = 5;
const COMPOUND: u8 = 6;

/// Pose, type, and at least one byte of content.
const MIN_SUB_SHAPE_BYTES: usize = 30;
const VERTEX_BYTES: usize = 12;
const TRIANGLE_BYTES: usize = 12;

/// Distinct shapes of all bodies, serialized, in the order of their first use.
pub(crate) struct ShapeTable {
    pub(crate) shapes: Vec<Vec<u8>>,
    by_bytes: BTreeMap<Vec<u8>, u32>,
    /// Shapes behind an `Arc`, by address, so that a shared shape is serialized only once.
    by_address: BTreeMap<usize, u32>,
}

impl ShapeTable {
    pub(crate) fn new() -> Self {
        Self { shapes: Vec::new(), by_bytes: BTreeMap::new(), by_address: BTreeMap::new() }
    }

    /// Index of `shape`; appends it if it is new.
    pub(crate) fn index_of(&mut self, shape: &Shape) -> u32 {
        let address = match shape {
            Shape::ConvexHull(hull) => Some(Arc::as_ptr(hull).addr()),
            Shape::TriMesh(mesh) => Some(Arc::as_ptr(mesh).addr()),
            Shape::Compound(compound) => Some(Arc::as_ptr(compound).addr()),
            _ => None,
        };
        if let Some(&index) = address.and_then(|address| self.by_address.get(&address)) {
            return index;
        }
        let mut out = Writer::new();
        write(&mut out, shape);
        let bytes = out.into_bytes();
        let next = self.shapes.len() as u32;
        let index = *self.by_bytes.entry(bytes.clone()).or_insert(next);
        if index == next {
            self.shapes.push(bytes);
        }
        address.map(|address| self.by_address.insert(address, index));
        index
    }
}

fn write(out: &mut Writer, shape: &Shape) {
    match shape {
        Shape::Sphere(sphere) => {
            out.u8(SPHERE);
            out.f32(sphere.radius());
        }
        Shape::Cuboid(cuboid) => {
            out.u8(CUBOID);
            out.vec3(cuboid.half_extents());
        }
        Shape::Capsule(capsule) => {
            out.u8(CAPSULE);
            out.f32(capsule.half_height());
            out.f32(capsule.radius());
        }
        Shape::ConvexHull(hull) => {
            out.u8(CONVEX_HULL);
            out.count(hull.vertices().len());
            for &vertex in hull.vertices() {
                out.vec3(vertex);
            }
        }
        Shape::HalfSpace(plane) => {
            out.u8(HALF_SPACE);
            out.vec3(plane.normal());
        }
        Shape::TriMesh(mesh) => {
            out.u8(TRI_MESH);
            let mesh = mesh.mesh();
            out.count(mesh.positions().len());
            for &value in mesh.positions().iter().flatten() {
                out.f32(value);
            }
            out.count(mesh.triangles().len());
            for &vertex_index in mesh.triangles().iter().flatten() {
                out.u32(vertex_index);
            }
        }
        Shape::Compound(compound) => {
            out.u8(COMPOUND);
            out.count(compound.sub_shapes().len());
            for (pose, sub_shape) in compound.sub_shapes() {
                out.pose(pose);
                write(out, sub_shape);
            }
        }
    }
}

pub(crate) fn read(input: &mut Reader<'_>) -> Result<Shape, SnapshotError> {
    let shape_type = input.u8()?;
    if shape_type == COMPOUND {
        let count = input.count(MIN_SUB_SHAPE_BYTES)?;
        let mut sub_shapes = Vec::with_capacity(count);
        for _ in 0..count {
            let pose = input.pose()?;
            let shape_type = input.u8()?;
            // Compounds do not nest, so the recursion ends here.
            input.ensure(shape_type != COMPOUND, SnapshotDefect::NestedCompound)?;
            sub_shapes.push((pose, read_simple(input, shape_type)?));
        }
        return shape_or_error(input, Compound::new(sub_shapes).map(Shape::from));
    }
    read_simple(input, shape_type)
}

/// Reads a shape that is not a compound.
fn read_simple(input: &mut Reader<'_>, shape_type: u8) -> Result<Shape, SnapshotError> {
    match shape_type {
        SPHERE => {
            let radius = input.finite_f32()?;
            shape_or_error(input, Sphere::new(radius))
        }
        CUBOID => {
            let half_extents = input.vec3()?;
            shape_or_error(input, Cuboid::new(half_extents))
        }
        CAPSULE => {
            let (half_height, radius) = (input.finite_f32()?, input.finite_f32()?);
            shape_or_error(input, Capsule::new(half_height, radius))
        }
        CONVEX_HULL => {
            let count = input.count(VERTEX_BYTES)?;
            let points = (0..count).map(|_| input.vec3()).collect::<Result<Vec<_>, _>>()?;
            shape_or_error(input, ConvexHull::new(&points))
        }
        HALF_SPACE => {
            let normal = input.vec3()?;
            shape_or_error(input, HalfSpace::new(normal))
        }
        TRI_MESH => {
            let count = input.count(VERTEX_BYTES)?;
            let mut positions = Vec::with_capacity(count);
            for _ in 0..count {
                positions.push(input.vec3()?.to_array());
            }
            let count = input.count(TRIANGLE_BYTES)?;
            let mut triangles = Vec::with_capacity(count);
            for _ in 0..count {
                triangles.push([input.u32()?, input.u32()?, input.u32()?]);
            }
            let Ok(mesh) = TriangleMesh::new(positions, triangles) else {
                return input.error(SnapshotDefect::InvalidTriMesh);
            };
            shape_or_error(input, TriMesh::new(mesh))
        }
        _ => input.error(SnapshotDefect::UnknownShapeType),
    }
}

fn shape_or_error<S: Into<Shape>, E>(
    input: &Reader<'_>,
    shape: Result<S, E>,
) -> Result<Shape, SnapshotError> {
    shape.map_or_else(|_| input.error(SnapshotDefect::InvalidShape), |shape| Ok(shape.into()))
}
