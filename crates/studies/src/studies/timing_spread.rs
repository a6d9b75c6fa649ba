//! Timing spread: relative spread of repeated measurements.

use embate_report::Table;
use embate_report::language::Language;

use super::labels;
use crate::statistics;
use crate::study_kind::StudyKind;

/// Median spread above which the times of a run are called noisy.
const NOISY: f64 = 0.2;

/// Relative spreads of the rows of one case and technique.
pub(crate) struct Spreads<'a> {
    pub(crate) case: &'a str,
    pub(crate) technique: &'a str,
    pub(crate) of_rows: Vec<f64>,
}

/// Median, upper quartile and maximum of each case and technique. `None` without repeats.
pub(super) fn table(
    caption: String,
    spreads: &[Spreads<'_>],
    kind: StudyKind,
    language: Language,
) -> Option<Table> {
    let share = |spread: f64| language.percent(spread * 100.0, 1);
    let mut rows = Vec::new();
    for Spreads { case, technique, of_rows } in spreads {
        let Some(quartiles) = statistics::quartiles(of_rows) else { continue };
        let worst = of_rows.iter().copied().fold(0.0, f64::max);
        rows.push(vec![
            labels::case(kind, case, language),
            labels::technique(kind, technique, language),
            language.integer(of_rows.len() as u64),
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
        language.text("Maximum", "Máximo"),
    ];
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Warning about noisy times: the median over all rows is above [`NOISY`].
pub(super) fn warning(spreads: &[Spreads<'_>], language: Language) -> Option<String> {
    let all: Vec<f64> = spreads.iter().flat_map(|spreads| &spreads.of_rows).copied().collect();
    let median = statistics::median(&all).filter(|median| *median > NOISY)?;
    let median = language.percent(median * 100.0, 0);
    Some(language.text(
        format!("Noisy times: the median spread of this run is {median}. Another program probably used the machine; repeat the run on an idle one before comparing times."),
        format!("Tempos ruidosos: a dispersão mediana desta execução é de {median}. Outro programa provavelmente usou a máquina; repita a execução com ela ociosa antes de comparar tempos."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noisy_times_are_reported_and_quiet_ones_are_not() {
        let spreads =
            |spread: f64| [Spreads { case: "c", technique: "t", of_rows: vec![spread; 3] }];
        for language in Language::ALL {
            assert!(warning(&spreads(0.5), language).unwrap().contains("50"));
            assert_eq!(warning(&spreads(0.1), language), None);
            assert_eq!(warning(&[], language), None);
        }
    }
}
