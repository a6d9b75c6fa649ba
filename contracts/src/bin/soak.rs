//! The contracts at full size: `cargo xtask soak [rays|pairs|contacts|motion]`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use embate::motion::Method;
use embate_contracts::agreeing_pairs::agreement;
use embate_contracts::aimed_rays::{aimed_rays, integer_wall};
use embate_contracts::contact_scenes::{Stock, TRIANGLE_PAIRS};
use embate_contracts::contact_trial::{
    cast_table, cast_trial, mesh_trial, table, table_of, trial, trial_of,
};
use embate_contracts::fast_bodies::{Target, gas_drift, shots_through};
use embate_contracts::long_motion::{endure, hard_scenes};
use peak_alloc::PeakAlloc;

/// Counts bytes, so that a list that grows is seen to the byte.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const RAYS: u32 = 100_000_000;
const WALL_CELLS: u32 = 63;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("rays") => verdict(rays()),
        Some("pairs") => verdict(pairs()),
        Some("contacts") => {
            // `soak contacts 10` asks a tenth of the questions.
            let part = std::env::args().nth(2).and_then(|part| part.parse().ok()).unwrap_or(1);
            verdict(all_contacts(part))
        }
        Some("motion") => verdict(motion() & fast_bodies() & gas()),
        None | Some("all") => {
            verdict(rays() & pairs() & all_contacts(1) & motion() & fast_bodies() & gas())
        }
        Some(other) => {
            eprintln!("soak: there is no `{other}`; there are: rays, pairs, contacts, motion, all");
            ExitCode::from(2)
        }
    }
}

/// All questions about contacts, or only one in `part` of them.
fn all_contacts(part: u64) -> bool {
    let part = part.max(1);
    contacts(BODY_PAIRS / part)
        & triangles(TRIANGLE_BODIES / part)
        & meshes(BODIES_ON_MESHES / part)
        & casts(CASTS / part)
}

fn verdict(holds: bool) -> ExitCode {
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A million boxes of each kind, in 2D and in 3D.
const BOXES: u32 = 1_000_000;

fn pairs() -> bool {
    let clock = Instant::now();
    let outcome = agreement(BOXES, &|kind| eprintln!("soak pairs: {kind}"));
    println!(
        "pairs: {} boxes, {} pairs, {} answers, {} differences; {:.0} s",
        outcome.boxes,
        outcome.pairs,
        outcome.answers,
        outcome.differences,
        clock.elapsed().as_secs_f64()
    );
    outcome.differences == 0
}

/// Half an hour of simulated time.
const MOTION_STEPS: u32 = 100_000;

fn motion() -> bool {
    let mut holds = true;
    for hard in hard_scenes() {
        let (clock, name) = (Instant::now(), hard.name);
        let outcome = endure(hard, MOTION_STEPS, &|| ALLOCATOR.current_usage(), &|| {});
        println!(
            "motion, {name}: {} steps, {}; energy {:.6} J at step {}, {:.6} J at the end; unrest {:.2e} J, {:.2e} J; \
             to lift all by the slop {:.3} J; memory {} bytes, {} bytes; {:.0} s",
            outcome.steps,
            outcome.insane.map_or("sane".to_owned(), |step| format!("INSANE at step {step}")),
            outcome.energy[0],
            outcome.rested,
            outcome.energy[1],
            outcome.unrest[0],
            outcome.unrest[1],
            outcome.lift,
            outcome.memory[0],
            outcome.memory[1],
            clock.elapsed().as_secs_f64()
        );
        holds &= outcome.holds();
    }
    holds
}

/// At each kind of wall.
const SHOTS: u32 = 1_000;

fn fast_bodies() -> bool {
    let through = Target::ALL.map(|target| (target, shots_through(target, SHOTS, 7)));
    for (target, through) in through {
        println!(
            "motion, {SHOTS} shots at 300 m/s at a wall of 2 cm ({target:?}): {through} through"
        );
    }
    through.iter().all(|(_, through)| *through == 0)
}

/// A thousand balls that lose nothing: at most a thousandth of the energy by the elastic method; by ours no more than the
/// best engine loses, 13 %.
fn gas() -> bool {
    let drift = [(Method::Elastic, 1e-3), (Method::Soft, 0.13)].map(|(method, most)| {
        let drift = gas_drift(method, 10, 10_000);
        println!(
            "motion, 1,000 balls, 10,000 steps by {}: energy {:+.4} %",
            method.name(),
            100.0 * drift
        );
        drift.abs() <= most
    });
    drift == [true; 2]
}

fn rays() -> bool {
    let clock = Instant::now();
    let done = AtomicU64::new(0);
    let outcome = aimed_rays(RAYS, &|rays| {
        let before = done.fetch_add(u64::from(rays), Ordering::Relaxed);
        let percent = |rays: u64| rays * 20 / u64::from(RAYS) * 5;
        if percent(before) != percent(before + u64::from(rays)) {
            eprintln!("soak rays: {} %", percent(before + u64::from(rays)));
        }
    });
    let (wall_rays, wall_misses) = integer_wall(WALL_CELLS);
    println!(
        "rays: {} aimed, {} leaks, {} differences from brute force; integer wall: {wall_rays} rays, \
         {wall_misses} misses; {:.0} s",
        outcome.rays,
        outcome.leaks,
        outcome.differences,
        clock.elapsed().as_secs_f64()
    );
    outcome.leaks + outcome.differences + wall_misses == 0
}

/// Pairs of bodies, of all kinds together.
const BODY_PAIRS: u64 = 1_000_000;

fn contacts(pairs: u64) -> bool {
    let clock = Instant::now();
    let tallies = trial(&Stock::new(600), 2, 0..pairs);
    println!("{}", table(&tallies));
    for tally in &tallies {
        for finding in &tally.findings {
            println!("scene {}: {}", finding.number, finding.what);
        }
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {pairs} pairs of bodies, {wrong} wrong answers; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}

/// Pairs of a body and a triangle of a mesh.
const TRIANGLE_BODIES: u64 = 100_000;

fn triangles(pairs: u64) -> bool {
    let clock = Instant::now();
    let tallies = trial_of(&Stock::new(600), 2, 0..pairs, &TRIANGLE_PAIRS);
    println!("{}", table_of(&tallies, &TRIANGLE_PAIRS));
    for finding in tallies.iter().flat_map(|tally| &tally.findings) {
        println!("scene {}: {}", finding.number, finding.what);
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {pairs} pairs with triangles, {wrong} wrong answers; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}

/// Bodies on hollow solids and rough ground.
const BODIES_ON_MESHES: u64 = 100_000;

fn meshes(bodies: u64) -> bool {
    let clock = Instant::now();
    let tally = mesh_trial(2, 0..bodies);
    for (number, what) in &tally.findings {
        println!("body {number}: {what}");
    }
    println!(
        "contacts: {} bodies on meshes, {} of them apart ({} more inside of a hollow), distances off by {:.2} of what is allowed; {} wrong answers; {:.0} s",
        tally.asked,
        tally.apart,
        tally.hidden,
        tally.distance,
        tally.wrong,
        clock.elapsed().as_secs_f64()
    );
    tally.wrong == 0
}

/// Moving bodies, of all kinds together.
const CASTS: u64 = 100_000;

fn casts(casts: u64) -> bool {
    let clock = Instant::now();
    let tallies = cast_trial(&Stock::new(600), 2, 0..casts);
    println!("{}", cast_table(&tallies));
    for finding in tallies.iter().flat_map(|tally| &tally.findings) {
        println!("cast {}: {}", finding.number, finding.what);
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {casts} casts, {wrong} wrong answers; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}
