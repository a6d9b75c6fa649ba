//! Shapes of scene files.

use embate::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, Compound, ConvexHull, Cuboid, HalfSpace, Shape, ShapeError, Sphere},
};

use super::located_json::Node;
use super::mesh::Meshes;
use super::{SceneError, SceneErrorKind, keys, numbers};

/// Sides of the hull of a cylinder or a cone: at most 0.5 % of the radius inside of the round
/// surface.
const SIDES: u32 = 32;

/// Levels of compounds within compounds.
const MAX_DEPTH: usize = 64;

/// Items of a compound.
const MAX_PARTS: usize = 1 << 20;

/// `{"sphere":{"radius":0.5}}` and the other shapes.
pub(super) fn read_shape(node: &Node<'_>, meshes: &mut Meshes<'_>) -> Result<Shape, SceneError> {
    read_nested(node, meshes, 0)
}

fn read_nested(
    node: &Node<'_>,
    meshes: &mut Meshes<'_>,
    depth: usize,
) -> Result<Shape, SceneError> {
    if depth > MAX_DEPTH {
        return Err(node.error(SceneErrorKind::TooDeep { max: MAX_DEPTH }));
    }
    let (shape, value) = node.variant(keys::SHAPES)?;
    let invalid =
        |at: &Node<'_>, error: ShapeError| at.error(SceneErrorKind::Shape { shape, error });
    match shape {
        "box" => read_box(&value),
        "mesh" => {
            let file = value.object(keys::MESH)?.require("file")?;
            meshes.load(&file.string()?, &file)
        }
        "compound" => {
            let mut parts = Vec::new();
            for part in value.list(MAX_PARTS)? {
                let part = part.object(keys::COMPOUND_PART)?;
                let pose = Pose {
                    position: part.read_or("position", Vec3::ZERO, numbers::position)?,
                    rotation: part.read_or(
                        "orientation",
                        Rotation::default(),
                        numbers::orientation,
                    )?,
                };
                parts.push((pose, read_nested(&part.require("shape")?, meshes, depth + 1)?));
            }
            Ok(Compound::new(parts).map_err(|error| invalid(&value, error))?.into())
        }
        "hull" => {
            let node = value.object(keys::HULL)?.require("points")?;
            let points: Vec<Vec3> = node.points()?.into_iter().map(Vec3::from).collect();
            Ok(ConvexHull::new(&points).map_err(|error| invalid(&node, error))?.into())
        }
        "halfspace" => {
            let node = value.object(keys::HALFSPACE)?.require("normal")?;
            let normal = numbers::vector(&node)?;
            Ok(HalfSpace::new(normal).map_err(|error| invalid(&node, error))?.into())
        }
        "sphere" => {
            let node = value.object(keys::SPHERE)?.require("radius")?;
            Ok(Sphere::new(node.number()?).map_err(|error| invalid(&node, error))?.into())
        }
        "cube" => {
            let node = value.object(keys::CUBE)?.require("half")?;
            let half = Vec3::splat(node.number()?);
            Ok(Cuboid::new(half).map_err(|error| invalid(&node, error))?.into())
        }
        // Capsule, cylinder or cone, along y.
        _ => {
            let sizes = value.object(keys::UPRIGHT)?;
            let half_height = sizes.require("half_height")?.number()?;
            let radius = sizes.require("radius")?.number()?;
            match shape {
                "cylinder" => ConvexHull::cylinder(half_height, radius, SIDES).map(Shape::from),
                "cone" => ConvexHull::cone(half_height, radius, SIDES).map(Shape::from),
                _ => Capsule::new(half_height, radius).map(Shape::from),
            }
            .map_err(|error| invalid(&value, error))
        }
    }
}

/// A box in one of three forms: about the origin, between two corners, or from a corner by its
/// edges.
fn read_box(node: &Node<'_>) -> Result<Shape, SceneError> {
    let invalid = |error: ShapeError| node.error(SceneErrorKind::Shape { shape: "box", error });
    let sizes = node.object(keys::BOX)?;
    let read = |key: &str| sizes.optional(key, numbers::vector);
    let placed = match (read("half")?, read("min")?, read("max")?, read("edges")?) {
        (Some(half), None, None, None) => Cuboid::new(half).map(|cuboid| (Pose::IDENTITY, cuboid)),
        (None, Some(min), Some(max), None) => {
            let (min, max) = (min.to_array(), max.to_array());
            if let Some(axis) = (0..3).find(|&axis| max[axis] < min[axis]) {
                let (min, max) = (min[axis], max[axis]);
                let axis = ["x", "y", "z"][axis];
                return Err(node.error(SceneErrorKind::BoxOrder { axis, min, max }));
            }
            Cuboid::from_min_max(min, max)
        }
        (None, Some(min), None, Some(edges)) => Cuboid::from_min_size(min, edges),
        _ => return Err(node.error(SceneErrorKind::BoxForm)),
    };
    let (pose, cuboid) = placed.map_err(invalid)?;
    if pose.position == Vec3::ZERO {
        return Ok(cuboid.into());
    }
    // The box is not centered on the origin of its body.
    Ok(Compound::new(vec![(pose, cuboid.into())]).map_err(invalid)?.into())
}
