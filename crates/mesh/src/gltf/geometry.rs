//! Triangles of the scene's mesh instances.
//!
//! Two traversals: the first counts and charges the budget, so that a thousand nodes that share one
//! mesh are rejected before anything is copied; the second fills. Primitives without triangles are
//! dropped first, so that the remaining time is proportional to the memory granted.

use crate::budget::{Budget, reserve};
use crate::error::{GltfError, MemoryUsage, ParseError};
use crate::gltf::accessor::{AccessorReader, Elements, UsedObjects};
use crate::gltf::document::{Document, Primitive};
use crate::gltf::scene;
use crate::gltf::transform::NodeTransform;
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::{TriangleMesh, is_valid_coordinate};
use crate::triangulate::{Fan, Strip};

const VERTEX_BYTES: u64 = 12;
const TRIANGLE_BYTES: u64 = 12;
const INDEX_BYTES: u64 = 4;
/// Traversal memory per node: two flags (visited, child) and its index in the list of roots.
const NODE_BYTES: u64 = 6;

/// Primitive mode with triangles; points and lines have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TriangleMode {
    Triangles,
    Strip,
    Fan,
}

impl TriangleMode {
    fn of(primitive: &Primitive) -> Option<Self> {
        match primitive.mode {
            4 => Some(Self::Triangles),
            5 => Some(Self::Strip),
            6 => Some(Self::Fan),
            _ => None,
        }
    }

    fn triangle_count(self, vertices: u64) -> u64 {
        match self {
            Self::Triangles => vertices / 3,
            Self::Strip | Self::Fan => vertices.saturating_sub(2),
        }
    }
}

/// Vertices and triangles that one primitive adds to the mesh.
struct PrimitiveSize {
    vertices: u64,
    triangles: u64,
    /// Only the referenced vertices are copied: several primitives may share one large accessor.
    copies_subset: bool,
}

/// Drops the primitives without triangles, and returns the accessors and buffers that the others
/// use.
pub(crate) fn retain_triangle_primitives(
    document: &mut Document<'_>,
) -> Result<UsedObjects, ParseError> {
    let mut used = UsedObjects {
        accessors: vec![false; document.accessors.len()],
        buffers: vec![false; document.buffers.len()],
    };
    let mut meshes = std::mem::take(&mut document.meshes);
    for (mesh_index, mesh) in meshes.iter_mut().enumerate() {
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            size(document, primitive).map_err(|error| {
                ParseError::part(format!("meshes[{mesh_index}].primitives[{index}]"), error)
            })?;
        }
        mesh.primitives.retain(
            |primitive| matches!(size(document, primitive), Ok(Some(size)) if size.triangles > 0),
        );
        for primitive in &mesh.primitives {
            let accessors = [primitive.attributes.position, primitive.indices];
            for accessor in accessors.into_iter().flatten() {
                mark_used(document, &mut used, accessor);
            }
        }
    }
    document.meshes = meshes;
    Ok(used)
}

fn mark_used(document: &Document<'_>, used: &mut UsedObjects, index: u32) {
    used.accessors[index as usize] = true;
    let accessor = &document.accessors[index as usize];
    let sparse = accessor.sparse.as_ref();
    let sparse = sparse.map(|s| [s.indices.buffer_view, s.values.buffer_view]);
    for view in accessor.buffer_view.into_iter().chain(sparse.into_iter().flatten()) {
        let view = document.buffer_views.get(view as usize);
        // A view or buffer that does not exist is reported when it is read.
        if let Some(buffer) = view.and_then(|v| used.buffers.get_mut(v.buffer as usize)) {
            *buffer = true;
        }
    }
}

/// `None` if there are no triangles: no positions, or points and lines.
fn size(
    document: &Document<'_>,
    primitive: &Primitive,
) -> Result<Option<PrimitiveSize>, GltfError> {
    if primitive.mode > 6 {
        return Err(GltfError::Mode { mode: primitive.mode });
    }
    let (Some(mode), Some(position)) = (TriangleMode::of(primitive), primitive.attributes.position)
    else {
        return Ok(None);
    };
    let count = |index: u32| {
        let accessors = &document.accessors;
        let accessor = accessors.get(index as usize).map(|accessor| accessor.count);
        let (kind, count) = ("accessor", accessors.len());
        accessor.ok_or(GltfError::NoSuchObject { kind, index, count })
    };
    let positions = count(position)?;
    let vertices = match primitive.indices {
        Some(indices) => count(indices)?,
        None => positions,
    };
    if mode == TriangleMode::Triangles && vertices % 3 != 0 {
        return Err(GltfError::PartialTriangle { vertices });
    }
    Ok(Some(PrimitiveSize {
        vertices: positions.min(vertices),
        triangles: mode.triangle_count(vertices),
        copies_subset: vertices < positions,
    }))
}

/// Vertices and triangles of all mesh instances of the default scene.
pub(crate) fn build_mesh(
    document: &Document<'_>,
    accessors: &AccessorReader<'_>,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<TriangleMesh, ParseError> {
    budget.charge(document.nodes.len() as u64 * NODE_BYTES, MemoryUsage::Nodes)?;
    let (vertices, triangles) = count(document, limits, budget)?;
    let mut builder = MeshBuilder { positions: reserve(vertices)?, triangles: reserve(triangles)? };
    let mut subset = Vec::new();
    scene::visit_meshes(document, |mesh, world| {
        for (index, primitive) in document.meshes[mesh as usize].primitives.iter().enumerate() {
            builder.add(document, accessors, primitive, world, &mut subset).map_err(|error| {
                match error {
                    PrimitiveError::Located(error) => error,
                    PrimitiveError::Here(error) => {
                        ParseError::part(format!("meshes[{mesh}].primitives[{index}]"), error)
                    }
                }
            })?;
        }
        Ok(())
    })?;
    Ok(TriangleMesh::new(builder.positions, builder.triangles)?)
}

/// The mesh under construction.
#[derive(Debug)]
struct MeshBuilder {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl MeshBuilder {
    fn add(
        &mut self,
        document: &Document<'_>,
        accessors: &AccessorReader<'_>,
        primitive: &Primitive,
        world: &NodeTransform,
        subset: &mut Vec<u32>,
    ) -> Result<(), PrimitiveError> {
        let (Some(size), Some(mode), Some(position)) = (
            size(document, primitive)?,
            TriangleMode::of(primitive),
            primitive.attributes.position,
        ) else {
            return Ok(());
        };
        let positions = accessors.positions(position)?;
        let indices = match primitive.indices {
            Some(indices) => Some(accessors.indices(indices)?),
            None => None,
        };
        let count = indices.map_or(positions.count, |indices| indices.count);
        let vertex_at =
            |position: u64| indices.map_or(position as u32, |indices| indices.index(position));
        for position in 0..count {
            let (vertex, vertices) = (vertex_at(position), positions.count);
            if u64::from(vertex) >= vertices {
                return Err(GltfError::IndexOutOfRange { position, vertex, vertices }.into());
            }
        }
        let first = self.positions.len() as u32;
        subset.clear();
        if size.copies_subset {
            subset.extend((0..count).map(vertex_at));
            subset.sort_unstable();
            subset.dedup();
            self.add_vertices(&positions, subset.iter().map(|&vertex| vertex.into()), world)?;
        } else {
            self.add_vertices(&positions, 0..positions.count, world)?;
        }
        let mesh_vertices = (0..count).map(|position| {
            let vertex = vertex_at(position);
            // `subset` contains every referenced vertex.
            let local = if size.copies_subset {
                subset.partition_point(|&other| other < vertex) as u32
            } else {
                vertex
            };
            first + local
        });
        self.add_triangles(mesh_vertices, mode, world.is_mirrored());
        Ok(())
    }

    fn add_vertices(
        &mut self,
        positions: &Elements<'_>,
        vertices: impl Iterator<Item = u64>,
        world: &NodeTransform,
    ) -> Result<(), PrimitiveError> {
        // Without a transform, positions keep their bits, including the sign of zero.
        let is_identity = *world == NodeTransform::IDENTITY;
        for vertex in vertices {
            let mut position = positions.position(vertex);
            if !is_identity {
                let transformed = world.transform_point(position.map(f64::from));
                position = transformed.map(|coordinate| coordinate as f32);
            }
            if let Some(&value) = position.iter().find(|c| !is_valid_coordinate(**c)) {
                return Err(GltfError::VertexOutOfRange { vertex, value }.into());
            }
            self.positions.push(position);
        }
        Ok(())
    }

    fn add_triangles(
        &mut self,
        vertices: impl Iterator<Item = u32>,
        mode: TriangleMode,
        is_mirrored: bool,
    ) {
        let (mut fan, mut strip, mut single) = (Fan::default(), Strip::default(), Fan::default());
        for vertex in vertices {
            let triangle = match mode {
                TriangleMode::Fan => fan.push(vertex),
                TriangleMode::Strip => strip.push(vertex),
                TriangleMode::Triangles => {
                    let triangle = single.push(vertex);
                    if triangle.is_some() {
                        single = Fan::default();
                    }
                    triangle
                }
            };
            // A mirroring transform reverses the winding; swapping two vertices restores it.
            self.triangles
                .extend(triangle.map(|[a, b, c]| if is_mirrored { [a, c, b] } else { [a, b, c] }));
        }
    }
}

/// Error with a location of its own, or an error of the current primitive.
enum PrimitiveError {
    Located(ParseError),
    Here(GltfError),
}

impl From<ParseError> for PrimitiveError {
    fn from(error: ParseError) -> Self {
        Self::Located(error)
    }
}

impl From<GltfError> for PrimitiveError {
    fn from(error: GltfError) -> Self {
        Self::Here(error)
    }
}

/// Vertices and triangles of all mesh instances; charges the budget and checks the limits.
fn count(
    document: &Document<'_>,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<(u64, u64), ParseError> {
    let (mut vertices, mut triangles, mut largest_subset) = (0_u64, 0_u64, 0);
    let mut instances = 0;
    scene::visit_meshes(document, |mesh, _| {
        instances += 1;
        for primitive in &document.meshes[mesh as usize].primitives {
            // Validated by `retain_triangle_primitives`.
            let Ok(Some(size)) = size(document, primitive) else { continue };
            vertices = vertices.saturating_add(size.vertices);
            triangles = triangles.saturating_add(size.triangles);
            limits.check(Limit::Vertices, vertices)?;
            limits.check(Limit::Triangles, triangles)?;
            let mut bytes = size.vertices * VERTEX_BYTES + size.triangles * TRIANGLE_BYTES;
            if size.copies_subset && size.vertices > largest_subset {
                bytes += (size.vertices - largest_subset) * 3 * INDEX_BYTES;
                largest_subset = size.vertices;
            }
            budget.charge(bytes, MemoryUsage::Instances { instances, triangles })?;
        }
        Ok(())
    })?;
    Ok((vertices, triangles))
}
