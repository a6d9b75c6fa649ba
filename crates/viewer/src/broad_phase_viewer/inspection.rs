//! Inspection: what the search did with one object.

use serde::Serialize;

/// Cells, tests and pairs of one object in a frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// Id of the object.
    pub object: u32,
    /// Minimum corner and size.
    #[serde(rename = "box")]
    pub bounds: [f32; 4],
    /// Cells, tiles or nodes that list the object: minimum and maximum corner of each.
    pub cells: Vec<[f32; 4]>,
    /// Ids of the objects tested against it, unique and sorted, at most 1,000.
    pub tested: Vec<u32>,
    /// Number of objects tested against it, without the limit.
    pub tested_others: u32,
    /// Number of tests of the object; a pair tested twice counts twice.
    pub tested_count: u64,
    /// Ids of the overlapping objects that the technique found.
    pub touching: Vec<u32>,
    /// Ids of the overlapping objects that the technique missed.
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
