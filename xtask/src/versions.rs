//! Version ranges in npm's notation, as far as the page's `package.json` uses it:
//! `^20.19.0 || >=22.12.0`.

use std::fmt;
use std::str::FromStr;

/// Major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([u32; 3]);

/// Alternatives, one of which must accept a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range(Vec<Accepted>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepted {
    /// `>=`: this version or later.
    AtLeast(Version),
    /// `^`: this version or later, of the same major version.
    Compatible(Version),
}

impl Range {
    pub(crate) fn contains(&self, version: Version) -> bool {
        self.0.iter().any(|accepted| match *accepted {
            Accepted::AtLeast(min) => version >= min,
            Accepted::Compatible(min) => version >= min && version.0[0] == min.0[0],
        })
    }
}

impl FromStr for Version {
    type Err = String;

    /// Parses `22.12.0`, `v22.12.0`, `22.12`; the suffix of `23.0.0-nightly` is ignored.
    fn from_str(text: &str) -> Result<Self, String> {
        let error = || format!("`{text}` is not a version");
        let numbers = text.trim().trim_start_matches('v');
        let numbers = numbers.split(['-', '+']).next().unwrap_or_default();
        let mut version = [0; 3];
        let parts: Vec<&str> = numbers.split('.').collect();
        if parts.len() > version.len() {
            return Err(error());
        }
        for (number, part) in version.iter_mut().zip(parts) {
            *number = part.parse().map_err(|_| error())?;
        }
        Ok(Self(version))
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let accepted = text.split("||").map(str::trim).map(|alternative| {
            if let Some(min) = alternative.strip_prefix(">=") {
                min.parse().map(Accepted::AtLeast)
            } else if let Some(min) = alternative.strip_prefix('^') {
                min.parse().map(Accepted::Compatible)
            } else {
                Err(format!("`{alternative}` is not supported; write ^1.2.3 or >=1.2.3"))
            }
        });
        accepted.collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, accepted) in self.0.iter().enumerate() {
            let or = if index == 0 { "" } else { ", or " };
            match accepted {
                Accepted::AtLeast(min) => write!(f, "{or}{min} or later")?,
                Accepted::Compatible(min) => write!(f, "{or}{min} or later in {}.x", min.0[0])?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_as_node_prints_them() {
        for (text, version) in [
            ("v20.20.2\n", [20, 20, 2]),
            ("22.12.0", [22, 12, 0]),
            ("v24.0.0-rc.1", [24, 0, 0]),
            ("18", [18, 0, 0]),
        ] {
            assert_eq!(text.parse(), Ok(Version(version)), "{text}");
        }
        for text in ["", "v", "twenty", "1.2.3.4", "1..2", "-1.0.0"] {
            assert!(text.parse::<Version>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn range_contains_the_versions_that_npm_accepts() {
        let range: Range = "^20.19.0 || >=22.12.0".parse().unwrap();
        for version in ["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.19.0", "100.0.0"] {
            assert!(range.contains(version.parse().unwrap()), "{version}");
        }
        for version in ["18.19.0", "20.18.9", "21.7.3", "22.11.9", "0.0.0"] {
            assert!(!range.contains(version.parse().unwrap()), "{version}");
        }
        assert!("~20.0.0".parse::<Range>().is_err());
    }

    #[test]
    fn range_is_displayed_in_words() {
        let range: Range = "^20.19.0 || >=22.12.0".parse().unwrap();
        assert_eq!(range.to_string(), "20.19.0 or later in 20.x, or 22.12.0 or later");
    }
}
