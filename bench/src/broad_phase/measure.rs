//! Interleaved frames of all peers on one scene, with every result checked.

use embate::Aabb;
use embate::broad_phase::OverlapPair;

use super::options::Moving;
use super::peers::Peer;
use super::scenes;
use crate::harness::measure::{timed, turn_order};

/// Total time after which a peer with at least three timed frames is stopped.
const TIME_BUDGET_MS: f64 = 8_000.0;
/// Frame time above which a peer is stopped.
const MAX_FRAME_MS: f64 = 10_000.0;
/// Time of the first frame, which builds the structure, above which a peer is left out.
const MAX_FIRST_FRAME_MS: f64 = 60_000.0;

/// A scene and the number of its frames.
pub struct Workload<'a, const D: usize> {
    pub scene: &'a str,
    pub boxes: Vec<Aabb<D>>,
    pub moving: Moving,
    pub frames: u32,
}

/// Result of one peer.
pub struct Measurement {
    pub peer: &'static str,
    pub threads: usize,
    pub bytes: Option<usize>,
    /// Milliseconds per frame, sorted; empty if the peer was left out.
    pub times: Vec<f64>,
    pub note: String,
}

impl Measurement {
    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).copied()
    }

    pub fn best(&self) -> Option<f64> {
        self.times.first().copied()
    }
}

/// Measures all peers with interleaved frames; returns their results and the number of pairs. The
/// first frame, in which peers build persistent structures, is checked but not timed.
///
/// # Panics
/// If the pairs of two peers differ.
pub fn measure<const D: usize>(
    workload: &mut Workload<'_, D>,
    peers: Vec<Box<dyn Peer<D>>>,
) -> (Vec<Measurement>, usize) {
    let count = workload.boxes.len() as u32;
    let all: Vec<u32> = (0..count).collect();
    let movers = match workload.moving {
        Moving::All => all.clone(),
        Moving::Tenth => all.iter().copied().step_by(10).collect(),
    };
    let mut runs: Vec<Run<D>> = peers.into_iter().map(Run::new).collect();
    let (mut pairs, mut expected) = (Vec::new(), Vec::new());
    for frame in 0..=workload.frames {
        scenes::step(&mut workload.boxes, &movers, frame);
        let mut checked_by = None;
        for number in turn_order(runs.len(), frame as usize) {
            let run = &mut runs[number];
            // In the first frame all boxes are new.
            let moved =
                (frame > 0 && workload.moving == Moving::Tenth).then_some(movers.as_slice());
            if !run.frame(&workload.boxes, moved, &mut pairs, frame == 0) {
                continue;
            }
            pairs.sort_unstable();
            if let Some(other) = checked_by {
                let (peer, scene) = (run.measurement.peer, workload.scene);
                assert!(pairs == expected, "{peer} and {other} differ on {scene}, frame {frame}");
            } else {
                std::mem::swap(&mut pairs, &mut expected);
                checked_by = Some(run.measurement.peer);
            }
        }
    }
    (runs.into_iter().map(Run::finish).collect(), expected.len())
}

struct Run<const D: usize> {
    /// `None` once the peer is stopped.
    peer: Option<Box<dyn Peer<D>>>,
    measurement: Measurement,
}

impl<const D: usize> Run<D> {
    fn new(peer: Box<dyn Peer<D>>) -> Self {
        let (name, threads) = (peer.name(), peer.threads());
        let times = Vec::new();
        let measurement =
            Measurement { peer: name, threads, bytes: None, times, note: String::new() };
        Self { peer: Some(peer), measurement }
    }

    /// Runs one frame; returns false if the peer is stopped.
    fn frame(
        &mut self,
        boxes: &[Aabb<D>],
        movers: Option<&[u32]>,
        pairs: &mut Vec<OverlapPair>,
        is_first: bool,
    ) -> bool {
        let Some(peer) = &mut self.peer else { return false };
        pairs.clear();
        let ((), seconds) = timed(|| match movers {
            Some(movers) => peer.frame_with_movers(boxes, movers, pairs),
            None => peer.frame(boxes, pairs),
        });
        let time = seconds * 1e3;
        self.measurement.bytes = peer.bytes();
        if is_first {
            if time > MAX_FIRST_FRAME_MS {
                self.measurement.note =
                    format!("left out: its first frame took {:.0} s", time / 1e3);
                self.peer = None;
            }
            return true;
        }
        self.measurement.times.push(time);
        let total: f64 = self.measurement.times.iter().sum();
        if time > MAX_FRAME_MS || (total > TIME_BUDGET_MS && self.measurement.times.len() >= 3) {
            "fewer frames: slow".clone_into(&mut self.measurement.note);
            self.peer = None;
        }
        true
    }

    fn finish(mut self) -> Measurement {
        self.measurement.times.sort_by(f64::total_cmp);
        self.measurement
    }
}
