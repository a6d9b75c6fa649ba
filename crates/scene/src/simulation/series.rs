//! Series of a run: a row of numbers per step, for a table or a plot.
//!
//! The command line and the page write the same rows, so that their files are equal byte for byte.

use embate::dynamics::{BodyId, BodyType};
use serde::Serialize;

use super::{Depths, plain};
use crate::scene_file::Scene;
use crate::scene_world::SceneWorld;

/// Columns before those of the bodies.
pub const SERIES_COLUMNS: [&str; 13] = [
    "step",
    "time",
    "energy",
    "kinetic_energy",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
    "pairs",
    "contacts",
    "max_penetration",
];
/// Columns of a body, after its name: position of its origin in m, linear velocity in m/s.
pub const BODY_COLUMNS: [&str; 6] = ["x", "y", "z", "vx", "vy", "vz"];
/// Bodies of a series without a choice: the first dynamic ones, at most this many.
pub const MAX_DEFAULT_BODIES: usize = 20;

/// A number of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SeriesValue {
    /// A count.
    Count(u64),
    /// A sum or a time.
    Double(f64),
    /// A length or a velocity, as the world stores it; `None` if the body is not there.
    Single(Option<f32>),
}

impl SeriesValue {
    /// Text of a CSV cell: the shortest digits that parse to the same bits.
    pub fn write_csv(&self, line: &mut String) {
        // By the formatter of scenes: another would add its tables to the page's module.
        match *self {
            Self::Count(count) => push(line, count),
            Self::Double(value) if value.is_finite() => push(line, value + 0.0),
            Self::Single(Some(value)) if value.is_finite() => push(line, value + 0.0),
            Self::Single(None) => {}
            Self::Double(_) | Self::Single(Some(_)) => line.push_str("NaN"),
        }
    }
}

fn push(line: &mut String, value: impl Serialize) {
    line.push_str(&serde_json::to_string(&value).unwrap_or_default());
}

/// Indices of the bodies of a series without a choice.
#[must_use]
pub fn default_series_bodies(scene: &Scene) -> Vec<usize> {
    let dynamic = scene.bodies.iter().map(|body| body.body_type == BodyType::Dynamic);
    let dynamic = dynamic.enumerate().filter(|&(_, is_dynamic)| is_dynamic);
    dynamic.map(|(index, _)| index).take(MAX_DEFAULT_BODIES).collect()
}

/// Names of all columns.
#[must_use]
pub fn series_columns(bodies: &[String]) -> Vec<String> {
    let shared = SERIES_COLUMNS.iter().map(|&column| column.to_owned());
    let own = bodies.iter().flat_map(|body| BODY_COLUMNS.map(|column| format!("{body}.{column}")));
    shared.chain(own).collect()
}

/// Header line of a CSV file, with the line end.
#[must_use]
pub fn series_csv_header(bodies: &[String]) -> String {
    let quoted = |column: &String| {
        if column.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", column.replace('"', "\"\""))
        } else {
            column.clone()
        }
    };
    let columns: Vec<String> = series_columns(bodies).iter().map(quoted).collect();
    format!("{}\n", columns.join(","))
}

/// Row of the current state of `world`, in the order of the columns. `bodies` are those of the
/// columns; `None` for one that is not there.
#[must_use]
pub fn series_row(
    step: u32,
    time: f64,
    world: &SceneWorld,
    bodies: impl Iterator<Item = Option<BodyId>>,
) -> Vec<SeriesValue> {
    use SeriesValue::{Count, Double, Single};
    let state = world.world();
    let depths = Depths::of(world);
    let kinetic: f64 = state.bodies().map(|body| body.kinetic_energy()).sum();
    let vectors: [[f64; 3]; 2] = [state.linear_momentum().into(), state.angular_momentum().into()];
    // Before the first step no pairs were looked for.
    let pairs = if step == 0 { 0 } else { world.step_stats().candidate_pairs };
    let mut row = vec![Count(step.into()), Double(time), Double(world.total_energy())];
    row.push(Double(kinetic));
    row.extend(vectors.as_flattened().iter().map(|&part| Double(part)));
    row.extend([Count(pairs), Count(depths.contacts as u64), Single(Some(depths.max))]);
    for body in bodies.map(|id| world.body(id?)) {
        let motion = body.map(|body| [plain(body.position()), plain(body.linear_velocity())]);
        match motion {
            Some(motion) => {
                row.extend(motion.as_flattened().iter().map(|&part| Single(Some(part))));
            }
            None => row.extend([Single(None); BODY_COLUMNS.len()]),
        }
    }
    row
}

/// A row as a CSV line, with the line end.
#[must_use]
pub fn series_csv_line(row: &[SeriesValue]) -> String {
    let mut line = String::with_capacity(12 * row.len());
    for (index, value) in row.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        value.write_csv(&mut line);
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene_file::{SceneSource, read_scene};
    use crate::simulation::Simulation;

    #[test]
    fn row_has_a_value_for_every_column_and_lost_bodies_have_empty_cells() {
        let text = r#"{"gravity":[0,0,0],"bodies":[
            {"name":"a, \"b\"","shape":{"sphere":{"radius":1}},"mass":2,"velocity":[0,3,0]},
            {"shape":{"sphere":{"radius":1}},"type":"fixed","position":[9,0,0]}]}"#;
        let scene = read_scene(text, &SceneSource::text("a.json")).unwrap();
        let names: Vec<String> = (0..2).map(|index| scene.body_name(index)).collect();
        assert_eq!(default_series_bodies(&scene), [0]);
        let header = series_csv_header(&names);
        assert!(header.contains(r#","a, ""b"".x","#) && header.ends_with(",#1.vz\n"), "{header}");
        let mut run = Simulation::new(&scene);
        run.step();
        let ids = [Some(scene.ids()[0]), None];
        let row = series_row(1, run.world().time(), run.world(), ids.into_iter());
        assert_eq!(row.len(), series_columns(&names).len());
        let line = series_csv_line(&row);
        assert!(line.starts_with("1,0.01666666753590107,9.0,9.0,0.0,6.0,0.0,"), "{line}");
        assert!(line.ends_with(",0,0,0.0,0.0,0.050000004,0.0,0.0,3.0,0.0,,,,,,\n"), "{line}");
    }
}
