//! Where do the two sides of a joint stand to each other, and along which directions are they held?
//!
//! | joint | moving | turning |
//! |---|---|---|
//! | distance | along the line between its points | |
//! | ball | in all directions | |
//! | hinge | in all directions | about the two axes across its own |
//! | slider | along the two axes across its own | about all axes |
//! | weld | in all directions | about all axes |
//!
//! Beside these, a hinge turns about its own axis and a slider moves along its own, driven by a motor or
//! within limits.

use embate_geom::{Mat3, Rotation, Vec3, scalar};

use super::super::bodies::Bodies;
use super::super::body::BodyId;
use super::super::prepare::Softness;
use super::plan::{JointKind, JointPlan, Motor, check_limits, check_motor};
use super::row::{Aim, Group, Owner, Row};
use super::spring::Swing;

/// Places for the impulses of a joint: what it holds of moving and of turning, motor, lower and upper limit.
const HOLDS: usize = 0;
const HOLDS_TURN: usize = 1;
const DRIVES: usize = 2;
const LOWER: usize = 3;
const UPPER: usize = 4;
pub(in super::super) const SLOTS: usize = 5;

/// Points nearer to each other than this have no direction between them, in metres.
const NO_LENGTH: f32 = 1e-6;

/// A joint at work.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Link {
    pub(in super::super) ids: [BodyId; 2],
    pub(in super::super) bodies: [usize; 2],
    pub(in super::super) kind: JointKind,
    pub(in super::super) colliding: bool,
    /// From each centre of mass, turned with the body.
    pub(in super::super) anchors: [Vec3; 2],
    /// The joint's axes as each body has them, the first its own.
    pub(in super::super) frames: [Rotation; 2],
    pub(in super::super) limits: Option<[f32; 2]>,
    pub(in super::super) motor: Option<Motor>,
    /// Of a rod or spring.
    pub(in super::super) length: f32,
    pub(in super::super) stiffness: f32,
    pub(in super::super) damping: f32,
    /// Of a hinge: with all its turns.
    pub(in super::super) angle: f32,
    /// In the last sub-step, in N·s and N·m·s.
    pub(in super::super) impulses: [Vec3; SLOTS],
}

/// How the two sides stand to each other in the world.
pub(super) struct Stand {
    arm_a: Vec3,
    arm_b: Vec3,
    /// From A's point to B's.
    pub(super) between: Vec3,
    /// The joint's axes as A has them.
    axes: Mat3,
    axis_b: Vec3,
    /// How B's axes are turned as A sees them.
    turned: [f32; 4],
}

impl Link {
    /// Of a plan that was checked.
    pub(super) fn new(plan: &JointPlan, bodies: &Bodies, places: [usize; 2]) -> Self {
        let axis = plan.axis.normalised().unwrap_or(Vec3::X);
        let across = axis.any_perpendicular();
        let axes = Rotation::from_axes(&Mat3 { columns: [axis, across, axis.cross(across)] });
        let anchor = |side: usize| {
            let place = &bodies.places[places[side]];
            place.rotation.turn_back(plan.anchors[side] - place.center)
        };
        let frame =
            |side: usize| (bodies.places[places[side]].rotation.inverse() * axes).renormalised();
        Self {
            ids: plan.bodies,
            bodies: places,
            kind: plan.kind,
            colliding: plan.colliding,
            anchors: [anchor(0), anchor(1)],
            frames: [frame(0), frame(1)],
            limits: plan.limits,
            motor: plan.motor,
            length: plan.length.unwrap_or((plan.anchors[1] - plan.anchors[0]).length()),
            stiffness: plan.stiffness,
            damping: plan.damping,
            angle: 0.0,
            impulses: [Vec3::ZERO; SLOTS],
        }
    }

    /// Whether its numbers are in their ranges.
    pub(in super::super) fn is_valid(&self) -> bool {
        let at_least_0 = |value: f32| (0.0..=1e15).contains(&value);
        self.limits.is_none_or(|limits| check_limits(self.kind, limits).is_ok())
            && self.motor.is_none_or(|motor| check_motor(self.kind, motor).is_ok())
            && [self.length, self.stiffness, self.damping].into_iter().all(at_least_0)
    }

    pub(super) fn stand(&self, bodies: &Bodies) -> Stand {
        let [a, b] = self.bodies;
        let (place_a, place_b) = (&bodies.places[a], &bodies.places[b]);
        let arm_a = place_a.rotation.turn(self.anchors[0]);
        let arm_b = place_b.rotation.turn(self.anchors[1]);
        let moved = bodies.motions[b].moved - bodies.motions[a].moved;
        let frame_a = place_a.rotation * self.frames[0];
        let frame_b = place_b.rotation * self.frames[1];
        let turned = (frame_a.inverse() * frame_b).renormalised().to_array();
        Stand {
            arm_a,
            arm_b,
            between: (place_b.center - place_a.center) + moved + (arm_b - arm_a),
            axes: frame_a.matrix(),
            axis_b: frame_b.turn(Vec3::X),
            turned,
        }
    }

    /// The angle of a hinge, which may be several turns: the one nearest to the last.
    pub(super) fn angle_at(&self, stand: &Stand) -> f32 {
        use core::f64::consts::TAU;
        let [x, _, _, w] = stand.turned.map(f64::from);
        let angle = 2.0 * scalar::atan2_wide(x, w);
        let turns = ((f64::from(self.angle) - angle) / TAU).round();
        (angle + turns * TAU) as f32
    }

    /// Every direction that is held now, and how far off each is. Impulses of what is not held are forgotten.
    pub(super) fn groups(
        &mut self,
        bodies: &Bodies,
        number: u32,
        soft: Softness,
        h: f32,
        out: &mut Vec<Group>,
    ) {
        let stand = self.stand(bodies);
        let owner = |slot| Owner { bodies: self.bodies, link: number, slot };
        let mut held = [false; SLOTS];
        let mut hold = |slot: usize, aim: Aim, rows: &[(Row, f32)], soft: Softness| {
            held[slot] = true;
            out.push(Group::new(bodies, owner(slot), aim, rows, soft));
        };
        match self.kind {
            JointKind::Distance | JointKind::Spring => {
                let length = stand.between.length();
                if length > NO_LENGTH {
                    let row = Row::moving(stand.between / length, stand.arm_a, stand.arm_b);
                    match self.limits {
                        None if self.kind == JointKind::Spring => {
                            if let Swing::Fast(soft) = self.swing(bodies, &row, h) {
                                hold(HOLDS, Aim::Hold, &[(row, length - self.length)], soft);
                            }
                        }
                        None => hold(HOLDS, Aim::Hold, &[(row, length - self.length)], soft),
                        Some([least, most]) => {
                            limit(&mut hold, row, length, [least, most], soft);
                        }
                    }
                }
            }
            JointKind::Ball => hold(HOLDS, Aim::Hold, &stand.point(), soft),
            JointKind::Weld => {
                hold(HOLDS_TURN, Aim::Hold, &stand.turns(), soft);
                hold(HOLDS, Aim::Hold, &stand.point(), soft);
            }
            JointKind::Hinge => {
                let [axis, y, z] = stand.axes.columns;
                let angle = self.angle_at(&stand);
                self.angle = angle;
                let row = Row::turning(axis);
                self.drive(&mut hold, row, angle, soft, h);
                let off = axis.cross(stand.axis_b);
                let rows = [(Row::turning(y), off.dot(y)), (Row::turning(z), off.dot(z))];
                hold(HOLDS_TURN, Aim::Hold, &rows, soft);
                hold(HOLDS, Aim::Hold, &stand.point(), soft);
            }
            JointKind::Slider => {
                let [axis, y, z] = stand.axes.columns;
                // The axes turn with A about its own centre: its arm reaches to B's point.
                let arm_a = stand.arm_a + stand.between;
                let along =
                    |axis: Vec3| (Row::moving(axis, arm_a, stand.arm_b), stand.between.dot(axis));
                let (row, way) = along(axis);
                self.drive(&mut hold, row, way, soft, h);
                hold(HOLDS_TURN, Aim::Hold, &stand.turns(), soft);
                hold(HOLDS, Aim::Hold, &[along(y), along(z)], soft);
            }
        }
        for (impulse, held) in self.impulses.iter_mut().zip(held) {
            if !held {
                *impulse = Vec3::ZERO;
            }
        }
    }

    /// Motor and limits of the direction that is free.
    fn drive(
        &self,
        hold: &mut impl FnMut(usize, Aim, &[(Row, f32)], Softness),
        row: Row,
        at: f32,
        soft: Softness,
        h: f32,
    ) {
        if let Some(Motor { speed, strength }) = self.motor {
            hold(DRIVES, Aim::Drive { speed, most: strength * h }, &[(row, 0.0)], soft);
        }
        if let Some(limits) = self.limits {
            limit(hold, row, at, limits, soft);
        }
    }

    fn swing(&self, bodies: &Bodies, row: &Row, h: f32) -> Swing {
        let inverse_mass = row.given_to_itself(bodies, self.bodies);
        Swing::new(self.stiffness, self.damping, inverse_mass, h)
    }

    /// A slow spring acts once a sub-step, before anything is held.
    pub(super) fn pull(&self, bodies: &mut Bodies, h: f32) {
        if self.kind != JointKind::Spring {
            return;
        }
        let stand = self.stand(bodies);
        let length = stand.between.length();
        if length <= NO_LENGTH {
            return;
        }
        let row = Row::moving(stand.between / length, stand.arm_a, stand.arm_b);
        let inverse_mass = row.given_to_itself(bodies, self.bodies);
        if inverse_mass > 0.0
            && let Swing::Slow { loss, gain } = self.swing(bodies, &row, h)
        {
            let change = loss * row.speed(bodies, self.bodies) + gain * (length - self.length);
            row.push(bodies, self.bodies, -change / inverse_mass);
        }
    }

    /// What a spring holds, in J.
    pub(super) fn energy(&self, bodies: &Bodies) -> f64 {
        if self.kind != JointKind::Spring {
            return 0.0;
        }
        let stretch = f64::from(self.stand(bodies).between.length() - self.length);
        0.5 * f64::from(self.stiffness) * stretch * stretch
    }
}

/// Both limits of a direction; where they are equal, one place to be held at.
fn limit(
    hold: &mut impl FnMut(usize, Aim, &[(Row, f32)], Softness),
    row: Row,
    at: f32,
    [least, most]: [f32; 2],
    soft: Softness,
) {
    if least == most {
        hold(LOWER, Aim::Hold, &[(row, at - least)], soft);
        return;
    }
    if least > f32::NEG_INFINITY {
        hold(LOWER, Aim::AtLeast, &[(row, at - least)], soft);
    }
    if most < f32::INFINITY {
        hold(UPPER, Aim::AtLeast, &[(row.turned_round(), most - at)], soft);
    }
}

impl Stand {
    /// The two points stay together.
    fn point(&self) -> [(Row, f32); 3] {
        Vec3::AXES.map(|axis| (Row::moving(axis, self.arm_a, self.arm_b), self.between.dot(axis)))
    }

    /// The two sides are turned alike.
    fn turns(&self) -> [(Row, f32); 3] {
        let [x, y, z, w] = self.turned;
        // Of the two quaternions of a rotation, that of the shorter way.
        let twice = if w < 0.0 { -2.0 } else { 2.0 };
        let [a, b, c] = self.axes.columns.map(Row::turning);
        [(a, twice * x), (b, twice * y), (c, twice * z)]
    }

    /// How far B's point is along the joint's axis.
    pub(super) fn way(&self) -> f32 {
        self.between.dot(self.axes.columns[0])
    }

    /// By how much the sides are turned against each other, in radians.
    pub(super) fn turn(&self) -> f32 {
        let [x, y, z, w] = self.turned.map(f64::from);
        let sine = (x * x + y * y + z * z).sqrt();
        2.0 * scalar::atan2_wide(sine, w.abs()) as f32
    }
}
