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
use super::super::body::{BodyId, MOST_SPIN};
use super::super::prepare::{Softness, StepRules};
use super::held::Held;
use super::plan::{JointKind, JointPlan, Motor, check_limits, check_motor};
use super::row::{Aim, Row, Single};
use super::spring::Swing;
use super::strain::Strain;
use crate::pairs::Pair;

/// Places for the impulses of a joint: what it holds of moving and of turning, motor, lower and upper limit.
const HOLDS: usize = 0;
const HOLDS_TURN: usize = 1;
const DRIVES: usize = 2;
const LOWER: usize = 3;
const UPPER: usize = 4;
pub(in super::super) const SLOTS: usize = 5;

/// Points nearer to each other than this have no direction between them, in metres.
const NO_LENGTH: f32 = 1e-6;

const NO_LIMITS: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

/// Joints that were made or torn apart come together at a walking pace, in m/s and rad/s: as contacts do.
const PULL_SPEED: f32 = 3.0;

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

    /// Its two bodies, the smaller place first.
    pub(super) fn pair(&self) -> Pair {
        let [a, b] = self.bodies.map(|place| place as u32);
        [a.min(b), a.max(b)]
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
        let frame_a = place_a.rotation * self.frames[0];
        let frame_b = place_b.rotation * self.frames[1];
        let turned = (frame_a.inverse() * frame_b).renormalised().to_array();
        Stand {
            arm_a,
            arm_b,
            between: between(bodies, self.bodies, [arm_a, arm_b]),
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
    ///
    /// `rules`: how limits give way, the rules of the step, how fast all springs of its bodies are together, and
    /// whether the bodies have moved already.
    pub(super) fn rows(
        &mut self,
        bodies: &Bodies,
        number: u32,
        rules: (Softness, &StepRules, f64, bool),
        helds: &mut Vec<Held>,
        singles: &mut Vec<Single>,
    ) {
        let (soft, &StepRules { h, max_speed, .. }, crowd, moved) = rules;
        let stand = self.stand(bodies);
        let fastest = self.fastest(bodies, &stand, h, max_speed);
        if self.kind == JointKind::Hinge {
            self.angle = self.angle_at(&stand);
        }
        let mut rows = Rows {
            held: Held::new(number, self.bodies),
            singles,
            link: number,
            soft,
            fastest,
            before: core::mem::replace(&mut self.impulses, [Vec3::ZERO; SLOTS]),
            now: &mut self.impulses,
        };
        match self.kind {
            JointKind::Distance | JointKind::Spring => {
                if let Some((row, length)) = stand.line() {
                    match self.limits {
                        None if self.kind == JointKind::Spring => {
                            let inverse_mass = row.inverse_mass(bodies, self.bodies);
                            let (k, c) = (self.stiffness, self.damping);
                            if let Swing::Fast(soft) = Swing::new(k, c, inverse_mass, crowd, h) {
                                rows.soft = soft;
                                rows.single(HOLDS, Aim::Spring, row, length - self.length);
                            }
                        }
                        None => rows.hold(HOLDS, &[(row, length - self.length)]),
                        Some(limits) => rows.limit(row, length, limits),
                    }
                }
            }
            JointKind::Ball => rows.hold(HOLDS, &stand.point()),
            JointKind::Weld => {
                rows.hold(HOLDS_TURN, &stand.turns());
                rows.hold(HOLDS, &stand.point());
            }
            JointKind::Hinge => {
                let [axis, y, z] = stand.axes.columns;
                rows.drive(self.motor, Row::turning(axis), h);
                rows.limit(Row::turning(axis), self.angle, self.limits.unwrap_or(NO_LIMITS));
                let off = axis.cross(stand.axis_b);
                rows.hold(
                    HOLDS_TURN,
                    &[(Row::turning(y), off.dot(y)), (Row::turning(z), off.dot(z))],
                );
                rows.hold(HOLDS, &stand.point());
            }
            JointKind::Slider => {
                let [axis, y, z] = stand.axes.columns;
                // The axes turn with A about its own centre: its arm reaches to B's point.
                let arm_a = stand.arm_a + stand.between;
                let along =
                    |axis: Vec3| (Row::moving(axis, arm_a, stand.arm_b), stand.between.dot(axis));
                let (row, way) = along(axis);
                rows.drive(self.motor, row, h);
                rows.limit(row, way, self.limits.unwrap_or(NO_LIMITS));
                rows.hold(HOLDS_TURN, &stand.turns());
                rows.hold(HOLDS, &[along(y), along(z)]);
            }
        }
        let Rows { mut held, before, .. } = rows;
        if held.count > 0 {
            if !moved {
                held.strain = self.strain(&stand, before[HOLDS]);
            }
            helds.push(held);
        }
    }

    /// What pulls at the bodies, by the impulse that held them in the last sub-step.
    fn strain(&self, stand: &Stand, impulse: Vec3) -> Option<Strain> {
        let arms = [stand.arm_a, stand.arm_b];
        let length = stand.between.length();
        match self.kind {
            JointKind::Ball | JointKind::Hinge | JointKind::Weld => {
                Some(Strain { on_b: impulse, arms, rod: None })
            }
            JointKind::Distance if length > NO_LENGTH => {
                let along = stand.between / length;
                Some(Strain { on_b: along * impulse.x, arms, rod: Some((along, length)) })
            }
            _ => None,
        }
    }

    /// How fast an error may be undone, of moving and of turning: at a walking pace, and by what bodies stray
    /// from their circles within a sub-step; but no faster than anything may be.
    fn fastest(&self, bodies: &Bodies, stand: &Stand, h: f32, max_speed: f32) -> [f32; 2] {
        let [a, b] = self.bodies.map(|place| &bodies.motions[place]);
        let [spin_a, spin_b] = [a.spin.length(), b.spin.length()];
        let arm_a = (stand.arm_a + stand.between).length();
        let arm_b = stand.arm_b.length();
        let passing = b.velocity + b.spin.cross(stand.arm_b)
            - a.velocity
            - a.spin.cross(stand.arm_a + stand.between);
        let passing = passing.length();
        let length = stand.between.length();
        let rod = if length > NO_LENGTH && self.kind == JointKind::Distance {
            passing / length
        } else {
            0.0
        };
        let strays =
            spin_a * spin_a * arm_a + spin_b * spin_b * arm_b + (spin_a + spin_b + rod) * passing;
        let turns = (spin_a + spin_b) * (spin_a + spin_b);
        let within = |limit: f32, strays: f32| scalar::min(PULL_SPEED + 2.0 * h * strays, limit);
        [within(max_speed, strays), within(MOST_SPIN, turns)]
    }

    /// How fast a spring is for a sub-step, as the square of an angle: [`Swing`] judges by it.
    pub(super) fn haste(&self, bodies: &Bodies, h: f32) -> Option<f64> {
        if self.kind != JointKind::Spring {
            return None;
        }
        let (row, _) = self.stand(bodies).line()?;
        let inverse_mass = row.inverse_mass(bodies, self.bodies);
        Some(Swing::haste(self.stiffness, self.damping, inverse_mass, h))
    }

    /// A slow spring acts once a sub-step, before anything is held.
    pub(super) fn pull(&self, bodies: &mut Bodies, crowd: f64, h: f32) {
        if self.kind != JointKind::Spring {
            return;
        }
        let Some((row, length)) = self.stand(bodies).line() else { return };
        let inverse_mass = row.inverse_mass(bodies, self.bodies);
        let swing = Swing::new(self.stiffness, self.damping, inverse_mass, crowd, h);
        if inverse_mass > 0.0
            && let Swing::Slow { loss, gain } = swing
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

/// From A's point to B's. In f64: of two bodies whose points are ten kilometres from their centres, the ends of the arms
/// are told apart by a millimetre in f32.
fn between(bodies: &Bodies, places: [usize; 2], arms: [Vec3; 2]) -> Vec3 {
    let end = |side: usize, axis: usize| {
        let place = places[side];
        let (center, moved) = (bodies.places[place].center, bodies.motions[place].moved);
        f64::from(center[axis]) + f64::from(moved[axis]) + f64::from(arms[side][axis])
    };
    Vec3::from([0, 1, 2].map(|axis| (end(1, axis) - end(0, axis)) as f32))
}

/// What a joint asks for in a sub-step, as it is collected.
struct Rows<'a> {
    held: Held,
    singles: &'a mut Vec<Single>,
    link: u32,
    soft: Softness,
    /// Of moving and of turning.
    fastest: [f32; 2],
    before: [Vec3; SLOTS],
    now: &'a mut [Vec3; SLOTS],
}

impl Rows<'_> {
    /// Held come what may.
    fn hold(&mut self, slot: usize, rows: &[(Row, f32)]) {
        let turns = usize::from(rows[0].0.along == Vec3::ZERO);
        // Shortened all alike: the way back is straight.
        let off = rows.iter().map(|(_, error)| error * error).sum::<f32>().sqrt();
        let speed = scalar::min(off * self.soft.rate, self.fastest[turns]);
        let rate = if off > 0.0 { speed / off } else { 0.0 };
        for (axis, (row, error)) in rows.iter().enumerate() {
            self.held.push([slot, axis], row, error * rate, self.before[slot][axis]);
        }
    }

    fn single(&mut self, slot: usize, aim: Aim, row: Row, error: f32) {
        self.now[slot] = self.before[slot];
        self.singles.push(Single {
            bodies: self.held.bodies,
            link: self.link,
            slot,
            aim,
            row,
            error,
            fastest: self.fastest[usize::from(row.along == Vec3::ZERO)],
            soft: self.soft,
            mass: 0.0,
        });
    }

    fn drive(&mut self, motor: Option<Motor>, row: Row, h: f32) {
        if let Some(Motor { speed, strength }) = motor {
            self.single(DRIVES, Aim::Drive { speed, most: strength * h }, row, 0.0);
        }
    }

    /// Both limits of a direction; where they are equal, one place to be held at.
    fn limit(&mut self, row: Row, at: f32, [least, most]: [f32; 2]) {
        if least == most {
            self.hold(LOWER, &[(row, at - least)]);
            return;
        }
        if least > f32::NEG_INFINITY {
            self.single(LOWER, Aim::AtLeast, row, at - least);
        }
        if most < f32::INFINITY {
            self.single(UPPER, Aim::AtLeast, row.turned_round(), most - at);
        }
    }
}

impl Stand {
    /// Along the line between the two points, and how long that is; `None` if they are one.
    fn line(&self) -> Option<(Row, f32)> {
        let length = self.between.length();
        let along = || Row::moving(self.between / length, self.arm_a, self.arm_b);
        (length > NO_LENGTH).then(|| (along(), length))
    }

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
