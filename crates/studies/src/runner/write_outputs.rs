//! Output files of a finished study.

use crate::runner::run_folder::{RunFolder, RunFolderError};
use embate_report::Report;
use embate_report::chart::Theme;

/// Writes `results.csv`, `charts/*.svg` and `report.html`.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(folder: &RunFolder, csv: &[u8], report: &Report) -> Result<(), RunFolderError> {
    folder.write("results.csv", csv)?;
    for chart in report.charts() {
        for (name, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
            let svg = chart.svg(theme, report.language);
            folder.write(&format!("charts/{}-{name}.svg", chart.id), svg.as_bytes())?;
        }
    }
    folder.write("report.html", report.html().as_bytes())
}
