//! Findings about the number of tests: they do not depend on the machine.

use embate_report::language::Language;
use embate_report::{Finding, Verdict};
use embate_scene::generators::Bounds;

use super::table_of_experiment_2;
use crate::studies::broad2d::published;
use crate::studies::labels;
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// Maximum deviation of the grid's counts, in percent. Single runs spread by 1–4%.
const NEAR_PERCENT: f64 = 5.0;
/// Minimum number of objects for a comparison of counts; below it chance decides the count.
const COUNTED_FROM: u32 = 500;
/// Minimum number of worlds whose mean is compared with the published count.
const SEEDS: usize = 5;

/// Brute force tests every pair.
pub(super) fn brute_tests(summaries: &Summaries<'_>, language: Language) -> Finding {
    let of_study = || {
        let rows = [EXPERIMENT_1, EXPERIMENT_2].into_iter().flat_map(|c| summaries.of_case(c));
        rows.filter(|s| s.technique == STUDY_BRUTE)
    };
    let exact = of_study().all(|s| s.tests == published::brute_tests(s.objects));
    let measured = of_study().max_by_key(|s| s.objects).map(|s| {
        let (tests, objects) = (language.number(s.tests, 0), language.integer(s.objects.into()));
        let exact_text = language.yes_no(exact);
        let words = language.text(
            format!("{tests} at {objects} objects; exact at every size: {exact_text}"),
            format!("{tests} com {objects} objetos; exato em todos os tamanhos: {exact_text}"),
        );
        (words, Verdict::of(exact))
    });
    let largest = language.integer(12_497_500);
    let claim =
        language.text("Brute force tests n(n−1)/2 pairs", "A força bruta testa n(n−1)/2 pares");
    let published = language
        .text(format!("{largest} at 5,000 objects"), format!("{largest} com 5.000 objetos"));
    let note = language.text("Must agree exactly.", "Deve coincidir exatamente.");
    let base = super::published("brute-tests", table_of_experiment_2(language));
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

/// The published counts of the grid, for one kind of bounds.
pub(super) fn grid_tests(summaries: &Summaries<'_>, bounds: Bounds, language: Language) -> Finding {
    let name = bounds.name();
    let lines: Vec<_> =
        published::lines(bounds).filter(|line| line.objects >= COUNTED_FROM).collect();
    let compared: Vec<(f64, &Summary<'_>)> = lines
        .iter()
        .filter_map(|line| {
            let summary = summaries.get(EXPERIMENT_2, STUDY_GRID, name, line.objects)?;
            Some((100.0 * (summary.tests / line.grid_tests - 1.0), summary))
        })
        .collect();
    let worst = compared.iter().max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()));
    let is_complete =
        compared.len() == lines.len() && compared.iter().all(|(_, s)| s.seeds >= SEEDS);
    let measured = worst.map(|(deviation, summary)| {
        let counts: Vec<_> = compared.iter().map(|(_, s)| language.number(s.tests, 0)).collect();
        let (counts, percent) = (counts.join(" / "), language.percent(*deviation, 1));
        let objects = language.integer(summary.objects.into());
        let words = language.text(
            format!("{counts}; largest difference {percent} ({objects} objects)"),
            format!("{counts}; a maior diferença é de {percent} ({objects} objetos)"),
        );
        let verdict = if is_complete {
            Verdict::of(deviation.abs() <= NEAR_PERCENT)
        } else {
            Verdict::Undecided
        };
        (words, verdict)
    });
    let counts: Vec<_> = lines.iter().map(|line| language.number(line.grid_tests, 0)).collect();
    let shape = labels::bounds(name, language).to_lowercase();
    let claim = language.text(
        format!("Tests of the grid, {shape}, 500 to 5,000 objects"),
        format!("Testes da grade, {shape}, de 500 a 5.000 objetos"),
    );
    let note = language.text(
        format!("Does not depend on the machine; confirmed within {NEAR_PERCENT}% at each size, as a mean of at least {SEEDS} worlds."),
        format!("Não depende da máquina; confirmado a até {NEAR_PERCENT}% em cada tamanho, como média de ao menos {SEEDS} mundos."),
    );
    let is_undecided = measured.as_ref().is_some_and(|(_, v)| *v == Verdict::Undecided);
    let note = if is_undecided {
        let (run, needed) =
            (compared.iter().filter(|(_, s)| s.seeds >= SEEDS).count(), lines.len());
        let gaps = language.text(
            format!("Incomplete: sizes run with at least {SEEDS} worlds: {run} of {needed}."),
            format!(
                "Incompleto: tamanhos executados com ao menos {SEEDS} mundos: {run} de {needed}."
            ),
        );
        format!("{note} {gaps}")
    } else {
        note
    };
    let id = match bounds {
        Bounds::Aabb => "grid-tests-boxes",
        Bounds::Circle => "grid-tests-circles",
    };
    let published = counts.join(" / ");
    let base = super::published(id, table_of_experiment_2(language));
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}
