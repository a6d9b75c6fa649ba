//! Which numbers does an accessor give?

use super::buffers::Buffers;
use super::document::{Accessor, AccessorKind, Document};
use crate::error::Fault;

/// Which accessors and buffers the triangles need, by index.
#[derive(Debug)]
pub(crate) struct Needed {
    pub(crate) accessors: Vec<bool>,
    pub(crate) buffers: Vec<bool>,
}

/// Numbers as they lie in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn coded(code: u32) -> Option<Self> {
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

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// An unsigned whole number; `None` for the other types.
    #[inline]
    fn index(self, bytes: &[u8]) -> Option<u32> {
        match (self, bytes) {
            (Self::U8, &[a]) => Some(a.into()),
            (Self::U16, &[a, b]) => Some(u16::from_le_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d]) => Some(u32::from_le_bytes([a, b, c, d])),
            _ => None,
        }
    }

    /// A coordinate; normalised integers as the specification has them.
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
            // The lowest value would fall just below −1.
            true if scaled < -1.0 => -1.0,
            true => scaled,
            false => number,
        }
    }
}

/// Equal steps through a piece of a buffer, known to stay inside it.
#[derive(Clone, Copy, Debug)]
struct Steps<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
}

impl<'a> Steps<'a> {
    #[inline]
    fn get(&self, index: u64) -> Option<&'a [u8]> {
        let start = usize::try_from(index).ok()?.checked_mul(self.stride)?;
        self.bytes.get(start..start.checked_add(self.size)?)
    }
}

/// The elements of one accessor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements<'a> {
    pub(crate) count: u64,
    component: Component,
    normalized: bool,
    /// `None` is all zeros.
    base: Option<Steps<'a>>,
    sparse: Option<Overrides<'a>>,
}

/// Elements that a sparse accessor replaces, in rising order.
#[derive(Clone, Copy, Debug)]
struct Overrides<'a> {
    count: u64,
    indices: Steps<'a>,
    index: Component,
    values: Steps<'a>,
}

impl Overrides<'_> {
    fn index_at(&self, at: u64) -> u64 {
        self.indices.get(at).and_then(|bytes| self.index.index(bytes)).unwrap_or(0).into()
    }

    /// The place in the list of overrides that replaces `element`.
    fn find(&self, element: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if self.index_at(middle) < element {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.count && self.index_at(low) == element).then_some(low)
    }
}

impl<'a> Elements<'a> {
    #[inline]
    fn bytes(&self, element: u64) -> Option<&'a [u8]> {
        if let Some(sparse) = &self.sparse
            && let Some(at) = sparse.find(element)
        {
            return sparse.values.get(at);
        }
        self.base?.get(element)
    }

    /// The element as a vertex number; 0 where the accessor has no bytes.
    #[inline]
    pub(crate) fn index(&self, element: u64) -> u32 {
        self.bytes(element).and_then(|bytes| self.component.index(bytes)).unwrap_or(0)
    }

    /// The element as a position; the origin where the accessor has no bytes.
    #[inline]
    pub(crate) fn position(&self, element: u64) -> [f32; 3] {
        let Some(bytes) = self.bytes(element) else { return [0.0; 3] };
        let size = self.component.size();
        [0, 1, 2].map(|axis| {
            self.component.number(&bytes[axis * size..(axis + 1) * size], self.normalized)
        })
    }
}

/// The accessors of a document over its buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Views<'a> {
    pub(crate) document: &'a Document<'a>,
    pub(crate) buffers: &'a Buffers<'a>,
}

impl<'a> Views<'a> {
    /// Checks once what is needed, however often it is used.
    pub(crate) fn check(&self, needed: &Needed) -> Result<(), Fault> {
        for (index, accessor) in self.document.accessors.iter().enumerate() {
            if !needed.accessors[index] {
                continue;
            }
            let part = || format!("accessors[{index}].sparse");
            let Some(sparse) = self.elements(index as u32)?.sparse else { continue };
            let mut previous = None;
            for at in 0..sparse.count {
                let replaced = sparse.index_at(at);
                if replaced >= accessor.count {
                    let count = accessor.count;
                    let problem =
                        format!("index {at} is {replaced}, but there are {count} elements");
                    return Err(Fault::part(part(), problem));
                }
                if previous.is_some_and(|previous| previous >= replaced) {
                    return Err(Fault::part(part(), format!("index {at} does not rise")));
                }
                previous = Some(replaced);
            }
        }
        Ok(())
    }

    /// The elements of an accessor; an error unless all of them lie within their buffers.
    pub(crate) fn elements(&self, index: u32) -> Result<Elements<'a>, Fault> {
        let accessor = &self.document.accessors[index as usize];
        let fault = |problem: String| Fault::part(format!("accessors[{index}]"), problem);
        let component = Component::coded(accessor.component_type).ok_or_else(|| {
            fault(format!("componentType {} is unknown", accessor.component_type))
        })?;
        let size = component.size() * components(accessor);
        let base = match accessor.buffer_view {
            None => None,
            Some(view) => {
                let span = Span { view, offset: accessor.byte_offset, count: accessor.count, size };
                Some(self.steps(&span, Packing::AsTheViewSays).map_err(fault)?)
            }
        };
        let sparse = match &accessor.sparse {
            None => None,
            Some(sparse) => {
                let (indices, values) = (&sparse.indices, &sparse.values);
                let index = Component::coded(indices.component_type)
                    .filter(|kind| matches!(kind, Component::U8 | Component::U16 | Component::U32))
                    .ok_or_else(|| {
                        fault("sparse indices must be unsigned whole numbers".to_owned())
                    })?;
                let count = sparse.count;
                let index_span = Span {
                    view: indices.buffer_view,
                    offset: indices.byte_offset,
                    count,
                    size: index.size(),
                };
                let value_span =
                    Span { view: values.buffer_view, offset: values.byte_offset, count, size };
                Some(Overrides {
                    count,
                    indices: self.steps(&index_span, Packing::Tight).map_err(fault)?,
                    index,
                    values: self.steps(&value_span, Packing::Tight).map_err(fault)?,
                })
            }
        };
        let (count, normalized) = (accessor.count, accessor.normalized);
        Ok(Elements { count, component, normalized, base, sparse })
    }

    /// Only what an index may be: an unsigned scalar.
    pub(crate) fn indices(&self, index: u32) -> Result<Elements<'a>, Fault> {
        let elements = self.elements(index)?;
        let whole = matches!(elements.component, Component::U8 | Component::U16 | Component::U32);
        if whole && self.document.accessors[index as usize].kind == AccessorKind::Scalar {
            return Ok(elements);
        }
        let problem = "indices must be SCALAR of unsigned byte, short or int";
        Err(Fault::part(format!("accessors[{index}]"), problem))
    }

    /// Only what a position may be: three floats, or three bytes or shorts (`KHR_mesh_quantization`).
    pub(crate) fn positions(&self, index: u32) -> Result<Elements<'a>, Fault> {
        let elements = self.elements(index)?;
        let vector = self.document.accessors[index as usize].kind == AccessorKind::Vec3;
        if vector && elements.component != Component::U32 {
            return Ok(elements);
        }
        let problem = "POSITION must be VEC3 of float, byte or short";
        Err(Fault::part(format!("accessors[{index}]"), problem))
    }

    fn steps(&self, span: &Span, packing: Packing) -> Result<Steps<'a>, String> {
        let &Span { view: index, offset, count, size } = span;
        let views = &self.document.buffer_views;
        let Some(view) = views.get(index as usize) else {
            return Err(format!("names bufferView {index}, but there are {}", views.len()));
        };
        let Some(buffer) = self.buffers.bytes(self.document, view.buffer) else {
            let count = self.document.buffers.len();
            return Err(format!(
                "bufferViews[{index}] names buffer {}, but there are {count}",
                view.buffer
            ));
        };
        let Some(bytes) = piece(buffer, view.byte_offset, view.byte_length) else {
            let length = buffer.len();
            return Err(format!(
                "bufferViews[{index}] reaches past the {length} bytes of its buffer"
            ));
        };
        let stride = match view.byte_stride {
            Some(stride) if packing == Packing::AsTheViewSays => stride as usize,
            _ => size,
        };
        if stride < size {
            return Err(format!(
                "bufferViews[{index}] has a byteStride of {stride}, but an element takes {size}"
            ));
        }
        let needed = match count {
            0 => Some(0),
            _ => (count - 1)
                .checked_mul(stride as u64)
                .and_then(|bytes| bytes.checked_add(size as u64)),
        };
        match needed.and_then(|needed| piece(bytes, offset, needed)) {
            Some(bytes) => Ok(Steps { bytes, stride, size }),
            None => Err(format!(
                "{count} elements at byte {offset} do not fit the {} bytes of bufferViews[{index}]",
                bytes.len()
            )),
        }
    }
}

/// Elements one after the other in a buffer view.
struct Span {
    view: u32,
    offset: u64,
    count: u64,
    size: usize,
}

/// The stride of a view spreads an accessor's elements, but never the tables of a sparse one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Tight,
    AsTheViewSays,
}

fn components(accessor: &Accessor) -> usize {
    match accessor.kind {
        AccessorKind::Vec3 => 3,
        // Others are never read, only refused.
        AccessorKind::Scalar | AccessorKind::Other => 1,
    }
}

fn piece(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = usize::try_from(offset.checked_add(length)?).ok()?;
    bytes.get(start..end)
}
