//! Hostile mesh files: each yields a one-line error or a valid mesh, within the memory bound.
//!
//! The bound covers the peak heap usage of the whole process while a file is loaded. This binary
//! therefore contains a single test, so that no other test runs concurrently.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use embate_contracts::hostile::{HostileFile, LoadOutcome, corpus, valid_files};
use embate_mesh::{
    Limits, LoadedMesh, MAX_MEMORY_PER_BYTE, MEMORY_OVERHEAD, MeshError, TriangleMesh, load,
};
use embate_test_util::Rng;
use flate2::Compression;
use flate2::write::GzEncoder;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Number of mutated copies of each valid file.
const MUTATIONS: u64 = 600;

#[test]
fn hostile_files_yield_an_error_or_a_valid_mesh_within_the_memory_bound() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("mesh");
    fs::create_dir(&inside).unwrap();
    create_secret(folder.path(), &inside);
    let mut files = 0;
    let mut largest = (0.0, "");
    let mut failures = Vec::new();
    for make in corpus() {
        let file = make();
        let name = file.name;
        if cfg!(not(unix)) && name.starts_with("link") {
            continue;
        }
        let ratio = check_file(file, &inside, &mut failures);
        files += 1;
        if ratio > largest.0 {
            largest = (ratio, name);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(files >= 100, "only {files} files");
    println!(
        "{files} files; largest ratio of memory, less the overhead, to file size: {:.2}, {}",
        largest.0, largest.1
    );
    let (meshes, errors) = load_mutated_files(&inside);
    println!("mutated files: {meshes} meshes, {errors} errors");
    // The mutations are neither all harmless nor all fatal.
    assert!(meshes > 100 && errors > 100);
}

/// Creates a file outside the folder of the mesh, and symbolic links to it inside.
fn create_secret(outside: &Path, inside: &Path) {
    // Valid vertex data: a loader that reads it returns a mesh instead of an error.
    fs::write(outside.join("secret.bin"), [0; 64]).unwrap();
    link(&outside.join("secret.bin"), &inside.join("link.bin"));
    link(outside, &inside.join("up"));
}

#[cfg(unix)]
fn link(target: &Path, link: &Path) {
    std::os::unix::fs::symlink(target, link).unwrap();
}

/// Creating links needs privileges on other systems; the files that refer to them are skipped.
#[cfg(not(unix))]
fn link(_: &Path, _: &Path) {}

/// Loads one file of the corpus. Returns the ratio of peak memory, less the overhead, to file size.
fn check_file(file: HostileFile, folder: &Path, failures: &mut Vec<String>) -> f64 {
    let HostileFile { name, bytes, companions, counted_bytes, packed, limits, expected } = file;
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
    for (name, bytes) in companions {
        fs::write(folder.join(name), &bytes).unwrap();
        counted_bytes += bytes.len() as u64;
    }
    let (result, used) = load_measured(&path, &limits, name);
    let bound = MAX_MEMORY_PER_BYTE * counted_bytes + MEMORY_OVERHEAD;
    if used > bound {
        failures.push(format!("{name}: {used} bytes of heap, {bound} allowed"));
    }
    assert_well_formed(&result, name);
    let found = match &result {
        Ok(loaded) => {
            LoadOutcome::Mesh(loaded.mesh.positions().len(), loaded.mesh.triangles().len())
        }
        Err(error) => {
            let (message, path) = (error.to_string(), path.display().to_string());
            LoadOutcome::Error(
                message.strip_prefix(&path).expect("the message starts with the path").to_owned(),
            )
        }
    };
    let is_expected = match (&expected, &found) {
        (LoadOutcome::ErrorPrefix(prefix), LoadOutcome::Error(message)) => {
            message.starts_with(prefix)
        }
        _ => found == expected,
    };
    if !is_expected {
        failures.push(format!("{name}:\n  found    {found:?}\n  expected {expected:?}"));
    }
    fs::remove_file(&path).unwrap();
    used.saturating_sub(MEMORY_OVERHEAD) as f64 / counted_bytes.max(1) as f64
}

/// The result, and the peak heap usage while loading.
fn load_measured(path: &Path, limits: &Limits, name: &str) -> (Result<LoadedMesh, MeshError>, u64) {
    HEAP.reset_peak_usage();
    let before = HEAP.current_usage();
    let result = catch_unwind(AssertUnwindSafe(|| load(path, limits)));
    let used = (HEAP.peak_usage() - before) as u64;
    (result.unwrap_or_else(|_| panic!("{name}: the loader panicked")), used)
}

/// Asserts that a mesh is valid, and that an error message is a single line.
fn assert_well_formed(result: &Result<LoadedMesh, MeshError>, name: &str) {
    match result {
        Ok(LoadedMesh { mesh, .. }) => {
            let validated = TriangleMesh::new(mesh.positions().to_vec(), mesh.triangles().to_vec());
            assert!(validated.is_ok(), "{name}: {validated:?}");
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.chars().any(char::is_control), "{name}: {message:?}");
        }
    }
}

/// Loads mutated copies of valid files. Only the general guarantees are checked.
fn load_mutated_files(folder: &Path) -> (u32, u32) {
    let (mut meshes, mut errors) = (0, 0);
    for (name, valid) in valid_files() {
        let path = folder.join(name);
        fs::write(&path, &valid).unwrap();
        assert!(load(&path, &Limits::default()).is_ok(), "{name} is valid");
        for seed in 0..MUTATIONS {
            let mutated = mutate(&valid, seed);
            fs::write(&path, &mutated).unwrap();
            let context = format!("{name}, seed {seed}");
            let (result, used) = load_measured(&path, &Limits::default(), &context);
            let bound = MAX_MEMORY_PER_BYTE * mutated.len() as u64 + MEMORY_OVERHEAD;
            assert!(used <= bound, "{context}: {used} bytes of heap, {bound} allowed");
            assert_well_formed(&result, &context);
            let tally = if result.is_ok() { &mut meshes } else { &mut errors };
            *tally += 1;
        }
    }
    (meshes, errors)
}

/// Truncates, flips, replaces, inserts, repeats or removes bytes: one to three changes.
fn mutate(valid: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = valid.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len().max(1));
        match rng.below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 if at < bytes.len() => {
                bytes[at] = [0, 0xff, b'9', b'-', b'\n', b' '][rng.below(6)];
            }
            3 => bytes.insert(at, [0, 0xff, b'9', b'{', b'"', b'\\'][rng.below(6)]),
            4 => {
                let piece = bytes[at..(at + 16).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + rng.below(16)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
    bytes
}
