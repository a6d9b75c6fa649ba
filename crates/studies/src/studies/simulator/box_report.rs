//! Box forms in the report: the table of times, and the statements of the study beside them.

use embate_report::language::Language;
use embate_report::{Block, Finding, FindingKind, Table, Verdict};

use super::boxes::{FORMS, Operation};
use super::row::Row;
use super::table::of_part;
use super::{case_label, label};
use crate::statistics::{Range, ratio_range};
use crate::studies::moving_worlds::unique;
use crate::studies::number_format::optional;
use crate::studies::timing_spread;

/// A form that the study suggests for a use: id of the finding, use, form.
const SUGGESTED: [(&str, Operation, &str); 4] = [
    ("box-form-of-overlap-tests", Operation::Overlap, "min-max"),
    ("box-form-of-moving-things", Operation::Motion, "center-half"),
    ("box-form-of-octree-nodes", Operation::Nodes, "center-half"),
    ("box-form-of-windows", Operation::Window, "min-edges"),
];

/// Ratios of the other forms to the suggested one that mean that it is faster.
const FASTER: [f64; 2] = [1.0, f64::INFINITY];

/// Findings and table; empty without rows.
pub(super) fn blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let Some(table) = table(rows, language) else { return Vec::new() };
    let intro = language.text(
        "The study discusses which form of a box suits what, without times. A suggested form counts as confirmed if it is faster than both others; that measure is Embate's.",
        "O estudo discute qual forma de uma caixa serve para quê, sem tempos. Uma forma sugerida conta como confirmada se é mais rápida que as outras duas; essa medida é do Embate.",
    );
    let findings = SUGGESTED
        .iter()
        .map(|&(id, operation, form)| finding(id, rows, operation.name(), form, language))
        .collect();
    vec![Block::Paragraph(intro), Block::Findings(findings), Block::Table(table)]
}

/// Nanoseconds of each use in each form.
pub(super) fn table(rows: &[Row], language: Language) -> Option<Table> {
    let line = |case: &str| {
        let ns = |form: &&str| {
            let ms = row_of(rows, case, form).and_then(|row| row.ms.narrow);
            optional(ms, |ms| language.significant(ms * 1e6, 3))
        };
        let wrong: u64 = of_part(rows, "boxes")
            .filter(|row| row.case == case)
            .filter_map(|row| row.disagreements)
            .sum();
        let mut cells = vec![case_label(case, language)];
        cells.extend(FORMS.iter().map(ns));
        cells.push(language.integer(wrong));
        cells
    };
    let cases = unique(of_part(rows, "boxes").map(|row| row.case.as_str()));
    let lines: Vec<_> = cases.into_iter().map(line).collect();
    let mut head = vec![language.text("Use", "Uso")];
    head.extend(FORMS.iter().map(|form| format!("{}, ns", label(form, language))));
    head.push(language.text("Differing results", "Resultados divergentes"));
    let caption = language.text(
        "Box forms: time of an operation on one box",
        "Formas da caixa: tempo de uma operação em uma caixa",
    );
    (!lines.is_empty()).then_some(Table { caption, head, rows: lines })
}

fn row_of<'a>(rows: &'a [Row], case: &str, form: &str) -> Option<&'a Row> {
    of_part(rows, "boxes").find(|row| row.case == case && row.technique == form)
}

/// The statement of the study that a form suits a use, and the times.
fn finding(id: &'static str, rows: &[Row], case: &str, form: &str, language: Language) -> Finding {
    let own = row_of(rows, case, form);
    let ratios: Vec<(&str, Option<Range>)> = FORMS
        .into_iter()
        .filter(|other| *other != form)
        .filter_map(|other| {
            let other = row_of(rows, case, other)?;
            Some((other.technique.as_str(), ratio_range(&other.ns_readings, &own?.ns_readings)))
        })
        .collect();
    let is_complete = ratios.len() == FORMS.len() - 1;
    let verdict = Verdict::over_all(
        ratios.iter().map(|(_, range)| timing_spread::verdict(*range, FASTER)),
        is_complete,
    );
    let mut note = vec![language.text(
        "The study names the use and gives no times.",
        "O estudo cita o uso e não dá tempos.",
    )];
    for (other, range) in &ratios {
        let Some(Range { low, high }) = *range else { continue };
        let name = label(other, language);
        let [low, high] = [low, high].map(|ratio| language.times(ratio));
        note.push(language.text(
            format!("{name} takes {low} to {high} the time of the suggested form."),
            format!("{name} leva de {low} a {high} o tempo da forma sugerida."),
        ));
    }
    if verdict == Verdict::Undecided && is_complete {
        note.push(timing_spread::wider_than_margin(language));
    }
    let (form, operation) = (label(form, language), case_label(case, language).to_lowercase());
    let place = language.text("specification of the box", "especificação da caixa");
    let ns = own.and_then(|row| row.ms.narrow).map(|ms| language.significant(ms * 1e6, 3));
    Finding {
        claim: language.text(
            format!("{form}: suited to this use ({operation})"),
            format!("{form}: adequada a este uso ({operation})"),
        ),
        published: language.text("stated without values", "afirmado sem valores"),
        ours: ns.map_or_else(
            || language.text("not part of this run", "fora desta execução"),
            |ns| format!("{ns} ns"),
        ),
        verdict,
        note: note.join(" "),
        ..Finding::new(id, FindingKind::Published, "Lasch", place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::stages::Stages;
    use super::*;

    /// Rows of overlap tests with these repeats of the three forms.
    fn rows(readings: [[f64; 2]; 3]) -> Vec<Row> {
        let row = |(form, readings): (&str, [f64; 2])| Row {
            part: "boxes".to_owned(),
            case: "overlap".to_owned(),
            technique: form.to_owned(),
            ms: Stages { narrow: Some(readings[0] * 1e-6), ..Stages::default() },
            ns_readings: readings.to_vec(),
            ..Row::default()
        };
        FORMS.into_iter().zip(readings).map(row).collect()
    }

    fn verdict(rows: &[Row]) -> Verdict {
        finding("box-form-of-overlap-tests", rows, "overlap", "min-max", Language::English).verdict
    }

    #[test]
    fn form_is_confirmed_only_if_it_is_faster_than_both_others_in_every_repeat() {
        assert_eq!(verdict(&rows([[1.0, 1.0], [1.2, 1.3], [1.1, 1.4]])), Verdict::Confirmed);
        assert_eq!(verdict(&rows([[1.0, 1.0], [1.2, 1.3], [0.8, 0.9]])), Verdict::NotConfirmed);
        assert_eq!(verdict(&rows([[1.0, 1.0], [1.2, 1.3], [0.9, 1.1]])), Verdict::Undecided);
        let two = rows([[1.0, 1.0], [1.2, 1.3], [1.1, 1.4]]).split_off(1);
        assert_eq!(verdict(&two), Verdict::NotRun, "the suggested form was not measured");
        assert_eq!(verdict(&[]), Verdict::NotRun);
    }
}
