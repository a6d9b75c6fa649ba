//! Shapes as bytes, each once.

use std::collections::BTreeMap;
use std::sync::Arc;

use embate_mesh::TriangleMesh;

use super::InvalidSnapshot;
use super::bytes::{In, Out};
use crate::shapes::{Capsule, Compound, Cuboid, Hull, MeshShape, Plane, Shape, Sphere};

const SPHERE: u8 = 0;
const CUBOID: u8 = 1;
const CAPSULE: u8 = 2;
const HULL: u8 = 3;
const HALF_SPACE: u8 = 4;
const MESH: u8 = 5;
const COMPOUND: u8 = 6;

/// The shapes of all bodies, and the number of each body's.
pub(super) struct Table {
    pub(super) shapes: Vec<Vec<u8>>,
    numbers: BTreeMap<Vec<u8>, u32>,
    /// Large shapes are shared: known by where they are, so as not to be written to be compared.
    shared: BTreeMap<usize, u32>,
}

impl Table {
    pub(super) fn new() -> Self {
        Self { shapes: Vec::new(), numbers: BTreeMap::new(), shared: BTreeMap::new() }
    }

    pub(super) fn number(&mut self, shape: &Shape) -> u32 {
        let address = match shape {
            Shape::Hull(hull) => Some(Arc::as_ptr(hull).addr()),
            Shape::Mesh(mesh) => Some(Arc::as_ptr(mesh).addr()),
            Shape::Compound(compound) => Some(Arc::as_ptr(compound).addr()),
            _ => None,
        };
        if let Some(&number) = address.and_then(|address| self.shared.get(&address)) {
            return number;
        }
        let mut out = Out::new();
        write(&mut out, shape);
        let bytes = out.into_bytes();
        let next = self.shapes.len() as u32;
        let number = *self.numbers.entry(bytes.clone()).or_insert(next);
        if number == next {
            self.shapes.push(bytes);
        }
        address.map(|address| self.shared.insert(address, number));
        number
    }
}

fn write(out: &mut Out, shape: &Shape) {
    match shape {
        Shape::Sphere(sphere) => {
            out.u8(SPHERE);
            out.f32(sphere.radius());
        }
        Shape::Cuboid(cuboid) => {
            out.u8(CUBOID);
            out.vec3(cuboid.half());
        }
        Shape::Capsule(capsule) => {
            out.u8(CAPSULE);
            out.f32(capsule.half_height());
            out.f32(capsule.radius());
        }
        Shape::Hull(hull) => {
            out.u8(HULL);
            out.count(hull.vertices().len());
            for &vertex in hull.vertices() {
                out.vec3(vertex);
            }
        }
        Shape::HalfSpace(plane) => {
            out.u8(HALF_SPACE);
            out.vec3(plane.normal());
        }
        Shape::Mesh(mesh) => {
            out.u8(MESH);
            let mesh = mesh.mesh();
            out.count(mesh.positions().len());
            for &value in mesh.positions().iter().flatten() {
                out.f32(value);
            }
            out.count(mesh.triangles().len());
            for &corner in mesh.triangles().iter().flatten() {
                out.u32(corner);
            }
        }
        Shape::Compound(compound) => {
            out.u8(COMPOUND);
            out.count(compound.parts().len());
            for (pose, part) in compound.parts() {
                out.pose(pose);
                write(out, part);
            }
        }
    }
}

pub(super) fn read(input: &mut In<'_>) -> Result<Shape, InvalidSnapshot> {
    let kind = input.u8()?;
    if kind == COMPOUND {
        let count = input.count(30)?;
        let mut parts = Vec::with_capacity(count);
        for _ in 0..count {
            let pose = input.pose()?;
            let kind = input.u8()?;
            // No part of a compound is one.
            input.need(kind != COMPOUND, "a compound is in a compound")?;
            parts.push((pose, simple(input, kind)?));
        }
        return made(input, Compound::new(parts).map(Shape::from));
    }
    simple(input, kind)
}

fn simple(input: &mut In<'_>, kind: u8) -> Result<Shape, InvalidSnapshot> {
    match kind {
        SPHERE => {
            let radius = input.f32()?;
            made(input, Sphere::new(radius))
        }
        CUBOID => {
            let half = input.vec3()?;
            made(input, Cuboid::new(half))
        }
        CAPSULE => {
            let (half_height, radius) = (input.f32()?, input.f32()?);
            made(input, Capsule::new(half_height, radius))
        }
        HULL => {
            let count = input.count(12)?;
            let points = (0..count).map(|_| input.vec3()).collect::<Result<Vec<_>, _>>()?;
            made(input, Hull::new(&points))
        }
        HALF_SPACE => {
            let normal = input.vec3()?;
            made(input, Plane::new(normal))
        }
        MESH => {
            let count = input.count(12)?;
            let mut positions = Vec::with_capacity(count);
            for _ in 0..count {
                positions.push(input.vec3()?.to_array());
            }
            let count = input.count(12)?;
            let mut triangles = Vec::with_capacity(count);
            for _ in 0..count {
                triangles.push([input.u32()?, input.u32()?, input.u32()?]);
            }
            let Ok(mesh) = TriangleMesh::new(positions, triangles) else {
                return input.wrong("a mesh is not valid");
            };
            made(input, MeshShape::new(mesh))
        }
        _ => input.wrong("there is no such shape"),
    }
}

fn made<S: Into<Shape>, E>(input: &In<'_>, shape: Result<S, E>) -> Result<Shape, InvalidSnapshot> {
    shape.map_or_else(|_| input.wrong("a shape is not valid"), |shape| Ok(shape.into()))
}
