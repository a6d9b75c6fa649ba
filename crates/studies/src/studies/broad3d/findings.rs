//! Findings of the 3D study: the object count and static share from which the octree beats the
//! sweep, computed from the rows. Lasch publishes no numbers, so there is nothing to confirm or
//! refute.

use embate_report::language::Language;

use super::plan::{BY_STATIC_SHARE, KINDS};
use super::{label, world};
use crate::studies::moving_worlds::row::Summaries;

/// A ratio of times below this is a tie: times of equal work differ as much.
const LEAD: f64 = 1.05;

/// Object counts at which one technique is faster than another.
#[derive(Clone, Debug, PartialEq)]
enum Ahead {
    /// One of the two was not run.
    Unknown,
    Never,
    /// At this size and every larger measured one, by at most this ratio.
    From {
        objects: u32,
        max_ratio: f64,
    },
    /// At some sizes, but not at the largest.
    Only {
        objects: Vec<u32>,
    },
}

/// Every answer, in reading order.
pub(super) fn findings(summaries: &Summaries<'_>, language: Language) -> Vec<String> {
    let mut findings = Vec::new();
    for octree in ["octree-strict", "octree"] {
        for rival in ["sweep-variance", "sweep"] {
            findings.extend(octree_against(summaries, octree, rival, language));
        }
    }
    findings.extend(best_axis(summaries, language));
    findings.extend(fastest(summaries, language));
    findings
}

/// One sentence a rival, over all static shares.
fn octree_against(
    summaries: &Summaries<'_>,
    octree: &str,
    rival: &str,
    language: Language,
) -> Option<String> {
    let of_share = |(case, share): (&str, f64)| (share, ahead(summaries, case, octree, rival));
    let known: Vec<_> =
        BY_STATIC_SHARE.map(of_share).into_iter().filter(|(_, a)| *a != Ahead::Unknown).collect();
    if known.is_empty() {
        return None;
    }
    let name = match rival {
        "sweep" => language.text("Embate's tiled sweep", "a varredura em ladrilhos do Embate"),
        _ => language.text(
            "the study's sweep along the axis of largest variance",
            "a varredura do estudo no eixo de maior variância",
        ),
    };
    let octree = match octree {
        "octree" => language.text("Embate's loose octree", "A octree frouxa do Embate"),
        _ => language.text("The study's strict octree", "A octree estrita do estudo"),
    };
    if known.iter().all(|(_, ahead)| *ahead == Ahead::Never) {
        return Some(language.text(
            format!("{octree} is not faster than {name} at any measured number of objects and static share."),
            format!("{octree} não é mais rápida que {name} com nenhum número de objetos e nenhuma fração estática medidos."),
        ));
    }
    let clauses: Vec<_> = known.iter().map(|(share, a)| clause(*share, a, language)).collect();
    let clauses = clauses.join("; ");
    Some(language.text(
        format!("{octree} compared with {name}: {clauses}."),
        format!("{octree} em comparação com {name}: {clauses}."),
    ))
}

fn clause(share: f64, ahead: &Ahead, language: Language) -> String {
    let share = language.percent(share * 100.0, 0);
    let clause = match ahead {
        Ahead::Unknown => language.text("not run", "não executado"),
        Ahead::Never => language.text("never faster", "nunca mais rápida"),
        Ahead::From { objects, max_ratio } => {
            let (objects, max) = (language.integer((*objects).into()), language.times(*max_ratio));
            language.text(
                format!("faster from {objects} objects, by up to {max}"),
                format!("mais rápida a partir de {objects} objetos, em até {max}"),
            )
        }
        Ahead::Only { objects } => {
            let sizes: Vec<_> = objects.iter().map(|n| language.integer((*n).into())).collect();
            let sizes = sizes.join(", ");
            language.text(
                format!("faster at {sizes} objects, but not at the largest number"),
                format!("mais rápida com {sizes} objetos, mas não com o maior número"),
            )
        }
    };
    language.text(format!("{share} static: {clause}"), format!("{share} estáticos: {clause}"))
}

fn ahead(summaries: &Summaries<'_>, case: &str, one: &str, other: &str) -> Ahead {
    let ms = |technique, objects| summaries.get(case, technique, "aabb", objects).map(|s| s.ms);
    let gains: Vec<(u32, f64)> = summaries
        .objects(case)
        .into_iter()
        .filter_map(|objects| Some((objects, ms(other, objects)? / ms(one, objects)?)))
        .collect();
    let wins = |(_, gain): &&(u32, f64)| *gain >= LEAD;
    if gains.is_empty() {
        return Ahead::Unknown;
    }
    let last: Vec<_> = gains.iter().rev().take_while(wins).collect();
    if let Some((objects, _)) = last.last() {
        let max_ratio = last.iter().map(|(_, gain)| *gain).fold(0.0, f64::max);
        return Ahead::From { objects: *objects, max_ratio };
    }
    let objects: Vec<_> = gains.iter().filter(wins).map(|(objects, _)| *objects).collect();
    if objects.is_empty() { Ahead::Never } else { Ahead::Only { objects } }
}

/// Time of the axis of largest variance beside the best and the worst fixed axis.
fn best_axis(summaries: &Summaries<'_>, language: Language) -> Vec<String> {
    let mut sentences = Vec::new();
    for (case, _) in KINDS {
        let Some(&objects) = summaries.objects(case).last() else { continue };
        let ms = |technique| summaries.get(case, technique, "aabb", objects).map(|s| s.ms);
        let axes: Vec<_> = ["sweep-x", "sweep-y", "sweep-z"]
            .into_iter()
            .filter_map(|axis| Some((axis, ms(axis)?)))
            .collect();
        let Some(chosen) = ms("sweep-variance").filter(|_| axes.len() == 3) else { continue };
        let by_time = |one: &&(&str, f64), other: &&(&str, f64)| one.1.total_cmp(&other.1);
        let (Some(best), Some(worst)) = (axes.iter().min_by(by_time), axes.iter().max_by(by_time))
        else {
            continue;
        };
        let [chosen, best_ms, worst_ms] =
            [chosen, best.1, worst.1].map(|ms| language.significant(ms, 3));
        let axis = |technique: &str| technique.trim_start_matches("sweep-").to_owned();
        let (best, worst, count) = (axis(best.0), axis(worst.0), language.integer(objects.into()));
        let name = world(case, language);
        sentences.push(language.text(
            format!("{name}, {count} objects: the sweep takes {chosen} ms along the axis of largest variance, {best_ms} ms along the best fixed axis ({best}), {worst_ms} ms along the worst ({worst})."),
            format!("{name}, {count} objetos: a varredura leva {chosen} ms no eixo de maior variância, {best_ms} ms no melhor eixo fixo ({best}) e {worst_ms} ms no pior ({worst})."),
        ));
    }
    sentences
}

/// The fastest technique at the largest size of each world.
fn fastest(summaries: &Summaries<'_>, language: Language) -> Vec<String> {
    let mut sentences = Vec::new();
    for (case, _) in KINDS {
        let Some(&objects) = summaries.objects(case).last() else { continue };
        let rows = summaries.of_case(case).filter(|s| s.objects == objects);
        let Some(best) = rows.min_by(|one, other| one.ms.total_cmp(&other.ms)) else { continue };
        let gain = best.over_study.map_or(String::new(), |gain| {
            let gain = language.times(gain);
            language.text(
                format!("; speedup over the study's sweep: {gain}"),
                format!("; ganho sobre a varredura do estudo: {gain}"),
            )
        });
        let (ms, count) = (language.significant(best.ms, 3), language.integer(objects.into()));
        let (name, technique) = (world(case, language), label(best.technique, language));
        sentences.push(language.text(
            format!("{name}, {count} objects: fastest is {technique}, {ms} ms per frame{gain}."),
            format!(
                "{name}, {count} objetos: a mais rápida é {technique}, {ms} ms por quadro{gain}."
            ),
        ));
    }
    sentences
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::studies::moving_worlds::row::Row;

    /// An octree that is faster from 10,000 objects with a static share of a half, always with 90 %,
    /// and never if all objects move.
    pub(in super::super) fn sample() -> Vec<Row> {
        let mut rows = Vec::new();
        for (case, share) in KINDS {
            for objects in [100, 1_000, 10_000] {
                let n = f64::from(objects);
                let gain = match share {
                    0.0 => 0.5,
                    0.5 => n / 5_000.0,
                    _ => 2.0,
                };
                let times = [
                    ("brute", n * n * 1e-7),
                    ("sweep-x", n * 4e-3),
                    ("sweep-y", n * 5e-3),
                    ("sweep-z", n * 3e-3),
                    ("sweep-variance", n * 3.1e-3),
                    ("sweep", n * 1e-5),
                    ("octree", n * 3.1e-3 / gain),
                    ("octree-strict", n * 6.2e-3 / gain),
                ];
                rows.extend(times.map(|(technique, ms)| row(case, technique, objects, ms)));
            }
        }
        rows
    }

    fn row(case: &str, technique: &str, objects: u32, ms_per_frame: f64) -> Row {
        Row {
            case: case.to_owned(),
            technique: technique.to_owned(),
            bounds: "aabb".to_owned(),
            objects,
            cell_size: None,
            frames: 10,
            seed: 1,
            tests_per_frame: f64::from(objects) * 7.0,
            pairs_per_frame: f64::from(objects) * 2.0,
            ms_per_frame,
            ms_repeats: vec![ms_per_frame],
            bytes: 100,
            cells_per_object: None,
            speedup_over_brute: Some(2.0),
            speedup_over_study: Some(3.0),
            missed_pairs: 0,
            wrong_pairs: 0,
        }
    }

    #[test]
    fn findings_have_the_object_count_at_which_the_octree_wins() {
        let rows = sample();
        let answers = findings(&Summaries::of(&rows), Language::English);
        assert_eq!(
            answers[2],
            "Embate's loose octree compared with the study's sweep along the axis of largest \
             variance: 0% static: never faster; 50% static: faster from 10,000 objects, by up to \
             2.00×; 90% static: faster from 100 objects, by up to 2.00×."
        );
        for (answer, octree) in [(0, "The study's strict octree"), (3, "Embate's loose octree")] {
            let start = format!("{octree} is not faster than ");
            assert!(answers[answer].starts_with(&start), "{}", answers[answer]);
        }
        assert_eq!(answers.len(), 4 + 5 + 5);
    }

    #[test]
    fn gain_lost_at_more_objects_is_reported_as_partial() {
        let mut rows = sample();
        for row in rows.iter_mut().filter(|row| row.technique == "octree" && row.objects == 10_000)
        {
            row.ms_per_frame *= 100.0;
        }
        let summaries = Summaries::of(&rows);
        let ahead = ahead(&summaries, "static-90", "octree", "sweep-variance");
        assert_eq!(ahead, Ahead::Only { objects: vec![100, 1_000] });
    }

    #[test]
    fn techniques_without_rows_have_no_findings() {
        assert!(findings(&Summaries::of(&[]), Language::English).is_empty());
        let rows: Vec<_> =
            sample().into_iter().filter(|row| !row.technique.starts_with("octree")).collect();
        let answers = findings(&Summaries::of(&rows), Language::English);
        assert!(answers.iter().all(|answer| !answer.to_lowercase().contains("octree")));
    }
}
