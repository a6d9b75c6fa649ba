//! Arguments of `embate study`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use embate_report::language::Language;
use embate_studies::StudyKind;
use embate_studies::runner::config::StudyConfig;

use crate::args::LimitArguments;

#[derive(Debug, Args)]
pub(crate) struct StudyRequest {
    /// Which study
    pub(crate) study: StudyName,
    /// Output folder [default: embate-out/STUDY]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Discard results of another run in the output folder
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Language of the report: en or pt-BR
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub(crate) lang: Language,
    #[command(flatten)]
    pub(crate) config: StudyConfig,
    /// Mesh file to add as a case; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Study rays")]
    pub(crate) mesh: Vec<PathBuf>,
    /// Output folder of the same study in another build or on another machine, to compare the
    /// speedups in the report; may be given several times
    #[arg(long, value_name = "DIR", help_heading = "Study rays")]
    pub(crate) compare: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StudyName {
    /// Lorenzi 2014: does an octree accelerate ray casting?
    Rays,
    /// Gonçales et al. 2016: does a uniform grid keep the frame rate with many moving objects?
    Broad2d,
    /// Lasch, broad phase: sweep and prune and octree in 3D, with moving and static boxes
    Broad3d,
    /// Lasch, all parts: broad phase, narrow phase, collision response and integrators in running simulations
    Simulator,
    /// Ray–triangle tests: time, agreement with an exact test, leaks (after Lorenzi 2014)
    TriangleTests,
    /// All of the above
    All,
}

impl StudyName {
    /// The study; `None` for all of them.
    pub(crate) fn kind(self) -> Option<StudyKind> {
        match self {
            Self::Rays => Some(StudyKind::Rays),
            Self::Broad2d => Some(StudyKind::Broad2d),
            Self::Broad3d => Some(StudyKind::Broad3d),
            Self::Simulator => Some(StudyKind::Simulator),
            Self::TriangleTests => Some(StudyKind::TriangleTests),
            Self::All => None,
        }
    }
}
