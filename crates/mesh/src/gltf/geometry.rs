//! Which triangles do the scene's meshes make?
//!
//! Two walks: the first counts and charges the budget as it goes, so that a thousand nodes sharing
//! one mesh are refused before anything is copied; the second fills. Primitives without triangles
//! are dropped first: what remains costs no more time than the memory it was granted.

use super::accessor::{Elements, Needed, Views};
use super::document::{Document, Primitive};
use super::scene;
use super::transform::Affine;
use crate::budget::{Budget, reserve};
use crate::error::Fault;
use crate::fan::{Fan, Strip};
use crate::limits::{Limit, Limits};
use crate::text::out_of_range;
use crate::triangle_mesh::{TriangleMesh, is_valid_coordinate};

const VERTEX_BYTES: u64 = 12;
const TRIANGLE_BYTES: u64 = 12;
const INDEX_BYTES: u64 = 4;

/// How a primitive's corners become triangles; points and lines are none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    fn of(primitive: &Primitive) -> Option<Self> {
        match primitive.mode {
            4 => Some(Self::Triangles),
            5 => Some(Self::Strip),
            6 => Some(Self::Fan),
            _ => None,
        }
    }

    fn triangles(self, corners: u64) -> u64 {
        match self {
            Self::Triangles => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }
}

/// What one primitive adds to the mesh.
struct Size {
    vertices: u64,
    triangles: u64,
    /// Only the vertices it names are copied: several primitives may share one large accessor.
    picks: bool,
}

/// Leaves in each mesh the primitives that make triangles, and says what those read.
pub(crate) fn keep_triangles(document: &mut Document<'_>) -> Result<Needed, Fault> {
    let mut needed = Needed {
        accessors: vec![false; document.accessors.len()],
        buffers: vec![false; document.buffers.len()],
    };
    let mut meshes = std::mem::take(&mut document.meshes);
    for (mesh_index, mesh) in meshes.iter_mut().enumerate() {
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            size(document, primitive).map_err(|problem| {
                Fault::part(format!("meshes[{mesh_index}].primitives[{index}]"), problem)
            })?;
        }
        mesh.primitives.retain(
            |primitive| matches!(size(document, primitive), Ok(Some(size)) if size.triangles > 0),
        );
        for primitive in &mesh.primitives {
            let accessors = [primitive.attributes.position, primitive.indices];
            for accessor in accessors.into_iter().flatten() {
                need(document, &mut needed, accessor);
            }
        }
    }
    document.meshes = meshes;
    Ok(needed)
}

fn need(document: &Document<'_>, needed: &mut Needed, index: u32) {
    needed.accessors[index as usize] = true;
    let accessor = &document.accessors[index as usize];
    let sparse = accessor.sparse.as_ref();
    let sparse = sparse.map(|s| [s.indices.buffer_view, s.values.buffer_view]);
    for view in accessor.buffer_view.into_iter().chain(sparse.into_iter().flatten()) {
        let view = document.buffer_views.get(view as usize);
        // What does not exist is told when it is read.
        if let Some(buffer) = view.and_then(|v| needed.buffers.get_mut(v.buffer as usize)) {
            *buffer = true;
        }
    }
}

/// `None` if there is nothing to draw: no positions, or points and lines.
fn size(document: &Document<'_>, primitive: &Primitive) -> Result<Option<Size>, String> {
    if primitive.mode > 6 {
        return Err(format!("mode {} is unknown", primitive.mode));
    }
    let (Some(mode), Some(position)) = (Mode::of(primitive), primitive.attributes.position) else {
        return Ok(None);
    };
    let count = |accessor: u32| {
        let accessors = &document.accessors;
        accessors
            .get(accessor as usize)
            .map(|accessor| accessor.count)
            .ok_or_else(|| format!("names accessor {accessor}, but there are {}", accessors.len()))
    };
    let positions = count(position)?;
    let corners = match primitive.indices {
        Some(indices) => count(indices)?,
        None => positions,
    };
    if mode == Mode::Triangles && corners % 3 != 0 {
        return Err(format!("{corners} corners do not make whole triangles"));
    }
    Ok(Some(Size {
        vertices: positions.min(corners),
        triangles: mode.triangles(corners),
        picks: corners < positions,
    }))
}

/// The mesh while it grows.
#[derive(Debug)]
pub(crate) struct Geometry {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Geometry {
    pub(crate) fn gather(
        document: &Document<'_>,
        views: &Views<'_>,
        limits: &Limits,
        budget: &mut Budget,
    ) -> Result<TriangleMesh, Fault> {
        // One byte a node to know it again, and the roots.
        budget.charge(document.nodes.len() as u64 * 6, || "its nodes".to_owned())?;
        let (vertices, triangles) = count(document, limits, budget)?;
        let mut geometry = Self { positions: reserve(vertices)?, triangles: reserve(triangles)? };
        let mut picked = Vec::new();
        scene::walk(document, |mesh, world| {
            for (index, primitive) in document.meshes[mesh as usize].primitives.iter().enumerate() {
                geometry.add(document, views, primitive, world, &mut picked).map_err(|fault| {
                    match fault {
                        Failure::Of(fault) => fault,
                        Failure::Here(problem) => {
                            Fault::part(format!("meshes[{mesh}].primitives[{index}]"), problem)
                        }
                    }
                })?;
            }
            Ok(())
        })?;
        Ok(TriangleMesh::new(geometry.positions, geometry.triangles)?)
    }

    fn add(
        &mut self,
        document: &Document<'_>,
        views: &Views<'_>,
        primitive: &Primitive,
        world: &Affine,
        picked: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        let (Some(size), Some(mode), Some(position)) = (
            size(document, primitive).map_err(Failure::Here)?,
            Mode::of(primitive),
            primitive.attributes.position,
        ) else {
            return Ok(());
        };
        let positions = views.positions(position).map_err(Failure::Of)?;
        let indices = match primitive.indices {
            Some(indices) => Some(views.indices(indices).map_err(Failure::Of)?),
            None => None,
        };
        let corners = indices.map_or(positions.count, |indices| indices.count);
        let corner = |at: u64| indices.map_or(at as u32, |indices| indices.index(at));
        for at in 0..corners {
            let vertex = corner(at);
            if u64::from(vertex) >= positions.count {
                let count = positions.count;
                return Err(Failure::Here(format!(
                    "index {at} names vertex {vertex}, but there are {count}, counted from 0"
                )));
            }
        }
        let first = self.positions.len() as u32;
        picked.clear();
        if size.picks {
            picked.extend((0..corners).map(corner));
            picked.sort_unstable();
            picked.dedup();
            self.place(&positions, picked.iter().map(|&vertex| vertex.into()), world)?;
        } else {
            self.place(&positions, 0..positions.count, world)?;
        }
        let numbered = (0..corners).map(|at| {
            let vertex = corner(at);
            // Found without fail: `picked` holds every corner.
            first + if size.picks { picked.partition_point(|&p| p < vertex) as u32 } else { vertex }
        });
        self.join(numbered, mode, world.mirrors());
        Ok(())
    }

    fn place(
        &mut self,
        positions: &Elements<'_>,
        vertices: impl Iterator<Item = u64>,
        world: &Affine,
    ) -> Result<(), Failure> {
        // Untouched positions keep their bits, the sign of a zero included.
        let stays = *world == Affine::IDENTITY;
        for vertex in vertices {
            let mut position = positions.position(vertex);
            if !stays {
                position = world.point(position.map(f64::from)).map(|number| number as f32);
            }
            if let Some(bad) = position.iter().find(|c| !is_valid_coordinate(**c)) {
                let problem = out_of_range(format_args!("{bad:?}"));
                return Err(Failure::Here(format!("vertex {vertex}: {problem}")));
            }
            self.positions.push(position);
        }
        Ok(())
    }

    fn join(&mut self, corners: impl Iterator<Item = u32>, mode: Mode, mirrored: bool) {
        let (mut fan, mut strip, mut single) = (Fan::default(), Strip::default(), Fan::default());
        for vertex in corners {
            let triangle = match mode {
                Mode::Fan => fan.corner(vertex),
                Mode::Strip => strip.corner(vertex),
                Mode::Triangles => {
                    let triangle = single.corner(vertex);
                    if triangle.is_some() {
                        single = Fan::default();
                    }
                    triangle
                }
            };
            // A mirror turns triangles inside out; swapping two corners turns them back.
            self.triangles
                .extend(triangle.map(|[a, b, c]| if mirrored { [a, c, b] } else { [a, b, c] }));
        }
    }
}

/// A fault with a place of its own, or a problem of the primitive at hand.
enum Failure {
    Of(Fault),
    Here(String),
}

fn count(
    document: &Document<'_>,
    limits: &Limits,
    budget: &mut Budget,
) -> Result<(u64, u64), Fault> {
    let (mut vertices, mut triangles, mut most_picked) = (0_u64, 0_u64, 0);
    let mut instances = 0;
    scene::walk(document, |mesh, _| {
        instances += 1;
        for primitive in &document.meshes[mesh as usize].primitives {
            // Sizes were found sound when the primitives were sifted.
            let Ok(Some(size)) = size(document, primitive) else { continue };
            vertices = vertices.saturating_add(size.vertices);
            triangles = triangles.saturating_add(size.triangles);
            limits.check(Limit::Vertices, vertices)?;
            limits.check(Limit::Triangles, triangles)?;
            let mut bytes = size.vertices * VERTEX_BYTES + size.triangles * TRIANGLE_BYTES;
            if size.picks && size.vertices > most_picked {
                bytes += (size.vertices - most_picked) * 3 * INDEX_BYTES;
                most_picked = size.vertices;
            }
            budget.charge(bytes, || {
                format!("{instances} placed meshes make {triangles} triangles and more")
            })?;
        }
        Ok(())
    })?;
    Ok((vertices, triangles))
}
