//! What did it take? The parts that every JSON report of rays has alike.

use serde::Serialize;

use crate::failure::Failure;

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Times {
    pub(crate) build_s: f64,
    pub(crate) query_s: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Memory {
    /// Of the structure, beside the mesh.
    pub(crate) bytes: usize,
}

/// One object and the end of its line.
pub(crate) fn to_text(report: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(report).map_err(Failure::problem)?;
    Ok(text + "\n")
}
