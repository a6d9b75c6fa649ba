//! Report of line-of-sight tests: CSV rows, one JSON object, or a summary line on stderr.

use std::fmt::Write as _;
use std::io::{self, Write};

use embate::geometry::TriangleHit;
use embate::raycast::TraversalStats;
use embate_mesh::LoadedMesh;
use serde::Serialize;

use super::{Segment, SightRequest};
use crate::failure::Failure;
use crate::io::output::{Memory, Times, json_text};

/// Result of one segment.
#[derive(Debug, Serialize)]
pub(crate) struct Visibility {
    segment: usize,
    blocked: u8,
    /// Position of the hit along the segment, from 0 to 1.
    t: Option<f32>,
    triangle: Option<u32>,
}

impl Visibility {
    pub(crate) fn new((segment, hit): (usize, Option<TriangleHit>)) -> Self {
        Self {
            segment,
            blocked: u8::from(hit.is_some()),
            t: hit.map(|hit| hit.t),
            triangle: hit.map(|hit| hit.triangle),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Report<'a> {
    pub(crate) request: &'a SightRequest,
    pub(crate) loaded: LoadedMesh,
    pub(crate) segments: Vec<Segment>,
    /// One per segment, in order.
    pub(crate) results: Vec<Visibility>,
    pub(crate) times: Times,
    pub(crate) memory: Memory,
}

#[derive(Serialize)]
struct Json<'a> {
    asked: RequestJson,
    counts: Counts,
    times: Times,
    memory: Memory,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<&'a [Visibility]>,
}

#[derive(Serialize)]
struct RequestJson {
    command: &'static str,
    mesh: String,
    format: String,
    triangles: usize,
    segments: usize,
    structure: &'static str,
    clearance: f32,
}

#[derive(Serialize)]
struct Counts {
    segments: usize,
    blocked: usize,
    tests: u64,
    boxes: u64,
}

impl Report<'_> {
    fn blocked(&self) -> usize {
        self.results.iter().filter(|result| result.blocked == 1).count()
    }

    pub(crate) fn to_json(&self, stats: TraversalStats) -> Result<String, Failure> {
        let request = self.request;
        json_text(&Json {
            asked: RequestJson {
                command: "sight",
                mesh: request.mesh.display().to_string(),
                format: self.loaded.format.to_string(),
                triangles: self.loaded.mesh.triangles().len(),
                segments: self.segments.len(),
                structure: request.structure.name(),
                clearance: request.clearance,
            },
            counts: Counts {
                segments: self.segments.len(),
                blocked: self.blocked(),
                tests: stats.triangle_tests,
                boxes: stats.nodes_visited,
            },
            times: self.times,
            memory: self.memory,
            out: request.out.as_ref().map(|out| out.display().to_string()),
            results: request.out.is_none().then_some(&self.results),
        })
    }

    /// The blocking hit of a single segment, or the number of blocked segments.
    pub(crate) fn summary(&self) -> String {
        let ([[from, to]], [result]) = (&self.segments[..], &self.results[..]) else {
            return format!("{} segments, {} blocked", self.segments.len(), self.blocked());
        };
        let (Some(t), Some(triangle)) = (result.t, result.triangle) else {
            return "visible: no triangle blocks the segment".to_owned();
        };
        let at: [f32; 3] = core::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * t);
        format!("blocked by triangle {triangle} at {at:?}, {:.1}% along the segment", 100.0 * t)
    }
}

/// `segment,blocked,t,triangle`; the last two are empty for a visible segment.
pub(crate) fn write_csv(mut out: impl Write, results: &[Visibility]) -> io::Result<()> {
    writeln!(out, "segment,blocked,t,triangle")?;
    for Visibility { segment, blocked, t, triangle } in results {
        let mut line = format!("{segment},{blocked},");
        if let (Some(t), Some(triangle)) = (t, triangle) {
            let _ = write!(line, "{t},{triangle}");
        } else {
            line.push(',');
        }
        writeln!(out, "{line}")?;
    }
    out.flush()
}
