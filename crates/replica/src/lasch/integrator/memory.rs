//! What integrators keep of the last step, body by body.

use embate::dynamics::{BodyId, World};
use embate_geom::Vec3;

use super::super::bytes::{Reader, Writer};
use super::super::snapshot::SnapshotError;
use super::{LastStep, MotionState};

/// Bytes of an entry in a snapshot.
const ENTRY_BYTES: usize = 8 + 4 * 12;

/// The last steps of the bodies whose integrator stored one; empty for methods of one step.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct LastSteps {
    /// By body index.
    entries: Vec<Option<Entry>>,
}

/// The last step of a body, and the motion that it resulted in.
#[derive(Clone, Copy, Debug)]
struct Entry {
    body: BodyId,
    position: Vec3,
    velocity: Vec3,
    last: LastStep,
}

impl Entry {
    /// Whether nothing changed the motion of the body since.
    fn continues(&self, body: BodyId, position: Vec3, velocity: Vec3) -> bool {
        self.body == body && self.position == position && self.velocity == velocity
    }
}

impl LastSteps {
    /// The last step of a body, unless its motion was changed since.
    pub(in super::super) fn of(
        &self,
        body: BodyId,
        position: Vec3,
        velocity: Vec3,
    ) -> Option<LastStep> {
        let entry = self.entries.get(body.index() as usize).copied().flatten()?;
        entry.continues(body, position, velocity).then_some(entry.last)
    }

    /// Stores the step that a body has taken.
    pub(in super::super) fn store(&mut self, body: BodyId, state: &MotionState) {
        let index = body.index() as usize;
        let MotionState { position, velocity, last } = *state;
        // A diverged simulation has no snapshot that could be read.
        let is_finite = |last: &LastStep| {
            let vectors = [position, velocity, last.position, last.acceleration];
            vectors.into_iter().all(Vec3::is_finite)
        };
        match last.filter(is_finite) {
            Some(last) => {
                if self.entries.len() <= index {
                    self.entries.resize(index + 1, None);
                }
                self.entries[index] = Some(Entry { body, position, velocity, last });
            }
            None => self.remove(body),
        }
    }

    /// Forgets a body.
    pub(in super::super) fn remove(&mut self, body: BodyId) {
        if let Some(entry) = self.entries.get_mut(body.index() as usize) {
            *entry = None;
        }
    }

    /// Calls `visit` with the index and last step of every body whose next step reads it.
    pub(in super::super) fn visit_valid(
        &self,
        world: &World,
        mut visit: impl FnMut(u32, LastStep),
    ) {
        for entry in self.entries.iter().flatten() {
            let is_valid = world.body(entry.body).is_some_and(|body| {
                entry.continues(entry.body, body.center_of_mass(), body.linear_velocity())
            });
            if is_valid {
                visit(entry.body.index(), entry.last);
            }
        }
    }

    pub(in super::super) fn write(&self, out: &mut Writer) {
        out.count(self.entries.iter().flatten().count());
        for &Entry { body, position, velocity, last } in self.entries.iter().flatten() {
            out.u64(body.to_bits());
            for vector in [position, velocity, last.position, last.acceleration] {
                out.vec3(vector);
            }
        }
    }

    pub(in super::super) fn read(
        input: &mut Reader<'_>,
        world: &World,
    ) -> Result<Self, SnapshotError> {
        let count = input.count(ENTRY_BYTES)?;
        let mut steps = Self::default();
        for _ in 0..count {
            let body = BodyId::from_bits(input.u64()?);
            // In ascending order, of bodies that exist: the list is then no longer than theirs.
            let is_next =
                world.body(body).is_some() && body.index() as usize >= steps.entries.len();
            input.require(is_next, "the last steps are not those of the bodies")?;
            let (position, velocity) = (input.vec3()?, input.vec3()?);
            let last = LastStep { position: input.vec3()?, acceleration: input.vec3()? };
            steps.store(body, &MotionState { position, velocity, last: Some(last) });
        }
        Ok(steps)
    }
}
