//! Properties and edits of single bodies.

mod body_edits;
mod kinematic_target;
mod mass_properties;
