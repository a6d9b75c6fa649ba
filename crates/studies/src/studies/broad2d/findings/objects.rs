//! Findings about the time by number of objects (experiment 2).

use embate_report::language::Language;
use embate_report::{Finding, Verdict};
use embate_scene::generators::Bounds;

use super::note_with_reason;
use crate::statistics::{ASSUMED_SPREAD, Range};
use crate::studies::broad2d::label;
use crate::studies::broad2d::published::{self, OBJECTS};
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::moving_worlds::{EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};
use crate::studies::timing_spread;

/// "Few" and "many" objects: the study gives no numbers.
const FEW: u32 = 100;
const MANY: u32 = 1000;
/// "Little difference": a twentieth of a frame of 1/60 s, in milliseconds. The study's own are up
/// to 0.45.
const LITTLE_MS: f64 = 1000.0 / 60.0 / 20.0;

/// Ratios that mean "faster", and ratios that mean "slower".
const FASTER: [f64; 2] = [1.0, f64::INFINITY];
const SLOWER: [f64; 2] = [0.0, 1.0];

/// With few objects the techniques differ little.
pub(super) fn few_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects <= FEW);
    let apart = |pair: &Compared<'_>| (pair.brute.ms - pair.grid.ms).abs();
    let widest = pairs.iter().max_by(|one, other| apart(one).total_cmp(&apart(other)));
    let measured = widest.map(|pair| {
        let (ms, name) = (language.significant(apart(pair), 2), pair.name(language));
        let words = language.text(
            format!("largest difference {ms} ms ({name})"),
            format!("a maior diferença é de {ms} ms ({name})"),
        );
        let cases = pairs.iter().map(|p| timing_spread::verdict(p.difference(), [0.0, LITTLE_MS]));
        (words, Verdict::over_all(cases, true))
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
        format!("“Few” means up to {FEW} objects; “little”, a twentieth of a frame, {little} ms; both numbers are Embate's."),
        format!("“Poucos” significa até {FEW} objetos; “pouca”, um vigésimo de quadro, {little} ms; os dois números são do Embate."),
    );
    let verdict = measured.as_ref().map_or(Verdict::NotRun, |(_, verdict)| *verdict);
    let note = note_with_reason(note, verdict, true, language);
    let place = language.text("experiment 2, result", "experimento 2, resultado");
    let base = super::published("few-objects", place);
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

/// With many objects the grid is faster.
pub(super) fn many_objects(summaries: &Summaries<'_>, language: Language) -> Finding {
    let pairs = compared(summaries, |objects| objects >= MANY);
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
            let ratio = language.times(pair.brute.ms / pair.grid.ms);
            format!("{ratio} ({})", pair.name(language))
        })
        .collect();
    let cases = pairs.iter().map(|p| timing_spread::verdict(p.brute.ratio_range(p.grid), FASTER));
    let verdict = Verdict::over_all(cases, is_complete);
    let measured = (!pairs.is_empty()).then(|| (speedups.join("; "), verdict));
    let claim = language
        .text("With many objects the grid is faster", "Com muitos objetos a grade é mais rápida");
    let speedup = |bounds| {
        let line = published::line(bounds, 5000);
        line.map_or(String::new(), |line| {
            let [brute, grid] = [line.brute_ms, line.grid_ms].map(|ms| language.number(ms, 2));
            language.text(format!("{brute} and {grid} ms"), format!("{brute} e {grid} ms"))
        })
    };
    let (boxes, circles) = (speedup(Bounds::Aabb), speedup(Bounds::Circle));
    let published = language.text(
        format!("{boxes} (5,000 boxes); {circles} (5,000 circles)"),
        format!("{boxes} (5.000 caixas); {circles} (5.000 círculos)"),
    );
    let many = language.integer(MANY.into());
    let note = language.text(
        format!("Depends on the machine; confirmed if the study's grid is faster than the study's brute force in every world of every published size from {many} objects."),
        format!("Depende da máquina; confirmado se a grade do estudo é mais rápida que a força bruta do estudo em todo mundo de todo tamanho publicado a partir de {many} objetos."),
    );
    let note = note_with_reason(note, verdict, is_complete, language);
    let base = super::published("many-objects", super::table_of_experiment_2(language));
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

/// One passage on boxes and circles.
pub(super) fn circles_everywhere(summaries: &Summaries<'_>, language: Language) -> Finding {
    let ratios = shape_ratios(summaries);
    let is_complete = has_all_sizes(&ratios, |_| true);
    let verdict = Verdict::over_all(ratios.iter().map(|one| one.verdict(FASTER)), is_complete);
    let measured =
        (!ratios.is_empty()).then(|| (shape_ratios_in_words(&ratios, language), verdict));
    let claim = language.text(
        "One passage: circles are slightly faster in all cases",
        "Um trecho: os círculos são um pouco mais rápidos em todos os casos",
    );
    let published = language.text(
        "in the study's own table circles are slower at 10 objects, and at 100 with the grid",
        "na própria tabela do estudo os círculos são mais lentos com 10 objetos e, na grade, com 100",
    );
    let note = note_with_reason(rule_of_shape_ratios(language), verdict, is_complete, language);
    let base = super::published("circles-everywhere", place_of_passages(language));
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

/// Another passage, which contradicts it.
pub(super) fn boxes_with_few(summaries: &Summaries<'_>, language: Language) -> Finding {
    let ratios = shape_ratios(summaries);
    let is_decisive = |objects: u32| objects <= FEW || objects >= MANY;
    let is_complete = has_all_sizes(&ratios, is_decisive);
    let decisive = ratios.iter().filter(|one| is_decisive(one.objects));
    let cases = decisive.map(|one| one.verdict(if one.objects <= FEW { SLOWER } else { FASTER }));
    let verdict = Verdict::over_all(cases, is_complete);
    let measured =
        (verdict != Verdict::NotRun).then(|| (shape_ratios_in_words(&ratios, language), verdict));
    let claim = language.text(
        "Another passage: boxes are faster with few objects, circles with many",
        "Outro trecho: as caixas são mais rápidas com poucos objetos; os círculos, com muitos",
    );
    let published = language.text(
        "contradicts the passage before; both are checked",
        "contradiz o trecho anterior; ambos são verificados",
    );
    let note = note_with_reason(rule_of_shape_ratios(language), verdict, is_complete, language);
    let base = super::published("boxes-with-few", place_of_passages(language));
    super::measured(Finding { claim, published, note, ..base }, measured, language)
}

fn place_of_passages(language: Language) -> String {
    language.text("experiment 2, text", "experimento 2, texto")
}

/// The study's two techniques on the same worlds.
struct Compared<'a> {
    bounds: Bounds,
    objects: u32,
    brute: &'a Summary<'a>,
    grid: &'a Summary<'a>,
}

impl Compared<'_> {
    fn name(&self, language: Language) -> String {
        let objects = language.integer(self.objects.into());
        match self.bounds {
            Bounds::Aabb => language.text(format!("{objects} boxes"), format!("{objects} caixas")),
            Bounds::Circle => {
                language.text(format!("{objects} circles"), format!("{objects} círculos"))
            }
        }
    }

    /// Range of the absolute difference of the times over the worlds.
    fn difference(&self) -> Option<Range> {
        match self.brute.paired_ms(self.grid)[..] {
            [] | [_] => {
                let (brute, grid) = (self.brute.ms, self.grid.ms);
                let (apart, spread) = ((brute - grid).abs(), ASSUMED_SPREAD * brute.max(grid));
                Range::of(&[(apart - spread).max(0.0), apart + spread])
            }
            ref pairs => {
                let apart: Vec<_> =
                    pairs.iter().map(|(brute, grid)| (brute - grid).abs()).collect();
                Range::of(&apart)
            }
        }
    }
}

fn compared<'a>(summaries: &'a Summaries<'a>, counts: impl Fn(u32) -> bool) -> Vec<Compared<'a>> {
    let mut pairs = Vec::new();
    for bounds in Bounds::ALL {
        for objects in summaries.objects(EXPERIMENT_2).into_iter().filter(|n| counts(*n)) {
            let of = |technique| summaries.get(EXPERIMENT_2, technique, bounds.name(), objects);
            if let (Some(brute), Some(grid)) = (of(STUDY_BRUTE), of(STUDY_GRID)) {
                pairs.push(Compared { bounds, objects, brute, grid });
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
    range: Option<Range>,
}

impl ShapeRatio<'_> {
    fn verdict(&self, claimed: [f64; 2]) -> Verdict {
        timing_spread::verdict(self.range, claimed)
    }
}

fn shape_ratios<'a>(summaries: &Summaries<'_>) -> Vec<ShapeRatio<'a>> {
    let mut ratios = Vec::new();
    for technique in [STUDY_BRUTE, STUDY_GRID] {
        for objects in summaries.objects(EXPERIMENT_2) {
            let of =
                |bounds: Bounds| summaries.get(EXPERIMENT_2, technique, bounds.name(), objects);
            if let (Some(boxes), Some(circles)) = (of(Bounds::Aabb), of(Bounds::Circle)) {
                let (ratio, range) = (boxes.ms / circles.ms, boxes.ratio_range(circles));
                ratios.push(ShapeRatio { technique, objects, ratio, range });
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
        // Sizes at which one shape is faster in every world, and the largest speedup.
        let faster = |claimed: [f64; 2], speedup: &dyn Fn(f64) -> f64| {
            let of_shape: Vec<_> =
                own().filter(|one| one.verdict(claimed) == Verdict::Confirmed).collect();
            let max = of_shape.iter().map(|one| speedup(one.ratio)).fold(1.0, f64::max);
            let sizes: Vec<_> =
                of_shape.iter().map(|one| language.integer(one.objects.into())).collect();
            (!sizes.is_empty()).then(|| (sizes.join(", "), language.times(max)))
        };
        let circles = faster(FASTER, &|ratio| ratio).map(|(sizes, max)| {
            language.text(
                format!("circles faster at {sizes} (at most {max})"),
                format!("círculos mais rápidos com {sizes} (no máximo {max})"),
            )
        });
        let boxes = faster(SLOWER, &|ratio| 1.0 / ratio).map(|(sizes, max)| {
            language.text(
                format!("boxes faster at {sizes} (at most {max})"),
                format!("caixas mais rápidas com {sizes} (no máximo {max})"),
            )
        });
        let mut clauses: Vec<String> = circles.into_iter().chain(boxes).collect();
        if clauses.is_empty() && own().next().is_some() {
            clauses.push(language.text(
                "no difference beyond the spread at any size",
                "nenhuma diferença além da dispersão em tamanho algum",
            ));
        }
        if !clauses.is_empty() {
            sentences.push(format!("{}: {}", label(technique, language), clauses.join(", ")));
        }
    }
    sentences.join("; ")
}

fn rule_of_shape_ratios(language: Language) -> String {
    let many = language.integer(MANY.into());
    language.text(
        format!("Depends on the machine; one shape counts as faster at a size if it is in every world. “Few” means up to {FEW} objects, “many” at least {many} (Embate's numbers); required of both techniques of the study."),
        format!("Depende da máquina; uma forma conta como mais rápida em um tamanho se o for em todos os mundos. “Poucos” significa até {FEW} objetos; “muitos”, ao menos {many} (números do Embate); exigido das duas técnicas do estudo."),
    )
}
