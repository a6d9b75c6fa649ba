//! What does a finished study leave in its folder?

use crate::chart::Theme;
use crate::report::Report;
use crate::run_folder::{RunFolder, RunFolderError};

/// Writes `results.csv`, `charts/*.svg` and `report.html`.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(folder: &RunFolder, csv: &[u8], report: &Report) -> Result<(), RunFolderError> {
    folder.write("results.csv", csv)?;
    for chart in report.charts() {
        for (name, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
            let svg = chart.svg(theme, report.language);
            folder.write(&format!("charts/{}-{name}.svg", chart.id), svg.as_bytes())?;
        }
    }
    folder.write("report.html", report.html().as_bytes())
}
