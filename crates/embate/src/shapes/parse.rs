//! Text format of shapes: [`Display`](fmt::Display) and [`FromStr`]. `embate_geom` parses and
//! writes the primitive shapes.
//!
//! ```text
//! mesh positions 0 0 0, 1 0 0, 0 1 0 triangles 0 1 2
//! compound { position 0 1 0 orientation 0 0 0 1 sphere radius 0.5 } { … }
//! ```

use core::{fmt, str::FromStr};

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{ParseShapeError, ShapeError},
};
use embate_mesh::TriangleMesh;

use crate::shapes::{Compound, Shape, TriMesh};

const EXPECTED_TYPES: &str = "sphere, box, capsule, hull, halfspace, mesh or compound";
const MESH_EXAMPLE: &str = "mesh positions 0 0 0, 1 0 0, 0 1 0 triangles 0 1 2";
const COMPOUND_EXAMPLE: &str = "compound { position 0 1 0 orientation 0 0 0 1 sphere radius 0.5 }";

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sphere(sphere) => sphere.fmt(f),
            Self::Cuboid(cuboid) => cuboid.fmt(f),
            Self::Capsule(capsule) => capsule.fmt(f),
            Self::ConvexHull(hull) => hull.fmt(f),
            Self::HalfSpace(half_space) => half_space.fmt(f),
            Self::TriMesh(mesh) => write_mesh(mesh, f),
            Self::Compound(compound) => {
                write!(f, "compound")?;
                for (pose, shape) in compound.sub_shapes() {
                    let [px, py, pz] = pose.position.to_array();
                    let [x, y, z, w] = pose.rotation.to_array();
                    write!(
                        f,
                        " {{ position {px} {py} {pz} orientation {x} {y} {z} {w} {shape} }}"
                    )?;
                }
                Ok(())
            }
        }
    }
}

fn write_mesh(mesh: &TriMesh, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "mesh positions")?;
    for (index, [x, y, z]) in mesh.mesh().positions().iter().enumerate() {
        write!(f, "{} {x} {y} {z}", if index == 0 { "" } else { "," })?;
    }
    write!(f, " triangles")?;
    for (index, [a, b, c]) in mesh.mesh().triangles().iter().enumerate() {
        write!(f, "{} {a} {b} {c}", if index == 0 { "" } else { "," })?;
    }
    Ok(())
}

impl FromStr for Shape {
    type Err = ParseShapeError;

    /// Parses what [`Display`](fmt::Display) writes; the round trip is bit-exact.
    fn from_str(text: &str) -> Result<Self, ParseShapeError> {
        let (type_name, rest) = first_word(text);
        Ok(match type_name {
            "sphere" => Self::Sphere(text.parse()?),
            "box" => Self::Cuboid(text.parse()?),
            "capsule" => Self::Capsule(text.parse()?),
            "hull" => text.parse::<crate::shapes::ConvexHull>()?.into(),
            "halfspace" => Self::HalfSpace(text.parse()?),
            "mesh" => read_mesh(rest)?.into(),
            "compound" => read_compound(rest)?.into(),
            "" => {
                return Err(ParseShapeError::Ended {
                    expected: EXPECTED_TYPES,
                    example: COMPOUND_EXAMPLE,
                });
            }
            _ => return Err(unexpected(type_name, EXPECTED_TYPES, COMPOUND_EXAMPLE)),
        })
    }
}

fn unexpected(found: &str, expected: &'static str, example: &'static str) -> ParseShapeError {
    ParseShapeError::Word { found: found.to_owned(), expected, example }
}

/// The first word and the remaining text.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ',');
    text.split_at(end.unwrap_or(text.len()))
}

/// `N` numbers and the remaining text.
fn numbers<'a, T: FromStr + Copy + Default, const N: usize>(
    mut text: &'a str,
    example: &'static str,
) -> Result<([T; N], &'a str), ParseShapeError> {
    let mut found = [T::default(); N];
    for number in &mut found {
        let (word, rest) = first_word(text);
        if word.is_empty() {
            return Err(ParseShapeError::Ended { expected: "a number", example });
        }
        *number = word.parse().map_err(|_| unexpected(word, "a number", example))?;
        text = rest;
    }
    Ok((found, text))
}

fn expect<'a>(
    text: &'a str,
    word: &'static str,
    example: &'static str,
) -> Result<&'a str, ParseShapeError> {
    match first_word(text) {
        ("", _) => Err(ParseShapeError::Ended { expected: word, example }),
        (found, rest) if found == word => Ok(rest),
        (found, _) => Err(unexpected(found, word, example)),
    }
}

fn read_mesh(text: &str) -> Result<TriMesh, ParseShapeError> {
    let mut text = expect(text, "positions", MESH_EXAMPLE)?;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    while first_word(text).0 != "triangles" {
        let (position, rest) = numbers(text, MESH_EXAMPLE)?;
        positions.push(position);
        text = rest;
    }
    text = expect(text, "triangles", MESH_EXAMPLE)?;
    while !first_word(text).0.is_empty() {
        let (triangle, rest) = numbers(text, MESH_EXAMPLE)?;
        triangles.push(triangle);
        text = rest;
    }
    let mesh = TriangleMesh::new(positions, triangles)
        .map_err(|error| ShapeError::Mesh { reason: error.to_string() })?;
    Ok(TriMesh::new(mesh)?)
}

fn read_compound(mut text: &str) -> Result<Compound, ParseShapeError> {
    let mut parts = Vec::new();
    while !first_word(text).0.is_empty() {
        let inner = expect(text, "{", COMPOUND_EXAMPLE)?;
        // Sub-shapes are never compounds, so the first closing brace ends the part.
        let ended = ParseShapeError::Ended { expected: "}", example: COMPOUND_EXAMPLE };
        let (part, rest) = inner.split_once('}').ok_or(ended)?;
        let part = expect(part, "position", COMPOUND_EXAMPLE)?;
        let (position, part) = numbers::<f32, 3>(part, COMPOUND_EXAMPLE)?;
        let part = expect(part, "orientation", COMPOUND_EXAMPLE)?;
        let (quaternion, part) = numbers::<f32, 4>(part, COMPOUND_EXAMPLE)?;
        // Not renormalized, so that the round trip is bit-exact even if it has drifted.
        let rotation = Rotation::from_unit_quaternion(quaternion)
            .or_else(|| Rotation::from_quaternion(quaternion))
            .ok_or(ShapeError::NoOrientation { quaternion })?;
        parts.push((Pose { rotation, position: Vec3::from(position) }, part.parse()?));
        text = rest;
    }
    Ok(Compound::new(parts)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere};

    fn one_of_each() -> Vec<Shape> {
        let positions = vec![[0.1, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 1e-7]];
        let mesh = TriangleMesh::new(positions, vec![[0, 1, 2]]).unwrap();
        let mut shapes = vec![
            Shape::from(Sphere::new(0.3).unwrap()),
            Cuboid::new(Vec3::new(1.0, 0.1, 3.3)).unwrap().into(),
            Capsule::new(0.7, 0.2).unwrap().into(),
            ConvexHull::cylinder(0.5, 1.0 / 3.0, 5).unwrap().into(),
            TriMesh::new(mesh).unwrap().into(),
        ];
        let parts = shapes.iter().zip(1_u8..).map(|(shape, angle)| {
            let rotation =
                Rotation::from_axis_angle(Vec3::new(1.0, 2.0, -0.3), f32::from(angle)).unwrap();
            (Pose { rotation, position: Vec3::splat(0.1 * f32::from(angle)) }, shape.clone())
        });
        let compound = Compound::new(parts.collect()).unwrap();
        shapes.push(compound.into());
        shapes.push(HalfSpace::new(Vec3::new(0.3, 0.2, 0.1)).unwrap().into());
        shapes
    }

    #[test]
    fn round_trip_of_every_shape_is_bit_exact() {
        for shape in one_of_each() {
            let text = shape.to_string();
            assert_eq!(text.parse::<Shape>().as_ref(), Ok(&shape), "{text}");
            assert!(text.starts_with(shape.type_name()));
        }
    }

    /// Regression: a rotation accumulated from thousands of products was renormalized by the
    /// parser.
    #[test]
    fn round_trip_of_a_drifted_rotation_is_bit_exact() {
        let step = Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
        let rotation = (0..2_000).fold(step, |product, _| step * product);
        let sphere = Shape::from(Sphere::new(1.0).unwrap());
        let compound = Compound::new(vec![(Pose { rotation, position: Vec3::ZERO }, sphere)]);
        let shape = Shape::from(compound.unwrap());
        assert_eq!(shape.to_string().parse::<Shape>().as_ref(), Ok(&shape));
    }

    #[test]
    fn parse_error_states_what_was_expected() {
        let error = |text: &str| text.parse::<Shape>().unwrap_err().to_string();
        assert!(error("").contains("sphere, box, capsule"));
        assert!(error("torus radius 1").contains("`torus` where"));
        assert!(error("mesh positions 0 0 0 triangles 0 1 2").contains("refers to vertex 1"));
        assert!(error("mesh positions 0 0").contains("ends where a number"));
        assert!(error("compound { position 0 0 0").contains("ends where }"));
        assert!(error("compound").contains("compound of no shapes"));
        assert!(
            error("compound { position 0 0 0 orientation 0 0 0 0 sphere radius 1 }")
                .contains("no direction")
        );
    }
}
