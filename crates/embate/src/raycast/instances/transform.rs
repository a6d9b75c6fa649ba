//! How does one placed mesh see a ray of the world?
//!
//! The definition that every answer about instances rests on, to the bit: a point of the mesh is at
//! `axes · p + origin` in the world. A ray is taken into the mesh's frame by the inverse, worked out once in f64; each
//! number of its origin and direction is computed in f64 by the operations below in their order and rounded once to f32.
//! Its range and its `t` are kept: `t` counts in lengths of the world's direction, whatever the mesh is scaled by.

use embate_geom::{Pose, Ray, Vec3};
use thiserror::Error;

/// Numbers in f64, column by column.
type Columns = [[f64; 3]; 3];

/// `inverse · axes` may differ from the identity by so much: products of f64 whose terms are so much larger than their sum
/// that f32 is all that is left. A flatter mesh would be a sheet, and its inverse noise.
const MOST_RESIDUE: f64 = 1e-9;

/// Places a mesh in the world: turned, scaled, mirrored, sheared, and moved.
///
/// ```
/// use embate::{Pose, Vec3, rays::Affine};
///
/// let twice_as_large = Affine::new([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]], [10.0, 0.0, 0.0])?;
/// assert_eq!(twice_as_large.point([1.0, 2.0, 3.0]), [12.0, 4.0, 6.0]);
/// assert_eq!(Affine::rigid(&Pose::at(Vec3::X))?.point([0.0; 3]), [1.0, 0.0, 0.0]);
/// assert!(Affine::new([[1.0, 0.0, 0.0]; 3], [0.0; 3]).is_err(), "everything in one plane");
/// # Ok::<(), embate::rays::InvalidAffine>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    axes: [[f32; 3]; 3],
    origin: [f32; 3],
    inverse: Columns,
}

/// Why a mesh cannot be placed so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InvalidAffine {
    /// A NaN, an infinity, or a coordinate beyond ±1e18.
    #[error("a number of the placement is not finite or beyond ±1e18")]
    NotFinite,
    /// The mesh would be flat, or so nearly that nothing can be told of it.
    #[error("the placement flattens the mesh: its three axes lie in one plane, or nearly so")]
    Flat,
}

impl Affine {
    /// Where the mesh is as it is.
    pub const IDENTITY: Self = Self {
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        origin: [0.0; 3],
        inverse: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };

    /// `axes` are where the mesh's x, y and z point in the world, and how long they are there; `origin` is where its
    /// origin is.
    ///
    /// # Errors
    /// [`InvalidAffine`] if a number is not finite or out of range, or the axes lie in one plane.
    pub fn new(axes: [[f32; 3]; 3], origin: [f32; 3]) -> Result<Self, InvalidAffine> {
        let in_range = |value: &f32| value.abs() <= embate_mesh::MAX_MAGNITUDE;
        if !axes.iter().flatten().chain(&origin).all(in_range) {
            return Err(InvalidAffine::NotFinite);
        }
        let wide = axes.map(|axis| axis.map(f64::from));
        let inverse = inverse(&wide).ok_or(InvalidAffine::Flat)?;
        Ok(Self { axes, origin, inverse })
    }

    /// Turned and moved.
    ///
    /// # Errors
    /// [`InvalidAffine::NotFinite`] if a number is not finite or out of range.
    pub fn rigid(pose: &Pose) -> Result<Self, InvalidAffine> {
        let axes = pose.rotation.matrix().columns.map(Vec3::to_array);
        Self::new(axes, pose.position.to_array())
    }

    /// Where the mesh's axes point in the world, and how long they are there.
    #[must_use]
    pub fn axes(&self) -> [[f32; 3]; 3] {
        self.axes
    }

    /// Where the mesh's origin is.
    #[must_use]
    pub fn origin(&self) -> [f32; 3] {
        self.origin
    }

    /// A point of the mesh, in the world.
    #[must_use]
    pub fn point(&self, local: [f32; 3]) -> [f32; 3] {
        let turned = times(&self.wide_axes(), local.map(f64::from));
        core::array::from_fn(|axis| (turned[axis] + f64::from(self.origin[axis])) as f32)
    }

    /// The ray as the mesh sees it.
    #[must_use]
    pub fn local_ray(&self, ray: &Ray<3>) -> Ray<3> {
        let from =
            core::array::from_fn(|axis| f64::from(ray.origin[axis]) - f64::from(self.origin[axis]));
        Ray {
            origin: times(&self.inverse, from).map(|c| c as f32),
            direction: times(&self.inverse, ray.direction.map(f64::from)).map(|c| c as f32),
            ..*ray
        }
    }

    pub(super) fn wide_axes(&self) -> Columns {
        self.axes.map(|axis| axis.map(f64::from))
    }

    /// By how much an error of a point in the mesh's frame, measured against how far that point seems from there, can
    /// grow in the world: the largest row sum of |axes| · |inverse|. 1 for a mesh that is scaled alone, up to 3 for one that
    /// is turned, more for a sheared one.
    pub(super) fn stretch(&self) -> f64 {
        let (axes, inverse) = (self.wide_axes(), self.inverse);
        let row = |row: usize| -> f64 {
            (0..3)
                .map(|k| axes[k][row].abs() * (0..3).map(|c| inverse[c][k].abs()).sum::<f64>())
                .sum()
        };
        (0..3).map(row).fold(0.0, |most, sum| if sum > most { sum } else { most })
    }
}

/// `columns · vector`, summed from the first column on.
fn times(columns: &Columns, vector: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|row| {
        columns[0][row] * vector[0] + columns[1][row] * vector[1] + columns[2][row] * vector[2]
    })
}

/// By cross products; `None` if it does not lead back.
fn inverse(columns: &Columns) -> Option<Columns> {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let [a, b, c] = *columns;
    let rows = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
    let inverse: Columns =
        core::array::from_fn(|column| core::array::from_fn(|row| rows[row][column] / determinant));
    let leads_back = (0..3).all(|column| {
        let back = times(&inverse, columns[column]);
        (0..3).all(|row| {
            let unit = if row == column { 1.0 } else { 0.0 };
            (back[row] - unit).abs() <= MOST_RESIDUE
        })
    });
    leads_back.then_some(inverse)
}

#[cfg(test)]
mod tests {
    use embate_geom::Rotation;

    use super::*;

    #[test]
    fn a_ray_comes_to_the_same_point_in_either_frame() {
        let turned = Rotation::about(Vec3::new(1.0, -2.0, 0.5), 1.1).unwrap();
        let rigid = Affine::rigid(&Pose { rotation: turned, position: Vec3::new(5.0, 6.0, -7.0) });
        let sheared = Affine::new([[2.0, 0.0, 0.1], [1.5, 1.0, 0.0], [0.0, -3.0, 0.5]], [9.0; 3]);
        for affine in [Affine::IDENTITY, rigid.unwrap(), sheared.unwrap()] {
            let ray = Ray::new([1.0, 2.0, 3.0], [-0.3, 0.2, 4.0]);
            let local = affine.local_ray(&ray);
            for t in [0.0, 1.0, 17.0] {
                let (there, here) = (affine.point(local.at(t)), ray.at(t));
                assert!((0..3).all(|axis| (there[axis] - here[axis]).abs() < 1e-4), "{affine:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_undone_is_refused() {
        let flat = Affine::new([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]], [0.0; 3]);
        assert_eq!(flat, Err(InvalidAffine::Flat));
        for bad in [f32::NAN, f32::INFINITY, 2e18] {
            assert_eq!(Affine::new([[bad; 3]; 3], [0.0; 3]), Err(InvalidAffine::NotFinite));
            let moved = Affine::new(Affine::IDENTITY.axes, [0.0, bad, 0.0]);
            assert_eq!(moved, Err(InvalidAffine::NotFinite));
        }
        assert!(Affine::new([[0.0; 3]; 3], [0.0; 3]).is_err());
        // As small and as large as a mesh can be seen.
        for scale in [1e-12, 1e12] {
            let axes = [[scale, 0.0, 0.0], [0.0, -scale, 0.0], [0.0, 0.0, scale]];
            assert!(Affine::new(axes, [0.0; 3]).is_ok());
        }
    }

    #[test]
    fn a_turn_stretches_little_and_a_shear_much() {
        assert_eq!(Affine::IDENTITY.stretch(), 1.0);
        let sheared = Affine::new([[1.0, 0.0, 0.0], [100.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [0.0; 3]);
        assert!(sheared.unwrap().stretch() > 100.0);
    }
}
