//! Options of `cargo xtask bench pairs`.

use crate::harness::options::{parse, selects};

/// Help text.
pub const HELP: &str = "\
--scene NAME    only scenes whose name starts with NAME: 2d, 3d-heavy, ...
--peer A,B      only these peers; `auto` is always measured, as the reference of the ratios
--frames N      frames per scene, instead of 21 (7 above 500,000 boxes)
--most N        only scenes of at most N boxes
--moving all|10 only scenes in which all boxes move, or 10 %";

/// Selection of scenes and peers; the default selects all.
#[derive(Debug, Default)]
pub struct Options {
    pub scene: String,
    pub peers: Vec<String>,
    pub frames: Option<u32>,
    pub max_boxes: Option<u32>,
    pub moving: Option<Moving>,
}

/// Fraction of the boxes that moves each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    All,
    /// Every tenth box, the same ones in every frame.
    Tenth,
}

impl Moving {
    /// Name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Tenth => "10%",
        }
    }
}

impl Options {
    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        parse(arguments, |flag, value| {
            match flag {
                "--scene" => value.text.clone_into(&mut options.scene),
                "--peer" => options.peers = value.list(),
                "--frames" => options.frames = Some(value.positive()?),
                "--most" => options.max_boxes = Some(value.positive()?),
                "--moving" => {
                    options.moving = Some(match value.text.trim_end_matches('%') {
                        "all" => Moving::All,
                        "10" => Moving::Tenth,
                        other => return Err(format!("--moving takes all or 10, not {other}")),
                    });
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }

    pub fn selects_scene(&self, name: &str, count: u32, moving: Moving) -> bool {
        name.starts_with(&self.scene)
            && self.max_boxes.is_none_or(|max| count <= max)
            && self.moving.is_none_or(|selected| selected == moving)
    }

    pub fn selects_peer(&self, name: &str) -> bool {
        selects(&self.peers, name)
    }

    /// Whether everything is measured.
    pub fn is_complete(&self) -> bool {
        self.scene.is_empty()
            && self.peers.is_empty()
            && self.frames.is_none()
            && self.max_boxes.is_none()
            && self.moving.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_line(line: &str) -> Result<Options, String> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_select_scenes_and_peers() {
        let options =
            parse_line("-- --scene 3d --peer parry,rstar --most 100_000 --moving 10").unwrap();
        assert!(options.selects_scene("3d-uniform", 100_000, Moving::Tenth));
        assert!(!options.selects_scene("3d-uniform", 100_000, Moving::All));
        assert!(!options.selects_scene("3d-uniform", 1_000_000, Moving::Tenth));
        assert!(!options.selects_scene("2d-uniform", 5_000, Moving::Tenth));
        assert!(options.selects_peer("rstar") && !options.selects_peer("rapier"));
    }

    #[test]
    fn invalid_options_are_rejected() {
        for line in ["--scenes 2d", "--most", "--most 0", "--frames x", "--moving 20"] {
            assert!(parse_line(line).is_err(), "{line}");
        }
    }
}
