//! `embate contact`: do two bodies touch, where, and how deep; or how far are they apart?

use std::fmt::Write;
use std::path::Path;

use comfy_table::Table;
use embate::Vec3;
use embate::contacts::{Manifold, Separation, contacts, separation};
use embate_lab::scene_file::{Body, SceneLimits, SceneSource, load_body, read_body};
use serde::Serialize;

use crate::args::ContactRequest;
use crate::failure::{Failure, print};
use crate::tables::{align_numbers, bare_table};

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
struct Answer {
    touching: bool,
    distance: f32,
    normal: [f32; 3],
    points: Vec<Touch>,
    closest: [[f32; 3]; 2],
}

#[derive(Debug, Serialize)]
struct Touch {
    point: [f32; 3],
    depth: f32,
    feature: u32,
}

pub(crate) fn run(request: &ContactRequest) -> Result<(), Failure> {
    if !(request.margin >= 0.0 && request.margin.is_finite()) {
        let margin = request.margin;
        return Err(Failure::Misuse(format!("--margin {margin}: must be 0 or above, and finite")));
    }
    let (a, b) = (body(&request.a, "A")?, body(&request.b, "B")?);
    let apart = separation(&a.shape, &a.pose, &b.shape, &b.pose);
    if !apart.distance.is_finite() {
        let (one, other) = (a.shape.kind(), b.shape.kind());
        return Err(Failure::Misuse(format!(
            "between a {one} and a {other} there is no distance to tell; give another body for one of them"
        )));
    }
    let mut found = Vec::new();
    contacts(&a.shape, &a.pose, &b.shape, &b.pose, request.margin, &mut found);
    let answer = Answer::of(&apart, &found);
    if request.json {
        let json = serde_json::to_string_pretty(&answer).map_err(Failure::problem)?;
        return print(&format!("{json}\n"));
    }
    print(&answer.to_text(&a, &b, request.margin))
}

/// JSON text, or a file of it.
fn body(argument: &str, which: &str) -> Result<Body, Failure> {
    let limits = SceneLimits::default();
    if argument.trim().is_empty() {
        let example = r#"'{"sphere":{"radius":1}}'"#;
        return Err(Failure::Misuse(format!(
            "{which} is empty; give JSON such as {example}, or a file"
        )));
    }
    if argument.trim_start().starts_with('{') {
        // Meshes lie where the command runs.
        let source = SceneSource { name: which, folder: Some(Path::new(".")), limits };
        return read_body(argument, &source).map_err(Failure::problem);
    }
    load_body(Path::new(argument), &limits).map_err(Failure::problem)
}

impl Answer {
    /// Bodies of several parts may touch in several places: all points are told, along the normal of the
    /// deepest.
    fn of(apart: &Separation, found: &[Manifold]) -> Self {
        let deepest = found.iter().reduce(|a, b| if b.depth() > a.depth() { b } else { a });
        let points = found.iter().flat_map(Manifold::points).map(|contact| Touch {
            point: plain(contact.point),
            depth: contact.depth + 0.0,
            feature: contact.feature,
        });
        Self {
            touching: apart.distance <= 0.0,
            distance: apart.distance + 0.0,
            normal: plain(deepest.map_or(apart.normal_ab, |manifold| manifold.normal)),
            points: points.collect(),
            closest: apart.points.map(plain),
        }
    }

    fn to_text(&self, a: &Body, b: &Body, margin: f32) -> String {
        let called = |body: &Body, letter: &str| {
            let kind = body.shape.kind();
            // A name with an escape sequence must not draw on the terminal.
            let name = body.name.as_ref().map(|name| name.replace(char::is_control, "\u{fffd}"));
            let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
            format!("{letter} ({kind}{name})")
        };
        let (a, b) = (called(a, "A"), called(b, "B"));
        let mut text = if self.touching {
            format!("{a} and {b} touch, {} deep.\n", -self.distance + 0.0)
        } else {
            format!("{a} and {b} are {} apart.\n", self.distance)
        };
        let _ = writeln!(text, "Normal from A to B: {}", spaced(self.normal));
        let nearest = if self.distance < 0.0 { "Deepest" } else { "Nearest" };
        let _ = writeln!(text, "{nearest} point of A:  {}", spaced(self.closest[0]));
        let _ = writeln!(text, "{nearest} point of B:  {}", spaced(self.closest[1]));
        if self.points.is_empty() {
            if margin > 0.0 {
                let _ = writeln!(text, "No contact within the margin of {margin}.");
            }
            return text;
        }
        let mut table = bare_table(&["x", "y", "z", "depth", "feature"]);
        for Touch { point: [x, y, z], depth, feature } in &self.points {
            table.add_row([
                x.to_string(),
                y.to_string(),
                z.to_string(),
                depth.to_string(),
                format!("{feature:#010x}"),
            ]);
        }
        align_numbers(&mut table, 0);
        let _ = writeln!(text, "\nContacts, midway between the surfaces:\n{}", trimmed(&table));
        text
    }
}

/// Without the blanks that fill up the last column.
fn trimmed(table: &Table) -> String {
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// Adding 0 makes of −0 a 0.
fn plain(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|component| component + 0.0)
}

fn spaced([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}
