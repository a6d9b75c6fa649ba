//! How does a reader see the results of a run? As one HTML file that needs no network and no
//! script, in light and dark, on paper and on a phone, read or listened to.
//!
//! A [`Report`] is plain data; `html` writes it. Every text in it is escaped there, at the one
//! door, so a mesh named `<script>` is just an odd name.

mod html;
pub mod provenance;
mod terminal;

use serde::Serialize;

use crate::chart::Chart;
use crate::language::Language;

pub use html::escape;

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Of every text below, and of the few words the page adds.
    pub language: Language,
    /// The page's title.
    pub title: String,
    /// What this is about, in one or two sentences.
    pub lead: String,
    /// In reading order; each has an entry in the table of contents.
    pub sections: Vec<Section>,
    /// By what and when it was made.
    pub footer: String,
}

/// A part of a report with a heading.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    /// Anchor; lower-case letters, digits, hyphens; unique within the report.
    pub id: String,
    /// The heading.
    pub heading: String,
    /// In reading order.
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
    /// What was claimed, and whether it held.
    Findings(Vec<Finding>),
}

/// Rows and columns. The first column names the row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Table {
    /// What the table shows.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells each as `head` has.
    pub rows: Vec<Vec<String>>,
}

/// A published claim beside what was found here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What the study says.
    pub claim: String,
    /// Its figure.
    pub published: String,
    /// Ours.
    pub ours: String,
    /// How the two compare, and by which rule.
    pub verdict: Verdict,
    /// What a reader must know to judge the comparison; may be empty.
    pub note: String,
}

/// Whether a published claim held in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// It did.
    Held,
    /// It did not.
    NotHeld,
    /// The rows it needs were not run.
    NotMeasured,
}

impl Verdict {
    /// Every verdict, in the order in which summaries count them.
    pub const ALL: [Self; 3] = [Self::Held, Self::NotHeld, Self::NotMeasured];

    /// The verdict of a test that was made.
    #[must_use]
    pub fn of(held: bool) -> Self {
        if held { Self::Held } else { Self::NotHeld }
    }

    /// In words.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::Held => language.text("held", "confirmado"),
            Self::NotHeld => language.text("not held", "não confirmado"),
            Self::NotMeasured => language.text("not measured", "não medido"),
        }
    }

    /// A sign beside the words, for skimming; never alone.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Held => "✓",
            Self::NotHeld => "✗",
            Self::NotMeasured => "○",
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

    /// Every text a reader of the report meets, apart from names and numbers in table cells.
    #[cfg(test)]
    pub(crate) fn texts(&self) -> std::collections::BTreeSet<String> {
        let mut texts = std::collections::BTreeSet::from([self.title.clone(), self.lead.clone()]);
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
