//! Golden hashes: bit-identical results on every machine and at every optimization level.
//!
//! Each entry hashes all bits of many results. The expected hash is stored here. A test checks the
//! native engine, `cargo xtask test` the engine as WebAssembly in Node. If a change of the engine
//! intentionally changes results, `cargo run --package embate-contracts --bin golden` prints the
//! new hashes.

use embate::narrow_phase::{
    ClosestPoints, Manifold, ManifoldCache, TimeOfImpact, closest_points, contact_manifold_cached,
    contact_manifolds, intersects, time_of_impact,
};
use embate::{Pose, Vec3, shapes::Shape};

use crate::contact_scenes::{Cast, HullPool, SHAPE_PAIRS, Scene, ShapeKind, TRIANGLE_PAIRS};
use crate::golden_worlds::HASHES as WORLDS;
use crate::stability::stability_scenes;

/// A set of queries with the expected hash of its results.
#[derive(Clone, Copy, Debug)]
pub struct GoldenHash {
    /// Name in messages.
    pub name: &'static str,
    /// Runs the queries and hashes the results.
    pub compute: fn() -> u64,
    /// Expected hash.
    pub expected: u64,
}

/// All golden hashes.
pub const GOLDEN_HASHES: [GoldenHash; 10] = [
    GoldenHash { name: "contacts", compute: hash_contacts, expected: 0xD9DA_AD59_2CE8_92AF },
    GoldenHash { name: "triangles", compute: hash_triangles, expected: 0x8681_5D45_B737_B027 },
    GoldenHash { name: "hulls", compute: hash_hulls, expected: 0x27D9_7F5D_464F_5DCA },
    GoldenHash { name: "casts", compute: hash_casts, expected: 0x9B7E_742B_F5C6_E38A },
    GoldenHash {
        name: "dynamics",
        compute: hash_stability_scenes,
        expected: 0x91F7_C5E5_AE98_0495,
    },
    GoldenHash { name: "dynamics: pile", compute: WORLDS[0], expected: 0xD275_D421_71F6_4838 },
    GoldenHash {
        name: "dynamics: walls of boxes",
        compute: WORLDS[1],
        expected: 0xC4A7_3180_3607_C8B0,
    },
    GoldenHash { name: "dynamics: joints", compute: WORLDS[2], expected: 0xC97D_5ADC_AD99_4A62 },
    GoldenHash {
        name: "dynamics: elastic gas",
        compute: WORLDS[3],
        expected: 0x8182_C055_3AC2_24C1,
    },
    GoldenHash { name: "dynamics: Lasch", compute: WORLDS[4], expected: 0xA6E4_EEF1_EF09_B57B },
];

/// Hash of a sequence of bits: 64-bit FNV-1a, one word at a time.
#[derive(Clone, Copy, Debug)]
pub struct Bits(u64);

impl Default for Bits {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Bits {
    /// Adds an integer.
    pub fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0100_0000_01B3);
    }

    /// Adds the bits of a float: −0 is not 0.
    pub fn add_f32(&mut self, value: f32) {
        self.add(value.to_bits());
    }

    /// Adds a vector.
    pub fn add_vec3(&mut self, vector: Vec3) {
        vector.to_array().iter().for_each(|component| self.add_f32(*component));
    }

    /// The hash so far.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }

    fn add_manifold(&mut self, manifold: &Manifold) {
        self.add_vec3(manifold.normal);
        manifold.sub_shapes.iter().for_each(|index| self.add(*index));
        for point in manifold.points() {
            self.add_vec3(point.position);
            self.add_f32(point.penetration);
            self.add(point.feature_id);
        }
    }

    fn add_closest_points(&mut self, closest: &ClosestPoints) {
        self.add_f32(closest.distance);
        self.add_vec3(closest.normal);
        closest.points.iter().for_each(|point| self.add_vec3(*point));
    }

    fn add_impact(&mut self, impact: &TimeOfImpact) {
        self.add_f32(impact.fraction);
        self.add_vec3(impact.normal);
        impact.witness_points.iter().for_each(|point| self.add_vec3(*point));
        impact.sub_shapes.iter().for_each(|index| self.add(*index));
        self.add(u32::from(impact.initially_overlapping));
    }
}

fn hash_contacts() -> u64 {
    hash_scenes(3_000, &SHAPE_PAIRS)
}

fn hash_triangles() -> u64 {
    hash_scenes(1_200, &TRIANGLE_PAIRS)
}

/// Hashes all static queries of two bodies, and a manifold cache over four frames of small motion.
fn hash_scenes(count: u64, pairs: &[[ShapeKind; 2]]) -> u64 {
    let pool = HullPool::new(60);
    let (mut bits, mut manifolds) = (Bits::default(), Vec::new());
    for number in 0..count {
        let scene = Scene::with_kinds(&pool, 9, number, pairs);
        let ([a, b], [pose_a, pose_b]) = (&scene.shapes, &scene.poses);
        bits.add_closest_points(&closest_points(&a.shape, pose_a, &b.shape, pose_b));
        bits.add(u32::from(intersects(&a.shape, pose_a, &b.shape, pose_b)));
        let margin = scene.size() as f32 * if number % 2 == 0 { 0.0 } else { 0.02 };
        manifolds.clear();
        contact_manifolds(&a.shape, pose_a, &b.shape, pose_b, margin, &mut manifolds);
        for manifold in &manifolds {
            bits.add_manifold(manifold);
        }
        let mut cache = ManifoldCache::new();
        for frame in 0..4_u8 {
            let offset = Vec3::splat(scene.smaller_size() as f32 * 1e-5 * f32::from(frame));
            let pose = Pose { position: pose_b.position + offset, ..*pose_b };
            let cached =
                contact_manifold_cached(&a.shape, pose_a, &b.shape, &pose, margin, &mut cache);
            if let Some(manifold) = &cached {
                bits.add_manifold(manifold);
            }
        }
    }
    bits.value()
}

fn hash_hulls() -> u64 {
    let mut bits = Bits::default();
    for body in HullPool::new(120).hulls() {
        let Shape::ConvexHull(hull) = &body.shape else { continue };
        hull.vertices().iter().for_each(|vertex| bits.add_vec3(*vertex));
        for face in hull.faces() {
            bits.add_vec3(face.normal);
            bits.add_f32(face.offset);
            hull.face_vertices(face).iter().for_each(|vertex| bits.add(*vertex));
        }
        for edge in hull.edges() {
            edge.vertices.into_iter().chain(edge.faces).for_each(|index| bits.add(index));
        }
        let Some(mass) = body.shape.mass_properties() else { continue };
        bits.add_f32(mass.volume);
        bits.add_vec3(mass.center_of_mass);
        mass.unit_inertia.columns.iter().for_each(|column| bits.add_vec3(*column));
    }
    bits.value()
}

fn hash_casts() -> u64 {
    let pool = HullPool::new(60);
    let mut bits = Bits::default();
    for number in 0..1_000 {
        let cast = Cast::new(&pool, 9, number);
        let [a, b] = &cast.shapes;
        let (sweep_a, sweep_b) = (cast.sweep(0), cast.sweep(1));
        let impact = time_of_impact(&a.shape, &sweep_a, &b.shape, &sweep_b, cast.distance);
        bits.add(u32::from(impact.is_some()));
        if let Some(impact) = &impact {
            bits.add_impact(impact);
        }
    }
    bits.value()
}

/// Hashes the stability scenes after 3 s, also restored from a snapshot.
fn hash_stability_scenes() -> u64 {
    let mut bits = Bits::default();
    for scene in stability_scenes() {
        for hash in scene.hashes_after(180) {
            bits.add(hash as u32);
            bits.add((hash >> 32) as u32);
        }
    }
    bits.value()
}
