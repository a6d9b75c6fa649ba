//! Table of raw results: printed row by row, and stored in `runs/<date>-<machine>/`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use embate_report::language::Language;
use embate_studies::runner::run_folder::RunInfo;

/// A CSV file, written row by row.
pub struct Table {
    path: PathBuf,
    file: fs::File,
}

impl Table {
    /// Creates `runs/<date>-<machine>/<name>.csv`, or replaces the one of the same day.
    pub fn create(name: &str) -> std::io::Result<Self> {
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

    /// As [`Table::create`]; results of a subset get a file of their own, so that they do not
    /// replace complete ones.
    pub fn create_for(name: &str, is_complete: bool) -> std::io::Result<Self> {
        if is_complete { Self::create(name) } else { Self::create(&format!("{name}-part")) }
    }

    /// Prints and stores one row.
    ///
    /// # Panics
    /// If the row cannot be written, for instance because the disk is full.
    pub fn row(&mut self, row: &str) {
        println!("{row}");
        writeln!(self.file, "{row}").expect("the results can be written");
    }

    /// Path of the CSV file.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }
}

/// A cell with `decimals` digits after the point; empty without a value.
pub fn optional(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.decimals$}"))
}
