//! Output of `embate simulate --series`: CSV or Parquet, one row per step from step 0 on.
//!
//! Rows are streamed to a temporary file, which replaces the target when the run has ended.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use embate::dynamics::BodyId;
use embate_scene::io_error_message;
use embate_scene::scene_file::Scene;
use embate_scene::simulation::Simulation;
use embate_scene::simulation::series::{
    SeriesValue, default_series_bodies, series_columns, series_csv_header, series_csv_line,
    series_row,
};
use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::data_type::{DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::SimulateRequest;
use crate::failure::Failure;
use crate::io::output::printable;
use crate::io::output_file;

/// Values per Parquet row group, the unit in which readers load: 32 MB.
const ROW_GROUP_VALUES: usize = 1 << 22;

/// File and bodies of a series.
pub(super) struct SeriesPlan {
    path: PathBuf,
    ids: Vec<BodyId>,
    names: Vec<String>,
}

/// An open series.
pub(super) struct SeriesFile {
    ids: Vec<BodyId>,
    format: Format,
}

enum Format {
    Csv(BufWriter<File>),
    Parquet(Box<ParquetSeries>),
}

impl SeriesPlan {
    /// The series of a request; `None` without `--series`.
    pub(super) fn of(request: &SimulateRequest, scene: &Scene) -> Result<Option<Self>, Failure> {
        let Some(path) = &request.series else { return Ok(None) };
        output_file::require_extension("--series", Some(path), &["csv", "parquet"])?;
        output_file::reject_input_as_output("--series", Some(path), &[Some(&request.scene)])?;
        if request.record.as_ref().is_some_and(|record| output_file::would_be_same(record, path)) {
            return Err(Failure::Usage(format!(
                "--series {}: is also the recording; name another file",
                path.display()
            )));
        }
        let bodies = if request.series_bodies.is_empty() {
            default_series_bodies(scene)
        } else {
            let chosen = request.series_bodies.iter().map(|name| body_of(name, scene));
            chosen.collect::<Result<_, _>>()?
        };
        Ok(Some(Self {
            path: path.clone(),
            ids: bodies.iter().map(|&body| scene.ids()[body]).collect(),
            names: bodies.iter().map(|&body| scene.body_name(body)).collect(),
        }))
    }

    /// Writes the file while `run` runs; it replaces an earlier one when both are done.
    pub(super) fn write<T>(
        &self,
        run: impl FnOnce(&mut SeriesFile) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut result = None;
        let written = output_file::write(&self.path, |file| {
            let mut series = SeriesFile { ids: self.ids.clone(), format: self.open(file)? };
            let done = result.insert(run(&mut series));
            // The failure of the run is returned below.
            if done.is_ok() { series.finish() } else { Err(String::new()) }
        });
        match result {
            Some(Err(failure)) => Err(failure),
            Some(Ok(value)) => written.map(|()| value),
            None => Err(written.err().unwrap_or(Failure::OutputClosed)),
        }
    }

    fn open(&self, file: File) -> Result<Format, String> {
        let extension = self.path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("parquet") {
            let series = ParquetSeries::open(file, &self.names);
            return series.map(|series| Format::Parquet(Box::new(series))).map_err(message);
        }
        let mut out = BufWriter::new(file);
        let header = series_csv_header(&self.names);
        out.write_all(header.as_bytes()).map_err(|error| io_error_message(&error))?;
        Ok(Format::Csv(out))
    }
}

/// Index of a body by its name, or by `#index`.
fn body_of(name: &str, scene: &Scene) -> Result<usize, Failure> {
    let named = scene.bodies.iter().position(|body| body.name.as_deref() == Some(name));
    let indexed = || {
        let index: usize = name.strip_prefix('#')?.parse().ok()?;
        (index < scene.bodies.len()).then_some(index)
    };
    named.or_else(indexed).ok_or_else(|| {
        Failure::Usage(format!(
            "--series-bodies: there is no body called {:?}; give names of the scene, or #0 to #{}",
            printable(name),
            scene.bodies.len().saturating_sub(1)
        ))
    })
}

impl SeriesFile {
    /// Adds the row of the current step.
    pub(super) fn write_row(&mut self, run: &Simulation<'_>) -> Result<(), Failure> {
        let (world, ids) = (run.world(), self.ids.iter().copied().map(Some));
        let row = series_row(run.steps(), world.time(), world, ids);
        let written = match &mut self.format {
            Format::Csv(out) => out
                .write_all(series_csv_line(&row).as_bytes())
                .map_err(|error| io_error_message(&error)),
            Format::Parquet(out) => out.write_row(&row).map_err(message),
        };
        written.map_err(|error| Failure::Problem(format!("--series: {error}")))
    }

    fn finish(self) -> Result<(), String> {
        match self.format {
            Format::Csv(mut out) => out.flush().map_err(|error| io_error_message(&error)),
            Format::Parquet(out) => out.finish().map_err(message),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "so that `map_err` can name it")]
fn message(error: ParquetError) -> String {
    error.to_string()
}

/// A Parquet file whose rows are collected by column until a row group is full.
struct ParquetSeries {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    rows: usize,
}

/// Collected values of a column.
enum Column {
    Counts(Vec<i64>),
    Doubles(Vec<f64>),
    Singles(Vec<f32>),
}

impl ParquetSeries {
    fn open(file: File, names: &[String]) -> Result<Self, ParquetError> {
        let columns = series_columns(names);
        let fields: Result<Vec<TypePtr>, ParquetError> = columns
            .iter()
            .map(|name| {
                let kind = match column_of(name) {
                    Column::Counts(_) => PhysicalType::INT64,
                    Column::Doubles(_) => PhysicalType::DOUBLE,
                    Column::Singles(_) => PhysicalType::FLOAT,
                };
                let field = Type::primitive_type_builder(name, kind);
                field.with_repetition(Repetition::REQUIRED).build().map(Arc::new)
            })
            .collect();
        let schema = Type::group_type_builder("series").with_fields(fields?).build()?;
        let properties = Arc::new(WriterProperties::builder().build());
        Ok(Self {
            writer: SerializedFileWriter::new(file, Arc::new(schema), properties)?,
            columns: columns.iter().map(|name| column_of(name)).collect(),
            rows: 0,
        })
    }

    fn write_row(&mut self, row: &[SeriesValue]) -> Result<(), ParquetError> {
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, *value) {
                (Column::Counts(values), SeriesValue::Count(value)) => {
                    values.push(i64::try_from(value).unwrap_or(i64::MAX));
                }
                (Column::Doubles(values), SeriesValue::Double(value)) => values.push(value),
                (Column::Singles(values), SeriesValue::Single(value)) => {
                    values.push(value.unwrap_or(f32::NAN));
                }
                _ => return Err(ParquetError::General("a value of another type".to_owned())),
            }
        }
        self.rows += 1;
        if self.rows * self.columns.len() >= ROW_GROUP_VALUES { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        if std::mem::take(&mut self.rows) == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for values in &mut self.columns {
            let fewer = || ParquetError::General("fewer columns than values".to_owned());
            let mut column = group.next_column()?.ok_or_else(fewer)?;
            match values {
                Column::Counts(values) => {
                    column.typed::<Int64Type>().write_batch(values, None, None)?;
                    values.clear();
                }
                Column::Doubles(values) => {
                    column.typed::<DoubleType>().write_batch(values, None, None)?;
                    values.clear();
                }
                Column::Singles(values) => {
                    column.typed::<FloatType>().write_batch(values, None, None)?;
                    values.clear();
                }
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        self.write_group()?;
        self.writer.close()?;
        Ok(())
    }
}

/// An empty column of the type of its values.
fn column_of(name: &str) -> Column {
    match name {
        "step" | "pairs" | "contacts" => Column::Counts(Vec::new()),
        "max_penetration" => Column::Singles(Vec::new()),
        _ if name.contains('.') => Column::Singles(Vec::new()),
        _ => Column::Doubles(Vec::new()),
    }
}
