//! Timing spread: relative spread of repeated measurements.

use crate::statistics;
use embate_report::Table;
use embate_report::language::Language;

/// The usual and the worst row of each case and technique; `spreads` are those of its rows. `None`
/// if nothing was measured twice.
pub(super) fn table(
    caption: String,
    spreads: impl Iterator<Item = (String, String, Vec<f64>)>,
    language: Language,
) -> Option<Table> {
    let share = |spread: f64| language.percent(spread * 100.0, 1);
    let mut rows = Vec::new();
    for (case, technique, spreads) in spreads {
        let Some(quartiles) = statistics::quartiles(&spreads) else { continue };
        let worst = spreads.iter().copied().fold(0.0, f64::max);
        rows.push(vec![
            case,
            technique,
            language.integer(spreads.len() as u64),
            share(quartiles.median),
            share(quartiles.upper),
            share(worst),
        ]);
    }
    let head = vec![
        language.text("Case", "Caso"),
        language.text("Technique", "Técnica"),
        language.text("Rows", "Linhas"),
        language.text("Median", "Mediana"),
        language.text("Upper quartile", "Quartil superior"),
        language.text("Worst", "Pior"),
    ];
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
