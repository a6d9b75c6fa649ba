//! Findings of the simulator study as text, computed from the rows. Lasch publishes no numbers, so
//! there is nothing to confirm or refute.

use embate_report::language::Language;

use super::row::Row;
use super::table::of_part;
use crate::studies::broad_phase::unique;

/// Which broad phase is fastest in each kind of world, what share of the step it is, and whether
/// all agree.
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
            Some(format!("{technique} {}", language.times(ms(other) / ms(best))))
        };
        let rivals: Vec<String> =
            ["sweep-variance", "octree", "brute"].into_iter().filter_map(over).collect();
        let share = language.percent(100.0 * ms(best) / best.ms.total(), 0);
        let (name, count) = (&best.technique, language.integer(largest.into()));
        let best_ms = language.significant(ms(best), 3);
        // A single technique has no rival to be compared with.
        let rivals = if rivals.is_empty() {
            String::new()
        } else {
            language.text("; against it ", "; diante dela ").clone() + &rivals.join(", ")
        };
        sentences.push(language.text(
            format!("{case}, {count} bodies: {name} is fastest with {best_ms} ms, which is {share} of its step{rivals}."),
            format!("{case}, {count} corpos: {name} é a mais rápida, com {best_ms} ms, que são {share} do seu passo{rivals}."),
        ));
    }
    let all: Vec<u64> = of_part(rows, "broad").filter_map(|row| row.disagreements).collect();
    if !all.is_empty() {
        let (steps, wrong) = (all.len() as u64, all.iter().sum::<u64>());
        let (steps, wrong) = (language.integer(steps), language.integer(wrong));
        sentences.push(language.text(
            format!("In {steps} runs the worlds of all techniques were compared step by step, to the last bit: {wrong} steps differ."),
            format!("Em {steps} execuções os mundos de todas as técnicas foram comparados passo a passo, até o último bit: {wrong} passos diferem."),
        ));
    }
    sentences
}

/// The quickest and the slowest pair test, and the worst error.
pub(super) fn narrow_phase(rows: &[Row], language: Language) -> Vec<String> {
    let contacts = || of_part(rows, "pairs").filter(|row| row.technique == "contact");
    let ms = |row: &&Row| row.ms.narrow.unwrap_or(f64::INFINITY);
    let by_time = |a: &&Row, b: &&Row| ms(a).total_cmp(&ms(b));
    let mut sentences = Vec::new();
    if let (Some(quick), Some(slow)) = (contacts().min_by(by_time), contacts().max_by(by_time)) {
        let ns = |row: &Row| language.significant(ms(&row) * 1e6, 3);
        let (quick_ns, slow_ns) = (ns(quick), ns(slow));
        let (quick, slow) = (&quick.case, &slow.case);
        sentences.push(language.text(
            format!("Of the tests that tell contact points, {quick} takes the least with {quick_ns} ns, {slow} the most with {slow_ns} ns."),
            format!("Dos testes que dizem os pontos de contato, {quick} leva o mínimo, {quick_ns} ns, e {slow} o máximo, {slow_ns} ns."),
        ));
    }
    let error = |row: &&Row| row.max_penetration.unwrap_or(0.0);
    let worst = of_part(rows, "pairs").max_by(|a, b| error(a).total_cmp(&error(b)));
    if let Some(worst) = worst.filter(|row| row.max_penetration.is_some()) {
        let wrong: u64 = of_part(rows, "pairs").filter_map(|row| row.disagreements).sum();
        let asked: u64 = of_part(rows, "pairs").map(|row| u64::from(row.steps)).sum();
        let (nm, case) = (language.significant(error(&worst) * 1e9, 3), &worst.case);
        let (wrong, asked) = (language.integer(wrong), language.integer(asked));
        sentences.push(language.text(
            format!("The largest error of a distance or depth is {nm} nm ({case}); of {asked} answers {wrong} are wrong."),
            format!("O maior erro de uma distância ou profundidade é de {nm} nm ({case}); de {asked} respostas, {wrong} estão erradas."),
        ));
    }
    sentences
}

/// How each method keeps energy and order.
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
        let name = match technique {
            "impulse" => {
                language.text("The study's impulse (impulse)", "O impulso do estudo (impulse)")
            }
            "positions" => language.text(
                "The study's simpler way, positions alone (positions),",
                "O modo mais simples do estudo, só posições (positions),",
            ),
            _ => language.text("Ours (soft)", "O nosso (soft)"),
        };
        sentences.push(language.text(
            format!("{name} is off by at most {collision} % of the energy after a collision and {bounce} % of the height after a bounce; in its worst pile bodies lie {depth} mm in each other, mean over the run, and move at {speed} m/s at its end."),
            format!("{name} erra no máximo {collision} % da energia após uma colisão e {bounce} % da altura após um quique; na sua pior pilha os corpos entram {depth} mm uns nos outros, média da execução, e movem-se a {speed} m/s no fim."),
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
            let said = broad_phase(std::slice::from_ref(&alone), language).join(" ");
            assert!(said.contains("tree") && !said.contains(" ."), "{said}");
            assert!(!said.contains("against it") && !said.contains("diante dela"), "{said}");
        }
    }
}
