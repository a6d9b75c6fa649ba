//! Bytes of a rays file → rays, or an error that names the line.

use std::path::Path;

use embate::Ray;
use embate_mesh::MAX_MAGNITUDE;

use crate::failure::Failure;

const COLUMNS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Below this a reciprocal could leave the range in which nothing is lost.
const MIN_DIRECTION: f32 = 1e-18;

/// Reads every ray. Columns may stand in any order, and further ones are ignored.
pub(crate) fn read(path: &Path) -> Result<Vec<Ray<3>>, Failure> {
    let file = path.display();
    let problem = |text: String| Failure::Problem(format!("{file}: {text}"));
    let metadata = std::fs::metadata(path).map_err(|error| problem(error.to_string()))?;
    if metadata.is_dir() {
        return Err(problem("is a folder; name a CSV file of rays".into()));
    }
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(|error| problem(csv_error(&error)))?;
    let header = reader.headers().map_err(|error| problem(csv_error(&error)))?.clone();
    let mut places = [0; 6];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        *place = header.iter().position(|name| name == column).ok_or_else(|| {
            let expected = COLUMNS.join(",");
            problem(format!("line 1: no column `{column}`; the header must be {expected}"))
        })?;
    }
    let mut rays = Vec::new();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| problem(csv_error(&error)))? {
        let line = record.position().map_or(0, csv::Position::line);
        let ray = ray_of(places.map(|place| &record[place]))
            .map_err(|error| problem(format!("line {line}: {error}")))?;
        rays.push(ray);
    }
    Ok(rays)
}

/// Reads `OX,OY,OZ,DX,DY,DZ`.
pub(crate) fn parse_one(text: &str) -> Result<Ray<3>, Failure> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let fields: [&str; 6] = fields.try_into().map_err(|fields: Vec<&str>| {
        Failure::Misuse(format!(
            "--ray: {} numbers given, six needed: OX,OY,OZ,DX,DY,DZ",
            fields.len()
        ))
    })?;
    ray_of(fields).map_err(|error| Failure::Misuse(format!("--ray: {error}")))
}

fn ray_of(fields: [&str; 6]) -> Result<Ray<3>, String> {
    let mut numbers = [0.0_f32; 6];
    for ((number, field), column) in numbers.iter_mut().zip(fields).zip(COLUMNS) {
        *number = field.parse().map_err(|_| format!("{column} is `{field}`, not a number"))?;
        if !number.is_finite() || number.abs() > MAX_MAGNITUDE {
            return Err(format!("{column} is {field}; it must be finite and within ±1e18"));
        }
    }
    let [ox, oy, oz, dx, dy, dz] = numbers;
    if [dx, dy, dz].iter().all(|component| component.abs() < MIN_DIRECTION) {
        return Err("the direction dx,dy,dz is zero or below 1e-18; a ray needs one".into());
    }
    Ok(Ray::new([ox, oy, oz], [dx, dy, dz]))
}

/// The csv crate's messages tell the record and the byte; a person looks for the line.
fn csv_error(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: {len} fields, but the header has {expected_len}")
        }
        csv::ErrorKind::Utf8 { pos, .. } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: not UTF-8 text; is this a CSV file?")
        }
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_is_six_numbers_with_a_direction() {
        assert_eq!(
            parse_one("0,0,1, 0,0,-1").unwrap(),
            Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0])
        );
        for (text, complaint) in [
            ("1,2,3", "3 numbers given, six needed"),
            ("1,2,3,4,5,x", "dz is `x`, not a number"),
            ("1,2,3,4,5,nan", "dz is nan; it must be finite"),
            ("1,2,3,0,0,-0", "direction dx,dy,dz is zero"),
            ("1e19,2,3,0,0,1", "ox is 1e19"),
        ] {
            let error = parse_one(text).unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }
}
