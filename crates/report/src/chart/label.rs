//! Chart text: sizes, width estimates and escaping.

use kuva::render::color::Color;
use kuva::render::render::{Primitive, TextAnchor};

pub(super) const TITLE_SIZE: u32 = 16;
pub(super) const TEXT_SIZE: u32 = 13;
pub(super) const TICK_SIZE: u32 = 12;

/// Names are cut to this many letters: file names of users have no limit of their own.
const MAX_LETTERS: usize = 36;

/// A text at a place on the canvas. Titles are bold.
pub(super) fn text(
    text: &str,
    size: u32,
    (x, y): (f64, f64),
    anchor: TextAnchor,
    color: String,
) -> Primitive {
    Primitive::Text {
        x,
        y,
        content: plain(text),
        size,
        anchor,
        rotate: None,
        bold: size == TITLE_SIZE,
        color: Some(Color::from(color)),
    }
}

/// An estimate, on the safe side for the fonts that `system-ui` stands for.
pub(super) fn width(text: &str, size: u32) -> f64 {
    let ems = |letter: char| match letter {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | '.' | ',' | ':' | '(' | ')' | '-' | ' ' | '\u{a0}' => {
            0.37
        }
        'm' | 'w' | 'M' | 'W' | '%' | '…' => 0.95,
        capital if capital.is_uppercase() => 0.7,
        _ => 0.62,
    };
    text.chars().map(ems).sum::<f64>() * f64::from(size)
}

/// Cuts a long name in the middle: file names differ at both ends.
pub(super) fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MAX_LETTERS {
        return name.to_owned();
    }
    let half = MAX_LETTERS / 2;
    let begin: String = letters[..half].iter().collect();
    let end: String = letters[letters.len() - half + 1..].iter().collect();
    format!("{begin}…{end}")
}

/// Breaks a text between words into lines of at most `width` pixels. A longer word gets a line of
/// its own.
pub(super) fn wrapped(text: &str, size: u32, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if self::width(&format!("{line} {word}"), size) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// kuva reads `$…$` as mathematics; a file name that holds dollars is not. Control characters have
/// no form in XML.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().replace('$', "\\$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_shortened_in_the_middle() {
        let name = "a_very_long_file_name_of_another_user_or_else.obj";
        let cut = shortened(name);
        assert_eq!(cut.chars().count(), MAX_LETTERS);
        assert!(cut.starts_with("a_very") && cut.ends_with("else.obj"), "{cut}");
        assert_eq!(shortened("short"), "short");
    }

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("", 12, 100.0), Vec::<String>::new());
        let lines = wrapped("one two three four five six seven", 12, 90.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12) <= 90.0), "{lines:?}");
        assert_eq!(lines.join(" "), "one two three four five six seven");
    }
}
