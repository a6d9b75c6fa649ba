//! Where does a run that was killed go on, without computing again what it had recorded?
//!
//! ```text
//! embate state 2\n
//! 5d41402a\n             CRC-32 of the scene and its meshes
//! {"steps":…}\n          what was counted on the way
//! …                      the world, as bytes
//! 1c291ca3               CRC-32 of all before it
//! ```
//!
//! Beside a recording `FILE` lies `FILE.state` while the run lasts. It only spares time: one that is missing,
//! damaged or of another run is passed over, and the steps are computed again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Simulation, Sums};
use crate::run_folder::write_atomically;
use crate::scene_world::SceneSnapshot;

/// Every version begins so.
const KIND: &[u8] = b"embate state ";
const HEADER: &[u8] = b"embate state 2\n";
const CHECKSUM_BYTES: usize = 8;

/// A run as it was kept.
#[derive(Debug)]
pub(super) struct Kept {
    sums: Sums,
    snapshot: SceneSnapshot,
}

impl Kept {
    /// Where the state beside a recording lies.
    pub(super) fn beside(recording: &Path) -> PathBuf {
        let mut name = recording.as_os_str().to_owned();
        name.push(".state");
        name.into()
    }

    /// Whether something of somebody else's lies there, which is not ours to write over or to remove.
    pub(super) fn is_foreign(path: &Path) -> bool {
        let Ok(metadata) = path.symlink_metadata() else { return false };
        let begins_as_ours = || {
            let mut begin = Vec::new();
            let file = File::open(path)?;
            file.take(KIND.len() as u64).read_to_end(&mut begin)?;
            io::Result::Ok(begin == KIND)
        };
        !metadata.is_file() || !begins_as_ours().unwrap_or(false)
    }

    /// Keeps a run of the scene with this CRC. That it could not be kept is no reason to stop it.
    pub(super) fn write(run: &Simulation<'_>, scene: u32, path: &Path) {
        let Ok(sums) = serde_json::to_vec(&run.sums) else { return };
        let world = run.world.snapshot().to_bytes();
        let mut bytes = [HEADER, scene_line(scene).as_bytes(), &sums, b"\n", &world].concat();
        bytes.extend_from_slice(checksum(&bytes).as_bytes());
        let _ = write_atomically(path, &bytes);
    }

    /// Reads one, if it is there, whole and of this scene. Its hash alone would not tell: until something touches, a
    /// world of another friction has the same.
    pub(super) fn read(path: &Path, scene: u32, most_bytes: u64) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > most_bytes {
            return None;
        }
        let bytes = fs::read(path).ok()?;
        let (content, written) =
            bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
        if written != checksum(content).as_bytes() {
            return None;
        }
        let rest = content.strip_prefix(HEADER)?.strip_prefix(scene_line(scene).as_bytes())?;
        let line = rest.iter().position(|&byte| byte == b'\n')?;
        let sums = serde_json::from_slice(&rest[..line]).ok()?;
        let snapshot = SceneSnapshot::from_bytes(&rest[line + 1..]).ok()?;
        Some(Self { sums, snapshot })
    }

    /// How many steps it had gone.
    pub(super) fn steps(&self) -> u32 {
        self.sums.steps
    }

    /// Lets a run at its beginning go on from here, if its state then is what was recorded.
    pub(super) fn give_to(&self, run: &mut Simulation<'_>, recorded: u64) -> bool {
        let (before, beginning) = (run.sums, run.world.snapshot());
        run.take_up(self.sums, &self.snapshot);
        let fits = run.world.state_hash() == recorded;
        if !fits {
            run.take_up(before, &beginning);
        }
        fits
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crate::checksum::hash(bytes))
}

fn scene_line(scene: u32) -> String {
    format!("{scene:08x}\n")
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::scene_file::{Scene, SceneSource, read_scene};
    use crate::simulation::recording::Opening;
    use crate::simulation::{Outcome, Recording};

    fn pile() -> Scene {
        falling(-9.81)
    }

    fn falling(gravity: f32) -> Scene {
        let text = r#"{"gravity":[0,GRAVITY,0],"bodies":[{"shape":{"halfspace":{"normal":[0,1,0]}},"static":true},
            {"shape":{"cube":{"half":0.5}},"mass":1,"position":[0,0.6,0]},
            {"shape":{"sphere":{"radius":0.4}},"mass":2,"position":[0.1,2,0],"velocity":[0.3,0,0]}]}"#;
        scene(&text.replace("GRAVITY", &gravity.to_string()))
    }

    fn scene(text: &str) -> Scene {
        let source = SceneSource::text("pile");
        read_scene(text, &source).unwrap()
    }

    /// A ball that has a long way to fall.
    fn ball(friction: f32) -> Scene {
        let text = r#"{"bodies":[{"shape":{"halfspace":{"normal":[0,1,0]}},"static":true},
            {"shape":{"sphere":{"radius":0.4}},"mass":2,"position":[0,50,0],"friction":FRICTION}]}"#;
        scene(&text.replace("FRICTION", &friction.to_string()))
    }

    /// Goes on with a recording; tells how many steps it was spared, and how it ended.
    fn sitting(scene: &Scene, path: &Path, steps: u32) -> (u32, Outcome) {
        let mut recording = Recording::open(path, "pile", scene).unwrap();
        let mut run = Simulation::new(scene);
        recording.take_up(&mut run, steps);
        let spared = run.steps();
        while run.steps() < steps {
            let hash = run.step();
            recording.note(&run, hash).unwrap();
        }
        recording.finish().unwrap();
        (spared, run.outcome())
    }

    /// A run that is killed after 70 steps, its state kept after 50.
    fn killed(scene: &Scene, path: &Path) {
        let mut recording = Recording::open(path, "pile", scene).unwrap();
        let mut run = Simulation::new(scene);
        for step in 1..=70 {
            let hash = run.step();
            recording.note(&run, hash).unwrap();
            if step == 50 {
                recording.keep(&run).unwrap();
            }
        }
    }

    #[test]
    fn a_run_that_was_killed_goes_on_from_its_state_and_ends_as_if_nothing_had_happened() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let (whole, path) = (folder.path().join("whole"), folder.path().join("killed"));
        let (spared, expected) = sitting(&scene, &whole, 200);
        assert_eq!(spared, 0);
        killed(&scene, &path);
        assert!(Kept::beside(&path).exists());
        assert_eq!(sitting(&scene, &path, 200), (50, expected));
        assert!(!Kept::beside(&path).exists(), "a finished run needs no state");
    }

    #[test]
    fn a_state_that_is_damaged_or_beyond_what_is_asked_is_passed_over() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let (whole, path) = (folder.path().join("whole"), folder.path().join("killed"));
        let (_, expected) = sitting(&scene, &whole, 40);
        killed(&scene, &path);
        let state = fs::read(Kept::beside(&path)).unwrap();
        for at in (0..state.len()).step_by(97) {
            let mut damaged = state.clone();
            damaged[at] ^= 4;
            fs::write(Kept::beside(&path), &damaged).unwrap();
            let scene = Opening::new("pile", &scene).checksum();
            assert!(Kept::read(&Kept::beside(&path), scene, 1 << 20).is_none(), "byte {at}");
        }
        fs::write(Kept::beside(&path), &state).unwrap();
        assert_eq!(sitting(&scene, &path, 40), (0, expected));
    }

    /// While both fall, their hashes are the same: the old world, of the old friction, was taken up and recorded under
    /// the new scene.
    #[test]
    fn a_state_of_a_scene_of_another_friction_is_passed_over() {
        let (folder, rough, smooth) = (TempDir::new().unwrap(), ball(0.9), ball(0.1));
        let path = folder.path().join("falls");
        killed(&rough, &path);
        let state = fs::read(Kept::beside(&path)).unwrap();
        fs::remove_file(&path).unwrap();
        killed(&smooth, &path);
        fs::write(Kept::beside(&path), &state).unwrap();
        assert_eq!(sitting(&smooth, &path, 80).0, 0);
    }

    #[test]
    fn a_recording_that_begins_anew_has_no_state_of_an_earlier_one() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let path = folder.path().join("again");
        killed(&scene, &path);
        fs::remove_file(&path).unwrap();
        assert!(Kept::beside(&path).exists());
        drop(Recording::open(&path, "pile", &scene).unwrap());
        assert!(!Kept::beside(&path).exists());
    }

    /// Whoever recorded into `foo` lost a file of their own that was called `foo.state`.
    #[test]
    fn a_file_of_somebody_else_that_has_the_name_of_the_state_is_left_alone() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let path = folder.path().join("foo");
        let theirs = Kept::beside(&path);
        for content in ["precious", "", "embate stat"] {
            fs::write(&theirs, content).unwrap();
            let error = Recording::open(&path, "pile", &scene).unwrap_err();
            assert!(error.is_misuse(), "{error}");
            assert!(error.to_string().contains("foo.state"), "{error}");
            assert_eq!(fs::read_to_string(&theirs).unwrap(), content);
            assert!(!path.exists(), "nothing was begun");
        }
    }

    #[test]
    fn a_state_of_another_run_is_passed_over() {
        let (folder, scene, faster) = (TempDir::new().unwrap(), pile(), falling(-20.0));
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        killed(&scene, &one);
        let mut recording = Recording::open(&other, "pile", &faster).unwrap();
        let mut run = Simulation::new(&faster);
        for _ in 0..60 {
            let hash = run.step();
            recording.note(&run, hash).unwrap();
        }
        drop(recording);
        fs::copy(Kept::beside(&one), Kept::beside(&other)).unwrap();
        assert_eq!(sitting(&faster, &other, 60).0, 0);
    }
}
