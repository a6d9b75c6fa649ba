//! Accessors: typed, strided and sparse views of buffers.

use crate::error::{GltfError, ParseError};
use crate::gltf::buffers::Buffers;
use crate::gltf::document::{Accessor, AccessorKind, Document};

/// Accessors and buffers that the triangles use, by index.
#[derive(Debug)]
pub(crate) struct UsedObjects {
    pub(crate) accessors: Vec<bool>,
    pub(crate) buffers: Vec<bool>,
}

/// Component type of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComponentType {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl ComponentType {
    fn from_code(code: u32) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    /// Size in bytes.
    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// Whether the type is valid for indices: an unsigned integer.
    fn is_index(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32)
    }

    /// An unsigned integer; `None` for the other types.
    #[inline]
    fn index(self, bytes: &[u8]) -> Option<u32> {
        match (self, bytes) {
            (Self::U8, &[a]) => Some(a.into()),
            (Self::U16, &[a, b]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d]) => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }

    /// A coordinate; normalized integers as in the specification.
    #[inline]
    fn number(self, bytes: &[u8], normalized: bool) -> f32 {
        let (number, largest) = match (self, bytes) {
            (Self::F32, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
            (Self::I8, &[a]) => (f32::from(i8::from_le_bytes([a])), 127.0),
            (Self::U8, &[a]) => (f32::from(a), 255.0),
            (Self::I16, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])), 32767.0),
            (Self::U16, &[a, b]) => (f32::from(u16::from_le_bytes([a, b])), 65535.0),
            _ => (0.0, 1.0),
        };
        let scaled = number / largest;
        match normalized {
            // The lowest integer would map to just below −1.
            true if scaled < -1.0 => -1.0,
            true => scaled,
            false => number,
        }
    }
}

/// Elements at equal distances in a byte range, validated to lie inside it.
#[derive(Clone, Copy, Debug)]
struct StridedBytes<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
}

impl<'a> StridedBytes<'a> {
    #[inline]
    fn get(&self, index: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(index).ok()?.checked_mul(self.stride)?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }
}

/// Elements of one accessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a> {
    pub(crate) count: u64,
    component: ComponentType,
    normalized: bool,
    /// `None`: all zeros.
    base: Option<StridedBytes<'a>>,
    sparse: Option<SparseOverrides<'a>>,
}

/// Elements that a sparse accessor replaces, in increasing order.
#[derive(Clone, Copy, Debug)]
struct SparseOverrides<'a> {
    count: u64,
    indices: StridedBytes<'a>,
    index_type: ComponentType,
    values: StridedBytes<'a>,
}

impl SparseOverrides<'_> {
    fn index_at(&self, position: u64) -> u64 {
        self.indices
            .get(position)
            .and_then(|bytes| self.index_type.index(bytes))
            .unwrap_or(0)
            .into()
    }

    /// Position of the override of `element`, by binary search.
    fn find(&self, element: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let midpoint = low.midpoint(high);
            if self.index_at(midpoint) < element {
                low = midpoint + 1;
            } else {
                high = midpoint;
            }
        }
        (low < self.count && self.index_at(low) == element).then_some(low)
    }
}

impl<'a> Elements<'a> {
    #[inline]
    fn bytes(&self, element: u64) -> Option<&'a [u8]> {
        if let Some(sparse) = &self.sparse
            && let Some(position) = sparse.find(element)
        {
            return sparse.values.get(position);
        }
        self.base?.get(element)
    }

    /// The element as a vertex index; 0 if the accessor has no bytes.
    #[inline]
    pub(crate) fn index(&self, element: u64) -> u32 {
        self.bytes(element).and_then(|bytes| self.component.index(bytes)).unwrap_or(0)
    }

    /// The element as a position; the origin if the accessor has no bytes.
    #[inline]
    pub(crate) fn position(&self, element: u64) -> [f32; 3] {
        let Some(bytes) = self.bytes(element) else { return [0.0; 3] };
        let size = self.component.size();
        [0, 1, 2].map(|axis| {
            self.component.number(&bytes[axis * size..(axis + 1) * size], self.normalized)
        })
    }
}

/// Reads the accessors of a document from its buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessorReader<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) buffers: &'a Buffers<'a>,
}

impl<'a> AccessorReader<'a> {
    /// Validates every used accessor once, however often it is used.
    pub(crate) fn validate(&self, used: &UsedObjects) -> Result<(), ParseError> {
        for (index, accessor) in self.document.accessors.iter().enumerate() {
            if !used.accessors[index] {
                continue;
            }
            let part = || format!("accessors[{index}].sparse");
            let Some(sparse) = self.elements(index as u32)?.sparse else { continue };
            let mut previous = None;
            for position in 0..sparse.count {
                let (index, count) = (sparse.index_at(position), accessor.count);
                if index >= count {
                    let error = GltfError::SparseIndexOutOfRange { position, index, count };
                    return Err(ParseError::part(part(), error));
                }
                if previous.is_some_and(|previous| previous >= index) {
                    let error = GltfError::SparseIndexOrder { position };
                    return Err(ParseError::part(part(), error));
                }
                previous = Some(index);
            }
        }
        Ok(())
    }

    /// Elements of an accessor; an error unless all of them lie within their buffers.
    pub(crate) fn elements(&self, index: u32) -> Result<Elements<'a>, ParseError> {
        let accessor = &self.document.accessors[index as usize];
        let error = |error: GltfError| ParseError::part(format!("accessors[{index}]"), error);
        let code = accessor.component_type;
        let component = ComponentType::from_code(code)
            .ok_or_else(|| error(GltfError::ComponentType { code }))?;
        let size = component.size() * component_count(accessor);
        let base = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let span =
                    ElementSpan { view, offset: accessor.byte_offset, count: accessor.count, size };
                Some(self.strided_bytes(&span, Stride::FromView).map_err(error)?)
            }
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => {
                let (indices, values) = (&sparse.indices, &sparse.values);
                let index_type = ComponentType::from_code(indices.component_type)
                    .filter(|kind| kind.is_index())
                    .ok_or_else(|| error(GltfError::SparseIndexType))?;
                let count = sparse.count;
                let index_span = ElementSpan {
                    view: indices.buffer_view,
                    offset: indices.byte_offset,
                    count,
                    size: index_type.size(),
                };
                let value_span = ElementSpan {
                    view: values.buffer_view,
                    offset: values.byte_offset,
                    count,
                    size,
                };
                Some(SparseOverrides {
                    count,
                    indices: self.strided_bytes(&index_span, Stride::Tight).map_err(error)?,
                    index_type,
                    values: self.strided_bytes(&value_span, Stride::Tight).map_err(error)?,
                })
            }
        };
        let (count, normalized) = (accessor.count, accessor.normalized);
        Ok(Elements { count, component, normalized, base, sparse })
    }

    /// Elements of an accessor of vertex indices: unsigned scalars.
    pub(crate) fn indices(&self, index: u32) -> Result<Elements<'a>, ParseError> {
        let elements = self.elements(index)?;
        let is_scalar = self.document.accessors[index as usize].kind == AccessorKind::Scalar;
        if is_scalar && elements.component.is_index() {
            return Ok(elements);
        }
        Err(ParseError::part(format!("accessors[{index}]"), GltfError::IndexType))
    }

    /// Elements of an accessor of positions: three floats, or three bytes or shorts
    /// (`KHR_mesh_quantization`).
    pub(crate) fn positions(&self, index: u32) -> Result<Elements<'a>, ParseError> {
        let elements = self.elements(index)?;
        let is_vector = self.document.accessors[index as usize].kind == AccessorKind::Vec3;
        if is_vector && elements.component != ComponentType::U32 {
            return Ok(elements);
        }
        Err(ParseError::part(format!("accessors[{index}]"), GltfError::PositionType))
    }

    fn strided_bytes(
        &self,
        span: &ElementSpan,
        stride: Stride,
    ) -> Result<StridedBytes<'a>, GltfError> {
        let &ElementSpan { view: index, offset, count, size } = span;
        let views = &self.document.buffer_views;
        let Some(view) = views.get(index as usize) else {
            let (kind, count) = ("bufferView", views.len());
            return Err(GltfError::NoSuchObject { kind, index, count });
        };
        let Some(buffer) = self.buffers.bytes(self.document, view.buffer) else {
            let count = self.document.buffers.len();
            return Err(GltfError::NoSuchBuffer { view: index, buffer: view.buffer, count });
        };
        let Some(bytes) = byte_range(buffer, view.byte_offset, view.byte_length) else {
            let bytes = buffer.len() as u64;
            return Err(GltfError::ViewOutOfBounds { view: index, bytes });
        };
        let stride = match view.byte_stride {
            Some(byte_stride) if stride == Stride::FromView => byte_stride as usize,
            _ => size,
        };
        if stride < size {
            let (stride, size) = (stride as u64, size as u64);
            return Err(GltfError::StrideTooSmall { view: index, stride, size });
        }
        let needed = match count {
            0 => Some(0),
            _ => (count - 1)
                .checked_mul(stride as u64)
                .and_then(|bytes| bytes.checked_add(size as u64)),
        };
        let error = GltfError::ElementsOutOfBounds {
            view: index,
            bytes: bytes.len() as u64,
            offset,
            count,
        };
        needed
            .and_then(|needed| byte_range(bytes, offset, needed))
            .map(|bytes| StridedBytes { bytes, stride, size })
            .ok_or(error)
    }
}

/// Consecutive elements in a buffer view.
struct ElementSpan {
    view: u32,
    offset: u64,
    count: u64,
    size: usize,
}

/// Distance between elements. The stride of a view applies to the elements of an accessor, but not
/// to the tables of a sparse one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stride {
    Tight,
    FromView,
}

fn component_count(accessor: &Accessor) -> usize {
    match accessor.kind {
        AccessorKind::Vec3 => 3,
        // Other types are rejected before they are read.
        AccessorKind::Scalar | AccessorKind::Other => 1,
    }
}

fn byte_range(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(start..end)
}
