//! How do heat maps look? Side by side, each under its name, over one scale of colours.

use std::fs::File;
use std::io::BufWriter;

use embate_lab::heat_map::{colour, shade};
use font8x8::UnicodeFonts;

/// One structure's picture.
pub(crate) struct Panel<'a> {
    pub(crate) name: &'a str,
    pub(crate) heat: &'a [u32],
}

const MARGIN: usize = 16;
/// A letter, drawn at twice its size.
const LETTER: usize = 16;
const LEGEND: usize = 16;
const PAPER: [u8; 3] = [18, 22, 28];
const INK: [u8; 3] = [226, 232, 240];

/// Writes a PNG; `metric` names the numbers under the scale.
pub(crate) fn write(
    file: File,
    panels: &[Panel<'_>],
    size: [u32; 2],
    metric: &str,
) -> Result<(), String> {
    let [width, height] = size.map(|side| side as usize);
    let most = panels.iter().flat_map(|panel| panel.heat).copied().max().unwrap_or(0);
    let longest_name = panels.iter().map(|panel| panel.name.len()).max().unwrap_or(0);
    let panel_width = width.max(longest_name * LETTER);
    let beside = panels.len() * (panel_width + MARGIN) + MARGIN;
    let below =
        MARGIN + LETTER + MARGIN / 2 + height + MARGIN + LEGEND + MARGIN / 2 + LETTER + MARGIN;
    let mut picture = Picture::new(beside.max(480), below);
    for (place, panel) in panels.iter().enumerate() {
        let left = MARGIN + place * (panel_width + MARGIN);
        picture.text(left, MARGIN, panel.name);
        let top = MARGIN + LETTER + MARGIN / 2;
        for (pixel, &heat) in panel.heat.iter().enumerate() {
            picture.set(left + pixel % width, top + pixel / width, colour(shade(heat, most)));
        }
    }
    let top = below - MARGIN - LETTER - MARGIN / 2 - LEGEND;
    let length = picture.width - 2 * MARGIN;
    for x in 0..length {
        let colour = colour(x as f32 / (length - 1) as f32);
        (0..LEGEND).for_each(|y| picture.set(MARGIN + x, top + y, colour));
    }
    picture.ticks(most, metric, length, top + LEGEND + MARGIN / 2);
    picture.encode(file)
}

struct Picture {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        Self { width, height, bytes: PAPER.repeat(width * height) }
    }

    /// What lies outside is left out.
    fn set(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        if x < self.width && y < self.height {
            let place = 3 * (y * self.width + x);
            self.bytes[place..place + 3].copy_from_slice(&colour);
        }
    }

    fn text(&mut self, left: usize, top: usize, text: &str) {
        for (place, letter) in text.chars().enumerate() {
            let rows = font8x8::BASIC_FONTS.get(letter).unwrap_or_default();
            for (y, row) in rows.into_iter().enumerate() {
                for x in (0..8).filter(|x| row >> x & 1 == 1) {
                    for (right, down) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let corner = left + place * LETTER;
                        self.set(corner + 2 * x + right, top + 2 * y + down, INK);
                    }
                }
            }
        }
    }

    /// Numbers under the scale: 0, powers of ten as far as they do not run into each other, the most.
    fn ticks(&mut self, most: u32, metric: &str, length: usize, top: usize) {
        let end = format!("{most} {metric}");
        let last = MARGIN + length - end.len() * LETTER;
        self.text(last, top, &end);
        let powers = core::iter::successors(Some(1_u32), |power| power.checked_mul(10));
        let mut free = MARGIN;
        for tick in core::iter::once(0).chain(powers).take_while(|&tick| tick < most) {
            let text = tick.to_string();
            let place = MARGIN + (shade(tick, most) * length as f32) as usize;
            if place >= free && place + (text.len() + 1) * LETTER < last {
                self.text(place, top, &text);
                free = place + (text.len() + 1) * LETTER;
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
