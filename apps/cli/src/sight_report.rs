//! What is told about lines of sight: a row each, one JSON object, or a remark on stderr.

use std::fmt::Write as _;
use std::io::{self, Write};

use embate::geometry::TriangleHit;
use embate::raycast::TraversalStats;
use embate_mesh::LoadedMesh;
use serde::Serialize;

use crate::args::SightRequest;
use crate::costs::{self, Memory, Times};
use crate::failure::Failure;
use crate::sight::Segment;

#[derive(Debug, Serialize)]
pub(crate) struct Sight {
    segment: usize,
    blocked: u8,
    /// How far along it is blocked, from 0 to 1.
    t: Option<f32>,
    triangle: Option<u32>,
}

impl Sight {
    pub(crate) fn new((segment, hit): (usize, Option<TriangleHit>)) -> Self {
        Self {
            segment,
            blocked: u8::from(hit.is_some()),
            t: hit.map(|hit| hit.t),
            triangle: hit.map(|hit| hit.triangle),
        }
    }
}

/// Everything there is to tell.
#[derive(Debug)]
pub(crate) struct Outcome<'a> {
    pub(crate) request: &'a SightRequest,
    pub(crate) loaded: LoadedMesh,
    pub(crate) segments: Vec<Segment>,
    /// One for each segment, in order.
    pub(crate) sights: Vec<Sight>,
    pub(crate) times: Times,
    pub(crate) memory: Memory,
}

#[derive(Serialize)]
struct Json<'a> {
    asked: Asked,
    counts: Counts,
    times: Times,
    memory: Memory,
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<&'a [Sight]>,
}

#[derive(Serialize)]
struct Asked {
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

impl Outcome<'_> {
    fn blocked(&self) -> usize {
        self.sights.iter().filter(|sight| sight.blocked == 1).count()
    }

    pub(crate) fn to_json(&self, counts: TraversalStats) -> Result<String, Failure> {
        let request = self.request;
        costs::to_text(&Json {
            asked: Asked {
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
                tests: counts.triangle_tests,
                boxes: counts.nodes_visited,
            },
            times: self.times,
            memory: self.memory,
            out: request.out.as_ref().map(|out| out.display().to_string()),
            results: request.out.is_none().then_some(&self.sights),
        })
    }

    /// Where a single segment is blocked, or how many of them are.
    pub(crate) fn words(&self) -> String {
        let ([[from, to]], [sight]) = (&self.segments[..], &self.sights[..]) else {
            return format!("{} segments, {} blocked", self.segments.len(), self.blocked());
        };
        let (Some(t), Some(triangle)) = (sight.t, sight.triangle) else {
            return "nothing is in the way".to_owned();
        };
        let at: [f32; 3] = core::array::from_fn(|axis| from[axis] + (to[axis] - from[axis]) * t);
        format!("blocked by triangle {triangle} at {at:?}, {:.1} % of the way", 100.0 * t)
    }
}

/// `segment,blocked,t,triangle`; the last two are empty where nothing is in the way.
pub(crate) fn write_csv(mut out: impl Write, sights: &[Sight]) -> io::Result<()> {
    writeln!(out, "segment,blocked,t,triangle")?;
    for Sight { segment, blocked, t, triangle } in sights {
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
