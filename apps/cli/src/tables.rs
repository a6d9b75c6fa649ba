//! The bare tables of answers on the terminal: columns apart, numbers to the right, no lines.

use comfy_table::{CellAlignment, Table, presets};

/// A table with this head; an empty head is none.
pub(crate) fn bare_table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if !head.is_empty() {
        table.set_header(head);
    }
    table
}

/// Columns from `first` on hold numbers.
pub(crate) fn align_numbers(table: &mut Table, first: usize) {
    for column in table.column_iter_mut().skip(first) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}
