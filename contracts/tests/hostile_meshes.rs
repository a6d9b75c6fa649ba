//! Hostile files: every one gets a clean error or a sound mesh, within the memory bound.
//!
//! The bound covers all heap from before the file is opened until the answer is in hand. It is
//! counted over the whole process, so there is one test here and nothing runs beside it.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use embate_contracts::hostile::{Answer, Hostile, corpus, sound_files};
use embate_mesh::{
    Limits, LoadedMesh, MAX_MEMORY_PER_BYTE, MEMORY_OVERHEAD, MeshError, TriangleMesh, load,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Bent copies of each sound file.
const MUTATIONS: u64 = 600;

#[test]
fn hostile_files_get_a_clean_answer_within_the_memory_bound() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("mesh");
    fs::create_dir(&inside).unwrap();
    lay_out_secret(folder.path(), &inside);
    let mut files = 0;
    let mut tightest = (0.0, "");
    let mut complaints = Vec::new();
    for make in corpus() {
        let file = make();
        let name = file.name;
        if cfg!(not(unix)) && name.starts_with("link") {
            continue;
        }
        let ratio = check_file(file, &inside, &mut complaints);
        files += 1;
        if ratio > tightest.0 {
            tightest = (ratio, name);
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(files >= 100, "only {files}");
    println!(
        "{files} files; tightest {:.2} × its bytes beyond the slack: {}",
        tightest.0, tightest.1
    );
    let (meshes, errors) = bend_sound_files(&inside);
    println!("bent files: {meshes} still meshes, {errors} errors");
    // Were all refused or all accepted, the bending would not be testing anything.
    assert!(meshes > 100 && errors > 100);
}

/// A file outside the mesh's folder, and links to it from within.
fn lay_out_secret(outside: &Path, inside: &Path) {
    // Sound bytes: a loader that reached them would make a mesh, and no error.
    fs::write(outside.join("secret.bin"), [0; 64]).unwrap();
    link(&outside.join("secret.bin"), &inside.join("link.bin"));
    link(outside, &inside.join("up"));
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) {
    std::os::unix::fs::symlink(target, link).unwrap();
}

/// Links need rights that a test does not have here; the files that name them are left out.
#[cfg(not(unix))]
fn link(_: &Path, _: &Path) {}

/// Loads one file of the corpus and returns how many times its bytes it took beyond the slack.
fn check_file(file: Hostile, folder: &Path, complaints: &mut Vec<String>) -> f64 {
    let Hostile { name, bytes, beside, counted_bytes, packed, limits, answer } = file;
    let path = folder.join(name);
    if packed {
        let mut encoder = GzEncoder::new(fs::File::create(&path).unwrap(), Compression::best());
        encoder.write_all(&bytes).unwrap();
        encoder.finish().unwrap();
    } else {
        fs::write(&path, &bytes).unwrap();
    }
    drop(bytes);
    let mut counted_bytes = counted_bytes;
    for (name, bytes) in beside {
        fs::write(folder.join(name), &bytes).unwrap();
        counted_bytes += bytes.len() as u64;
    }
    let (result, taken) = load_measured(&path, &limits, name);
    let bound = MAX_MEMORY_PER_BYTE * counted_bytes + MEMORY_OVERHEAD;
    if taken > bound {
        complaints.push(format!("{name}: {taken} bytes of heap, {bound} allowed"));
    }
    check_sound(&result, name);
    let found = match &result {
        Ok(loaded) => Answer::Mesh(loaded.mesh.positions().len(), loaded.mesh.triangles().len()),
        Err(error) => {
            let (message, path) = (error.to_string(), path.display().to_string());
            Answer::Error(message.strip_prefix(&path).expect("begins with the path").to_owned())
        }
    };
    let fits = match (&answer, &found) {
        (Answer::ErrorBeginning(start), Answer::Error(message)) => message.starts_with(start),
        _ => found == answer,
    };
    if !fits {
        complaints.push(format!("{name}:\n  found    {found:?}\n  expected {answer:?}"));
    }
    fs::remove_file(&path).unwrap();
    taken.saturating_sub(MEMORY_OVERHEAD) as f64 / counted_bytes.max(1) as f64
}

/// The answer, and the most heap there was on the way to it.
fn load_measured(path: &Path, limits: &Limits, name: &str) -> (Result<LoadedMesh, MeshError>, u64) {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    let result = catch_unwind(AssertUnwindSafe(|| load(path, limits)));
    let taken = (HEAP.peak_usage() - before) as u64;
    (result.unwrap_or_else(|_| panic!("{name}: the loader panicked")), taken)
}

/// A mesh keeps its invariant; a message is one line.
fn check_sound(result: &Result<LoadedMesh, MeshError>, name: &str) {
    match result {
        Ok(LoadedMesh { mesh, .. }) => {
            let again = TriangleMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec());
            assert!(again.is_ok(), "{name}: {again:?}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.chars().any(char::is_control), "{name}: {message:?}");
        }
    }
}

/// Cuts, flips, inserts and doubles bytes of sound files; only the promises are checked.
fn bend_sound_files(folder: &Path) -> (u32, u32) {
    let (mut meshes, mut errors) = (0, 0);
    for (name, sound) in sound_files() {
        let path = folder.join(name);
        fs::write(&path, &sound).unwrap();
        assert!(load(&path, &Limits::default()).is_ok(), "{name} is sound");
        for seed in 0..MUTATIONS {
            let bent = bend(&sound, seed);
            fs::write(&path, &bent).unwrap();
            let context = format!("{name}, seed {seed}");
            let (result, taken) = load_measured(&path, &Limits::default(), &context);
            let bound = MAX_MEMORY_PER_BYTE * bent.len() as u64 + MEMORY_OVERHEAD;
            assert!(taken <= bound, "{context}: {taken} bytes of heap, {bound} allowed");
            check_sound(&result, &context);
            let tally = if result.is_ok() { &mut meshes } else { &mut errors };
            *tally += 1;
        }
    }
    (meshes, errors)
}

/// One to three changes, the same for the same seed.
fn bend(sound: &[u8], seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = sound.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len().max(1));
        match random.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => {
                bytes[at] = [0, 0xff, b'9', b'-', b'\n', b' '][random.below(6)];
            }
            3 => bytes.insert(at, [0, 0xff, b'9', b'{', b'"', b'\\'][random.below(6)]),
            4 => {
                let piece = bytes[at..(at + 16).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + random.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// Knuth's MMIX generator; its upper bits are good enough to choose bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % limit as u64) as usize
    }
}
