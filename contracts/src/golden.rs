//! Are the answers the same, to the bit, on every machine and at every optimisation level?
//!
//! Each list asks many questions and makes one number of all bits of the answers. The number is written down here:
//! a test holds the native engine to it, `cargo xtask test` the engine as WebAssembly in Node. Where a change of the
//! engine is meant to change answers, `cargo run --package embate-contracts --bin golden` prints the new numbers.

use embate::contacts::{
    Impact, Manifold, PairCache, Separation, contact_cached, contacts, separation, time_of_impact,
    touching,
};
use embate::{Pose, Vec3, shapes::Shape};

use crate::contact_scenes::{Cast, KIND_PAIRS, Kind, Scene, Stock, TRIANGLE_PAIRS};
use crate::golden_motion::ASK as MOTION;
use crate::long_motion::hard_scenes;

/// Questions whose answers have a number.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// What is asked.
    pub name: &'static str,
    /// Asks, and makes a number of the answers.
    pub ask: fn() -> u64,
    /// The number that it must be.
    pub expected: u64,
}

/// All lists.
pub const LISTS: [List; 10] = [
    List { name: "contacts", ask: all_contacts, expected: 0xD9DA_AD59_2CE8_92AF },
    List { name: "triangles", ask: all_triangles, expected: 0xBA12_8370_DE0A_9627 },
    List { name: "hulls", ask: all_hulls, expected: 0x27D9_7F5D_464F_5DCA },
    List { name: "casts", ask: all_casts, expected: 0xF1CA_1D25_2116_E3EA },
    List { name: "motion", ask: all_motion, expected: 0x91F7_C5E5_AE98_0495 },
    List { name: "motion: pile", ask: MOTION[0], expected: 0xD275_D421_71F6_4838 },
    List { name: "motion: walls of boxes", ask: MOTION[1], expected: 0xC4A7_3180_3607_C8B0 },
    List { name: "motion: joints", ask: MOTION[2], expected: 0xC97D_5ADC_AD99_4A62 },
    List { name: "motion: elastic gas", ask: MOTION[3], expected: 0x8182_C055_3AC2_24C1 },
    List { name: "motion: study", ask: MOTION[4], expected: 0xA6E4_EEF1_EF09_B57B },
];

/// A number made of bits one after the other: FNV-1a, 64 bits, a word at a time.
#[derive(Clone, Copy, Debug)]
pub struct Bits(u64);

impl Default for Bits {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Bits {
    /// Adds a whole number.
    pub fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
    }

    /// Adds a number, to the bit: −0 is not 0.
    pub fn add_f32(&mut self, value: f32) {
        self.add(value.to_bits());
    }

    /// Adds a point or a direction.
    pub fn add_vec3(&mut self, vector: Vec3) {
        vector.to_array().iter().for_each(|component| self.add_f32(*component));
    }

    /// The number so far.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }

    fn add_manifold(&mut self, manifold: &Manifold) {
        self.add_vec3(manifold.normal);
        manifold.parts.iter().for_each(|part| self.add(*part));
        for point in manifold.points() {
            self.add_vec3(point.point);
            self.add_f32(point.depth);
            self.add(point.feature);
        }
    }

    fn add_separation(&mut self, told: &Separation) {
        self.add_f32(told.distance);
        self.add_vec3(told.normal_ab);
        told.points.iter().for_each(|point| self.add_vec3(*point));
    }

    fn add_impact(&mut self, told: &Impact) {
        self.add_f32(told.time);
        self.add_vec3(told.normal);
        told.points.iter().for_each(|point| self.add_vec3(*point));
        told.parts.iter().for_each(|part| self.add(*part));
        self.add(u32::from(told.at_start));
    }
}

fn all_contacts() -> u64 {
    scenes(3_000, &KIND_PAIRS)
}

fn all_triangles() -> u64 {
    scenes(1_200, &TRIANGLE_PAIRS)
}

/// Everything that is asked of two bodies that do not move, but for some frames of a little rest.
fn scenes(count: u64, pairs: &[[Kind; 2]]) -> u64 {
    let stock = Stock::new(60);
    let (mut bits, mut found) = (Bits::default(), Vec::new());
    for number in 0..count {
        let scene = Scene::of(&stock, 9, number, pairs);
        let ([a, b], [pose_a, pose_b]) = (&scene.twins, &scene.poses);
        bits.add_separation(&separation(&a.shape, pose_a, &b.shape, pose_b));
        bits.add(u32::from(touching(&a.shape, pose_a, &b.shape, pose_b)));
        let margin = scene.size() as f32 * if number % 2 == 0 { 0.0 } else { 0.02 };
        found.clear();
        contacts(&a.shape, pose_a, &b.shape, pose_b, margin, &mut found);
        for manifold in &found {
            bits.add_manifold(manifold);
        }
        let mut cache = PairCache::new();
        for frame in 0..4_u8 {
            let aside = Vec3::splat(scene.smaller() as f32 * 1e-5 * f32::from(frame));
            let pose = Pose { position: pose_b.position + aside, ..*pose_b };
            let told = contact_cached(&a.shape, pose_a, &b.shape, &pose, margin, &mut cache);
            if let Some(manifold) = &told {
                bits.add_manifold(manifold);
            }
        }
    }
    bits.number()
}

fn all_hulls() -> u64 {
    let mut bits = Bits::default();
    for twin in Stock::new(120).hulls() {
        let Shape::Hull(hull) = &twin.shape else { continue };
        hull.vertices().iter().for_each(|vertex| bits.add_vec3(*vertex));
        for face in hull.faces() {
            bits.add_vec3(face.normal);
            bits.add_f32(face.offset);
            hull.corners(face).iter().for_each(|corner| bits.add(*corner));
        }
        for edge in hull.edges() {
            edge.vertices.into_iter().chain(edge.faces).for_each(|index| bits.add(index));
        }
        let Some(weight) = twin.shape.mass_properties() else { continue };
        bits.add_f32(weight.volume);
        bits.add_vec3(weight.centroid);
        weight.inertia_per_mass.columns.iter().for_each(|column| bits.add_vec3(*column));
    }
    bits.number()
}

fn all_casts() -> u64 {
    let stock = Stock::new(60);
    let mut bits = Bits::default();
    for number in 0..1_000 {
        let cast = Cast::new(&stock, 9, number);
        let [a, b] = &cast.twins;
        let (motion_a, motion_b) = (cast.motion(0), cast.motion(1));
        let told = time_of_impact(&a.shape, &motion_a, &b.shape, &motion_b, cast.distance);
        bits.add(u32::from(told.is_some()));
        if let Some(impact) = &told {
            bits.add_impact(impact);
        }
    }
    bits.number()
}

/// Worlds that run for some seconds, and go on from a snapshot.
fn all_motion() -> u64 {
    let mut bits = Bits::default();
    for scene in hard_scenes() {
        for hash in scene.hashes_after(180) {
            bits.add(hash as u32);
            bits.add((hash >> 32) as u32);
        }
    }
    bits.number()
}
