//! What does a scene file say? JSON in, bodies out, or an error with file, line, column and advice.
//!
//! Promises, whatever the text is:
//! - no panic, and an error is one line: file, place, what is wrong, what to do;
//! - an unknown or repeated key is an error, never passed over;
//! - no mesh outside the scene's own folder is opened, links resolved;
//! - nothing larger than the [`SceneLimits`] is taken in.
//!
//! ```
//! use embate_lab::scene_file::{SceneSource, read_body};
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
//! # Ok::<(), embate_lab::scene_file::SceneError>(())
//! ```

mod body;
mod error;
mod joint;
mod mesh;
mod numbers;
mod place;
mod rules;
mod scene;
mod shape;
mod source;

pub use body::Body;
pub use error::SceneError;
pub use scene::{Scene, load_scene, read_scene, read_scene_with};
pub use source::{SceneLimits, SceneSource, load_body, read_body};
