//! Which touches can be solved at the same time?
//!
//! Touches get colours: no two of a colour move the same body. So eight of a colour are solved side by side in
//! one block, and what comes out depends on the colours alone, not on how many lanes a machine has. A body
//! that nothing moves may be in all of them.
//!
//! To give them is done by one thread for all, so it looks at numbers alone; what the touches are like is filled in
//! and handed back by several.

use super::blocks::{Block, TouchName};
use super::bodies::Bodies;
use super::lanes::LANES;
use super::prepare::StepRules;
use super::threads::share;
use super::touches::NearPair;

/// Colours; touches of a body that has all of them are solved one by one at the end. A body in a dense pile
/// has a dozen touches.
const COLOURS: usize = 24;

/// Blocks that one thread fills in at least, so that it is worth to wake another.
const FILL_LEAST: usize = 16;

/// The touches of a colour, and the blocks of them, which are kept from step to step for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Colour {
    touches: Vec<TouchName>,
    blocks: Vec<Block>,
}

/// Where a touch is solved: its colour, and its number there.
#[derive(Clone, Copy, Debug)]
struct Home {
    colour: u8,
    number: u32,
}

impl Home {
    fn block_and_lane(self) -> (usize, usize) {
        let (number, room) = (self.number as usize, room(self.colour.into()));
        (number / room, number % room)
    }
}

/// Touches of a colour that are solved at once.
fn room(colour: usize) -> usize {
    if colour < COLOURS { LANES } else { 1 }
}

/// Whether touches move a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moves {
    Never,
    /// It sleeps.
    Later,
    Now,
}

/// All touches of a step by colours, and those without a colour at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    colours: Vec<Colour>,
    /// By place of the body: a bit for each colour that it has.
    taken: Vec<u32>,
    moves: Vec<Moves>,
    /// Of all touches, in the order of their pairs; and by number of the pair, where its own begin.
    homes: Vec<Home>,
    first_homes: Vec<u32>,
}

impl Blocks {
    /// Nothing yet, for these bodies.
    pub(super) fn clear(&mut self, bodies: &Bodies) {
        self.colours.resize(COLOURS + 1, Colour::default());
        self.colours.iter_mut().for_each(|colour| colour.touches.clear());
        self.taken.clear();
        self.taken.resize(bodies.natures.len(), 0);
        self.moves.clear();
        self.moves.extend((0..bodies.natures.len()).map(|place| {
            if !(bodies.lives(place) && bodies.is_moved(place)) {
                Moves::Never
            } else if bodies.is_solved(place) {
                Moves::Now
            } else {
                Moves::Later
            }
        }));
        self.homes.clear();
        self.first_homes.clear();
    }

    /// Finds places for the touches of the next pair; false if none is solved.
    pub(super) fn place(&mut self, pair: &NearPair) -> bool {
        let places = pair.bodies.map(|place| place as usize);
        let moves = places.map(|place| self.moves[place]);
        let number = self.first_homes.len() as u32;
        self.first_homes.push(self.homes.len() as u32);
        if pair.sensor || !moves.contains(&Moves::Now) {
            return false;
        }
        for touch in 0..pair.touches.len() as u32 {
            // What nothing moves has none.
            let taken = self.taken[places[0]] | self.taken[places[1]];
            let colour = ((!taken).trailing_zeros() as usize).min(COLOURS);
            if colour < COLOURS {
                for (place, moves) in places.into_iter().zip(moves) {
                    if moves != Moves::Never {
                        self.taken[place] |= 1 << colour;
                    }
                }
            }
            let touches = &mut self.colours[colour].touches;
            self.homes.push(Home { colour: colour as u8, number: touches.len() as u32 });
            touches.push(TouchName { pair: number, touch });
        }
        true
    }

    /// Fills in what the touches are like.
    pub(super) fn fill(
        &mut self,
        bodies: &Bodies,
        pairs: &[NearPair],
        rules: &StepRules,
        threads: usize,
    ) {
        let mut all = Vec::new();
        for (number, Colour { touches, blocks }) in self.colours.iter_mut().enumerate() {
            let used = touches.len().div_ceil(room(number));
            if blocks.len() < used {
                blocks.resize(used, Block::EMPTY);
            }
            all.extend(blocks.iter_mut().zip(touches.chunks(room(number))));
        }
        share(threads, FILL_LEAST, &mut all, |_, blocks| {
            for (block, touches) in blocks {
                block.fill(touches, bodies, pairs, rules);
            }
        });
    }

    /// Hands back what held the touches of a pair.
    pub(super) fn hand_back(&self, number: usize, pair: &mut NearPair) {
        let first = self.first_homes[number] as usize;
        let end = self.first_homes.get(number + 1).map_or(self.homes.len(), |&end| end as usize);
        for (home, touch) in self.homes[first..end].iter().zip(&mut pair.touches) {
            let (block, lane) = home.block_and_lane();
            self.colours[usize::from(home.colour)].blocks[block].hand_back(lane, touch);
        }
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        let of_colour =
            |(number, colour): (usize, &Colour)| colour.touches.len().div_ceil(room(number));
        self.colours.iter().enumerate().map(of_colour).sum()
    }

    /// Every colour, in the order in which they are solved: all blocks of one at the same time, but those of
    /// the last one by one.
    pub(super) fn colours(&mut self) -> impl Iterator<Item = (&mut [Block], bool)> {
        let colours = self.colours.iter_mut().enumerate();
        colours.filter(|(_, colour)| !colour.touches.is_empty()).map(|(number, colour)| {
            let used = colour.touches.len().div_ceil(room(number));
            (&mut colour.blocks[..used], number < COLOURS)
        })
    }
}
