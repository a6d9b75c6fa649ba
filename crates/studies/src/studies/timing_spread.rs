//! Timing spread: relative spread of repeated measurements, and verdicts that take it into account.

use embate_report::language::Language;
use embate_report::{Table, Verdict};

use super::labels;
use crate::statistics::{self, Range};
use crate::study_kind::StudyKind;

/// Median spread above which the times of a run are called noisy.
const NOISY: f64 = 0.2;

/// Verdict on a claim that a quantity measured in repeats lies within `low..=high`: confirmed if
/// all repeats do, refuted if none does, undecided if the spread is wider than the margin. `None`
/// is a quantity whose value is no number.
pub(super) fn verdict(range: Option<Range>, [low, high]: [f64; 2]) -> Verdict {
    match range {
        Some(range) if range.is_within(low, high) => Verdict::Confirmed,
        Some(range) if range.is_outside(low, high) => Verdict::NotConfirmed,
        _ => Verdict::Undecided,
    }
}

/// `Ratios of the repeats: 1.80× to 2.10×.`
pub(super) fn ratios_in_words(range: Range, language: Language) -> String {
    let [low, high] = [range.low, range.high].map(|ratio| language.times(ratio));
    language.text(
        format!("Ratios of the repeats: {low} to {high}."),
        format!("Razões das repetições: de {low} a {high}."),
    )
}

/// Reason of a verdict that is undecided because of the spread.
pub(super) fn wider_than_margin(language: Language) -> String {
    language.text(
        "Undecided: the spread of the repeats is wider than the margin.",
        "Inconclusivo: a dispersão das repetições é maior que a margem.",
    )
}

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
    fn ratio_within_the_spread_is_undecided() {
        let ratio = |low: f64, high: f64| verdict(Some(Range { low, high }), [1.0, f64::INFINITY]);
        assert_eq!(ratio(1.1, 1.4), Verdict::Confirmed);
        assert_eq!(ratio(0.7, 0.9), Verdict::NotConfirmed);
        assert_eq!(ratio(0.9, 1.1), Verdict::Undecided);
        assert_eq!(verdict(None, [1.0, 2.0]), Verdict::Undecided);
    }

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
