//! Which part of the measurement is wanted?

/// What may follow `cargo xtask bench contacts --`.
pub const HELP: &str = "\
--kind NAME     only pairs of kinds whose name holds this: hull, sphere-hull, ...
--state NAME    only touching, deep or apart
--repeats N     passes over all pairs, of which the best counts, instead of 15
--pairs N       pairs of each kind and state, instead of 512";

/// The filters; empty ones let everything pass.
#[derive(Debug)]
pub struct Options {
    pub kind: String,
    pub state: String,
    pub repeats: u32,
    pub pairs: u32,
}

impl Options {
    const WHOLE: Self = Self { kind: String::new(), state: String::new(), repeats: 15, pairs: 512 };

    /// Reads the filters, or says what is wrong with them.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options = Self::WHOLE;
        let mut words = words.iter().filter(|word| *word != "--");
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let number = || match value.parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{word} takes a number above 0, not {value}")),
            };
            match word.as_str() {
                "--kind" => options.kind = value.to_lowercase(),
                "--state" => options.state = value.to_lowercase(),
                "--repeats" => options.repeats = number()?,
                "--pairs" => options.pairs = number()?,
                _ => return Err(format!("there is no {word}")),
            }
        }
        Ok(options)
    }

    /// Whether these are all figures there are.
    pub fn is_whole(&self) -> bool {
        self.kind.is_empty()
            && self.state.is_empty()
            && self.repeats >= Self::WHOLE.repeats
            && self.pairs >= Self::WHOLE.pairs
    }
}
