//! Boxes, circles or spheres from a CSV file; the header determines which.

use std::path::Path;

use embate::broad_phase::{AabbSlice, has_more_pairs_than};
use embate::{Aabb, geometry::BoundingSphere, math::scalar};
use embate_mesh::MAX_MAGNITUDE;
use embate_report::language::Language;

use crate::failure::Failure;
use crate::io::csv_table::{CsvTable, Rows};

/// Content of a boxes file.
#[derive(Debug)]
pub(crate) enum Bounds {
    Boxes2(Vec<Aabb<2>>),
    Boxes3(Vec<Aabb<3>>),
    Circles(Vec<BoundingSphere<2>>),
    Spheres(Vec<BoundingSphere<3>>),
}

const HEADERS: &str = "min_x,min_y,max_x,max_y or min_x,min_y,min_z,max_x,max_y,max_z for boxes, \
    x,y,radius or x,y,z,radius for circles and spheres";

/// Whether a file is a CSV file of boxes, circles or spheres, by its extension or its header. A
/// `.csv` is never a mesh.
pub(crate) fn looks_like_boxes(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
        || CsvTable::open(path, "boxes")
            .is_ok_and(|table| table.has(&["min_x"]) || table.has(&["radius"]))
}

/// Reads every row.
pub(crate) fn read(path: &Path) -> Result<Bounds, Failure> {
    let mut table = CsvTable::open(path, "boxes")?;
    if table.has(&["min_x", "min_z"]) {
        let rows = table.read(["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"])?;
        boxes(&table, rows, |[a, b, c, d, e, f]| Aabb { min: [a, b, c], max: [d, e, f] })
            .map(Bounds::Boxes3)
    } else if table.has(&["min_x"]) {
        let rows = table.read(["min_x", "min_y", "max_x", "max_y"])?;
        boxes(&table, rows, |[a, b, c, d]| Aabb { min: [a, b], max: [c, d] }).map(Bounds::Boxes2)
    } else if table.has(&["z", "radius"]) {
        let rows = table.read(["x", "y", "z", "radius"])?;
        spheres(&table, rows, |[x, y, z, radius]| BoundingSphere { center: [x, y, z], radius })
            .map(Bounds::Spheres)
    } else if table.has(&["radius"]) {
        let rows = table.read(["x", "y", "radius"])?;
        spheres(&table, rows, |[x, y, radius]| BoundingSphere { center: [x, y], radius })
            .map(Bounds::Circles)
    } else {
        Err(table.header_problem(&format!("not a header of a boxes file; it must be {HEADERS}")))
    }
}

/// Validates boxes; an error names the file.
pub(crate) fn validated<'a, const D: usize>(
    path: &Path,
    boxes: &'a [Aabb<D>],
) -> Result<AabbSlice<'a, D>, Failure> {
    AabbSlice::new(boxes).map_err(|error| Failure::Problem(format!("{}: {error}", path.display())))
}

/// Rejects boxes with more than `max_pairs` overlapping pairs.
pub(crate) fn reject_too_many_pairs<const D: usize>(
    path: &Path,
    boxes: AabbSlice<'_, D>,
    max_pairs: u64,
) -> Result<(), Failure> {
    if !has_more_pairs_than(boxes, max_pairs) {
        return Ok(());
    }
    let (file, max_pairs) = (path.display(), Language::English.integer(max_pairs));
    Err(Failure::Problem(format!(
        "{file}: more than {max_pairs} pairs overlap; spread the boxes out, or raise the limit \
         with `pairs --max-pairs N`"
    )))
}

fn boxes<const N: usize, const D: usize>(
    table: &CsvTable,
    rows: Rows<N>,
    from_row: impl Fn([f32; N]) -> Aabb<D>,
) -> Result<Vec<Aabb<D>>, Failure> {
    let check = |(line, row)| {
        let bounds = from_row(row);
        match (0..D).find(|&axis| bounds.min[axis] > bounds.max[axis]) {
            None => Ok(bounds),
            Some(axis) => {
                let (min, max) = (bounds.min[axis], bounds.max[axis]);
                let axis = ["x", "y", "z"][axis];
                Err(table.problem_at(line, &format!("min_{axis} {min} is above max_{axis} {max}")))
            }
        }
    };
    rows.into_iter().map(check).collect()
}

fn spheres<const N: usize, const D: usize>(
    table: &CsvTable,
    rows: Rows<N>,
    from_row: impl Fn([f32; N]) -> BoundingSphere<D>,
) -> Result<Vec<BoundingSphere<D>>, Failure> {
    let check = |(line, row)| {
        let sphere = from_row(row);
        if sphere.radius < 0.0 {
            return Err(table.problem_at(line, &format!("radius {} is below 0", sphere.radius)));
        }
        let aabb = sphere.padded_aabb();
        let reach = aabb.min.into_iter().chain(aabb.max).map(f32::abs).fold(0.0, scalar::max);
        if reach > MAX_MAGNITUDE {
            let problem = format!("its bounds extend to {reach}; they must lie within ±1e18");
            return Err(table.problem_at(line, &problem));
        }
        Ok(sphere)
    };
    rows.into_iter().map(check).collect()
}
