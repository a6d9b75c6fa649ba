//! Several shapes as one body.

use embate_geom::{
    Aabb, Pose, Rotation,
    shapes::{InvalidShape, MAX_SIZE, MassProperties},
};

use super::Shape;
use crate::pairs::{Boxes, Tree};

/// Shapes that keep their places to each other, with a tree over them.
///
/// A compound of compounds is that of all their parts. Where parts overlap, mass counts for each.
///
/// ```
/// use embate::{Pose, Vec3, shapes::{Compound, Cuboid, Shape, Sphere}};
///
/// let head = (Pose::at(Vec3::new(0.0, 1.0, 0.0)), Shape::from(Sphere::new(0.3)?));
/// let handle = (Pose::IDENTITY, Shape::from(Cuboid::new(Vec3::new(0.1, 1.0, 0.1))?));
/// let mace = Compound::new(vec![head, handle])?;
/// assert_eq!(mace.parts().len(), 2);
/// # Ok::<(), embate::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Vec<(Pose, Shape)>,
    tree: Tree<3>,
    bounds: Aabb<3>,
}

impl Compound {
    /// Of these parts, each where its pose puts it.
    ///
    /// # Errors
    /// [`InvalidShape`] if there are none, one is a half-space, or one lies beyond [`MAX_SIZE`].
    pub fn new(parts: Vec<(Pose, Shape)>) -> Result<Self, InvalidShape> {
        let mut flat = Vec::with_capacity(parts.len());
        for (part, (pose, shape)) in parts.into_iter().enumerate() {
            let position = pose.position.to_array();
            // No NaN passes.
            let in_range = position.iter().all(|coordinate| coordinate.abs() <= MAX_SIZE);
            if !(in_range && pose.is_finite()) {
                return Err(InvalidShape::PartTooFar { part, position });
            }
            // What has drifted too far to be written and read again is brought back.
            let written = Rotation::as_written(pose.rotation.to_array());
            let pose = Pose { rotation: written.unwrap_or(pose.rotation.renormalised()), ..pose };
            match shape {
                Shape::HalfSpace(_) => return Err(InvalidShape::EndlessPart { part }),
                Shape::Compound(inner) => {
                    for (index, (_, shape)) in inner.parts.iter().enumerate() {
                        let placed = inner.part_pose(&pose, index as u32);
                        let position = placed.position.to_array();
                        if position.iter().any(|coordinate| coordinate.abs() > MAX_SIZE) {
                            return Err(InvalidShape::PartTooFar { part, position });
                        }
                        flat.push((placed, shape.clone()));
                    }
                }
                shape => flat.push((pose, shape)),
            }
        }
        let boxes: Vec<Aabb<3>> = flat.iter().map(|(pose, shape)| shape.aabb(pose)).collect();
        let bounds =
            boxes.iter().copied().reduce(|a, b| a.joined(&b)).ok_or(InvalidShape::NoParts)?;
        // Boxes of finite shapes in range are valid; there may only be too many of them.
        let tree = Tree::build(Boxes::new(&boxes).map_err(|_| InvalidShape::NoParts)?);
        Ok(Self { parts: flat, tree, bounds })
    }

    /// The parts, none of them a compound or a half-space.
    #[must_use]
    pub fn parts(&self) -> &[(Pose, Shape)] {
        &self.parts
    }

    /// Appends the parts whose boxes reach into `bounds`, in the compound's frame, in ascending order.
    pub fn near(&self, bounds: &Aabb<3>, found: &mut Vec<u32>) {
        self.tree.overlapping_box(bounds, found);
    }

    /// The tree over the parts' boxes, each under its number.
    pub(crate) fn tree(&self) -> &Tree<3> {
        &self.tree
    }

    /// A box around it, in its own frame.
    pub(crate) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// Where a part is in the world, if the compound is placed there.
    ///
    /// # Panics
    /// If there is no such part.
    #[must_use]
    pub fn part_pose(&self, pose: &Pose, part: u32) -> Pose {
        let within = &self.parts[part as usize].0;
        Pose {
            rotation: (pose.rotation * within.rotation).renormalised(),
            // As the axes are that contacts go by: these have length 1 even where a rotation has drifted.
            position: pose.frame().point(within.position),
        }
    }

    /// A box around it in the world.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        super::mesh::placed_box(&self.bounds, pose)
    }

    /// What it weighs; `None` if a part is an open mesh, which has no inside.
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let parts: Option<Vec<MassProperties>> = self
            .parts
            .iter()
            .map(|(pose, shape)| {
                let mut mass = shape.mass_properties()?.turned(pose.rotation);
                mass.centroid += pose.position;
                Some(mass)
            })
            .collect();
        MassProperties::joined(&parts?)
    }
}

impl PartialEq for Compound {
    /// Everything else follows from the parts.
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::Vec3;

    use super::*;
    use crate::shapes::{Cuboid, Plane, Sphere};

    fn cube(x: f32) -> (Pose, Shape) {
        (Pose::at(Vec3::X * x), Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap()))
    }

    #[test]
    fn two_cubes_side_by_side_weigh_as_one_box() {
        let both = Compound::new(vec![cube(-1.0), cube(1.0)]).unwrap().mass_properties().unwrap();
        let whole = Cuboid::new(Vec3::new(2.0, 1.0, 1.0)).unwrap().mass_properties();
        assert_eq!((both.volume, both.centroid), (whole.volume, whole.centroid));
        for (ours, theirs) in
            both.inertia_per_mass.columns.iter().zip(whole.inertia_per_mass.columns)
        {
            assert!((*ours - theirs).length() < 1e-6);
        }
    }

    #[test]
    fn a_compound_of_compounds_is_that_of_all_parts() {
        let inner = Compound::new(vec![cube(-1.0), cube(1.0)]).unwrap();
        let turn = Rotation::about(Vec3::Z, core::f32::consts::FRAC_PI_2).unwrap();
        let pose = Pose { rotation: turn, position: Vec3::Z };
        let outer = Compound::new(vec![cube(5.0), (pose, Shape::from(inner))]).unwrap();
        assert_eq!(outer.parts().len(), 3);
        assert!((outer.parts()[2].0.position - Vec3::new(0.0, 1.0, 1.0)).length() < 1e-6);
        let mut near = Vec::new();
        outer.near(&Aabb { min: [4.5; 3], max: [5.5; 3] }, &mut near);
        assert!(near.is_empty());
        outer.near(&Aabb { min: [4.5, 0.0, 0.0], max: [5.5, 0.5, 0.5] }, &mut near);
        assert_eq!(near, [0]);
    }

    #[test]
    fn nothing_an_endless_part_and_a_part_nowhere_are_refused() {
        assert_eq!(Compound::new(Vec::new()), Err(InvalidShape::NoParts));
        let ground = Shape::from(Plane::new(Vec3::Y).unwrap());
        let parts = vec![cube(0.0), (Pose::IDENTITY, ground)];
        assert_eq!(Compound::new(parts), Err(InvalidShape::EndlessPart { part: 1 }));
        let ball = Shape::from(Sphere::new(1.0).unwrap());
        let lost = vec![(Pose::at(Vec3::X * f32::NAN), ball)];
        assert!(matches!(Compound::new(lost), Err(InvalidShape::PartTooFar { part: 0, .. })));
    }

    /// Flattened, parts lay beyond the range, and the compound's own text was refused.
    #[test]
    fn a_compound_in_a_compound_may_not_carry_its_parts_out_of_range() {
        let ball = Shape::from(Sphere::new(1.0).unwrap());
        let far = Pose::at(Vec3::X * MAX_SIZE);
        let inner = Shape::from(Compound::new(vec![(far, ball)]).unwrap());
        let outer = Compound::new(vec![cube(0.0), (far, inner)]);
        assert!(matches!(outer, Err(InvalidShape::PartTooFar { part: 1, .. })), "{outer:?}");
    }

    /// Its parts went by another length than its axes: a cube 100 away was told a tenth nearer than it was.
    #[test]
    fn a_compound_whose_rotation_has_drifted_has_its_parts_where_its_axes_are() {
        let rotation = Rotation::as_written([0.0, 0.0, 0.7067, 0.7067]).unwrap();
        let pose = Pose { rotation, position: Vec3::ZERO };
        let placed = Compound::new(vec![cube(1000.0)]).unwrap().part_pose(&pose, 0).position;
        assert!((placed - Vec3::Y * 1000.0).length() < 1e-3, "{placed:?}");
    }
}
