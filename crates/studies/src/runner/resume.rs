//! Resume: measures the cases that the journal lacks, and only those.

use std::io;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::runner::run_folder::{RunFolder, RunFolderError};

/// The unit of work that a killed run may lose.
pub trait CaseKey: Sync {
    /// Names the case in the journal.
    fn key(&self) -> String;
}

/// Measures the cases that the journal lacks, `threads` at a time, and returns every row in the
/// order of the cases. `skip` is called for the others.
pub(crate) fn run<C: CaseKey, R: Serialize + DeserializeOwned + Send>(
    cases: &[C],
    threads: usize,
    folder: &mut RunFolder,
    measure: impl Fn(&C) -> Vec<R> + Sync,
    skip: impl Fn(&C) + Sync,
) -> Result<Vec<R>, RunFolderError> {
    let mut rows: Vec<Option<Vec<R>>> = cases.iter().map(|case| finished(case, folder)).collect();
    let path = folder.path().to_owned();
    let folder = Mutex::new(folder);
    let measure_case = |(case, rows): (&C, &mut Option<Vec<R>>)| {
        if rows.is_some() {
            skip(case);
            return Ok(());
        }
        let measured = measure(case);
        // If another case has panicked, that panic is on its way; this row is good all the same.
        let mut folder = folder.lock().unwrap_or_else(PoisonError::into_inner);
        folder.append(&case.key(), &measured)?;
        *rows = Some(measured);
        Ok::<_, RunFolderError>(())
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunFolderError::Io { path, source: io::Error::other(error) })?;
    pool.install(|| cases.par_iter().zip(&mut rows).with_max_len(1).try_for_each(measure_case))?;
    Ok(rows.into_iter().flatten().flatten().collect())
}

/// How many of the cases the journal has already, as rows of this version.
pub(crate) fn finished_cases<R: DeserializeOwned>(
    cases: &[impl CaseKey],
    folder: &RunFolder,
) -> usize {
    cases.iter().filter(|case| finished::<R>(*case, folder).is_some()).count()
}

fn finished<R: DeserializeOwned>(case: &impl CaseKey, folder: &RunFolder) -> Option<Vec<R>> {
    let key = case.key();
    // Rows of another version, with other fields, are measured again.
    folder.records().iter().rev().find(|record| record.key == key)?.read().ok()
}
