//! Report data, and its one HTML file: no network, no script, light and dark, for screen, paper and
//! screen readers.
//!
//! A [`Report`] is plain data; `html` writes it. Every text in it is escaped there and nowhere
//! else, so a mesh named `<script>` is just an odd name.

mod html;
pub mod provenance;
mod terminal_table;

use serde::Serialize;

use crate::chart::Chart;
use crate::language::Language;

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
    /// Claims and verdicts.
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

/// A published claim beside the measured value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Claim of the study.
    pub claim: String,
    /// Published value.
    pub published: String,
    /// Measured value.
    pub ours: String,
    /// Verdict of the comparison.
    pub verdict: Verdict,
    /// Explanation of the verdict and limits of the comparison; may be empty.
    pub note: String,
}

/// Result of the comparison with a published claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The rows confirm the claim.
    Confirmed,
    /// The rows refute the claim.
    NotConfirmed,
    /// Some of the required rows were measured, but too few for a verdict.
    Undecided,
    /// None of the required rows was measured.
    NotRun,
}

impl Verdict {
    /// Every verdict, in the order in which summaries count them.
    pub const ALL: [Self; 4] = [Self::Confirmed, Self::NotConfirmed, Self::Undecided, Self::NotRun];

    /// Verdict on a claim whose required rows were all measured.
    #[must_use]
    pub fn of(is_confirmed: bool) -> Self {
        if is_confirmed { Self::Confirmed } else { Self::NotConfirmed }
    }

    /// Verdict as words.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::Confirmed => language.select("confirmed", "confirmado"),
            Self::NotConfirmed => language.select("not confirmed", "não confirmado"),
            Self::Undecided => language.select("undecided", "inconclusivo"),
            Self::NotRun => language.select("not run", "não executado"),
        }
    }

    /// A sign beside the words, for skimming; never alone.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Confirmed => "✓",
            Self::NotConfirmed => "✗",
            Self::Undecided => "?",
            Self::NotRun => "○",
        }
    }
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

    /// Every chart, in reading order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        self.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
    }

    /// Every text of the report, apart from names and numbers in table cells: for tests that both
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
                        for Finding { claim, published, ours, note, verdict } in findings.clone() {
                            texts.extend([claim, published, ours, note]);
                            texts.insert(verdict.text(self.language).to_owned());
                        }
                    }
                }
            }
        }
        texts
    }
}
