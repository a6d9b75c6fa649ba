//! Rays from a CSV file or from the command line.

use std::io::{self, Write};
use std::path::Path;

use embate::Ray;

use crate::failure::Failure;
use crate::io::csv_table::{CsvTable, parse_numbers};

const COLUMNS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Minimum magnitude of the largest direction component: the reciprocal of a smaller one would
/// leave the supported range of ±1e18.
const MIN_DIRECTION: f32 = 1e-18;

/// Reads every ray of a CSV file.
pub(crate) fn read(path: &Path) -> Result<Vec<Ray<3>>, Failure> {
    let mut table = CsvTable::open(path, "rays")?;
    let rows = table.read(COLUMNS)?;
    let rays = rows
        .into_iter()
        .map(|(line, row)| to_ray(row).map_err(|error| table.problem_at(line, &error)));
    rays.collect()
}

/// Writes rays; reading them back gives the same bits.
pub(crate) fn write(file: std::fs::File, rays: &[Ray<3>]) -> io::Result<()> {
    let mut out = io::BufWriter::new(file);
    writeln!(out, "{}", COLUMNS.join(","))?;
    for Ray { origin: [ox, oy, oz], direction: [dx, dy, dz], .. } in rays {
        writeln!(out, "{ox},{oy},{oz},{dx},{dy},{dz}")?;
    }
    out.flush()
}

/// Parses `OX,OY,OZ,DX,DY,DZ`.
pub(crate) fn parse_one(text: &str) -> Result<Ray<3>, Failure> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let fields: [&str; 6] = fields.try_into().map_err(|fields: Vec<&str>| {
        Failure::Usage(format!(
            "--ray: {} numbers given, 6 required: OX,OY,OZ,DX,DY,DZ",
            fields.len()
        ))
    })?;
    let ray = parse_numbers(COLUMNS, fields).and_then(to_ray);
    ray.map_err(|error| Failure::Usage(format!("--ray: {error}")))
}

fn to_ray([ox, oy, oz, dx, dy, dz]: [f32; 6]) -> Result<Ray<3>, String> {
    if [dx, dy, dz].iter().all(|component| component.abs() < MIN_DIRECTION) {
        return Err("the direction dx,dy,dz is zero or below 1e-18; give a longer one".into());
    }
    Ok(Ray::new([ox, oy, oz], [dx, dy, dz]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ray_is_parsed_from_six_numbers_with_a_nonzero_direction() {
        let ray = Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
        assert_eq!(parse_one("0,0,1, 0,0,-1").unwrap(), ray);
        for (text, expected) in [
            ("1,2,3", "3 numbers given, 6 required"),
            ("1,2,3,4,5,x", "dz is `x`, not a number"),
            ("1,2,3,4,5,nan", "dz is nan; it must be finite"),
            ("1,2,3,0,0,-0", "direction dx,dy,dz is zero"),
            ("1e19,2,3,0,0,1", "ox is 1e19"),
        ] {
            let error = parse_one(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
