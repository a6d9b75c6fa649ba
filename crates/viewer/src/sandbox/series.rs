//! Series: a CSV row for every step so far, as `embate simulate --series` writes it.
//!
//! Steps are not stored, so a copy of the world runs from the beginning with all that was done. For
//! a scene that was not edited the file equals that of the command byte for byte.

use embate::dynamics::{BodyId, BodyType};
use embate_scene::simulation::series::{
    MAX_DEFAULT_BODIES, series_csv_header, series_csv_line, series_row,
};

use super::Sandbox;
use super::keyframes::Keyframes;

/// A series in the making.
#[derive(Debug)]
pub struct SeriesJob {
    /// The world that runs again.
    sandbox: Sandbox,
    /// Key of each body with columns.
    keys: Vec<u32>,
    /// Last step of the series.
    end: u32,
    csv: String,
    is_complete: bool,
}

impl Sandbox {
    /// A series from step 0 to the current one; [`SeriesJob::advance`] computes it. Columns are
    /// those of the first dynamic bodies of the current scene; a body has empty cells in steps
    /// without it.
    #[must_use]
    pub fn series(&self) -> SeriesJob {
        let bodies = self.scene.ids.iter().enumerate().filter(|(_, id)| {
            self.scene.world.body(**id).is_some_and(|body| body.body_type() == BodyType::Dynamic)
        });
        let bodies: Vec<usize> = bodies.map(|(index, _)| index).take(MAX_DEFAULT_BODIES).collect();
        let names: Vec<String> =
            bodies.iter().map(|&index| self.scene.document.name_at(index)).collect();
        let mut sandbox = Sandbox::of(self.scene.clone());
        let first = self.frames.first();
        first.restore_into(&mut sandbox.scene);
        sandbox.actions = self.actions[..self.done].to_vec();
        sandbox.last = self.step;
        // A world that an edit rebuilds needs it: a browser has no system clock.
        sandbox.clock = self.clock;
        sandbox.frames = Keyframes::default();
        sandbox.store_keyframe();
        sandbox.apply_pending_actions();
        SeriesJob {
            sandbox,
            keys: bodies.iter().map(|&index| self.scene.document.bodies[index].key).collect(),
            end: self.step,
            csv: series_csv_header(&names),
            is_complete: false,
        }
    }
}

impl SeriesJob {
    /// Computes rows until `is_time_up`, which is called after every row; true once all are there.
    pub fn advance(&mut self, mut is_time_up: impl FnMut() -> bool) -> bool {
        while !self.is_complete {
            self.add_row();
            if self.sandbox.step >= self.end {
                self.is_complete = true;
                break;
            }
            self.sandbox.step();
            // Nothing seeks in this world.
            self.sandbox.frames.forget(0, Some(0));
            if is_time_up() {
                return false;
            }
        }
        true
    }

    /// The rows so far, with a header.
    #[must_use]
    pub fn csv(&self) -> &str {
        &self.csv
    }

    fn add_row(&mut self) {
        let scene = &self.sandbox.scene;
        let ids = self.keys.iter().map(|&key| -> Option<BodyId> { scene.id_of(key) });
        let row = series_row(self.sandbox.step, scene.time(), &scene.world, ids);
        self.csv.push_str(&series_csv_line(&row));
    }
}
