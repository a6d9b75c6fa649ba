//! Form input: a JSON object of words and numbers, parsed but not yet validated.
//!
//! A parser of its own, because the general one of `serde_json` would be a fifth of the module that
//! a browser loads.
//!
//! Guarantee: an object that `serde_json` accepts is parsed alike, and everything else is rejected.
//! A number of more than 15 digits may differ in the last bits of the `f64`, which are dropped
//! anyway.

/// Parameters as they came: anything may be missing, or be of another kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct FormInput {
    pub(super) width: InputValue,
    pub(super) height: InputValue,
    pub(super) objects: InputValue,
    pub(super) bounds: InputValue,
    pub(super) min_size: InputValue,
    pub(super) max_size: InputValue,
    pub(super) min_speed: InputValue,
    pub(super) max_speed: InputValue,
    pub(super) technique: InputValue,
    pub(super) cell_size: InputValue,
    pub(super) seed: InputValue,
}

/// One value. A field of a form that holds no number comes as `null`, and must be named, not fail
/// the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum InputValue {
    #[default]
    Nothing,
    Number(f64),
    Word(String),
}

impl FormInput {
    /// `None` if the text is not one JSON object of words and numbers with no field but these.
    pub(super) fn read(json: &str) -> Option<Self> {
        let mut text = Text(json);
        let mut draft = Self::default();
        text.take('{')?;
        if text.take('}').is_none() {
            loop {
                let name = text.word()?;
                text.take(':')?;
                *draft.field(name)? = text.value()?;
                if text.take(',').is_none() {
                    break;
                }
            }
            text.take('}')?;
        }
        text.rest().is_empty().then_some(draft)
    }

    fn field(&mut self, name: &str) -> Option<&mut InputValue> {
        Some(match name {
            "width" => &mut self.width,
            "height" => &mut self.height,
            "objects" => &mut self.objects,
            "bounds" => &mut self.bounds,
            "minSize" => &mut self.min_size,
            "maxSize" => &mut self.max_size,
            "minSpeed" => &mut self.min_speed,
            "maxSpeed" => &mut self.max_speed,
            "technique" => &mut self.technique,
            "cellSize" => &mut self.cell_size,
            "seed" => &mut self.seed,
            _ => return None,
        })
    }
}

/// Remaining text.
struct Text<'a>(&'a str);

impl<'a> Text<'a> {
    fn rest(&mut self) -> &'a str {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n', '\r']);
        self.0
    }

    fn take(&mut self, sign: char) -> Option<()> {
        self.0 = self.rest().strip_prefix(sign)?;
        Some(())
    }

    fn value(&mut self) -> Option<InputValue> {
        let rest = self.rest();
        if rest.starts_with('"') {
            return Some(InputValue::Word(self.word()?.to_owned()));
        }
        for nothing in ["null", "true", "false"] {
            if let Some(after) = rest.strip_prefix(nothing) {
                self.0 = after;
                return Some(InputValue::Nothing);
            }
        }
        let (number, after) = number(rest)?;
        self.0 = after;
        Some(InputValue::Number(number))
    }

    /// No name of ours needs an escape, so a text that has one is none of them.
    fn word(&mut self) -> Option<&'a str> {
        self.take('"')?;
        let (word, after) = self.0.split_once('"')?;
        self.0 = after;
        (!word.contains(|c: char| c == '\\' || c < ' ')).then_some(word)
    }
}

/// A number as JSON writes it, and what follows it. Beyond what an `f64` holds it is infinite.
fn number(text: &str) -> Option<(f64, &str)> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, mut text) = digits(text)?;
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let mut fraction = "";
    if let Some(rest) = text.strip_prefix('.') {
        (fraction, text) = digits(rest)?;
    }
    let mut exponent = 0;
    if let Some(rest) = text.strip_prefix(['e', 'E']) {
        let (sign, rest) = match rest.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, rest.strip_prefix('+').unwrap_or(rest)),
        };
        let (power, rest) = digits(rest)?;
        let digit =
            |sum: i32, digit: u8| sum.saturating_mul(10).saturating_add(value(digit).into());
        exponent = sign * power.bytes().fold(0, digit);
        text = rest;
    }
    let mut significand = 0_u64;
    exponent = exponent.saturating_sub_unsigned(fraction.len() as u32);
    for digit in whole.bytes().chain(fraction.bytes()) {
        // Digits beyond the nineteenth no f64 can hold.
        if significand < 1_000_000_000_000_000_000 {
            significand = significand * 10 + u64::from(value(digit));
        } else {
            exponent = exponent.saturating_add(1);
        }
    }
    let size = scaled(significand as f64, exponent);
    Some((if negative { -size } else { size }, text))
}

/// The digits that a text begins with, at least one.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn value(digit: u8) -> u8 {
    digit - b'0'
}

/// `size` × 10^`exponent`. Powers up to 10²² are exact, so that usual numbers are rounded once.
fn scaled(mut size: f64, mut exponent: i32) -> f64 {
    while exponent != 0 && size != 0.0 && size.is_finite() {
        let step = exponent.clamp(-22, 22);
        let mut power = 1.0;
        for _ in 0..step.abs() {
            power *= 10.0;
        }
        size = if step < 0 { size / power } else { size * power };
        exponent -= step;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate_scene::random::Random;
    use serde_json::Value;

    #[test]
    fn malformed_input_is_rejected() {
        for text in [
            "",
            "{",
            "}",
            "[]",
            "null",
            "7",
            "{}{}",
            "{} x",
            r#"{"width"}"#,
            r#"{"width":}"#,
            r#"{"width":1,}"#,
            r#"{"width":01}"#,
            r#"{"width":+1}"#,
            r#"{"width":1.}"#,
            r#"{"width":.5}"#,
            r#"{"width":1e}"#,
            r#"{"width":[1]}"#,
            r#"{"width":{}}"#,
            r#"{"width":NaN}"#,
            r#"{"width":-}"#,
            r#"{"wide":1}"#,
            r#"{"width":"a}"#,
            "{width:1}",
            r#"{"width":1 "height":2}"#,
            r#"{"bounds":"a\"b"}"#,
            "{\"bounds\":\"a\nb\"}",
        ] {
            assert_eq!(FormInput::read(text), None, "{text}");
        }
        assert_eq!(FormInput::read(" {\t} \r\n"), Some(FormInput::default()));
    }

    /// Numbers as a form writes them, read by both.
    #[test]
    fn numbers_equal_those_of_serde_json() {
        let mut random = Random::new(5);
        let known =
            ["0", "-0", "0.1", "1e3", "1E-7", "1e+21", "123456789012345", "0.000001", "1e400"];
        let drawn = (0..20_000).map(|number| {
            let scale = 10_i64.pow(random.below(10));
            match number % 3 {
                0 => (f64::from(random.below(1_000_000_000)) / scale as f64).to_string(),
                1 => format!("{:e}", random.unit()),
                _ => (random.unit_f64() * scale as f64).to_string(),
            }
        });
        for text in known.into_iter().map(str::to_owned).chain(drawn) {
            let Some(FormInput { width: InputValue::Number(ours), .. }) =
                FormInput::read(&format!(r#"{{"width":{text}}}"#))
            else {
                panic!("{text} is a number");
            };
            // serde_json refuses what no f64 can hold.
            let theirs = serde_json::from_str::<f64>(&text).unwrap_or(f64::INFINITY);
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            if digits <= 15 {
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{text}");
            }
            assert_eq!(ours as f32, theirs as f32, "{text}");
        }
    }

    /// Mangled texts: never a panic, and never anything that `serde_json` would not read.
    #[test]
    fn accepted_input_is_valid_for_serde_json() {
        let sound = r#"{"width":960.5,"bounds":"aabb","seed":1e3,"objects":null,"cellSize":-0.25}"#;
        let mut random = Random::new(6);
        let (mut read, mut refused) = (0, 0);
        for _ in 0..50_000 {
            let mut bytes = sound.as_bytes().to_vec();
            for _ in 0..=random.below(3) {
                let index = random.below(bytes.len() as u32) as usize;
                match random.below(3) {
                    0 => bytes[index] = b"{}[]:,\"0159.e+- x"[random.below(17) as usize],
                    1 => drop(bytes.remove(index)),
                    _ => bytes.insert(index, bytes[random.below(bytes.len() as u32) as usize]),
                }
            }
            let text = String::from_utf8(bytes).unwrap();
            if FormInput::read(&text).is_some() {
                assert!(
                    serde_json::from_str::<Value>(&text).is_ok_and(|v| v.is_object()),
                    "{text}"
                );
                read += 1;
            } else {
                refused += 1;
            }
        }
        assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
    }
}
