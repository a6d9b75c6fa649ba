//! BVH construction: binned SAH, spatial splits, reinsertion, wide collapse, node layout.

pub(crate) mod binary_builder;
pub(crate) mod node_layout;
pub(crate) mod prim_ref;
pub(crate) mod reinsertion;
pub(crate) mod sah_binning;
pub(crate) mod spatial_split;
pub(crate) mod wide_collapse;
