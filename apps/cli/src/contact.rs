//! `embate contact`: do two bodies touch, where, and how deep; or how far are they apart, and when will they touch?

use std::fmt::Write;
use std::path::Path;

use comfy_table::Table;
use embate::Vec3;
use embate::narrow_phase::{
    ClosestPoints, Manifold, Sweep, closest_points, contact_manifolds, time_of_impact,
};
use embate::shapes::Shape;
use embate_lab::scene_file::{Body, SceneLimits, SceneSource, load_body, read_body};
use serde::Serialize;

use crate::args::ContactRequest;
use crate::failure::{Failure, print};
use crate::tables::{align_numbers, bare_table};

/// What is printed with `--json`.
#[derive(Debug, Serialize)]
#[expect(clippy::option_option, reason = "a field that is left out is not one that is null")]
struct Answer {
    touching: bool,
    distance: f32,
    normal: [f32; 3],
    points: Vec<Touch>,
    closest: [[f32; 3]; 2],
    /// In seconds; null if they do not touch in time. Left out if neither moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_of_impact: Option<Option<f32>>,
}

#[derive(Debug, Serialize)]
struct Touch {
    point: [f32; 3],
    depth: f32,
    feature: u32,
    /// Which parts of A and B: of a compound the number of its part, of a mesh that of its triangle. Left out if each
    /// body is one part.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<[u32; 2]>,
}

pub(crate) fn run(request: &ContactRequest) -> Result<(), Failure> {
    if !(request.margin >= 0.0 && request.margin.is_finite()) {
        let margin = request.margin;
        return Err(Failure::Misuse(format!("--margin {margin}: must be 0 or above, and finite")));
    }
    if !(request.within >= 0.0 && request.within <= MOST_SECONDS) {
        let within = request.within;
        return Err(Failure::Misuse(format!(
            "--within {within}: must be from 0 to {MOST_SECONDS}"
        )));
    }
    let (a, b) = (body(&request.a, "A")?, body(&request.b, "B")?);
    let apart = closest_points(&a.shape, &a.pose, &b.shape, &b.pose);
    if !apart.distance.is_finite() {
        let (one, other) = (kind(&a.shape), kind(&b.shape));
        return Err(Failure::Misuse(format!(
            "between a {one} and a {other} there is no distance to tell; give another body for one of them"
        )));
    }
    let mut found = Vec::new();
    contact_manifolds(&a.shape, &a.pose, &b.shape, &b.pose, request.margin, &mut found);
    let several = has_parts(&a.shape) || has_parts(&b.shape);
    let mut answer = Answer::of(&apart, &found, several);
    answer.time_of_impact = impact(&a, &b, request.within);
    if request.json {
        let json = serde_json::to_string_pretty(&answer).map_err(Failure::problem)?;
        return print(&format!("{json}\n"));
    }
    print(&answer.to_text(&a, &b, request))
}

/// JSON text, or a file of it. Mesh files are relative to the current directory in a text, and to the
/// folder of the file in a file, which cannot name others.
fn body(argument: &str, which: &str) -> Result<Body, Failure> {
    if argument.trim().is_empty() {
        let example = r#"'{"sphere":{"radius":1}}'"#;
        return Err(Failure::Misuse(format!(
            "{which} is empty; give JSON such as {example}, or a file"
        )));
    }
    if argument.trim_start().starts_with(['{', '[']) {
        return read_body(argument, &SceneSource::command_line(which)).map_err(Failure::problem);
    }
    load_body(Path::new(argument), &SceneLimits::default()).map_err(Failure::problem)
}

impl Answer {
    /// Bodies of several parts may touch in several places: all points are told.
    fn of(apart: &ClosestPoints, found: &[Manifold], several_parts: bool) -> Self {
        let told = headline(apart, found);
        let points = found.iter().flat_map(|manifold| {
            manifold.points().iter().map(move |contact| Touch {
                point: plain(contact.position),
                depth: contact.penetration + 0.0,
                feature: contact.feature_id,
                parts: several_parts.then_some(manifold.sub_shapes),
            })
        });
        Self {
            touching: apart.distance <= 0.0,
            distance: told.distance + 0.0,
            normal: plain(told.normal),
            points: points.collect(),
            closest: told.points.map(plain),
            time_of_impact: None,
        }
    }

    fn to_text(&self, a: &Body, b: &Body, request: &ContactRequest) -> String {
        let margin = request.margin;
        let called = |body: &Body, letter: &str| {
            let kind = kind(&body.shape);
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
        match self.time_of_impact.filter(|_| !self.touching) {
            Some(Some(time)) => {
                let _ = writeln!(text, "They first touch after {time} s.");
            }
            Some(None) => {
                let _ = writeln!(text, "They do not touch within {} s.", request.within);
            }
            None => {}
        }
        if self.points.is_empty() {
            if margin > 0.0 {
                let _ = writeln!(text, "No contact within the margin of {margin}.");
            }
            return text;
        }
        let mut columns = vec!["x", "y", "z", "depth", "feature"];
        if self.points.iter().any(|touch| touch.parts.is_some()) {
            columns.extend(["part of A", "part of B"]);
        }
        let mut table = bare_table(&columns);
        for Touch { point: [x, y, z], depth, feature, parts } in &self.points {
            let mut row = [x, y, z, depth].map(ToString::to_string).to_vec();
            row.push(format!("{feature:#010x}"));
            row.extend(parts.iter().flatten().map(ToString::to_string));
            table.add_row(row);
        }
        align_numbers(&mut table, 0);
        let _ = writeln!(text, "\nContacts, midway between the surfaces:\n{}", trimmed(&table));
        text
    }
}

/// The longest time that is looked ahead: no body of a scene is a day from its next contact.
const MOST_SECONDS: f32 = 86_400.0;

/// When two bodies first touch, in seconds, if nothing stops them; `None` if neither moves.
#[expect(clippy::option_option, reason = "bodies that do not move are not asked")]
fn impact(a: &Body, b: &Body, within: f32) -> Option<Option<f32>> {
    let moves = |body: &Body| body.velocity != Vec3::ZERO || body.angular_velocity != Vec3::ZERO;
    if !moves(a) && !moves(b) {
        return None;
    }
    let motion = |body: &Body| {
        let centre = body.shape.center_of_mass().unwrap_or(Vec3::ZERO);
        let (velocity, spin) = (body.velocity * within, body.angular_velocity * within);
        Sweep { local_center: centre, ..Sweep::new(body.pose, velocity, spin) }
    };
    let met = time_of_impact(&a.shape, &motion(a), &b.shape, &motion(b), 0.0);
    Some(met.map(|met| met.fraction * within))
}

/// Whether a body has several parts, so that what touches has to say which.
fn has_parts(shape: &Shape) -> bool {
    match shape {
        Shape::TriMesh(_) => true,
        Shape::Compound(compound) => compound.sub_shapes().len() > 1,
        _ => false,
    }
}

/// What a body is called: a box that does not lie about its origin is a compound of one box.
fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Compound(compound) if compound.sub_shapes().len() == 1 => {
            compound.sub_shapes()[0].1.type_name()
        }
        _ => shape.type_name(),
    }
}

/// How far the bodies are apart, and where; if they overlap, how deep they are where they are deepest of all
/// their contacts. Never some of one and some of another.
fn headline(apart: &ClosestPoints, found: &[Manifold]) -> ClosestPoints {
    let deepest =
        found.iter().reduce(|a, b| if b.max_penetration() > a.max_penetration() { b } else { a });
    let Some(deepest) =
        deepest.filter(|contact| apart.distance <= 0.0 && contact.max_penetration() >= 0.0)
    else {
        return *apart;
    };
    // Of convex bodies both tell of the same contact.
    if deepest.normal.dot(apart.normal) > 1.0 - 1e-6
        && (deepest.max_penetration() + apart.distance).abs() <= 1e-5 * deepest.max_penetration()
    {
        return ClosestPoints { normal: deepest.normal, ..*apart };
    }
    let points = deepest.points().iter();
    let Some(point) = points.reduce(|a, b| if b.penetration > a.penetration { b } else { a })
    else {
        return *apart;
    };
    // A reaches beyond the point midway along the normal, B the other way.
    let half = deepest.normal * (0.5 * point.penetration);
    ClosestPoints {
        distance: -point.penetration,
        normal: deepest.normal,
        points: [point.position + half, point.position - half],
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
