//! Tables for a terminal.

use comfy_table::{CellAlignment, ContentArrangement, Table as TerminalTable, presets};

use super::Table;

impl Table {
    /// Caption, head and rows, aligned; numbers to the right. No name in it can steer the terminal.
    #[must_use]
    pub fn in_terminal(&self) -> String {
        let mut drawn = TerminalTable::new();
        drawn
            .load_style(presets::UTF8_BORDERS_ONLY)
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&self.head);
        for row in &self.rows {
            // A name with a line break or an escape sequence must not draw on the terminal.
            drawn.add_row(row.iter().map(|cell| cell.replace(char::is_control, "\u{fffd}")));
        }
        for column in 0..self.head.len() {
            let is_text = self
                .rows
                .iter()
                .any(|row| row[column].starts_with(|first: char| first.is_alphabetic()));
            if let Some(column) = drawn.column_mut(column).filter(|_| !is_text) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let caption = self.caption.replace(char::is_control, "\u{fffd}");
        format!("{caption}\n{drawn}\n")
    }
}
