//! `soak`: the contracts at full size, `cargo xtask soak [rays|pairs|contacts|motion]`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use embate::dynamics::SolverKind;
use embate_contracts::aimed_rays::{aimed_rays, integer_wall};
use embate_contracts::broad_phase_agreement::compare_broad_phases;
use embate_contracts::contact_comparison::{
    cast_table, compare_casts, compare_contacts, compare_contacts_of_kinds, compare_mesh_contacts,
    compare_mesh_penetrations, contact_table, contact_table_of_kinds, reference_meshes,
};
use embate_contracts::contact_scenes::{HullPool, TRIANGLE_PAIRS};
use embate_contracts::stability::{run_scene, stability_scenes};
use embate_contracts::tunneling::{Target, count_tunneled, gas_energy_drift};
use peak_alloc::PeakAlloc;

/// Counts allocated bytes, to detect memory growth.
#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const RAYS: u32 = 100_000_000;
const WALL_CELLS: u32 = 63;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("rays") => exit_code(rays()),
        Some("pairs") => exit_code(pairs()),
        Some("contacts") => {
            // `soak contacts 10` runs 1/10 of the comparisons.
            let divisor = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(1);
            exit_code(all_contacts(divisor))
        }
        Some("motion") => exit_code(motion() & tunneling() & gas()),
        None | Some("all") => {
            exit_code(rays() & pairs() & all_contacts(1) & motion() & tunneling() & gas())
        }
        Some(other) => {
            eprintln!(
                "soak: unknown contract `{other}`; one of: rays, pairs, contacts, motion, all"
            );
            ExitCode::from(2)
        }
    }
}

/// All comparisons of contacts, or 1/`divisor` of them.
fn all_contacts(divisor: u64) -> bool {
    let divisor = divisor.max(1);
    contacts(BODY_PAIRS / divisor)
        & triangles(TRIANGLE_BODIES / divisor)
        & meshes(BODIES_ON_MESHES / divisor)
        & penetrations(BODIES_IN_MESHES / divisor)
        & casts(CASTS / divisor)
}

fn exit_code(passed: bool) -> ExitCode {
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Number of boxes of each kind, in 2D and in 3D.
const BOXES: u32 = 1_000_000;

fn pairs() -> bool {
    let clock = Instant::now();
    let outcome = compare_broad_phases(BOXES, &|kind| eprintln!("soak pairs: {kind}"));
    println!(
        "pairs: {} boxes, {} pairs, {} results, {} differences; {:.0} s",
        outcome.boxes,
        outcome.pairs,
        outcome.results,
        outcome.differences,
        clock.elapsed().as_secs_f64()
    );
    outcome.differences == 0
}

/// Number of steps: half an hour of simulated time.
const MOTION_STEPS: u32 = 100_000;

fn motion() -> bool {
    let mut passed = true;
    for scene in stability_scenes() {
        let (clock, name) = (Instant::now(), scene.name);
        let outcome = run_scene(scene, MOTION_STEPS, &|| ALLOCATOR.current_usage(), &|| {});
        println!(
            "motion, {name}: {} steps, {}; energy {:.6} J at step {}, {:.6} J at the end; \
             kinetic energy {:.2e} J, {:.2e} J; slop energy {:.3} J; memory {} bytes, {} bytes; \
             {:.0} s",
            outcome.steps,
            outcome
                .first_invalid_step
                .map_or("valid".to_owned(), |step| format!("INVALID at step {step}")),
            outcome.energy[0],
            outcome.rest_step,
            outcome.energy[1],
            outcome.max_kinetic_energy[0],
            outcome.max_kinetic_energy[1],
            outcome.slop_energy,
            outcome.memory[0],
            outcome.memory[1],
            clock.elapsed().as_secs_f64()
        );
        passed &= outcome.is_stable();
    }
    passed
}

/// Number of shots per body type of the wall.
const SHOTS: u32 = 1_000;

fn tunneling() -> bool {
    let tunneled = Target::ALL.map(|target| (target, count_tunneled(target, SHOTS, 7)));
    for (target, count) in tunneled {
        println!(
            "motion, {SHOTS} shots at 300 m/s at a wall of 2 cm ({target:?}): {count} tunneled"
        );
    }
    tunneled.iter().all(|(_, count)| *count == 0)
}

/// Energy drift of a gas of 1,000 elastic spheres: at most 1e-3 with the event-driven solver; with
/// the soft-step solver at most that of the best peer, 13 %.
fn gas() -> bool {
    let within_limit = [(SolverKind::EventDriven, 1e-3), (SolverKind::SoftStep, 0.13)].map(
        |(solver, max_drift)| {
            let drift = gas_energy_drift(solver, 10, 10_000);
            println!(
                "motion, 1,000 spheres, 10,000 steps, solver {}: energy {:+.4} %",
                solver.name(),
                100.0 * drift
            );
            drift.abs() <= max_drift
        },
    );
    within_limit == [true; 2]
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
        "rays: {} aimed, {} leaks, {} differences from brute force; \
         integer wall: {wall_rays} rays, {wall_misses} misses; {:.0} s",
        outcome.rays,
        outcome.leaks,
        outcome.differences,
        clock.elapsed().as_secs_f64()
    );
    outcome.leaks + outcome.differences + wall_misses == 0
}

/// Number of pairs of bodies, over all types.
const BODY_PAIRS: u64 = 1_000_000;

fn contacts(pairs: u64) -> bool {
    let clock = Instant::now();
    let tallies = compare_contacts(&HullPool::new(600), 2, 0..pairs);
    println!("{}", contact_table(&tallies));
    for tally in &tallies {
        for finding in &tally.findings {
            println!("scene {}: {}", finding.number, finding.description);
        }
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {pairs} pairs of bodies, {wrong} wrong results; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}

/// Number of pairs of a body and a mesh triangle.
const TRIANGLE_BODIES: u64 = 100_000;

fn triangles(pairs: u64) -> bool {
    let clock = Instant::now();
    let tallies = compare_contacts_of_kinds(&HullPool::new(600), 2, 0..pairs, &TRIANGLE_PAIRS);
    println!("{}", contact_table_of_kinds(&tallies, &TRIANGLE_PAIRS));
    for finding in tallies.iter().flat_map(|tally| &tally.findings) {
        println!("scene {}: {}", finding.number, finding.description);
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {pairs} pairs with triangles, {wrong} wrong results; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}

/// Number of bodies on hull meshes and rough ground.
const BODIES_ON_MESHES: u64 = 100_000;

fn meshes(bodies: u64) -> bool {
    let clock = Instant::now();
    let tally = compare_mesh_contacts(2, 0..bodies);
    for (number, description) in &tally.findings {
        println!("body {number}: {description}");
    }
    println!(
        "contacts: {} bodies on meshes, {} of them separated ({} more inside a hull mesh), \
         largest distance error {:.2} of the tolerance; {} wrong results; {:.0} s",
        tally.tested,
        tally.separated,
        tally.enclosed,
        tally.max_distance_error,
        tally.wrong,
        clock.elapsed().as_secs_f64()
    );
    tally.wrong == 0
}

/// Number of bodies deep in meshes of artists and generated ones.
const BODIES_IN_MESHES: u64 = 100_000;

fn penetrations(bodies: u64) -> bool {
    let clock = Instant::now();
    let tally = compare_mesh_penetrations(&reference_meshes(), 2, 0..bodies);
    for (number, description) in &tally.findings {
        println!("overlap {number}: {description}");
    }
    println!(
        "contacts: {} overlaps with meshes, mean depth {:.2} sizes; after the way out at most \
         {:.2} of the tolerance remains, witness points are off by at most {:.2}; {} wrong \
         results; {:.0} s",
        tally.overlaps,
        tally.total_depth / tally.overlaps.max(1) as f64,
        tally.max_remaining,
        tally.max_witness_error,
        tally.wrong,
        clock.elapsed().as_secs_f64()
    );
    tally.wrong == 0
}

/// Number of shape casts, over all types.
const CASTS: u64 = 100_000;

fn casts(casts: u64) -> bool {
    let clock = Instant::now();
    let tallies = compare_casts(&HullPool::new(600), 2, 0..casts);
    println!("{}", cast_table(&tallies));
    for finding in tallies.iter().flat_map(|tally| &tally.findings) {
        println!("cast {}: {}", finding.number, finding.description);
    }
    let wrong: u64 = tallies.iter().map(|tally| tally.wrong).sum();
    println!(
        "contacts: {casts} casts, {wrong} wrong results; {:.0} s",
        clock.elapsed().as_secs_f64()
    );
    wrong == 0
}
