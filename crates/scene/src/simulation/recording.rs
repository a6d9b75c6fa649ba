//! Recording of a run: the scene and a state hash per step, in a file that survives a kill.
//!
//! ```text
//! embate recording 1\n
//! 1c291ca3 {"key":"scene","value":{…}}\n     the scene as it was read, its meshes, the version
//! 5d41402a {"key":"steps","value":{…}}\n     a hash per step, sixty steps per record
//! 0a1b2c3d {"key":"end","value":{…}}\n       all requested steps are recorded
//! ```
//!
//! Guarantee: killed between any two bytes, the same command continues from the last whole record;
//! every record has its CRC. Only the scene and the hashes are stored: poses follow from them.
//! While a run lasts, a [checkpoint](super::checkpoint) lies beside the recording, so that recorded
//! steps are not computed again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use embate::shapes::{Shape, TriMesh};
use embate_mesh::TriangleMesh;
use serde::{Deserialize, Serialize};

use super::checkpoint::Checkpoint;
use super::replay::MAX_BYTES;
use super::{RecordingError, Simulation};
use crate::journal::{Journal, Record};
use crate::scene_file::{Scene, SceneSource, read_scene_with};

pub(super) const HEADER: &[u8] = b"embate recording 1\n";
pub(super) const SCENE: &str = "scene";
pub(super) const STEPS: &str = "steps";
pub(super) const END: &str = "end";

/// Steps that a kill may lose: a second of simulated time.
const STEPS_PER_RECORD: usize = 60;
/// Computing that a kill may lose.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);
/// Hexadecimal digits of a hash.
const DIGITS: usize = 16;

/// Whether the header of a recording ends with `\r\n`, as some programs that copy text write it.
pub(super) fn has_carriage_returns(bytes: &[u8]) -> bool {
    let header = &HEADER[..HEADER.len() - 1];
    bytes.strip_prefix(header).is_some_and(|rest| rest.starts_with(b"\r\n"))
}

/// A recording with every line end `\r\n` replaced by `\n`. A record is JSON on one line, which
/// contains neither.
pub(super) fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !has_carriage_returns(bytes) {
        return Cow::Borrowed(bytes);
    }
    let mut lines = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if let Some(text) = line.strip_suffix(b"\r\n") {
            lines.extend_from_slice(text);
            lines.push(b'\n');
        } else {
            lines.extend_from_slice(line);
        }
    }
    Cow::Owned(lines)
}

/// First record: the scene and its meshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordedScene {
    /// The version that recorded it.
    pub(super) embate: String,
    /// The scene's file, for messages.
    pub(super) file: String,
    /// Its words.
    pub(super) scene: String,
    /// What its meshes were.
    pub(super) meshes: Vec<RecordedMesh>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordedMesh {
    file: String,
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Hashes after steps that follow each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HashRecord {
    /// How many steps came before.
    pub(super) after: u32,
    /// Sixteen hexadecimal digits each.
    pub(super) hashes: String,
}

/// Last record: the number of requested steps, all done.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct End {
    steps: u64,
}

impl RecordedScene {
    pub(super) fn new(file: &str, scene: &Scene) -> Self {
        let recorded = |(file, shape): (&String, &Shape)| match shape {
            Shape::TriMesh(mesh) => Some(RecordedMesh {
                file: file.clone(),
                positions: mesh.mesh().positions().to_vec(),
                triangles: mesh.mesh().triangles().to_vec(),
            }),
            _ => None,
        };
        Self {
            embate: env!("CARGO_PKG_VERSION").to_owned(),
            file: file.to_owned(),
            scene: scene.text.clone(),
            meshes: scene.meshes.iter().filter_map(recorded).collect(),
        }
    }

    /// Of a recording's records.
    pub(super) fn of(records: &[Record], path: &Path) -> Result<Self, RecordingError> {
        let damaged = |what: String| RecordingError::Damaged { path: path.to_owned(), what };
        let first = records.first().filter(|record| record.key == SCENE);
        let first = first.ok_or_else(|| damaged("it does not begin with its scene".to_owned()))?;
        first.read().map_err(|error| damaged(error.to_string()))
    }

    /// The scene, as if it were read from its file.
    pub(super) fn scene(&self, path: &Path) -> Result<Scene, RecordingError> {
        let name = format!("{} (scene {})", path.display(), self.file);
        let mut meshes = BTreeMap::new();
        for mesh in &self.meshes {
            let damaged = |what: String| {
                let what = format!("mesh {}: {what}", mesh.file);
                RecordingError::Damaged { path: path.to_owned(), what }
            };
            let triangles = TriangleMesh::new(mesh.positions.clone(), mesh.triangles.clone());
            let triangles = triangles.map_err(|error| damaged(error.to_string()))?;
            let shape = TriMesh::new(triangles).map_err(|error| damaged(error.to_string()))?;
            meshes.insert(mesh.file.clone(), shape.into());
        }
        let source = SceneSource::text(&name);
        Ok(read_scene_with(&self.scene, &source, meshes)?)
    }

    /// Checksum of the scene and its meshes.
    pub(super) fn checksum(&self) -> u32 {
        let mut hasher = crate::checksum::Hasher::new();
        hasher.update(self.scene.as_bytes());
        for mesh in &self.meshes {
            hasher.update(mesh.file.as_bytes());
            for value in mesh.positions.as_flattened() {
                hasher.update(&value.to_bits().to_le_bytes());
            }
            for index in mesh.triangles.as_flattened() {
                hasher.update(&index.to_le_bytes());
            }
        }
        hasher.finalize()
    }

    /// Whether both are the same scene; who recorded it, and where the file was, do not count.
    fn is_of(&self, other: &Self) -> bool {
        self.scene == other.scene && self.meshes == other.meshes
    }
}

/// The hashes of a recording, from the first step on; every end must be that of the steps before
/// it.
pub(super) fn read_hashes(records: &[Record], path: &Path) -> Result<Vec<u64>, RecordingError> {
    let damaged =
        |what: &str| RecordingError::Damaged { path: path.to_owned(), what: what.to_owned() };
    let mut all = Vec::new();
    for record in records {
        if record.key == END {
            let end: End = record.read().map_err(|_| damaged("its end cannot be read"))?;
            if end.steps != all.len() as u64 {
                return Err(damaged("it does not end after the steps that it holds"));
            }
        }
        if record.key != STEPS {
            continue;
        }
        let steps: HashRecord =
            record.read().map_err(|_| damaged("a record of steps cannot be read"))?;
        if steps.after as usize != all.len() {
            return Err(damaged("steps are missing"));
        }
        for digits in steps.hashes.as_bytes().chunks(DIGITS) {
            let hash = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == DIGITS);
            let hash = hash.and_then(|digits| u64::from_str_radix(digits, 16).ok());
            all.push(hash.ok_or_else(|| damaged("a step's hash cannot be read"))?);
        }
    }
    Ok(all)
}

/// Rejects a path that is no regular file, or larger than a recording may be, before reading it.
pub(super) fn check_regular_file(path: &Path) -> Result<(), RecordingError> {
    let metadata =
        path.metadata().map_err(|source| RecordingError::Io { path: path.to_owned(), source })?;
    if metadata.is_dir() {
        return Err(RecordingError::Folder { path: path.to_owned() });
    }
    if !metadata.is_file() {
        return Err(RecordingError::NotARecording { path: path.to_owned() });
    }
    let (found, max) = (metadata.len(), MAX_BYTES);
    if found > max {
        return Err(RecordingError::TooLarge { path: path.to_owned(), found, max });
    }
    Ok(())
}

/// The beginning of a file, at least its header; empty if it cannot be read.
fn first_bytes(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Ok(file) = File::open(path) {
        // An error is reported when the journal is opened.
        let _ = file.take(HEADER.len() as u64 + 1).read_to_end(&mut bytes);
    }
    bytes
}

/// An open recording.
#[derive(Debug)]
pub struct Recording {
    journal: Journal,
    path: PathBuf,
    /// Checksum of the scene and its meshes.
    scene: u32,
    /// State hashes: those of an earlier run, which this one must repeat, then its own.
    hashes: Vec<u64>,
    /// Number of hashes in the file.
    written: usize,
    /// Number of hashes that this run has repeated or added.
    confirmed: usize,
    /// Number of hashes after which the file has an end mark.
    ended_after: Option<usize>,
    /// Time of the last checkpoint.
    last_checkpoint: Instant,
}

impl Recording {
    /// Begins a recording of the scene in the file at `path`, or takes up one of the same scene.
    ///
    /// # Errors
    /// [`RecordingError`], for instance if the file has a recording of another scene.
    pub fn open(path: &Path, file: &str, scene: &Scene) -> Result<Self, RecordingError> {
        let of_journal = |error| RecordingError::of_journal(path, error);
        if path.exists() {
            check_regular_file(path)?;
            if has_carriage_returns(&first_bytes(path)) {
                return Err(RecordingError::CarriageReturns { path: path.to_owned() });
            }
        }
        let state = Checkpoint::path_for(path);
        if Checkpoint::belongs_to_other(&state) {
            return Err(RecordingError::NoRoomForState { path: path.to_owned(), state });
        }
        let (mut journal, records) = Journal::open_as(path, HEADER).map_err(of_journal)?;
        let opening = RecordedScene::new(file, scene);
        let mut hashes = Vec::new();
        if records.is_empty() {
            // A state that is there is that of another recording. Often there is none.
            let _ = std::fs::remove_file(&state);
            journal.append(SCENE, &opening).map_err(of_journal)?;
        } else {
            let earlier = RecordedScene::of(&records, path)?;
            if !earlier.is_of(&opening) {
                return Err(RecordingError::OtherScene {
                    path: path.to_owned(),
                    file: earlier.file,
                });
            }
            hashes = read_hashes(&records, path)?;
        }
        let ended = records.last().is_some_and(|record| record.key == END);
        let ended_after = ended.then_some(hashes.len());
        let written = hashes.len();
        let (path, last_checkpoint) = (path.to_owned(), Instant::now());
        let scene = opening.checksum();
        Ok(Self {
            journal,
            path,
            scene,
            written,
            hashes,
            confirmed: 0,
            ended_after,
            last_checkpoint,
        })
    }

    /// Restores a new run to the checkpoint of an earlier one, if there is one within `max_steps`
    /// steps.
    pub fn resume(&mut self, run: &mut Simulation<'_>, max_steps: u32) {
        let Some(checkpoint) =
            Checkpoint::read(&Checkpoint::path_for(&self.path), self.scene, MAX_BYTES)
        else {
            return;
        };
        let steps = checkpoint.steps() as usize;
        let recorded = steps.checked_sub(1).and_then(|last| self.hashes.get(last));
        if recorded.is_some_and(|&hash| {
            checkpoint.steps() <= max_steps && checkpoint.restore_into(run, hash)
        }) {
            self.confirmed = steps;
        }
    }

    /// Number of steps that an earlier run recorded.
    #[must_use]
    pub fn earlier_steps(&self) -> usize {
        self.hashes.len()
    }

    /// Records the state hash of the run's last step; writes a checkpoint every few seconds.
    ///
    /// # Errors
    /// [`RecordingError::Departs`] if the hash differs from that of an earlier run;
    /// [`RecordingError::Io`].
    pub fn record_step(&mut self, run: &Simulation<'_>, hash: u64) -> Result<(), RecordingError> {
        match self.hashes.get(self.confirmed) {
            Some(&recorded) if recorded != hash => {
                let (path, step) = (self.path.clone(), self.confirmed as u32 + 1);
                return Err(RecordingError::Departs { path, step, recorded, found: hash });
            }
            Some(_) => {}
            None => self.hashes.push(hash),
        }
        self.confirmed += 1;
        if self.last_checkpoint.elapsed() >= CHECKPOINT_INTERVAL {
            self.write_checkpoint(run)?;
        }
        if self.hashes.len() >= self.written + STEPS_PER_RECORD { self.write() } else { Ok(()) }
    }

    pub(super) fn write_checkpoint(&mut self, run: &Simulation<'_>) -> Result<(), RecordingError> {
        // A state is believed only if its hash was recorded.
        self.write()?;
        Checkpoint::write(run, self.scene, &Checkpoint::path_for(&self.path));
        self.last_checkpoint = Instant::now();
        Ok(())
    }

    /// Writes the remaining hashes and the end record.
    ///
    /// # Errors
    /// [`RecordingError::Io`].
    pub fn finish(mut self) -> Result<(), RecordingError> {
        self.write()?;
        let steps = self.hashes.len();
        if self.ended_after != Some(steps) {
            let ended = self.journal.append(END, &End { steps: steps as u64 });
            ended.map_err(|error| RecordingError::of_journal(&self.path, error))?;
        }
        // Often there is none.
        let _ = std::fs::remove_file(Checkpoint::path_for(&self.path));
        Ok(())
    }

    fn write(&mut self) -> Result<(), RecordingError> {
        if self.hashes.len() == self.written {
            return Ok(());
        }
        let mut hashes = String::new();
        for hash in &self.hashes[self.written..] {
            // Writing into a string cannot fail.
            let _ = write!(hashes, "{hash:016x}");
        }
        let steps = HashRecord { after: self.written as u32, hashes };
        let written = self.journal.append(STEPS, &steps);
        written.map_err(|error| RecordingError::of_journal(&self.path, error))?;
        self.written = self.hashes.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::scene_file::read_scene;
    use crate::simulation::Replay;

    /// Regression: an end record of 4·10⁹ or −1 steps was accepted.
    #[test]
    fn end_record_with_another_step_count_is_damage() {
        let folder = TempDir::new().unwrap();
        let text = r#"{"bodies":[{"shape":{"sphere":{"radius":0.4}},"mass":2}]}"#;
        let source = SceneSource::text("ball");
        let scene = read_scene(text, &source).unwrap();
        let record = |name: &str, end: Option<serde_json::Value>| {
            let path = folder.path().join(name);
            let mut recording = Recording::open(&path, "ball", &scene).unwrap();
            let mut run = Simulation::new(&scene);
            for _ in 0..70 {
                let hash = run.step();
                recording.record_step(&run, hash).unwrap();
            }
            if let Some(end) = end {
                recording.write().unwrap();
                recording.journal.append(END, &end).unwrap();
                drop(recording);
            } else {
                recording.finish().unwrap();
            }
            (Replay::load(&path), Recording::open(&path, "ball", &scene))
        };
        let (replay, again) = record("whole", None);
        assert!(replay.unwrap().is_whole);
        assert_eq!(again.unwrap().earlier_steps(), 70);
        let ends = [
            serde_json::json!({ "steps": 4_000_000_000_u32 }),
            serde_json::json!({ "steps": -1 }),
            serde_json::json!({ "steps": 69 }),
            serde_json::json!({}),
        ];
        for (number, end) in ends.into_iter().enumerate() {
            let (replay, again) = record(&format!("end {number}"), Some(end));
            for refused in [replay.map(|_| ()), again.map(|_| ())] {
                let damaged = matches!(refused, Err(RecordingError::Damaged { .. }));
                assert!(damaged, "end {number}: {refused:?}");
            }
        }
    }
}
