//! Where does a large list live? In pages of its own, as large ones as the system gives.
//!
//! A tree of many megabytes is met at random. With pages of 4 KiB the processor looks up where each lies in
//! memory nearly as often as it reads it: on a mesh of 871,414 triangles, a sixth of a ray's time.

use std::sync::Arc;

use memmap2::MmapMut;

use super::node::{Line, ZERO};

/// Smaller lists fit into few pages of any size.
const WORTH_PAGES: usize = 1 << 18;
/// A large page, and where one may begin.
const LARGE_PAGE: usize = 1 << 21;

/// A list of lines that no longer changes. Its copies share it.
#[derive(Clone, Debug)]
pub(super) enum Lines {
    List(Arc<Vec<Line>>),
    Pages { pages: Arc<MmapMut>, first_byte: usize, bytes: usize },
}

impl Lines {
    /// So many lines as `fill` leaves them, in pages if they are many and the system has any to give.
    pub(super) fn new(count: usize, fill: impl FnOnce(&mut [Line])) -> Self {
        let bytes = count * size_of::<Line>();
        // As many whole large ones as it takes, wherever the first begins; nothing is taken before it is used.
        let whole = bytes.next_multiple_of(LARGE_PAGE) + LARGE_PAGE;
        let pages = (bytes >= WORTH_PAGES).then(|| MmapMut::map_anon(whole));
        if let Some(Ok(mut pages)) = pages {
            // Only asked for: a system that has no large pages gives small ones.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            let first_byte = pages.as_ptr().align_offset(LARGE_PAGE);
            if let Some(place) = pages.get_mut(first_byte..first_byte + bytes) {
                fill(bytemuck::cast_slice_mut(place));
                return Self::Pages { pages: Arc::new(pages), first_byte, bytes };
            }
        }
        let mut list = vec![ZERO; count];
        fill(&mut list);
        Self::List(Arc::new(list))
    }

    /// All of it.
    #[inline]
    pub(super) fn as_slice(&self) -> &[Line] {
        match self {
            Self::List(list) => list,
            Self::Pages { pages, first_byte, bytes } => {
                bytemuck::cast_slice(&pages[*first_byte..*first_byte + *bytes])
            }
        }
    }
}
