//! Reports: charts, tables and pages of measurements, in English and Brazilian Portuguese.
//!
//! ```text
//! Table, Chart, Finding, Provenance ──► Report ──► one HTML file    (report/html.rs)
//!                            │            └──► charts as SVG        (chart/)
//!                            └──► tables for a terminal             (report/terminal_table.rs)
//! ```
//!
//! Guarantees: the input is plain data, so the same data gives the same bytes; every text is
//! escaped where HTML is written; the HTML needs no network and no script; every chart carries its
//! numbers as a table and its description as text. The crate depends neither on the engine nor on
//! files.

pub mod chart;
pub mod language;
mod report;

pub use report::{
    Block, Finding, FindingKind, Report, Section, Table, Verdict, escape, of_kind, provenance,
    push_charts,
};
