//! Options of `cargo xtask bench motion`.

use crate::harness::options::parse;

/// Help text.
pub const HELP: &str = "\
--scene NAME    only scenes whose name starts with NAME: spheres, boxes, hulls, pyramid, stack, ...
--most N        only scenes of at most N bodies
--threads N     number of threads, instead of 1
--repeats N     runs of each scene, of which the fastest counts, instead of 3
--steps N       steps of each scene, instead of 300 (1200 for stacks and the pyramid)";

/// Selection of scenes, and the amount of work.
#[derive(Debug)]
pub struct Options {
    pub scene: String,
    pub max_bodies: u32,
    pub threads: u32,
    pub repeats: u32,
    pub steps: Option<u32>,
}

impl Options {
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self {
            scene: String::new(),
            max_bodies: u32::MAX,
            threads: 1,
            repeats: 3,
            steps: None,
        };
        parse(arguments, |flag, value| {
            match flag {
                "--scene" => options.scene = value.text.to_lowercase(),
                "--most" => options.max_bodies = value.positive()?,
                "--threads" => options.threads = value.positive()?,
                "--repeats" => options.repeats = value.positive()?,
                "--steps" => options.steps = Some(value.positive()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if options.threads > 1 && !cfg!(feature = "parallel") {
            return Err(
                "--threads needs rapier's threads: build with --features parallel".to_owned()
            );
        }
        Ok(options)
    }

    /// Whether everything is measured, for a number of threads.
    pub fn is_complete(&self) -> bool {
        self.scene.is_empty() && self.max_bodies == u32::MAX && self.steps.is_none()
    }
}
