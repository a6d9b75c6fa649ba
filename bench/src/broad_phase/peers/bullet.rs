//! Bullet 3's default broad phase, `btDbvtBroadphase`, through `bullet.cpp`.
//!
//! As in its world: `setAabb` for each moved box, which uses a fat AABB with a margin of 0.05 and
//! leaves the tree unchanged while the box stays inside, then `calculateOverlappingPairs`. Its
//! narrow phase visits the pair cache in every step; so does this peer, which reports pairs whose
//! tight AABBs overlap.
#![allow(unsafe_code)] // The broad phase is C++.

use std::ffi::c_void;

use embate::Aabb;
use embate::broad_phase::OverlapPair;

use super::{Peer, pair};

unsafe extern "C" {
    fn bullet_new() -> *mut c_void;
    fn bullet_free(shim: *mut c_void);
    fn bullet_insert(shim: *mut c_void, corners: *const f32);
    fn bullet_move(shim: *mut c_void, index: u32, corners: *const f32);
    fn bullet_update(shim: *mut c_void) -> u32;
    fn bullet_pairs(shim: *mut c_void, pairs: *mut u32);
}

pub struct Bullet {
    shim: *mut c_void,
    inserted: bool,
    near: Vec<[u32; 2]>,
}

impl Bullet {
    pub fn new(_boxes: &[Aabb<3>]) -> Self {
        // SAFETY: makes a shim, owned by `Self` and freed in `drop`.
        Self { shim: unsafe { bullet_new() }, inserted: false, near: Vec::new() }
    }

    fn insert(&mut self, b: &Aabb<3>) {
        // SAFETY: the shim is alive; six floats are read before the call returns.
        unsafe { bullet_insert(self.shim, corners(b).as_ptr()) }
    }

    fn move_to(&mut self, index: u32, b: &Aabb<3>) {
        // SAFETY: as above; every index of the scene was inserted in the first frame.
        unsafe { bullet_move(self.shim, index, corners(b).as_ptr()) }
    }

    fn update(&mut self, boxes: &[Aabb<3>], pairs: &mut Vec<OverlapPair>) {
        // SAFETY: the shim is alive, and the list has space for the number of pairs just returned.
        unsafe {
            let count = bullet_update(self.shim) as usize;
            self.near.resize(count, [0; 2]);
            bullet_pairs(self.shim, self.near.as_mut_ptr().cast());
        }
        let overlap = |&&[a, b]: &&OverlapPair| boxes[a as usize].overlaps(&boxes[b as usize]);
        pairs.extend(self.near.iter().filter(overlap).map(|&[a, b]| pair(a, b)));
    }
}

impl Peer<3> for Bullet {
    fn name(&self) -> &'static str {
        "bullet"
    }

    fn frame(&mut self, boxes: &[Aabb<3>], pairs: &mut Vec<OverlapPair>) {
        if self.inserted {
            for (index, b) in (0..).zip(boxes) {
                self.move_to(index, b);
            }
        } else {
            for b in boxes {
                self.insert(b);
            }
            self.inserted = true;
        }
        self.update(boxes, pairs);
    }

    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<3>],
        movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        for &index in movers {
            self.move_to(index, &boxes[index as usize]);
        }
        self.update(boxes, pairs);
    }
}

impl Drop for Bullet {
    fn drop(&mut self) {
        // SAFETY: made in `new`, freed once.
        unsafe { bullet_free(self.shim) }
    }
}

fn corners(b: &Aabb<3>) -> [f32; 6] {
    let ([x, y, z], [u, v, w]) = (b.min, b.max);
    [x, y, z, u, v, w]
}
