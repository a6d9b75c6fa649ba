//! Findings about the cost of the tree: traversal beside triangle tests, and the build.
//!
//! Judged on the literal octree where it was measured: it has the cost of the published program,
//! and its nodes are not in the caches of a query for another reason than in that program.

use embate_report::{Finding, Verdict};

use super::super::case_rows::{CaseRows, FAMILIES, LITERAL_OCTREE, STUDY_OCTREE};
use super::super::report_text::{ReportText, sentences};
use super::super::row::Row;
use super::stated;
use crate::statistics::Range;

/// Share of the query time below which the traversal is called negligible. The number is Embate's.
const NEGLIGIBLE: f64 = 0.05;

/// Rows of the octree that has the cost of the program, smallest first.
fn rows<'a>(cases: CaseRows<'a>, case: &'a str) -> Vec<&'a Row> {
    let mut rows: Vec<_> = cases.of(case, LITERAL_OCTREE).collect();
    if rows.is_empty() {
        rows.extend(cases.of(case, STUDY_OCTREE));
    }
    rows.sort_by_key(|row| row.triangles);
    rows
}

/// Share of the traversal at the smallest and the largest size of a family.
fn shares(cases: CaseRows<'_>, case: &str) -> Option<[(u32, Range); 2]> {
    let rows = rows(cases, case);
    let share = |row: &Row| Some((row.triangles, Range::of(&row.traversal_shares())?));
    let (first, last) = (rows.first()?, rows.last()?);
    (first.triangles < last.triangles).then(|| Some([share(first)?, share(last)?]))?
}

/// "With enough triangles the time of the traversal becomes negligible."
pub(super) fn traversal(id: &'static str, cases: CaseRows<'_>, text: ReportText) -> Finding {
    let families: Vec<_> =
        FAMILIES.into_iter().filter_map(|case| Some((case, shares(cases, case)?))).collect();
    let verdict_of = |[(_, few), (_, many)]: [(u32, Range); 2]| {
        if many.is_within(0.0, NEGLIGIBLE) {
            Verdict::Confirmed
        } else if many.low > few.high {
            Verdict::NotConfirmed
        } else {
            Verdict::Undecided
        }
    };
    let verdicts = families.iter().map(|(_, shares)| verdict_of(*shares));
    let verdict = Verdict::over_all(verdicts, families.len() == FAMILIES.len());
    let percent = |range: Range| {
        let [low, high] = [range.low, range.high].map(|share| text.0.number(100.0 * share, 1));
        if low == high {
            text.0.percent(100.0 * range.low, 1)
        } else {
            format!("{low}–{}", text.0.percent(100.0 * range.high, 1))
        }
    };
    let in_words = |(case, [(few, at_few), (many, at_many)]): &(&str, [(u32, Range); 2])| {
        let [few, many] = [few, many].map(|size| text.0.integer((*size).into()));
        let (case, at_few, at_many) = (text.case(case), percent(*at_few), percent(*at_many));
        text.0.text(
            format!("{case}: {at_few} at {few} triangles, {at_many} at {many}"),
            format!("{case}: {at_few} com {few} triângulos, {at_many} com {many}"),
        )
    };
    let ours: Vec<_> = families.iter().map(in_words).collect();
    let limit = text.0.percent(100.0 * NEGLIGIBLE, 0);
    Finding {
        claim: text.0.text(
            "With enough triangles the time of the traversal becomes negligible beside that of the triangle tests",
            "Com triângulos suficientes, o tempo de percorrer a árvore se torna desprezível diante do dos testes de triângulos",
        ),
        published: text.0.text("stated without values", "afirmado sem valores"),
        ours: text.or_not_run((!ours.is_empty()).then(|| ours.join("; "))),
        verdict,
        note: text.0.text(
            format!("Share of the traversal in the query time, range over the repeats. Confirmed below {limit} at the largest size, a number of Embate's; refuted if the share grows; in between undecided, since more triangles may be enough."),
            format!("Fração do percurso no tempo de consulta, faixa das repetições. Confirmado abaixo de {limit} no maior tamanho, número do Embate; refutado se a fração cresce; entre os dois, inconclusivo, pois mais triângulos podem bastar."),
        ),
        ..stated(id, text.place_of_claims())
    }
}

/// "The octree is for complex models and many rays": its build is not timed in the study.
pub(super) fn many_rays(id: &'static str, cases: CaseRows<'_>, text: ReportText) -> Finding {
    let largest: Vec<&Row> =
        cases.names().into_iter().filter_map(|case| rows(cases, case).pop()).collect();
    let in_words = |row: &&Row| {
        let (case, size) = (text.case(&row.case), text.triangles(row.triangles));
        match row.break_even_rays() {
            Some(rays) => {
                let rays = text.0.integer(rays as u64);
                text.0.text(
                    format!("{case}, {size}: from {rays} rays"),
                    format!("{case}, {size}: a partir de {rays} raios"),
                )
            }
            None => text.0.text(format!("{case}, {size}: never"), format!("{case}, {size}: nunca")),
        }
    };
    let ours: Vec<_> = largest.iter().map(in_words).collect();
    let break_even: Vec<f64> = largest.iter().filter_map(|row| row.break_even_rays()).collect();
    let verdict = if largest.is_empty() {
        Verdict::NotRun
    } else if break_even.iter().any(|&rays| rays <= 1.0) {
        Verdict::NotConfirmed
    } else if break_even.is_empty() {
        Verdict::Undecided
    } else {
        Verdict::Confirmed
    };
    Finding {
        claim: text.0.text(
            "The octree is for complex models and many rays",
            "A octree serve para modelos complexos e muitos raios",
        ),
        published: text.0.text(
            "stated; build time left out on purpose",
            "afirmado; tempo de construção deixado de fora de propósito",
        ),
        ours: text.or_not_run((!ours.is_empty()).then(|| ours.join("; "))),
        verdict,
        note: sentences(&[
            text.0.text(
                "Number of rays that repay the build of the octree, at the largest size of each case.",
                "Número de raios que compensam a construção da octree, no maior tamanho de cada caso.",
            ),
            text.0.text(
                "The study gives no number. Confirmed if the build pays off in some case, and nowhere with a single ray.",
                "O estudo não dá um número. Confirmado se a construção compensa em algum caso, e em nenhum com um só raio.",
            ),
        ]),
        ..stated(id, text.place_of_claims())
    }
}
