//! Texts of the ray study's findings, in both languages.
//!
//! Names of cases and techniques are the same in both: they are command-line words.

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_report::language::Language;

use super::case_rows::{CITY, FAMILIES};
use super::findings::{NEAR, WORTHWHILE};

/// The sentences of the report, in one language.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReportText(pub(super) Language);

/// Puts sentences one behind the other, leaving out empty ones.
pub(super) fn sentences(sentences: &[String]) -> String {
    let spoken: Vec<_> =
        sentences.iter().filter(|sentence| !sentence.is_empty()).map(String::as_str).collect();
    spoken.join(" ")
}

impl ReportText {
    pub(super) fn percent(self, value: f64) -> String {
        self.0.percent(value, 2)
    }

    pub(super) fn not_measured(self) -> String {
        self.0.text("not measured in this run", "não medido nesta execução")
    }

    pub(super) fn or_not_measured(self, value: Option<String>) -> String {
        value.unwrap_or_else(|| self.not_measured())
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

    /// A class in a sentence, with the name of its case.
    fn family(self, case: &str) -> String {
        let place = FAMILIES.iter().position(|family| *family == case);
        let class = match place {
            Some(0) => self.0.text("low affinity", "baixa afinidade"),
            Some(1) => self.0.text("medium affinity", "média afinidade"),
            _ => self.0.text("high affinity", "alta afinidade"),
        };
        format!("{class} ({case})")
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
            format!("Does not depend on the machine; held within ±{band} points."),
            format!("Não depende da máquina; confirmado se a diferença for de até ±{band} ponto."),
        )
    }

    pub(super) fn sizes_run(self, run: usize, of: usize) -> String {
        self.0.text(
            format!("Only {run} of the {of} published sizes were run, which cannot decide it."),
            format!("Só {run} dos {of} tamanhos publicados foram executados, o que não basta para decidir."),
        )
    }

    pub(super) fn other_depth(self, depth: u64) -> String {
        self.0.text(
            format!(
                "The published tree has 6 levels and this run's has {depth}: nothing is decided."
            ),
            format!(
                "A árvore publicada tem 6 níveis e a desta execução tem {depth}: nada se decide."
            ),
        )
    }

    pub(super) fn claim_low_slower(self) -> String {
        self.0.text(
            "With low affinity the octree is slower than basic detection",
            "Com baixa afinidade a octree é mais lenta que a detecção básica",
        )
    }

    pub(super) fn slower_at_every_size(self) -> String {
        self.0.text("slower at every size", "mais lenta em todos os tamanhos")
    }

    pub(super) fn at_best(self, ratio: f64, triangles: f64, case: &str) -> String {
        let (against, size) = (self.against(ratio), self.triangles(triangles as u32));
        self.0.text(
            format!("at best {against} ({case}, {size})"),
            format!("no melhor caso {against} ({case}, {size})"),
        )
    }

    pub(super) fn claim_faster_from(self, case: &str, size: u32) -> String {
        let (family, size) = (self.family(case), self.0.integer(size.into()));
        self.0.text(
            format!("From about {size} triangles on the octree is faster, {family}"),
            format!("A partir de cerca de {size} triângulos a octree é mais rápida, {family}"),
        )
    }

    pub(super) fn faster_from_about(self, size: u32) -> String {
        let size = self.0.integer(size.into());
        self.0.text(format!("from about {size}"), format!("a partir de cerca de {size}"))
    }

    pub(super) fn faster_from(self, size: u32) -> String {
        let size = self.0.integer(size.into());
        self.0.text(format!("from {size} on"), format!("a partir de {size}"))
    }

    pub(super) fn faster_at_every_size(self, smallest: u32) -> String {
        let smallest = self.0.integer(smallest.into());
        self.0.text(
            format!("at every size measured, from {smallest} on"),
            format!("em todos os tamanhos medidos, a partir de {smallest}"),
        )
    }

    pub(super) fn never_faster(self) -> String {
        self.0.text("not at the largest size measured", "nem no maior tamanho medido")
    }

    pub(super) fn rule_near(self) -> String {
        let near = self.0.number(NEAR * 100.0, 0);
        self.0.text(
            format!("Depends on the machine; held within {near} % of the published figure."),
            format!("Depende da máquina; confirmado se ficar a até {near} % do valor publicado."),
        )
    }

    pub(super) fn rule_near_and_side(self) -> String {
        let near = self.0.number(NEAR * 100.0, 0);
        self.0.text(
            format!("Depends on the machine; held on the same side of 1 and within {near} %."),
            format!("Depende da máquina; confirmado do mesmo lado de 1 e a até {near} %."),
        )
    }

    pub(super) fn claim_ratio(self, case: &str, size: u32) -> String {
        let (family, size) = (self.family(case), self.0.integer(size.into()));
        self.0.text(
            format!("Octree against basic detection at {size} triangles, {family}"),
            format!("Octree em relação à detecção básica com {size} triângulos, {family}"),
        )
    }

    pub(super) fn claim_growth(self) -> String {
        let family = self.family(FAMILIES[2]);
        self.0.text(
            format!("The octree's advantage grows steadily with the triangles, {family}"),
            format!("A vantagem da octree cresce com o número de triângulos, {family}"),
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

    pub(super) fn claim_stand_in(self, case: &str) -> String {
        if case == CITY {
            self.0.text(
                "On the large artist's model, a city, the octree is faster",
                "No modelo grande feito por artista, uma cidade, a octree é mais rápida",
            )
        } else {
            self.0.text(
                "On the small artist's model, a house, the octree is slower",
                "No modelo pequeno feito por artista, uma casa, a octree é mais lenta",
            )
        }
    }

    pub(super) fn stand_in_note(self, case: &str) -> String {
        let lost = if case == CITY { "scificity" } else { "building" };
        self.0.text(
            format!("The published model ({lost}) is lost; “{case}” stands in for it. Another model gives other figures, so only the direction is judged."),
            format!("O modelo publicado ({lost}) se perdeu; “{case}” o substitui. Outro modelo dá outros números, por isso só se julga o sentido."),
        )
    }

    pub(super) fn claim_no_errors(self) -> String {
        self.0.text(
            "The octree gives the answers of basic detection",
            "A octree dá as mesmas respostas que a detecção básica",
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
            format!("An error is another hit flag, or a distance that differs by more than {tolerance}."),
            format!("Erro é acertar em vez de não acertar, ou o inverso, ou uma distância que difere mais de {tolerance}."),
        )
    }

    pub(super) fn claim_no_octree_low_medium(self) -> String {
        self.0.text(
            "Conclusion: no octree for low or medium affinity",
            "Conclusão: não usar octree com afinidade baixa ou média",
        )
    }

    pub(super) fn no_gain_published(self) -> String {
        let most = self.0.times(1.07);
        self.0.text(format!("at most {most}"), format!("no máximo {most}"))
    }

    pub(super) fn claim_no_octree_few(self, few: u32) -> String {
        let few = self.0.integer(few.into());
        self.0.text(
            format!("Conclusion: no octree below a few thousand triangles (here: {few})"),
            format!(
                "Conclusão: não usar octree abaixo de alguns milhares de triângulos (aqui: {few})"
            ),
        )
    }

    pub(super) fn no_gain_few_published(self) -> String {
        self.0.text("slower in every case", "mais lenta em todos os casos")
    }

    pub(super) fn rule_worthwhile(self) -> String {
        let gain = self.0.times(WORTHWHILE);
        self.0.text(
            format!("Held where the study's octree nowhere gains {gain} or more over its basic detection."),
            format!("Confirmado se a octree do estudo em nenhum caso ganhar {gain} ou mais da detecção básica dele."),
        )
    }

    pub(super) fn claim_models_high(self) -> String {
        self.0.text(
            "Conclusion: artists' models tend to high affinity",
            "Conclusão: modelos feitos por artistas tendem à alta afinidade",
        )
    }

    pub(super) fn affinity_published(self) -> String {
        self.0.text("house: medium; city: very high", "casa: média; cidade: muito alta")
    }

    pub(super) fn rule_models(self) -> String {
        self.0.text(
            "Held where at least half of the models are of high affinity and none is of low. Two models are little evidence, in the study as here.",
            "Confirmado se ao menos metade dos modelos tiver alta afinidade e nenhum tiver baixa. Dois modelos são pouca evidência, no estudo como aqui.",
        )
    }
}
