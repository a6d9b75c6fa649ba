//! One scene, all peers, frame by frame in turn; every answer checked.

use std::time::Instant;

use embate::Aabb;
use embate::broad_phase::OverlapPair;

use crate::options::Moving;
use crate::peers::Peer;
use crate::scenes;

/// A peer whose frames have taken so long, and which has been timed thrice, is timed no more.
const ENOUGH_MS: f64 = 8_000.0;
/// A frame longer than this is not repeated.
const SLOW_MS: f64 = 10_000.0;
/// A peer whose first frame, with all to build, takes longer than this is left out.
const HOPELESS_MS: f64 = 60_000.0;

/// A scene to be measured.
pub struct Work<'a, const D: usize> {
    pub scene: &'a str,
    pub boxes: Vec<Aabb<D>>,
    pub moving: Moving,
    pub frames: u32,
}

/// What became of one peer.
pub struct Figures {
    pub peer: &'static str,
    pub threads: usize,
    pub bytes: Option<usize>,
    /// Milliseconds a frame, sorted; empty if it was left out.
    pub times: Vec<f64>,
    pub note: String,
}

impl Figures {
    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).copied()
    }

    pub fn best(&self) -> Option<f64> {
        self.times.first().copied()
    }
}

/// Frames are interleaved, so that whatever else the machine does meets all alike. The first frame, in
/// which peers that keep a structure build it, is checked and not timed. Also tells the number of pairs.
///
/// # Panics
/// If the pairs of two differ: a fast wrong answer is worth nothing.
pub fn measure<const D: usize>(
    work: &mut Work<'_, D>,
    peers: Vec<Box<dyn Peer<D>>>,
) -> (Vec<Figures>, usize) {
    let count = work.boxes.len() as u32;
    let every: Vec<u32> = (0..count).collect();
    let movers = match work.moving {
        Moving::All => every.clone(),
        Moving::Tenth => every.iter().copied().step_by(10).collect(),
    };
    let mut runs: Vec<Run<D>> = peers.into_iter().map(Run::new).collect();
    let (mut pairs, mut expected) = (Vec::new(), Vec::new());
    for frame in 0..=work.frames {
        scenes::step(&mut work.boxes, &movers, frame);
        let mut checked_by = None;
        // Each begins in its turn: to come first, or after a certain other, may be an advantage.
        for turn in 0..runs.len() {
            let number = (turn + frame as usize) % runs.len();
            let run = &mut runs[number];
            // In the first frame everything is new to a peer.
            let moved = (frame > 0 && work.moving == Moving::Tenth).then_some(movers.as_slice());
            if !run.frame(&work.boxes, moved, &mut pairs, frame == 0) {
                continue;
            }
            pairs.sort_unstable();
            if let Some(other) = checked_by {
                let (peer, scene) = (run.figures.peer, work.scene);
                assert!(pairs == expected, "{peer} and {other} differ on {scene}, frame {frame}");
            } else {
                std::mem::swap(&mut pairs, &mut expected);
                checked_by = Some(run.figures.peer);
            }
        }
    }
    (runs.into_iter().map(Run::finish).collect(), expected.len())
}

struct Run<const D: usize> {
    /// Gone once it is too slow to go on with.
    peer: Option<Box<dyn Peer<D>>>,
    figures: Figures,
}

impl<const D: usize> Run<D> {
    fn new(peer: Box<dyn Peer<D>>) -> Self {
        let (name, threads) = (peer.name(), peer.threads());
        let times = Vec::new();
        let figures = Figures { peer: name, threads, bytes: None, times, note: String::new() };
        Self { peer: Some(peer), figures }
    }

    /// One frame, unless the peer has been stopped.
    fn frame(
        &mut self,
        boxes: &[Aabb<D>],
        movers: Option<&[u32]>,
        pairs: &mut Vec<OverlapPair>,
        first: bool,
    ) -> bool {
        let Some(peer) = &mut self.peer else { return false };
        pairs.clear();
        let clock = Instant::now();
        match movers {
            Some(movers) => peer.frame_with_movers(boxes, movers, pairs),
            None => peer.frame(boxes, pairs),
        }
        let time = clock.elapsed().as_secs_f64() * 1e3;
        self.figures.bytes = peer.bytes();
        if first {
            if time > HOPELESS_MS {
                self.figures.note = format!("left out: its first frame took {:.0} s", time / 1e3);
                self.peer = None;
            }
            return true;
        }
        self.figures.times.push(time);
        let spent: f64 = self.figures.times.iter().sum();
        if time > SLOW_MS || (spent > ENOUGH_MS && self.figures.times.len() >= 3) {
            "fewer frames: slow".clone_into(&mut self.figures.note);
            self.peer = None;
        }
        true
    }

    fn finish(mut self) -> Figures {
        self.figures.times.sort_by(f64::total_cmp);
        self.figures
    }
}
