//! Findings of the simulator study as text, computed from the rows. Lasch publishes no numbers, so
//! there is nothing to confirm or refute.

use embate_report::language::Language;

use super::row::Row;
use super::table::of_part;
use super::{case_label, label};
use crate::studies::moving_worlds::unique;

/// The fastest broad phase of each kind of world, its share of the step, and the agreement of all.
pub(super) fn broad_phase(rows: &[Row], language: Language) -> Vec<String> {
    let mut sentences = Vec::new();
    for case in unique(of_part(rows, "broad").map(|row| row.case.as_str())) {
        let of_case = || of_part(rows, "broad").filter(|row| row.case == case);
        let largest = of_case().map(|row| row.bodies).max().unwrap_or(0);
        let at_largest = || of_case().filter(|row| row.bodies == largest);
        let ms = |row: &Row| row.ms.broad.unwrap_or(f64::INFINITY);
        let Some(best) = at_largest().min_by(|a, b| ms(a).total_cmp(&ms(b))) else { continue };
        let over = |technique: &str| {
            if technique == best.technique {
                return None;
            }
            let other = at_largest().find(|row| row.technique == technique)?;
            Some(format!("{} {}", label(technique, language), language.times(ms(other) / ms(best))))
        };
        let rivals: Vec<String> = ["sweep-variance", "octree-strict", "octree", "brute"]
            .into_iter()
            .filter_map(over)
            .collect();
        let share = language.percent(100.0 * ms(best) / best.ms.total(), 0);
        let (name, count) = (label(&best.technique, language), language.integer(largest.into()));
        let world = case_label(case, language);
        let best_ms = language.significant(ms(best), 3);
        // A single technique has nothing to be compared with.
        let rivals = if rivals.is_empty() {
            String::new()
        } else {
            language.text("; relative times: ", "; tempos relativos: ") + &rivals.join(", ")
        };
        sentences.push(language.text(
            format!("{world}, {count} bodies: fastest is {name}, {best_ms} ms or {share} of its step{rivals}."),
            format!("{world}, {count} corpos: a mais rápida é {name}, {best_ms} ms ou {share} do passo{rivals}."),
        ));
    }
    let all: Vec<u64> = of_part(rows, "broad").filter_map(|row| row.disagreements).collect();
    if !all.is_empty() {
        let (steps, wrong) = (all.len() as u64, all.iter().sum::<u64>());
        let (steps, wrong) = (language.integer(steps), language.integer(wrong));
        sentences.push(language.text(
            format!("State hashes were compared after every step of {steps} runs: {wrong} steps differ from brute force."),
            format!("Os hashes de estado foram comparados após cada passo de {steps} execuções: {wrong} passos diferem da força bruta."),
        ));
    }
    sentences
}

/// The fastest and the slowest pair query, and the largest error.
pub(super) fn narrow_phase(rows: &[Row], language: Language) -> Vec<String> {
    let contacts = || of_part(rows, "pairs").filter(|row| row.technique == "contact");
    let ms = |row: &&Row| row.ms.narrow.unwrap_or(f64::INFINITY);
    let by_time = |a: &&Row, b: &&Row| ms(a).total_cmp(&ms(b));
    let mut sentences = Vec::new();
    if let (Some(quick), Some(slow)) = (contacts().min_by(by_time), contacts().max_by(by_time)) {
        let ns = |row: &Row| language.significant(ms(&row) * 1e6, 3);
        let (quick_ns, slow_ns) = (ns(quick), ns(slow));
        let (quick, slow) = (case_label(&quick.case, language), case_label(&slow.case, language));
        sentences.push(language.text(
            format!(
                "Contact points take between {quick_ns} ns ({quick}) and {slow_ns} ns ({slow})."
            ),
            format!(
                "Os pontos de contato levam entre {quick_ns} ns ({quick}) e {slow_ns} ns ({slow})."
            ),
        ));
    }
    let error = |row: &&Row| row.max_penetration.unwrap_or(0.0);
    let worst = of_part(rows, "pairs").max_by(|a, b| error(a).total_cmp(&error(b)));
    if let Some(worst) = worst.filter(|row| row.max_penetration.is_some()) {
        let wrong: u64 = of_part(rows, "pairs").filter_map(|row| row.disagreements).sum();
        let queries: u64 = of_part(rows, "pairs").map(|row| u64::from(row.steps)).sum();
        let nm = language.significant(error(&worst) * 1e9, 3);
        let case = case_label(&worst.case, language);
        let (wrong, queries) = (language.integer(wrong), language.integer(queries));
        sentences.push(language.text(
            format!("The largest error of a distance or depth is {nm} nm ({case}); wrong results: {wrong} of {queries}."),
            format!("O maior erro de uma distância ou profundidade é de {nm} nm ({case}); resultados errados: {wrong} de {queries}."),
        ));
    }
    sentences
}

/// Energy error, penetration and final speed of each solver.
pub(super) fn response(rows: &[Row], language: Language) -> Vec<String> {
    let mut sentences = Vec::new();
    for technique in unique(of_part(rows, "resolve").map(|row| row.technique.as_str())) {
        let own = || of_part(rows, "resolve").filter(|row| row.technique == technique);
        let worst = |prefix: &str, value: &dyn Fn(&Row) -> Option<f64>| {
            own().filter(|row| row.case.starts_with(prefix)).filter_map(value).fold(0.0, f64::max)
        };
        let drift = |row: &Row| row.energy_drift_percent.map(f64::abs);
        let collision = language.number(worst("collision", &drift), 2);
        let bounce = language.number(worst("bounce", &drift), 1);
        let depth = language.significant(worst("pile", &|row| row.mean_penetration) * 1e3, 3);
        let speed = language.significant(worst("pile", &|row| row.speed_at_end), 2);
        let name = label(technique, language);
        sentences.push(language.text(
            format!("{name}: largest error {collision}% of the energy after a collision and {bounce}% of the height after a bounce; in the worst pile a mean penetration of {depth} mm and a final speed of {speed} m/s."),
            format!("{name}: maior erro de {collision}% da energia após uma colisão e {bounce}% da altura após um quique; na pior pilha, penetração média de {depth} mm e velocidade final de {speed} m/s."),
        ));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the sentence ended in "against it .".
    #[test]
    fn finding_of_a_single_broad_phase_has_no_comparison() {
        let mut alone = Row { part: "broad".to_owned(), bodies: 100, ..Row::default() };
        (alone.case, alone.technique) = ("gas".to_owned(), "tree".to_owned());
        alone.ms.broad = Some(0.5);
        for language in Language::ALL {
            let text = broad_phase(std::slice::from_ref(&alone), language).join(" ");
            assert!(text.contains(&label("tree", language)) && !text.contains(" ."), "{text}");
            assert!(!text.contains("relativ"), "{text}");
        }
    }
}
