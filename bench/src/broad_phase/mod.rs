//! Broad phase: all overlapping pairs per frame, of moving boxes.

mod measure;
mod options;
mod peers;
mod scenes;
mod verdict;

pub use options::{HELP, Options};

use embate::Aabb;

use crate::harness::table::{Table, optional};
use measure::{Measurement, Workload, measure};
use options::Moving;
use peers::{Entry, Peer};
use verdict::Summary;

const COLUMNS: &str = "scene,objects,moving,threads,peer,median_ms,best_ms,pairs,ratio_to_ours,\
                       bytes_per_object,frames,note";

/// Above this number of boxes only Embate is measured, for its time per object.
const MAX_BOXES_FOR_PEERS: u32 = 1_000_000;

type Scene<const D: usize> = (&'static str, fn(u32) -> Vec<Aabb<D>>, u32, Moving);

const SCENES_2D: [Scene<2>; 6] = [
    ("2d-uniform", scenes::uniform_2d, 5_000, Moving::All),
    ("2d-uniform", scenes::uniform_2d, 10_000, Moving::All),
    ("2d-uniform", scenes::uniform_2d, 100_000, Moving::All),
    ("2d-heavy", scenes::heavy::<2>, 100_000, Moving::All),
    ("2d-uniform", scenes::uniform_2d, 100_000, Moving::Tenth),
    ("2d-uniform", scenes::uniform_2d, 1_000_000, Moving::All),
];

const SCENES_3D: [Scene<3>; 10] = [
    ("3d-uniform", scenes::uniform_3d, 10_000, Moving::All),
    ("3d-uniform", scenes::uniform_3d, 100_000, Moving::All),
    ("3d-clustered", scenes::clustered_3d, 100_000, Moving::All),
    ("3d-heavy", scenes::heavy::<3>, 100_000, Moving::All),
    ("3d-uniform", scenes::uniform_3d, 100_000, Moving::Tenth),
    ("3d-uniform", scenes::uniform_3d, 1_000_000, Moving::All),
    ("3d-clustered", scenes::clustered_3d, 1_000_000, Moving::All),
    ("3d-heavy", scenes::heavy::<3>, 1_000_000, Moving::All),
    ("3d-uniform", scenes::uniform_3d, 1_000_000, Moving::Tenth),
    ("3d-uniform", scenes::uniform_3d, 10_000_000, Moving::All),
];

/// Measures the selected scenes and peers; writes one row per peer and prints a summary at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.row(COLUMNS);
    for (peer, why) in peers::ABSENT.iter().filter(|(name, _)| options.selects_peer(name)) {
        table.row(&format!("every,,,,{peer},,,,,,0,{why}"));
    }
    let mut summary = Summary::default();
    for scene in SCENES_2D {
        let replicas = |boxes| peers::replica(boxes).into_iter().collect();
        run_scene(table, options, &mut summary, scene, peers::IN_2D, replicas);
    }
    for scene in SCENES_3D {
        run_scene(table, options, &mut summary, scene, peers::IN_3D, |_| Vec::new());
    }
    summary.print();
}

fn run_scene<const D: usize>(
    table: &mut Table,
    options: &Options,
    summary: &mut Summary,
    (scene, make, count, moving): Scene<D>,
    other_peers: &[Entry<D>],
    more_of_embate: fn(usize) -> Vec<Box<dyn Peer<D>>>,
) {
    if !options.selects_scene(scene, count, moving) {
        return;
    }
    let boxes = make(count);
    let mut embate = peers::embate(boxes.len());
    embate.extend(more_of_embate(boxes.len()));
    let mut selected: Vec<Box<dyn Peer<D>>> = Vec::new();
    for (number, peer) in embate.into_iter().enumerate() {
        if number == 0 || options.selects_peer(peer.name()) {
            selected.push(peer);
        }
    }
    if count <= MAX_BOXES_FOR_PEERS {
        for (name, make) in other_peers.iter().filter(|(name, _)| options.selects_peer(name)) {
            if peers::SLOW.iter().any(|(slow, max)| slow == name && count > *max) {
                let moving = moving.name();
                let why = "left out: over 10 s per frame";
                table.row(&format!("{scene},{count},{moving},1,{name},,,,,,0,{why}"));
            } else {
                selected.push(make(&boxes));
            }
        }
    }
    let frames = options.frames.unwrap_or(if count > 500_000 { 7 } else { 21 });
    let mut workload = Workload { scene, boxes, moving, frames };
    let (measurements, pairs) = measure(&mut workload, selected);
    write_rows(table, &workload, &measurements, pairs);
    summary.add(scene, count, moving, &measurements);
}

/// Writes one row per peer; cells without a measurement are empty.
fn write_rows<const D: usize>(
    table: &mut Table,
    workload: &Workload<'_, D>,
    measurements: &[Measurement],
    pairs: usize,
) {
    let count = workload.boxes.len();
    let reference = measurements[0].median();
    for measurement in measurements {
        let ratio = measurement.median().zip(reference).map(|(peer, reference)| peer / reference);
        let bytes_per_object = measurement.bytes.map(|bytes| bytes as f64 / count as f64);
        table.row(&format!(
            "{},{count},{},{},{},{},{},{pairs},{},{},{},{}",
            workload.scene,
            workload.moving.name(),
            measurement.threads,
            measurement.peer,
            optional(measurement.median(), 3),
            optional(measurement.best(), 3),
            optional(ratio, 2),
            optional(bytes_per_object, 1),
            measurement.times.len(),
            measurement.note,
        ));
    }
}
