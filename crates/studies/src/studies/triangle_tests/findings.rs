//! Findings about the ray–triangle tests: of the paper of the watertight test, and of this
//! comparison. Counts decide at once; times with the spread of their repeats.

use embate_replica::triangle_tests::TriangleTestKind;
use embate_report::language::Language;
use embate_report::{Finding, FindingKind, Verdict};

use super::label;
use super::plan::{Aim, Case};
use super::row::Row;
use super::table::find;
use crate::statistics::{Range, ratio_range};
use crate::studies::timing_spread;

const WOOP: &str = "Woop, Benthin, Wald 2013";

/// Time that counts as the same performance: a tenth more. Our reading; the paper has no number.
const SAME_TIME: f64 = 1.1;

const AT_VERTICES: [Case; 2] = [Case::Near(Aim::Vertices), Case::Far(Aim::Vertices)];
const AT_EDGES: [Case; 2] = [Case::Near(Aim::Edges), Case::Far(Aim::Edges)];
const ANYWHERE: [Case; 2] = [Case::Near(Aim::Random), Case::Far(Aim::Random)];

/// Every finding: published ones, then those of this comparison.
pub(super) fn findings(rows: &[Row], language: Language) -> Vec<Finding> {
    let rows = Rows { rows, language };
    vec![
        rows.watertight(),
        rows.plucker_at_vertices(),
        rows.same_performance(),
        rows.leaks_in_f32(),
        rows.leaks_in_f64(),
        rows.segura_feito_time(),
        rows.watertight_is_not_exact(),
        rows.small_triangles(),
    ]
}

/// Rows in the language of the report.
#[derive(Clone, Copy)]
struct Rows<'a> {
    rows: &'a [Row],
    language: Language,
}

impl Rows<'_> {
    fn row(&self, case: Case, kind: TriangleTestKind) -> Option<&Row> {
        find(self.rows, case.name(), kind.name())
    }

    /// Leaks and rays of a test in these cases; `None` unless all were measured.
    fn leaks(&self, kind: TriangleTestKind, cases: &[Case]) -> Option<Leaks> {
        let mut sum = Leaks { leaks: 0, rays: 0 };
        for case in cases {
            let row = self.row(*case, kind)?;
            sum.leaks += row.leaks?;
            sum.rays += u64::from(row.rays);
        }
        Some(sum)
    }

    /// Leaks at vertices and edges.
    fn aimed_leaks(&self, kind: TriangleTestKind) -> Option<Leaks> {
        self.leaks(kind, &[AT_VERTICES, AT_EDGES].concat())
    }

    /// Ratios of the times of two tests in all closed meshes, over cases and repeats.
    fn time_ratios(&self, kind: TriangleTestKind, other: TriangleTestKind) -> Option<Range> {
        let mut bounds = Vec::new();
        for case in [AT_VERTICES, AT_EDGES, ANYWHERE].concat() {
            let [own, other] = [self.row(case, kind)?, self.row(case, other)?];
            let range = ratio_range(&own.ns_repeats, &other.ns_repeats)?;
            bounds.extend([range.low, range.high]);
        }
        Range::of(&bounds)
    }

    /// Verdict on a claim about the time of `kind` compared with Möller–Trumbore.
    fn timed(&self, finding: Finding, kind: TriangleTestKind) -> Finding {
        let lang = self.language;
        let Some(ratios) = self.time_ratios(kind, TriangleTestKind::MollerTrumbore) else {
            return finding;
        };
        let verdict = timing_spread::verdict(Some(ratios), [0.0, SAME_TIME]);
        let [low, high] = [ratios.low, ratios.high].map(|ratio| lang.times(ratio));
        let ours = lang.text(
            format!("{low} to {high} the time, over cases and repeats"),
            format!("{low} a {high} o tempo, nos casos e repetições"),
        );
        let margin = lang.text(
            "As fast: at most a tenth slower; the limit is ours. One triangle at a time, without vector instructions and without a tree.",
            "Tão rápido: no máximo um décimo mais lento; o limite é nosso. Um triângulo por vez, sem instruções vetoriais e sem árvore.",
        );
        let note = match verdict {
            Verdict::Undecided => format!("{margin} {}", timing_spread::wider_than_margin(lang)),
            _ => margin,
        };
        Finding { ours, verdict, note, ..finding }
    }

    fn watertight(&self) -> Finding {
        let lang = self.language;
        let place = lang.text("abstract", "resumo do artigo");
        let finding = Finding {
            quote: "watertight at both edges and vertices for adjoining triangles".to_owned(),
            claim: lang.text(
                "The watertight test leaks neither at edges nor at vertices.",
                "O teste estanque não vaza nem em arestas nem em vértices.",
            ),
            published: lang.text("no leak", "nenhum vazamento"),
            ..Finding::new("watertight", FindingKind::Published, WOOP, place)
        };
        let all = [AT_VERTICES, AT_EDGES, ANYWHERE].concat();
        match self.leaks(TriangleTestKind::Woop, &all) {
            Some(leaks) => Finding {
                ours: leaks.in_words(lang),
                verdict: Verdict::of(leaks.leaks == 0),
                ..finding
            },
            None => finding,
        }
    }

    fn plucker_at_vertices(&self) -> Finding {
        let lang = self.language;
        let place = lang.text("caption of figure 1", "legenda da figura 1");
        let finding = Finding {
            quote: "Plücker coordinates guarantee watertightness along the edges, but edges do not meet exactly at the vertices.".to_owned(),
            claim: lang.text(
                "The Plücker test leaks at vertices, but not along edges.",
                "O teste de Plücker vaza em vértices, mas não ao longo de arestas.",
            ),
            published: lang.text("stated without values", "afirmado sem valores"),
            ..Finding::new("plucker-at-vertices", FindingKind::Published, WOOP, place)
        };
        let leaks = |cases| self.leaks(TriangleTestKind::Plucker, cases);
        let (Some(vertices), Some(edges)) = (leaks(&AT_VERTICES), leaks(&AT_EDGES)) else {
            return finding;
        };
        let [at, along] = [vertices.in_words(lang), edges.in_words(lang)];
        Finding {
            ours: lang.text(
                format!("vertices: {at}; edges: {along}"),
                format!("vértices: {at}; arestas: {along}"),
            ),
            verdict: match (vertices.leaks, edges.leaks) {
                (0, 0) => Verdict::Undecided,
                (_, edges) => Verdict::of(edges == 0),
            },
            note: lang.text(
                "Vertices are relative to the ray’s origin here. Rounding that step, or a point on an edge that is close to a vertex, is part of what is measured.",
                "Os vértices são relativos à origem do raio aqui. O arredondamento desse passo, ou um ponto de aresta próximo de um vértice, faz parte do que é medido.",
            ),
            ..finding
        }
    }

    fn same_performance(&self) -> Finding {
        let lang = self.language;
        let place = lang.text("abstract", "resumo do artigo");
        let finding = Finding {
            quote: "while also maintaining the same performance as simpler algorithms that are not watertight".to_owned(),
            claim: lang.text(
                "The watertight test is as fast as that of Möller and Trumbore, which is not watertight.",
                "O teste estanque é tão rápido quanto o de Möller e Trumbore, que não é estanque.",
            ),
            published: lang.text("the same performance", "o mesmo desempenho"),
            ..Finding::new("same-performance", FindingKind::Published, WOOP, place)
        };
        self.timed(finding, TriangleTestKind::Woop)
    }

    fn leaks_in_f32(&self) -> Finding {
        let lang = self.language;
        let finding = Finding {
            claim: lang.text(
                "In f32, every other test leaks on rays aimed at vertices and edges.",
                "Em f32, todos os outros testes vazam com raios apontados para vértices e arestas.",
            ),
            ..Finding::new("leaks-in-f32", FindingKind::FoundHere, "Embate", "")
        };
        let mut all = Vec::new();
        for kind in TriangleTestKind::SELECTABLE.into_iter().filter(|kind| !kind.is_watertight()) {
            let Some(leaks) = self.aimed_leaks(kind) else { return finding };
            all.push((kind, leaks));
        }
        let words = all
            .iter()
            .map(|(kind, leaks)| format!("{}: {}", label(kind.name(), lang), leaks.in_words(lang)));
        let is_leaking = all.iter().all(|(_, leaks)| leaks.leaks > 0);
        Finding {
            ours: words.collect::<Vec<_>>().join("; "),
            // Few rays may find no leak.
            verdict: if is_leaking { Verdict::Confirmed } else { Verdict::Undecided },
            ..finding
        }
    }

    fn leaks_in_f64(&self) -> Finding {
        let lang = self.language;
        let finding = Finding {
            claim: lang.text(
                "The study’s test, in f64, leaks less often than Möller–Trumbore in f32: more digits make the fault rarer, and do not remove it.",
                "O teste do estudo, em f64, vaza menos que Möller–Trumbore em f32: mais dígitos tornam a falha mais rara, e não a removem.",
            ),
            ..Finding::new("leaks-in-f64", FindingKind::FoundHere, "Embate", "")
        };
        let leaks = |kind| self.aimed_leaks(kind);
        let (Some(study), Some(single)) =
            (leaks(TriangleTestKind::StudyMollerTrumbore), leaks(TriangleTestKind::MollerTrumbore))
        else {
            return finding;
        };
        let [double_words, single_words] = [study, single].map(|leaks| leaks.in_words(lang));
        Finding {
            ours: format!("f64: {double_words}; f32: {single_words}"),
            verdict: match (study.leaks, single.leaks) {
                (0, _) | (_, 0) => Verdict::Undecided,
                (double, single) => Verdict::of(double < single),
            },
            note: lang.text(
                "The rays and triangles are given in f32. In the far meshes all coordinates are multiples of 1/64: there f64 is exact, and the study’s test leaks nothing.",
                "Os raios e triângulos são dados em f32. Nas malhas distantes todas as coordenadas são múltiplos de 1/64: ali f64 é exato, e o teste do estudo não vaza.",
            ),
            ..finding
        }
    }

    fn segura_feito_time(&self) -> Finding {
        let lang = self.language;
        let finding = Finding {
            claim: lang.text(
                "The test of Segura and Feito, which Lorenzi 2014 names as an alternative without measuring it, is as fast as that of Möller and Trumbore.",
                "O teste de Segura e Feito, que Lorenzi 2014 cita como alternativa sem medi-lo, é tão rápido quanto o de Möller e Trumbore.",
            ),
            ..Finding::new("segura-feito-time", FindingKind::FoundHere, "Embate", "")
        };
        self.timed(finding, TriangleTestKind::SeguraFeito)
    }

    fn watertight_is_not_exact(&self) -> Finding {
        let lang = self.language;
        let finding = Finding {
            claim: lang.text(
                "Watertight is not exact: close to an edge, the test may report the neighbor of the triangle that the ray hits.",
                "Estanque não é exato: perto de uma aresta, o teste pode informar o vizinho do triângulo que o raio atinge.",
            ),
            ..Finding::new("watertight-is-not-exact", FindingKind::FoundHere, "Embate", "")
        };
        let cases = [AT_VERTICES, AT_EDGES].concat();
        let rows = cases.iter().map(|case| self.row(*case, TriangleTestKind::Woop));
        let Some(rows) = rows.collect::<Option<Vec<&Row>>>() else { return finding };
        let (wrong, rays) = rows
            .iter()
            .fold((0, 0), |(wrong, rays), row| (wrong + row.wrong(), rays + u64::from(row.rays)));
        let [wrong_words, rays] = [wrong, rays].map(|count| lang.integer(count));
        Finding {
            ours: lang.text(
                format!("{wrong_words} results differ from the exact test, in {rays} rays"),
                format!("{wrong_words} resultados diferem do teste exato, em {rays} raios"),
            ),
            verdict: if wrong > 0 { Verdict::Confirmed } else { Verdict::Undecided },
            ..finding
        }
    }

    fn small_triangles(&self) -> Finding {
        let lang = self.language;
        let finding = Finding {
            claim: lang.text(
                "Small distant triangles are decided worse by tests that evaluate the edges from the ray’s origin (Segura–Feito, Plücker) than by Möller–Trumbore and the watertight test.",
                "Triângulos pequenos e distantes são decididos pior por testes que avaliam as arestas a partir da origem do raio (Segura–Feito, Plücker) do que por Möller–Trumbore e pelo teste estanque.",
            ),
            ..Finding::new("small-triangles", FindingKind::FoundHere, "Embate", "")
        };
        let agreement = |kind| self.row(Case::Small, kind).map(Row::agreement_percent);
        let all = TriangleTestKind::SELECTABLE.map(|kind| Some((kind, agreement(kind)?)));
        let [Some(moller), Some(segura), Some(plucker), Some(woop)] = all else { return finding };
        let words = [moller, segura, plucker, woop].map(|(kind, agreement)| {
            format!("{} {}", label(kind.name(), lang), lang.percent(agreement, 2))
        });
        let right = words.join(", ");
        Finding {
            ours: lang.text(format!("right: {right}"), format!("corretos: {right}")),
            verdict: Verdict::of(moller.1.min(woop.1) > segura.1.max(plucker.1)),
            ..finding
        }
    }
}

/// Number of leaks, and of rays.
#[derive(Clone, Copy)]
struct Leaks {
    leaks: u64,
    rays: u64,
}

impl Leaks {
    fn in_words(self, language: Language) -> String {
        let [leaks, rays] = [self.leaks, self.rays].map(|count| language.integer(count));
        language.text(
            format!("{leaks} leaks in {rays} rays"),
            format!("{leaks} vazamentos em {rays} raios"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::measure;
    use super::super::plan::TriangleTestsPlan;
    use super::*;
    use crate::runner::run_context::RunContext;

    /// Rows of all cases, with times in the ratio of the test's number.
    fn rows(ns: impl Fn(TriangleTestKind, usize) -> f64) -> Vec<Row> {
        let plan = TriangleTestsPlan { rays: 1_000, repeats: 1, ..TriangleTestsPlan::new(true) };
        let context = RunContext { clock: || 0.0, on_progress: &|_| {} };
        let mut rows: Vec<Row> =
            Case::ALL.into_iter().flat_map(|case| measure(&plan, case, &context)).collect();
        for row in &mut rows {
            let kind = TriangleTestKind::from_name(&row.technique).unwrap();
            row.ns_repeats = (0..3).map(|repeat| ns(kind, repeat)).collect();
        }
        rows
    }

    fn verdicts(rows: &[Row]) -> Vec<(&'static str, Verdict)> {
        let found = findings(rows, Language::English);
        found.iter().map(|finding| (finding.id, finding.verdict)).collect()
    }

    #[test]
    fn counts_confirm_the_findings_and_times_are_judged_with_their_spread() {
        let rows = rows(|kind, repeat| match kind {
            TriangleTestKind::Woop => 5.0 + 2.0 * repeat as f64,
            TriangleTestKind::SeguraFeito => 9.0,
            _ => 6.0,
        });
        let expected = [
            ("watertight", Verdict::Confirmed),
            ("plucker-at-vertices", Verdict::Confirmed),
            ("same-performance", Verdict::Undecided),
            ("leaks-in-f32", Verdict::Confirmed),
            ("leaks-in-f64", Verdict::Confirmed),
            ("segura-feito-time", Verdict::NotConfirmed),
            ("watertight-is-not-exact", Verdict::Confirmed),
            ("small-triangles", Verdict::Confirmed),
        ];
        assert_eq!(verdicts(&rows), expected);
    }

    #[test]
    fn nothing_is_claimed_about_cases_that_were_not_measured() {
        for finding in findings(&[], Language::English) {
            assert_eq!((finding.verdict, finding.ours.as_str()), (Verdict::NotRun, ""));
        }
    }
}
