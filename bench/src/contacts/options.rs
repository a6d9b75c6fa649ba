//! Options of `cargo xtask bench contacts`.

use crate::harness::options::parse;

/// Help text.
pub const HELP: &str = "\
--kind NAME     only shape pairs whose name contains NAME: hull, sphere-hull, ...
--state NAME    only touching, deep or apart
--repeats N     passes over all pairs, of which the fastest counts, instead of 15
--pairs N       pairs per shape pair and state, instead of 512";

/// Selection of shape pairs and states, and the amount of work.
#[derive(Debug)]
pub struct Options {
    pub kind: String,
    pub state: String,
    pub repeats: u32,
    pub pairs: u32,
}

impl Options {
    const DEFAULT: Self =
        Self { kind: String::new(), state: String::new(), repeats: 15, pairs: 512 };

    pub fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::DEFAULT;
        parse(arguments, |flag, value| {
            match flag {
                "--kind" => options.kind = value.text.to_lowercase(),
                "--state" => options.state = value.text.to_lowercase(),
                "--repeats" => options.repeats = value.positive()?,
                "--pairs" => options.pairs = value.positive()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }

    /// Whether everything is measured, with at least the default amount of work.
    pub fn is_complete(&self) -> bool {
        self.kind.is_empty()
            && self.state.is_empty()
            && self.repeats >= Self::DEFAULT.repeats
            && self.pairs >= Self::DEFAULT.pairs
    }
}
