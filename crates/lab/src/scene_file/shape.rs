//! The shapes of a scene file.
//!
//! All but meshes, which need the folder, become shapes while they are read, so that what is wrong with
//! one is told with its place.

use embate::{
    Pose, Rotation, Vec3,
    shapes::{Capsule, Compound, ConvexHull, Cuboid, HalfSpace, Shape, Sphere},
};
use serde::{Deserialize, Deserializer, de::Error};

use super::{SceneError, mesh::Meshes, numbers};

/// `{"sphere":{"radius":0.5}}` and its like.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ShapeText {
    Sphere(#[serde(deserialize_with = "sphere")] Shape),
    Box(#[serde(deserialize_with = "cuboid")] Shape),
    Cube(#[serde(deserialize_with = "cube")] Shape),
    Capsule(#[serde(deserialize_with = "capsule")] Shape),
    Cylinder(#[serde(deserialize_with = "cylinder")] Shape),
    Cone(#[serde(deserialize_with = "cone")] Shape),
    Hull(#[serde(deserialize_with = "hull")] Shape),
    Halfspace(#[serde(deserialize_with = "half_space")] Shape),
    Mesh(MeshText),
    Compound(Vec<PartText>),
}

/// The names above, to tell a shape from a body.
pub(super) const KINDS: [&str; 10] = [
    "sphere",
    "box",
    "cube",
    "capsule",
    "cylinder",
    "cone",
    "hull",
    "halfspace",
    "mesh",
    "compound",
];

/// Sides of the hull that stands for a cylinder or a cone: it is 0.5 % of the radius thinner than round.
const SIDES: u32 = 32;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeshText {
    file: String,
}

/// A shape within a compound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartText {
    shape: ShapeText,
    #[serde(default, deserialize_with = "numbers::position")]
    position: Vec3,
    #[serde(default, deserialize_with = "numbers::orientation")]
    orientation: Rotation,
}

impl ShapeText {
    /// The shape, its meshes loaded.
    pub(super) fn resolved(self, meshes: &mut Meshes<'_>) -> Result<Shape, SceneError> {
        match self {
            Self::Sphere(shape)
            | Self::Box(shape)
            | Self::Cube(shape)
            | Self::Capsule(shape)
            | Self::Cylinder(shape)
            | Self::Cone(shape)
            | Self::Hull(shape)
            | Self::Halfspace(shape) => Ok(shape),
            Self::Mesh(MeshText { file }) => meshes.load(&file),
            Self::Compound(parts) => {
                let placed = |part: PartText| {
                    let pose = Pose { rotation: part.orientation, position: part.position };
                    Ok((pose, part.shape.resolved(meshes)?))
                };
                let parts: Result<Vec<(Pose, Shape)>, SceneError> =
                    parts.into_iter().map(placed).collect();
                let compound =
                    Compound::new(parts?).map_err(|error| meshes.wrong(error.to_string()))?;
                Ok(compound.into())
            }
        }
    }
}

fn sphere<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        radius: f32,
    }
    let Text { radius } = Text::deserialize(from)?;
    Ok(Sphere::new(radius).map_err(|error| D::Error::custom(format!("sphere: {error}")))?.into())
}

/// In one of three forms: about the origin, between two corners, or from a corner by its edges.
fn cuboid<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        half: Option<[f32; 3]>,
        min: Option<[f32; 3]>,
        max: Option<[f32; 3]>,
        edges: Option<[f32; 3]>,
    }
    let Text { half, min, max, edges } = Text::deserialize(from)?;
    let [half, min, max, edges] = [half, min, max, edges].map(|v| v.map(Vec3::from));
    let placed = match (half, min, max, edges) {
        (Some(half), None, None, None) => Cuboid::new(half).map(|cuboid| (Pose::IDENTITY, cuboid)),
        (None, Some(min), Some(max), None) => {
            let (min, max) = (min.to_array(), max.to_array());
            if let Some(axis) = (0..3).find(|&axis| max[axis] < min[axis]) {
                let (name, min, max) = (["x", "y", "z"][axis], min[axis], max[axis]);
                let what =
                    format!("box: the {name} of `max`, {max}, is below that of `min`, {min}");
                return Err(D::Error::custom(what));
            }
            Cuboid::from_min_max(min, max)
        }
        (None, Some(min), None, Some(edges)) => Cuboid::from_min_size(min, edges),
        _ => {
            return Err(D::Error::custom(
                "box: give either `half`, or `min` and `max`, or `min` and `edges`",
            ));
        }
    };
    let (pose, cuboid) = placed.map_err(|error| D::Error::custom(format!("box: {error}")))?;
    if pose.position == Vec3::ZERO {
        return Ok(cuboid.into());
    }
    // A box that is not about the origin of its body.
    let compound = Compound::new(vec![(pose, cuboid.into())]);
    Ok(compound.map_err(|error| D::Error::custom(format!("box: {error}")))?.into())
}

fn cube<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        half: f32,
    }
    let Text { half } = Text::deserialize(from)?;
    let cube = Cuboid::new(Vec3::splat(half));
    Ok(cube.map_err(|error| D::Error::custom(format!("cube: {error}")))?.into())
}

/// What stands along y.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UprightText {
    half_height: f32,
    radius: f32,
}

fn capsule<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    let UprightText { half_height, radius } = UprightText::deserialize(from)?;
    let capsule = Capsule::new(half_height, radius);
    Ok(capsule.map_err(|error| D::Error::custom(format!("capsule: {error}")))?.into())
}

fn cylinder<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    let UprightText { half_height, radius } = UprightText::deserialize(from)?;
    let cylinder = ConvexHull::cylinder(half_height, radius, SIDES);
    Ok(cylinder.map_err(|error| D::Error::custom(format!("cylinder: {error}")))?.into())
}

fn cone<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    let UprightText { half_height, radius } = UprightText::deserialize(from)?;
    let cone = ConvexHull::cone(half_height, radius, SIDES);
    Ok(cone.map_err(|error| D::Error::custom(format!("cone: {error}")))?.into())
}

fn hull<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        points: Vec<[f32; 3]>,
    }
    let Text { points } = Text::deserialize(from)?;
    let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
    Ok(ConvexHull::new(&points).map_err(|error| D::Error::custom(format!("hull: {error}")))?.into())
}

fn half_space<'de, D: Deserializer<'de>>(from: D) -> Result<Shape, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        normal: [f32; 3],
    }
    let Text { normal } = Text::deserialize(from)?;
    let plane = HalfSpace::new(Vec3::from(normal));
    Ok(plane.map_err(|error| D::Error::custom(format!("halfspace: {error}")))?.into())
}
