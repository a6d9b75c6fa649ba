//! Bodies as users write them, valid and invalid.

use embate::dynamics::{BodyType, Material};
use embate::{Vec3, shapes::Shape};

use super::*;

fn read(text: &str) -> Result<Body, SceneError> {
    read_body(text, &SceneSource::text("a.json"))
}

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn body_with_every_key_is_read() {
    let body = read(
        r#"{"name":"crate","shape":{"box":{"half":[1,2,3]}},"position":[0,5,-1],
            "orientation":[0,0,2,0],"velocity":[1,0,0],"angular_velocity":[0,0.5,0],"mass":2,
            "restitution":0.25,"friction":0.75}"#,
    )
    .unwrap();
    assert_eq!(body.name.as_deref(), Some("crate"));
    let Shape::Cuboid(cuboid) = body.shape else { panic!("{:?}", body.shape) };
    assert_eq!(cuboid.half_extents(), Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(body.pose.position, Vec3::new(0.0, 5.0, -1.0));
    assert_eq!(body.pose.rotation.to_array(), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!((body.velocity.x, body.angular_velocity.y), (1.0, 0.5));
    let Material { restitution, friction, .. } = body.material;
    assert_eq!((body.mass, restitution, friction), (Some(2.0), 0.25, 0.75));
    assert_eq!(body.body_type, BodyType::Dynamic);
}

#[test]
fn omitted_keys_have_their_defaults() {
    let body = read(r#"{"shape":{"cube":{"half":1}},"type":"fixed"}"#).unwrap();
    assert_eq!(body, Body { body_type: BodyType::Fixed, ..Body::of(body.shape.clone()) });
    assert_eq!((body.material.restitution, body.material.friction, body.mass), (0.0, 0.5, None));
}

#[test]
fn every_shape_is_read_alone_or_in_a_body() {
    let points = "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]";
    for (text, kind) in [
        (r#"{"sphere":{"radius":0.5}}"#.to_owned(), "sphere"),
        (r#"{"box":{"half":[1,1,1]}}"#.to_owned(), "box"),
        (r#"{"box":{"min":[-1,-1,-1],"max":[1,1,1]}}"#.to_owned(), "box"),
        (r#"{"box":{"min":[0,0,0],"edges":[1,1,1]}}"#.to_owned(), "compound"),
        (r#"{"cube":{"half":2}}"#.to_owned(), "box"),
        (r#"{"capsule":{"half_height":1,"radius":0.5}}"#.to_owned(), "capsule"),
        (r#"{"cylinder":{"half_height":1,"radius":0.5}}"#.to_owned(), "hull"),
        (r#"{"cone":{"half_height":1,"radius":0.5}}"#.to_owned(), "hull"),
        (format!(r#"{{"hull":{{"points":{points}}}}}"#), "hull"),
        (r#"{"halfspace":{"normal":[0,1,0]}}"#.to_owned(), "halfspace"),
        (
            r#"{"compound":[{"shape":{"sphere":{"radius":1}}},
                {"shape":{"cube":{"half":1}},"position":[2,0,0],"orientation":[0,0,0,1]}]}"#
                .to_owned(),
            "compound",
        ),
    ] {
        assert_eq!(read(&text).unwrap().shape.type_name(), kind, "{text}");
        assert_eq!(
            read(&format!(r#"{{"shape":{text}}}"#)).unwrap().shape.type_name(),
            kind,
            "{text}"
        );
    }
}

#[test]
fn error_has_file_line_and_remedy() {
    let cases = [
        ("", "there is nothing in it"),
        (" \n", "write a JSON object"),
        ("[1,2]", "this is no body, which is an object"),
        ("// a ball\n{}", "JSON has no NaN, Infinity, +1 or .5, no comments"),
        (r#"{"shape":{"sphere":{"radius":-1}}}"#, "sphere: the radius is -1, but must"),
        (r#"{"shape":{"sphere":{"radius":0}}}"#, "give a positive number"),
        (r#"{"shape":{"sphere":{"radius":1e9}}}"#, "scale the scene down"),
        (
            r#"{"shape":{"sphere":{"radius":1e39}}}"#,
            "the number 1e39 is out of range; give one within",
        ),
        (r#"{"shape":{"sphere":{"radius":"big"}}}"#, "a number belongs here, not \"big\""),
        (
            r#"{"shape":{"sphere":{"raduis":1}}}"#,
            "unknown key `raduis` (did you mean `radius`?); the keys here are `radius`",
        ),
        (r#"{"shape":{"sphere":{}}}"#, "the key `radius` is missing; add it"),
        (r#"{"shape":{"ball":{"radius":1}}}"#, "unknown key `ball`; the keys here are `sphere`"),
        (r#"{"ball":{"radius":1}}"#, "unknown key `ball`; the keys here are `sphere`"),
        (r#"{"shape":{"sphere":{"radius":1}},"colour":"red"}"#, "unknown key `colour`"),
        (r#"{"shape":{"sphere":{"radius":1}},"mass":1,"mass":2}"#, "the key `mass` occurs twice"),
        (r#"{"name":"shape"}"#, "the key `shape` is missing"),
        (r#"{"shape":{"box":{}}}"#, "give either `half`, or `min` and `max`"),
        (r#"{"shape":{"box":{"half":[1,1,1],"max":[1,1,1]}}}"#, "give either `half`"),
        (
            r#"{"shape":{"box":{"min":[1,1,1],"max":[0,2,2]}}}"#,
            "the x of `max`, 0, is below that of `min`, 1",
        ),
        (r#"{"shape":{"hull":{"points":[]}}}"#, "hull: a hull of no points"),
        (r#"{"shape":{"hull":{"points":[[0,0,0],[1,0,0],[0,1,0]]}}}"#, "a hull of 3 points"),
        (r#"{"shape":{"hull":{"points":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}"#, "lie in one plane"),
        (r#"{"shape":{"hull":{"points":[[0,0,0],[1,0]]}}}"#, "has 2 items; give 3"),
        (r#"{"shape":{"halfspace":{"normal":[0,0,0]}}}"#, "has no direction"),
        (r#"{"shape":{"compound":[]}}"#, "a compound of no shapes"),
        (r#"{"shape":{"sphere":{"radius":1}},"position":[0,1e9,0]}"#, "scale the scene down"),
        (r#"{"shape":{"sphere":{"radius":1}},"orientation":[0,0,0,0]}"#, "has no direction"),
        (r#"{"shape":{"sphere":{"radius":1}},"mass":0}"#, "a body that never moves has"),
        (r#"{"shape":{"sphere":{"radius":1}},"mass":-1}"#, "the mass is -1"),
        (r#"{"shape":{"sphere":{"radius":1}},"mass":1e30}"#, "the mass is 1e30 kg"),
        (
            r#"{"shape":{"sphere":{"radius":1}},"restitution":1.5}"#,
            "the restitution is 1.5, but must lie between 0 and 1",
        ),
        (
            r#"{"shape":{"sphere":{"radius":1}},"friction":-0.1}"#,
            "the friction is -0.1, but must lie between 0 and 1000",
        ),
        (r#"{"shape":{"sphere":{"radius":NaN}}}"#, "JSON has no NaN"),
        (r#"{"shape":{"mesh":{"file":"a.obj"}}}"#, "cannot name files"),
    ];
    for (text, words) in cases {
        let error = error(text);
        assert!(error.contains(words), "{text}: {error}");
        assert!(error.starts_with("a.json"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    let error = error("{\n  \"shape\": {\"sphere\": {\"radius\": -2}},\n  \"mass\": 1\n}");
    assert!(error.starts_with("a.json, line 2, column "), "{error}");
}

#[test]
fn byte_order_mark_is_ignored() {
    assert_eq!(read("\u{feff}{\"sphere\":{\"radius\":2}}").unwrap().shape.type_name(), "sphere");
}

#[test]
fn deep_nesting_and_oversized_text_are_rejected() {
    let deep = format!("{}1{}", r#"{"compound":[{"shape":"#.repeat(10_000), "}]}".repeat(10_000));
    assert!(error(&deep).contains("nested in more than 64 levels"), "{}", error(&deep));
    let limits = SceneLimits { max_bytes: 10, ..SceneLimits::default() };
    let source = SceneSource { name: "a.json", mesh_files: MeshFiles::None, limits };
    let refused = read_body(r#"{"sphere":{"radius":1}}"#, &source).unwrap_err().to_string();
    assert_eq!(refused, "a.json: 23 bytes are more than the 10 allowed; split it");
}

#[test]
fn mesh_files_outside_the_scene_folder_are_rejected() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("scene");
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(folder.join("parts/floor.obj"), triangle).unwrap();
    std::fs::write(outer.path().join("secret.obj"), triangle).unwrap();
    std::fs::write(folder.join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n").unwrap();
    let load = |mesh: &str| {
        let path = folder.join("body.json");
        let text = serde_json::json!({"shape": {"mesh": {"file": mesh}}, "type": "fixed"});
        std::fs::write(&path, text.to_string()).unwrap();
        load_body(&path, &SceneLimits::default())
    };
    assert_eq!(load("parts/floor.obj").unwrap().shape.type_name(), "mesh");
    assert_eq!(load("./parts/floor.obj").unwrap().shape.type_name(), "mesh");
    let secret = outer.path().join("secret.obj");
    for outside in ["../secret.obj", "parts/../../secret.obj", secret.to_str().unwrap(), ""] {
        let error = load(outside).unwrap_err().to_string();
        assert!(error.contains("outside the scene's folder"), "{outside}: {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, folder.join("link.obj")).unwrap();
        assert!(load("link.obj").unwrap_err().to_string().contains("outside the scene's folder"));
    }
    assert!(load("none.obj").unwrap_err().to_string().contains("no such file"));
    assert!(load("flat.obj").unwrap_err().to_string().contains("needs a triangle with an area"));
    assert!(
        load_body(&folder, &SceneLimits::default())
            .unwrap_err()
            .to_string()
            .contains("is a folder")
    );
    let missing = load_body(&folder.join("none.json"), &SceneLimits::default());
    assert!(missing.unwrap_err().to_string().contains("no such file"));
    std::fs::write(folder.join("bytes.json"), b"{\"\xff\xfe\"}").unwrap();
    let bytes = load_body(&folder.join("bytes.json"), &SceneLimits::default());
    assert!(bytes.unwrap_err().to_string().contains("save it as UTF-8"));
}
