//! Editing a running scene of the Lasch replica: every bit of every state is pinned.
//!
//! Recordings by impulses of the time when the replica was a solver of `embate::dynamics::World`
//! must replay. The number for positions was computed when they became position-based dynamics.

use embate::Vec3;
use embate_viewer::sandbox::Sandbox;

/// FNV-1a over bytes.
struct Digest(u64);

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The state hash and everything the page shows.
    fn add_state(&mut self, sandbox: &mut Sandbox) {
        self.add(&sandbox.state_hash().to_le_bytes());
        let stats = sandbox.stats();
        self.add(&stats.energy.to_le_bytes());
        self.add(&stats.pairs.to_le_bytes());
        self.add(&stats.time.to_le_bytes());
        self.add(&stats.deepest.to_le_bytes());
        for page in 0..3 {
            self.add(sandbox.contacts(None, page).as_bytes());
        }
        let look = sandbox.render_state();
        for value in look.bodies.iter().chain(&look.boxes).chain(&look.motions) {
            self.add(&value.to_le_bytes());
        }
        for value in sandbox.take_impacts() {
            self.add(&value.to_le_bytes());
        }
    }

    fn run(&mut self, sandbox: &mut Sandbox, steps: u32) {
        for _ in 0..steps {
            sandbox.step();
            self.add_state(sandbox);
        }
    }
}

fn scene(broad: &str, resolve: &str) -> String {
    let sphere = |index: u32| {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|i| f64::from(i) * 0.9 - 1.3);
        format!(
            r#"{{"shape":{{"sphere":{{"radius":0.4}}}},"position":[{x},{},{z}],"mass":{},
                "velocity":[{z},0.5,{x}],"restitution":0.5}}"#,
            y + 3.0,
            1 + index % 3
        )
    };
    let bodies: Vec<String> = (0..24).map(sphere).collect();
    format!(
        r#"{{"method":"study","broad":"{broad}","resolve":"{resolve}","tolerance":0.02,
            "bounds":{{"min":[-3,-1,-3],"max":[3,9,3],"walls":"bounce"}},
            "bodies":[{{"shape":{{"box":{{"half":[3,0.5,3]}}}},"static":true}},
                {{"shape":{{"cube":{{"half":0.5}}}},"position":[-2,2,0],"driven":true,"velocity":[0.5,0,0]}},
                {}]}}"#,
        bodies.join(",")
    )
}

#[test]
fn every_edit_of_a_running_scene_keeps_every_bit() {
    for (broad, resolve, expected) in [
        ("sweep-variance", "impulse", "7015caf2926af0d2"),
        ("octree", "positions", "56472013e067be62"),
    ] {
        let mut digest = Digest(0xcbf2_9ce4_8422_2325);
        let mut sandbox = Sandbox::open(&scene(broad, resolve), "lasch").unwrap();
        digest.run(&mut sandbox, 60);
        let edits: [(u32, &str); 10] = [
            (3, r#"{"mass":7}"#),
            (4, r#"{"restitution":1,"friction":0.1}"#),
            (5, r#"{"damping":0.7,"gravity_scale":0.5}"#),
            (6, r#"{"locks":["y","turn_x"]}"#),
            (7, r#"{"groups":{"of":[1],"with":[1]}}"#),
            (8, r#"{"velocity":[1,2,3],"angular_velocity":[0.5,0,0]}"#),
            (9, r#"{"position":[0,4,0]}"#),
            (10, r#"{"position":[null,null,null]}"#),
            (0, r#"{"position":[0,-0.5,0]}"#),
            (11, r#"{"shape":{"cube":{"half":0.3}}}"#),
        ];
        for (key, words) in edits {
            sandbox.change(key, words).unwrap();
            digest.add_state(&mut sandbox);
            digest.run(&mut sandbox, 7);
        }
        assert!(sandbox.remove(12));
        digest.add_state(&mut sandbox);
        let added =
            sandbox.add(r#"{"shape":{"sphere":{"radius":0.3}},"position":[0,6,0],"mass":2}"#);
        digest.add_state(&mut sandbox);
        digest.run(&mut sandbox, 20);
        let (key, point) = sandbox.pick(Vec3::new(0.0, 20.0, 0.0), -Vec3::Y).unwrap();
        digest.add(&key.to_le_bytes());
        sandbox.pull(added.unwrap(), point, point + Vec3::Y * 2.0);
        digest.run(&mut sandbox, 20);
        sandbox.release();
        sandbox.push(13, Vec3::new(2.0, 3.0, 0.0)).unwrap();
        digest.run(&mut sandbox, 20);
        sandbox.change_settings(r#"{"gravity":[0,-3,1]}"#).unwrap();
        digest.run(&mut sandbox, 20);
        sandbox.change_settings(r#"{"tolerance":0.1}"#).unwrap();
        digest.run(&mut sandbox, 10);
        let recording = sandbox.recording().unwrap();
        sandbox.seek(33);
        digest.add_state(&mut sandbox);
        sandbox.undo();
        digest.add_state(&mut sandbox);
        let mut again = Sandbox::open(&recording, "again").unwrap();
        assert!(again.advance_seek(|| false).unwrap());
        digest.add_state(&mut again);
        assert_eq!(format!("{:016x}", digest.0), expected, "{resolve}");
    }
}
