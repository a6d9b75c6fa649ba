//! What holds for the whole scene: gravity, steps, bounds and method.

use embate::Vec3;
use embate::dynamics::{BoundaryMode, Settings, SolverKind, WorldBounds};
use embate_studies::replica::lasch::{BroadPhase, Config, Response};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::value::RawValue;

use super::numbers;
use super::place::Parts;
use crate::scene_world::Method;

/// Steps of a simulation that nobody gave a number: ten seconds of the usual sixtieths.
const DEFAULT_STEPS: u32 = 600;

/// The words of a scene. Bodies and joints are read one by one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneText<'a> {
    /// For editors that check as one types.
    #[serde(default, rename = "$schema")]
    _schema: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default = "three", deserialize_with = "dimension")]
    pub(super) dimension: u8,
    #[serde(default = "default_steps")]
    pub(super) steps: u32,
    #[serde(default = "default_gravity", deserialize_with = "numbers::gravity")]
    gravity: Vec3,
    #[serde(default = "default_time_step", deserialize_with = "numbers::time_step")]
    time_step: f32,
    #[serde(default = "default_substeps", deserialize_with = "numbers::substeps")]
    substeps: u32,
    #[serde(default = "default_slop", deserialize_with = "numbers::slop")]
    slop: f32,
    #[serde(default = "yes")]
    sleeping: bool,
    #[serde(default, deserialize_with = "bounds")]
    bounds: Option<WorldBounds>,
    #[serde(default)]
    method: MethodName,
    #[serde(default, deserialize_with = "broad")]
    broad: Option<BroadPhase>,
    #[serde(default, deserialize_with = "resolve")]
    resolve: Option<Response>,
    #[serde(default, deserialize_with = "tolerance")]
    tolerance: Option<f32>,
    #[serde(borrow)]
    pub(super) bodies: Parts<'a>,
    #[serde(borrow, default)]
    pub(super) joints: Parts<'a>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MethodName {
    Study,
    #[default]
    Soft,
    Elastic,
}

impl SceneText<'_> {
    /// The settings of its world, without the solver, which the [method](Self::method) names.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            gravity: self.gravity,
            time_step: self.time_step,
            substeps: self.substeps,
            linear_slop: self.slop,
            enable_sleep: self.sleeping,
            bounds: self.bounds,
            ..Settings::default()
        }
    }

    /// How it is simulated.
    ///
    /// # Errors
    /// A key that belongs to another method, and the message.
    pub(super) fn method(&self) -> Result<Method, (StudyKey, String)> {
        let method: Method = match self.method {
            MethodName::Soft => SolverKind::SoftStep.into(),
            MethodName::Elastic => SolverKind::EventDriven.into(),
            MethodName::Study => {
                return Ok(Method::Lasch(Config {
                    broad_phase: self.broad.unwrap_or(BroadPhase::AUTO),
                    response: self.resolve.unwrap_or(Response::Impulse),
                    tolerance: self.tolerance.unwrap_or(0.0),
                }));
            }
        };
        let of_study = [
            (StudyKey::Broad, self.broad.is_some_and(|broad| broad != BroadPhase::AUTO)),
            (StudyKey::Resolve, self.resolve.is_some()),
            (StudyKey::Tolerance, self.tolerance.is_some_and(|tolerance| tolerance != 0.0)),
        ];
        match of_study.iter().find(|(_, given)| *given) {
            None => Ok(method),
            Some(&(key, _)) => {
                let (key_name, name) = (key.name(), method.name());
                let what = format!(
                    "`{key_name}` is for \"method\": \"study\" alone; this scene's method is \"{name}\""
                );
                Err((key, what))
            }
        }
    }
}

/// A key that the study's method alone knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StudyKey {
    Broad,
    Resolve,
    Tolerance,
}

impl StudyKey {
    fn name(self) -> &'static str {
        match self {
            Self::Broad => "broad",
            Self::Resolve => "resolve",
            Self::Tolerance => "tolerance",
        }
    }

    /// Its words in the text of a scene that was read.
    pub(super) fn words(self, text: &str) -> Option<&RawValue> {
        #[derive(Deserialize)]
        struct Words<'a> {
            #[serde(borrow, default)]
            broad: Option<&'a RawValue>,
            #[serde(borrow, default)]
            resolve: Option<&'a RawValue>,
            #[serde(borrow, default)]
            tolerance: Option<&'a RawValue>,
        }
        let Words { broad, resolve, tolerance } = serde_json::from_str(text).ok()?;
        match self {
            Self::Broad => broad,
            Self::Resolve => resolve,
            Self::Tolerance => tolerance,
        }
    }
}

fn three() -> u8 {
    3
}

fn yes() -> bool {
    true
}

fn default_steps() -> u32 {
    DEFAULT_STEPS
}

fn default_gravity() -> Vec3 {
    Settings::default().gravity
}

fn default_time_step() -> f32 {
    Settings::default().time_step
}

fn default_substeps() -> u32 {
    Settings::default().substeps
}

fn default_slop() -> f32 {
    Settings::default().linear_slop
}

fn dimension<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    match u8::deserialize(from)? {
        dimension @ 2..=3 => Ok(dimension),
        other => {
            let message = format!("there is no dimension {other}; give 3, or 2 for a planar world");
            Err(D::Error::custom(message))
        }
    }
}

/// `{"min":[…],"max":[…],"walls":"bounce"}`.
fn bounds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<WorldBounds>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Text {
        min: [f32; 3],
        max: [f32; 3],
        #[serde(default)]
        walls: WallsName,
    }
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum WallsName {
        #[default]
        Bounce,
        Open,
    }
    let Text { min, max, walls } = Text::deserialize(from)?;
    let walls = match walls {
        WallsName::Bounce => BoundaryMode::Solid,
        WallsName::Open => BoundaryMode::Open,
    };
    let bounds = Some(WorldBounds { min: min.into(), max: max.into(), mode: walls });
    numbers::checked(Settings { bounds, ..Settings::default() }).map(|settings| settings.bounds)
}

fn broad<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BroadPhase>, D::Error> {
    let name = String::deserialize(from)?;
    let broad = BroadPhase::from_name(&name);
    broad.map(Some).ok_or_else(|| {
        let names: Vec<&str> = BroadPhase::ALL.iter().map(|broad| broad.name()).collect();
        let why = if name.starts_with("study-") { " is for 2D" } else { " is no broad phase" };
        let names = names.join(", ");
        D::Error::custom(format!("\"{}\"{why}; there are: auto, {names}", name.escape_debug()))
    })
}

fn resolve<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Response>, D::Error> {
    let name = String::deserialize(from)?;
    Response::from_name(&name).map(Some).ok_or_else(|| {
        let name = name.escape_debug();
        D::Error::custom(format!("`resolve` is \"{name}\"; there are: positions, impulse"))
    })
}

fn tolerance<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    let tolerance = f32::deserialize(from)?;
    if (0.0..=1e3).contains(&tolerance) {
        return Ok(Some(tolerance));
    }
    Err(D::Error::custom(format!("the tolerance is {tolerance}, but must lie between 0 and 1000")))
}
