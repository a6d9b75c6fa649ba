//! Error texts of the page: every field that a text names is a field of the error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use embate::broad_phase::AabbError;
use embate::dynamics::{
    BodyError, BodyType, JointError, JointProperty, JointSide, JointType, Quantity, SettingsError,
};
use embate::shapes::{ShapeError, ShapeLength, ShapeType};
use embate_scene::scene_file::{SceneErrorKind, SceneQuantity};
use embate_viewer::sandbox::{EditError, ReplayError};
use serde_json::Value;

/// A table of words of the page.
fn table(file: &str) -> String {
    let folder = "../../apps/web/src/views/simulator3d/i18n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join(file);
    std::fs::read_to_string(path).unwrap()
}

/// Texts by code, from the table of the page.
fn texts() -> BTreeMap<String, String> {
    let source = table("errors-en.ts");
    let entries = source.split("\n  '").skip(1);
    let entry = |entry: &str| {
        let (code, text) = entry.split_once("':").unwrap();
        (code.to_owned(), text.to_owned())
    };
    entries.map(entry).collect()
}

/// The names in braces.
fn holes(text: &str) -> BTreeSet<String> {
    let after = text.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let names = after.map(|(name, _)| name.to_owned());
    names.filter(|name| name.chars().all(|c| c.is_ascii_lowercase())).collect()
}

fn scene_errors() -> Vec<SceneErrorKind> {
    let text = || "x".to_owned();
    vec![
        SceneErrorKind::Empty,
        SceneErrorKind::TooLarge { bytes: 2, max_bytes: 1 },
        SceneErrorKind::NotUtf8 { byte: 3 },
        SceneErrorKind::NotAFile { is_folder: true },
        SceneErrorKind::Io { reason: text() },
        SceneErrorKind::Syntax,
        SceneErrorKind::Truncated,
        SceneErrorKind::NotAnObject { expected: "scene" },
        SceneErrorKind::NotAnObject { expected: "body" },
        SceneErrorKind::UnknownKey { key: text(), closest: None, expected: vec!["name"] },
        SceneErrorKind::DuplicateKey { key: "mass" },
        SceneErrorKind::KeyConflict { keys: ["static", "type"] },
        SceneErrorKind::MissingKey { key: "shape" },
        SceneErrorKind::NoVariant { expected: vec!["sphere"] },
        SceneErrorKind::WrongType { expected: "number", found: text() },
        SceneErrorKind::WrongLength { expected: 3, found: 2 },
        SceneErrorKind::TooManyItems { max: 9 },
        SceneErrorKind::TooDeep { max: 9 },
        SceneErrorKind::NumberTooLarge { found: text() },
        SceneErrorKind::UnknownName { found: text(), expected: vec!["x"] },
        SceneErrorKind::PlanarBroadPhase { found: text(), expected: vec!["grid"] },
        SceneErrorKind::Dimension { found: 4 },
        SceneErrorKind::BaselineOnly { key: "tolerance", solver: "soft-step" },
        SceneErrorKind::OutOfRange {
            quantity: Quantity::Friction.into(),
            value: -1.0,
            min: 0.0,
            max: 1.0,
        },
        SceneErrorKind::VectorOutOfRange {
            quantity: Quantity::Position.into(),
            value: [0.0; 3],
            max: 1e6,
        },
        SceneErrorKind::Mass { mass: 0.0 },
        SceneErrorKind::NoMass,
        SceneErrorKind::FixedBody { key: "mass" },
        SceneErrorKind::StaticAndDriven,
        SceneErrorKind::Group { group: 32 },
        SceneErrorKind::OutOfPlane { z: 1.0 },
        SceneErrorKind::NameTaken { first: 0 },
        SceneErrorKind::UnknownBodyName { name: text() },
        SceneErrorKind::UnknownBodyIndex { index: 7, count: 2 },
        SceneErrorKind::TooManyPairs { max: 9 },
        SceneErrorKind::ForceForm,
        SceneErrorKind::ForceWindow { from: 2.0, until: 1.0 },
        SceneErrorKind::ForceNotDynamic,
        SceneErrorKind::BoxForm,
        SceneErrorKind::BoxOrder { axis: "x", min: 1.0, max: 0.0 },
        SceneErrorKind::MeshWithoutFolder { file: text() },
        SceneErrorKind::MeshOutside { file: text() },
        SceneErrorKind::Mesh { file: text(), reason: text() },
    ]
}

fn engine_errors() -> Vec<SceneErrorKind> {
    let (value, count, index) = ([0.0; 3], 3, 1);
    let shape = |error| SceneErrorKind::Shape { shape: "hull", error };
    vec![
        SettingsError::OutOfRange {
            quantity: Quantity::LinearSlop,
            value: 0.0,
            min: 1.0,
            max: 2.0,
        }
        .into(),
        SettingsError::Gravity { gravity: value }.into(),
        SettingsError::Bounds { min: value, max: value }.into(),
        BodyError::Mass { mass: 0.0 }.into(),
        BodyError::NoVolume { shape: ShapeType::HalfSpace }.into(),
        BodyError::Inertia { mass: 1.0 }.into(),
        BodyError::VectorOutOfRange { quantity: Quantity::Force, value, max: 1.0 }.into(),
        BodyError::OutOfRange { quantity: Quantity::Friction, value: -1.0, min: 0.0, max: 1.0 }
            .into(),
        BodyError::TooFast { value, max: 1.0 }.into(),
        BodyError::NotKinematic { body_type: BodyType::Fixed }.into(),
        BodyError::OutOfWorld(AabbError::TooMany { count: 1 }).into(),
        JointError::UnknownBody { side: JointSide::First }.into(),
        JointError::SameBody.into(),
        JointError::NoDynamicBody.into(),
        JointError::VectorOutOfRange { quantity: Quantity::Axis, value }.into(),
        JointError::ZeroAxis { axis: value }.into(),
        JointError::OutOfRange {
            quantity: Quantity::SpringDamping,
            value: -1.0,
            min: 0.0,
            max: 1.0,
        }
        .into(),
        JointError::InvalidLimits { lower: 1.0, upper: 0.0 }.into(),
        JointError::LengthAndLimits.into(),
        JointError::AnchorTooFar { side: JointSide::Second, distance: 2.0, max_distance: 1.0 }
            .into(),
        JointError::Unsupported { joint_type: JointType::Fixed, property: JointProperty::Motor }
            .into(),
        JointError::SolverUnsupported { solver: "event-driven" }.into(),
        shape(ShapeError::Size { length: ShapeLength::Radius, value: 0.0 }),
        shape(ShapeError::HalfHeight { value: 0.0 }),
        shape(ShapeError::PointOutOfRange { name: "corner", point: value }),
        shape(ShapeError::NoDirection { normal: value }),
        SceneErrorKind::Orientation(ShapeError::NoOrientation { quaternion: [0.0; 4] }),
        shape(ShapeError::Mesh { reason: "x".to_owned() }),
        shape(ShapeError::NoPoints),
        shape(ShapeError::TooFewPoints { count }),
        shape(ShapeError::TooManyPoints { count }),
        shape(ShapeError::NotFinite { index, point: value }),
        shape(ShapeError::PointTooFar { index, point: value }),
        shape(ShapeError::CoincidentPoints { count }),
        shape(ShapeError::CollinearPoints { count }),
        shape(ShapeError::CoplanarPoints { count, thickness: 0.0 }),
        shape(ShapeError::Sides { sides: 2 }),
        shape(ShapeError::NoTriangles { count }),
        shape(ShapeError::NoParts),
        shape(ShapeError::UnboundedPart { part: 0 }),
        shape(ShapeError::PartOutOfRange { part: 0, position: value }),
        shape(ShapeError::Scale { factor: 0.0 }),
    ]
}

fn page_errors() -> Vec<Value> {
    let edits = [
        EditError::UnknownBody,
        EditError::KeyTaken,
        EditError::NoRoom,
        EditError::TooFar { name: "a".to_owned(), max: 1e6 },
        EditError::NoDirection,
    ];
    let recordings = [
        ReplayError::Format,
        ReplayError::NoScene,
        ReplayError::Nested,
        ReplayError::Steps { max: 9 },
        ReplayError::Action { index: 0 },
        ReplayError::Order,
        ReplayError::NoHash,
        ReplayError::Departs { found: 1, recorded: 2 },
        ReplayError::Damaged { reason: "x".to_owned() },
        ReplayError::Meshes,
        ReplayError::Incomplete { steps: 9 },
        ReplayError::TooLong { max: 9, step: 10 },
    ];
    let edits = edits.iter().map(EditError::to_json);
    edits.chain(recordings.iter().map(ReplayError::to_json)).collect()
}

#[test]
fn fields_named_by_a_text_are_fields_of_the_error_and_every_text_has_an_error() {
    let mut texts = texts();
    let kinds = [scene_errors(), engine_errors()].concat();
    let errors = kinds.iter().map(SceneErrorKind::to_json).chain(page_errors());
    for error in errors {
        let code = error["code"].as_str().unwrap();
        let text = texts.remove(code).unwrap_or_else(|| panic!("{code}: no text, or two errors"));
        // The page inserts the name of the solver that has joints.
        for hole in holes(&text).into_iter().filter(|hole| hole != "soft") {
            assert!(error["fields"].get(&hole).is_some(), "{code} has no field {hole}: {error}");
        }
        assert!(!error["message"].as_str().unwrap().contains('\n'), "{error}");
    }
    assert!(texts.is_empty(), "texts of no error: {:?}", texts.keys());
}

#[test]
fn every_field_word_of_an_error_is_translated_into_every_language() {
    let quantities = Quantity::ALL.map(Quantity::code).into_iter();
    let quantities = quantities.chain(ShapeLength::ALL.map(ShapeLength::code));
    let quantities = quantities.chain(
        [
            SceneQuantity::Tolerance,
            SceneQuantity::SweepAxis,
            SceneQuantity::PositionIterations,
            SceneQuantity::OctreeDepth,
            SceneQuantity::OctreeCellSize,
            SceneQuantity::ForceTime,
            SceneQuantity::ForceStrength,
        ]
        .map(SceneQuantity::code),
    );
    let sides = [JointSide::First, JointSide::Second].map(JointSide::code);
    let properties = [JointProperty::Limits, JointProperty::Motor, JointProperty::RestLength];
    let keys: Vec<String> = (quantities.map(|code| format!("quantity.{code}")))
        .chain(sides.map(|code| format!("which.{code}")))
        .chain(properties.map(|property| format!("property.{}", property.code())))
        .collect();
    for file in ["en.ts", "pt-BR.ts"] {
        let table = table(file);
        for key in &keys {
            assert!(table.contains(&format!("\n  '{key}': '")), "{file} has no {key}");
        }
    }
}
