//! Published findings of Gonçales et al. 2016, confirmed or refuted.
//!
//! Counts do not depend on the machine: brute force must agree exactly, the grid within 5 % of the
//! published single run, as a mean of at least five worlds. Times depend on it: only the order is
//! judged.

use embate_report::language::Language;
use embate_report::{Finding, Verdict};
use embate_scene::generators::Bounds;

use super::published::{self, FIXED_SIZE, WORLD};
use crate::studies::broad_phase::row::{Summaries, Summary};
use crate::studies::broad_phase::table::{cell, missed};
use crate::studies::broad_phase::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// How near the grid's counts must come, in percent. Single runs spread by 1–4 %.
const NEAR_PERCENT: f64 = 5.0;
/// Below it a handful of chance meetings decides the count.
const COUNTED_FROM: u32 = 500;
/// Worlds whose mean is held against the published count.
const SEEDS: usize = 5;
/// "Few" and "many" objects: the study gives no numbers.
const FEW: u32 = 100;
const MANY: u32 = 1000;
/// "Little difference": a twentieth of a frame of 1/60 s, in milliseconds. The study's own are up
/// to 0.45.
const LITTLE_MS: f64 = 1000.0 / 60.0 / 20.0;
/// "Much smaller than the world": a tenth of its edge.
const MUCH_SMALLER: f32 = WORLD / 10.0;
/// Lists reserve room in advance: a tenth less memory is no less.
const RESERVE: f64 = 0.9;
/// A lead below this is none: times of the same work differ as much.
const LEAD: f64 = 1.05;

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
    let nothing = || {
        (
            language.text("not measured in this run", "não medido nesta execução"),
            Verdict::NotMeasured,
        )
    };
    let (ours, verdict) = measured.unwrap_or_else(nothing);
    Finding { claim, published, ours, verdict, note }
}

fn brute_tests(summaries: &Summaries<'_>, language: Language) -> Finding {
    let of_study = || {
        let rows = [EXPERIMENT_1, EXPERIMENT_2].into_iter().flat_map(|c| summaries.of_case(c));
        rows.filter(|s| s.technique == STUDY_BRUTE)
    };
    let exact = of_study().all(|s| s.tests == published::brute_tests(s.objects));
    let measured = of_study().max_by_key(|s| s.objects).map(|s| {
        let (tests, objects) = (language.number(s.tests, 0), language.integer(s.objects.into()));
        let words = language.text(
            format!(
                "{tests} at {objects} objects; exact at every size: {}",
                language.yes_no(exact)
            ),
            format!(
                "{tests} com {objects} objetos; exato em todos os tamanhos: {}",
                language.yes_no(exact)
            ),
        );
        (words, Verdict::of(exact))
    });
    let most = language.integer(12_497_500);
    let claim =
        language.text("Brute force tests n(n−1)/2 pairs", "A força bruta testa n(n−1)/2 pares");
    let published =
        language.text(format!("{most} at 5,000 objects"), format!("{most} com 5.000 objetos"));
    let note = language.text("Must agree exactly.", "Tem de coincidir exatamente.");
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
    let measured = worst.map(|(off, summary)| {
        let counts: Vec<_> = compared.iter().map(|(_, s)| language.number(s.tests, 0)).collect();
        let (counts, off_by) = (counts.join(" / "), language.percent(*off, 1));
        let objects = language.integer(summary.objects.into());
        let words = language.text(
            format!("{counts}; farthest off by {off_by} ({objects} objects)"),
            format!("{counts}; a maior diferença é de {off_by} ({objects} objetos)"),
        );
        let verdict =
            if is_complete { Verdict::of(off.abs() <= NEAR_PERCENT) } else { Verdict::NotMeasured };
        (words, verdict)
    });
    let counts: Vec<_> = lines.iter().map(|line| language.number(line.grid_tests, 0)).collect();
    let claim = language.text(
        format!("Tests of the grid, {name}, 500 to 5,000 objects"),
        format!("Testes da grade, {name}, de 500 a 5.000 objetos"),
    );
    let note = language.text(
        format!("Does not depend on the machine; held within {NEAR_PERCENT} % at each size, as a mean of at least {SEEDS} worlds."),
        format!("Não depende da máquina; confirmado a até {NEAR_PERCENT} % em cada tamanho, como média de ao menos {SEEDS} mundos."),
    );
    finding(language, claim, counts.join(" / "), measured, note)
}

fn best_cell(summaries: &Summaries<'_>, language: Language) -> Finding {
    let fastest = |all: bool| {
        let cells = of_cells(summaries).filter(|(_, s)| all || s.missed == 0);
        cells.min_by(|(_, one), (_, other)| one.ms.total_cmp(&other.ms))
    };
    let best = fastest(false).filter(|_| of_cells(summaries).count() > 2);
    let measured = best.map(|(size, summary)| {
        let (px, ms) = (cell(size, language), language.significant(summary.ms, 3));
        let mut words = language.text(
            format!("fastest that misses no pair: {px} px, {ms} ms"),
            format!("a mais rápida que não perde pares: {px} px, {ms} ms"),
        );
        if let Some((size, s)) = fastest(true).filter(|(faster, _)| *faster != size) {
            let (px, ms) = (cell(size, language), language.significant(s.ms, 3));
            let share = missed(s, language);
            words += &language.text(
                format!(" ({px} px take {ms} ms, but miss {share})"),
                format!(" ({px} px levam {ms} ms, mas perdem {share})"),
            );
        }
        (words, Verdict::of(size > FIXED_SIZE && size <= MUCH_SMALLER))
    });
    let claim = language.text(
        "The best cell is larger than the largest object and much smaller than the world",
        "A melhor célula é maior que o maior objeto e muito menor que o mundo",
    );
    let published = language
        .text("more than 50 px, much less than 2,000", "mais de 50 px, muito menos de 2.000");
    let tenth = cell(MUCH_SMALLER, language);
    let note = language.text(
        format!("Judged on the study's grid, among cells with which it misses no pair; “much smaller” is taken as at most a tenth, {tenth} px."),
        format!("Julgado na grade do estudo, entre as células com que ela não perde pares; “muito menor” é tomado como no máximo um décimo, {tenth} px."),
    );
    finding(language, claim, published, measured, note)
}

fn memory(summaries: &Summaries<'_>, language: Language) -> Finding {
    let cells: Vec<_> = of_cells(summaries).collect();
    let measured = (cells.len() > 2).then(|| {
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
    let claim = language.text("Smaller cells use more memory", "Células menores usam mais memória");
    let published = language.text("said, without figures", "afirmado, sem números");
    let note = language.text(
        "Judged on the study's grid; held where no cell size takes less than nine tenths of what the next larger one takes (lists reserve room in advance), and the smallest more than the largest.",
        "Julgado na grade do estudo; confirmado se nenhuma célula ocupa menos de nove décimos do que ocupa a próxima maior (as listas reservam espaço de antemão), e a menor, mais que a maior.",
    );
    finding(language, claim, published, measured, note)
}

fn few_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects <= FEW);
    let widest = pairs.iter().max_by(|one, other| {
        let apart = |pair: &Compared| (pair.brute_ms - pair.grid_ms).abs();
        apart(one).total_cmp(&apart(other))
    });
    let measured = widest.map(|pair| {
        let apart = (pair.brute_ms - pair.grid_ms).abs();
        let words = language.text(
            format!(
                "at most {} ms apart ({})",
                language.significant(apart, 2),
                pair.name(language)
            ),
            format!(
                "no máximo {} ms de diferença ({})",
                language.significant(apart, 2),
                pair.name(language)
            ),
        );
        (words, Verdict::of(apart <= LITTLE_MS))
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
        format!("“Few” is taken as up to {FEW}, “little” as a twentieth of a frame, {little} ms."),
        format!(
            "“Poucos” é tomado como até {FEW}; “pouca”, como um vigésimo de quadro, {little} ms."
        ),
    );
    finding(language, claim, published, measured, note)
}

fn many_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects >= MANY);
    let wins = pairs.iter().all(|pair| pair.grid_ms < pair.brute_ms);
    let largest = pairs.iter().map(|pair| pair.objects).max();
    let gains: Vec<_> = pairs
        .iter()
        .filter(|pair| Some(pair.objects) == largest)
        .map(|pair| {
            format!("{} ({})", language.times(pair.brute_ms / pair.grid_ms), pair.name(language))
        })
        .collect();
    let measured = (!pairs.is_empty()).then(|| (gains.join("; "), Verdict::of(wins)));
    let claim =
        language.text("With many objects the grid wins", "Com muitos objetos a grade vence");
    let gain = |bounds| {
        let line = published::line(bounds, 5000);
        line.map_or(String::new(), |line| language.times(line.brute_ms / line.grid_ms))
    };
    let (boxes, circles) = (gain(Bounds::Aabb), gain(Bounds::Circle));
    let published = language.text(
        format!("{boxes} (5,000 boxes); {circles} (5,000 circles)"),
        format!("{boxes} (5.000 caixas); {circles} (5.000 círculos)"),
    );
    let many = language.integer(MANY.into());
    let note = language.text(
        format!("Depends on the machine; held where the study's grid is faster than its brute force at every size from {many} on."),
        format!("Depende da máquina; confirmado se a grade do estudo for mais rápida que a força bruta dele em todo tamanho a partir de {many}."),
    );
    finding(language, claim, published, measured, note)
}

fn circles_everywhere(summaries: &Summaries<'_>, language: Language) -> Finding {
    let leads = leads(summaries);
    let ahead = leads.iter().filter(|lead| lead.ratio >= LEAD).count();
    let measured =
        (!leads.is_empty()).then(|| (told(&leads, language), Verdict::of(ahead == leads.len())));
    let claim = language.text(
        "In one place: circles are slightly ahead everywhere",
        "Em um trecho: os círculos ficam um pouco à frente em todos os casos",
    );
    let published = language.text(
        "in its own table circles are behind at 10 objects, and at 100 with the grid",
        "na própria tabela os círculos ficam atrás com 10 objetos e, na grade, com 100",
    );
    finding(language, claim, published, measured, rule_of_leads(language))
}

fn boxes_with_few(summaries: &Summaries<'_>, language: Language) -> Finding {
    let leads = leads(summaries);
    let few = || leads.iter().filter(|lead| lead.objects <= FEW);
    let many = || leads.iter().filter(|lead| lead.objects >= MANY);
    let held = few().all(|lead| lead.ratio <= 1.0 / LEAD) && many().all(|lead| lead.ratio >= LEAD);
    let both = few().next().is_some() && many().next().is_some();
    let measured = both.then(|| (told(&leads, language), Verdict::of(held)));
    let claim = language.text(
        "In another place: boxes are ahead with few objects, circles with many",
        "Em outro trecho: as caixas ficam à frente com poucos objetos; os círculos, com muitos",
    );
    let published = language.text(
        "the study contradicts itself; both are checked",
        "o estudo se contradiz; ambos são verificados",
    );
    finding(language, claim, published, measured, rule_of_leads(language))
}

fn weakness(summaries: &Summaries<'_>, language: Language) -> Finding {
    let small: Vec<_> = of_cells(summaries).filter(|(size, _)| *size < FIXED_SIZE).collect();
    let large = of_cells(summaries).filter(|(size, _)| *size >= FIXED_SIZE);
    let in_large: u64 = large.map(|(_, s)| s.missed).sum();
    let measured = small.first().map(|(size, summary)| {
        let (px, share) = (cell(*size, language), missed(summary, language));
        let words = language.text(
            format!("cells of {px} px miss {share} of the pairs; cells of 50 px and more miss {in_large}"),
            format!("células de {px} px perdem {share} dos pares; células de 50 px ou mais perdem {in_large}"),
        );
        let all_miss = small.iter().all(|(_, s)| s.missed > 0);
        (words, Verdict::of(all_miss))
    });
    let claim = language.text(
        "Known weakness: an object larger than a cell is missed by cells that hold none of its key points",
        "Fraqueza conhecida: um objeto maior que a célula escapa às células que não contêm nenhum de seus pontos-chave",
    );
    let published = language.text("said, without figures", "afirmado, sem números");
    let note = language.text(
        "Judged on boxes of 50 px. Our own techniques miss no pair at any cell size.",
        "Julgado com caixas de 50 px. Nossas técnicas não perdem nenhum par, com qualquer célula.",
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

/// The time of boxes over the time of circles.
struct Lead<'a> {
    technique: &'a str,
    objects: u32,
    ratio: f64,
}

fn leads<'a>(summaries: &Summaries<'_>) -> Vec<Lead<'a>> {
    let mut leads = Vec::new();
    for technique in [STUDY_BRUTE, STUDY_GRID] {
        for objects in summaries.objects(EXPERIMENT_2) {
            let ms = |bounds: Bounds| {
                summaries.get(EXPERIMENT_2, technique, bounds.name(), objects).map(|s| s.ms)
            };
            if let (Some(boxes), Some(circles)) = (ms(Bounds::Aabb), ms(Bounds::Circle)) {
                leads.push(Lead { technique, objects, ratio: boxes / circles });
            }
        }
    }
    leads
}

/// `study-grid: circles ahead at 10 … by up to 1.3×; boxes ahead at 100 …`
fn told(leads: &[Lead<'_>], language: Language) -> String {
    let mut sentences = Vec::new();
    for technique in [STUDY_BRUTE, STUDY_GRID] {
        let own = || leads.iter().filter(|lead| lead.technique == technique);
        let at = |is_theirs: &dyn Fn(f64) -> bool, strength: &dyn Fn(f64) -> f64| {
            let theirs: Vec<_> = own().filter(|lead| is_theirs(lead.ratio)).collect();
            let most = theirs.iter().map(|lead| strength(lead.ratio)).fold(1.0, f64::max);
            let sizes: Vec<_> =
                theirs.iter().map(|lead| language.integer(lead.objects.into())).collect();
            (sizes, most)
        };
        let mut clauses = Vec::new();
        let (sizes, most) = at(&|ratio| ratio >= LEAD, &|ratio| ratio);
        if !sizes.is_empty() {
            let (sizes, most) = (sizes.join(", "), language.times(most));
            clauses.push(language.text(
                format!("circles ahead at {sizes} (at most {most})"),
                format!("círculos à frente com {sizes} (no máximo {most})"),
            ));
        }
        let (sizes, most) = at(&|ratio| ratio <= 1.0 / LEAD, &|ratio| 1.0 / ratio);
        if !sizes.is_empty() {
            let (sizes, most) = (sizes.join(", "), language.times(most));
            clauses.push(language.text(
                format!("boxes ahead at {sizes} (at most {most})"),
                format!("caixas à frente com {sizes} (no máximo {most})"),
            ));
        }
        if clauses.is_empty() && own().next().is_some() {
            clauses.push(language.text("no lead anywhere", "nenhuma vantagem"));
        }
        if !clauses.is_empty() {
            sentences.push(format!("{technique}: {}", clauses.join(", ")));
        }
    }
    sentences.join("; ")
}

fn rule_of_leads(language: Language) -> String {
    let percent = language.number((LEAD - 1.0) * 100.0, 0);
    let many = language.integer(MANY.into());
    language.text(
        format!("Depends on the machine; a lead below {percent} % is none. “Few” is up to {FEW}, “many” from {many} on; both of the study's techniques must show it."),
        format!("Depende da máquina; vantagem abaixo de {percent} % não conta. “Poucos” são até {FEW}; “muitos”, a partir de {many}; as duas técnicas do estudo têm de mostrá-lo."),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;
    use crate::studies::broad_phase::row::Row;

    fn verdicts(rows: &[Row]) -> Vec<Verdict> {
        let findings = findings(&Summaries::of(rows), Language::English);
        findings.iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn published_values_confirm_every_consistent_claim() {
        let found = verdicts(&sample_rows::published(5));
        let expected = [
            [Verdict::Held; 7].as_slice(),
            // The study's own table refutes the first and, as brute force has circles ahead at 100,
            // the second.
            &[Verdict::NotHeld, Verdict::NotHeld, Verdict::Held],
        ];
        assert_eq!(found, expected.concat());
    }

    #[test]
    fn findings_without_rows_are_not_measured() {
        assert!(verdicts(&[]).iter().all(|verdict| *verdict == Verdict::NotMeasured));
    }

    #[test]
    fn two_seeds_do_not_decide_a_claim_about_a_mean_of_five() {
        let found = verdicts(&sample_rows::published(2));
        assert_eq!(found[1..3], [Verdict::NotMeasured; 2]);
        assert_eq!(found[0], Verdict::Held);
    }

    #[test]
    fn deviating_counts_refute_a_claim() {
        let mut rows = sample_rows::published(5);
        for row in rows.iter_mut().filter(|row| row.objects == 4000 && row.bounds == "aabb") {
            row.tests_per_frame *= 1.06;
        }
        let found = verdicts(&rows);
        assert_eq!(found[..3], [Verdict::NotHeld, Verdict::NotHeld, Verdict::Held]);
    }

    #[test]
    fn best_cell_size_outside_the_published_range_refutes_the_claim() {
        for size in [25.0, 1000.0] {
            let mut rows = sample_rows::published(5);
            for row in rows.iter_mut().filter(|row| row.cell_size == Some(size)) {
                (row.ms_per_frame, row.missed_pairs) = (1e-6, 0);
            }
            assert_eq!(verdicts(&rows)[3], Verdict::NotHeld, "{size}");
        }
    }
}
