//! What one may read of a body, and change.

use embate_geom::{Aabb, Pose, Vec3};

use super::bodies::{Bodies, Motion, Nature, Push, Rest};
use super::body::{BodyId, FAR, FASTEST, Groups, Kind, Locks, MOST_SPIN, Material};
use super::checks::{InvalidBody, check_number, check_pose, check_speed, check_vector};
use super::joints::{InvalidJoint, check_arm};
use super::mass::Mass;
use super::wide::{dot, wide};
use super::world::World;
use crate::shapes::Shape;

/// What a body may gain in a second, in m/s or radians a second: its square is still a number.
const MOST_GAINED: f32 = 1e12;

/// A body to be read.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) place: usize,
}

impl<'a> Body<'a> {
    fn nature(&self) -> &'a Nature {
        self.bodies.nature(self.place)
    }

    fn motion(&self) -> &'a Motion {
        &self.bodies.motions[self.place]
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> BodyId {
        self.bodies.id(self.place)
    }

    /// What it is made of.
    #[must_use]
    pub fn shape(&self) -> &'a Shape {
        &self.nature().shape
    }

    /// What moves it.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.nature().kind
    }

    /// Where its shape is.
    #[must_use]
    pub fn pose(&self) -> Pose {
        self.bodies.poses[self.place]
    }

    /// Where its shape's origin is.
    #[must_use]
    pub fn position(&self) -> Vec3 {
        self.pose().position
    }

    /// Where its centre of mass is.
    #[must_use]
    pub fn center_of_mass(&self) -> Vec3 {
        self.bodies.places[self.place].center
    }

    /// The velocity of its centre of mass, in m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.motion().velocity
    }

    /// How it spins, in radians a second about the axes of the world.
    #[must_use]
    pub fn angular_velocity(&self) -> Vec3 {
        self.motion().spin
    }

    /// The velocity of the point of it that is now here.
    #[must_use]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.bodies.velocity_at(self.place, point)
    }

    /// In kg; 0 for what contacts do not move.
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.nature().mass.kilograms
    }

    /// How its surface takes a touch.
    #[must_use]
    pub fn material(&self) -> Material {
        self.nature().material
    }

    /// Whom it touches.
    #[must_use]
    pub fn groups(&self) -> Groups {
        self.nature().groups
    }

    /// Whether it only watches.
    #[must_use]
    pub fn is_sensor(&self) -> bool {
        self.nature().sensor
    }

    /// Whether it rests and is not computed until something wakes it.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        self.bodies.rests[self.place] != Rest::Awake
    }

    /// A box around it.
    #[must_use]
    pub fn aabb(&self) -> Aabb<3> {
        self.nature().shape.aabb(&self.pose())
    }

    /// ½ m v² + ½ ω·Iω, in J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let (velocity, spin) = (wide(self.velocity()), wide(self.angular_velocity()));
        let turning = wide(self.own_angular_momentum());
        0.5 * (f64::from(self.mass()) * dot(velocity, velocity) + dot(spin, turning))
    }

    /// About its own centre of mass, in kg·m²/s.
    pub(super) fn own_angular_momentum(&self) -> Vec3 {
        let rotation = self.bodies.places[self.place].rotation;
        rotation.turn(self.nature().mass.inertia * rotation.turn_back(self.angular_velocity()))
    }
}

/// A body to be changed. Every change is checked: what is refused leaves the world as it was.
#[derive(Debug)]
pub struct BodyChange<'a> {
    pub(super) world: &'a mut World,
    pub(super) place: usize,
}

impl BodyChange<'_> {
    fn nature(&mut self) -> &mut Nature {
        self.world.bodies.natures[self.place].as_mut().expect("a body to be changed lives")
    }

    fn moves(&self) -> bool {
        self.world.bodies.nature(self.place).kind == Kind::Moving
    }

    /// Puts it elsewhere; what touched it wakes, and so does what it touches there.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is not finite or too large.
    pub fn set_pose(&mut self, pose: Pose) -> Result<(), InvalidBody> {
        check_pose(&pose)?;
        self.world.place_at(self.place, pose)
    }

    /// The velocity of its centre of mass from now on; a still body has none.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is not finite or too large.
    pub fn set_velocity(&mut self, velocity: Vec3) -> Result<(), InvalidBody> {
        check_vector("velocity", velocity, FASTEST)?;
        check_speed(velocity, self.world.settings.max_speed)?;
        if self.world.bodies.nature(self.place).kind != Kind::Still {
            self.world.bodies.motions[self.place].velocity = velocity;
        }
        Ok(())
    }

    /// How it spins from now on; a still body does not.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is not finite or too large.
    pub fn set_angular_velocity(&mut self, spin: Vec3) -> Result<(), InvalidBody> {
        check_vector("angular velocity", spin, MOST_SPIN)?;
        if self.world.bodies.nature(self.place).kind != Kind::Still {
            self.world.bodies.motions[self.place].spin = spin;
        }
        Ok(())
    }

    /// Weighs so much from now on; what contacts do not move stays so.
    ///
    /// # Errors
    /// [`InvalidBody`] if no body can weigh that.
    pub fn set_mass(&mut self, mass: f32) -> Result<(), InvalidBody> {
        if self.moves() {
            let mass = Mass::of(&self.nature().shape, mass)?;
            self.nature().mass = mass;
            self.world.bodies.weigh(self.place);
        }
        Ok(())
    }

    /// How its surface takes a touch from now on; what touches it wakes.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is out of its range.
    pub fn set_material(&mut self, material: Material) -> Result<(), InvalidBody> {
        material.check()?;
        self.nature().material = material;
        self.world.wake_neighbours(self.place);
        let World { bodies, touches, .. } = &mut *self.world;
        for pair in &mut touches.pairs {
            let [a, b] = pair.bodies.map(|place| place as usize);
            if a == self.place || b == self.place {
                pair.material = bodies.nature(a).material.of_pair(&bodies.nature(b).material);
            }
        }
        Ok(())
    }

    /// The rates at which it loses velocity and spin.
    ///
    /// # Errors
    /// [`InvalidBody`] if a rate is below 0 or not finite.
    pub fn set_damping(&mut self, moving: f32, turning: f32) -> Result<(), InvalidBody> {
        check_number("damping", moving, 0.0, 1e6)?;
        check_number("angular damping", turning, 0.0, 1e6)?;
        self.nature().damping = [moving, turning];
        Ok(())
    }

    /// How strongly gravity acts on it.
    ///
    /// # Errors
    /// [`InvalidBody`] if it is not finite.
    pub fn set_gravity_scale(&mut self, scale: f32) -> Result<(), InvalidBody> {
        check_number("gravity scale", scale, -1e6, 1e6)?;
        self.nature().gravity_scale = scale;
        Ok(())
    }

    /// Axes along and about which it does not move.
    ///
    /// # Errors
    /// [`InvalidJoint::Far`] if a joint holds it by a point that is too far from a body of such locks.
    pub fn set_locks(&mut self, locks: Locks) -> Result<(), InvalidJoint> {
        let mass = self.world.bodies.nature(self.place).mass;
        for link in self.world.joints.iter() {
            for (side, which) in ["first", "second"].into_iter().enumerate() {
                if link.bodies[side] == self.place {
                    check_arm(&mass, locks, which, link.anchors[side].length())?;
                }
            }
        }
        self.nature().locks = locks;
        self.world.bodies.weigh(self.place);
        Ok(())
    }

    /// Whom it touches from now on. Touches that both groups allow go on.
    pub fn set_groups(&mut self, groups: Groups) {
        self.nature().groups = groups;
        self.world.choose_again(self.place);
    }

    /// Pushes it at its centre of mass for the next step, in N; pushes add up.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is not finite or too large, or if all pushes together are too strong for the body.
    /// A speed that comes about by them is cut to the world's largest, as it is when a body falls.
    pub fn apply_force(&mut self, force: Vec3) -> Result<(), InvalidBody> {
        check_vector("force", force, 1e15)?;
        self.push_on(Push { force, torque: Vec3::ZERO })
    }

    /// Pushes it at a point of the world for the next step, in N.
    ///
    /// # Errors
    /// As [`apply_force`](Self::apply_force).
    pub fn apply_force_at(&mut self, force: Vec3, point: Vec3) -> Result<(), InvalidBody> {
        check_vector("force", force, 1e15)?;
        check_vector("point", point, FAR)?;
        let arm = point - self.world.bodies.places[self.place].center;
        self.push_on(Push { force, torque: arm.cross(force) })
    }

    /// Turns it for the next step, in N·m; torques add up.
    ///
    /// # Errors
    /// As [`apply_force`](Self::apply_force).
    pub fn apply_torque(&mut self, torque: Vec3) -> Result<(), InvalidBody> {
        check_vector("torque", torque, 1e15)?;
        self.push_on(Push { force: Vec3::ZERO, torque })
    }

    /// What a body gains by all pushes together must be a number that its speed can still be told from.
    fn push_on(&mut self, push: Push) -> Result<(), InvalidBody> {
        let bodies = &mut self.world.bodies;
        let before = bodies.pushes[self.place];
        let force = before.force + push.force;
        let torque = before.torque + push.torque;
        let gained = force.scaled_by(bodies.inverse_masses[self.place]);
        let turned = bodies.inverse_inertias[self.place] * torque;
        check_vector("acceleration by all forces", gained, MOST_GAINED)?;
        check_vector("angular acceleration by all torques", turned, MOST_GAINED)?;
        bodies.pushes[self.place] = Push { force, torque };
        Ok(())
    }

    /// Changes its velocity at once, in N·s.
    ///
    /// # Errors
    /// [`InvalidBody`] if a number is not finite or too large, or if the body would be faster than the world's largest
    /// speed, or than 10,000 radians a second.
    pub fn apply_impulse(&mut self, impulse: Vec3) -> Result<(), InvalidBody> {
        self.hit(impulse, Vec3::ZERO)
    }

    /// Changes its velocity and spin at once by an impulse at a point of the world, in N·s.
    ///
    /// # Errors
    /// As [`apply_impulse`](Self::apply_impulse).
    pub fn apply_impulse_at(&mut self, impulse: Vec3, point: Vec3) -> Result<(), InvalidBody> {
        check_vector("point", point, FAR)?;
        self.hit(impulse, point - self.world.bodies.places[self.place].center)
    }

    /// An impulse at an arm from the centre of mass.
    fn hit(&mut self, impulse: Vec3, arm: Vec3) -> Result<(), InvalidBody> {
        check_vector("impulse", impulse, 1e15)?;
        let bodies = &mut self.world.bodies;
        let before = bodies.motions[self.place];
        let velocity = before.velocity + impulse.scaled_by(bodies.inverse_masses[self.place]);
        let spin = before.spin + bodies.inverse_inertias[self.place] * arm.cross(impulse);
        // What is as fast already may be slowed down.
        let slower = velocity.length() <= before.velocity.length();
        if !slower {
            check_speed(velocity, self.world.settings.max_speed)?;
        }
        let slower = spin.length() <= before.spin.length();
        if !slower {
            check_vector("angular velocity after the impulse", spin, MOST_SPIN)?;
        }
        let motion = &mut bodies.motions[self.place];
        (motion.velocity, motion.spin) = (velocity, spin);
        Ok(())
    }
}
