//! One folder per subcommand: its arguments, what it calls, and its output.

pub(crate) mod advise;
pub(crate) mod cast;
pub(crate) mod contact;
pub(crate) mod heatmap;
pub(crate) mod inspect;
pub(crate) mod lab;
pub(crate) mod pairs;
pub(crate) mod replay;
pub(crate) mod scene;
pub(crate) mod sight;
pub(crate) mod simulate;
pub(crate) mod study;
