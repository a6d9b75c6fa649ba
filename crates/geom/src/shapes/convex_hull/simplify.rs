//! Simplification of an exact hull: drops the vertices that exist only by rounding.
//!
//! ```text
//!   c───────c      c  vertex of three or more regions: kept
//!   │ i   i │      i  inside a flat region: dropped
//!   │   i   │      e  on the crease between two regions and on the line between kept ones: dropped
//!   c──e──e─c
//! ```
//! Dropped vertices lie within the tolerance of the hull of the kept ones.

use crate::shapes::convex_hull::{DVec3, quickhull::TriangleSurface, tolerance::Tolerance};

const NO_INDEX: u32 = u32::MAX;

/// Regions and creases around a vertex.
#[derive(Clone, Copy, Debug)]
struct VertexRegions {
    /// The first three distinct regions.
    regions: [u32; 3],
    /// Number of distinct regions, at most 3; 0 for a point that is no vertex.
    region_count: u8,
    /// Number of creases: edges between two regions.
    crease_count: u32,
    /// Other endpoints of the first two creases.
    crease_ends: [u32; 2],
}

/// Vertices to keep, in order; `None` if that is all of them.
pub(super) fn kept_vertices(
    points: &[DVec3],
    surface: &TriangleSurface,
    tolerance: &Tolerance,
) -> Option<Vec<u32>> {
    let region_of = flat_regions(points, surface, tolerance);
    let vertices = vertex_regions(points.len(), surface, &region_of);
    let mut dropped = vec![false; points.len()];
    let mut visited = vec![false; points.len()];
    for (vertex, around) in vertices.iter().enumerate() {
        if around.region_count == 1 {
            dropped[vertex] = true;
        } else if around.is_on_crease() && !visited[vertex] {
            let crease = crease_through(vertex as u32, &vertices, &mut visited);
            simplify_crease(&crease, points, tolerance, &mut dropped);
        }
    }
    drop_coincident_vertices(points, surface, tolerance, &mut dropped);
    let is_vertex = |vertex: &u32| vertices[*vertex as usize].region_count > 0;
    if !dropped.contains(&true) {
        return None;
    }
    Some((0..points.len() as u32).filter(is_vertex).filter(|&v| !dropped[v as usize]).collect())
}

/// Flat region of each triangle: grown from the largest triangles, as far as all vertices lie
/// within the tolerance of the seed's plane. A region is identified by its seed triangle.
fn flat_regions(points: &[DVec3], surface: &TriangleSurface, tolerance: &Tolerance) -> Vec<u32> {
    let triangle_count = surface.triangles.len();
    let normals: Vec<DVec3> = surface
        .triangles
        .iter()
        .map(|&vertices| {
            let [a, b, c] = vertices.map(|vertex| points[vertex as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let area_squared = |triangle: usize| normals[triangle].dot(normals[triangle]);
    let mut largest_first: Vec<(f64, u32)> =
        (0..triangle_count).map(|triangle| (area_squared(triangle), triangle as u32)).collect();
    largest_first.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut region_of = vec![NO_INDEX; triangle_count];
    let mut stack = Vec::new();
    for (_, seed) in largest_first {
        if region_of[seed as usize] != NO_INDEX {
            continue;
        }
        let normal = normals[seed as usize].normalize();
        let anchor = points[surface.triangles[seed as usize][0] as usize];
        let limit = tolerance.along(normal);
        region_of[seed as usize] = seed;
        stack.push(seed);
        while let Some(triangle) = stack.pop() {
            for neighbor in surface.neighbors[triangle as usize] {
                let is_coplanar = || {
                    surface.triangles[neighbor as usize].iter().all(|&vertex| {
                        (points[vertex as usize] - anchor).dot(normal).abs() <= limit
                    })
                };
                if region_of[neighbor as usize] == NO_INDEX
                    && normals[neighbor as usize].dot(normal) > 0.0
                    && is_coplanar()
                {
                    region_of[neighbor as usize] = seed;
                    stack.push(neighbor);
                }
            }
        }
    }
    region_of
}

fn vertex_regions(
    point_count: usize,
    surface: &TriangleSurface,
    region_of: &[u32],
) -> Vec<VertexRegions> {
    let empty = VertexRegions {
        regions: [NO_INDEX; 3],
        region_count: 0,
        crease_count: 0,
        crease_ends: [NO_INDEX; 2],
    };
    let mut all = vec![empty; point_count];
    for (triangle, vertices) in surface.triangles.iter().enumerate() {
        for edge in 0..3 {
            let around = &mut all[vertices[edge] as usize];
            around.add_region(region_of[triangle]);
            let neighbor = surface.neighbors[triangle][edge] as usize;
            if region_of[neighbor] != region_of[triangle] {
                around.add_crease(vertices[(edge + 1) % 3]);
            }
        }
    }
    all
}

impl VertexRegions {
    fn add_region(&mut self, region: u32) {
        let count = usize::from(self.region_count);
        if count < 3 && !self.regions[..count].contains(&region) {
            self.regions[count] = region;
            self.region_count += 1;
        }
    }

    fn add_crease(&mut self, other_end: u32) {
        if let Some(free) = self.crease_ends.get_mut(self.crease_count as usize) {
            *free = other_end;
        }
        self.crease_count += 1;
    }

    /// Whether exactly one crease passes through the vertex.
    fn is_on_crease(&self) -> bool {
        self.region_count == 2 && self.crease_count == 2
    }
}

/// Vertices of the crease through `start`, from end to end. A closed crease starts and ends at
/// `start`.
fn crease_through(start: u32, vertices: &[VertexRegions], visited: &mut [bool]) -> Vec<u32> {
    visited[start as usize] = true;
    let mut halves: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
    for (half, &first) in halves.iter_mut().zip(&vertices[start as usize].crease_ends) {
        let (mut previous, mut current) = (start, first);
        half.push(current);
        while current != start
            && vertices[current as usize].is_on_crease()
            && !visited[current as usize]
        {
            visited[current as usize] = true;
            let [a, b] = vertices[current as usize].crease_ends;
            let next = if a == previous { b } else { a };
            (previous, current) = (current, next);
            half.push(current);
        }
        if current == start {
            return [start].into_iter().chain(half.iter().copied()).collect();
        }
    }
    let [backward, forward] = halves;
    backward.into_iter().rev().chain([start]).chain(forward).collect()
}

/// Drops the vertices on the line between kept ones (Douglas and Peucker 1973).
fn simplify_crease(crease: &[u32], points: &[DVec3], tolerance: &Tolerance, dropped: &mut [bool]) {
    let mut ranges = vec![(0, crease.len() - 1)];
    while let Some((first, last)) = ranges.pop() {
        let (a, b) = (points[crease[first] as usize], points[crease[last] as usize]);
        let along = (b - a).normalize();
        let mut farthest = (0.0, first);
        for inner in first + 1..last {
            let from_a = points[crease[inner] as usize] - a;
            let from_line = from_a - along * from_a.dot(along);
            let limit = tolerance.along(from_line.normalize());
            let excess = from_line.length() - limit;
            if from_line.length() > 0.0 && excess > 0.0 && excess > farthest.0 {
                farthest = (excess, inner);
            }
        }
        if farthest.1 == first {
            for inner in &crease[first + 1..last] {
                dropped[*inner as usize] = true;
            }
        } else {
            ranges.push((first, farthest.1));
            ranges.push((farthest.1, last));
        }
    }
}

/// Drops the later of two adjacent vertices that coincide up to rounding.
fn drop_coincident_vertices(
    points: &[DVec3],
    surface: &TriangleSurface,
    tolerance: &Tolerance,
    dropped: &mut [bool],
) {
    let mut must_stay = vec![false; points.len()];
    for vertices in &surface.triangles {
        for edge in 0..3 {
            let (a, b) = (vertices[edge], vertices[(edge + 1) % 3]);
            let (first, second) = if a < b { (a, b) } else { (b, a) };
            let both_kept = !dropped[first as usize] && !dropped[second as usize];
            if both_kept
                && !must_stay[second as usize]
                && tolerance.is_negligible(points[first as usize] - points[second as usize])
            {
                dropped[second as usize] = true;
                must_stay[first as usize] = true;
            }
        }
    }
}
