//! Published findings of Gonçales et al. 2016, confirmed or refuted.
//!
//! Counts do not depend on the machine: brute force must agree exactly, the grid within 5 % of the
//! published single run, as a mean of at least five worlds. Times depend on it: only their order is
//! compared. A claim over all sizes is refuted by one size, and undecided while sizes are missing.

use embate_report::language::Language;
use embate_report::{Finding, Verdict};
use embate_scene::generators::Bounds;

use super::label;
use super::published::{self, FIXED_SIZE, OBJECTS, WORLD};
use crate::studies::labels;
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::moving_worlds::table::{cell, missed};
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// Maximum deviation of the grid's counts, in percent. Single runs spread by 1–4 %.
const NEAR_PERCENT: f64 = 5.0;
/// Minimum number of objects for a comparison of counts; below it chance decides the count.
const COUNTED_FROM: u32 = 500;
/// Minimum number of worlds whose mean is compared with the published count.
const SEEDS: usize = 5;
/// "Few" and "many" objects: the study gives no numbers.
const FEW: u32 = 100;
const MANY: u32 = 1000;
/// "Little difference": a twentieth of a frame of 1/60 s, in milliseconds. The study's own are up
/// to 0.45.
const LITTLE_MS: f64 = 1000.0 / 60.0 / 20.0;
/// "Much smaller than the world": a tenth of its edge.
const MUCH_SMALLER: f32 = WORLD / 10.0;
/// Lists reserve room in advance: memory counts as less only below nine tenths.
const RESERVE: f64 = 0.9;
/// A ratio of times below this is a tie: times of equal work differ as much.
const LEAD: f64 = 1.05;
/// Minimum number of cell sizes for findings about them.
const MIN_CELL_SIZES: usize = 3;

/// Every published finding, in the study's order.
pub(super) fn findings(summaries: &Summaries<'_>, language: Language) -> Vec<Finding> {
    vec![
        brute_tests(summaries, language),
        grid_tests(summaries, Bounds::Aabb, language),
        grid_tests(summaries, Bounds::Circle, language),
        best_cell(summaries, language),
        memory(summaries, language),
        few_objects(summaries, language),
        many_objects(summaries, language),
        circles_everywhere(summaries, language),
        boxes_with_few(summaries, language),
        weakness(summaries, language),
    ]
}

fn finding(
    language: Language,
    claim: String,
    published: String,
    measured: Option<(String, Verdict)>,
    note: String,
) -> Finding {
    let not_run =
        || (language.text("not part of this run", "fora desta execução"), Verdict::NotRun);
    let (ours, verdict) = measured.unwrap_or_else(not_run);
    Finding { claim, published, ours, verdict, note }
}

/// Verdict on a claim over all sizes.
fn over_all_sizes(is_refuted: bool, is_complete: bool) -> Verdict {
    match (is_refuted, is_complete) {
        (true, _) => Verdict::NotConfirmed,
        (false, true) => Verdict::Confirmed,
        (false, false) => Verdict::Undecided,
    }
}

/// A note, with the reason of an undecided verdict on a claim over all sizes.
fn note_with_gaps(note: String, is_undecided: bool, language: Language) -> String {
    if !is_undecided {
        return note;
    }
    let reason = language.text(
        "Incomplete: some of the published sizes were not run.",
        "Incompleto: alguns dos tamanhos publicados não foram executados.",
    );
    format!("{note} {reason}")
}

fn is_undecided(measured: Option<&(String, Verdict)>) -> bool {
    measured.is_some_and(|(_, verdict)| *verdict == Verdict::Undecided)
}

fn brute_tests(summaries: &Summaries<'_>, language: Language) -> Finding {
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
    finding(language, claim, published, measured, note)
}

fn grid_tests(summaries: &Summaries<'_>, bounds: Bounds, language: Language) -> Finding {
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
        format!("Não depende da máquina; confirmado a até {NEAR_PERCENT} % em cada tamanho, como média de ao menos {SEEDS} mundos."),
    );
    let note = if is_undecided(measured.as_ref()) {
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
    finding(language, claim, counts.join(" / "), measured, note)
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

fn best_cell(summaries: &Summaries<'_>, language: Language) -> Finding {
    let fastest = |all: bool| {
        let cells = of_cells(summaries).filter(|(_, s)| all || s.missed == 0);
        cells.min_by(|(_, one), (_, other)| one.ms.total_cmp(&other.ms))
    };
    let count = of_cells(summaries).count();
    let best = fastest(false).filter(|_| count >= MIN_CELL_SIZES);
    let measured = best.map(|(size, summary)| {
        let show = |size: f32, summary: &Summary<'_>| {
            format!("{} px, {} ms", cell(size, language), language.significant(summary.ms, 3))
        };
        let is_tied = |(other, s): &(f32, &Summary<'_>)| {
            *other != size && s.missed == 0 && s.ms < LEAD * summary.ms
        };
        let tied: Vec<_> = of_cells(summaries).filter(is_tied).collect();
        let best = show(size, summary);
        let mut words = language.text(
            format!("fastest that misses no pair: {best}"),
            format!("a mais rápida que não perde pares: {best}"),
        );
        if !tied.is_empty() {
            let sizes: Vec<_> = tied.iter().map(|(size, s)| show(*size, s)).collect();
            let (sizes, percent) = (sizes.join("; "), language.percent(100.0 * (LEAD - 1.0), 0));
            words += &language.text(
                format!("; slower by less than {percent}: {sizes}"),
                format!("; mais lentas por menos de {percent}: {sizes}"),
            );
        }
        if let Some((size, s)) = fastest(true).filter(|(faster, _)| *faster != size) {
            let (faster, share) = (show(size, s), missed(s, language));
            words += &language.text(
                format!(" (faster, but misses {share} of the pairs: {faster})"),
                format!(" (mais rápida, mas perde {share} dos pares: {faster})"),
            );
        }
        let in_range = |size: f32| size > FIXED_SIZE && size <= MUCH_SMALLER;
        let mut sizes = tied.iter().map(|(size, _)| *size).chain([size]);
        let verdict = match (sizes.clone().all(in_range), sizes.any(in_range)) {
            (true, _) => Verdict::Confirmed,
            // The times do not separate a size in the range from one outside.
            (false, true) => Verdict::Undecided,
            (false, false) => Verdict::NotConfirmed,
        };
        (words, verdict)
    });
    let measured = measured.or_else(|| too_few_cells(count, language));
    let claim = language.text(
        "The best cell is larger than the largest object and much smaller than the world",
        "A melhor célula é maior que o maior objeto e muito menor que o mundo",
    );
    let published = language
        .text("more than 50 px, much less than 2,000 px", "mais de 50 px, muito menos de 2.000 px");
    let tenth = cell(MUCH_SMALLER, language);
    let note = language.text(
        format!("Study's grid, cell sizes that miss no pair; “much smaller” means at most a tenth, {tenth} px."),
        format!("Grade do estudo, tamanhos de célula que não perdem pares; “muito menor” significa no máximo um décimo, {tenth} px."),
    );
    finding(language, claim, published, measured, note)
}

fn memory(summaries: &Summaries<'_>, language: Language) -> Finding {
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
    let published = language.text("stated without values", "afirmado sem valores");
    let note = language.text(
        "Study's grid; confirmed if no cell size uses less than nine tenths of the memory of the next larger size (lists reserve room in advance), and the smallest uses more than the largest.",
        "Grade do estudo; confirmado se nenhum tamanho de célula usa menos de nove décimos da memória do próximo maior (as listas reservam espaço de antemão), e o menor usa mais que o maior.",
    );
    finding(language, claim, published, measured, note)
}

fn few_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects <= FEW);
    let apart = |pair: &Compared| (pair.brute_ms - pair.grid_ms).abs();
    let widest = pairs.iter().max_by(|one, other| apart(one).total_cmp(&apart(other)));
    let measured = widest.map(|pair| {
        let (ms, name) = (language.significant(apart(pair), 2), pair.name(language));
        let words = language.text(
            format!("largest difference {ms} ms ({name})"),
            format!("a maior diferença é de {ms} ms ({name})"),
        );
        (words, Verdict::of(apart(pair) <= LITTLE_MS))
    });
    let claim = language.text(
        "With few objects there is little difference between brute force and grid",
        "Com poucos objetos há pouca diferença entre força bruta e grade",
    );
    let published = language.text(
        "0.01 and 0.01 ms (10 boxes); 0.27 and 0.11 ms (100 boxes)",
        "0,01 e 0,01 ms (10 caixas); 0,27 e 0,11 ms (100 caixas)",
    );
    let little = language.number(LITTLE_MS, 2);
    let note = language.text(
        format!("“Few” means up to {FEW} objects; “little”, a twentieth of a frame, {little} ms."),
        format!(
            "“Poucos” significa até {FEW} objetos; “pouca”, um vigésimo de quadro, {little} ms."
        ),
    );
    finding(language, claim, published, measured, note)
}

fn many_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects >= MANY);
    let is_refuted = pairs.iter().any(|pair| pair.grid_ms >= pair.brute_ms);
    let is_run = |objects: &&u32| {
        Bounds::ALL.iter().all(|bounds| {
            pairs.iter().any(|pair| pair.objects == **objects && pair.bounds == *bounds)
        })
    };
    let needed = || OBJECTS.iter().filter(|objects| **objects >= MANY);
    let is_complete = needed().filter(is_run).count() == needed().count();
    let largest = pairs.iter().map(|pair| pair.objects).max();
    let speedups: Vec<_> = pairs
        .iter()
        .filter(|pair| Some(pair.objects) == largest)
        .map(|pair| {
            format!("{} ({})", language.times(pair.brute_ms / pair.grid_ms), pair.name(language))
        })
        .collect();
    let measured =
        (!pairs.is_empty()).then(|| (speedups.join("; "), over_all_sizes(is_refuted, is_complete)));
    let claim = language
        .text("With many objects the grid is faster", "Com muitos objetos a grade é mais rápida");
    let speedup = |bounds| {
        let line = published::line(bounds, 5000);
        line.map_or(String::new(), |line| language.times(line.brute_ms / line.grid_ms))
    };
    let (boxes, circles) = (speedup(Bounds::Aabb), speedup(Bounds::Circle));
    let published = language.text(
        format!("{boxes} (5,000 boxes); {circles} (5,000 circles)"),
        format!("{boxes} (5.000 caixas); {circles} (5.000 círculos)"),
    );
    let many = language.integer(MANY.into());
    let note = language.text(
        format!("Depends on the machine; confirmed if the study's grid is faster than the study's brute force at every published size from {many} objects."),
        format!("Depende da máquina; confirmado se a grade do estudo é mais rápida que a força bruta do estudo em todo tamanho publicado a partir de {many} objetos."),
    );
    let note = note_with_gaps(note, is_undecided(measured.as_ref()), language);
    finding(language, claim, published, measured, note)
}

fn circles_everywhere(summaries: &Summaries<'_>, language: Language) -> Finding {
    let ratios = shape_ratios(summaries);
    let is_refuted = ratios.iter().any(|one| one.ratio < LEAD);
    let is_complete = has_all_sizes(&ratios, |_| true);
    let measured = (!ratios.is_empty()).then(|| {
        (shape_ratios_in_words(&ratios, language), over_all_sizes(is_refuted, is_complete))
    });
    let claim = language.text(
        "One passage: circles are slightly faster in all cases",
        "Um trecho: os círculos são um pouco mais rápidos em todos os casos",
    );
    let published = language.text(
        "in the study's own table circles are slower at 10 objects, and at 100 with the grid",
        "na própria tabela do estudo os círculos são mais lentos com 10 objetos e, na grade, com 100",
    );
    let is_undecided = is_undecided(measured.as_ref());
    let note = note_with_gaps(rule_of_shape_ratios(language), is_undecided, language);
    finding(language, claim, published, measured, note)
}

fn boxes_with_few(summaries: &Summaries<'_>, language: Language) -> Finding {
    let ratios = shape_ratios(summaries);
    let is_decisive = |objects: u32| objects <= FEW || objects >= MANY;
    let contradicts = |one: &ShapeRatio<'_>| {
        (one.objects <= FEW && one.ratio > 1.0 / LEAD) || (one.objects >= MANY && one.ratio < LEAD)
    };
    let is_refuted = ratios.iter().any(contradicts);
    let is_complete = has_all_sizes(&ratios, is_decisive);
    let is_run = ratios.iter().any(|one| is_decisive(one.objects));
    let measured = is_run.then(|| {
        (shape_ratios_in_words(&ratios, language), over_all_sizes(is_refuted, is_complete))
    });
    let claim = language.text(
        "Another passage: boxes are faster with few objects, circles with many",
        "Outro trecho: as caixas são mais rápidas com poucos objetos; os círculos, com muitos",
    );
    let published = language.text(
        "contradicts the passage before; both are checked",
        "contradiz o trecho anterior; ambos são verificados",
    );
    let is_undecided = is_undecided(measured.as_ref());
    let note = note_with_gaps(rule_of_shape_ratios(language), is_undecided, language);
    finding(language, claim, published, measured, note)
}

fn weakness(summaries: &Summaries<'_>, language: Language) -> Finding {
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
        "Known weakness: an object larger than a cell is missed by cells that contain none of its key points",
        "Fraqueza conhecida: um objeto maior que a célula não é listado nas células que não contêm nenhum de seus pontos-chave",
    );
    let published = language.text("stated without values", "afirmado sem valores");
    let note = language.text(
        "Boxes of 50 px. Embate's techniques miss no pair at any cell size.",
        "Caixas de 50 px. As técnicas do Embate não perdem nenhum par, com qualquer tamanho de célula.",
    );
    finding(language, claim, published, measured, note)
}

/// The study's grid by cell size, smallest first.
fn of_cells<'a>(summaries: &'a Summaries<'a>) -> impl Iterator<Item = (f32, &'a Summary<'a>)> {
    let rows = summaries.of_case(EXPERIMENT_1).filter(|s| s.technique == STUDY_GRID);
    rows.filter_map(|summary| Some((summary.cell_size?, summary)))
}

/// The study's two techniques on the same world.
struct Compared {
    bounds: Bounds,
    objects: u32,
    brute_ms: f64,
    grid_ms: f64,
}

impl Compared {
    fn name(&self, language: Language) -> String {
        let objects = language.integer(self.objects.into());
        match self.bounds {
            Bounds::Aabb => language.text(format!("{objects} boxes"), format!("{objects} caixas")),
            Bounds::Circle => {
                language.text(format!("{objects} circles"), format!("{objects} círculos"))
            }
        }
    }
}

fn compared(summaries: &Summaries<'_>, counts: impl Fn(u32) -> bool) -> Vec<Compared> {
    let mut pairs = Vec::new();
    for bounds in Bounds::ALL {
        for objects in summaries.objects(EXPERIMENT_2).into_iter().filter(|n| counts(*n)) {
            let ms = |technique| {
                summaries.get(EXPERIMENT_2, technique, bounds.name(), objects).map(|s| s.ms)
            };
            if let (Some(brute_ms), Some(grid_ms)) = (ms(STUDY_BRUTE), ms(STUDY_GRID)) {
                pairs.push(Compared { bounds, objects, brute_ms, grid_ms });
            }
        }
    }
    pairs
}

/// Time of boxes divided by time of circles.
struct ShapeRatio<'a> {
    technique: &'a str,
    objects: u32,
    ratio: f64,
}

fn shape_ratios<'a>(summaries: &Summaries<'_>) -> Vec<ShapeRatio<'a>> {
    let mut ratios = Vec::new();
    for technique in [STUDY_BRUTE, STUDY_GRID] {
        for objects in summaries.objects(EXPERIMENT_2) {
            let ms = |bounds: Bounds| {
                summaries.get(EXPERIMENT_2, technique, bounds.name(), objects).map(|s| s.ms)
            };
            if let (Some(boxes), Some(circles)) = (ms(Bounds::Aabb), ms(Bounds::Circle)) {
                ratios.push(ShapeRatio { technique, objects, ratio: boxes / circles });
            }
        }
    }
    ratios
}

/// Whether both techniques have every published size that is needed.
fn has_all_sizes(ratios: &[ShapeRatio<'_>], is_needed: impl Fn(u32) -> bool) -> bool {
    [STUDY_BRUTE, STUDY_GRID].into_iter().all(|technique| {
        OBJECTS.into_iter().filter(|objects| is_needed(*objects)).all(|objects| {
            ratios.iter().any(|one| one.technique == technique && one.objects == objects)
        })
    })
}

/// `Grid (study): circles faster at 10 … (at most 1.3×), boxes faster at 100 …`
fn shape_ratios_in_words(ratios: &[ShapeRatio<'_>], language: Language) -> String {
    let mut sentences = Vec::new();
    for technique in [STUDY_BRUTE, STUDY_GRID] {
        let own = || ratios.iter().filter(|one| one.technique == technique);
        // Sizes at which one shape is faster, and the largest speedup.
        let faster = |speedup: &dyn Fn(f64) -> f64| {
            let of_shape: Vec<_> = own().filter(|one| speedup(one.ratio) >= LEAD).collect();
            let max = of_shape.iter().map(|one| speedup(one.ratio)).fold(1.0, f64::max);
            let sizes: Vec<_> =
                of_shape.iter().map(|one| language.integer(one.objects.into())).collect();
            (!sizes.is_empty()).then(|| (sizes.join(", "), language.times(max)))
        };
        let circles = faster(&|ratio| ratio).map(|(sizes, max)| {
            language.text(
                format!("circles faster at {sizes} (at most {max})"),
                format!("círculos mais rápidos com {sizes} (no máximo {max})"),
            )
        });
        let boxes = faster(&|ratio| 1.0 / ratio).map(|(sizes, max)| {
            language.text(
                format!("boxes faster at {sizes} (at most {max})"),
                format!("caixas mais rápidas com {sizes} (no máximo {max})"),
            )
        });
        let mut clauses: Vec<String> = circles.into_iter().chain(boxes).collect();
        if clauses.is_empty() && own().next().is_some() {
            clauses.push(language.text("equal at every size", "iguais em todos os tamanhos"));
        }
        if !clauses.is_empty() {
            sentences.push(format!("{}: {}", label(technique, language), clauses.join(", ")));
        }
    }
    sentences.join("; ")
}

fn rule_of_shape_ratios(language: Language) -> String {
    let percent = language.number((LEAD - 1.0) * 100.0, 0);
    let many = language.integer(MANY.into());
    language.text(
        format!("Depends on the machine; a difference below {percent}% counts as equal. “Few” means up to {FEW} objects, “many” at least {many}; required of both techniques of the study."),
        format!("Depende da máquina; uma diferença abaixo de {percent} % conta como igualdade. “Poucos” significa até {FEW} objetos; “muitos”, ao menos {many}; exigido das duas técnicas do estudo."),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;
    use crate::studies::moving_worlds::row::Row;

    fn verdicts(rows: &[Row]) -> Vec<Verdict> {
        let findings = findings(&Summaries::of(rows), Language::English);
        findings.iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn published_values_confirm_every_consistent_claim() {
        let found = verdicts(&sample_rows::published(5));
        let expected = [
            [Verdict::Confirmed; 7].as_slice(),
            // The study's own table refutes the first and, as brute force has circles ahead at 100,
            // the second.
            &[Verdict::NotConfirmed, Verdict::NotConfirmed, Verdict::Confirmed],
        ];
        assert_eq!(found, expected.concat());
    }

    #[test]
    fn findings_without_rows_are_not_run() {
        assert!(verdicts(&[]).iter().all(|verdict| *verdict == Verdict::NotRun));
    }

    #[test]
    fn incomplete_runs_leave_claims_over_all_sizes_undecided() {
        let mut rows = sample_rows::published(5);
        rows.retain(|row| match row.case.as_str() {
            EXPERIMENT_1 => row.cell_size.is_none_or(|size| size == 100.0 || size == 125.0),
            _ => row.objects == 2000,
        });
        for row in rows.iter_mut().filter(|row| row.bounds == "circle") {
            row.ms_per_frame /= 2.0;
        }
        let found = verdicts(&rows);
        assert_eq!(found[1..5], [Verdict::Undecided; 4], "counts, best cell and memory");
        assert_eq!(found[5], Verdict::NotRun, "few objects");
        assert_eq!(found[6..9], [Verdict::Undecided; 3], "many objects, circles and boxes");
        let findings = findings(&Summaries::of(&rows), Language::English);
        for finding in findings[1..3].iter().chain(&findings[6..9]) {
            assert!(finding.note.contains("Incomplete"), "{}", finding.note);
        }
    }

    #[test]
    fn equally_fast_cells_inside_and_outside_the_range_leave_the_best_cell_undecided() {
        let mut rows = sample_rows::published(5);
        let size_1000 = rows.iter_mut().filter(|row| row.cell_size == Some(1000.0));
        size_1000.for_each(|row| row.ms_per_frame = 2.06);
        assert_eq!(verdicts(&rows)[3], Verdict::Undecided);
    }

    #[test]
    fn two_seeds_leave_a_claim_about_a_mean_of_five_undecided() {
        let found = verdicts(&sample_rows::published(2));
        assert_eq!(found[1..3], [Verdict::Undecided; 2]);
        assert_eq!(found[0], Verdict::Confirmed);
    }

    #[test]
    fn deviating_counts_refute_a_claim() {
        let mut rows = sample_rows::published(5);
        for row in rows.iter_mut().filter(|row| row.objects == 4000 && row.bounds == "aabb") {
            row.tests_per_frame *= 1.06;
        }
        let found = verdicts(&rows);
        assert_eq!(found[..3], [Verdict::NotConfirmed, Verdict::NotConfirmed, Verdict::Confirmed]);
    }

    #[test]
    fn best_cell_size_outside_the_published_range_refutes_the_claim() {
        for size in [25.0, 1000.0] {
            let mut rows = sample_rows::published(5);
            for row in rows.iter_mut().filter(|row| row.cell_size == Some(size)) {
                (row.ms_per_frame, row.missed_pairs) = (1e-6, 0);
            }
            assert_eq!(verdicts(&rows)[3], Verdict::NotConfirmed, "{size}");
        }
    }
}
