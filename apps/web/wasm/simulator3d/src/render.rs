//! Render state and render mesh as arrays; `embate_viewer::sandbox` defines their rows.

use wasm_bindgen::prelude::*;

use crate::Simulator;

#[wasm_bindgen]
impl Simulator {
    /// Updates the render state, which the getters below return until the next update.
    #[wasm_bindgen(js_name = updateRenderState)]
    pub fn update_render_state(&mut self) {
        self.render_state = self.sandbox.render_state();
    }

    /// Bodies, one row each.
    #[wasm_bindgen(js_name = renderBodies)]
    #[must_use]
    pub fn render_bodies(&self) -> Vec<f32> {
        self.render_state.bodies.clone()
    }

    /// AABBs of the bodies, 6 numbers each.
    #[wasm_bindgen(js_name = renderAabbs)]
    #[must_use]
    pub fn render_aabbs(&self) -> Vec<f32> {
        self.render_state.boxes.clone()
    }

    /// Linear and angular velocities of the bodies, 6 numbers each.
    #[wasm_bindgen(js_name = renderVelocities)]
    #[must_use]
    pub fn render_velocities(&self) -> Vec<f32> {
        self.render_state.motions.clone()
    }

    /// Contact points, one row each.
    #[wasm_bindgen(js_name = renderContacts)]
    #[must_use]
    pub fn render_contacts(&self) -> Vec<f32> {
        self.render_state.contacts.clone()
    }

    /// Joints, 6 numbers each.
    #[wasm_bindgen(js_name = renderJoints)]
    #[must_use]
    pub fn render_joints(&self) -> Vec<f32> {
        self.render_state.joints.clone()
    }

    /// Half-spaces, 6 numbers each: a point and the normal.
    #[wasm_bindgen(js_name = renderHalfSpaces)]
    #[must_use]
    pub fn render_half_spaces(&self) -> Vec<f32> {
        self.render_state.grounds.clone()
    }

    /// AABBs of the islands, 6 numbers each.
    #[must_use]
    pub fn islands(&self) -> Vec<f32> {
        self.sandbox.islands()
    }

    /// AABBs of the groups of near bodies, 6 numbers each.
    #[wasm_bindgen(js_name = nearGroups)]
    #[must_use]
    pub fn near_groups(&self) -> Vec<f32> {
        self.sandbox.near_groups()
    }

    /// Octree cells down to a depth, 6 numbers each.
    #[must_use]
    pub fn octree(&self, depth: u8) -> Vec<f32> {
        self.sandbox.octree(depth)
    }

    /// Level of each body in the study's strict octree, from the root's 0; −1 of unbounded bodies.
    #[wasm_bindgen(js_name = octreeLevels)]
    #[must_use]
    pub fn octree_levels(&self) -> Vec<f32> {
        self.sandbox.octree_levels()
    }

    /// Updates the render mesh, which the getters below return until the next update.
    #[wasm_bindgen(js_name = updateRenderMesh)]
    pub fn update_render_mesh(&mut self) {
        self.render_mesh = self.sandbox.render_mesh();
    }

    /// Vertices, 7 numbers each.
    #[wasm_bindgen(js_name = meshVertices)]
    #[must_use]
    pub fn mesh_vertices(&self) -> Vec<f32> {
        self.render_mesh.vertices.clone()
    }

    /// Triangles, 3 vertex indices each.
    #[wasm_bindgen(js_name = meshTriangles)]
    #[must_use]
    pub fn mesh_triangles(&self) -> Vec<u32> {
        self.render_mesh.triangles.clone()
    }

    /// Edges, two end points of 4 numbers each.
    #[wasm_bindgen(js_name = meshEdges)]
    #[must_use]
    pub fn mesh_edges(&self) -> Vec<f32> {
        self.render_mesh.edges.clone()
    }

    /// Ranges of each body: first index and count of its triangle indices, then of its edge points.
    #[wasm_bindgen(js_name = meshRanges)]
    #[must_use]
    pub fn mesh_ranges(&self) -> Vec<u32> {
        self.render_mesh.ranges.clone()
    }
}
