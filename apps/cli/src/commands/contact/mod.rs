//! `embate contact`: contact points and penetration depth of two bodies, or their distance, and
//! their time of impact.

mod report;

use std::path::Path;

use clap::Args;
use embate::Vec3;
use embate::narrow_phase::{Sweep, closest_points, contact_manifolds, time_of_impact};
use embate::shapes::Shape;
use embate_scene::scene_file::{Body, SceneLimits, SceneSource, load_body, read_body};

use crate::failure::Failure;
use crate::io::output::{json_text, print};
use report::{ContactReport, kind_name};

#[derive(Debug, Args)]
pub(crate) struct ContactRequest {
    /// First body or shape, as in a scene file: JSON text, or a file with it, for instance
    /// '{"shape":{"sphere":{"radius":0.5}},"position":[0,1,0]}'
    pub(crate) a: String,
    /// Second body or shape
    pub(crate) b: String,
    /// Contact margin: also report contact points of bodies separated by at most this distance
    #[arg(long, value_name = "M", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) margin: f32,
    /// Time horizon of the time-of-impact query, in seconds (for bodies with linear or angular
    /// velocity)
    #[arg(
        long,
        visible_alias = "time-horizon",
        value_name = "S",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(crate) within: f32,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum time horizon, in seconds: one day.
const MAX_TIME_HORIZON: f32 = 86_400.0;

pub(crate) fn run(request: &ContactRequest) -> Result<(), Failure> {
    if !(request.margin >= 0.0 && request.margin.is_finite()) {
        let margin = request.margin;
        return Err(Failure::Usage(format!("--margin {margin}: must be finite and at least 0")));
    }
    if !(request.within >= 0.0 && request.within <= MAX_TIME_HORIZON) {
        let within = request.within;
        return Err(Failure::Usage(format!(
            "--within {within}: must be from 0 to {MAX_TIME_HORIZON} seconds"
        )));
    }
    let (a, b) = (body(&request.a, "A")?, body(&request.b, "B")?);
    let closest = closest_points(&a.shape, &a.pose, &b.shape, &b.pose);
    if !closest.distance.is_finite() {
        let (kind_a, kind_b) = (kind_name(&a.shape), kind_name(&b.shape));
        return Err(Failure::Usage(format!(
            "the distance between a {kind_a} and a {kind_b} is not defined; replace one of the \
             bodies"
        )));
    }
    let mut manifolds = Vec::new();
    contact_manifolds(&a.shape, &a.pose, &b.shape, &b.pose, request.margin, &mut manifolds);
    let has_sub_shapes = has_sub_shapes(&a.shape) || has_sub_shapes(&b.shape);
    let time_of_impact = impact_time(&a, &b, request.within);
    let report = ContactReport::new(&closest, &manifolds, has_sub_shapes, time_of_impact);
    if request.json {
        return print(&json_text(&report)?);
    }
    print(&report.to_text(&a, &b, request))
}

/// A body from JSON text or a file. Mesh files named in a text are relative to the current
/// directory; those named in a file are relative to its folder and must lie inside it.
fn body(argument: &str, label: &str) -> Result<Body, Failure> {
    if argument.trim().is_empty() {
        let example = r#"'{"sphere":{"radius":1}}'"#;
        return Err(Failure::Usage(format!(
            "{label} is empty; give JSON such as {example}, or a file"
        )));
    }
    if argument.trim_start().starts_with(['{', '[']) {
        return read_body(argument, &SceneSource::command_line(label)).map_err(Failure::problem);
    }
    load_body(Path::new(argument), &SceneLimits::default()).map_err(Failure::problem)
}

/// Time of impact in seconds, if both bodies keep their velocities; `Some(None)` if they do not
/// touch within the horizon, `None` if neither moves.
#[expect(clippy::option_option, reason = "the query is skipped for bodies without a velocity")]
fn impact_time(a: &Body, b: &Body, horizon: f32) -> Option<Option<f32>> {
    let moves = |body: &Body| body.velocity != Vec3::ZERO || body.angular_velocity != Vec3::ZERO;
    if !moves(a) && !moves(b) {
        return None;
    }
    let sweep = |body: &Body| {
        let center = body.shape.center_of_mass().unwrap_or(Vec3::ZERO);
        let (translation, rotation) = (body.velocity * horizon, body.angular_velocity * horizon);
        Sweep { local_center: center, ..Sweep::new(body.pose, translation, rotation) }
    };
    let impact = time_of_impact(&a.shape, &sweep(a), &b.shape, &sweep(b), 0.0);
    Some(impact.map(|impact| impact.fraction * horizon))
}

/// Whether a shape has several sub-shapes, so that contact points name theirs.
fn has_sub_shapes(shape: &Shape) -> bool {
    match shape {
        Shape::TriMesh(_) => true,
        Shape::Compound(compound) => compound.sub_shapes().len() > 1,
        _ => false,
    }
}
