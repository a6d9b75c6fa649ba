//! Boxes, circles or spheres from a CSV file, told apart by its header.

use std::path::Path;

use embate::broad_phase::{AabbSlice, has_more_pairs_than};
use embate::{Aabb, geometry::BoundingSphere, math::scalar};
use embate_lab::language::Language;
use embate_mesh::MAX_MAGNITUDE;

use crate::failure::Failure;
use crate::number_table::{NumberTable, Rows};

/// What a boxes file can hold.
#[derive(Debug)]
pub(crate) enum Bounds {
    Boxes2(Vec<Aabb<2>>),
    Boxes3(Vec<Aabb<3>>),
    Circles(Vec<BoundingSphere<2>>),
    Spheres(Vec<BoundingSphere<3>>),
}

const HEADERS: &str = "min_x,min_y,max_x,max_y or min_x,min_y,min_z,max_x,max_y,max_z for boxes, \
    x,y,radius or x,y,z,radius for circles and spheres";

/// Does this file begin as one of boxes, circles or spheres, or at least mean to? A `.csv` is never a mesh.
pub(crate) fn looks_like_boxes(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
        || NumberTable::open(path, "boxes")
            .is_ok_and(|table| table.has(&["min_x"]) || table.has(&["radius"]))
}

/// Reads every row.
pub(crate) fn read(path: &Path) -> Result<Bounds, Failure> {
    let mut table = NumberTable::open(path, "boxes")?;
    if table.has(&["min_x", "min_z"]) {
        let rows = table.read(["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"])?;
        boxes(&table, rows, |[a, b, c, d, e, f]| Aabb { min: [a, b, c], max: [d, e, f] })
            .map(Bounds::Boxes3)
    } else if table.has(&["min_x"]) {
        let rows = table.read(["min_x", "min_y", "max_x", "max_y"])?;
        boxes(&table, rows, |[a, b, c, d]| Aabb { min: [a, b], max: [c, d] }).map(Bounds::Boxes2)
    } else if table.has(&["z", "radius"]) {
        let rows = table.read(["x", "y", "z", "radius"])?;
        balls(&table, rows, |[x, y, z, radius]| BoundingSphere { center: [x, y, z], radius })
            .map(Bounds::Spheres)
    } else if table.has(&["radius"]) {
        let rows = table.read(["x", "y", "radius"])?;
        balls(&table, rows, |[x, y, radius]| BoundingSphere { center: [x, y], radius })
            .map(Bounds::Circles)
    } else {
        Err(table.header_problem(&format!("not a header of boxes; it must be {HEADERS}")))
    }
}

/// The door of the engine, with the file's name on its errors.
pub(crate) fn checked<'a, const D: usize>(
    path: &Path,
    boxes: &'a [Aabb<D>],
) -> Result<AabbSlice<'a, D>, Failure> {
    AabbSlice::new(boxes).map_err(|error| Failure::Problem(format!("{}: {error}", path.display())))
}

/// Refuses boxes of which more pairs overlap than should be held.
pub(crate) fn refuse_crowd<const D: usize>(
    path: &Path,
    boxes: AabbSlice<'_, D>,
    most: u64,
) -> Result<(), Failure> {
    if !has_more_pairs_than(boxes, most) {
        return Ok(());
    }
    let (file, most) = (path.display(), Language::English.integer(most));
    Err(Failure::Problem(format!(
        "{file}: more than {most} pairs overlap; spread the boxes out, or allow more by `pairs --max-pairs N`"
    )))
}

fn boxes<const N: usize, const D: usize>(
    table: &NumberTable,
    rows: Rows<N>,
    of_row: impl Fn([f32; N]) -> Aabb<D>,
) -> Result<Vec<Aabb<D>>, Failure> {
    let check = |(line, row)| {
        let bounds = of_row(row);
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

fn balls<const N: usize, const D: usize>(
    table: &NumberTable,
    rows: Rows<N>,
    of_row: impl Fn([f32; N]) -> BoundingSphere<D>,
) -> Result<Vec<BoundingSphere<D>>, Failure> {
    let check = |(line, row)| {
        let ball = of_row(row);
        if ball.radius < 0.0 {
            return Err(table.problem_at(line, &format!("radius {} is below 0", ball.radius)));
        }
        let around = ball.padded_aabb();
        let reach = around.min.into_iter().chain(around.max).map(f32::abs).fold(0.0, scalar::max);
        if reach > MAX_MAGNITUDE {
            let problem = format!("it reaches as far as {reach}; it must lie within ±1e18");
            return Err(table.problem_at(line, &problem));
        }
        Ok(ball)
    };
    rows.into_iter().map(check).collect()
}
