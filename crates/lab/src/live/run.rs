//! One world, moved and searched frame by frame.

use super::advice::{Advice, advice};
use super::inspection::Inspection;
use super::limits::Problems;
use super::look::{cells_seen, partners_seen};
use super::meetings::{Meetings, partners};
use super::now::Now;
use super::parameters::Parameters;
use super::pick::object_at;
use super::search::{Search, search_again};
use super::strikes::{Strike, listen};
use crate::studies::broad::notes::Notes;

/// A world in motion, and a technique that watches it.
///
/// A frame is [`advance`](Self::advance), [`detect`](Self::detect), [`settle`](Self::settle), in this
/// order; numbers are those of the last frame that settled. The first frame, number 0, is the world as it
/// begins: it is searched like every other, and counts towards no sum.
///
/// ```
/// use embate_lab::live::Run;
///
/// let mut run = Run::new(
///     r#"{"width":960,"height":540,"objects":600,"bounds":"aabb","minSize":6,"maxSize":16,
///         "minSpeed":20,"maxSpeed":80,"technique":"auto","cellSize":0,"seed":1}"#,
/// )?;
/// for _ in 0..3 {
///     run.advance();
///     run.detect();
///     run.settle();
/// }
/// assert_eq!((run.frame(), run.sums().frames), (3, 3));
/// assert!(run.pairs() > 0 && run.missed() == 0);
/// # Ok::<(), embate_lab::live::Problems>(())
/// ```
#[derive(Debug)]
pub struct Run {
    parameters: Parameters,
    now: Now,
    search: Search,
    meetings: Meetings,
    frame: u64,
    phase: Phase,
    /// Of this frame alone.
    notes: Notes,
    sums: Sums,
    strikes: Vec<Strike>,
    /// Of the last look.
    cells: Vec<[f32; 4]>,
}

/// Totals over the frames since the start, or since the technique was changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Frames that settled.
    pub frames: u64,
    /// Pairs of objects tested against each other.
    pub tests: u64,
    /// Places in cells, tiles or nodes that held an object; 0 where a technique has none.
    pub places: u64,
    /// Overlapping pairs told.
    pub pairs: u64,
    /// Overlapping pairs not told.
    pub missed: u64,
}

/// How far the frame has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Moved,
    Detected,
    Settled,
}

impl Run {
    /// The world of these parameters, given as [JSON](Parameters::read), before its first frame.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn new(json: &str) -> Result<Self, Problems> {
        Parameters::read(json).map(Self::of)
    }

    fn of(parameters: Parameters) -> Self {
        let now = Now::new(&parameters);
        let mut run = Self {
            search: Search::new(&parameters, &now),
            parameters,
            now,
            meetings: Meetings::default(),
            frame: 0,
            phase: Phase::Moved,
            notes: Notes::default(),
            sums: Sums::default(),
            strikes: Vec::new(),
            cells: Vec::new(),
        };
        run.look_once();
        run
    }

    /// The same world goes on with another technique; sums begin anew. A cell size of 0 lets the technique
    /// choose.
    ///
    /// # Errors
    /// Everything that is wrong with it; the run is then as before.
    pub fn change(&mut self, technique: &str, cell_size: f64) -> Result<(), Problems> {
        self.parameters = self.parameters.with_technique(technique, cell_size)?;
        self.search = Search::new(&self.parameters, &self.now);
        self.sums = Sums::default();
        self.now.forget_before();
        self.meetings.begin_anew();
        self.look_once();
        Ok(())
    }

    /// Before a technique counts it sees the world once, as in a study: what reserves memory or learns from
    /// the frame before is then as it is in every later frame.
    fn look_once(&mut self) {
        self.detect();
        self.finish(true);
    }

    /// Moves everything by one frame, 1/60 s.
    pub fn advance(&mut self) {
        self.now.step(self.phase != Phase::Moved);
        self.frame += 1;
        self.phase = Phase::Moved;
        self.meetings.turn();
    }

    /// Finds the pairs: exactly what a study times.
    pub fn detect(&mut self) {
        self.meetings.told.clear();
        self.notes = Notes::default();
        let notes = self.search.watched.is_none().then_some(&mut self.notes);
        self.search.timed.find(&self.now.frame(), &mut self.meetings.told, notes);
        self.phase = Phase::Detected;
    }

    /// Counts what the search did, looks for pairs that it missed, and adds to the sums. Does nothing
    /// unless pairs were found since the last time.
    pub fn settle(&mut self) {
        if self.phase == Phase::Detected {
            self.finish(false);
            self.sums.frames += 1;
            self.sums.tests += self.tests();
            self.sums.places += self.notes.counts.cell_entries;
            self.sums.pairs += self.meetings.told.len() as u64;
            self.sums.missed += self.meetings.missed.len() as u64;
        }
    }

    fn finish(&mut self, is_first: bool) {
        let Self { search, meetings, now, .. } = self;
        let frame = now.frame();
        // What the others find is of no use here, but its memory is.
        if let Some(watched) = &mut search.watched {
            meetings.truth.clear();
            watched.find(&frame, &mut meetings.truth, Some(&mut self.notes));
        }
        if let Some(judge) = &mut search.judge {
            meetings.truth.clear();
            judge.find(&frame, &mut meetings.truth, None);
        }
        meetings.settle(&now.drawn, search.judge.is_some(), is_first);
        if is_first {
            self.strikes.clear();
        } else {
            listen(now, &meetings.begun, &mut self.strikes);
        }
        self.phase = Phase::Settled;
    }

    /// Frames since the start.
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// How many objects there are.
    #[must_use]
    pub fn objects(&self) -> u32 {
        self.parameters.objects
    }

    /// Pairs tested against each other in this frame.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.notes.counts.overlap_tests
    }

    /// Overlapping pairs that the technique found.
    #[must_use]
    pub fn pairs(&self) -> u32 {
        self.meetings.told.len() as u32
    }

    /// Overlapping pairs that it did not find, as another technique says; 0 where none [says
    /// so](Self::is_judged).
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.meetings.missed.len() as u32
    }

    /// Whether another technique looks for pairs that this one missed: always, but for the sweep of more than
    /// 10,000 objects, which is faster than whoever could.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.search.judge.is_some()
    }

    /// Objects with at least one partner that the technique found.
    #[must_use]
    pub fn touching(&self) -> u32 {
        self.meetings.touching
    }

    /// Bytes that the technique holds between frames.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.search.timed.bytes()
    }

    /// Totals since the start, or since the technique was changed.
    #[must_use]
    pub fn sums(&self) -> Sums {
        self.sums
    }

    /// Least corner and size of every object; a circle's size is its diameter, twice.
    #[must_use]
    pub fn drawn(&self) -> &[[[f32; 2]; 2]] {
        &self.now.drawn
    }

    /// A byte for every object: bit 0 if it touches another, bit 1 if it is in a pair that was missed.
    #[must_use]
    pub fn flags(&self) -> &[u8] {
        &self.meetings.flags
    }

    /// Pairs found now and not in the frame before, at most 32, then walls that were met, at most 32: where
    /// from left to right, how large (the edge of a square; of two objects the geometric mean), the impulse
    /// of elastic bodies as heavy as their areas, and 1 for a wall, 0 for a pair.
    #[must_use]
    pub fn strikes(&self) -> &[[f32; 4]] {
        &self.strikes
    }

    /// Which technique suits this world as it is now, and why.
    #[must_use]
    pub fn advice(&self) -> Advice {
        advice(&self.now.boxes(), if self.parameters.max_speed > 0.0 { 1.0 } else { 0.0 })
    }

    /// Searches once more and notes the cells, tiles or nodes that are looked into; nothing else changes.
    pub fn look(&mut self) {
        self.cells.clear();
        if self.parameters.technique == self.parameters.technique.own_brute_force() {
            // It has no cells, and would take longer than all others to say so.
            return;
        }
        let Parameters { width, height, .. } = self.parameters;
        self.cells =
            cells_seen(&search_again(&self.parameters, &self.now, None).0, [width, height]);
    }

    /// The cells of the last [`look`](Self::look), as far as they lie in the world: least and greatest
    /// corner of each, at most 20,000.
    #[must_use]
    pub fn cells(&self) -> &[[f32; 4]] {
        &self.cells
    }

    /// What the search did with one object, told by searching once more; `None` if there is no such object.
    #[must_use]
    pub fn inspect(&self, object: u32) -> Option<Inspection> {
        let [[x, y], size] = *self.now.drawn.get(object as usize)?;
        let (sight, _) = search_again(&self.parameters, &self.now, Some(object));
        let (tested_others, tested) = partners_seen(&sight, self.objects());
        Some(Inspection {
            object,
            bounds: [x, y, size[0], size[1]],
            cells: cells_seen(&sight, [self.parameters.width, self.parameters.height]),
            tested,
            tested_others,
            tested_count: sight.tested.len() as u64,
            touching: partners(&self.meetings.told, object),
            missed: partners(&self.meetings.missed, object),
        })
    }

    /// The smallest object under a point, or else the nearest within `reach`.
    #[must_use]
    pub fn object_at(&self, point: [f32; 2], reach: f32) -> Option<u32> {
        object_at(&self.now.drawn, self.parameters.bounds, point, reach)
    }
}

#[cfg(test)]
mod tests {
    use embate::broad_phase::BroadPhaseKind;

    use super::*;
    use crate::live::catalogue::FIRST_SCENE;
    use crate::live::techniques;
    use crate::scenes::Bounds;
    use embate_studies::structure::PairStructure;

    fn go_on(run: &mut Run, frames: u32) {
        for _ in 0..frames {
            run.advance();
            run.detect();
            run.settle();
        }
    }

    fn first_scene(technique: PairStructure) -> Run {
        Run::of(Parameters { technique, ..FIRST_SCENE })
    }

    fn bits(run: &Run) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let numbers = run.drawn().iter().flatten().flatten();
        numbers.for_each(|number| hasher.update(&number.to_le_bytes()));
        hasher.update(run.flags());
        hasher.finalize()
    }

    /// If these numbers change, every link that people have shared shows another scene.
    #[test]
    fn the_first_scene_is_the_same_for_ever() {
        let mut run = Run::of(FIRST_SCENE);
        assert_eq!(
            (run.frame(), run.pairs(), run.touching(), bits(&run)),
            (0, 154, 237, 4_288_794_221)
        );
        go_on(&mut run, 500);
        let Sums { frames, pairs, missed, .. } = run.sums();
        assert_eq!((frames, pairs, missed, bits(&run)), (500, 83_760, 0, 1_198_270_463));
    }

    #[test]
    fn the_start_is_searched_and_counts_towards_no_sum() {
        let mut run = Run::of(FIRST_SCENE);
        assert!(run.pairs() > 0 && run.tests() > 0);
        assert_eq!(run.sums(), Sums::default());
        assert!(run.strikes().is_empty(), "what was always there did not begin");
        run.settle();
        assert_eq!(run.sums(), Sums::default(), "nothing was detected since");
        go_on(&mut run, 1);
        run.settle();
        assert_eq!(run.sums().frames, 1);
        assert_eq!((run.sums().tests, run.sums().pairs), (run.tests(), run.pairs().into()));
    }

    #[test]
    fn another_technique_goes_on_with_the_same_world() {
        let mut changed = first_scene(PairStructure::GoncalesGrid);
        let mut unchanged = first_scene(PairStructure::Engine(BroadPhaseKind::Bvh));
        for technique in techniques::all() {
            go_on(&mut changed, 3);
            go_on(&mut unchanged, 3);
            changed.change(technique.name(), 24.0).unwrap();
            assert_eq!(changed.sums(), Sums::default());
            assert_eq!(changed.frame(), unchanged.frame());
            assert_eq!(bits(&changed), bits(&unchanged), "{}", technique.name());
            assert!(changed.strikes().is_empty());
        }
    }

    #[test]
    fn a_change_that_is_refused_changes_nothing() {
        let mut run = Run::of(FIRST_SCENE);
        go_on(&mut run, 2);
        let before = (bits(&run), run.sums(), run.tests());
        for (technique, cell_size) in
            [("magic", 24.0), ("study-grid", 0.0), ("grid", f64::NAN), ("study-grid", 961.0)]
        {
            assert_eq!(run.change(technique, cell_size).unwrap_err().problems.len(), 1);
            assert_eq!((bits(&run), run.sums(), run.tests()), before);
        }
    }

    #[test]
    fn cells_that_are_too_small_for_the_study_show_what_it_misses() {
        let small =
            Parameters { cell_size: 4.0, technique: PairStructure::GoncalesGrid, ..FIRST_SCENE };
        let mut run = Run::of(small);
        let mut judge = first_scene(PairStructure::REFERENCE);
        go_on(&mut run, 5);
        go_on(&mut judge, 5);
        assert!(run.missed() > 0);
        assert_eq!(run.pairs() + run.missed(), judge.pairs());
        let marked = run.flags().iter().filter(|flags| **flags & 2 > 0).count();
        assert!(marked > 0 && marked <= 2 * run.missed() as usize);
    }

    /// Of every technique, at a start, later, and after a change; boxes and circles; few and many.
    #[test]
    fn looking_sees_the_search_that_was_counted_and_changes_nothing() {
        let every = techniques::all().into_iter();
        for (technique, bounds) in every.flat_map(|one| Bounds::ALL.map(|bounds| (one, bounds))) {
            for objects in [3, 60, 400] {
                let parameters = Parameters { objects, bounds, technique, ..FIRST_SCENE };
                let mut run = Run::of(parameters);
                for frames in [0, 1, 7, 0] {
                    go_on(&mut run, frames);
                    let before = (bits(&run), run.sums(), run.tests());
                    run.look();
                    let what = format!("{} {bounds:?} {objects}", technique.name());
                    let (_, counts) = search_again(&run.parameters, &run.now, None);
                    assert_eq!(counts.overlap_tests, run.tests(), "{what}");
                    if objects == 60 {
                        let seen = (0..objects).filter_map(|id| run.inspect(id));
                        let told: u64 = seen.map(|seen| seen.tested_count).sum();
                        assert_eq!(told, 2 * run.tests(), "{what}: each test has two partners");
                    }
                    assert_eq!((bits(&run), run.sums(), run.tests()), before);
                    assert!(run.cells().iter().all(|[left, top, right, bottom]| {
                        0.0 <= *left && left < right && *right <= 960.0 && top < bottom
                    }));
                    if frames == 7 {
                        run.change(technique.name(), 24.0).unwrap();
                    }
                }
            }
        }
    }

    /// Whoever touches was tested, and whoever is missed was not.
    #[test]
    fn an_inspection_says_why_a_pair_was_found_or_missed() {
        let small =
            Parameters { cell_size: 4.0, technique: PairStructure::GoncalesGrid, ..FIRST_SCENE };
        let run = Run::of(small);
        let (mut touching, mut missed) = (0, 0);
        for object in 0..run.objects() {
            let seen = run.inspect(object).unwrap();
            assert!(!seen.cells.is_empty() && seen.cells.len() <= 4, "one to four key cells");
            assert!(seen.touching.iter().all(|partner| seen.tested.contains(partner)));
            assert!(seen.missed.iter().all(|partner| !seen.tested.contains(partner)));
            touching += seen.touching.len() as u32;
            missed += seen.missed.len() as u32;
        }
        assert_eq!((touching, missed), (2 * run.pairs(), 2 * run.missed()));
        assert_eq!(run.inspect(run.objects()), None);
    }

    /// With many objects a judge of the fastest technique would cost more than the frame.
    #[test]
    fn every_technique_is_judged_but_the_sweep_of_very_many() {
        let most = Parameters { width: 9_000.0, height: 9_000.0, objects: 10_000, ..FIRST_SCENE };
        for technique in techniques::all() {
            assert!(first_scene(technique).is_judged(), "{}", technique.name());
        }
        assert!(Run::of(most).is_judged());
        let mut run = Run::of(Parameters { objects: 10_001, ..most });
        assert!(!run.is_judged());
        run.change("tree", 0.0).unwrap();
        assert!(run.is_judged());
    }

    #[test]
    fn techniques_with_cells_show_them() {
        for technique in techniques::all() {
            let mut run = first_scene(technique);
            run.look();
            let is_brute = technique == technique.own_brute_force();
            assert_eq!(run.cells().is_empty(), is_brute, "{}", technique.name());
            if !is_brute {
                assert!((0..600).all(|id| !run.inspect(id).unwrap().cells.is_empty()));
            }
        }
        let mut run = first_scene(PairStructure::GoncalesGrid);
        run.look();
        // All of them, empty or not: 40 columns and 23 rows of 24.
        assert_eq!(run.cells().len(), 40 * 23);
    }

    /// Tiny and huge worlds, objects as large as the world or as small as can be, speeds that cross it
    /// many times in a frame: all techniques find the same pairs, and none fails.
    #[test]
    fn worlds_at_the_limits_are_searched_alike_by_all() {
        for (side, size, objects, speed, cell_size) in [
            (10.0, [10.0, 10.0], 40, [100_000.0; 2], 10.0),
            (10.0, [0.1, 10.0], 300, [0.0, 100_000.0], 0.1),
            (100_000.0, [0.1, 0.1], 300, [0.0; 2], 100_000.0),
            (100_000.0, [0.1, 100_000.0], 300, [0.0, 100_000.0], 110.0),
            (960.0, [6.0, 16.0], 1, [20.0, 80.0], 1.0),
        ] {
            for bounds in Bounds::ALL {
                let of = |technique: PairStructure| {
                    let mut run = Run::of(Parameters {
                        width: side,
                        height: side,
                        objects,
                        bounds,
                        min_size: size[0],
                        max_size: size[1],
                        min_speed: speed[0],
                        max_speed: speed[1],
                        technique,
                        cell_size,
                        seed: 3,
                    });
                    go_on(&mut run, 3);
                    run.look();
                    assert!(run.inspect(0).is_some());
                    run
                };
                let judge = of(PairStructure::REFERENCE);
                for technique in techniques::all() {
                    let run = of(technique);
                    let found = (run.pairs() + run.missed(), run.sums().pairs + run.sums().missed);
                    let name = technique.name();
                    assert_eq!(
                        found,
                        (judge.pairs(), judge.sums().pairs),
                        "{name} {side} {size:?}"
                    );
                    assert!(
                        technique == PairStructure::GoncalesGrid || run.missed() == 0,
                        "{name}"
                    );
                }
            }
        }
    }

    #[test]
    fn pairs_that_begin_and_walls_that_are_met_are_told_to_the_ear() {
        let mut run = Run::of(FIRST_SCENE);
        let mut strikes = [0, 0];
        for _ in 0..60 {
            go_on(&mut run, 1);
            for &[x, size, impulse, wall] in run.strikes() {
                assert!((0.0..=960.0).contains(&x) && (6.0..=16.0).contains(&size));
                // The heaviest, as fast as can be against a wall.
                assert!(0.0 < impulse && impulse <= 2.0 * 16.0 * 16.0 * 80.1);
                strikes[wall as usize] += 1;
            }
        }
        assert!(strikes.iter().all(|count| *count > 10), "{strikes:?} in a second");
    }
}
