//! What is the same for all bodies of a world?

use embate_geom::Vec3;
use thiserror::Error;

use super::checks::is_within;
use super::method::{Broad, Method};
use crate::pairs::SweepAxis;

/// Most sub-steps of a step: with 16 of them, what rests sinks by less than its slop even under a hundred times its
/// own weight.
pub const MAX_SUBSTEPS: u32 = 64;

/// Most threads of a step: beyond, they wait for each other.
pub const MAX_THREADS: u32 = 64;

/// What holds for all bodies of a [`World`](super::World).
///
/// ```
/// use embate::{Vec3, motion::{Settings, World}};
///
/// let moon = Settings { gravity: Vec3::new(0.0, -1.62, 0.0), ..Settings::default() };
/// assert!(World::new(moon).is_ok());
/// let never = Settings { time_step: 0.0, ..Settings::default() };
/// assert!(World::new(never).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// In m/s²; down along y by default.
    pub gravity: Vec3,
    /// What [`step`](super::World::step) goes on by, in seconds; 1/60.
    pub time_step: f32,
    /// Parts that a step is solved in; 4. This is the accuracy: what rests sinks in proportion to the inverse
    /// square of them, and the time of a step grows in proportion to them. Sinking after twenty seconds, in metres:
    ///
    /// | sub-steps | 20 cubes on each other | 9 cubes under one of 100 times their mass |
    /// |---|---|---|
    /// | 2 | 0.106 | falls |
    /// | 4 | 0.027 | 0.086 |
    /// | 8 | 0.007 | 0.031 |
    /// | 16 | 0.002 | 0.008 |
    pub substeps: u32,
    /// How far two bodies at rest may reach into each other, in metres; 5 mm. Contacts are watched from
    /// four times as far apart.
    pub slop: f32,
    /// Approaching more slowly than this, nothing bounces, in m/s. `None`: three times what gravity gains in
    /// a step, so that weightless worlds have no such limit.
    pub rest_speed: Option<f32>,
    /// A touch that begins faster than this is a hit, in m/s; 1.
    pub hit_speed: f32,
    /// Nothing moves faster, in m/s; 10,000. A velocity that is given is refused beyond, one that comes about is cut.
    /// What touches something, or is joined to it, turns by no more than an eighth of a turn in a sub-step (188 rad/s
    /// with four of 1/60 s); what flies freely turns as it will.
    pub max_speed: f32,
    /// Whether bodies that have come to rest are put to sleep; yes.
    pub sleeping: bool,
    /// Most threads that a step is shared out to; 1. The bits are the same for any number. Worlds of a thousand
    /// bodies and more gain.
    pub threads: u32,
    /// Where the world ends, if it does.
    pub bounds: Option<Bounds>,
    /// How touches are found and answered; ours, `Soft`.
    pub method: Method,
}

/// The box that a world is in.
///
/// ```
/// use embate::{Vec3, motion::{Bounds, Settings, World}};
///
/// let room = Bounds::bouncing(Vec3::splat(-5.0), Vec3::splat(5.0));
/// assert!(World::new(Settings { bounds: Some(room), ..Settings::default() }).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least corner.
    pub min: Vec3,
    /// The greatest corner.
    pub max: Vec3,
    /// What becomes of a body there.
    pub walls: Walls,
}

/// What becomes of a body at the [bounds](Bounds) of a world.
///
/// ```
/// use embate::motion::Walls;
///
/// assert_eq!(Walls::from_name("open"), Some(Walls::Open));
/// assert_eq!(Walls::Bounce.name(), "bounce");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walls {
    /// It bounces by its own restitution, without friction; its own resistance to rolling and spinning acts there, too,
    /// but not in worlds of the study's method.
    #[default]
    Bounce,
    /// It leaves.
    Open,
}

impl Walls {
    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bounce => "bounce",
            Self::Open => "open",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Bounce, Self::Open].into_iter().find(|walls| walls.name() == name)
    }
}

impl Bounds {
    /// With walls that bodies bounce off.
    #[must_use]
    pub fn bouncing(min: Vec3, max: Vec3) -> Self {
        Self { min, max, walls: Walls::Bounce }
    }

    /// That bodies may leave.
    #[must_use]
    pub fn open(min: Vec3, max: Vec3) -> Self {
        Self { min, max, walls: Walls::Open }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            time_step: 1.0 / 60.0,
            substeps: 4,
            slop: 0.005,
            rest_speed: None,
            hit_speed: 1.0,
            max_speed: 1e4,
            sleeping: true,
            threads: 1,
            bounds: None,
            method: Method::Soft,
        }
    }
}

/// Why a world cannot be so.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidSettings {
    /// A number out of its range.
    #[error("the {name} is {value}, but must lie between {least} and {most}")]
    Range {
        /// Which number.
        name: &'static str,
        /// What it is.
        value: f32,
        /// The least it may be.
        least: f32,
        /// The most it may be.
        most: f32,
    },
    /// Gravity that is NaN, infinite or beyond 1e6.
    #[error("gravity is {gravity:?}; give three finite numbers within ±1e6")]
    Gravity {
        /// As given.
        gravity: [f32; 3],
    },
    /// Walls without room between them.
    #[error(
        "the bounds {min:?} to {max:?} hold nothing: give finite corners within ±1e9, the first below the second on each axis"
    )]
    Bounds {
        /// The least corner as given.
        min: [f32; 3],
        /// The greatest corner as given.
        max: [f32; 3],
    },
}

/// Refuses what is not within a range; a NaN never is.
fn range(name: &'static str, value: f32, least: f32, most: f32) -> Result<(), InvalidSettings> {
    if is_within(value, least, most) {
        Ok(())
    } else {
        Err(InvalidSettings::Range { name, value, least, most })
    }
}

impl Settings {
    /// Whether a world can be so.
    ///
    /// # Errors
    /// [`InvalidSettings`] says which number is wrong, and what it may be.
    pub fn check(&self) -> Result<(), InvalidSettings> {
        if !self.gravity.to_array().into_iter().all(|pull| is_within(pull, -1e6, 1e6)) {
            return Err(InvalidSettings::Gravity { gravity: self.gravity.to_array() });
        }
        range("time step", self.time_step, 1e-6, 1.0)?;
        range("number of sub-steps", self.substeps as f32, 1.0, MAX_SUBSTEPS as f32)?;
        range("slop", self.slop, 1e-6, 1e3)?;
        range("rest speed", self.rest_speed.unwrap_or(0.0), 0.0, 1e6)?;
        range("number of threads", self.threads as f32, 1.0, MAX_THREADS as f32)?;
        range("hit speed", self.hit_speed, 0.0, 1e6)?;
        range("largest speed", self.max_speed, 1e-3, 1e6)?;
        if let Method::Study { broad, tolerance, .. } = self.method {
            range("tolerance", tolerance, 0.0, 1e3)?;
            if let Broad::SortSweep(SweepAxis::Fixed(axis)) = broad {
                range("axis of the sweep", axis as f32, 0.0, 2.0)?;
            }
        }
        if let Some(Bounds { min, max, .. }) = self.bounds {
            let far = min.abs().largest() > 1e9 || max.abs().largest() > 1e9;
            let room = (0..3).all(|axis| min[axis] < max[axis]);
            if far || !room {
                return Err(InvalidSettings::Bounds { min: min.to_array(), max: max.to_array() });
            }
        }
        Ok(())
    }

    /// The approach below which nothing bounces, for steps of this length.
    pub(super) fn rest_speed_at(&self, time_step: f32) -> f32 {
        // Resting bodies approach by what gravity gains in a sub-step; three steps of it tell them apart
        // from falling ones, and no eye sees a bounce so low.
        self.rest_speed.unwrap_or(3.0 * self.gravity.length() * time_step)
    }

    /// How far apart two bodies may be for their contact to be watched.
    pub(super) fn margin(&self) -> f32 {
        4.0 * self.slop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_make_no_world_are_refused_with_the_reason() {
        let good = Settings::default();
        assert_eq!(good.check(), Ok(()));
        let bad = [
            Settings { time_step: 0.0, ..good },
            Settings { time_step: f32::NAN, ..good },
            Settings { substeps: 0, ..good },
            Settings { threads: 0, ..good },
            Settings { slop: -1.0, ..good },
            Settings { gravity: Vec3::X * f32::INFINITY, ..good },
            Settings { bounds: Some(Bounds::bouncing(Vec3::X, Vec3::ZERO)), ..good },
            Settings { bounds: Some(Bounds::open(Vec3::X * f32::NAN, Vec3::X)), ..good },
        ];
        for settings in bad {
            assert!(settings.check().is_err(), "{settings:?}");
        }
        let told = Settings { substeps: 0, ..good }.check().unwrap_err().to_string();
        assert_eq!(told, "the number of sub-steps is 0, but must lie between 1 and 64");
    }
}
