//! Embree 4 with single rays on one thread: medium build quality (its default), high quality, and
//! the robust mode, which is nearly watertight.
//!
//! The library is loaded at run time, from `EMBATE_EMBREE` or the system's library path; `cargo
//! xtask bench rays` downloads it. Without it the other peers are measured.
#![expect(unsafe_code, reason = "C library, called as documented in its manual")]

use std::ffi::{c_char, c_uint, c_void};
use std::sync::OnceLock;

use embate::{Ray, TriangleMesh};
use libloading::Library;

use super::{Caster, Query};

const NAMES: [&str; 3] = ["libembree4.so.4", "libembree4.so", "libembree4.dylib"];
const TRIANGLES: c_uint = 0;
const INDEX_BUFFER: c_uint = 0;
const VERTEX_BUFFER: c_uint = 1;
const THREE_UINTS: c_uint = 0x5003;
const THREE_FLOATS: c_uint = 0x9003;
const ROBUST: c_uint = 1 << 2;
const MEDIUM: c_uint = 1;
const HIGH: c_uint = 2;
const NO_GEOMETRY: u32 = u32::MAX;

type Handle = *mut c_void;

/// Functions of the library, which stays loaded until the program ends.
struct Functions {
    new_scene: unsafe extern "C" fn(Handle) -> Handle,
    set_flags: unsafe extern "C" fn(Handle, c_uint),
    set_quality: unsafe extern "C" fn(Handle, c_uint),
    new_geometry: unsafe extern "C" fn(Handle, c_uint) -> Handle,
    new_buffer: unsafe extern "C" fn(Handle, c_uint, c_uint, c_uint, usize, usize) -> *mut c_void,
    commit_geometry: unsafe extern "C" fn(Handle),
    attach: unsafe extern "C" fn(Handle, Handle) -> c_uint,
    release_geometry: unsafe extern "C" fn(Handle),
    commit_scene: unsafe extern "C" fn(Handle),
    release_scene: unsafe extern "C" fn(Handle),
    intersect: unsafe extern "C" fn(Handle, *mut RayHit, *mut c_void),
    occluded: unsafe extern "C" fn(Handle, *mut RayHit, *mut c_void),
    device: Handle,
}

// SAFETY: Embree's device and functions may be used from any thread.
unsafe impl Send for Functions {}
// SAFETY: as above.
unsafe impl Sync for Functions {}

/// `RTCRayHit`, with the layout of the manual.
#[repr(C, align(16))]
struct RayHit {
    origin: [f32; 3],
    t_near: f32,
    direction: [f32; 3],
    time: f32,
    t_far: f32,
    mask: u32,
    id: u32,
    flags: u32,
    normal: [f32; 3],
    u: f32,
    v: f32,
    primitive: u32,
    geometry: u32,
    instances: [u32; 2],
}

fn functions() -> Result<&'static Functions, &'static String> {
    static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
    FUNCTIONS.get_or_init(open).as_ref()
}

/// Reason why Embree is not available, if it is not.
pub fn why_absent() -> Option<String> {
    functions().err().cloned()
}

fn open() -> Result<Functions, String> {
    let named = std::env::var("EMBATE_EMBREE").ok();
    let library = named.iter().map(String::as_str).chain(NAMES).find_map(|name| {
        // SAFETY: loading Embree runs its initializers, which only set up tables.
        unsafe { Library::new(name) }.ok()
    });
    let library = library.ok_or("Embree 4 is not installed: set EMBATE_EMBREE to its library")?;
    // Never unloaded.
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! function {
        ($name:literal) => {
            // SAFETY: the type is that of the manual.
            *unsafe { library.get($name) }.map_err(|error| format!("no Embree 4: {error}"))?
        };
    }
    let new_device: unsafe extern "C" fn(*const c_char) -> Handle = function!(b"rtcNewDevice");
    // SAFETY: a NUL-terminated string.
    let device = unsafe { new_device(c"threads=1,set_affinity=0".as_ptr()) };
    Ok(Functions {
        new_scene: function!(b"rtcNewScene"),
        set_flags: function!(b"rtcSetSceneFlags"),
        set_quality: function!(b"rtcSetSceneBuildQuality"),
        new_geometry: function!(b"rtcNewGeometry"),
        new_buffer: function!(b"rtcSetNewGeometryBuffer"),
        commit_geometry: function!(b"rtcCommitGeometry"),
        attach: function!(b"rtcAttachGeometry"),
        release_geometry: function!(b"rtcReleaseGeometry"),
        commit_scene: function!(b"rtcCommitScene"),
        release_scene: function!(b"rtcReleaseScene"),
        intersect: function!(b"rtcIntersect1"),
        occluded: function!(b"rtcOccluded1"),
        device,
    })
}

pub fn medium(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    build(mesh, 0, MEDIUM)
}

pub fn high(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    build(mesh, 0, HIGH)
}

pub fn robust(mesh: &TriangleMesh) -> Option<Box<dyn Caster>> {
    build(mesh, ROBUST, MEDIUM)
}

struct Embree {
    functions: &'static Functions,
    scene: Handle,
}

// SAFETY: a committed scene may be queried from any thread.
unsafe impl Send for Embree {}
// SAFETY: as above.
unsafe impl Sync for Embree {}

fn build(mesh: &TriangleMesh, flags: c_uint, quality: c_uint) -> Option<Box<dyn Caster>> {
    let functions = functions().ok()?;
    let (positions, triangles) = (mesh.positions(), mesh.triangles());
    // SAFETY: the calls of the manual's first example, in its order; Embree pads its own buffers.
    unsafe {
        let scene = (functions.new_scene)(functions.device);
        (functions.set_flags)(scene, flags);
        (functions.set_quality)(scene, quality);
        let geometry = (functions.new_geometry)(functions.device, TRIANGLES);
        let buffer =
            |kind, format, count| (functions.new_buffer)(geometry, kind, 0, format, 12, count);
        let to = buffer(VERTEX_BUFFER, THREE_FLOATS, positions.len()).cast::<[f32; 3]>();
        to.copy_from_nonoverlapping(positions.as_ptr(), positions.len());
        let to = buffer(INDEX_BUFFER, THREE_UINTS, triangles.len()).cast::<[u32; 3]>();
        to.copy_from_nonoverlapping(triangles.as_ptr(), triangles.len());
        (functions.commit_geometry)(geometry);
        (functions.attach)(scene, geometry);
        (functions.release_geometry)(geometry);
        (functions.commit_scene)(scene);
        Some(Box::new(Embree { functions, scene }))
    }
}

impl Drop for Embree {
    fn drop(&mut self) {
        // SAFETY: created by `build`, released once.
        unsafe { (self.functions.release_scene)(self.scene) }
    }
}

impl RayHit {
    fn new(ray: &Ray<3>) -> Self {
        Self {
            origin: ray.origin,
            t_near: ray.t_min,
            direction: ray.direction,
            time: 0.0,
            t_far: ray.t_max,
            mask: u32::MAX,
            id: 0,
            flags: 0,
            normal: [0.0; 3],
            u: 0.0,
            v: 0.0,
            primitive: NO_GEOMETRY,
            geometry: NO_GEOMETRY,
            instances: [NO_GEOMETRY; 2],
        }
    }
}

impl Caster for Embree {
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()> {
        let null = core::ptr::null_mut();
        match query {
            Query::Closest => out.extend(rays.iter().map(|ray| {
                let mut hit = RayHit::new(ray);
                // SAFETY: a committed scene and a ray with the manual's layout.
                unsafe { (self.functions.intersect)(self.scene, &raw mut hit, null) };
                if hit.geometry == NO_GEOMETRY { f32::INFINITY } else { hit.t_far }
            })),
            Query::Any => out.extend(rays.iter().map(|ray| {
                let mut hit = RayHit::new(ray);
                // SAFETY: as above; it sets `t_far` below 0 on a hit.
                unsafe { (self.functions.occluded)(self.scene, &raw mut hit, null) };
                if hit.t_far < 0.0 { 0.0 } else { f32::INFINITY }
            })),
            Query::Batch => return None,
        }
        Some(())
    }
}
