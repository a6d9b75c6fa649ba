//! Which part of the measurement is wanted?

/// What may follow `cargo xtask bench motion --`.
pub const HELP: &str = "\
--scene NAME    only scenes whose name begins so: spheres, boxes, hulls, pyramid, stack, heavy-top
--most N        only scenes of at most N bodies
--threads N     instead of 1
--repeats N     runs of each scene, of which the best counts, instead of 3
--steps N       steps of each, instead of 300 (1200 of what should stand)";

/// The filters; empty ones let everything pass.
#[derive(Debug)]
pub struct Options {
    pub scene: String,
    pub most: u32,
    pub threads: u32,
    pub repeats: u32,
    pub steps: Option<u32>,
}

impl Options {
    /// Reads the filters, or says what is wrong with them.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let mut options =
            Self { scene: String::new(), most: u32::MAX, threads: 1, repeats: 3, steps: None };
        let mut words = words.iter().filter(|word| *word != "--");
        while let Some(word) = words.next() {
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            let number = || match value.parse() {
                Ok(number) if number > 0 => Ok(number),
                _ => Err(format!("{word} takes a number above 0, not {value}")),
            };
            match word.as_str() {
                "--scene" => options.scene = value.to_lowercase(),
                "--most" => options.most = number()?,
                "--threads" => options.threads = number()?,
                "--repeats" => options.repeats = number()?,
                "--steps" => options.steps = Some(number()?),
                _ => return Err(format!("there is no {word}")),
            }
        }
        if options.threads > 1 && !cfg!(feature = "parallel") {
            return Err(
                "--threads needs rapier's threads: build with --features parallel".to_owned()
            );
        }
        Ok(options)
    }

    /// Whether these are all figures there are, for a number of threads.
    pub fn is_whole(&self) -> bool {
        self.scene.is_empty() && self.most == u32::MAX && self.steps.is_none()
    }
}
