//! How large is a mesh, and how well would study A's octree suit it?
//!
//! `cargo run --example load_and_inspect_a_mesh [FILE]`; without a file, a small one in the code.

use std::path::PathBuf;
use std::process::ExitCode;

use embate::rays::{Affinity, StudyOctree};
use embate_mesh::{Limits, MeshError, load, parse};

const PYRAMID: &[u8] = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\n\
    f 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

fn main() -> ExitCode {
    match inspect() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn inspect() -> Result<(), MeshError> {
    let limits = Limits::default();
    let loaded = match std::env::args_os().nth(1) {
        Some(file) => load(&PathBuf::from(file), &limits)?,
        None => parse(PYRAMID, "pyramid.obj", &limits)?,
    };
    let mesh = &loaded.mesh;
    println!("{}: {} triangles", loaded.format, mesh.triangles().len());
    if let Some(bounds) = mesh.bounds() {
        println!("from {:?} to {:?}", bounds.min, bounds.max);
    }
    let levels = StudyOctree::new(mesh).triangles_per_level();
    println!("triangles a level: {levels:?}; affinity {}", Affinity::of(&levels).name());
    Ok(())
}
