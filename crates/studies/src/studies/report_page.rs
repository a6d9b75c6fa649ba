//! Report page: the sections that all studies share.

use embate_report::language::Language;
use embate_report::{Block, Report, Section, provenance};

use super::citation;
use crate::runner::run_folder::RunInfo;
use crate::study_kind::StudyKind;

/// A section of a report.
pub(super) fn section(id: &str, heading: String, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), heading, blocks }
}

/// The findings with their verdicts.
pub(super) fn findings_section(blocks: Vec<Block>, language: Language) -> Section {
    section("findings", language.text("Findings", "Conclusões"), blocks)
}

/// The method of measurement.
pub(super) fn method_section(blocks: Vec<Block>, language: Language) -> Section {
    section("method", language.text("Method", "Método"), blocks)
}

/// The uncertainty of the times.
pub(super) fn spread_section(blocks: Vec<Block>, language: Language) -> Section {
    section("spread", language.text("Uncertainty of the times", "Incerteza dos tempos"), blocks)
}

/// A report of these sections, of the machine and of the references; empty sections are omitted.
/// The source line of each chart gets version, machine and date. A run without end time is reported
/// as incomplete.
pub(super) fn page(
    [title, lead]: [String; 2],
    mut sections: Vec<Section>,
    kind: StudyKind,
    info: &RunInfo,
    language: Language,
) -> Report {
    let run = info.provenance();
    sections.push(section(
        "machine",
        language.text("Machine and parameters", "Máquina e parâmetros"),
        provenance::machine(&run, language),
    ));
    sections.push(section(
        "citation",
        language.text("How to cite, references", "Como citar, referências"),
        citation::blocks(kind, &title, &run, language),
    ));
    sections.retain(|section| !section.blocks.is_empty());
    let source = provenance::source_line(&run);
    for block in sections.iter_mut().flat_map(|section| &mut section.blocks) {
        if let Block::Chart(chart) = block {
            let parts = [chart.source.as_str(), source.as_str()];
            chart.source =
                parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
        }
    }
    let notices = info.finished.is_none().then(|| {
        language.text(
            "Incomplete run: this report covers the cases measured so far. Findings that need other cases are undecided or not run.",
            "Execução incompleta: este relatório cobre os casos medidos até agora. Conclusões que dependem de outros casos são inconclusivas ou não foram executadas.",
        )
    });
    let time = info.finished.as_deref().unwrap_or(&info.started);
    let footer = format!("embate {} · {time}", info.versions.embate);
    Report { language, title, lead, notices: notices.into_iter().collect(), sections, footer }
}

#[cfg(test)]
mod tests {
    use embate_report::chart::{Chart, Dots, Kind, Scale};
    use serde_json::Map;

    use super::*;

    fn sample(info: &RunInfo, language: Language) -> Report {
        let dots = Dots {
            series: vec![("a".to_owned(), 0)],
            rows: vec![("b".to_owned(), vec![Some(1.0)])],
            scale: Scale::Log,
        };
        let chart = Chart {
            id: "c".to_owned(),
            title: "t".to_owned(),
            description: "d".to_owned(),
            source: "30 rays".to_owned(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            kind: Kind::Dots(dots),
        };
        let sections = vec![section("s", "s".to_owned(), vec![Block::Chart(chart)])];
        page(["t".to_owned(), "l".to_owned()], sections, StudyKind::Rays, info, language)
    }

    #[test]
    fn unfinished_run_is_reported_as_incomplete() {
        let mut info = RunInfo::new("rays", Map::new(), 1, Language::English);
        for (language, word) in [
            (Language::English, "Incomplete run"),
            (Language::BrazilianPortuguese, "Execução incompleta"),
        ] {
            info.finished = None;
            assert!(sample(&info, language).html().contains(word));
            info.finished = Some("2026-01-02T03:04:05Z".to_owned());
            assert!(!sample(&info, language).html().contains(word));
        }
    }

    #[test]
    fn chart_source_has_scene_version_machine_and_date() {
        let mut info = RunInfo::new("rays", Map::new(), 1, Language::English);
        info.machine.cpu = Some("Some CPU".to_owned());
        info.started = "2026-01-02T03:04:05Z".to_owned();
        let report = sample(&info, Language::English);
        let source = &report.charts().next().unwrap().source;
        assert!(source.starts_with("30 rays · embate "), "{source}");
        assert!(source.ends_with(" · Some CPU · 2026-01-02"), "{source}");
        assert!(report.html().contains(source.as_str()));
    }

    #[test]
    fn every_report_has_a_citation_and_the_three_references() {
        let info = RunInfo::new("rays", Map::new(), 1, Language::English);
        for language in Language::ALL {
            let html = sample(&info, language).html();
            for name in ["H. Lorenzi", "R. M. Lasch", "V. H. P. Gonçales"] {
                assert!(html.contains(name), "{name}");
            }
            assert!(html.contains(env!("CARGO_PKG_VERSION")));
        }
    }
}
