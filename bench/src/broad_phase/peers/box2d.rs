//! Box2D's dynamic tree, through `boxdd_sys`, which compiles its C.
#![allow(unsafe_code)] // The tree is C.

use std::ffi::c_void;

use boxdd_sys::ffi;
use embate::Aabb;

use super::fat_tree::{FatTree, Tree};

pub type Box2d = FatTree<2, DynamicTree>;

pub struct DynamicTree(ffi::b2DynamicTree);

impl Tree<2> for DynamicTree {
    fn with_capacity(boxes: usize) -> Self {
        // SAFETY: allocates a tree, owned by `Self` and freed in `drop`.
        Self(unsafe { ffi::b2DynamicTree_Create(i32::try_from(boxes).unwrap_or(i32::MAX)) })
    }

    fn insert(&mut self, index: u32, fat: &Aabb<2>) -> i32 {
        // SAFETY: the tree is alive and borrowed exclusively.
        unsafe { ffi::b2DynamicTree_CreateProxy(&raw mut self.0, aabb(fat), 1, u64::from(index)) }
    }

    fn enlarge(&mut self, proxy: i32, fat: &Aabb<2>) {
        // SAFETY: as above; `proxy` came from `insert`, and no proxy is ever destroyed.
        unsafe { ffi::b2DynamicTree_EnlargeProxy(&raw mut self.0, proxy, aabb(fat)) }
    }

    fn overlapping(&self, fat: &Aabb<2>, found: &mut Vec<u32>) {
        let context = std::ptr::from_mut(found).cast::<c_void>();
        // SAFETY: the tree is alive and not changed; `context` is the list that `collect` expects,
        // borrowed exclusively until the call returns.
        unsafe {
            ffi::b2DynamicTree_Query(
                &raw const self.0,
                aabb(fat),
                u64::MAX,
                Some(collect),
                context,
            );
        }
    }

    fn rebuild(&mut self) {
        // SAFETY: the tree is alive and borrowed exclusively.
        unsafe { ffi::b2DynamicTree_Rebuild(&raw mut self.0, false) };
    }
}

impl Drop for DynamicTree {
    fn drop(&mut self) {
        // SAFETY: created in `with_capacity`, freed once.
        unsafe { ffi::b2DynamicTree_Destroy(&raw mut self.0) }
    }
}

/// Callback of the tree for each overlapping box; returning true continues the query.
unsafe extern "C" fn collect(_proxy: i32, index: u64, context: *mut c_void) -> bool {
    // SAFETY: `context` is the list passed to the query, which outlives it.
    let found = unsafe { &mut *context.cast::<Vec<u32>>() };
    found.push(index as u32);
    true
}

fn aabb(b: &Aabb<2>) -> ffi::b2AABB {
    let corner = |[x, y]: [f32; 2]| ffi::b2Vec2 { x, y };
    ffi::b2AABB { lowerBound: corner(b.min), upperBound: corner(b.max) }
}
