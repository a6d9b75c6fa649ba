//! Texts of the ray study's findings, in both languages.
//!
//! Cases and techniques appear by their labels ([`labels`]).

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_report::language::Language;

use super::case_rows::{CITY, FAMILIES};
use super::findings::{MIN_MODELS, NEAR, WORTHWHILE};
use crate::studies::labels;
use crate::study_kind::StudyKind;

/// The sentences of the report, in one language.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportText(pub(super) Language);

/// Joins sentences, without the empty ones.
pub(super) fn sentences(sentences: &[String]) -> String {
    let nonempty = sentences.iter().filter(|sentence| !sentence.is_empty());
    nonempty.map(String::as_str).collect::<Vec<_>>().join(" ")
}

impl ReportText {
    pub(super) fn percent(self, value: f64) -> String {
        self.0.percent(value, 2)
    }

    pub(super) fn place_of_table(self) -> String {
        self.0.text("results, table of all cases", "resultados, tabela de todos os casos")
    }

    pub(super) fn place_of_conclusion(self) -> String {
        self.0.text("conclusion", "conclusão")
    }

    /// Claims whose section is not recorded in the specification of the studies.
    pub(super) fn place_of_claims(self) -> String {
        self.0.text("text, section not recorded", "texto, seção não registrada")
    }

    pub(super) fn not_run(self) -> String {
        self.0.text("not part of this run", "fora desta execução")
    }

    pub(super) fn or_not_run(self, value: Option<String>) -> String {
        value.unwrap_or_else(|| self.not_run())
    }

    /// Label of a case.
    pub(super) fn case(self, name: &str) -> String {
        labels::case(StudyKind::Rays, name, self.0)
    }

    /// Label of a technique.
    pub(super) fn technique(self, name: &str) -> String {
        labels::technique(StudyKind::Rays, name, self.0)
    }

    /// `bunny.ply, 69,451 triangles: high`
    pub(super) fn affinity_of(self, case: &str, affinity: OctreeAffinity, size: u32) -> String {
        format!("{}, {}: {}", self.case(case), self.triangles(size), self.affinity(affinity))
    }

    pub(super) fn affinity(self, affinity: OctreeAffinity) -> String {
        match affinity {
            OctreeAffinity::Low => self.0.text("low", "baixa"),
            OctreeAffinity::Medium => self.0.text("medium", "média"),
            OctreeAffinity::High => self.0.text("high", "alta"),
        }
    }

    pub(super) fn triangles(self, count: u32) -> String {
        let count = self.0.integer(count.into());
        self.0.text(format!("{count} triangles"), format!("{count} triângulos"))
    }

    pub(super) fn tested(self, percent: f64) -> String {
        let percent = self.percent(percent);
        self.0.text(format!("{percent} tested"), format!("{percent} testados"))
    }

    /// `2.30× faster`, or `2.73× slower`.
    pub(super) fn against(self, ratio: f64) -> String {
        if ratio >= 1.0 {
            let times = self.0.times(ratio);
            self.0.text(format!("{times} faster"), format!("{times} mais rápida"))
        } else {
            let times = self.0.times(1.0 / ratio);
            self.0.text(format!("{times} slower"), format!("{times} mais lenta"))
        }
    }

    /// A family of random triangles in a sentence.
    fn family(self, case: &str) -> String {
        match FAMILIES.iter().position(|family| *family == case) {
            Some(0) => self.0.text(
                "random triangles of low affinity",
                "triângulos aleatórios de baixa afinidade",
            ),
            Some(1) => self.0.text(
                "random triangles of medium affinity",
                "triângulos aleatórios de média afinidade",
            ),
            _ => self.0.text(
                "random triangles of high affinity",
                "triângulos aleatórios de alta afinidade",
            ),
        }
    }

    pub(super) fn claim_tested(self, case: &str) -> String {
        let family = self.family(case);
        self.0.text(
            format!("Share of triangles tested by the octree, {family}"),
            format!("Fração dos triângulos testada pela octree, {family}"),
        )
    }

    pub(super) fn rule_band(self, band: f64) -> String {
        let band = self.0.number(band, 1);
        self.0.text(
            format!("Does not depend on the machine; confirmed within ±{band} percentage points."),
            format!("Não depende da máquina; confirmado se a diferença for de até ±{band} ponto percentual."),
        )
    }

    pub(super) fn sizes_run(self, run: usize, of: usize) -> String {
        self.0.text(
            format!(
                "Incomplete: {run} of the {of} published sizes {} run.",
                if run == 1 { "was" } else { "were" }
            ),
            format!(
                "Incompleto: {run} dos {of} tamanhos publicados {}.",
                if run == 1 { "foi executado" } else { "foram executados" }
            ),
        )
    }

    pub(super) fn other_depth(self, depth: u64) -> String {
        self.0.text(
            format!(
                "Not comparable: the published octree has 6 levels, the one of this run {depth}."
            ),
            format!("Não comparável: a octree publicada tem 6 níveis; a desta execução, {depth}."),
        )
    }

    pub(super) fn claim_low_slower(self) -> String {
        self.0.text(
            "With low affinity the octree is slower than brute force",
            "Com baixa afinidade a octree é mais lenta que a força bruta",
        )
    }

    pub(super) fn slower_at_every_size(self) -> String {
        self.0.text("slower at every size", "mais lenta em todos os tamanhos")
    }

    pub(super) fn at_best(self, ratio: f64, triangles: f64, case: &str) -> String {
        let (against, size) = (self.against(ratio), self.triangles(triangles as u32));
        let case = self.case(case);
        self.0.text(
            format!("at best {against} ({case}, {size})"),
            format!("no melhor caso {against} ({case}, {size})"),
        )
    }

    pub(super) fn claim_faster_from(self, case: &str, size: u32) -> String {
        let (family, size) = (self.family(case), self.0.integer(size.into()));
        self.0.text(
            format!("The octree is faster from about {size} triangles, {family}"),
            format!("A octree é mais rápida a partir de cerca de {size} triângulos, {family}"),
        )
    }

    pub(super) fn faster_from_about(self, size: u32) -> String {
        let size = self.0.integer(size.into());
        self.0.text(format!("from about {size}"), format!("a partir de cerca de {size}"))
    }

    pub(super) fn faster_from(self, size: u32) -> String {
        let size = self.0.integer(size.into());
        self.0.text(format!("from {size}"), format!("a partir de {size}"))
    }

    pub(super) fn faster_at_every_size(self, smallest: u32) -> String {
        let smallest = self.0.integer(smallest.into());
        self.0.text(
            format!("at every measured size, from {smallest}"),
            format!("em todos os tamanhos medidos, a partir de {smallest}"),
        )
    }

    /// The octree is faster from between two sizes; `None` is beyond the largest measured size.
    pub(super) fn faster_from_within_spread(self, low: Option<u32>, high: Option<u32>) -> String {
        let size = |size: Option<u32>| match size {
            Some(size) => self.0.integer(size.into()),
            None => self.0.text("beyond the largest measured size", "além do maior tamanho medido"),
        };
        let (low, high) = (size(low), size(high));
        self.0.text(
            format!("Within the spread of the repeats: {low} to {high}."),
            format!("Dentro da dispersão das repetições: de {low} a {high}."),
        )
    }

    pub(super) fn never_faster(self) -> String {
        self.0.text("not at the largest measured size", "não no maior tamanho medido")
    }

    pub(super) fn rule_near(self) -> String {
        let near = self.0.number(NEAR * 100.0, 0);
        self.0.text(
            format!("Depends on the machine; confirmed within {near}% of the published value."),
            format!("Depende da máquina; confirmado a até {near}% do valor publicado."),
        )
    }

    pub(super) fn rule_near_and_side(self) -> String {
        let near = self.0.number(NEAR * 100.0, 0);
        self.0.text(
            format!("Depends on the machine; confirmed on the same side of 1 and within {near}%."),
            format!("Depende da máquina; confirmado do mesmo lado de 1 e a até {near}%."),
        )
    }

    pub(super) fn claim_ratio(self, case: &str, size: u32) -> String {
        let (family, size) = (self.family(case), self.0.integer(size.into()));
        self.0.text(
            format!("Octree compared with brute force at {size} triangles, {family}"),
            format!("Octree em relação à força bruta com {size} triângulos, {family}"),
        )
    }

    pub(super) fn claim_growth(self) -> String {
        let family = self.family(FAMILIES[2]);
        self.0.text(
            format!("The speedup of the octree grows linearly with the triangle count, {family}"),
            format!("O ganho da octree cresce linearmente com o número de triângulos, {family}"),
        )
    }

    pub(super) fn grows_every(self, triangles: f64) -> String {
        let triangles = self.0.number(triangles, 0);
        self.0.text(
            format!("by 1 every {triangles} triangles"),
            format!("1 a cada {triangles} triângulos"),
        )
    }

    pub(super) fn does_not_grow(self) -> String {
        self.0.text("does not grow", "não cresce")
    }

    pub(super) fn claim_stand_in(self, is_city: bool) -> String {
        if is_city {
            self.0.text(
                "On the large model, a city, the octree is faster",
                "No modelo grande, uma cidade, a octree é mais rápida",
            )
        } else {
            self.0.text(
                "On the small model, a house, the octree is slower",
                "No modelo pequeno, uma casa, a octree é mais lenta",
            )
        }
    }

    pub(super) fn stand_in_note(self, case: &str) -> String {
        let lost = if case == CITY { "scificity" } else { "building" };
        let case = self.case(case);
        self.0.text(
            format!("The published model ({lost}) is lost. “{case}” was built by Embate to have its triangle count and affinity: it can neither confirm nor refute this finding."),
            format!("O modelo publicado ({lost}) se perdeu. “{case}” foi construído pelo Embate para ter o mesmo número de triângulos e a mesma afinidade: não pode confirmar nem refutar esta conclusão."),
        )
    }

    pub(super) fn claim_no_errors(self) -> String {
        self.0.text(
            "The octree returns the hits of brute force",
            "A octree retorna as mesmas interseções que a força bruta",
        )
    }

    pub(super) fn errors_of(self, errors: u64, rays: Option<u64>) -> String {
        let count = self.0.integer(errors);
        match rays {
            None => self.0.text(format!("{count} errors"), format!("{count} erros")),
            Some(rays) => {
                let rays = self.0.integer(rays);
                self.0.text(
                    format!("{count} errors in {rays} rays"),
                    format!("{count} erros em {rays} raios"),
                )
            }
        }
    }

    pub(super) fn rule_errors(self) -> String {
        let tolerance = self.0.number(0.01, 2);
        self.0.text(
            format!("An error is a differing hit or miss, or a ray parameter t that differs by more than {tolerance}."),
            format!("Um erro é uma interseção a mais ou a menos, ou um parâmetro t do raio que difere mais de {tolerance}."),
        )
    }

    pub(super) fn claim_no_octree_low_medium(self) -> String {
        self.0.text(
            "Conclusion: an octree does not pay off with low or medium affinity",
            "Conclusão: a octree não compensa com afinidade baixa ou média",
        )
    }

    pub(super) fn no_gain_published(self) -> String {
        let (at_10000, size) = (self.against(1.07), self.triangles(10_000));
        self.0.text(
            format!("low: slower at every size; medium: {at_10000} at {size}"),
            format!("baixa: mais lenta em todos os tamanhos; média: {at_10000} com {size}"),
        )
    }

    pub(super) fn claim_no_octree_few(self) -> String {
        self.0.text(
            "Conclusion: an octree does not pay off below a few thousand triangles",
            "Conclusão: a octree não compensa abaixo de alguns milhares de triângulos",
        )
    }

    pub(super) fn no_gain_few_published(self) -> String {
        let (high, medium) = (self.triangles(3_000), self.0.integer(8_000));
        self.0.text(
            format!("faster from about {high} (high) or {medium} (medium)"),
            format!("mais rápida a partir de cerca de {high} (alta) ou {medium} (média)"),
        )
    }

    pub(super) fn rule_few(self, few: u32) -> String {
        let few = self.0.integer(few.into());
        self.0.text(
            format!("“A few thousand” means fewer than {few}; the number is Embate's."),
            format!("“Alguns milhares” significa menos de {few}; o número é do Embate."),
        )
    }

    pub(super) fn rule_worthwhile(self) -> String {
        let gain = self.0.times(WORTHWHILE);
        self.0.text(
            format!("Confirmed if no speedup of the study's octree over the study's brute force reaches {gain}, a number of Embate's."),
            format!("Confirmado se nenhum ganho da octree do estudo sobre a força bruta do estudo chega a {gain}, número do Embate."),
        )
    }

    pub(super) fn claim_models_high(self) -> String {
        self.0.text(
            "Conclusion: models made by artists tend to high affinity",
            "Conclusão: modelos feitos por artistas tendem à alta afinidade",
        )
    }

    pub(super) fn affinity_published(self) -> String {
        self.0.text("house: medium; city: very high", "casa: média; cidade: muito alta")
    }

    pub(super) fn rule_models(self) -> String {
        self.0.text(
            format!("Judged on the shipped models of an artist (Kenney, some hundred triangles each) and on those given with --mesh; the stand-ins “house” and “city” were built to have their affinity. Confirmed if more than half of at least {MIN_MODELS} models have high affinity: the verdict depends on which models are given. The study has two models."),
            format!("Julgado com os modelos incluídos de um artista (Kenney, algumas centenas de triângulos cada) e com os dados por --mesh; os substitutos “casa” e “cidade” foram construídos para ter a sua afinidade. Confirmado se mais da metade de ao menos {MIN_MODELS} modelos tem alta afinidade: o veredito depende dos modelos dados. O estudo tem dois modelos."),
        )
    }
}
