//! Resume: measures the cases that the journal lacks, and only those.

use std::io;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::de::DeserializeOwned;

use crate::runner::run_context::{RunContext, system_clock};
use crate::runner::run_folder::{RunFolder, RunFolderError};
use crate::study::{Study, StudyCase};

/// Progress of a run, from any thread.
#[derive(Clone, Debug)]
pub enum Progress {
    /// The case with this key is measured next.
    Begin(String),
    /// Work done since the last report, in units of [`Study::work`].
    Work(u64),
}

/// Measures the cases that the journal lacks, [`Study::threads`] at a time, and returns every row
/// in the order of the cases.
///
/// # Errors
/// If the journal cannot be written, or no thread started.
pub fn run<S: Study>(
    study: &S,
    folder: &mut RunFolder,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<S::Row>, RunFolderError> {
    let cases = study.cases();
    let mut rows: Vec<Option<Vec<S::Row>>> =
        cases.iter().map(|case| finished(case, folder)).collect();
    let path = folder.path().to_owned();
    let folder = Mutex::new(folder);
    let measure_case = |(case, rows): (&S::Case<'_>, &mut Option<Vec<S::Row>>)| {
        if rows.is_some() {
            progress(Progress::Work(study.work(case)));
            return Ok(());
        }
        progress(Progress::Begin(case.key()));
        let on_progress = |work| progress(Progress::Work(work));
        let context = RunContext { clock: system_clock, on_progress: &on_progress };
        let measured = study.measure(case, &context);
        // If another case panicked, its panic propagates; these rows are complete all the same.
        let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        folder.append(&case.key(), &measured)?;
        *rows = Some(measured);
        Ok::<_, RunFolderError>(())
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(study.threads())
        .build()
        .map_err(|error| RunFolderError::Io { path, source: io::Error::other(error) })?;
    pool.install(|| cases.par_iter().zip(&mut rows).with_max_len(1).try_for_each(measure_case))?;
    Ok(rows.into_iter().flatten().flatten().collect())
}

/// Number of cases whose rows the journal has, in the format of this version.
#[must_use]
pub fn finished_cases<S: Study>(study: &S, folder: &RunFolder) -> usize {
    let is_finished = |case: &S::Case<'_>| finished::<S::Row>(case, folder).is_some();
    study.cases().iter().filter(|case| is_finished(case)).count()
}

fn finished<R: DeserializeOwned>(case: &impl StudyCase, folder: &RunFolder) -> Option<Vec<R>> {
    let key = case.key();
    // Rows of another version, with other fields, are measured again.
    folder.records().iter().rev().find(|record| record.key == key)?.read().ok()
}
