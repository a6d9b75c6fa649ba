//! Charts of the 3D study.

use embate_report::chart::{Chart, Origin, Series};
use embate_report::language::Language;

use super::plan::BY_STATIC_SHARE;
use crate::studies::broad_phase::chart_style::{log_chart, series};
use crate::studies::broad_phase::row::Summaries;

/// How the octree stands against the study's sweep, by how much of the world rests.
pub(super) fn octree_against_sweep(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    let mut figures = Vec::new();
    for (style, (case, share)) in BY_STATIC_SHARE.into_iter().enumerate() {
        let ms = |technique, objects| summaries.get(case, technique, "aabb", objects).map(|s| s.ms);
        let gain = |objects| Some(ms("sweep-variance", objects)? / ms("octree", objects)?);
        let points: Vec<_> = summaries
            .objects(case)
            .into_iter()
            .filter_map(|objects| Some((f64::from(objects), gain(objects)?)))
            .collect();
        let Some((objects, last)) = points.last().copied() else { continue };
        let share = language.percent(share * 100.0, 0);
        let name = language.text(format!("{share} rest"), format!("{share} parados"));
        let (objects, last) = (language.number(objects, 0), language.times(last));
        figures.push(language.text(
            format!("{name}: {last} at {objects} objects"),
            format!("{name}: {last} com {objects} objetos"),
        ));
        lines.push(Series { name, style: style + 3, origin: Origin::Measured, points });
    }
    let figures = figures.join("; ");
    let labels = [
        language.text("When does the octree pay?", "Quando a octree compensa?"),
        language.text(
            format!("The time of the study's sweep (sweep-variance) over the time of the octree: above the line at 1 the octree is ahead. {figures}."),
            format!("O tempo da varredura do estudo (sweep-variance) dividido pelo da octree: acima da linha em 1 a octree está à frente. {figures}."),
        ),
        language.text("objects", "objetos"),
        language.text("time of sweep / time of octree", "tempo da varredura / tempo da octree"),
    ];
    let reference = Some((1.0, language.text("equally fast", "igualmente rápidas")));
    log_chart("octree-against-sweep", labels, lines, reference)
}

/// Time against objects in one kind of world.
pub(super) fn time(summaries: &Summaries<'_>, case: &str, language: Language) -> Chart {
    let rows = || summaries.of_case(case);
    let techniques = summaries.techniques(case);
    let lines = series(&techniques, &rows(), |s| Some(f64::from(s.objects)), |s| s.ms);
    let largest = rows().map(|s| s.objects).max().unwrap_or(0);
    let at_largest: Vec<_> = rows()
        .filter(|s| s.objects == largest)
        .map(|s| format!("{} {} ms", s.technique, language.significant(s.ms, 3)))
        .collect();
    let (count, figures) = (language.integer(largest.into()), at_largest.join(", "));
    let labels = [
        language.text(
            format!("{case}: time against objects"),
            format!("{case}: tempo conforme os objetos"),
        ),
        language.text(
            format!("Time of a frame against the number of objects, both axes logarithmic. With {count} objects: {figures}. The sweeps along y and z are left to the table."),
            format!("Tempo de um quadro conforme o número de objetos, ambos os eixos logarítmicos. Com {count} objetos: {figures}. As varreduras por y e z ficam na tabela."),
        ),
        language.text("objects", "objetos"),
        language.text("ms a frame", "ms por quadro"),
    ];
    log_chart(&format!("time-{case}"), labels, lines, None)
}
