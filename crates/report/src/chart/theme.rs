//! Chart colors, light and dark.
//!
//! Okabe and Ito's palette, distinguishable with any form of color blindness, darkened on white and
//! lightened on black until every color has a contrast of 3 : 1 against its background.

use std::fmt::Write;

/// Series colors, light and dark; further series begin again from the first.
const SERIES: [(&str, &str); 7] = [
    ("#0072b2", "#56b4e9"),
    ("#c4320a", "#ff6a3d"),
    ("#00795a", "#00d19a"),
    ("#a03b78", "#cc79a7"),
    ("#9a6200", "#e69f00"),
    ("#5b4fa2", "#a99cf5"),
    ("#57606a", "#aab4be"),
];

/// Number of colors in the ordered palette.
pub(super) const LEVELS: usize = 6;

/// An ordered palette for parts that have an order, after cividis (Nuñez, Anderton, Renslow 2018):
/// fill, and the text on it. One palette serves both themes, as each part is outlined.
const LEVEL_FILLS: [(&str, &str); LEVELS] = [
    ("#12335f", "#ffffff"),
    ("#3f5478", "#ffffff"),
    ("#6b7280", "#ffffff"),
    ("#9a9374", "#10151c"),
    ("#ccb962", "#10151c"),
    ("#ffe945", "#10151c"),
];

/// Background, text, muted text, grid: light and dark.
const CHROME: [(Paint, &str, &str); 4] = [
    (Paint::Background, "#ffffff", "#0e1116"),
    (Paint::Text, "#1b1f24", "#e6edf3"),
    (Paint::Muted, "#57606a", "#9aa5b1"),
    (Paint::Grid, "#dfe3e8", "#2a313a"),
];

/// Source of the colors of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Standalone file, dark on white.
    Light,
    /// Standalone file, light on black.
    Dark,
    /// Part of a page, whose style sheet holds [`page_colors`] and so follows the reader.
    Page,
}

/// Role of a color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Background,
    Text,
    Muted,
    Grid,
    Series(usize),
    Level(usize),
    OnLevel(usize),
}

impl Paint {
    fn variable(self) -> String {
        match self {
            Self::Background => "--chart-background".to_owned(),
            Self::Text => "--chart-text".to_owned(),
            Self::Muted => "--chart-muted".to_owned(),
            Self::Grid => "--chart-grid".to_owned(),
            Self::Series(style) => format!("--series-{}", style % SERIES.len() + 1),
            Self::Level(level) => format!("--level-{}", level % LEVELS + 1),
            Self::OnLevel(level) => format!("--on-level-{}", level % LEVELS + 1),
        }
    }

    fn color(self, dark: bool) -> &'static str {
        let of = |(light_color, dark_color)| if dark { dark_color } else { light_color };
        match self {
            Self::Series(style) => of(SERIES[style % SERIES.len()]),
            Self::Level(level) => LEVEL_FILLS[level % LEVELS].0,
            Self::OnLevel(level) => LEVEL_FILLS[level % LEVELS].1,
            chrome => CHROME
                .iter()
                .find(|(paint, ..)| *paint == chrome)
                .map_or("#808080", |(_, light_color, dark_color)| of((light_color, dark_color))),
        }
    }
}

impl Theme {
    /// A color as SVG wants it: six hex digits, or a variable of the page.
    pub(super) fn paint(self, paint: Paint) -> String {
        match self {
            Self::Light => paint.color(false).to_owned(),
            Self::Dark => paint.color(true).to_owned(),
            Self::Page => format!("var({})", paint.variable()),
        }
    }
}

/// CSS declarations of every variable that [`Theme::Page`] uses, for one scheme.
#[must_use]
pub fn page_colors(dark: bool) -> String {
    let series = (0..SERIES.len()).map(Paint::Series);
    let levels = (0..LEVELS).flat_map(|level| [Paint::Level(level), Paint::OnLevel(level)]);
    let chrome = CHROME.iter().map(|(paint, ..)| *paint);
    let mut css = String::new();
    for paint in chrome.chain(series).chain(levels) {
        let _ = write!(css, "{}:{};", paint.variable(), paint.color(dark));
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2.2, relative luminance.
    fn luminance(hex: &str) -> f64 {
        let channel = |place: usize| {
            let value = f64::from(u8::from_str_radix(&hex[place..place + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn series_and_text_contrast_with_the_background() {
        for dark in [false, true] {
            let background = Paint::Background.color(dark);
            for style in 0..SERIES.len() {
                let color = Paint::Series(style).color(dark);
                assert!(contrast(color, background) >= 3.0, "{color} on {background}");
            }
            for text in [Paint::Text, Paint::Muted] {
                assert!(contrast(text.color(dark), background) >= 4.5, "{text:?}");
            }
        }
    }

    #[test]
    fn text_contrasts_with_its_level_fill() {
        for level in 0..LEVELS {
            let (fill, text) = LEVEL_FILLS[level];
            assert!(contrast(fill, text) >= 4.5, "level {level}: {}", contrast(fill, text));
        }
    }

    #[test]
    fn page_defines_every_color_variable_of_charts() {
        let css = page_colors(true);
        for style in 0..20 {
            for paint in [Paint::Series(style), Paint::Level(style), Paint::OnLevel(style)] {
                assert!(css.contains(&format!("{}:", paint.variable())));
            }
        }
    }
}
