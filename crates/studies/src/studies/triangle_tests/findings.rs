//! Findings about the ray–triangle tests.

use embate_report::Finding;
use embate_report::language::Language;

use super::row::Row;

/// The findings, in the order of the report.
pub(super) fn findings(_rows: &[Row], _language: Language) -> Vec<Finding> {
    Vec::new()
}
