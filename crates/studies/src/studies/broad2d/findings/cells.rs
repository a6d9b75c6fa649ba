//! Findings about the cell size of the grid (experiment 1).

use embate_report::language::Language;
use embate_report::{Finding, Verdict};

use crate::studies::broad2d::published::{FIXED_SIZE, WORLD};
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::moving_worlds::table::{cell, missed};
use crate::studies::moving_worlds::{EXPERIMENT_1, STUDY_GRID};

/// "Small beside the world" (Hastings et al. 2005): a tenth of its edge. The number is Embate's.
const SMALL_BESIDE_WORLD: f32 = WORLD / 10.0;
/// Lists reserve room in advance: memory counts as less only below nine tenths.
const RESERVE: f64 = 0.9;
/// Minimum number of cell sizes for findings about them.
const MIN_CELL_SIZES: usize = 3;

/// The study's own rule: larger than the largest object, smaller than the world.
pub(super) fn best_cell(summaries: &Summaries<'_>, language: Language) -> Finding {
    let claim = language.text(
        "The best cell is larger than the largest object and smaller than the world",
        "A melhor célula é maior que o maior objeto e menor que o mundo",
    );
    let published =
        language.text("more than 50 px, less than 2,000 px", "mais de 50 px, menos de 2.000 px");
    let note = rule_of_best_cell(language);
    let place = language.text("experiment 1, result", "experimento 1, resultado");
    let base = super::published("best-cell", place);
    let fastest = fastest_cells(summaries, |size| size > FIXED_SIZE && size < WORLD, language);
    super::measured(Finding { claim, published, note, ..base }, fastest, language)
}

/// The rule of Hastings et al.: above the mean size, small beside the world.
pub(super) fn cell_rule_of_hastings(summaries: &Summaries<'_>, language: Language) -> Finding {
    let claim = language.text(
        "The best cell is larger than the mean object and much smaller than the world",
        "A melhor célula é maior que o objeto médio e muito menor que o mundo",
    );
    let published = language.text("stated without values", "afirmado sem valores");
    let tenth = cell(SMALL_BESIDE_WORLD, language);
    let rule = rule_of_best_cell(language);
    let note = language.text(
        format!("{rule} The mean size is 50 px; “much smaller” means at most a tenth, {tenth} px; both numbers are Embate's."),
        format!("{rule} O tamanho médio é 50 px; “muito menor” significa no máximo um décimo, {tenth} px; os dois números são do Embate."),
    );
    let is_in_range = |size: f32| size > FIXED_SIZE && size <= SMALL_BESIDE_WORLD;
    let base = super::cited("cell-rule-hastings", language);
    let fastest = fastest_cells(summaries, is_in_range, language);
    super::measured(Finding { claim, published, note, ..base }, fastest, language)
}

fn rule_of_best_cell(language: Language) -> String {
    language.text(
        "Study's grid, cell sizes that miss no pair. A cell size counts as equally fast if it is not slower in every world; undecided if equally fast sizes lie inside and outside the range.",
        "Grade do estudo, tamanhos de célula que não perdem pares. Um tamanho conta como igualmente rápido se não for mais lento em todos os mundos; inconclusivo se houver tamanhos igualmente rápidos dentro e fora da faixa.",
    )
}

/// The fastest cell size that misses no pair and those equally fast, and whether they lie in the
/// range.
fn fastest_cells(
    summaries: &Summaries<'_>,
    is_in_range: impl Fn(f32) -> bool,
    language: Language,
) -> Option<(String, Verdict)> {
    let count = of_cells(summaries).count();
    if count < MIN_CELL_SIZES {
        return too_few_cells(count, language);
    }
    let fastest = |all: bool| {
        let cells = of_cells(summaries).filter(|(_, s)| all || s.missed == 0);
        cells.min_by(|(_, one), (_, other)| one.ms.total_cmp(&other.ms))
    };
    let (size, summary) = fastest(false)?;
    let show = |(size, summary): (f32, &Summary<'_>)| {
        format!("{} px, {} ms", cell(size, language), language.significant(summary.ms, 3))
    };
    let is_tied = |(other, s): &(f32, &Summary<'_>)| {
        let ratio = s.ratio_range(summary);
        *other != size && s.missed == 0 && ratio.is_none_or(|ratio| ratio.low <= 1.0)
    };
    let tied: Vec<_> = of_cells(summaries).filter(is_tied).collect();
    let best = show((size, summary));
    let mut words = language.text(
        format!("fastest that misses no pair: {best}"),
        format!("a mais rápida que não perde pares: {best}"),
    );
    if !tied.is_empty() {
        let sizes: Vec<_> = tied.iter().map(|tied| show(*tied)).collect();
        let sizes = sizes.join("; ");
        words += &language.text(
            format!("; equally fast within the spread: {sizes}"),
            format!("; igualmente rápidas, dentro da dispersão: {sizes}"),
        );
    }
    if let Some(faster) = fastest(true).filter(|(faster, _)| *faster != size) {
        let (share, faster) = (missed(faster.1, language), show(faster));
        words += &language.text(
            format!(" (faster, but misses {share} of the pairs: {faster})"),
            format!(" (mais rápida, mas perde {share} dos pares: {faster})"),
        );
    }
    let mut sizes = tied.iter().map(|(size, _)| *size).chain([size]);
    let verdict = match (sizes.clone().all(&is_in_range), sizes.any(&is_in_range)) {
        (true, _) => Verdict::Confirmed,
        // The times do not separate a size in the range from one outside.
        (false, true) => Verdict::Undecided,
        (false, false) => Verdict::NotConfirmed,
    };
    Some((words, verdict))
}

/// Memory by cell size. The study did not measure memory.
pub(super) fn memory(summaries: &Summaries<'_>, language: Language) -> Finding {
    let cells: Vec<_> = of_cells(summaries).collect();
    let measured = (cells.len() >= MIN_CELL_SIZES).then(|| {
        let is_less = |one: &Summary<'_>, other: &Summary<'_>| one.bytes < RESERVE * other.bytes;
        let grows = !cells.windows(2).any(|pair| is_less(pair[0].1, pair[1].1));
        let (first, last) = (&cells[0], &cells[cells.len() - 1]);
        let show = |(size, s): &(f32, &Summary<'_>)| {
            format!("{} px: {}", cell(*size, language), language.bytes(s.bytes as u64))
        };
        let falls = first.1.bytes > last.1.bytes;
        // Shown even where the rule tolerates it.
        let exception = cells.windows(2).find(|pair| pair[0].1.bytes < pair[1].1.bytes);
        let exception = exception.map_or(String::new(), |pair| {
            let (smaller, larger) = (show(&pair[0]), show(&pair[1]));
            language
                .text(format!("; but {smaller}, {larger}"), format!("; mas {smaller}, {larger}"))
        });
        let words = format!("{}, {}{exception}", show(first), show(last));
        (words, Verdict::of(grows && falls))
    });
    let measured = measured.or_else(|| too_few_cells(cells.len(), language));
    let claim = language.text("Smaller cells use more memory", "Células menores usam mais memória");
    let published = language.text(
        "stated without values; the study did not measure memory",
        "afirmado sem valores; o estudo não mediu a memória",
    );
    let note = language.text(
        "Study's grid; confirmed if no cell size uses less than nine tenths of the memory of the next larger size (lists reserve room in advance), and the smallest uses more than the largest.",
        "Grade do estudo; confirmado se nenhum tamanho de célula usa menos de nove décimos da memória do próximo maior (as listas reservam espaço de antemão), e o menor usa mais que o maior.",
    );
    let base = super::cited("cell-memory", language);
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

/// Pairs that the grid misses. The study never says so.
pub(super) fn missed_pairs(summaries: &Summaries<'_>, language: Language) -> Finding {
    let small: Vec<_> = of_cells(summaries).filter(|(size, _)| *size < FIXED_SIZE).collect();
    let large = of_cells(summaries).filter(|(size, _)| *size >= FIXED_SIZE);
    let in_large: u64 = large.map(|(_, s)| s.missed).sum();
    let measured = small.first().map(|(size, summary)| {
        let (px, share) = (cell(*size, language), missed(summary, language));
        let words = language.text(
            format!("cells of {px} px miss {share} of the pairs; cells of 50 px and more miss {in_large} pairs"),
            format!("células de {px} px perdem {share} dos pares; células de 50 px ou mais perdem {in_large} pares"),
        );
        let all_miss = small.iter().all(|(_, s)| s.missed > 0);
        (words, Verdict::of(all_miss))
    });
    let claim = language.text(
        "The study's grid misses pairs of objects larger than a cell: cells that contain none of an object's key points do not list it",
        "A grade do estudo perde pares de objetos maiores que a célula: células que não contêm nenhum ponto-chave de um objeto não o listam",
    );
    let note = language.text(
        "Boxes of 50 px. The study does not mention missed pairs. Embate's techniques miss no pair at any cell size.",
        "Caixas de 50 px. O estudo não menciona pares perdidos. As técnicas do Embate não perdem nenhum par, com qualquer tamanho de célula.",
    );
    super::measured(
        Finding { claim, note, ..super::found_here("missed-pairs") },
        measured,
        language,
    )
}

/// A run of one or two cell sizes.
fn too_few_cells(count: usize, language: Language) -> Option<(String, Verdict)> {
    (1..MIN_CELL_SIZES).contains(&count).then(|| {
        let words = language.text(
            format!("cell sizes run: {count}; needed: at least {MIN_CELL_SIZES}"),
            format!(
                "tamanhos de célula executados: {count}; necessários: ao menos {MIN_CELL_SIZES}"
            ),
        );
        (words, Verdict::Undecided)
    })
}

/// The study's grid by cell size, smallest first.
fn of_cells<'a>(summaries: &'a Summaries<'a>) -> impl Iterator<Item = (f32, &'a Summary<'a>)> {
    let rows = summaries.of_case(EXPERIMENT_1).filter(|s| s.technique == STUDY_GRID);
    rows.filter_map(|summary| Some((summary.cell_size?, summary)))
}
