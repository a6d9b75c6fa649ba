//! Checkpoint of a recorded run: its state beside the recording, so that a killed run continues
//! without recomputing the recorded steps.
//!
//! ```text
//! embate state 2\n
//! 5d41402a\n             CRC-32 of the scene and its meshes
//! {"steps":…}\n          totals so far
//! …                      the world, as bytes
//! 1c291ca3               CRC-32 of everything before it
//! ```
//!
//! `FILE.state` lies beside a recording `FILE` while the run lasts. It only saves time: a
//! checkpoint that is missing, damaged or of another run is ignored, and the steps are computed
//! again.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Simulation, Totals};
use crate::atomic_file::write_atomically;
use crate::scene_world::SceneSnapshot;

/// Every version begins so.
const KIND: &[u8] = b"embate state ";
const HEADER: &[u8] = b"embate state 2\n";
const CHECKSUM_BYTES: usize = 8;

/// A run as it was kept.
#[derive(Debug)]
pub(super) struct Checkpoint {
    sums: Totals,
    snapshot: SceneSnapshot,
}

impl Checkpoint {
    /// Where the state beside a recording lies.
    pub(super) fn path_for(recording: &Path) -> PathBuf {
        let mut name = recording.as_os_str().to_owned();
        name.push(".state");
        name.into()
    }

    /// Whether a foreign file is there, which must be neither overwritten nor removed.
    pub(super) fn belongs_to_other(path: &Path) -> bool {
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

    /// Reads a checkpoint, if it exists, is complete and belongs to this scene. The state hash alone
    /// does not identify the scene: until bodies touch, a world of another friction has the same.
    pub(super) fn read(path: &Path, scene: u32, max_bytes: u64) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > max_bytes {
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

    /// Continues a run at step 0 from here, if the state then has the recorded hash.
    pub(super) fn restore_into(&self, run: &mut Simulation<'_>, recorded: u64) -> bool {
        let (before, beginning) = (run.sums, run.world.snapshot());
        run.resume(self.sums, &self.snapshot);
        let fits = run.world.state_hash() == recorded;
        if !fits {
            run.resume(before, &beginning);
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
    use crate::simulation::recording::RecordedScene;
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

    /// A ball 50 m above the ground.
    fn ball(friction: f32) -> Scene {
        let text = r#"{"bodies":[{"shape":{"halfspace":{"normal":[0,1,0]}},"static":true},
            {"shape":{"sphere":{"radius":0.4}},"mass":2,"position":[0,50,0],"friction":FRICTION}]}"#;
        scene(&text.replace("FRICTION", &friction.to_string()))
    }

    /// Continues a recording; returns the number of skipped steps and the outcome.
    fn resume_and_finish(scene: &Scene, path: &Path, steps: u32) -> (u32, Outcome) {
        let mut recording = Recording::open(path, "pile", scene).unwrap();
        let mut run = Simulation::new(scene);
        recording.resume(&mut run, steps);
        let skipped = run.steps();
        while run.steps() < steps {
            let hash = run.step();
            recording.record_step(&run, hash).unwrap();
        }
        recording.finish().unwrap();
        (skipped, run.outcome())
    }

    /// Records a run that is killed after 70 steps, with a checkpoint after 50.
    fn record_killed_run(scene: &Scene, path: &Path) {
        let mut recording = Recording::open(path, "pile", scene).unwrap();
        let mut run = Simulation::new(scene);
        for step in 1..=70 {
            let hash = run.step();
            recording.record_step(&run, hash).unwrap();
            if step == 50 {
                recording.write_checkpoint(&run).unwrap();
            }
        }
    }

    #[test]
    fn killed_run_resumes_from_its_checkpoint_with_an_equal_outcome() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let (whole, path) = (folder.path().join("whole"), folder.path().join("killed"));
        let (skipped, expected) = resume_and_finish(&scene, &whole, 200);
        assert_eq!(skipped, 0);
        record_killed_run(&scene, &path);
        assert!(Checkpoint::path_for(&path).exists());
        assert_eq!(resume_and_finish(&scene, &path, 200), (50, expected));
        assert!(!Checkpoint::path_for(&path).exists(), "a finished run needs no state");
    }

    /// Verlet continues from the last position of the bodies, which the checkpoint holds.
    #[test]
    fn killed_run_of_every_integrator_resumes_with_an_equal_outcome() {
        for integrator in ["explicit-euler", "semi-implicit-euler", "verlet", "rk4"] {
            let text = r#"{"solver":"baseline","integrator":"NAME","bodies":[
                {"shape":{"sphere":{"radius":0.4}},"mass":2,"position":[1,2,0]}],
                "forces":[{"body":0,"spring":{"anchor":[0,0,0],"stiffness":9,"damping":0.1}}]}"#;
            let (folder, scene) =
                (TempDir::new().unwrap(), scene(&text.replace("NAME", integrator)));
            let (whole, path) = (folder.path().join("whole"), folder.path().join("killed"));
            let (_, expected) = resume_and_finish(&scene, &whole, 200);
            record_killed_run(&scene, &path);
            assert_eq!(resume_and_finish(&scene, &path, 200), (50, expected), "{integrator}");
        }
    }

    #[test]
    fn damaged_or_later_checkpoint_is_ignored() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let (whole, path) = (folder.path().join("whole"), folder.path().join("killed"));
        let (_, expected) = resume_and_finish(&scene, &whole, 40);
        record_killed_run(&scene, &path);
        let state = fs::read(Checkpoint::path_for(&path)).unwrap();
        for at in (0..state.len()).step_by(97) {
            let mut damaged = state.clone();
            damaged[at] ^= 4;
            fs::write(Checkpoint::path_for(&path), &damaged).unwrap();
            let scene = RecordedScene::new("pile", &scene).checksum();
            assert!(
                Checkpoint::read(&Checkpoint::path_for(&path), scene, 1 << 20).is_none(),
                "byte {at}"
            );
        }
        fs::write(Checkpoint::path_for(&path), &state).unwrap();
        assert_eq!(resume_and_finish(&scene, &path, 40), (0, expected));
    }

    /// While both fall, their hashes are the same: the old world, of the old friction, was taken up
    /// and recorded under the new scene.
    #[test]
    fn checkpoint_of_a_scene_with_another_friction_is_ignored() {
        let (folder, rough, smooth) = (TempDir::new().unwrap(), ball(0.9), ball(0.1));
        let path = folder.path().join("falls");
        record_killed_run(&rough, &path);
        let state = fs::read(Checkpoint::path_for(&path)).unwrap();
        fs::remove_file(&path).unwrap();
        record_killed_run(&smooth, &path);
        fs::write(Checkpoint::path_for(&path), &state).unwrap();
        assert_eq!(resume_and_finish(&smooth, &path, 80).0, 0);
    }

    #[test]
    fn new_recording_removes_the_checkpoint_of_an_earlier_one() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let path = folder.path().join("again");
        record_killed_run(&scene, &path);
        fs::remove_file(&path).unwrap();
        assert!(Checkpoint::path_for(&path).exists());
        drop(Recording::open(&path, "pile", &scene).unwrap());
        assert!(!Checkpoint::path_for(&path).exists());
    }

    /// Regression: recording into `foo` removed a user's file named `foo.state`.
    #[test]
    fn foreign_file_with_the_checkpoint_name_is_not_modified() {
        let (folder, scene) = (TempDir::new().unwrap(), pile());
        let path = folder.path().join("foo");
        let theirs = Checkpoint::path_for(&path);
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
    fn checkpoint_of_another_run_is_ignored() {
        let (folder, scene, faster) = (TempDir::new().unwrap(), pile(), falling(-20.0));
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        record_killed_run(&scene, &one);
        let mut recording = Recording::open(&other, "pile", &faster).unwrap();
        let mut run = Simulation::new(&faster);
        for _ in 0..60 {
            let hash = run.step();
            recording.record_step(&run, hash).unwrap();
        }
        drop(recording);
        fs::copy(Checkpoint::path_for(&one), Checkpoint::path_for(&other)).unwrap();
        assert_eq!(resume_and_finish(&faster, &other, 60).0, 0);
    }
}
