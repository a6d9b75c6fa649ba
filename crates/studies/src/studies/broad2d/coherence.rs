//! Temporal coherence: what the frame before is worth, by speed.

use embate_report::chart::{Chart, Kind, Lines, Scale};
use embate_report::language::{Language, NO_VALUE};
use embate_report::{Block, Finding, Table, Verdict, push_charts};
use embate_scene::generators::Bounds;

use super::plan::{COHERENCE, COHERENCE_OBJECTS};
use super::{findings, label};
use crate::studies::moving_worlds::chart_style::{scene, time_series};
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::number_format::optional;
use crate::studies::timing_spread;

const KEPT_ORDER: &str = "sweep-variance";
const FRESH_ORDER: &str = "sweep-fresh";
const INCREMENTAL: &str = "incremental";
const REBUILT: &str = "sweep";

/// Ratios that mean "faster", and ratios that mean "slower".
const FASTER: [f64; 2] = [1.0, f64::INFINITY];
const SLOWER: [f64; 2] = [0.0, 1.0];

/// Speed of a case in pixels a second.
pub(super) fn speed_of(case: &str) -> Option<f32> {
    COHERENCE.iter().find(|(name, _)| *name == case).map(|(_, speed)| *speed)
}

fn get<'a>(
    summaries: &'a Summaries<'a>,
    case: &str,
    technique: &str,
    objects: u32,
) -> Option<&'a Summary<'a>> {
    summaries.get(case, technique, Bounds::Aabb.name(), objects)
}

/// Every technique of the comparison, in the order of the plan.
fn techniques<'a>(summaries: &Summaries<'a>) -> Vec<&'a str> {
    let mut cases = COHERENCE.iter().map(|(case, _)| summaries.techniques(case));
    cases.find(|techniques| !techniques.is_empty()).unwrap_or_default()
}

/// Time by speed, for one number of objects.
pub(super) fn table(summaries: &Summaries<'_>, objects: u32, language: Language) -> Option<Table> {
    let techniques = techniques(summaries);
    let of_speed = |(case, speed): &(&str, f32)| {
        let of = |technique: &&str| get(summaries, case, technique, objects);
        let pairs = techniques.iter().find_map(of)?.pairs;
        let ms = techniques.iter().map(|technique| {
            optional(of(technique).map(|s| s.ms), |ms| language.significant(ms, 3))
        });
        let first = [language.number((*speed).into(), 0), language.significant(pairs, 4)];
        Some(first.into_iter().chain(ms).collect())
    };
    let rows: Vec<Vec<String>> = COHERENCE.iter().filter_map(of_speed).collect();
    let mut head = vec![language.text("Speed, px/s", "Velocidade, px/s")];
    head.push(language.text("Pairs", "Pares"));
    head.extend(techniques.iter().map(|technique| format!("{}, ms", label(technique, language))));
    let count = language.integer(objects.into());
    let caption = language.text(
        format!("Temporal coherence, {count} boxes: time per frame by speed"),
        format!("Coerência temporal, {count} caixas: tempo por quadro por velocidade"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

fn chart(summaries: &Summaries<'_>, objects: u32, language: Language) -> Chart {
    let own = summaries.0.iter().filter(|s| s.objects == objects && speed_of(s.case).is_some());
    let x = |summary: &Summary<'_>| speed_of(summary.case).map(f64::from);
    let techniques = techniques(summaries);
    let series = time_series(&techniques, &own, x, |name| label(name, language));
    let count = language.integer(objects.into());
    let at = |(case, speed): &(&str, f32)| {
        let ms = |technique| {
            let summary = get(summaries, case, technique, objects);
            summary.map_or(NO_VALUE.to_owned(), |s| language.significant(s.ms, 3))
        };
        let speed = language.number((*speed).into(), 0);
        let values =
            techniques.iter().map(|name| format!("{} {} ms", label(name, language), ms(name)));
        format!("{speed} px/s: {}.", values.collect::<Vec<_>>().join(", "))
    };
    let values = [COHERENCE[0], COHERENCE[COHERENCE.len() - 1]].iter().map(at).collect::<Vec<_>>();
    let values = values.join(" ");
    let world = language.text(
        format!("{count} boxes of 5–50 px, world 2000×2000 px"),
        format!("{count} caixas de 5–50 px, mundo 2000×2000 px"),
    );
    Chart {
        id: format!("coherence-{objects}"),
        title: language.text(
            format!("Temporal coherence: time by speed, {count} boxes"),
            format!("Coerência temporal: tempo por velocidade, {count} caixas"),
        ),
        description: language.text(
            format!("Time to find the pairs of a frame by the speed of all boxes. {values}"),
            format!("Tempo para encontrar os pares de um quadro pela velocidade de todas as caixas. {values}"),
        ),
        source: format!("{world}, {}", scene(own.clone(), language)),
        x_label: language.text("Speed (px/s)", "Velocidade (px/s)"),
        y_label: language.text("Time per frame (ms)", "Tempo por quadro (ms)"),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Linear,
            y_scale: Scale::Log,
            reference: None,
            marks: Vec::new(),
        }),
    }
}

/// The section of the report.
pub(super) fn blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let is_run = |objects: &u32| table(summaries, *objects, language).is_some();
    let sizes: Vec<u32> = COHERENCE_OBJECTS.into_iter().filter(is_run).collect();
    if sizes.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Paragraph(language.text(
        "Not measured by the study, which cites temporal coherence by title only: objects move little from one frame to the next, and a technique may use that. All boxes have the same speed, from rest to the largest of the study. The sweep keeps the sorted order of the frame before, or sorts from scratch; the incremental broad phase keeps boxes and pairs, and is updated with the boxes that moved; the tiled sweep and the grid rebuild everything.",
        "Não medida pelo estudo, que cita a coerência temporal só por título: os objetos se movem pouco de um quadro ao outro, e uma técnica pode aproveitar isso. Todas as caixas têm a mesma velocidade, do repouso à maior do estudo. A varredura guarda a ordem do quadro anterior ou ordena do zero; a fase ampla incremental guarda caixas e pares e é atualizada com as caixas que se moveram; a varredura em faixas e a grade refazem tudo.",
    ))];
    for objects in sizes {
        push_charts(&mut blocks, [chart(summaries, objects, language)]);
        blocks.extend(table(summaries, objects, language).map(Block::Table));
    }
    blocks
}

/// Ratio of the times of two techniques at one speed, and the verdict on a claim about it.
struct Compared {
    speed: f32,
    objects: u32,
    ratio: f64,
    verdict: Verdict,
}

/// Time of `slower` over that of `faster` at the speeds of `is_wanted`.
fn compared(
    summaries: &Summaries<'_>,
    [slower, faster]: [&str; 2],
    is_wanted: impl Fn(f32) -> bool,
    claimed: [f64; 2],
) -> Vec<Compared> {
    let mut all = Vec::new();
    for objects in COHERENCE_OBJECTS {
        for (case, speed) in COHERENCE.into_iter().filter(|(_, speed)| is_wanted(*speed)) {
            let of = |technique| get(summaries, case, technique, objects);
            let (Some(slower), Some(faster)) = (of(slower), of(faster)) else { continue };
            let verdict = timing_spread::verdict(slower.ratio_range(faster), claimed);
            all.push(Compared { speed, objects, ratio: slower.ms / faster.ms, verdict });
        }
    }
    all
}

/// `1,000 boxes: 1.8× (0 px/s) … 1.2× (50 px/s)`
fn in_words(compared: &[Compared], language: Language) -> String {
    let of_count = |objects: u32| {
        let own: Vec<&Compared> = compared.iter().filter(|one| one.objects == objects).collect();
        let show = |one: &Compared| {
            let speed = language.number(one.speed.into(), 0);
            format!("{} ({speed} px/s)", language.times(one.ratio))
        };
        let mut shown = vec![show(own.first()?), show(own.last()?)];
        shown.dedup();
        let (count, shown) = (language.integer(objects.into()), shown.join(" … "));
        Some(language.text(format!("{count} boxes: {shown}"), format!("{count} caixas: {shown}")))
    };
    COHERENCE_OBJECTS.into_iter().filter_map(of_count).collect::<Vec<_>>().join("; ")
}

fn verdict(compared: &[Compared], is_complete: bool) -> Verdict {
    Verdict::over_all(compared.iter().map(|one| one.verdict), is_complete)
}

/// An order that is kept makes the sweep faster.
pub(super) fn kept_order(summaries: &Summaries<'_>, language: Language) -> Finding {
    let all = compared(summaries, [FRESH_ORDER, KEPT_ORDER], |_| true, FASTER);
    let verdict = verdict(&all, all.len() == COHERENCE.len() * COHERENCE_OBJECTS.len());
    let measured = (!all.is_empty()).then(|| (in_words(&all, language), verdict));
    let claim = language.text(
        "Sort and sweep is faster with the sorted order of the frame before than from scratch, at every speed of the study",
        "Ordenar e varrer é mais rápido com a ordem do quadro anterior que do zero, em todas as velocidades do estudo",
    );
    let note = language.text(
        "Time from scratch divided by time with the order kept; confirmed if it is above 1 at every speed in every world. The study cites temporal coherence by title only.",
        "Tempo do zero dividido pelo tempo com a ordem guardada; confirmado se for maior que 1 em toda velocidade e todo mundo. O estudo cita a coerência temporal só por título.",
    );
    let base = findings::found_here("kept-order");
    findings::measured(Finding { claim, note, ..base }, measured, language)
}

/// The incremental broad phase pays for objects at rest only.
pub(super) fn incremental(summaries: &Summaries<'_>, language: Language) -> Finding {
    let at_rest = compared(summaries, [REBUILT, INCREMENTAL], |speed| speed == 0.0, FASTER);
    let moving = compared(summaries, [REBUILT, INCREMENTAL], |speed| speed > 0.0, SLOWER);
    let all: Vec<Compared> = at_rest.into_iter().chain(moving).collect();
    let verdict = verdict(&all, all.len() == COHERENCE.len() * COHERENCE_OBJECTS.len());
    let measured = (!all.is_empty()).then(|| (in_words(&all, language), verdict));
    let claim = language.text(
        "Keeping boxes and pairs between frames pays while objects rest, and costs once all move, however slowly",
        "Guardar caixas e pares entre os quadros compensa enquanto os objetos repousam e custa quando todos se movem, por mais devagar que seja",
    );
    let note = language.text(
        "Time of the rebuilt tiled sweep divided by that of the incremental broad phase; confirmed if it is above 1 at rest and below 1 at every other speed, in every world.",
        "Tempo da varredura em faixas refeita dividido pelo da fase ampla incremental; confirmado se for maior que 1 em repouso e menor que 1 em toda outra velocidade, em todo mundo.",
    );
    let base = findings::found_here("incremental");
    findings::measured(Finding { claim, note, ..base }, measured, language)
}
