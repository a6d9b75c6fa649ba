//! Compound shape: several sub-shapes, fixed relative to each other.

use embate_geom::{
    Aabb, Pose, Rotation,
    shapes::{MAX_SIZE, MassProperties, ShapeError},
};

use crate::broad_phase::{AabbSlice, DynamicBvh};
use crate::shapes::Shape;

/// Sub-shapes with fixed relative poses, and a BVH over them.
///
/// A compound of compounds is flattened. Where sub-shapes overlap, mass counts once for each.
///
/// ```
/// use embate::{Pose, Vec3, shapes::{Compound, Cuboid, Shape, Sphere}};
///
/// let head =
///     (Pose::from_translation(Vec3::new(0.0, 1.0, 0.0)), Shape::from(Sphere::new(0.3)?));
/// let handle = (Pose::IDENTITY, Shape::from(Cuboid::new(Vec3::new(0.1, 1.0, 0.1))?));
/// let mace = Compound::new(vec![head, handle])?;
/// assert_eq!(mace.sub_shapes().len(), 2);
/// # Ok::<(), embate::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    sub_shapes: Vec<(Pose, Shape)>,
    bvh: DynamicBvh<3>,
    bounds: Aabb<3>,
}

impl Compound {
    /// A compound of these sub-shapes, each at its pose.
    ///
    /// # Errors
    /// [`ShapeError`] if there are none, one is a half-space, or one is positioned beyond
    /// [`MAX_SIZE`].
    pub fn new(parts: Vec<(Pose, Shape)>) -> Result<Self, ShapeError> {
        let mut flat = Vec::with_capacity(parts.len());
        for (part, (pose, shape)) in parts.into_iter().enumerate() {
            let position = pose.position.to_array();
            // The comparison also rejects NaN.
            let in_range = position.iter().all(|coordinate| coordinate.abs() <= MAX_SIZE);
            if !(in_range && pose.is_finite()) {
                return Err(ShapeError::PartOutOfRange { part, position });
            }
            // Renormalize a rotation that has drifted too far for a bit-exact round trip through
            // the text format.
            let as_written = Rotation::from_unit_quaternion(pose.rotation.to_array());
            let pose = Pose { rotation: as_written.unwrap_or(pose.rotation.renormalize()), ..pose };
            match shape {
                Shape::HalfSpace(_) => return Err(ShapeError::UnboundedPart { part }),
                Shape::Compound(inner) => {
                    for (index, (_, shape)) in inner.sub_shapes.iter().enumerate() {
                        let pose = inner.sub_shape_pose(&pose, index as u32);
                        let position = pose.position.to_array();
                        if position.iter().any(|coordinate| coordinate.abs() > MAX_SIZE) {
                            return Err(ShapeError::PartOutOfRange { part, position });
                        }
                        flat.push((pose, shape.clone()));
                    }
                }
                shape => flat.push((pose, shape)),
            }
        }
        let boxes: Vec<Aabb<3>> = flat.iter().map(|(pose, shape)| shape.aabb(pose)).collect();
        let bounds =
            boxes.iter().copied().reduce(|a, b| a.merged(&b)).ok_or(ShapeError::NoParts)?;
        // AABBs of finite shapes in range are valid; only their number can exceed the limit.
        let bvh = DynamicBvh::build(AabbSlice::new(&boxes).map_err(|_| ShapeError::NoParts)?);
        Ok(Self { sub_shapes: flat, bvh, bounds })
    }

    /// The sub-shapes with their poses; none is a compound or a half-space.
    #[must_use]
    #[doc(alias = "parts")]
    pub fn sub_shapes(&self) -> &[(Pose, Shape)] {
        &self.sub_shapes
    }

    /// Appends the indices of the sub-shapes whose AABBs overlap the local-space `bounds`,
    /// ascending.
    #[doc(alias = "near")]
    pub fn parts_in_aabb(&self, bounds: &Aabb<3>, found: &mut Vec<u32>) {
        self.bvh.query_aabb(bounds, found);
    }

    /// BVH over the AABBs of the sub-shapes; ids are indices.
    pub(crate) fn bvh(&self) -> &DynamicBvh<3> {
        &self.bvh
    }

    /// Local-space AABB.
    pub(crate) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// World-space pose of sub-shape `part` of a compound at `pose`.
    ///
    /// # Panics
    /// If there is no such sub-shape.
    #[must_use]
    #[doc(alias = "part_pose")]
    pub fn sub_shape_pose(&self, pose: &Pose, part: u32) -> Pose {
        let local = &self.sub_shapes[part as usize].0;
        Pose {
            rotation: (pose.rotation * local.rotation).renormalize(),
            // By the basis that the narrow phase uses: orthonormal even if the rotation has
            // drifted.
            position: pose.to_rigid_transform().transform_point(local.position),
        }
    }

    /// World-space AABB at `pose`.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        crate::shapes::tri_mesh::transformed_aabb(&self.bounds, pose)
    }

    /// Mass properties of all sub-shapes; `None` if one is an open mesh.
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let parts: Option<Vec<MassProperties>> = self
            .sub_shapes
            .iter()
            .map(|(pose, shape)| {
                let mut mass = shape.mass_properties()?.rotated(pose.rotation);
                mass.center_of_mass += pose.position;
                Some(mass)
            })
            .collect();
        MassProperties::combined(&parts?)
    }
}

impl PartialEq for Compound {
    /// Everything else is derived from the sub-shapes.
    fn eq(&self, other: &Self) -> bool {
        self.sub_shapes == other.sub_shapes
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::Vec3;

    use super::*;
    use crate::shapes::{Cuboid, HalfSpace, Sphere};

    fn cube(x: f32) -> (Pose, Shape) {
        (Pose::from_translation(Vec3::X * x), Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap()))
    }

    #[test]
    fn two_adjacent_cubes_have_the_mass_properties_of_one_box() {
        let both = Compound::new(vec![cube(-1.0), cube(1.0)]).unwrap().mass_properties().unwrap();
        let cuboid = Cuboid::new(Vec3::new(2.0, 1.0, 1.0)).unwrap().mass_properties();
        assert_eq!((both.volume, both.center_of_mass), (cuboid.volume, cuboid.center_of_mass));
        for (column, expected) in both.unit_inertia.columns.iter().zip(cuboid.unit_inertia.columns)
        {
            assert!((*column - expected).length() < 1e-6);
        }
    }

    #[test]
    fn compound_of_compounds_is_flattened() {
        let inner = Compound::new(vec![cube(-1.0), cube(1.0)]).unwrap();
        let rotation = Rotation::from_axis_angle(Vec3::Z, core::f32::consts::FRAC_PI_2).unwrap();
        let pose = Pose { rotation, position: Vec3::Z };
        let outer = Compound::new(vec![cube(5.0), (pose, Shape::from(inner))]).unwrap();
        assert_eq!(outer.sub_shapes().len(), 3);
        assert!((outer.sub_shapes()[2].0.position - Vec3::new(0.0, 1.0, 1.0)).length() < 1e-6);
        let mut found = Vec::new();
        outer.parts_in_aabb(&Aabb { min: [4.5; 3], max: [5.5; 3] }, &mut found);
        assert!(found.is_empty());
        outer.parts_in_aabb(&Aabb { min: [4.5, 0.0, 0.0], max: [5.5, 0.5, 0.5] }, &mut found);
        assert_eq!(found, [0]);
    }

    #[test]
    fn empty_half_space_and_nan_parts_are_rejected() {
        assert_eq!(Compound::new(Vec::new()), Err(ShapeError::NoParts));
        let ground = Shape::from(HalfSpace::new(Vec3::Y).unwrap());
        let parts = vec![cube(0.0), (Pose::IDENTITY, ground)];
        assert_eq!(Compound::new(parts), Err(ShapeError::UnboundedPart { part: 1 }));
        let sphere = Shape::from(Sphere::new(1.0).unwrap());
        let at_nan = vec![(Pose::from_translation(Vec3::X * f32::NAN), sphere)];
        assert!(matches!(Compound::new(at_nan), Err(ShapeError::PartOutOfRange { part: 0, .. })));
    }

    /// Regression: flattening moved sub-shapes out of range, and the parser rejected the compound's
    /// text.
    #[test]
    fn nested_compound_must_not_place_sub_shapes_out_of_range() {
        let sphere = Shape::from(Sphere::new(1.0).unwrap());
        let far = Pose::from_translation(Vec3::X * MAX_SIZE);
        let inner = Shape::from(Compound::new(vec![(far, sphere)]).unwrap());
        let outer = Compound::new(vec![cube(0.0), (far, inner)]);
        assert!(matches!(outer, Err(ShapeError::PartOutOfRange { part: 1, .. })), "{outer:?}");
    }

    /// Regression: positions of sub-shapes were scaled by a quaternion that had drifted from length
    /// 1, unlike the basis that the narrow phase uses: a cube at distance 100 was reported 0.1 too
    /// near.
    #[test]
    fn sub_shape_positions_ignore_the_length_of_a_drifted_rotation() {
        let rotation = Rotation::from_unit_quaternion([0.0, 0.0, 0.7067, 0.7067]).unwrap();
        let pose = Pose { rotation, position: Vec3::ZERO };
        let position = Compound::new(vec![cube(1000.0)]).unwrap().sub_shape_pose(&pose, 0).position;
        assert!((position - Vec3::Y * 1000.0).length() < 1e-3, "{position:?}");
    }
}
