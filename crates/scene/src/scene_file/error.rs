//! Scene errors: stable code, typed fields, file, line and column.
//!
//! [`SceneError::to_json`] is the form in which front ends receive an error; they translate its
//! code and never parse its message.

use std::fmt;

use embate::dynamics::{BodyError, JointError, Quantity, SettingsError};
use embate::shapes::ShapeError;
use embate_replica::lasch::ConfigError;
use serde_json::{Value, json};
use thiserror::Error;

/// Why a scene or a body was rejected: file, location, reason and advice, on one line.
///
/// ```
/// use embate_scene::scene_file::{SceneErrorKind, SceneSource, read_scene};
///
/// let text = "{\n  \"bodies\": [{\"shape\": {\"cube\": {\"half\": 1}}}]\n}";
/// let error = read_scene(text, &SceneSource::text("a.json")).unwrap_err();
/// assert_eq!(error.code(), "scene.no-mass");
/// assert_eq!(error.location, Some((2, 14)));
/// assert_eq!(*error.kind, SceneErrorKind::NoMass);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// The file, or the name of the text.
    pub file: String,
    /// Line and column, both from 1, where the wrong key or value begins; columns count characters.
    /// `None` for an error of the whole file.
    pub location: Option<(usize, usize)>,
    /// The body, joint or force that the error concerns.
    pub part: Option<ScenePart>,
    /// Reason.
    pub kind: Box<SceneErrorKind>,
}

/// A body, a joint or a force of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenePart {
    /// `"body"`, `"joint"` or `"force"`.
    pub list: &'static str,
    /// Index in its list, from 0.
    pub index: usize,
    /// Its name.
    pub name: Option<String>,
}

/// Error kind of a scene or a body.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SceneErrorKind {
    /// A text of whitespace only.
    #[error("there is nothing in it; write a JSON object {{...}}")]
    Empty,
    /// More bytes than the limit.
    #[error("{bytes} bytes are more than the {max_bytes} allowed; split it")]
    TooLarge {
        /// Size of the text.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// Bytes that are not UTF-8.
    #[error("byte {byte} is not UTF-8 text; save it as UTF-8")]
    NotUtf8 {
        /// Offset of the first invalid byte.
        byte: usize,
    },
    /// A folder, device or other path that is not a regular file.
    #[error("{}; name a JSON file", if *.is_folder { "is a folder" } else { "is not a regular file" })]
    NotAFile {
        /// Whether it is a folder.
        is_folder: bool,
    },
    /// An error of the file system.
    #[error("{reason}")]
    Io {
        /// What the system reports, and what to do.
        reason: String,
    },
    /// Text that is not JSON.
    #[error(
        "this is not JSON: check the quotes, commas and brackets up to here; JSON has no NaN, \
         Infinity, +1 or .5, no comments, no comma before a bracket, and nothing after the last one"
    )]
    Syntax,
    /// JSON that ends within a value.
    #[error("the text ends too early; close every bracket and quote")]
    Truncated,
    /// A text that begins with another value than an object.
    #[error(
        "this is no {expected}, which is an object, {}, in a JSON file",
        if *.expected == "scene" { "{\"bodies\": [...]}" } else { "{\"shape\": {...}}" }
    )]
    NotAnObject {
        /// `"scene"` or `"body"`.
        expected: &'static str,
    },
    /// A key that the object does not have.
    #[error("unknown key `{key}`{}; the keys here are {}", suggestion(*.closest), list(.expected))]
    UnknownKey {
        /// The key, shortened and without control characters.
        key: String,
        /// The key of the object that is spelled most like it.
        closest: Option<&'static str>,
        /// The keys of the object.
        expected: Vec<&'static str>,
    },
    /// A key that occurs twice.
    #[error("the key `{key}` occurs twice; keep one of them")]
    DuplicateKey {
        /// The key.
        key: &'static str,
    },
    /// Two keys of which an object has one: a key and its earlier spelling, or two shapes.
    #[error("both `{}` and `{}` are given; keep one of them", .keys[0], .keys[1])]
    KeyConflict {
        /// The two keys, in the order of the text.
        keys: [&'static str; 2],
    },
    /// A required key that is not there.
    #[error("the key `{key}` is missing; add it")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// An object without any of the keys of which it has one.
    #[error("the object is empty; give one of {}", list(.expected))]
    NoVariant {
        /// The keys.
        expected: Vec<&'static str>,
    },
    /// A value of another type.
    #[error("{} belongs here, not {found}", type_in_words(.expected))]
    WrongType {
        /// `"number"`, `"whole-number"`, `"boolean"`, `"text"`, `"list"`, `"object"` or `"body"`.
        expected: &'static str,
        /// The value as it is written, shortened.
        found: String,
    },
    /// A list of another length.
    #[error("the list has {found} items; give {expected}")]
    WrongLength {
        /// The required length.
        expected: usize,
        /// The length.
        found: usize,
    },
    /// A list of too many items.
    #[error("the list has more than {max} items; split the scene")]
    TooManyItems {
        /// The maximum.
        max: usize,
    },
    /// Compounds within compounds, too many levels of them.
    #[error("compounds are nested in more than {max} levels; nest less deeply")]
    TooDeep {
        /// The maximum.
        max: usize,
    },
    /// A number beyond the range of 32-bit floats.
    #[error("the number {found} is out of range; give one within ±3e38")]
    NumberTooLarge {
        /// The number as it is written, shortened.
        found: String,
    },
    /// A name that does not exist.
    #[error("there is no \"{found}\"; there are: {}", .expected.join(", "))]
    UnknownName {
        /// The name, shortened and without control characters.
        found: String,
        /// The names that exist.
        expected: Vec<&'static str>,
    },
    /// A planar replica of a broad phase in a scene, which is 3D.
    #[error("\"{found}\" is for 2D; there are: {}", .expected.join(", "))]
    PlanarBroadPhase {
        /// The name.
        found: String,
        /// The names that exist.
        expected: Vec<&'static str>,
    },
    /// A dimension other than 2 and 3.
    #[error("there is no dimension {found}; give 3, or 2 for a planar world")]
    Dimension {
        /// The value.
        found: u32,
    },
    /// A key of the baseline solver with another solver.
    #[error(
        "`{key}` is for \"solver\": \"baseline\" alone; the solver of this scene is \"{solver}\""
    )]
    BaselineOnly {
        /// The key.
        key: &'static str,
        /// The solver of the scene.
        solver: &'static str,
    },
    /// A number out of its range.
    #[error(
        "the {quantity} is {}, but must lie between {} and {}", short(*.value), short(*.min),
        short(*.max)
    )]
    OutOfRange {
        /// Which quantity.
        quantity: SceneQuantity,
        /// The value.
        value: f32,
        /// Minimum of the range.
        min: f32,
        /// Maximum of the range.
        max: f32,
    },
    /// A vector with a component out of range.
    #[error("the {quantity} is {value:?}: numbers must lie within ±{max:e}; scale the scene down")]
    VectorOutOfRange {
        /// Which quantity.
        quantity: SceneQuantity,
        /// The value.
        value: [f32; 3],
        /// Maximum magnitude of a component.
        max: f32,
    },
    /// A mass out of its range.
    #[error(
        "the mass is {} kg, but must lie between 1e-9 and 1e12; a body that never moves has \
         \"type\": \"fixed\", and needs no mass",
        short(*.mass)
    )]
    Mass {
        /// The value, in kg.
        mass: f32,
    },
    /// A dynamic body without a mass.
    #[error("the body has no mass; give \"mass\" in kg, or \"type\": \"fixed\" if it never moves")]
    NoMass,
    /// A fixed body with a mass or a velocity.
    #[error(
        "the body is fixed, so `{key}` has no effect; leave it out, or give \"type\": \"dynamic\" \
         if the body moves"
    )]
    FixedBody {
        /// `"mass"`, `"velocity"` or `"angular_velocity"`.
        key: &'static str,
    },
    /// A body that is both static and driven.
    #[error("a body is either \"static\" or \"driven\", not both; give one \"type\"")]
    StaticAndDriven,
    /// A collision category or a bit of a mask above 31.
    #[error("there is no group {group}; they go from 0 to 31")]
    Group {
        /// The value.
        group: u32,
    },
    /// A linear velocity above the maximum speed of a scene, which no key changes.
    #[error(
        "the velocity is {value:?}, faster than the {max} m/s of a scene; reduce it, or scale the \
         scene down"
    )]
    TooFast {
        /// The value, in m/s.
        value: [f32; 3],
        /// Maximum speed, in m/s.
        max: f32,
    },
    /// A dynamic body outside of the plane of a planar scene.
    #[error("in \"dimension\": 2 bodies move at z = 0, but its z is {z}; give 0")]
    OutOfPlane {
        /// Its z.
        z: f32,
    },
    /// A name that two bodies have.
    #[error("body {first} has this name already; give each its own")]
    NameTaken {
        /// Index of the first body of this name.
        first: usize,
    },
    /// A joint with a body that is not in the scene.
    #[error("there is no body called \"{name}\"; check the name")]
    UnknownBodyName {
        /// The name, shortened and without control characters.
        name: String,
    },
    /// A joint with a body index that is not in the scene.
    #[error("there is no body {index}; they are counted from 0 to {}", .count.max(&1) - 1)]
    UnknownBodyIndex {
        /// The index.
        index: u32,
        /// Number of bodies.
        count: usize,
    },
    /// More pairs of overlapping fat AABBs than fit in memory.
    #[error(
        "more than {max} pairs of bodies are near each other at the start; separate them, or \
         reduce linear_slop, tolerance or time_step"
    )]
    TooManyPairs {
        /// The maximum.
        max: usize,
    },
    /// A force without one of its laws, or with more than one.
    #[error("give one of `force`, `spring` and `central`")]
    ForceForm,
    /// A force whose window is empty.
    #[error("`until`, {until} s, is not after `from`, {from} s; give a later time, or none")]
    ForceWindow {
        /// Beginning of the window, in s.
        from: f32,
        /// End of the window, in s.
        until: f32,
    },
    /// A force on a fixed or kinematic body.
    #[error("the body is fixed or kinematic; a force acts on dynamic bodies alone")]
    ForceNotDynamic,
    /// A box without one of its three forms.
    #[error("box: give either `half`, or `min` and `max`, or `min` and `edges`")]
    BoxForm,
    /// A box whose corners are in the wrong order.
    #[error("box: the {axis} of `max`, {max}, is below that of `min`, {min}")]
    BoxOrder {
        /// `"x"`, `"y"` or `"z"`.
        axis: &'static str,
        /// Of `min`.
        min: f32,
        /// Of `max`.
        max: f32,
    },
    /// A mesh in a text without a folder.
    #[error("mesh {file}: a scene without a folder cannot name files")]
    MeshWithoutFolder {
        /// The file.
        file: String,
    },
    /// A mesh outside of the scene's folder.
    #[error("mesh {file}: lies outside the scene's folder; put it beside the scene")]
    MeshOutside {
        /// The file.
        file: String,
    },
    /// A mesh file that cannot be read.
    #[error("mesh {file}: {reason}")]
    Mesh {
        /// The file.
        file: String,
        /// Why, and what to do.
        reason: String,
    },
    /// A shape that the engine rejects.
    #[error("{shape}: {error}")]
    Shape {
        /// The key of the shape.
        shape: &'static str,
        /// Why.
        error: ShapeError,
    },
    /// An orientation without direction.
    #[error(transparent)]
    Orientation(ShapeError),
    /// A body that the engine rejects.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// A joint that the engine rejects.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// Settings that the engine rejects.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

fn list(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

fn suggestion(closest: Option<&str>) -> String {
    closest.map_or_else(String::new, |key| format!(" (did you mean `{key}`?)"))
}

/// A number in its shortest form: `1e30` instead of a 1 with 30 zeros.
fn short(value: f32) -> String {
    let is_long = value != 0.0 && !(1e-4..1e7).contains(&value.abs()) && value.is_finite();
    if is_long { format!("{value:e}") } else { value.to_string() }
}

fn type_in_words(expected: &str) -> &str {
    match expected {
        "number" => "a number",
        "whole-number" => "a whole number, 0 or above,",
        "boolean" => "true or false",
        "text" => "a text in quotes",
        "list" => "a list [...]",
        "object" => "an object {...}",
        "body" => "the name or the index of a body",
        other => other,
    }
}

/// Quantity of a scene that an error is about. `Display` writes it in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneQuantity {
    /// A quantity of the engine.
    Engine(Quantity),
    /// Tolerance of the baseline solver, in m.
    Tolerance,
    /// Axis of the sweep of the baseline solver.
    SweepAxis,
    /// Beginning or end of the window of a force, in s.
    ForceTime,
    /// Strength of a central force, in N·m².
    ForceStrength,
    /// Number of position iterations of the baseline solver.
    PositionIterations,
    /// Maximum depth of the strict octree of the baseline solver.
    OctreeDepth,
    /// Smallest cell of that octree, in m.
    OctreeCellSize,
}

impl SceneQuantity {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Engine(quantity) => quantity.code(),
            Self::Tolerance => "tolerance",
            Self::SweepAxis => "sweep-axis",
            Self::ForceTime => "force-time",
            Self::ForceStrength => "force-strength",
            Self::PositionIterations => "position-iterations",
            Self::OctreeDepth => "octree-depth",
            Self::OctreeCellSize => "octree-cell-size",
        }
    }
}

impl fmt::Display for SceneQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(quantity) => quantity.fmt(f),
            Self::Tolerance => f.write_str("tolerance"),
            Self::SweepAxis => f.write_str("axis of the sweep"),
            Self::ForceTime => f.write_str("time of the force"),
            Self::ForceStrength => f.write_str("strength of the force"),
            Self::PositionIterations => f.write_str("number of position iterations"),
            Self::OctreeDepth => f.write_str("maximum depth of the octree"),
            Self::OctreeCellSize => f.write_str("smallest cell of the octree"),
        }
    }
}

impl From<Quantity> for SceneQuantity {
    fn from(quantity: Quantity) -> Self {
        Self::Engine(quantity)
    }
}

impl From<ConfigError> for SceneErrorKind {
    fn from(error: ConfigError) -> Self {
        let out_of_range =
            |quantity, value, max| Self::OutOfRange { quantity, value, min: 0.0, max };
        match error {
            ConfigError::OctreeDepth { value, max } => Self::OutOfRange {
                quantity: SceneQuantity::OctreeDepth,
                value: value.into(),
                min: 1.0,
                max: max.into(),
            },
            ConfigError::OctreeCellSize { value, max } => {
                out_of_range(SceneQuantity::OctreeCellSize, value, max)
            }
            ConfigError::PositionIterations { value, max } => Self::OutOfRange {
                quantity: SceneQuantity::PositionIterations,
                value: value.into(),
                min: 1.0,
                max: max.into(),
            },
            ConfigError::Settings(error) => error.into(),
            ConfigError::Tolerance { value, max } => {
                out_of_range(SceneQuantity::Tolerance, value, max)
            }
            ConfigError::SweepAxis { axis } => {
                out_of_range(SceneQuantity::SweepAxis, axis as f32, 2.0)
            }
        }
    }
}

impl SceneErrorKind {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "scene.empty",
            Self::TooLarge { .. } => "scene.too-large",
            Self::NotUtf8 { .. } => "scene.not-utf8",
            Self::NotAFile { .. } => "scene.not-a-file",
            Self::Io { .. } => "scene.io",
            Self::Syntax => "scene.syntax",
            Self::Truncated => "scene.truncated",
            Self::NotAnObject { expected: "body" } => "scene.body-not-an-object",
            Self::NotAnObject { .. } => "scene.not-an-object",
            Self::UnknownKey { .. } => "scene.unknown-key",
            Self::DuplicateKey { .. } => "scene.duplicate-key",
            Self::KeyConflict { .. } => "scene.key-conflict",
            Self::MissingKey { .. } => "scene.missing-key",
            Self::NoVariant { .. } => "scene.no-variant",
            Self::WrongType { .. } => "scene.wrong-type",
            Self::WrongLength { .. } => "scene.wrong-length",
            Self::TooManyItems { .. } => "scene.too-many-items",
            Self::TooDeep { .. } => "scene.too-deep",
            Self::NumberTooLarge { .. } => "scene.number-too-large",
            Self::UnknownName { .. } => "scene.unknown-name",
            Self::PlanarBroadPhase { .. } => "scene.planar-broad-phase",
            Self::Dimension { .. } => "scene.dimension",
            Self::BaselineOnly { .. } => "scene.baseline-only",
            Self::OutOfRange { .. } => "scene.out-of-range",
            Self::VectorOutOfRange { .. } => "scene.vector-out-of-range",
            Self::Mass { .. } => "scene.mass-out-of-range",
            Self::NoMass => "scene.no-mass",
            Self::FixedBody { .. } => "scene.fixed-body",
            Self::StaticAndDriven => "scene.static-and-driven",
            Self::Group { .. } => "scene.group-out-of-range",
            // The page's text of the engine's error fits a scene too.
            Self::TooFast { .. } => "body.too-fast",
            Self::OutOfPlane { .. } => "scene.out-of-plane",
            Self::NameTaken { .. } => "scene.name-taken",
            Self::UnknownBodyName { .. } => "scene.unknown-body-name",
            Self::UnknownBodyIndex { .. } => "scene.unknown-body-index",
            Self::TooManyPairs { .. } => "scene.too-many-pairs",
            Self::ForceForm => "scene.force-form",
            Self::ForceWindow { .. } => "scene.force-window",
            Self::ForceNotDynamic => "scene.force-not-dynamic",
            Self::BoxForm => "scene.box-form",
            Self::BoxOrder { .. } => "scene.box-order",
            Self::MeshWithoutFolder { .. } => "scene.mesh-without-folder",
            Self::MeshOutside { .. } => "scene.mesh-outside",
            Self::Mesh { .. } => "scene.mesh",
            Self::Shape { error, .. } | Self::Orientation(error) => error.code(),
            Self::Body(error) => error.code(),
            Self::Joint(error) => error.code(),
            Self::Settings(error) => error.code(),
        }
    }

    /// Code, fields and message as JSON, for a front end: `{"code":…,"message":…,"fields":{…}}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "code": self.code(), "message": self.to_string(), "fields": self.fields() })
    }
}

impl SceneError {
    /// An error of the whole file.
    #[must_use]
    pub fn new(file: &str, kind: impl Into<SceneErrorKind>) -> Self {
        Self { file: file.to_owned(), location: None, part: None, kind: Box::new(kind.into()) }
    }

    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The error as JSON, for a front end: that of its [kind](SceneErrorKind::to_json) with `file`,
    /// and with `line`, `column` and `part` (`list`, `index`, `name`) where there are any.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut json = self.kind.to_json();
        json["file"] = self.file.as_str().into();
        if let Some((line, column)) = self.location {
            json["line"] = line.into();
            json["column"] = column.into();
        }
        if let Some(ScenePart { list, index, name }) = &self.part {
            json["part"] = json!({ "list": list, "index": index, "name": name });
        }
        json
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.location {
            write!(f, ", line {line}, column {column}")?;
        }
        if let Some(ScenePart { list, index, name }) = &self.part {
            write!(f, ": {list} {index}")?;
            if let Some(name) = name {
                write!(f, " {name:?}")?;
            }
        }
        write!(f, ": {}", self.kind)
    }
}

impl std::error::Error for SceneError {}
