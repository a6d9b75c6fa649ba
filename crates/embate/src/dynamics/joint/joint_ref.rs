//! Joints as a user makes, asks, changes and undoes them.

use embate_geom::Vec3;

use super::super::body::BodyId;
use super::super::islands;
use super::super::world::World;
use super::plan::{check_limits, check_motor};
use super::{InvalidJoint, JointId, JointKind, JointPlan, Link, Motor};
use crate::pairs::Pair;

/// A joint to be read.
#[derive(Clone, Copy, Debug)]
pub struct Joint<'a> {
    world: &'a World,
    link: &'a Link,
    id: JointId,
}

impl Joint<'_> {
    /// Its name.
    #[must_use]
    pub fn id(&self) -> JointId {
        self.id
    }

    /// What it leaves free.
    #[must_use]
    pub fn kind(&self) -> JointKind {
        self.link.kind
    }

    /// Whom it holds.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        self.link.ids
    }

    /// Its point of each body, in the world.
    #[must_use]
    pub fn points(&self) -> [Vec3; 2] {
        core::array::from_fn(|side| {
            let place = &self.world.bodies.places[self.link.bodies[side]];
            place.center + place.rotation.turn(self.link.anchors[side])
        })
    }

    /// How far its two points are from each other, in metres: of a ball, hinge or weld, how far it was pulled
    /// apart.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.link.stand(&self.world.bodies).between.length()
    }

    /// The angle of a hinge in radians, with all its turns; `None` for other joints.
    #[must_use]
    pub fn angle(&self) -> Option<f32> {
        let stand = self.link.stand(&self.world.bodies);
        (self.link.kind == JointKind::Hinge).then(|| self.link.angle_at(&stand))
    }

    /// How far a slider has slid, in metres; `None` for other joints.
    #[must_use]
    pub fn way(&self) -> Option<f32> {
        let slides = self.link.kind == JointKind::Slider;
        slides.then(|| self.link.stand(&self.world.bodies).way())
    }

    /// By how much its two sides are turned against each other since it was made, in radians.
    #[must_use]
    pub fn turn(&self) -> f32 {
        self.link.stand(&self.world.bodies).turn()
    }

    /// Its limits, if it has any.
    #[must_use]
    pub fn limits(&self) -> Option<[f32; 2]> {
        self.link.limits
    }

    /// What drives it.
    #[must_use]
    pub fn motor(&self) -> Option<Motor> {
        self.link.motor
    }
}

/// A joint to be changed. What is refused leaves the world as it was.
#[derive(Debug)]
pub struct JointChange<'a> {
    link: &'a mut Link,
}

impl JointChange<'_> {
    /// What drives it from now on.
    ///
    /// # Errors
    /// [`InvalidJoint`] if it has no motor, or a number is not finite.
    pub fn set_motor(&mut self, motor: Option<Motor>) -> Result<(), InvalidJoint> {
        motor.map_or(Ok(()), |motor| check_motor(self.link.kind, motor))?;
        self.link.motor = motor;
        Ok(())
    }

    /// How far it may go from now on.
    ///
    /// # Errors
    /// [`InvalidJoint`] if it has no limits, or they are the wrong way round.
    pub fn set_limits(&mut self, limits: Option<[f32; 2]>) -> Result<(), InvalidJoint> {
        limits.map_or(Ok(()), |limits| check_limits(self.link.kind, limits))?;
        self.link.limits = limits;
        Ok(())
    }
}

impl World {
    /// Holds two bodies to each other. Both wake.
    ///
    /// ```
    /// use embate::{Vec3, motion::{BodyPlan, InvalidJoint, JointPlan, Settings, World}, shapes::Sphere};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// let ball = world.add(BodyPlan::moving(Sphere::new(0.1)?, 1.0))?;
    /// let hook = world.add(BodyPlan::still(Sphere::new(0.1)?).at(Vec3::Y))?;
    /// let rope = world.join(JointPlan::distance(hook, ball, Vec3::Y, Vec3::ZERO).with_limits(0.0, 1.0))?;
    /// world.step();
    /// assert!(world.joint(rope).unwrap().length() < 1.001);
    ///
    /// let refused = world.join(JointPlan::ball(ball, ball, Vec3::ZERO));
    /// assert_eq!(refused, Err(InvalidJoint::SameBody));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`InvalidJoint`] says what is wrong with it; the world is as before.
    pub fn join(&mut self, plan: JointPlan) -> Result<JointId, InvalidJoint> {
        let places = plan.check(&self.bodies, self.settings.method)?;
        self.touches.tidy();
        let link = Link::new(&plan, &self.bodies, places);
        for place in places {
            islands::wake_body(&mut self.bodies, place);
        }
        if !link.colliding {
            let (pair, untouchable) = (link.pair(), &mut self.bodies.untouchable);
            let number = untouchable.partition_point(|&other| other < pair);
            untouchable.insert(number, pair);
            self.keep_apart(pair);
        }
        Ok(self.joints.add(link))
    }

    /// Takes a joint apart; false if there is none of this name. Both bodies wake.
    pub fn unjoin(&mut self, id: JointId) -> bool {
        let Some(index) = self.joints.find(id) else { return false };
        self.touches.tidy();
        if let Some(pair) = self.take_apart(index) {
            // They may touch from now on.
            self.meet(pair.map(|place| place as usize));
        }
        true
    }

    /// The two bodies, if no joint keeps them from touching any more.
    fn take_apart(&mut self, index: usize) -> Option<Pair> {
        let link = self.joints.remove(index)?;
        islands::wake_bodies(&mut self.bodies, link.bodies);
        let (pair, untouchable) = (link.pair(), &mut self.bodies.untouchable);
        if link.colliding {
            return None;
        }
        if let Ok(number) = untouchable.binary_search(&pair) {
            untouchable.remove(number);
        }
        untouchable.binary_search(&pair).is_err().then_some(pair)
    }

    /// Before a body goes: so do its joints.
    pub(in super::super) fn unjoin_all(&mut self, place: usize) {
        for index in 0..self.joints.links.len() {
            if self.joints.links[index].as_ref().is_some_and(|link| link.bodies.contains(&place)) {
                self.take_apart(index);
            }
        }
    }

    /// A joint of this name; `None` if it was taken apart, as it is when one of its bodies is removed.
    #[must_use]
    pub fn joint(&self, id: JointId) -> Option<Joint<'_>> {
        let link = self.joints.links[self.joints.find(id)?].as_ref()?;
        Some(Joint { world: self, link, id })
    }

    /// A joint of this name to be changed; `None` if it was taken apart. Its bodies wake.
    pub fn change_joint(&mut self, id: JointId) -> Option<JointChange<'_>> {
        let index = self.joints.find(id)?;
        let link = self.joints.links[index].as_mut()?;
        for &place in &link.bodies {
            islands::wake_body(&mut self.bodies, place);
        }
        Some(JointChange { link })
    }

    /// Every joint, in the order of their names.
    pub fn joints(&self) -> impl Iterator<Item = Joint<'_>> {
        let named = (0..).zip(&self.joints.generations).zip(&self.joints.links);
        named.filter_map(|((index, &generation), link)| {
            let link = link.as_ref()?;
            Some(Joint { world: self, link, id: JointId { index, generation } })
        })
    }
}
