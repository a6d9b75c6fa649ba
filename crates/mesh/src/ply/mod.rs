//! PLY: a header that describes rows of numbers, then the rows, as text or binary.
//!
//! ```text
//! header ─► elements ─► vertex rows ─► positions
//!                  ├──► face rows ───► triangles      (counted first, then read)
//!                  └──► other rows ──► passed over
//! ```
//! The header's counts are claims: room is reserved only once the bytes that follow could hold them.

mod header;
mod rows;

pub(crate) use header::{Encoding, encoding};

use header::{Element, Header, Kind, Scalar};
use rows::{AsciiRows, BinaryRows, Rows};

use crate::budget::reserve;
use crate::error::Fault;
use crate::fan::{Fan, Strip, triangles_in_polygon};
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::TriangleMesh;

pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, Fault> {
    let header = header::parse(bytes)?;
    match header.encoding {
        Encoding::Ascii => read(&header, AsciiRows::new(bytes, header.length), limits),
        Encoding::LittleEndian => {
            read(&header, BinaryRows::<false>::new(bytes, header.length), limits)
        }
        Encoding::BigEndian => read(&header, BinaryRows::<true>::new(bytes, header.length), limits),
    }
}

fn read<R: Rows>(header: &Header<'_>, mut rows: R, limits: &Limits) -> Result<TriangleMesh, Fault> {
    let vertices = header.elements.iter().find(|element| element.name == b"vertex");
    let vertices = vertices.map_or(0, |element| element.count);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mut counted = false;
    for (at, element) in header.elements.iter().enumerate() {
        check_room(element, &rows)?;
        match (element.name, Shape::of(element)) {
            (b"vertex", _) => {
                limits.check(Limit::Vertices, vertices)?;
                positions = read_vertices(element, &mut rows)?;
            }
            (_, Some(shape)) => {
                if !counted {
                    // On a copy of the cursor, to the end of the file: faces and strips may both
                    // follow, and making room twice would hold both rooms at once.
                    let count = count_triangles(&header.elements[at..], rows)?;
                    limits.check(Limit::Triangles, count)?;
                    triangles = reserve(count)?;
                    counted = true;
                }
                read_triangles(element, shape, &mut rows, vertices, &mut triangles)?;
            }
            _ => skip(element, &mut rows)?,
        }
    }
    Ok(TriangleMesh::new(positions, triangles)?)
}

/// Refuses a count that the rest of the file could not hold, before anything is reserved for it.
fn check_room<R: Rows>(element: &Element<'_>, rows: &R) -> Result<(), Fault> {
    let smallest = element.properties.iter().map(|property| R::smallest(property.kind)).sum();
    let needed = element.count.saturating_mul(smallest);
    let left = rows.remaining();
    if needed <= left {
        return Ok(());
    }
    Err(rows.fault(format!(
        "the header promises {} rows of {}, at least {needed} bytes, but {left} are left; the file is cut or its header wrong",
        element.count, element.title(),
    )))
}

fn read_vertices<R: Rows>(element: &Element<'_>, rows: &mut R) -> Result<Vec<[f32; 3]>, Fault> {
    if element.count == 0 {
        return Ok(Vec::new());
    }
    for name in [b"x", b"y", b"z"] {
        let is_coordinate = |kind| matches!(kind, Kind::Scalar(_));
        if !element.properties.iter().any(|p| p.name == name && is_coordinate(p.kind)) {
            let name = char::from(name[0]);
            return Err(Fault::text(
                element.offset,
                format!("the vertices have no property {name}"),
            ));
        }
    }
    // Only now: rows of three numbers and more cannot be promised by a file that is too short for them.
    let mut positions = reserve(element.count)?;
    for _ in 0..element.count {
        let mut position = [0.0; 3];
        for property in &element.properties {
            match (property.name, property.kind) {
                (b"x", Kind::Scalar(scalar)) => position[0] = rows.coordinate(scalar)?,
                (b"y", Kind::Scalar(scalar)) => position[1] = rows.coordinate(scalar)?,
                (b"z", Kind::Scalar(scalar)) => position[2] = rows.coordinate(scalar)?,
                (_, kind) => skip_property(kind, rows)?,
            }
        }
        positions.push(position);
    }
    Ok(positions)
}

#[derive(Clone, Copy, Debug)]
enum Shape {
    /// Each list is one polygon.
    Polygon,
    /// Each list is triangle strips, parted by −1.
    Strips,
}

impl Shape {
    fn of(element: &Element<'_>) -> Option<Self> {
        match element.name {
            b"face" => Some(Self::Polygon),
            b"tristrips" => Some(Self::Strips),
            _ => None,
        }
    }
}

/// The count and item types of the list that holds the vertex numbers.
fn index_list(element: &Element<'_>) -> Result<(usize, Scalar, Scalar), Fault> {
    let mut lists = element.properties.iter().enumerate().filter_map(|(at, property)| {
        let named = matches!(property.name, b"vertex_indices" | b"vertex_index");
        match property.kind {
            Kind::List { count, item } if named => Some((at, count, item)),
            _ => None,
        }
    });
    let title = element.title();
    match (lists.next(), lists.next()) {
        (Some((.., item)), None) if !item.is_whole() => {
            Err(Fault::text(element.offset, format!("the vertex numbers of {title} must be whole")))
        }
        (Some(list), None) => Ok(list),
        (None, _) => {
            Err(Fault::text(element.offset, format!("{title} has no list vertex_indices")))
        }
        _ => Err(Fault::text(element.offset, format!("{title} has two lists of vertex numbers"))),
    }
}

fn count_triangles<R: Rows>(elements: &[Element<'_>], mut rows: R) -> Result<u64, Fault> {
    let mut triangles = 0;
    for element in elements {
        check_room(element, &rows)?;
        match Shape::of(element) {
            Some(shape) => triangles += count_in_element(element, shape, &mut rows)?,
            None => skip(element, &mut rows)?,
        }
    }
    Ok(triangles)
}

fn count_in_element<R: Rows>(
    element: &Element<'_>,
    shape: Shape,
    rows: &mut R,
) -> Result<u64, Fault> {
    if element.count == 0 {
        return Ok(0);
    }
    let (list, count, item) = index_list(element)?;
    let mut triangles = 0;
    for _ in 0..element.count {
        for (at, property) in element.properties.iter().enumerate() {
            if at != list {
                skip_property(property.kind, rows)?;
                continue;
            }
            let length = rows.list_length(count)?;
            match shape {
                Shape::Polygon => {
                    rows.skip(item, length)?;
                    triangles += triangles_in_polygon(length);
                }
                Shape::Strips => {
                    let mut corners = 0;
                    for _ in 0..length {
                        corners = if rows.integer(item)? == -1 { 0 } else { corners + 1 };
                        triangles += u64::from(corners > 2);
                    }
                }
            }
        }
    }
    Ok(triangles)
}

fn read_triangles<R: Rows>(
    element: &Element<'_>,
    shape: Shape,
    rows: &mut R,
    vertices: u64,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), Fault> {
    if element.count == 0 {
        return Ok(());
    }
    let (list, count, item) = index_list(element)?;
    for _ in 0..element.count {
        for (at, property) in element.properties.iter().enumerate() {
            if at != list {
                skip_property(property.kind, rows)?;
                continue;
            }
            let length_at = *rows;
            let length = rows.list_length(count)?;
            if matches!(shape, Shape::Polygon) && length < 3 {
                let problem = format!("a face needs three corners or more, this has {length}");
                return Err(length_at.fault(problem));
            }
            let (mut fan, mut strip) = (Fan::default(), Strip::default());
            for _ in 0..length {
                let index_at = *rows;
                let index = rows.integer(item)?;
                if matches!(shape, Shape::Strips) && index == -1 {
                    strip = Strip::default();
                    continue;
                }
                let Some(vertex) = u64::try_from(index).ok().filter(|&index| index < vertices)
                else {
                    let problem = format!(
                        "a face names vertex {index}, but there are {vertices}, counted from 0"
                    );
                    return Err(index_at.fault(problem));
                };
                triangles.extend(match shape {
                    Shape::Polygon => fan.corner(vertex as u32),
                    Shape::Strips => strip.corner(vertex as u32),
                });
            }
        }
    }
    Ok(())
}

fn skip<R: Rows>(element: &Element<'_>, rows: &mut R) -> Result<(), Fault> {
    // Rows of nothing take no bytes, so their number is not bounded by the file: do not loop.
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(property.kind, rows)?;
        }
    }
    Ok(())
}

fn skip_property<R: Rows>(kind: Kind, rows: &mut R) -> Result<(), Fault> {
    match kind {
        Kind::Scalar(scalar) => rows.skip(scalar, 1),
        Kind::List { count, item } => {
            let length = rows.list_length(count)?;
            rows.skip(item, length)
        }
    }
}

#[cfg(test)]
mod tests;
