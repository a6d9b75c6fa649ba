//! Report page: the sections that all studies share.

use crate::runner::run_folder::RunInfo;
use embate_report::language::Language;
use embate_report::{Block, Report, Section, provenance};

/// A section of a report.
pub(super) fn section(id: &str, heading: String, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), heading, blocks }
}

/// The section that says how it was measured.
pub(super) fn method_section(blocks: Vec<Block>, language: Language) -> Section {
    section("method", language.text("How it was measured", "Como foi medido"), blocks)
}

/// The section that says what the times are worth.
pub(super) fn spread_section(blocks: Vec<Block>, language: Language) -> Section {
    section(
        "spread",
        language.text("How sure are the times?", "Quão seguros são os tempos?"),
        blocks,
    )
}

/// A report of these sections and of the machine; sections with nothing in them are left out.
pub(super) fn page(
    [title, lead]: [String; 2],
    mut sections: Vec<Section>,
    info: &RunInfo,
    language: Language,
) -> Report {
    let finished = info.finished.as_deref().unwrap_or(&info.started);
    sections.push(section(
        "machine",
        language.text("Machine and parameters", "Máquina e parâmetros"),
        provenance::machine(&info.provenance(), language),
    ));
    sections.retain(|section| !section.blocks.is_empty());
    let footer = format!("embate {} · {finished}", info.versions.embate);
    Report { language, title, lead, sections, footer }
}
