//! Several shapes as one body.

use embate_geom::{
    Aabb, Pose,
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
            match shape {
                Shape::HalfSpace(_) => return Err(InvalidShape::EndlessPart { part }),
                Shape::Compound(inner) => flat.extend(inner.parts.iter().map(|(within, shape)| {
                    let rotation = (pose.rotation * within.rotation).renormalised();
                    let position = pose.point(within.position);
                    (Pose { rotation, position }, shape.clone())
                })),
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

    /// Where a part is in the world, if the compound is placed there.
    ///
    /// # Panics
    /// If there is no such part.
    #[must_use]
    pub fn part_pose(&self, pose: &Pose, part: u32) -> Pose {
        let within = &self.parts[part as usize].0;
        Pose {
            rotation: (pose.rotation * within.rotation).renormalised(),
            position: pose.point(within.position),
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
    use embate_geom::{Rotation, Vec3};

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
}
