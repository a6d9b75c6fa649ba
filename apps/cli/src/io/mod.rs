//! Input and output shared by the subcommands.

pub(crate) mod boxes_file;
pub(crate) mod csv_table;
pub(crate) mod mesh_file;
pub(crate) mod output;
pub(crate) mod output_file;
pub(crate) mod rays_file;
