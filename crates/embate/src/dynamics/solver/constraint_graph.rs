//! Graph coloring of contact constraints, with an overflow set.
//!
//! No two constraints of a color move the same body. Therefore eight constraints of a color are
//! solved in the lanes of one SIMD constraint block, and all blocks of a color in parallel. The
//! result depends on the colors alone, not on the SIMD width or the number of workers. Fixed and
//! kinematic bodies are only read, so they do not limit the colors. Corresponds to
//! `constraint_graph.c` of `Box2D`.
//!
//! Colors are assigned serially, in pair order, without reading positions or velocities;
//! constraints are prepared and their impulses stored in parallel.

use crate::dynamics::body::body_data::SleepState;
use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyVec;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::parallel::worker_pool::parallel_for;
use crate::dynamics::solver::StepContext;
use crate::dynamics::solver::contact_constraint::ManifoldKey;
use crate::dynamics::solver::contact_constraint_simd::ContactConstraint8;
use crate::dynamics::solver::simd::LANES;

/// Number of colors; a body in a dense pile has a dozen contacts. Constraints of a body that has
/// used up all colors go to the overflow set, which is solved serially after the last color.
const GRAPH_COLOR_COUNT: usize = 24;

/// Minimum number of SIMD constraint blocks that one task prepares.
const MIN_CONSTRAINTS_PER_TASK: usize = 16;

/// Constraints of one color, or of the overflow set.
#[derive(Clone, Debug, Default)]
pub(crate) struct GraphColor {
    manifolds: Vec<ManifoldKey>,
    /// The first `manifolds.len().div_ceil(lanes_per_constraint(color))` are in use; the others are
    /// reused by later steps.
    constraints: Vec<ContactConstraint8>,
}

/// Where the constraint of a manifold is stored: its color, and its index within the color.
#[derive(Clone, Copy, Debug)]
struct ConstraintSlot {
    color: u8,
    index: u32,
}

impl ConstraintSlot {
    fn constraint_and_lane(self) -> (usize, usize) {
        let (index, lanes) = (self.index as usize, lanes_per_constraint(self.color.into()));
        (index / lanes, index % lanes)
    }
}

/// Lanes of a SIMD constraint block that a color uses: one in the overflow set.
fn lanes_per_constraint(color: usize) -> usize {
    if color < GRAPH_COLOR_COUNT { LANES } else { 1 }
}

/// Role of a body in the solver of this step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyActivity {
    /// Fixed, kinematic or removed: never written, hence does not limit the colors.
    NotDynamic,
    Sleeping,
    AwakeDynamic,
}

/// All contact constraints of a step by color; the last color is the overflow set.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintGraph {
    colors: Vec<GraphColor>,
    /// Bit mask of the colors that the constraints of a body use.
    used_colors: BodyVec<u32>,
    activity: BodyVec<BodyActivity>,
    /// Slots of all manifolds of the graph, in the order of their pairs.
    slots: Vec<ConstraintSlot>,
    /// By pair index: first slot of the pair.
    first_slots: Vec<u32>,
}

impl ConstraintGraph {
    /// Removes all constraints and records the activity of `bodies`.
    pub(crate) fn begin_step(&mut self, bodies: &BodySet) {
        self.colors.resize(GRAPH_COLOR_COUNT + 1, GraphColor::default());
        self.colors.iter_mut().for_each(|color| color.manifolds.clear());
        self.used_colors.fill(bodies.slot_count(), 0);
        self.activity.refill(bodies.slot_indices().map(|index| {
            if !bodies.get(index).is_some_and(|data| data.body_type == BodyType::Dynamic) {
                BodyActivity::NotDynamic
            } else if bodies.sleep_state(index) == SleepState::Awake {
                BodyActivity::AwakeDynamic
            } else {
                BodyActivity::Sleeping
            }
        }));
        self.slots.clear();
        self.first_slots.clear();
    }

    /// Assigns colors to the manifolds of the next pair; returns false if the pair is not solved
    /// (sensor, or no awake dynamic body).
    pub(crate) fn assign_color(&mut self, pair: &ContactPair) -> bool {
        let bodies = pair.bodies();
        let activities = bodies.map(|body| self.activity[body]);
        let pair_index = self.first_slots.len() as u32;
        self.first_slots.push(self.slots.len() as u32);
        if pair.is_sensor() || !activities.contains(&BodyActivity::AwakeDynamic) {
            return false;
        }
        for manifold in 0..pair.manifolds().len() as u32 {
            // The mask of a body that is not dynamic stays 0.
            let used = self.used_colors[bodies[0]] | self.used_colors[bodies[1]];
            let color = ((!used).trailing_zeros() as usize).min(GRAPH_COLOR_COUNT);
            if color < GRAPH_COLOR_COUNT {
                for (body, activity) in bodies.into_iter().zip(activities) {
                    if activity != BodyActivity::NotDynamic {
                        self.used_colors[body] |= 1 << color;
                    }
                }
            }
            let manifolds = &mut self.colors[color].manifolds;
            self.slots.push(ConstraintSlot { color: color as u8, index: manifolds.len() as u32 });
            manifolds.push(ManifoldKey { pair: pair_index, manifold });
        }
        true
    }

    /// Prepares all constraints, in parallel.
    pub(crate) fn prepare(
        &mut self,
        bodies: &BodySet,
        pairs: &[ContactPair],
        context: &StepContext,
        worker_count: usize,
    ) {
        let mut all = Vec::new();
        for (color, GraphColor { manifolds, constraints }) in self.colors.iter_mut().enumerate() {
            let lanes = lanes_per_constraint(color);
            let used = manifolds.len().div_ceil(lanes);
            if constraints.len() < used {
                constraints.resize(used, ContactConstraint8::EMPTY);
            }
            all.extend(constraints.iter_mut().zip(manifolds.chunks(lanes)));
        }
        parallel_for(worker_count, MIN_CONSTRAINTS_PER_TASK, &mut all, |_, constraints| {
            for (constraint, keys) in constraints {
                constraint.prepare(keys, bodies, pairs, context);
            }
        });
    }

    /// Stores the impulses of a pair in its manifolds.
    pub(crate) fn store_impulses(&self, pair_index: usize, pair: &mut ContactPair) {
        let first = self.first_slots[pair_index] as usize;
        let next = self.first_slots.get(pair_index + 1);
        let end = next.map_or(self.slots.len(), |&end| end as usize);
        for (slot, manifold) in self.slots[first..end].iter().zip(pair.manifolds_mut()) {
            let (constraint, lane) = slot.constraint_and_lane();
            let color = &self.colors[usize::from(slot.color)];
            color.constraints[constraint].store_impulses(lane, manifold);
        }
    }

    /// Number of SIMD constraint blocks.
    pub(crate) fn len(&self) -> usize {
        let constraint_count = |(index, color): (usize, &GraphColor)| {
            color.manifolds.len().div_ceil(lanes_per_constraint(index))
        };
        self.colors.iter().enumerate().map(constraint_count).sum()
    }

    /// The SIMD constraint blocks of every color that has any, in solver order, and whether they
    /// are independent: true for colors, false for the overflow set.
    pub(crate) fn colors_and_overflow(
        &mut self,
    ) -> impl Iterator<Item = (&mut [ContactConstraint8], bool)> {
        let colors = self.colors.iter_mut().enumerate();
        colors.filter(|(_, color)| !color.manifolds.is_empty()).map(|(index, color)| {
            let used = color.manifolds.len().div_ceil(lanes_per_constraint(index));
            (&mut color.constraints[..used], index < GRAPH_COLOR_COUNT)
        })
    }
}
