//! Output files of a finished study.

use embate_report::Report;
use embate_report::chart::Theme;
use embate_report::language::Language;

use crate::runner::run_folder::{RunFolder, RunFolderError};
use crate::study::Study;

/// Writes `results.csv`, `charts/*.svg` and `report.html`, and returns the report.
///
/// # Errors
/// If a file cannot be written.
pub fn write_outputs<S: Study>(
    study: &S,
    folder: &RunFolder,
    rows: &[S::Row],
    language: Language,
) -> Result<Report, RunFolderError> {
    let path = folder.path().join("results.csv");
    let csv = study.csv(rows).map_err(|source| RunFolderError::Io { path, source })?;
    let report = study.report(rows, folder.info(), language);
    folder.write("results.csv", &csv)?;
    for chart in report.charts() {
        for (name, theme) in [("light", Theme::Light), ("dark", Theme::Dark)] {
            let svg = chart.svg(theme, report.language);
            folder.write(&format!("charts/{}-{name}.svg", chart.id), svg.as_bytes())?;
        }
    }
    folder.write("report.html", report.html().as_bytes())?;
    Ok(report)
}
