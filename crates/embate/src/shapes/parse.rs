//! Any shape in words; the simple ones are `embate_geom`'s to read and write.
//!
//! ```text
//! mesh positions 0 0 0, 1 0 0, 0 1 0 triangles 0 1 2
//! compound { position 0 1 0 orientation 0 0 0 1 sphere radius 0.5 } { … }
//! ```

use core::{fmt, str::FromStr};

use embate_geom::{
    Pose, Rotation, Vec3,
    shapes::{InvalidShape, ShapeTextError},
};
use embate_mesh::TriangleMesh;

use super::{Compound, MeshShape, Shape};

const KINDS: &str = "sphere, box, capsule, hull, halfspace, mesh or compound";
const MESH: &str = "mesh positions 0 0 0, 1 0 0, 0 1 0 triangles 0 1 2";
const COMPOUND: &str = "compound { position 0 1 0 orientation 0 0 0 1 sphere radius 0.5 }";

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sphere(sphere) => sphere.fmt(f),
            Self::Cuboid(cuboid) => cuboid.fmt(f),
            Self::Capsule(capsule) => capsule.fmt(f),
            Self::Hull(hull) => hull.fmt(f),
            Self::HalfSpace(plane) => plane.fmt(f),
            Self::Mesh(mesh) => write_mesh(mesh, f),
            Self::Compound(compound) => {
                write!(f, "compound")?;
                for (pose, shape) in compound.parts() {
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

fn write_mesh(mesh: &MeshShape, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    type Err = ShapeTextError;

    /// Reads what [`Display`](fmt::Display) writes, as the same shape to the bit.
    fn from_str(text: &str) -> Result<Self, ShapeTextError> {
        let (kind, rest) = first_word(text);
        Ok(match kind {
            "sphere" => Self::Sphere(text.parse()?),
            "box" => Self::Cuboid(text.parse()?),
            "capsule" => Self::Capsule(text.parse()?),
            "hull" => text.parse::<super::Hull>()?.into(),
            "halfspace" => Self::HalfSpace(text.parse()?),
            "mesh" => read_mesh(rest)?.into(),
            "compound" => read_compound(rest)?.into(),
            "" => return Err(ShapeTextError::Ended { expected: KINDS, example: COMPOUND }),
            _ => return Err(not(kind, KINDS, COMPOUND)),
        })
    }
}

fn not(found: &str, expected: &'static str, example: &'static str) -> ShapeTextError {
    ShapeTextError::Word { found: found.to_owned(), expected, example }
}

/// The first word, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == ',');
    let end = text.find(|letter: char| letter.is_whitespace() || letter == ',');
    text.split_at(end.unwrap_or(text.len()))
}

/// `N` numbers, and what follows them.
fn numbers<'a, T: FromStr + Copy + Default, const N: usize>(
    mut text: &'a str,
    example: &'static str,
) -> Result<([T; N], &'a str), ShapeTextError> {
    let mut found = [T::default(); N];
    for number in &mut found {
        let (word, rest) = first_word(text);
        if word.is_empty() {
            return Err(ShapeTextError::Ended { expected: "a number", example });
        }
        *number = word.parse().map_err(|_| not(word, "a number", example))?;
        text = rest;
    }
    Ok((found, text))
}

fn expect<'a>(
    text: &'a str,
    word: &'static str,
    example: &'static str,
) -> Result<&'a str, ShapeTextError> {
    match first_word(text) {
        ("", _) => Err(ShapeTextError::Ended { expected: word, example }),
        (found, rest) if found == word => Ok(rest),
        (found, _) => Err(not(found, word, example)),
    }
}

fn read_mesh(text: &str) -> Result<MeshShape, ShapeTextError> {
    let mut text = expect(text, "positions", MESH)?;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    while first_word(text).0 != "triangles" {
        let (position, rest) = numbers(text, MESH)?;
        positions.push(position);
        text = rest;
    }
    text = expect(text, "triangles", MESH)?;
    while !first_word(text).0.is_empty() {
        let (triangle, rest) = numbers(text, MESH)?;
        triangles.push(triangle);
        text = rest;
    }
    let mesh = TriangleMesh::new(positions, triangles)
        .map_err(|error| InvalidShape::Mesh { reason: error.to_string() })?;
    Ok(MeshShape::new(mesh)?)
}

fn read_compound(mut text: &str) -> Result<Compound, ShapeTextError> {
    let mut parts = Vec::new();
    while !first_word(text).0.is_empty() {
        let inner = expect(text, "{", COMPOUND)?;
        // Parts are never compounds themselves, so the first brace closes.
        let ended = ShapeTextError::Ended { expected: "}", example: COMPOUND };
        let (part, rest) = inner.split_once('}').ok_or(ended)?;
        let part = expect(part, "position", COMPOUND)?;
        let (position, part) = numbers::<f32, 3>(part, COMPOUND)?;
        let part = expect(part, "orientation", COMPOUND)?;
        let (quaternion, part) = numbers::<f32, 4>(part, COMPOUND)?;
        // As it was written, even if it had drifted.
        let rotation = Rotation::as_written(quaternion)
            .or_else(|| Rotation::from_quaternion(quaternion))
            .ok_or(InvalidShape::NoOrientation { quaternion })?;
        parts.push((Pose { rotation, position: Vec3::from(position) }, part.parse()?));
        text = rest;
    }
    Ok(Compound::new(parts)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::{Capsule, Cuboid, Hull, Plane, Sphere};

    fn one_of_each() -> Vec<Shape> {
        let positions = vec![[0.1, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 1e-7]];
        let mesh = TriangleMesh::new(positions, vec![[0, 1, 2]]).unwrap();
        let mut shapes = vec![
            Shape::from(Sphere::new(0.3).unwrap()),
            Cuboid::new(Vec3::new(1.0, 0.1, 3.3)).unwrap().into(),
            Capsule::new(0.7, 0.2).unwrap().into(),
            Hull::cylinder(0.5, 1.0 / 3.0, 5).unwrap().into(),
            MeshShape::new(mesh).unwrap().into(),
        ];
        let placed = shapes.iter().zip(1_u8..).map(|(shape, angle)| {
            let rotation = Rotation::about(Vec3::new(1.0, 2.0, -0.3), f32::from(angle)).unwrap();
            (Pose { rotation, position: Vec3::splat(0.1 * f32::from(angle)) }, shape.clone())
        });
        let compound = Compound::new(placed.collect()).unwrap();
        shapes.push(compound.into());
        shapes.push(Plane::new(Vec3::new(0.3, 0.2, 0.1)).unwrap().into());
        shapes
    }

    #[test]
    fn every_shape_reads_back_to_the_bit() {
        for shape in one_of_each() {
            let text = shape.to_string();
            assert_eq!(text.parse::<Shape>().as_ref(), Ok(&shape), "{text}");
            assert!(text.starts_with(shape.kind()));
        }
    }

    /// A rotation that is a product of thousands was read back as another.
    #[test]
    fn a_compound_whose_rotations_have_drifted_reads_back_to_the_bit() {
        let step = Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap();
        let rotation = (0..2_000).fold(step, |turned, _| step * turned);
        let ball = Shape::from(Sphere::new(1.0).unwrap());
        let compound = Compound::new(vec![(Pose { rotation, position: Vec3::ZERO }, ball)]);
        let shape = Shape::from(compound.unwrap());
        assert_eq!(shape.to_string().parse::<Shape>().as_ref(), Ok(&shape));
    }

    #[test]
    fn a_wrong_text_is_told_what_is_right() {
        let error = |text: &str| text.parse::<Shape>().unwrap_err().to_string();
        assert!(error("").contains("sphere, box, capsule"));
        assert!(error("torus radius 1").contains("`torus` where"));
        assert!(error("mesh positions 0 0 0 triangles 0 1 2").contains("names vertex 1"));
        assert!(error("mesh positions 0 0").contains("ends where a number"));
        assert!(error("compound { position 0 0 0").contains("ends where }"));
        assert!(error("compound").contains("compound of no shapes"));
        assert!(
            error("compound { position 0 0 0 orientation 0 0 0 0 sphere radius 1 }")
                .contains("no direction")
        );
    }
}
