//! Command-line options of a benchmark: `--flag value` pairs after `cargo xtask bench NAME --`.

/// The value of one option.
pub struct Value<'a> {
    flag: &'a str,
    pub text: &'a str,
}

impl Value<'_> {
    /// An integer of at least 1; `_` may separate digits.
    pub fn positive(&self) -> Result<u32, String> {
        match self.text.replace('_', "").parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(format!("{} takes a number above 0, not {}", self.flag, self.text)),
        }
    }

    /// A comma-separated list.
    pub fn list(&self) -> Vec<String> {
        self.text.split(',').map(str::to_owned).collect()
    }
}

/// Parses the options. `set` stores one option and returns false if there is no such flag.
pub fn parse(
    arguments: &[String],
    mut set: impl FnMut(&str, &Value<'_>) -> Result<bool, String>,
) -> Result<(), String> {
    let mut arguments = arguments.iter().map(String::as_str).filter(|word| *word != "--");
    while let Some(flag) = arguments.next() {
        let text = arguments.next().ok_or_else(|| format!("{flag} needs a value"))?;
        if !set(flag, &Value { flag, text })? {
            return Err(format!("there is no option {flag}"));
        }
    }
    Ok(())
}

/// Parses the options of a benchmark that has only `flag N`.
pub fn parse_single(arguments: &[String], flag: &str) -> Result<Option<u32>, String> {
    let mut number = None;
    parse(arguments, |given, value| {
        if given != flag {
            return Ok(false);
        }
        number = Some(value.positive()?);
        Ok(true)
    })?;
    Ok(number)
}

/// Whether a list of names selects a name; an empty list selects all.
pub fn selects(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|selected| selected == name)
}
