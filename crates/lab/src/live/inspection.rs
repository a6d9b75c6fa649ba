//! What did the search do with one object?

use serde::Serialize;

/// One object, and what became of it in this frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// Which.
    pub object: u32,
    /// Least corner and size.
    #[serde(rename = "box")]
    pub bounds: [f32; 4],
    /// Cells, tiles or nodes that list it: least and greatest corner of each.
    pub cells: Vec<[f32; 4]>,
    /// Whom it was tested against, each once, in order, at most 1,000.
    pub tested: Vec<u32>,
    /// How many those are, all of them.
    pub tested_others: u32,
    /// In how many tests it took part; a pair tested twice counts twice.
    pub tested_count: u64,
    /// Partners that the technique found.
    pub touching: Vec<u32>,
    /// Partners that it missed.
    pub missed: Vec<u32>,
}

impl Inspection {
    /// `{"object":7,"box":[…],"cells":[…],"tested":[…],"testedOthers":8,"testedCount":9,
    /// "touching":[…],"missed":[…]}`
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
