//! Earlier keys of scene files in the sandbox: read, and saved as the documented keys.

use std::path::PathBuf;

use embate_viewer::sandbox::Sandbox;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../scene/tests/data").join(name)
}

/// Recorded before the keys were renamed, with a change of every renamed key.
#[test]
fn page_recording_in_earlier_keys_replays_and_is_written_in_current_keys() {
    let text = std::fs::read_to_string(data("earlier-keys.recording.json")).unwrap();
    let mut opened = Sandbox::open(&text, "earlier").unwrap();
    assert!(opened.advance_seek(|| false).unwrap());
    assert_eq!(opened.at(), 80);
    let written = opened.recording().unwrap();
    let earlier = [
        "static",
        "driven",
        "locks",
        "groups",
        "may_sleep",
        "slop",
        "sleeping",
        "walls",
        "method",
        "ball",
        "hinge",
        "slider",
        "weld",
        "colliding",
        "spinning_resistance",
    ];
    for key in earlier {
        assert!(text.contains(&format!("\"{key}\":")), "{key}");
        assert!(!written.contains(&format!("\"{key}\":")), "{key}");
    }
    let mut again = Sandbox::open(&written, "current").unwrap();
    assert!(again.advance_seek(|| false).unwrap());
    assert_eq!(again.state_hash(), opened.state_hash());
    assert_eq!(again.recording().unwrap(), written);
}

#[test]
fn scene_in_earlier_keys_is_saved_in_current_keys() {
    let text = std::fs::read_to_string(data("earlier-keys.json")).unwrap();
    let opened = Sandbox::open(&text, "earlier").unwrap();
    let current = std::fs::read_to_string(data("current-keys.json")).unwrap();
    let current = Sandbox::open(&current, "current").unwrap();
    assert_eq!(opened.scene_json().replace("earlier key", "current key"), current.scene_json());
}
