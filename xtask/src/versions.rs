//! Is this version one of those accepted? In the notation of npm, as far as our `package.json` uses
//! it: `^20.19.0 || >=22.12.0`.

use std::fmt;
use std::str::FromStr;

/// Major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([u32; 3]);

/// A version is accepted if one of these accepts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range(Vec<Accepted>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accepted {
    /// `>=`: this or any later.
    From(Version),
    /// `^`: this or a later one of the same major version.
    Like(Version),
}

impl Range {
    pub(crate) fn holds(&self, version: Version) -> bool {
        self.0.iter().any(|accepted| match *accepted {
            Accepted::From(least) => version >= least,
            Accepted::Like(least) => version >= least && version.0[0] == least.0[0],
        })
    }
}

impl FromStr for Version {
    type Err = String;

    /// Reads `22.12.0`, `v22.12.0`, `22.12`, and `23.0.0-nightly` as the version it leads up to.
    fn from_str(text: &str) -> Result<Self, String> {
        let unreadable = || format!("`{text}` is no version");
        let numbers = text.trim().trim_start_matches('v');
        let numbers = numbers.split(['-', '+']).next().unwrap_or_default();
        let mut version = [0; 3];
        let parts: Vec<&str> = numbers.split('.').collect();
        if parts.len() > version.len() {
            return Err(unreadable());
        }
        for (number, part) in version.iter_mut().zip(parts) {
            *number = part.parse().map_err(|_| unreadable())?;
        }
        Ok(Self(version))
    }
}

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let accepted = text.split("||").map(str::trim).map(|alternative| {
            if let Some(least) = alternative.strip_prefix(">=") {
                least.parse().map(Accepted::From)
            } else if let Some(least) = alternative.strip_prefix('^') {
                least.parse().map(Accepted::Like)
            } else {
                Err(format!("`{alternative}` is not understood; write ^1.2.3 or >=1.2.3"))
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
        for (place, accepted) in self.0.iter().enumerate() {
            let or = if place == 0 { "" } else { ", or " };
            match accepted {
                Accepted::From(least) => write!(f, "{or}{least} or later")?,
                Accepted::Like(least) => write!(f, "{or}{least} or later in {}.x", least.0[0])?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_node_prints_them() {
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
    fn a_range_holds_what_npm_would_accept() {
        let range: Range = "^20.19.0 || >=22.12.0".parse().unwrap();
        for version in ["20.19.0", "20.20.2", "22.12.0", "23.0.0", "24.19.0", "100.0.0"] {
            assert!(range.holds(version.parse().unwrap()), "{version}");
        }
        for version in ["18.19.0", "20.18.9", "21.7.3", "22.11.9", "0.0.0"] {
            assert!(!range.holds(version.parse().unwrap()), "{version}");
        }
        assert!("~20.0.0".parse::<Range>().is_err());
    }

    #[test]
    fn a_range_is_told_in_words() {
        let range: Range = "^20.19.0 || >=22.12.0".parse().unwrap();
        assert_eq!(range.to_string(), "20.19.0 or later in 20.x, or 22.12.0 or later");
    }
}
