//! Options of `cargo xtask bench rays`.

use std::path::{Path, PathBuf};

use crate::harness::options::{parse, selects};

/// Help text.
pub const HELP: &str = "\
--meshes DIR    folder of bunny, small_city, sponza_crytek and dragon (.ply.gz), instead of
                ../shared/data; without them only generated meshes are measured
--mesh NAME     only meshes whose name starts with NAME: bunny, soup, ...
--peer A,B      only these peers; `bvh` is always measured, as the reference of the ratios
--rays N        rays per mesh, instead of 200000
--repeats N     passes over all rays, of which the fastest counts, instead of 7";

/// Selection of meshes and peers, and the amount of work.
#[derive(Debug)]
pub struct Options {
    pub folder: PathBuf,
    mesh: String,
    peers: Vec<String>,
    pub rays: u32,
    pub repeats: u32,
}

impl Options {
    const RAYS: u32 = 200_000;
    const REPEATS: u32 = 7;

    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
            mesh: String::new(),
            peers: Vec::new(),
            rays: Self::RAYS,
            repeats: Self::REPEATS,
        };
        parse(arguments, |flag, value| {
            match flag {
                "--meshes" => options.folder = value.text.into(),
                "--mesh" => options.mesh = value.text.to_lowercase(),
                "--peer" => options.peers = value.list(),
                "--rays" => options.rays = value.positive()?,
                "--repeats" => options.repeats = value.positive()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }

    pub fn selects_mesh(&self, name: &str) -> bool {
        name.starts_with(&self.mesh)
    }

    pub fn selects_peer(&self, name: &str) -> bool {
        selects(&self.peers, name)
    }

    /// Whether everything is measured, with at least the default amount of work.
    pub fn is_complete(&self) -> bool {
        self.mesh.is_empty()
            && self.peers.is_empty()
            && self.rays >= Self::RAYS
            && self.repeats >= Self::REPEATS
    }
}
