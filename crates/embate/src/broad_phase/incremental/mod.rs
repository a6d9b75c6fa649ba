//! Who is near whom in a world that lives on: things are added, moved, removed; pairs begin and end.
//!
//! ```text
//!            move_to, add                        has not moved for a while
//!   ┌──────────────────────────► in motion ────────────────────────────────┐
//!   │                              │                                       ▼
//!  at rest: kept in order          │ each update: in motion × in motion    all that rest are
//!  (resting.rs), with the          └─►            in motion × at rest      laid down anew
//!  pairs among them known                         at rest × at rest: known
//! ```
//!
//! So an update costs mostly what moves, little what is there.

use embate_geom::Aabb;

use super::changes::difference;
use super::queries::Queries;
use super::resting::Resting;
use super::{Boxes, InvalidBox, Pair, PairFinder, PairSorter, TiledSweep, Tree};

/// If more than this share of the boxes is in motion, all are swept together: measured, that is where
/// keeping the others in order no longer pays.
pub(crate) const ALL_FROM: f32 = 0.4;

/// Names a box of a [`World`]. After its removal the name may be given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxId(pub u32);

/// Why a world does not do what it is told.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum WorldError {
    /// The box is not finite, too far away, or upside down.
    #[error(transparent)]
    Invalid(#[from] InvalidBox),
    /// No box has this name, or no longer.
    #[error("there is no box {}: it was never added, or was removed", .0.0)]
    Unknown(BoxId),
}

/// Boxes that live from frame to frame.
///
/// ```
/// use embate::{Aabb, pairs::World};
///
/// let mut world = World::new();
/// let floor = world.add(Aabb { min: [0.0, 0.0], max: [9.0, 1.0] })?;
/// let ball = world.add(Aabb { min: [4.0, 3.0], max: [5.0, 4.0] })?;
/// assert!(world.update().begun.is_empty());
///
/// world.move_to(ball, Aabb { min: [4.0, 0.5], max: [5.0, 1.5] })?;
/// assert_eq!(world.update().begun, [[floor.0, ball.0]]);
///
/// world.remove(floor)?;
/// assert_eq!(world.update().ended, [[floor.0, ball.0]]);
/// # Ok::<(), embate::pairs::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct World<const D: usize> {
    boxes: Vec<Aabb<D>>,
    states: Vec<State>,
    /// Names that may be given again; and those of boxes removed since the last update.
    free: Vec<u32>,
    removed: Vec<u32>,
    /// Every box in motion, and of them, how many were added or moved since the last update.
    movers: Vec<u32>,
    moved: usize,
    resting: Resting<D>,
    /// Pairs of two boxes at rest, and pairs with one in motion; each list sorted.
    resting_pairs: Vec<Pair>,
    moving_pairs: Vec<Pair>,
    /// Was a box at rest moved or removed since the last update?
    disturbed: bool,
    /// How often a box in motion had not moved, since the others were laid to rest.
    wasted: usize,
    sweep: TiledSweep<D>,
    sorter: PairSorter,
    /// The movers' boxes, side by side.
    gathered: Vec<Aabb<D>>,
    begun: Vec<Pair>,
    ended: Vec<Pair>,
    queries: Queries<D>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Free,
    Resting,
    /// Counts as in motion, but did not move since the last update.
    Idle,
    /// Was added or moved since the last update.
    Moved,
}

/// What one update changed. Both lists are sorted.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    /// Pairs that overlap now and did not before.
    pub begun: &'a [Pair],
    /// Pairs that did and no longer do, or of which a box was removed.
    pub ended: &'a [Pair],
}

impl<const D: usize> Default for World<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> World<D> {
    /// Empty; uses every thread where more than one pays.
    #[must_use]
    pub fn new() -> Self {
        Self::with_threads(rayon::current_num_threads())
    }

    /// Empty; uses at most so many threads.
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        Self {
            boxes: Vec::new(),
            states: Vec::new(),
            free: Vec::new(),
            removed: Vec::new(),
            movers: Vec::new(),
            moved: 0,
            resting: Resting::new(),
            resting_pairs: Vec::new(),
            moving_pairs: Vec::new(),
            disturbed: false,
            wasted: 0,
            sweep: TiledSweep::with_threads(threads),
            sorter: PairSorter::default(),
            gathered: Vec::new(),
            begun: Vec::new(),
            ended: Vec::new(),
            queries: Queries::new(),
        }
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len() - self.free.len() - self.removed.len()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a box is; `None` if there is no such box.
    #[must_use]
    pub fn get(&self, id: BoxId) -> Option<&Aabb<D>> {
        let state = *self.states.get(id.0 as usize)?;
        (state != State::Free).then(|| &self.boxes[id.0 as usize])
    }

    /// Every box, by name.
    pub fn iter(&self) -> impl Iterator<Item = (BoxId, &Aabb<D>)> {
        let live = (0..).zip(&self.boxes).zip(&self.states);
        live.filter(|(_, state)| **state != State::Free)
            .map(|((id, bounds), _)| (BoxId(id), bounds))
    }

    /// A new box. Its pairs begin with the next [`update`](Self::update).
    ///
    /// # Errors
    /// If the box is not finite, too far away, or upside down; the world is as before.
    pub fn add(&mut self, bounds: Aabb<D>) -> Result<BoxId, WorldError> {
        let id = self.free.last().copied().unwrap_or(self.boxes.len() as u32);
        Boxes::check(id, &bounds)?;
        if self.free.pop().is_none() {
            self.boxes.push(bounds);
            self.states.push(State::Free);
        }
        self.boxes[id as usize] = bounds;
        self.states[id as usize] = State::Moved;
        self.movers.push(id);
        self.moved += 1;
        self.queries.note(id);
        Ok(BoxId(id))
    }

    /// Puts a box elsewhere, or gives it another size.
    ///
    /// # Errors
    /// If there is no such box, or if it would not be valid; the world is as before.
    pub fn move_to(&mut self, id: BoxId, bounds: Aabb<D>) -> Result<(), WorldError> {
        let place = id.0 as usize;
        let state = self.states.get(place).copied().unwrap_or(State::Free);
        if state == State::Free {
            return Err(WorldError::Unknown(id));
        }
        Boxes::check(id.0, &bounds)?;
        if state == State::Resting {
            self.resting.wake(id.0, &self.boxes[place]);
            self.movers.push(id.0);
            self.disturbed = true;
        }
        if state != State::Moved {
            self.states[place] = State::Moved;
            self.moved += 1;
        }
        self.boxes[place] = bounds;
        self.queries.note(id.0);
        Ok(())
    }

    /// Takes a box away. Its pairs end with the next [`update`](Self::update).
    ///
    /// # Errors
    /// If there is no such box.
    pub fn remove(&mut self, id: BoxId) -> Result<(), WorldError> {
        let place = id.0 as usize;
        match self.states.get(place) {
            None | Some(State::Free) => return Err(WorldError::Unknown(id)),
            Some(State::Resting) => {
                self.resting.wake(id.0, &self.boxes[place]);
                self.disturbed = true;
            }
            Some(State::Moved) => self.moved -= 1,
            Some(State::Idle) => {}
        }
        self.states[place] = State::Free;
        // Its name rests until the update has told that its pairs ended.
        self.removed.push(id.0);
        self.queries.note(id.0);
        Ok(())
    }

    /// Finds out which pairs began and ended since the last update.
    pub fn update(&mut self) -> Changes<'_> {
        self.gather_disturbed_pairs();
        let states = &self.states;
        self.movers.retain(|&id| states[id as usize] != State::Free);
        if self.movers.len() > self.too_many() && self.movers.len() < self.len() {
            self.wake_all();
        }
        let before = core::mem::take(&mut self.moving_pairs);
        self.moving_pairs = self.pairs_in_motion();
        difference(&before, &self.moving_pairs, &mut self.begun, &mut self.ended);
        // The first frame begins all pairs there are; later ones few.
        for changes in [&mut self.begun, &mut self.ended] {
            changes.shrink_to(2 * changes.len());
        }
        self.free.append(&mut self.removed);

        self.wasted += self.movers.len() - self.moved;
        if self.wasted > self.len() && self.moved <= self.too_many() {
            self.lay_to_rest();
        }
        for &id in &self.movers {
            self.states[id as usize] = State::Idle;
        }
        self.moved = 0;
        Changes { begun: &self.begun, ended: &self.ended }
    }

    /// Every pair as of the last update: first those at rest, then those with a box in motion, each part
    /// sorted.
    pub fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.pairs_by_motion().into_iter().flatten().copied()
    }

    /// The same, the two parts apart.
    #[must_use]
    pub fn pairs_by_motion(&self) -> [&[Pair]; 2] {
        [&self.resting_pairs, &self.moving_pairs]
    }

    /// All boxes as they are now, in a tree that answers queries by their names: what overlaps this box
    /// or ball, what does this ray meet, what is nearest, what is in view. Made when first asked for, and
    /// from then on kept up with what changes.
    ///
    /// ```
    /// use embate::{Aabb, Ball, pairs::World};
    ///
    /// let mut world = World::new();
    /// let near = world.add(Aabb { min: [0.0, 0.0], max: [1.0, 1.0] })?;
    /// world.add(Aabb { min: [9.0, 9.0], max: [10.0, 10.0] })?;
    /// let mut found = Vec::new();
    /// world.tree().overlapping_ball(&Ball { center: [2.0, 0.5], radius: 1.5 }, &mut found);
    /// assert_eq!(found, [near.0]);
    /// # Ok::<(), embate::pairs::WorldError>(())
    /// ```
    pub fn tree(&mut self) -> &Tree<D> {
        let states = &self.states;
        let lives = |id: u32| states[id as usize] != State::Free;
        self.queries.tree(&self.boxes, lives)
    }

    /// Bytes held beside the boxes and their pairs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let ids = self.free.capacity() + self.removed.capacity() + self.movers.capacity();
        self.states.capacity() * size_of::<State>()
            + ids * size_of::<u32>()
            + self.gathered.capacity() * size_of::<Aabb<D>>()
            + (self.begun.capacity() + self.ended.capacity()) * size_of::<Pair>()
            + self.resting.bytes()
            + self.sorter.bytes()
            + self.queries.bytes()
            + self.sweep.bytes()
    }

    fn too_many(&self) -> usize {
        (self.len() as f32 * ALL_FROM) as usize
    }

    /// A pair at rest stays one only while both of its boxes do.
    fn gather_disturbed_pairs(&mut self) {
        if !core::mem::take(&mut self.disturbed) {
            return;
        }
        let (states, moving_pairs) = (&self.states, &mut self.moving_pairs);
        self.resting_pairs.retain(|pair| {
            let rests = pair.iter().all(|&id| states[id as usize] == State::Resting);
            if !rests {
                moving_pairs.push(*pair);
            }
            rests
        });
        self.sorter.sort(moving_pairs, self.boxes.len() as u32);
    }

    fn wake_all(&mut self) {
        self.resting.settle(&self.boxes, Vec::new());
        self.movers.clear();
        for (id, state) in (0..).zip(&mut self.states) {
            if *state == State::Resting {
                *state = State::Idle;
            }
            if *state != State::Free {
                self.movers.push(id);
            }
        }
        self.moving_pairs.append(&mut self.resting_pairs);
        self.sorter.sort(&mut self.moving_pairs, self.boxes.len() as u32);
    }

    /// Sorted.
    fn pairs_in_motion(&mut self) -> Vec<Pair> {
        let mut pairs = Vec::with_capacity(self.moving_pairs.len() + self.movers.len());
        if self.movers.len() == self.boxes.len() {
            self.sweep.find(Boxes::checked(&self.boxes), &mut pairs);
        } else {
            self.gathered.clear();
            self.gathered.extend(self.movers.iter().map(|&id| self.boxes[id as usize]));
            self.sweep.find(Boxes::checked(&self.gathered), &mut pairs);
            for pair in &mut pairs {
                let [a, b] = pair.map(|place| self.movers[place as usize]);
                *pair = [a.min(b), a.max(b)];
            }
            self.resting.meet(&self.boxes, &self.movers, &mut pairs);
        }
        self.sorter.sort(&mut pairs, self.boxes.len() as u32);
        pairs
    }

    /// All that did not move come to rest; their pairs are known.
    fn lay_to_rest(&mut self) {
        self.wasted = 0;
        let states = &mut self.states;
        self.movers.retain(|&id| {
            let moved = states[id as usize] == State::Moved;
            if !moved {
                states[id as usize] = State::Resting;
            }
            moved
        });
        let resting_pairs = &mut self.resting_pairs;
        self.moving_pairs.retain(|pair| {
            let rests = pair.iter().all(|&id| states[id as usize] == State::Resting);
            if rests {
                resting_pairs.push(*pair);
            }
            !rests
        });
        self.sorter.sort(resting_pairs, self.boxes.len() as u32);
        let rests = |id: &u32| self.states[*id as usize] == State::Resting;
        let ids = (0..self.boxes.len() as u32).filter(rests).collect();
        self.resting.settle(&self.boxes, ids);
        // What all of them needed is more than the movers will.
        self.sweep = self.sweep.clone_empty();
        self.sorter = PairSorter::default();
        self.gathered = Vec::new();
        self.movers.shrink_to_fit();
        self.moving_pairs.shrink_to_fit();
    }
}
