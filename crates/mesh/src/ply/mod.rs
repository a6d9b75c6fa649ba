//! PLY: a header that declares tables of numbers, then their rows, as text or binary.
//!
//! ```text
//! header ─► elements ─► vertex rows ─► positions
//!                  ├──► face rows ───► triangles      (counted first, then read)
//!                  └──► other rows ──► skipped
//! ```
//! The counts of the header are not trusted: memory is reserved only if the rest of the file is
//! large enough for them.

mod header;
mod rows;
#[cfg(test)]
mod tests;

pub(crate) use header::{Encoding, encoding};

use header::{Element, Header, PropertyType, ScalarType};
use rows::{AsciiRows, BinaryRows, Rows};

use crate::budget::reserve;
use crate::error::{MeshFormatError, ParseError, PlyError};
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::TriangleMesh;
use crate::triangulate::{Fan, Strip, triangles_in_polygon};

pub(crate) fn parse(bytes: &[u8], limits: &Limits) -> Result<TriangleMesh, ParseError> {
    let header = header::parse(bytes)?;
    match header.encoding {
        Encoding::Ascii => read(&header, AsciiRows::new(bytes, header.length), limits),
        Encoding::LittleEndian => {
            read(&header, BinaryRows::<false>::new(bytes, header.length), limits)
        }
        Encoding::BigEndian => read(&header, BinaryRows::<true>::new(bytes, header.length), limits),
    }
}

fn read<R: Rows>(
    header: &Header<'_>,
    mut rows: R,
    limits: &Limits,
) -> Result<TriangleMesh, ParseError> {
    let vertices = header.elements.iter().find(|element| element.name == b"vertex");
    let vertices = vertices.map_or(0, |element| element.count);
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    let mut counted = false;
    for (at, element) in header.elements.iter().enumerate() {
        check_row_count(element, &rows)?;
        match (element.name, Connectivity::of(element)) {
            (b"vertex", _) => {
                limits.check(Limit::Vertices, vertices)?;
                positions = read_vertices(element, &mut rows)?;
            }
            (_, Some(connectivity)) => {
                if !counted {
                    // On a copy of the cursor, to the end of the file: both faces and strips may
                    // follow, and growing the vector would need both allocations at once.
                    let count = count_triangles(&header.elements[at..], rows)?;
                    limits.check(Limit::Triangles, count)?;
                    triangles = reserve(count)?;
                    counted = true;
                }
                read_triangles(element, connectivity, &mut rows, vertices, &mut triangles)?;
            }
            _ => skip(element, &mut rows)?,
        }
    }
    Ok(TriangleMesh::new(positions, triangles)?)
}

/// Rejects a row count that exceeds the rest of the file, before memory is reserved for it.
fn check_row_count<R: Rows>(element: &Element<'_>, rows: &R) -> Result<(), ParseError> {
    let row_size = element.properties.iter().map(|p| R::min_size(p.property_type)).sum();
    let needed = element.count.saturating_mul(row_size);
    let left = rows.remaining();
    if needed <= left {
        return Ok(());
    }
    let (element, count) = (element.name_excerpt(), element.count);
    Err(rows.error(PlyError::TooManyRows { element, rows: count, needed, left }))
}

fn read_vertices<R: Rows>(
    element: &Element<'_>,
    rows: &mut R,
) -> Result<Vec<[f32; 3]>, ParseError> {
    if element.count == 0 {
        return Ok(Vec::new());
    }
    for name in [b"x", b"y", b"z"] {
        let is_scalar = |property_type| matches!(property_type, PropertyType::Scalar(_));
        if !element.properties.iter().any(|p| p.name == name && is_scalar(p.property_type)) {
            let error = PlyError::NoCoordinate { axis: char::from(name[0]) };
            return Err(ParseError::text(element.offset, error));
        }
    }
    // Reserved only now: rows with x, y and z have a minimum size, so the file bounds their number.
    let mut positions = reserve(element.count)?;
    for _ in 0..element.count {
        let mut position = [0.0; 3];
        for property in &element.properties {
            match (property.name, property.property_type) {
                (b"x", PropertyType::Scalar(scalar)) => position[0] = rows.coordinate(scalar)?,
                (b"y", PropertyType::Scalar(scalar)) => position[1] = rows.coordinate(scalar)?,
                (b"z", PropertyType::Scalar(scalar)) => position[2] = rows.coordinate(scalar)?,
                (_, property_type) => skip_property(property_type, rows)?,
            }
        }
        positions.push(position);
    }
    Ok(positions)
}

/// Meaning of the index lists of an element.
#[derive(Clone, Copy, Debug)]
enum Connectivity {
    /// Each list is one polygon.
    Polygon,
    /// Each list is a sequence of triangle strips, separated by −1.
    Strips,
}

impl Connectivity {
    fn of(element: &Element<'_>) -> Option<Self> {
        match element.name {
            b"face" => Some(Self::Polygon),
            b"tristrips" => Some(Self::Strips),
            _ => None,
        }
    }
}

/// Position, count type and item type of the list of vertex indices.
fn index_list(element: &Element<'_>) -> Result<(usize, ScalarType, ScalarType), ParseError> {
    let mut lists = element.properties.iter().enumerate().filter_map(|(at, property)| {
        let named = matches!(property.name, b"vertex_indices" | b"vertex_index");
        match property.property_type {
            PropertyType::List { count, item } if named => Some((at, count, item)),
            _ => None,
        }
    });
    let name = element.name_excerpt();
    let error = match (lists.next(), lists.next()) {
        (Some((.., item)), None) if !item.is_integer() => PlyError::FloatIndices { element: name },
        (Some(list), None) => return Ok(list),
        (None, _) => PlyError::NoIndices { element: name },
        _ => PlyError::DuplicateIndices { element: name },
    };
    Err(ParseError::text(element.offset, error))
}

fn count_triangles<R: Rows>(elements: &[Element<'_>], mut rows: R) -> Result<u64, ParseError> {
    let mut triangles = 0;
    for element in elements {
        check_row_count(element, &rows)?;
        match Connectivity::of(element) {
            Some(connectivity) => {
                triangles += count_in_element(element, connectivity, &mut rows)?;
            }
            None => skip(element, &mut rows)?,
        }
    }
    Ok(triangles)
}

fn count_in_element<R: Rows>(
    element: &Element<'_>,
    connectivity: Connectivity,
    rows: &mut R,
) -> Result<u64, ParseError> {
    if element.count == 0 {
        return Ok(0);
    }
    let (list, count, item) = index_list(element)?;
    let mut triangles = 0;
    for _ in 0..element.count {
        for (at, property) in element.properties.iter().enumerate() {
            if at != list {
                skip_property(property.property_type, rows)?;
                continue;
            }
            let length = rows.list_length(count)?;
            match connectivity {
                Connectivity::Polygon => {
                    rows.skip(item, length)?;
                    triangles += triangles_in_polygon(length);
                }
                Connectivity::Strips => {
                    let mut vertices = 0;
                    for _ in 0..length {
                        vertices = if rows.integer(item)? == -1 { 0 } else { vertices + 1 };
                        triangles += u64::from(vertices > 2);
                    }
                }
            }
        }
    }
    Ok(triangles)
}

fn read_triangles<R: Rows>(
    element: &Element<'_>,
    connectivity: Connectivity,
    rows: &mut R,
    vertices: u64,
    triangles: &mut Vec<[u32; 3]>,
) -> Result<(), ParseError> {
    if element.count == 0 {
        return Ok(());
    }
    let (list, count, item) = index_list(element)?;
    for _ in 0..element.count {
        for (at, property) in element.properties.iter().enumerate() {
            if at != list {
                skip_property(property.property_type, rows)?;
                continue;
            }
            let before_length = *rows;
            let length = rows.list_length(count)?;
            if matches!(connectivity, Connectivity::Polygon) && length < 3 {
                return Err(before_length.error(MeshFormatError::FaceTooSmall { vertices: length }));
            }
            let (mut fan, mut strip) = (Fan::default(), Strip::default());
            for _ in 0..length {
                let before_index = *rows;
                let index = rows.integer(item)?;
                if matches!(connectivity, Connectivity::Strips) && index == -1 {
                    strip = Strip::default();
                    continue;
                }
                let Some(vertex) = u64::try_from(index).ok().filter(|&index| index < vertices)
                else {
                    return Err(before_index.error(PlyError::IndexOutOfRange { index, vertices }));
                };
                triangles.extend(match connectivity {
                    Connectivity::Polygon => fan.push(vertex as u32),
                    Connectivity::Strips => strip.push(vertex as u32),
                });
            }
        }
    }
    Ok(())
}

fn skip<R: Rows>(element: &Element<'_>, rows: &mut R) -> Result<(), ParseError> {
    // Rows without properties take no bytes: the file does not bound their number, so no loop.
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        for property in &element.properties {
            skip_property(property.property_type, rows)?;
        }
    }
    Ok(())
}

fn skip_property<R: Rows>(property_type: PropertyType, rows: &mut R) -> Result<(), ParseError> {
    match property_type {
        PropertyType::Scalar(scalar) => rows.skip(scalar, 1),
        PropertyType::List { count, item } => {
            let length = rows.list_length(count)?;
            rows.skip(item, length)
        }
    }
}
