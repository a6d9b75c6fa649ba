//! All overlapping pairs of a frame: which scenes, in which order, and what is told of each.

use embate::Aabb;

use crate::measure::{Figures, Work, measure};
use crate::options::{Moving, Options};
use crate::peers::{self, Entry, Peer};
use crate::scenes;
use crate::table::Table;
use crate::verdict::Verdict;

const COLUMNS: &str = "scene,objects,moving,threads,peer,median_ms,best_ms,pairs,ratio_to_ours,\
                       bytes_per_object,frames,note";

/// Beyond this many boxes only we are measured: time an object, from ten thousand to ten million.
const MOST_FOR_PEERS: u32 = 1_000_000;

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

/// Measures what is wanted, tells each figure as it comes and the verdict at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.line(COLUMNS);
    for (peer, why) in peers::ABSENT.iter().filter(|(name, _)| options.wants_peer(name)) {
        table.line(&format!("every,,,,{peer},,,,,,0,{why}"));
    }
    let mut verdict = Verdict::default();
    for scene in SCENES_2D {
        let study = |boxes| peers::study(boxes).into_iter().collect();
        run_scene(table, options, &mut verdict, scene, peers::IN_2D, study);
    }
    for scene in SCENES_3D {
        run_scene(table, options, &mut verdict, scene, peers::IN_3D, |_| Vec::new());
    }
    verdict.print();
}

fn run_scene<const D: usize>(
    table: &mut Table,
    options: &Options,
    verdict: &mut Verdict,
    (scene, make, count, moving): Scene<D>,
    others: &[Entry<D>],
    more_of_ours: fn(usize) -> Vec<Box<dyn Peer<D>>>,
) {
    if !options.wants_scene(scene, count, moving) {
        return;
    }
    let boxes = make(count);
    let mut all = peers::ours(boxes.len());
    all.extend(more_of_ours(boxes.len()));
    let mut wanted: Vec<Box<dyn Peer<D>>> = Vec::new();
    for (number, peer) in all.into_iter().enumerate() {
        if number == 0 || options.wants_peer(peer.name()) {
            wanted.push(peer);
        }
    }
    if count <= MOST_FOR_PEERS {
        for (name, make) in others.iter().filter(|(name, _)| options.wants_peer(name)) {
            if peers::SLOW.iter().any(|(slow, most)| slow == name && count > *most) {
                let moving = moving.name();
                let why = "left out: over 10 s a frame";
                table.line(&format!("{scene},{count},{moving},1,{name},,,,,,0,{why}"));
            } else {
                wanted.push(make(&boxes));
            }
        }
    }
    let frames = options.frames.unwrap_or(if count > 500_000 { 7 } else { 21 });
    let mut work = Work { scene, boxes, moving, frames };
    let (figures, pairs) = measure(&mut work, wanted);
    tell(table, &work, &figures, pairs);
    verdict.add(scene, count, moving, &figures);
}

/// One line a peer; what was not measured stays empty.
fn tell<const D: usize>(table: &mut Table, work: &Work<'_, D>, all: &[Figures], pairs: usize) {
    let count = work.boxes.len();
    let ours = all[0].median();
    let milliseconds = |time: Option<f64>| time.map_or(String::new(), |time| format!("{time:.3}"));
    for figures in all {
        let ratio =
            figures.median().zip(ours).map(|(theirs, ours)| format!("{:.2}", theirs / ours));
        let bytes = figures.bytes.map(|bytes| format!("{:.1}", bytes as f64 / count as f64));
        table.line(&format!(
            "{},{count},{},{},{},{},{},{pairs},{},{},{},{}",
            work.scene,
            work.moving.name(),
            figures.threads,
            figures.peer,
            milliseconds(figures.median()),
            milliseconds(figures.best()),
            ratio.unwrap_or_default(),
            bytes.unwrap_or_default(),
            figures.times.len(),
            figures.note,
        ));
    }
}
