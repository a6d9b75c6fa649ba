//! Scene files: JSON to validated bodies and joints, or an error with file, line, column and
//! advice.
//!
//! Guarantees for every text:
//! - no panic, and an error is one line: file, location, reason, advice;
//! - an unknown, repeated or contradictory key is an error;
//! - a key that was renamed is still read under its earlier spelling, with the same result;
//! - no mesh outside the scene's own folder is opened, links resolved;
//! - nothing larger than the [`SceneLimits`] is read.
//!
//! ```
//! use embate_scene::scene_file::{SceneSource, read_body};
//!
//! let source = SceneSource::text("ball.json");
//! let text = r#"{"name":"ball","shape":{"sphere":{"radius":0.5}},"position":[0,5,0],"mass":1}"#;
//! let ball = read_body(text, &source)?;
//! assert_eq!((ball.shape.type_name(), ball.pose.position.y), ("sphere", 5.0));
//!
//! let wrong = "{\"shape\":\n {\"sphere\":{\"radius\":-1}}}";
//! let error = read_body(wrong, &source).unwrap_err().to_string();
//! assert!(error.starts_with("ball.json, line 2, column"), "{error}");
//! assert!(error.contains("the radius is -1") && error.contains("give a positive number"));
//! # Ok::<(), embate_scene::scene_file::SceneError>(())
//! ```

mod body;
mod error;
mod error_fields;
mod force;
mod joint;
mod keys;
mod located_json;
mod mesh;
mod numbers;
mod scene;
mod settings;
mod shape;
mod source;
pub mod upgrade;

pub use body::Body;
pub use error::{SceneError, SceneErrorKind, ScenePart, SceneQuantity};
pub use joint::type_name;
pub use scene::{Scene, load_scene, read_scene, read_scene_with};
pub use settings::boundary_mode_name;
pub use source::{MeshFiles, SceneLimits, SceneSource, load_body, read_body};
