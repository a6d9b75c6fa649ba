//! All overlapping pairs of a frame, one thread, every object moving.

use std::time::Instant;

use embate::Aabb;
use embate::pairs::{Pair, PairTechnique};

use crate::peers::{Ours, Parry2, Parry3, Peer};
use crate::scenes;
use crate::table::Table;

pub fn run(table: &mut Table) {
    table.line("scene,objects,peer,median_ms,best_ms,pairs,ratio_to_ours");
    for count in [5_000, 100_000, 1_000_000] {
        let boxes = scenes::uniform_2d(count);
        measure(table, "2d-uniform", &boxes, vec![sweep(&boxes), Box::new(Parry2::default())]);
    }
    for count in [10_000, 100_000, 1_000_000] {
        let boxes = scenes::uniform_3d(count);
        measure(table, "3d-uniform", &boxes, vec![sweep(&boxes), Box::new(Parry3::default())]);
    }
    for count in [100_000, 1_000_000] {
        let boxes = scenes::clustered_3d(count);
        measure(table, "3d-clustered", &boxes, vec![sweep(&boxes), Box::new(Parry3::default())]);
        let boxes = scenes::heavy_3d(count);
        measure(table, "3d-heavy", &boxes, vec![sweep(&boxes), Box::new(Parry3::default())]);
    }
}

fn sweep<const D: usize>(boxes: &[Aabb<D>]) -> Box<dyn Peer<D>> {
    Box::new(Ours::new(PairTechnique::Sweep, boxes.len()))
}

/// Frames are interleaved, so that whatever else the machine does meets all alike.
fn measure<const D: usize>(
    table: &mut Table,
    scene: &str,
    boxes: &[Aabb<D>],
    mut peers: Vec<Box<dyn Peer<D>>>,
) {
    let frames = if boxes.len() > 500_000 { 7 } else { 21 };
    let mut times = vec![Vec::new(); peers.len()];
    let mut moving = boxes.to_vec();
    let mut expected: Option<Vec<Pair>> = None;
    for frame in 0..frames {
        step(&mut moving, frame);
        expected = None;
        for (peer, times) in peers.iter_mut().zip(&mut times) {
            let mut pairs = Vec::with_capacity(boxes.len() * 5);
            let clock = Instant::now();
            peer.frame(&moving, &mut pairs);
            times.push(clock.elapsed().as_secs_f64() * 1e3);
            // Checked every time: a fast wrong answer is worth nothing.
            pairs.sort_unstable();
            match &expected {
                None => expected = Some(pairs),
                Some(expected) => assert!(*expected == pairs, "{} differs on {scene}", peer.name()),
            }
        }
    }
    let pairs = expected.map_or(0, |pairs| pairs.len());
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2], times[0])
    };
    let ours = median(&mut times[0]).0;
    for (peer, times) in peers.iter().zip(&mut times) {
        let (middle, best) = median(times);
        let count = boxes.len();
        table.line(&format!(
            "{scene},{count},{},{middle:.3},{best:.3},{pairs},{:.2}",
            peer.name(),
            middle / ours
        ));
    }
}

/// Every box moves a little, back and forth.
fn step<const D: usize>(boxes: &mut [Aabb<D>], frame: u32) {
    for (number, b) in boxes.iter_mut().enumerate() {
        for axis in 0..D {
            let size = b.max[axis] - b.min[axis];
            let way = if (number + axis + frame as usize) % 2 == 0 { 0.05 } else { -0.05 };
            b.min[axis] += way * size;
            b.max[axis] = b.min[axis] + size;
        }
    }
}
