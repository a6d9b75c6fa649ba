//! The sub-steps of a step, by several threads: the same bits as by one.
//!
//! Where there are joints or impacts, one thread leads: it does what concerns them, forces and moving, and the others
//! help with the touches alone. Where there are none, all is shared out.

use std::sync::Mutex;

use super::blocks::Block;
use super::bodies::{Bodies, Motion, Nature, Place, STRETCH, awake_within};
use super::colours::Blocks;
use super::integrate::{Flight, go_one, push_one};
use super::prepare::StepRules;
use super::report::{Laps, Stage};
use super::shared::SharedMotion;
use super::solve::{Round, solve};
use super::substep::{AFTER, BEFORE, Substep};
use super::threads::{Parts, cut, open, together};
use super::world::World;

/// Blocks that one thread solves at least, so that it is worth to take them.
const SOLVE_LEAST: usize = 4;

/// What is shared out in a stage.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// How bodies move is made known to all.
    Tell,
    Push,
    /// Of a colour.
    Solve(Round, usize),
    Go,
    /// How they move now is taken over.
    Take,
}

/// Bodies next to each other in their lists.
struct Stretch<'w> {
    first: usize,
    motions: &'w mut [Motion],
    places: &'w mut [Place],
    flights: &'w mut [Flight],
}

impl World {
    pub(super) fn substeps_together(&mut self, rules: &StepRules, laps: &mut Laps) {
        let Self { bodies, blocks, flights, awake, settings, level, .. } = self;
        let Bodies { natures, motions, places, pushes, inverse_inertias, .. } = bodies;
        let shared = self.shared.room(motions.len());
        let threads = settings.threads as usize;
        let colours = cut_colours(blocks, threads);
        let stretches: Vec<Mutex<Stretch<'_>>> = (motions.chunks_mut(STRETCH))
            .zip(places.chunks_mut(STRETCH))
            .zip(flights.chunks_mut(STRETCH))
            .zip((0..).step_by(STRETCH))
            .map(|(((motions, places), flights), first)| Stretch {
                first,
                motions,
                places,
                flights,
            })
            .map(Mutex::new)
            .collect();

        let solves = |rounds: [Round; 2]| {
            let of_round = |round| (0..colours.len()).map(move |colour| Work::Solve(round, colour));
            rounds.into_iter().flat_map(of_round)
        };
        let mut substep = vec![Work::Push];
        substep.extend(solves(BEFORE));
        substep.push(Work::Go);
        substep.extend(solves(AFTER));
        let mut all = vec![Work::Tell];
        for _ in 0..settings.substeps {
            all.extend_from_slice(&substep);
        }
        all.push(Work::Take);
        let stages = all.iter().map(|work| match work {
            Work::Solve(_, colour) => colours[*colour].len(),
            _ => stretches.len(),
        });

        let work = |stage: usize, part: usize| match all[stage] {
            Work::Tell => {
                let Stretch { first, motions, .. } = &*open(&stretches[part]);
                for (shared, motion) in shared[*first..].iter().zip(&**motions) {
                    shared.set(motion);
                }
            }
            Work::Solve(round, colour) => {
                solve(*level, shared, &mut open(&colours[colour][part]), rules, round);
            }
            Work::Push => stretch(&stretches[part], awake, natures, |place, nature, stretch| {
                let by = (&pushes[place], &inverse_inertias[place], settings.gravity);
                let flight = &mut stretch.flights[place - stretch.first];
                let mut motion = shared[place].speeds();
                push_one(nature, by, &mut motion, flight, rules.h);
                flight.velocity = motion.velocity;
                shared[place].set_speeds(&motion);
            }),
            Work::Go => stretch(&stretches[part], awake, natures, |place, nature, stretch| {
                let flight = stretch.flights[place - stretch.first];
                let rotation = &mut stretch.places[place - stretch.first].rotation;
                let mut motion = shared[place].get();
                go_one(nature, &mut motion, rotation, flight, settings.max_speed, rules.h);
                shared[place].set(&motion);
            }),
            Work::Take => {
                let Stretch { first, motions, .. } = &mut *open(&stretches[part]);
                for (shared, motion) in shared[*first..].iter().zip(&mut **motions) {
                    *motion = shared.get();
                }
            }
        };
        together(threads, stages, &work, |crew| {
            for number in 0..settings.substeps as usize {
                let begin = 1 + number * substep.len();
                let moving = 1 + BEFORE.len() * colours.len();
                for (end, stage) in [
                    (1, Stage::Moving),
                    (moving, Stage::Resolve),
                    (moving + 1, Stage::Moving),
                    (substep.len(), Stage::Resolve),
                ] {
                    crew.reach(begin + end);
                    laps.lap(stage);
                }
            }
            crew.reach(all.len());
        });
    }

    pub(super) fn substeps_led(&mut self, rules: &StepRules, laps: &mut Laps) {
        let Self { bodies, blocks, joints, bouncy, flights, awake, settings, level, .. } = self;
        let shared = self.shared.room(bodies.motions.len());
        // What sleeps or stands is asked, too, but does not change.
        tell(&bodies.motions, shared, 0..bodies.motions.len() as u32);
        let threads = settings.threads as usize;
        let colours = cut_colours(blocks, threads);
        let rounds = [BEFORE, AFTER].concat();
        let stages = colours.iter().map(Vec::len).cycle();
        let stages = stages.take(settings.substeps as usize * rounds.len() * colours.len());
        let work = |stage: usize, part: usize| {
            let round = rounds[stage / colours.len() % rounds.len()];
            solve(*level, shared, &mut open(&colours[stage % colours.len()][part]), rules, round);
        };
        let mut parts = Substep { bodies, joints, bouncy, flights, awake, settings, rules };
        together(threads, stages, &work, |crew| {
            let mut stages = 0;
            for _ in 0..settings.substeps {
                parts.go(laps, |motions, rounds| {
                    tell(motions, shared, awake.iter().copied());
                    stages += rounds.len() * colours.len();
                    crew.reach(stages);
                    for &place in &*awake {
                        motions[place as usize] = shared[place as usize].get();
                    }
                });
            }
        });
    }
}

/// Does `work` on every body of a stretch that is awake.
fn stretch(
    stretch: &Mutex<Stretch<'_>>,
    awake: &[u32],
    natures: &[Option<Nature>],
    work: impl Fn(usize, &Nature, &mut Stretch<'_>),
) {
    let stretch = &mut *open(stretch);
    for place in awake_within(awake, stretch.first, stretch.places.len()) {
        let nature = natures[place].as_ref().expect("what is awake lives");
        work(place, nature, stretch);
    }
}

/// Lets all threads know how bodies move.
fn tell(motions: &[Motion], shared: &[SharedMotion], places: impl Iterator<Item = u32>) {
    for place in places {
        shared[place as usize].set(&motions[place as usize]);
    }
}

/// The parts of each colour; what has none is one part.
fn cut_colours(blocks: &mut Blocks, threads: usize) -> Vec<Parts<'_, Block>> {
    let parts = |at_once| if at_once { 2 * threads } else { 1 };
    blocks.colours().map(|(colour, at_once)| cut(colour, SOLVE_LEAST, parts(at_once))).collect()
}
