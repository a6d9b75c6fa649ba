//! Rigid bodies: definition, storage, mass properties, read access.

pub(crate) mod body_data;
pub(crate) mod body_def;
pub(crate) mod body_index;
pub(crate) mod body_ref;
pub(crate) mod body_set;
pub(crate) mod combine_rule;
pub(crate) mod error;
pub(crate) mod mass_properties;
