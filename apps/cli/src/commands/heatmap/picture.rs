//! PNG picture of heat maps: side by side, each below its name, above a common color scale.

use std::fs::File;
use std::io::BufWriter;

use embate_viewer::heat_map::{self, shade};
use font8x8::UnicodeFonts;

/// Heat map of one structure.
pub(crate) struct Panel<'a> {
    pub(crate) name: &'a str,
    pub(crate) heat: &'a [u32],
}

const MARGIN: usize = 16;
/// Width and height of a character: 8×8 glyphs at twice their size.
const GLYPH: usize = 16;
const LEGEND: usize = 16;
const BACKGROUND: [u8; 3] = [18, 22, 28];
const FOREGROUND: [u8; 3] = [226, 232, 240];

/// Writes a PNG; `metric` is the unit of the color scale.
pub(crate) fn write(
    file: File,
    panels: &[Panel<'_>],
    size: [u32; 2],
    metric: &str,
) -> Result<(), String> {
    let [width, height] = size.map(|side| side as usize);
    let max = panels.iter().flat_map(|panel| panel.heat).copied().max().unwrap_or(0);
    let longest_name = panels.iter().map(|panel| panel.name.len()).max().unwrap_or(0);
    let panel_width = width.max(longest_name * GLYPH);
    let total_width = panels.len() * (panel_width + MARGIN) + MARGIN;
    let total_height =
        MARGIN + GLYPH + MARGIN / 2 + height + MARGIN + LEGEND + MARGIN / 2 + GLYPH + MARGIN;
    let mut picture = Picture::new(total_width.max(480), total_height);
    for (column, panel) in panels.iter().enumerate() {
        let left = MARGIN + column * (panel_width + MARGIN);
        picture.text(left, MARGIN, panel.name);
        let top = MARGIN + GLYPH + MARGIN / 2;
        for (pixel, &heat) in panel.heat.iter().enumerate() {
            picture.set(
                left + pixel % width,
                top + pixel / width,
                heat_map::color(shade(heat, max)),
            );
        }
    }
    let top = total_height - MARGIN - GLYPH - MARGIN / 2 - LEGEND;
    let length = picture.width - 2 * MARGIN;
    for x in 0..length {
        let color = heat_map::color(x as f32 / (length - 1) as f32);
        (0..LEGEND).for_each(|y| picture.set(MARGIN + x, top + y, color));
    }
    picture.ticks(max, metric, length, top + LEGEND + MARGIN / 2);
    picture.encode(file)
}

struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, bytes: BACKGROUND.repeat(width * height) }
    }

    /// Sets a pixel; one outside the picture is ignored.
    fn set(&mut self, x: usize, y: usize, color: [u8; 3]) {
        if x < self.width && y < self.height {
            let offset = 3 * (y * self.width + x);
            self.bytes[offset..offset + 3].copy_from_slice(&color);
        }
    }

    fn text(&mut self, left: usize, top: usize, text: &str) {
        for (column, character) in text.chars().enumerate() {
            let rows = font8x8::BASIC_FONTS.get(character).unwrap_or_default();
            for (y, row) in rows.into_iter().enumerate() {
                for x in (0..8).filter(|x| row >> x & 1 == 1) {
                    for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let corner = left + column * GLYPH;
                        self.set(corner + 2 * x + right, top + 2 * y + down, FOREGROUND);
                    }
                }
            }
        }
    }

    /// Labels of the color scale: 0, the powers of ten that do not overlap, and the maximum.
    fn ticks(&mut self, max: u32, metric: &str, length: usize, top: usize) {
        let end = format!("{max} {metric}");
        let last = MARGIN + length - end.len() * GLYPH;
        self.text(last, top, &end);
        let powers = core::iter::successors(Some(1_u32), |power| power.checked_mul(10));
        let mut free = MARGIN;
        for tick in core::iter::once(0).chain(powers).take_while(|&tick| tick < max) {
            let text = tick.to_string();
            let position = MARGIN + (shade(tick, max) * length as f32) as usize;
            if position >= free && position + (text.len() + 1) * GLYPH < last {
                self.text(position, top, &text);
                free = position + (text.len() + 1) * GLYPH;
            }
        }
    }

    fn encode(&self, file: File) -> Result<(), String> {
        let mut encoder =
            png::Encoder::new(BufWriter::new(file), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(&self.bytes)?;
            writer.finish()
        });
        written.map_err(|error| error.to_string())
    }
}
