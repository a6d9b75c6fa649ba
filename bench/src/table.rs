//! The raw figures: on the terminal as they come, and in `runs/<date>-<machine>/` for later.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use embate_lab::language::Language;
use embate_lab::run_folder::RunInfo;

/// A CSV file that grows line by line.
pub struct Table {
    path: PathBuf,
    file: fs::File,
}

impl Table {
    /// Begins `runs/<date>-<machine>/<name>.csv`, in place of an earlier one of that day.
    pub fn begin(name: &str) -> std::io::Result<Self> {
        let info = RunInfo::new("bench", serde_json::Map::new(), 1, Language::English);
        let machine: String = info
            .machine
            .cpu
            .unwrap_or_default()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .collect();
        let day = &info.started[..10];
        let folder =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("runs/{day}-{machine}"));
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{name}.csv"));
        Ok(Self { file: fs::File::create(&path)?, path })
    }

    /// Tells one line.
    ///
    /// # Panics
    /// If the disk is full: a benchmark without its figures is not worth going on with.
    pub fn line(&mut self, line: &str) {
        println!("{line}");
        writeln!(self.file, "{line}").expect("the figures can be written");
    }

    /// Where the figures are.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }
}
