//! Findings: claims with their source, the measured value and a verdict.

use std::fmt::Write;

use serde::Serialize;

use crate::language::Language;

/// A claim, its source, and the measured value beside the published one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the finding within its report; lower-case letters, digits, hyphens. Unique.
    pub id: &'static str,
    /// Relation of the claim to the study.
    pub kind: FindingKind,
    /// Author of the claim: `Lorenzi 2014`, `Hastings et al. 2005, cited by …`, `Embate`.
    pub source: String,
    /// Section or table of the source; may be empty.
    pub place: String,
    /// Literal words of the source; may be empty.
    pub quote: String,
    /// The claim.
    pub claim: String,
    /// Published value; empty for findings of Embate.
    pub published: String,
    /// Measured value.
    pub ours: String,
    /// Verdict of the comparison.
    pub verdict: Verdict,
    /// Explanation of the verdict and limits of the comparison; may be empty.
    pub note: String,
}

impl Finding {
    /// A finding of this source without texts, not run: the start of a struct expression.
    #[must_use]
    pub fn new(
        id: &'static str,
        kind: FindingKind,
        source: impl Into<String>,
        place: impl Into<String>,
    ) -> Self {
        Self {
            id,
            kind,
            source: source.into(),
            place: place.into(),
            quote: String::new(),
            claim: String::new(),
            published: String::new(),
            ours: String::new(),
            verdict: Verdict::NotRun,
            note: String::new(),
        }
    }
}

/// Relation of a claim to the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum FindingKind {
    /// Stated by the study.
    Published,
    /// Stated by an author whom the study cites.
    Cited,
    /// Found in this repetition; the study does not state it.
    FoundHere,
}

impl FindingKind {
    /// Every kind, in reading order.
    pub const ALL: [Self; 3] = [Self::Published, Self::Cited, Self::FoundHere];

    /// Heading of the findings of this kind.
    #[must_use]
    pub fn heading(self, language: Language) -> &'static str {
        match self {
            Self::Published => language.select("Published", "Publicadas"),
            Self::Cited => language.select("Cited by the study", "Citadas pelo estudo"),
            Self::FoundHere => language.select("Found here", "Encontradas aqui"),
        }
    }

    /// Explanation below the heading.
    #[must_use]
    pub fn explanation(self, language: Language) -> &'static str {
        match self {
            Self::Published => language.select(
                "Stated by the study itself. Claims are summarized in Embate's words.",
                "Afirmadas pelo próprio estudo. As afirmações estão resumidas nas palavras do Embate.",
            ),
            Self::Cited => language.select(
                "Stated by authors whom the study cites. The study itself did not measure them.",
                "Afirmadas por autores que o estudo cita. O próprio estudo não as mediu.",
            ),
            Self::FoundHere => language.select(
                "Found by Embate while repeating the study, which does not state them.",
                "Encontradas pelo Embate ao repetir o estudo, que não as afirma.",
            ),
        }
    }
}

/// Result of the comparison with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// The rows confirm the claim.
    Confirmed,
    /// The rows refute the claim.
    NotConfirmed,
    /// Too few of the required rows were measured, or the spread of the repeats is wider than the
    /// margin.
    Undecided,
    /// None of the required rows was measured.
    NotRun,
}

impl Verdict {
    /// Every verdict, in the order in which summaries count them.
    pub const ALL: [Self; 4] = [Self::Confirmed, Self::NotConfirmed, Self::Undecided, Self::NotRun];

    /// Verdict on a claim whose required rows were all measured.
    #[must_use]
    pub fn of(is_confirmed: bool) -> Self {
        if is_confirmed { Self::Confirmed } else { Self::NotConfirmed }
    }

    /// Verdict on a claim over several cases: one case refutes it, and only a complete run whose
    /// cases all confirm it confirms it. Without cases it is not run.
    pub fn over_all(cases: impl IntoIterator<Item = Self>, is_complete: bool) -> Self {
        let mut cases = cases.into_iter().filter(|case| *case != Self::NotRun).peekable();
        if cases.peek().is_none() {
            return Self::NotRun;
        }
        let start = if is_complete { Self::Confirmed } else { Self::Undecided };
        cases.fold(start, |verdict, case| match (verdict, case) {
            (Self::NotConfirmed, _) | (_, Self::NotConfirmed) => Self::NotConfirmed,
            (Self::Confirmed, Self::Confirmed) => Self::Confirmed,
            _ => Self::Undecided,
        })
    }

    /// Verdict as words.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::Confirmed => language.select("confirmed", "confirmado"),
            Self::NotConfirmed => language.select("not confirmed", "não confirmado"),
            Self::Undecided => language.select("undecided", "inconclusivo"),
            Self::NotRun => language.select("not run", "não executado"),
        }
    }

    /// A sign beside the words, for skimming; never alone.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Confirmed => "✓",
            Self::NotConfirmed => "✗",
            Self::Undecided => "?",
            Self::NotRun => "○",
        }
    }
}

/// A line for each finding with its sign, verdict, claim and source, in one group per kind.
pub(super) fn in_terminal(findings: &[Finding], language: Language) -> String {
    let mut text = String::new();
    for kind in FindingKind::ALL {
        let mut group = of_kind(findings, kind).peekable();
        if group.peek().is_none() {
            continue;
        }
        let separator = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{separator}{}", kind.heading(language));
        for finding in group {
            let Finding { verdict, claim, source, .. } = finding;
            let (sign, words) = (verdict.sign(), verdict.text(language));
            let line = format!("  {sign} {words}: {claim} ({source})");
            // A name from a file could contain control characters.
            text.extend(line.chars().filter(|letter| !letter.is_control()).chain(['\n']));
        }
    }
    text
}

/// Findings of one kind, in their order.
pub fn of_kind(findings: &[Finding], kind: FindingKind) -> impl Iterator<Item = &Finding> + Clone {
    findings.iter().filter(move |finding| finding.kind == kind)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::report) fn sample(kind: FindingKind, verdict: Verdict, text: &str) -> Finding {
        let text = || text.to_owned();
        Finding {
            id: "sample",
            kind,
            source: text(),
            place: text(),
            quote: text(),
            claim: text(),
            published: text(),
            ours: text(),
            verdict,
            note: text(),
        }
    }

    #[test]
    fn terminal_lists_findings_by_kind() {
        let own = sample(FindingKind::FoundHere, Verdict::Confirmed, "own\u{1b}[2J");
        let published = sample(FindingKind::Published, Verdict::Undecided, "claim");
        let text = in_terminal(&[own, published], Language::English);
        let expected = "Published\n  ? undecided: claim (claim)\n\n\
                        Found here\n  ✓ confirmed: own[2J (own[2J)\n";
        assert_eq!(text, expected);
        assert_eq!(in_terminal(&[], Language::English), "");
    }

    #[test]
    fn verdict_over_all_cases_follows_the_worst_case() {
        use Verdict::{Confirmed, NotConfirmed, NotRun, Undecided};
        assert_eq!(Verdict::over_all([], true), NotRun);
        assert_eq!(Verdict::over_all([NotRun], false), NotRun);
        assert_eq!(Verdict::over_all([Confirmed, Confirmed], true), Confirmed);
        assert_eq!(Verdict::over_all([Confirmed], false), Undecided);
        assert_eq!(Verdict::over_all([Confirmed, Undecided], true), Undecided);
        assert_eq!(Verdict::over_all([Undecided, NotConfirmed, Confirmed], false), NotConfirmed);
    }
}
