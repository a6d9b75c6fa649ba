//! Report of `embate contact`: one JSON object, or text.

use std::fmt::Write;

use embate::Vec3;
use embate::narrow_phase::{ClosestPoints, Manifold};
use embate::shapes::Shape;
use embate_scene::scene_file::Body;
use serde::Serialize;

use super::ContactRequest;
use crate::io::output::{align_numbers, bare_table, printable, trimmed};

/// The JSON object.
#[derive(Debug, Serialize)]
#[expect(clippy::option_option, reason = "an omitted field is not the same as null")]
pub(super) struct ContactReport {
    touching: bool,
    distance: f32,
    normal: [f32; 3],
    points: Vec<ContactPoint>,
    closest: [[f32; 3]; 2],
    /// In seconds; null if the bodies do not touch within the horizon, omitted if neither moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_of_impact: Option<Option<f32>>,
}

#[derive(Debug, Serialize)]
struct ContactPoint {
    point: [f32; 3],
    depth: f32,
    feature: u32,
    /// Sub-shapes of A and B: the part of a compound, the triangle of a mesh. Omitted if neither
    /// body has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<[u32; 2]>,
}

impl ContactReport {
    /// Reports the points of all manifolds: bodies with several sub-shapes may touch in several
    /// places. Distance, normal and closest points are those of `closest_points`.
    #[expect(clippy::option_option, reason = "as the field")]
    pub(super) fn new(
        closest: &ClosestPoints,
        manifolds: &[Manifold],
        has_sub_shapes: bool,
        time_of_impact: Option<Option<f32>>,
    ) -> Self {
        let points = manifolds.iter().flat_map(|manifold| {
            manifold.points().iter().map(move |contact| ContactPoint {
                point: without_negative_zero(contact.position),
                depth: contact.penetration + 0.0,
                feature: contact.feature_id,
                parts: has_sub_shapes.then_some(manifold.sub_shapes),
            })
        });
        Self {
            touching: closest.distance <= 0.0,
            distance: closest.distance + 0.0,
            normal: without_negative_zero(closest.normal),
            points: points.collect(),
            closest: closest.points.map(without_negative_zero),
            time_of_impact,
        }
    }

    pub(super) fn to_text(&self, a: &Body, b: &Body, request: &ContactRequest) -> String {
        let labeled = |body: &Body, label: &str| {
            let kind = kind_name(&body.shape);
            let name = body.name.as_deref().map(|name| format!(" \"{}\"", printable(name)));
            format!("{label} ({kind}{})", name.unwrap_or_default())
        };
        let (a, b) = (labeled(a, "A"), labeled(b, "B"));
        let mut text = if self.touching {
            format!("{a} and {b} touch; penetration depth {}.\n", -self.distance + 0.0)
        } else {
            format!("{a} and {b} are separated by {}.\n", self.distance)
        };
        let _ = writeln!(text, "Normal from A to B: {}", spaced(self.normal));
        let which = if self.distance < 0.0 { "Deepest" } else { "Closest" };
        let _ = writeln!(text, "{which} point of A:  {}", spaced(self.closest[0]));
        let _ = writeln!(text, "{which} point of B:  {}", spaced(self.closest[1]));
        match self.time_of_impact.filter(|_| !self.touching) {
            Some(Some(time)) => {
                let _ = writeln!(text, "Time of impact: {time} s.");
            }
            Some(None) => {
                let _ = writeln!(text, "No impact within {} s.", request.within);
            }
            None => {}
        }
        if self.points.is_empty() {
            if request.margin > 0.0 {
                let _ =
                    writeln!(text, "No contact points within the margin of {}.", request.margin);
            }
            return text;
        }
        let mut columns = vec!["x", "y", "z", "depth", "feature"];
        if self.points.iter().any(|contact| contact.parts.is_some()) {
            columns.extend(["part of A", "part of B"]);
        }
        let mut table = bare_table(&columns);
        for ContactPoint { point: [x, y, z], depth, feature, parts } in &self.points {
            let mut row = [x, y, z, depth].map(ToString::to_string).to_vec();
            row.push(format!("{feature:#010x}"));
            row.extend(parts.iter().flatten().map(ToString::to_string));
            table.add_row(row);
        }
        align_numbers(&mut table, 0);
        let table = trimmed(&table);
        let _ = write!(text, "\nContact points, midway between the surfaces:\n{table}");
        text
    }
}

/// Name of a shape: a box whose center is not its origin is a compound of one box, and called a
/// box.
pub(super) fn kind_name(shape: &Shape) -> &'static str {
    match shape {
        Shape::Compound(compound) if compound.sub_shapes().len() == 1 => {
            compound.sub_shapes()[0].1.type_name()
        }
        _ => shape.type_name(),
    }
}

/// Components as an array; adding 0 turns −0 into 0.
fn without_negative_zero(vector: Vec3) -> [f32; 3] {
    vector.to_array().map(|component| component + 0.0)
}

fn spaced([x, y, z]: [f32; 3]) -> String {
    format!("{x} {y} {z}")
}
