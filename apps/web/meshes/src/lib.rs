//! What can the page ask of a mesh file?
//!
//! A module of its own, fetched when a file is opened: with every format in it the view of rays would take twice as long to
//! come. Converts and forwards; everything else is in `embate_mesh`.

use embate_lab::ray_bench::read_mesh;
use embate_mesh::LoadedMesh;
use wasm_bindgen::prelude::*;

embate_lab::export_last_panic!();

/// A file that is a mesh.
#[wasm_bindgen]
#[derive(Debug)]
pub struct MeshFile {
    loaded: LoadedMesh,
}

#[wasm_bindgen]
impl MeshFile {
    /// Reads it.
    ///
    /// # Errors
    /// An `Error` that says in one line what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], name: &str) -> Result<MeshFile, JsError> {
        let loaded = read_mesh(bytes, name).map_err(|what| JsError::new(&what))?;
        Ok(Self { loaded })
    }

    /// Three numbers a vertex.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn positions(&self) -> Vec<f32> {
        self.loaded.mesh.positions().as_flattened().to_vec()
    }

    /// Three vertices a triangle.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn triangles(&self) -> Vec<u32> {
        self.loaded.mesh.triangles().as_flattened().to_vec()
    }

    /// What the content turned out to be.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn format(&self) -> String {
        self.loaded.format.to_string()
    }

    /// Bytes of it, unpacked.
    #[wasm_bindgen(getter, js_name = fileBytes)]
    #[must_use]
    pub fn file_bytes(&self) -> f64 {
        self.loaded.file_bytes as f64
    }
}
