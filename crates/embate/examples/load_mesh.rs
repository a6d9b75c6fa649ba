//! Mesh loading: reads a mesh file and recommends a ray index for it.
//!
//! `cargo run -p embate --example load_mesh [FILE]`; without a file, a pyramid from memory.

use std::path::PathBuf;
use std::process::ExitCode;

use embate::advisor::recommend_ray_index;
use embate::mesh_io::{Limits, MeshError, load, parse};

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
        println!("AABB from {:?} to {:?}", bounds.min, bounds.max);
    }
    println!("recommended ray index: {}", recommend_ray_index(mesh));
    Ok(())
}
