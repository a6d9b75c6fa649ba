//! What does a stage draw of the world? Rows of numbers; `embate_lab::workshop` says what stands where.

use wasm_bindgen::prelude::*;

use crate::Simulator;

#[wasm_bindgen]
impl Simulator {
    /// Looks at everything: what the getters below tell until this is called again.
    pub fn look(&mut self) {
        self.look = self.workshop.look();
    }

    /// A row a body.
    #[wasm_bindgen(js_name = lookBodies)]
    #[must_use]
    pub fn look_bodies(&self) -> Vec<f32> {
        self.look.bodies.clone()
    }

    /// Six numbers a body: the corners of its box.
    #[wasm_bindgen(js_name = lookBoxes)]
    #[must_use]
    pub fn look_boxes(&self) -> Vec<f32> {
        self.look.boxes.clone()
    }

    /// Six numbers a body: velocity and spin.
    #[wasm_bindgen(js_name = lookMotions)]
    #[must_use]
    pub fn look_motions(&self) -> Vec<f32> {
        self.look.motions.clone()
    }

    /// A row a point of contact.
    #[wasm_bindgen(js_name = lookContacts)]
    #[must_use]
    pub fn look_contacts(&self) -> Vec<f32> {
        self.look.contacts.clone()
    }

    /// Six numbers a joint.
    #[wasm_bindgen(js_name = lookJoints)]
    #[must_use]
    pub fn look_joints(&self) -> Vec<f32> {
        self.look.joints.clone()
    }

    /// Six numbers a half-space: a point and the normal.
    #[wasm_bindgen(js_name = lookGrounds)]
    #[must_use]
    pub fn look_grounds(&self) -> Vec<f32> {
        self.look.grounds.clone()
    }

    /// Six numbers an island.
    #[must_use]
    pub fn islands(&self) -> Vec<f32> {
        self.workshop.islands()
    }

    /// Six numbers a cell.
    #[must_use]
    pub fn octree(&self, depth: u8) -> Vec<f32> {
        self.workshop.octree(depth)
    }

    /// Makes the triangles of all bodies: what the getters below tell until this is called again.
    pub fn draw(&mut self) {
        self.drawn = self.workshop.drawn();
    }

    /// Seven numbers a corner.
    #[wasm_bindgen(js_name = drawnVertices)]
    #[must_use]
    pub fn drawn_vertices(&self) -> Vec<f32> {
        self.drawn.vertices.clone()
    }

    /// Three corners a triangle.
    #[wasm_bindgen(js_name = drawnTriangles)]
    #[must_use]
    pub fn drawn_triangles(&self) -> Vec<u32> {
        self.drawn.triangles.clone()
    }

    /// Four numbers an end, two ends an edge.
    #[wasm_bindgen(js_name = drawnEdges)]
    #[must_use]
    pub fn drawn_edges(&self) -> Vec<f32> {
        self.drawn.edges.clone()
    }

    /// Of each body: first corner of its triangles, how many, first end of its edges, how many.
    #[wasm_bindgen(js_name = drawnRanges)]
    #[must_use]
    pub fn drawn_ranges(&self) -> Vec<u32> {
        self.drawn.ranges.clone()
    }
}
