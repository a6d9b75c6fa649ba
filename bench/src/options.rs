//! Which part of the measurement is wanted?

/// What may follow `cargo xtask bench pairs --`.
pub const HELP: &str = "\
--scene NAME    only scenes whose name begins so: 2d, 3d-heavy, ...
--peer A,B      only these peers; `auto` is always there, the ratios refer to it
--frames N      frames a scene, instead of 21 (7 from half a million boxes)
--most N        only scenes of at most N boxes
--moving all|10 only the scenes where all boxes move, or a tenth";

/// The filters; empty ones let everything pass.
#[derive(Debug, Default)]
pub struct Options {
    pub scene: String,
    pub peers: Vec<String>,
    pub frames: Option<u32>,
    pub most: Option<u32>,
    pub moving: Option<Moving>,
}

/// How much of a scene moves each frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moving {
    All,
    /// Every tenth box, always the same ones.
    Tenth,
}

impl Moving {
    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Tenth => "10%",
        }
    }
}

impl Options {
    /// Reads the filters, or says what is wrong with them.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter().filter(|word| *word != "--");
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--scene" => value()?.clone_into(&mut options.scene),
                "--peer" => options.peers = value()?.split(',').map(str::to_owned).collect(),
                "--frames" => options.frames = Some(number(word, value()?)?),
                "--most" => options.most = Some(number(word, value()?)?),
                "--moving" => {
                    options.moving = Some(match value()?.trim_end_matches('%') {
                        "all" => Moving::All,
                        "10" => Moving::Tenth,
                        other => return Err(format!("--moving takes all or 10, not {other}")),
                    });
                }
                _ => return Err(format!("there is no {word}")),
            }
        }
        Ok(options)
    }

    /// Whether a scene is wanted.
    pub fn wants_scene(&self, name: &str, count: u32, moving: Moving) -> bool {
        name.starts_with(&self.scene)
            && self.most.is_none_or(|most| count <= most)
            && self.moving.is_none_or(|wanted| wanted == moving)
    }

    /// Whether a peer is wanted.
    pub fn wants_peer(&self, name: &str) -> bool {
        self.peers.is_empty() || self.peers.iter().any(|peer| peer == name)
    }

    /// Whether these are all figures there are.
    pub fn is_whole(&self) -> bool {
        self.scene.is_empty()
            && self.peers.is_empty()
            && self.frames.is_none()
            && self.most.is_none()
            && self.moving.is_none()
    }
}

fn number(word: &str, value: &str) -> Result<u32, String> {
    match value.replace('_', "").parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{word} takes a number above 0, not {value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Options, String> {
        Options::read(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn filters_narrow_what_is_run() {
        let options = read("-- --scene 3d --peer parry,rstar --most 100_000 --moving 10").unwrap();
        assert!(options.wants_scene("3d-uniform", 100_000, Moving::Tenth));
        assert!(!options.wants_scene("3d-uniform", 100_000, Moving::All));
        assert!(!options.wants_scene("3d-uniform", 1_000_000, Moving::Tenth));
        assert!(!options.wants_scene("2d-uniform", 5_000, Moving::Tenth));
        assert!(options.wants_peer("rstar") && !options.wants_peer("rapier"));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for words in ["--scenes 2d", "--most", "--most 0", "--frames x", "--moving 20"] {
            assert!(read(words).is_err(), "{words}");
        }
    }
}
