//! Placement: free space for a new body, and bounds around all bodies.
//!
//! Candidates are tried on a lattice around the preferred position, the nearest first. A found
//! position is within the bounds, and no body overlaps the AABB around it. The lattice spacing is
//! the size of the body plus its gap; where no candidate is free, half that spacing is tried.

use embate::dynamics::{QueryFilter, WorldBounds};
use embate::shapes::Shape;
use embate::{Aabb, Pose, Vec3, math::scalar};
use serde_json::{Value, json};

use super::Sandbox;
use super::action::Action;
use super::error::EditError;
use super::json_value::{self, JsonObject};
use super::scene_instance::{MAX_COORDINATE, SceneInstance};

/// Where a new body should best be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementTarget {
    /// Above the bodies in the same column, from where it falls.
    Above,
    /// On the ground, where it stands.
    OnGround,
}

/// Gap between a falling body and its surroundings, in m, so that it is visibly separate.
const GAP: f32 = 0.1;
/// Drop height of a new body above the others, in m, so that its fall is visible.
const DROP_HEIGHT: f32 = 0.7;
/// Candidates on each side of the preferred position: the largest preset is fifteen wide.
const REACH: i16 = 8;
/// Positions are rounded to 1 cm.
const POSITION_STEP: f32 = 0.01;
/// Overlap that counts as standing on the ground or in a corner, in m.
const SLACK: f32 = 1e-3;
/// Smallest default bounds, in m.
const MIN_BOUNDS: Aabb<3> = Aabb { min: [-5.0, 0.0, -5.0], max: [5.0, 10.0, 5.0] };
/// Maximum penetration of a resting body, in m: the bounds begin at the ground all the same.
const MAX_PENETRATION: f32 = 0.01;
/// Depth of the bounds below a floor, in m: at the same height, a resting body would touch both, and
/// each would carry half its weight.
const BELOW_FLOOR: f32 = 1.0;

/// Preferred position, and the metric of the search around it.
pub(super) struct PlacementRequest {
    pub(super) position: Vec3,
    pub(super) gap: f32,
    /// Weight of a vertical offset relative to a horizontal one.
    pub(super) steepness: f32,
}

impl SceneInstance {
    /// The free position nearest to the requested one for this shape; `None` if there is none
    /// nearby.
    pub(super) fn find_free_position(
        &self,
        shape: &Shape,
        pose: Pose,
        request: &PlacementRequest,
    ) -> Option<Vec3> {
        let own = shape.aabb(&Pose { position: Vec3::ZERO, ..pose });
        if !is_bounded(&own) {
            // An unbounded shape overlaps everything.
            return Some(request.position);
        }
        let bounds = self.world.settings().bounds;
        let from = bounds.map_or(request.position, |bounds| inside(bounds, request.position, &own));
        let gaps = [request.gap, request.gap, 0.0];
        [1.0, 0.5, 0.5].into_iter().zip(gaps).find_map(|(share, gap)| {
            let width = Vec3::from(own.extents()) + Vec3::splat(request.gap);
            let lattice = self.lattice(from, width * share, request.steepness);
            lattice.into_iter().find(|&position| self.is_free(&own, position, gap))
        })
    }

    /// Candidates around a position, the nearest first; of equals the one along x.
    fn lattice(&self, from: Vec3, width: Vec3, steepness: f32) -> Vec<Vec3> {
        // 0, 1, -1, 2, -2, …
        let steps = || (0..=2 * REACH).map(|n| if n % 2 == 0 { -n / 2 } else { (n + 1) / 2 });
        let mut positions = Vec::new();
        for up in steps() {
            for aside in steps().filter(|&step| step == 0 || !self.is_planar()) {
                positions.extend(steps().map(|along| [along, up, aside].map(f32::from)));
            }
        }
        let far = |[along, up, aside]: &[f32; 3]| {
            let [x, y, z] = [along * width.x, up * width.y * steepness, aside * width.z];
            x * x + y * y + z * z
        };
        positions.sort_by(|one, other| far(one).total_cmp(&far(other)));
        let (from, width) = (from.to_array(), width.to_array());
        let position = |steps: [f32; 3]| {
            Vec3::from(core::array::from_fn(|axis| {
                let at = from[axis] + steps[axis] * width[axis];
                // Axes without an offset keep their value, and small bodies their precision.
                let is_rounded = steps[axis] != 0.0 && width[axis] > 10.0 * POSITION_STEP;
                if is_rounded { (at / POSITION_STEP).round() * POSITION_STEP } else { at }
            }))
        };
        positions.into_iter().map(position).collect()
    }

    /// Whether a box about this place is within the bounds, and no body within it.
    fn is_free(&self, own: &Aabb<3>, position: Vec3, gap: f32) -> bool {
        let at = position.to_array();
        let taken = Aabb {
            min: core::array::from_fn(|axis| at[axis] + own.min[axis] + SLACK - gap),
            max: core::array::from_fn(|axis| at[axis] + own.max[axis] - SLACK + gap),
        };
        let within = self.world.settings().bounds.is_none_or(|bounds| {
            let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
            (0..3).all(|axis| {
                at[axis] + own.min[axis] >= min[axis] - SLACK
                    && at[axis] + own.max[axis] <= max[axis] + SLACK
            })
        });
        within
            && self
                .world
                .world()
                .overlap_aabb(
                    &taken,
                    &QueryFilter { include_sensors: true, ..QueryFilter::default() },
                )
                .is_empty()
    }

    /// Preferred position of a new body, at the x and z of `near`.
    pub(super) fn placement_request(
        &self,
        spot: PlacementTarget,
        near: Vec3,
        shape: &Shape,
        pose: Pose,
    ) -> PlacementRequest {
        let own = shape.aabb(&Pose { position: Vec3::ZERO, ..pose });
        let round = |at: f32| (at / POSITION_STEP).round() * POSITION_STEP;
        let aside = if self.is_planar() { 0.0 } else { round(near.z) };
        let stands = |height: f32| {
            // An unbounded shape has no lowest point.
            let lowest = if is_bounded(&own) { own.min[1] } else { 0.0 };
            Vec3::new(round(near.x), height - lowest, aside)
        };
        match spot {
            PlacementTarget::Above => {
                let top = self.top_of_column(&own, stands(0.0));
                let position = stands(round(top + DROP_HEIGHT));
                PlacementRequest { position, gap: GAP, steepness: 1.0 }
            }
            // Prefer the ground: height costs eight times as much as horizontal distance.
            PlacementTarget::OnGround => {
                PlacementRequest { position: stands(self.ground()), gap: 0.0, steepness: 8.0 }
            }
        }
    }

    /// Height of the highest body in the column above and below this box, or of the ground.
    fn top_of_column(&self, own: &Aabb<3>, at: Vec3) -> f32 {
        let at = at.to_array();
        let side = |axis: usize, gap: f32, end: &[f32; 3]| at[axis] + end[axis] + gap;
        let bodies = self.world.bodies().map(|body| body.aabb()).filter(is_bounded);
        let in_column = bodies.filter(|body| {
            [0, 2].iter().all(|&axis| {
                body.max[axis] > side(axis, -GAP, &own.min)
                    && body.min[axis] < side(axis, GAP, &own.max)
            })
        });
        in_column.map(|body| body.max[1]).fold(self.ground(), scalar::max)
    }

    /// Height of a level half-space.
    fn floor(&self) -> Option<f32> {
        self.world.bodies().find_map(|body| {
            let Shape::HalfSpace(plane) = body.shape() else { return None };
            let pose = body.pose();
            (pose.rotation.rotate(plane.normal()).y > 0.99).then_some(pose.position.y)
        })
    }

    /// The edit that lowers the bottom of the bounds below a new floor at the same height.
    pub(super) fn bounds_below(&self, shape: &Shape, position: Vec3) -> Option<Action> {
        let mut bounds = self.world.settings().bounds?;
        let coincides = (bounds.min.y - position.y).abs() < GAP;
        if !coincides || !matches!(shape, Shape::HalfSpace(_)) {
            return None;
        }
        bounds.min.y -= BELOW_FLOOR;
        let bounds = Value::Object(json_value::bounds(&bounds));
        Some(Action::Rules(JsonObject::from_iter([("bounds".to_owned(), bounds)])))
    }

    /// Height of the floor, or of the bottom of the bounds.
    fn ground(&self) -> f32 {
        let level = self.floor();
        let bottom = self.world.settings().bounds.map(|bounds| bounds.min.y);
        match (level, bottom) {
            (Some(level), Some(bottom)) => scalar::max(level, bottom),
            (level, bottom) => level.or(bottom).unwrap_or(0.0),
        }
    }

    /// Bounds of whole meters around every bounded body, whose bottom is not that of the floor.
    fn enclosing_bounds(&self) -> Aabb<3> {
        let bodies = self.world.bodies().map(|body| body.aabb()).filter(is_bounded);
        let mut around = bodies.fold(MIN_BOUNDS, |all, bounds| Aabb {
            min: core::array::from_fn(|axis| {
                scalar::min(all.min[axis], (bounds.min[axis] + MAX_PENETRATION).floor())
            }),
            max: core::array::from_fn(|axis| {
                scalar::max(all.max[axis], (bounds.max[axis] - MAX_PENETRATION).ceil())
            }),
        });
        if let Some(floor) = self.floor().filter(|floor| floor.abs() < MAX_COORDINATE) {
            around.min[1] = scalar::min(around.min[1], (floor - BELOW_FLOOR).floor());
        }
        around
    }
}

impl Sandbox {
    /// Creates solid bounds around all bodies.
    ///
    /// # Errors
    /// If a body is too far away.
    pub fn enclose(&mut self) -> Result<(), EditError> {
        let Aabb { min, max } = self.scene.enclosing_bounds();
        let [min, max] = [min, max].map(|corner| json_value::vector(Vec3::from(corner)));
        let bounds = json!({ "min": min, "max": max });
        self.edit(Action::Rules(JsonObject::from_iter([("bounds".to_owned(), bounds)])))
    }
}

/// The place nearest to this one where a box is within the bounds; their middle where it is larger
/// than they are.
pub(super) fn inside(bounds: WorldBounds, position: Vec3, own: &Aabb<3>) -> Vec3 {
    let (min, max, at) = (bounds.min.to_array(), bounds.max.to_array(), position.to_array());
    Vec3::from(core::array::from_fn(|axis| {
        let (low, high) = (min[axis] - own.min[axis], max[axis] - own.max[axis]);
        if low > high { 0.5 * (low + high) } else { at[axis].clamp(low, high) }
    }))
}

/// Whether the AABB is finite: unbounded shapes have coordinates beyond every valid position.
pub(super) fn is_bounded(bounds: &Aabb<3>) -> bool {
    let far = |at: &f32| !at.is_finite() || at.abs() > MAX_COORDINATE;
    !bounds.min.iter().chain(&bounds.max).any(far)
}

pub(super) fn no_free_position() -> EditError {
    EditError::NoRoom
}
