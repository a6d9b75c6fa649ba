//! Which part of the measurement is wanted?

use std::path::{Path, PathBuf};

/// What may follow `cargo xtask bench rays --`.
pub const HELP: &str = "\
--meshes DIR    where bunny, small_city, sponza_crytek and dragon (.ply.gz) are, instead of ../shared/data;
                without them only what can be generated is measured
--mesh NAME     only meshes whose name begins so: bunny, soup, ...
--peer A,B      only these peers; `bvh` is always there, the ratios refer to it
--rays N        rays a mesh, instead of 200000
--repeats N     passes over all rays, of which the best counts, instead of 7";

/// The filters; empty ones let everything pass.
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

    /// Reads the filters, or says what is wrong with them.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
        let mut options = Self {
            folder: beside,
            mesh: String::new(),
            peers: Vec::new(),
            rays: Self::RAYS,
            repeats: Self::REPEATS,
        };
        let mut words = words.iter().filter(|word| *word != "--");
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let number = || match value.replace('_', "").parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{word} takes a number above 0, not {value}")),
            };
            match word.as_str() {
                "--meshes" => options.folder = value.into(),
                "--mesh" => options.mesh = value.to_lowercase(),
                "--peer" => options.peers = value.split(',').map(str::to_owned).collect(),
                "--rays" => options.rays = number()?,
                "--repeats" => options.repeats = number()?,
                _ => return Err(format!("there is no {word}")),
            }
        }
        Ok(options)
    }

    pub fn wants_mesh(&self, name: &str) -> bool {
        name.starts_with(&self.mesh)
    }

    pub fn wants_peer(&self, name: &str) -> bool {
        self.peers.is_empty() || self.peers.iter().any(|peer| peer == name)
    }

    /// Whether these are all figures there are.
    pub fn is_whole(&self) -> bool {
        self.mesh.is_empty()
            && self.peers.is_empty()
            && self.rays >= Self::RAYS
            && self.repeats >= Self::REPEATS
    }
}
