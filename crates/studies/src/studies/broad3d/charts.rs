//! Charts of the 3D study.

use embate_report::chart::{Chart, Origin, Series};
use embate_report::language::Language;

use super::plan::BY_STATIC_SHARE;
use super::{label, world};
use crate::studies::moving_worlds::chart_style::{log_chart, scene, time_series};
use crate::studies::moving_worlds::row::{Summaries, Summary};

/// Speedup of the octrees over the study's sweep, by the static share of the world.
pub(super) fn octree_against_sweep(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    let octrees = ["octree-strict", "octree"];
    let series =
        octrees.into_iter().flat_map(|octree| BY_STATIC_SHARE.map(|world| (octree, world)));
    for (style, (octree, (case, share))) in series.enumerate() {
        let ms = |technique, objects| summaries.get(case, technique, "aabb", objects).map(|s| s.ms);
        let gain = |objects| Some(ms("sweep-variance", objects)? / ms(octree, objects)?);
        let points: Vec<_> = summaries
            .objects(case)
            .into_iter()
            .filter_map(|objects| Some((f64::from(objects), gain(objects)?)))
            .collect();
        let Some((objects, last)) = points.last().copied() else { continue };
        let share = language.percent(share * 100.0, 0);
        let name = match octree {
            "octree" => language
                .text(format!("{share} static, loose"), format!("{share} estáticos, frouxa")),
            _ => language
                .text(format!("{share} static, strict"), format!("{share} estáticos, estrita")),
        };
        let (objects, last) = (language.number(objects, 0), language.times(last));
        values.push(language.text(
            format!("{name}: {last} at {objects} objects"),
            format!("{name}: {last} com {objects} objetos"),
        ));
        let error_bars = Vec::new();
        lines.push(Series { name, style, origin: Origin::Measured, points, error_bars });
    }
    let values = values.join("; ");
    let labels = [
        language.text("When does the octree pay off?", "Quando a octree compensa?"),
        language.text(
            format!("Time of the study's sweep divided by time of an octree, the study's strict one or Embate's loose one: above the line at 1 the octree is faster. {values}."),
            format!("Tempo da varredura do estudo dividido pelo de uma octree, a estrita do estudo ou a frouxa do Embate: acima da linha em 1 a octree é mais rápida. {values}."),
        ),
        scene(summaries.0.iter(), language),
        language.text("Objects", "Objetos"),
        language.text("Time of sweep / time of octree", "Tempo da varredura / tempo da octree"),
    ];
    let reference = Some((1.0, language.text("equal speed", "velocidades iguais")));
    log_chart("octree-against-sweep", labels, lines, reference)
}

/// Time against objects in one kind of world.
pub(super) fn time(summaries: &Summaries<'_>, case: &str, language: Language) -> Chart {
    let rows = || summaries.of_case(case);
    let techniques = summaries.techniques(case);
    let x = |s: &Summary<'_>| Some(f64::from(s.objects));
    let lines = time_series(&techniques, &rows(), x, |name| label(name, language));
    let largest = rows().map(|s| s.objects).max().unwrap_or(0);
    let at_largest: Vec<_> = rows()
        .filter(|s| s.objects == largest)
        .map(|s| format!("{} {} ms", label(s.technique, language), language.significant(s.ms, 3)))
        .collect();
    let (count, values) = (language.integer(largest.into()), at_largest.join(", "));
    let name = world(case, language);
    let labels = [
        language.text(
            format!("{name}: time by number of objects"),
            format!("{name}: tempo por número de objetos"),
        ),
        language.text(
            format!("Time to find the pairs of a frame by number of objects. With {count} objects: {values}. The sweeps along x, y and z are only in the table."),
            format!("Tempo para encontrar os pares de um quadro por número de objetos. Com {count} objetos: {values}. As varreduras em x, y e z estão só na tabela."),
        ),
        scene(rows(), language),
        language.text("Objects", "Objetos"),
        language.text("Time per frame (ms)", "Tempo por quadro (ms)"),
    ];
    log_chart(&format!("time-{case}"), labels, lines, None)
}
