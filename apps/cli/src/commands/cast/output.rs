//! Output of `embate cast`: CSV or Parquet, one row per ray (or per hit), in ray order.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use embate::geometry::TriangleHit;
use parquet::data_type::{FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use crate::failure::Failure;
use crate::io::output_file;

/// One row of the output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct HitRow {
    /// Index of the ray.
    pub(crate) ray: u32,
    pub(crate) is_hit: bool,
    /// The hit; `None` on a miss and for an any-hit query.
    pub(crate) hit: Option<TriangleHit>,
}

const SCHEMA: &str = "message cast {
    REQUIRED INT64 ray;
    REQUIRED INT32 hit;
    OPTIONAL FLOAT t;
    OPTIONAL INT64 triangle;
    OPTIONAL FLOAT u;
    OPTIONAL FLOAT v;
}";

/// Rows per Parquet row group, the unit in which readers skip and load.
const ROW_GROUP: usize = 1 << 20;

/// Writes a Parquet file if the extension is `parquet`, a CSV file otherwise.
pub(crate) fn write_file(path: &Path, rows: &[HitRow]) -> Result<(), Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_parquet = extension == "parquet";
    output_file::write(path, |file| {
        if is_parquet {
            write_parquet(file, rows).map_err(|error| error.to_string())
        } else {
            write_csv(BufWriter::new(file), rows).map_err(|error| error.to_string())
        }
    })
}

/// Writes `ray,hit,t,triangle,u,v`; the last four are empty on a miss. Numbers are the shortest
/// that parse to the same bits.
pub(crate) fn write_csv(mut out: impl Write, rows: &[HitRow]) -> io::Result<()> {
    writeln!(out, "ray,hit,t,triangle,u,v")?;
    for HitRow { ray, is_hit, hit } in rows {
        let is_hit = u8::from(*is_hit);
        match hit {
            None => writeln!(out, "{ray},{is_hit},,,,")?,
            Some(TriangleHit { t, triangle, u, v }) => {
                writeln!(out, "{ray},{is_hit},{t},{triangle},{u},{v}")?;
            }
        }
    }
    out.flush()
}

fn write_parquet(file: File, rows: &[HitRow]) -> Result<(), ParquetError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(file, schema, properties)?;
    for rows in rows.chunks(ROW_GROUP) {
        let mut group = writer.next_row_group()?;
        let present: Vec<i16> = rows.iter().map(|row| i16::from(row.hit.is_some())).collect();
        let hits = || rows.iter().filter_map(|row| row.hit);

        let mut column = group.next_column()?.ok_or_else(schema_mismatch)?;
        let rays: Vec<i64> = rows.iter().map(|row| i64::from(row.ray)).collect();
        column.typed::<Int64Type>().write_batch(&rays, None, None)?;
        column.close()?;

        let mut column = group.next_column()?.ok_or_else(schema_mismatch)?;
        let flags: Vec<i32> = rows.iter().map(|row| i32::from(row.is_hit)).collect();
        column.typed::<Int32Type>().write_batch(&flags, None, None)?;
        column.close()?;

        write_floats(&mut group, hits().map(|hit| hit.t), &present)?;
        let mut column = group.next_column()?.ok_or_else(schema_mismatch)?;
        let triangles: Vec<i64> = hits().map(|hit| i64::from(hit.triangle)).collect();
        column.typed::<Int64Type>().write_batch(&triangles, Some(&present), None)?;
        column.close()?;
        write_floats(&mut group, hits().map(|hit| hit.u), &present)?;
        write_floats(&mut group, hits().map(|hit| hit.v), &present)?;
        group.close()?;
    }
    writer.close()?;
    Ok(())
}

fn write_floats(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = f32>,
    present: &[i16],
) -> Result<(), ParquetError> {
    let values: Vec<f32> = values.collect();
    let mut column = group.next_column()?.ok_or_else(schema_mismatch)?;
    column.typed::<FloatType>().write_batch(&values, Some(present), None)?;
    column.close()
}

fn schema_mismatch() -> ParquetError {
    ParquetError::General("fewer columns than in the schema".into())
}
