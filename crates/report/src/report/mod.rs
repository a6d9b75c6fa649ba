//! Report data, and its one HTML file: no network, no script, light and dark, for screen, paper and
//! screen readers.
//!
//! A [`Report`] is plain data; `html` writes it. Every text in it is escaped there and nowhere
//! else, so a mesh named `<script>` is just an odd name.

mod finding;
mod html;
pub mod provenance;
mod terminal_table;

use serde::Serialize;

use crate::chart::Chart;
use crate::language::Language;

pub use finding::{Finding, FindingKind, Verdict, of_kind};
pub use html::escape;

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Language of all texts of the page.
    pub language: Language,
    /// Title of the page.
    pub title: String,
    /// Subject of the report, in one or two sentences.
    pub lead: String,
    /// Limits of the whole report, for instance an incomplete run; shown at the top.
    pub notices: Vec<String>,
    /// Sections in reading order; each has an entry in the table of contents.
    pub sections: Vec<Section>,
    /// Program and time of the report.
    pub footer: String,
}

/// A part of a report with a heading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    /// Anchor; lower-case letters, digits, hyphens; unique within the report.
    pub id: String,
    /// The heading.
    pub heading: String,
    /// Blocks in reading order.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", content = "of", rename_all = "camelCase")]
pub enum Block {
    /// A heading below the section's own.
    Subheading(String),
    /// Running text.
    Paragraph(String),
    /// A list without order.
    List(Vec<String>),
    /// Names and their values.
    Definitions(Vec<(String, String)>),
    /// Rows and columns.
    Table(Table),
    /// A picture with its description and its numbers.
    Chart(Chart),
    /// Claims and verdicts; shown in one group per [`FindingKind`].
    Findings(Vec<Finding>),
}

/// Rows and columns. The first column names the row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Content of the table.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows with as many cells as `head`.
    pub rows: Vec<Vec<String>>,
}

/// Adds the charts that show something.
pub fn push_charts(blocks: &mut Vec<Block>, charts: impl IntoIterator<Item = Chart>) {
    blocks.extend(charts.into_iter().filter(Chart::has_data).map(Block::Chart));
}

impl Report {
    /// The whole page.
    #[must_use]
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// Every finding, in reading order.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.sections.iter().flat_map(|section| &section.blocks).flat_map(|block| match block {
            Block::Findings(findings) => findings.as_slice(),
            _ => &[],
        })
    }

    /// The findings as text for a terminal, in one group per kind; empty without findings.
    #[must_use]
    pub fn findings_in_terminal(&self) -> String {
        let findings: Vec<Finding> = self.findings().cloned().collect();
        finding::in_terminal(&findings, self.language)
    }

    /// Every chart, in reading order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        self.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
    }

    /// Every text of the report, apart from names, sources and numbers in table cells: for tests that both
    /// languages are complete.
    #[must_use]
    pub fn texts(&self) -> std::collections::BTreeSet<String> {
        let mut texts = std::collections::BTreeSet::from([self.title.clone(), self.lead.clone()]);
        texts.extend(self.notices.iter().cloned());
        for section in &self.sections {
            texts.insert(section.heading.clone());
            for block in &section.blocks {
                match block {
                    Block::Subheading(text) | Block::Paragraph(text) => {
                        texts.insert(text.clone());
                    }
                    Block::List(items) => texts.extend(items.iter().cloned()),
                    Block::Definitions(pairs) => {
                        texts.extend(pairs.iter().map(|(name, _)| name.clone()));
                    }
                    Block::Table(table) => {
                        texts.insert(table.caption.clone());
                        texts.extend(table.head.iter().cloned());
                    }
                    Block::Chart(chart) => {
                        let Chart { title, description, x_label, y_label, .. } = chart.clone();
                        texts.extend([title, description, x_label, y_label]);
                        texts.extend(chart.data_table(self.language).head);
                    }
                    Block::Findings(findings) => {
                        for finding in findings.clone() {
                            let Finding { kind, place, claim, published, ours, note, .. } = finding;
                            texts.extend([place, claim, published, ours, note]);
                            let verdict = finding.verdict.text(self.language);
                            let headings =
                                [kind.heading(self.language), kind.explanation(self.language)];
                            texts.extend(headings.into_iter().chain([verdict]).map(str::to_owned));
                        }
                    }
                }
            }
        }
        texts
    }
}
