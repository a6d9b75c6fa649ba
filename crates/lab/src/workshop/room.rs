//! Where is there room for a body, and which room has room for all?
//!
//! Places are tried on a lattice about where the body should best be, the nearest first. One that is found lies within
//! the bounds, and no body of the world is within the box around it. The lattice is as wide as the body and its gap;
//! where nothing is free on it, one of half that width is tried.

use embate::dynamics::{BodyType, QueryFilter, WorldBounds};
use embate::shapes::Shape;
use embate::{Aabb, Pose, Vec3, math::scalar};
use serde_json::json;

use super::Workshop;
use super::action::Action;
use super::error::EditError;
use super::live::Live;
use super::words::{self, Words};

/// Where a new body should best be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Over all that moves, from where it falls.
    Above,
    /// On the ground, where it stands.
    OnGround,
}

/// Between a body that falls and what is around it, in m: one sees that it is alone.
const GAP: f32 = 0.1;
/// So high a body begins over the others, in m: one sees it fall.
const DROP: f32 = 0.7;
/// Places each way from the best one: a room of the presets is fifteen wide.
const REACH: i16 = 8;
/// Places are told in cm.
const FINEST: f32 = 0.01;
/// A body that stands on the ground, or in a corner, is in neither; in m.
const SLACK: f32 = 1e-3;
/// The least that comes with bounds, in m.
const ROOM: Aabb<3> = Aabb { min: [-5.0, 0.0, -5.0], max: [5.0, 10.0, 5.0] };
/// What rests on the ground is so deep in it at most, in m: the room begins at the ground all the same.
const SUNK: f32 = 0.01;

/// Somewhere about here.
pub(super) struct Wish {
    pub(super) place: Vec3,
    pub(super) gap: f32,
    /// How much farther it is to another height than to another place beside.
    pub(super) steepness: f32,
}

impl Live {
    /// The place nearest to what is wished where a body of this shape has room; `None` if there is none about.
    pub(super) fn room_for(&self, shape: &Shape, pose: Pose, wish: &Wish) -> Option<Vec3> {
        let own = shape.aabb(&Pose { position: Vec3::ZERO, ..pose });
        if !has_end(&own) {
            // What has no end is in the way of everything.
            return Some(wish.place);
        }
        let bounds = self.world.settings().bounds;
        let from = bounds.map_or(wish.place, |bounds| inside(bounds, wish.place, &own));
        let gaps = [wish.gap, wish.gap, 0.0];
        [1.0, 0.5, 0.5].into_iter().zip(gaps).find_map(|(share, gap)| {
            let width = Vec3::from(own.extents()) + Vec3::splat(wish.gap);
            let lattice = self.lattice(from, width * share, wish.steepness);
            lattice.into_iter().find(|&place| self.is_free(&own, place, gap))
        })
    }

    /// Places about this one, the nearest first; of equals the one along x.
    fn lattice(&self, from: Vec3, width: Vec3, steepness: f32) -> Vec<Vec3> {
        // 0, 1, -1, 2, -2, …
        let steps = || (0..=2 * REACH).map(|n| if n % 2 == 0 { -n / 2 } else { (n + 1) / 2 });
        let mut places = Vec::new();
        for up in steps() {
            for aside in steps().filter(|&step| step == 0 || !self.is_planar()) {
                places.extend(steps().map(|along| [along, up, aside].map(f32::from)));
            }
        }
        let far = |[along, up, aside]: &[f32; 3]| {
            let [x, y, z] = [along * width.x, up * width.y * steepness, aside * width.z];
            x * x + y * y + z * z
        };
        places.sort_by(|one, other| far(one).total_cmp(&far(other)));
        let (from, width) = (from.to_array(), width.to_array());
        let place = |steps: [f32; 3]| {
            Vec3::from(core::array::from_fn(|axis| {
                let at = from[axis] + steps[axis] * width[axis];
                // Where nothing is gone, nothing is rounded; nor where a centimetre is much.
                let is_told = steps[axis] != 0.0 && width[axis] > 10.0 * FINEST;
                if is_told { (at / FINEST).round() * FINEST } else { at }
            }))
        };
        places.into_iter().map(place).collect()
    }

    /// Whether a box about this place is within the bounds, and no body within it.
    fn is_free(&self, own: &Aabb<3>, place: Vec3, gap: f32) -> bool {
        let at = place.to_array();
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

    /// Where a body that is added should best be.
    pub(super) fn wish_of(&self, spot: Spot, shape: &Shape, pose: Pose) -> Wish {
        let own = shape.aabb(&Pose { position: Vec3::ZERO, ..pose });
        let stands = |height: f32| Vec3::Y * (height - own.min[1]);
        match spot {
            Spot::Above => {
                let moving =
                    self.world.bodies().filter(|body| body.body_type() == BodyType::Dynamic);
                let tops = moving.map(|body| body.aabb().max[1]).filter(|top| top.is_finite());
                let top = tops.fold(0.0, scalar::max);
                let top = ((top + DROP) / FINEST).round() * FINEST;
                Wish { place: stands(top), gap: GAP, steepness: 1.0 }
            }
            // Nobody looks for it up there, nor below the ground.
            Spot::OnGround => Wish { place: stands(self.ground()), gap: 0.0, steepness: 8.0 },
        }
    }

    /// The height of level ground, or of the bottom of the room.
    fn ground(&self) -> f32 {
        let level = self.world.bodies().find_map(|body| {
            let Shape::HalfSpace(plane) = body.shape() else { return None };
            let pose = body.pose();
            (pose.rotation.rotate(plane.normal()).y > 0.99).then_some(pose.position.y)
        });
        let bottom = self.world.settings().bounds.map(|bounds| bounds.min.y);
        match (level, bottom) {
            (Some(level), Some(bottom)) => scalar::max(level, bottom),
            (level, bottom) => level.or(bottom).unwrap_or(0.0),
        }
    }

    /// A room of whole metres that holds every body that has an end.
    fn room(&self) -> Aabb<3> {
        let bodies = self.world.bodies().map(|body| body.aabb()).filter(has_end);
        bodies.fold(ROOM, |all, bounds| Aabb {
            min: core::array::from_fn(|axis| {
                scalar::min(all.min[axis], (bounds.min[axis] + SUNK).floor())
            }),
            max: core::array::from_fn(|axis| {
                scalar::max(all.max[axis], (bounds.max[axis] - SUNK).ceil())
            }),
        })
    }
}

impl Workshop {
    /// Bounds whose walls throw back, around all that is there.
    ///
    /// # Errors
    /// If what is there is too far away.
    pub fn enclose(&mut self) -> Result<(), EditError> {
        let Aabb { min, max } = self.live.room();
        let [min, max] = [min, max].map(|corner| words::vector(Vec3::from(corner)));
        let bounds = json!({ "min": min, "max": max });
        self.change_by(Action::Rules(Words::from_iter([("bounds".to_owned(), bounds)])))
    }
}

/// The place nearest to this one where a box is within the bounds; their middle where it is larger than they are.
pub(super) fn inside(bounds: WorldBounds, place: Vec3, own: &Aabb<3>) -> Vec3 {
    let (min, max, at) = (bounds.min.to_array(), bounds.max.to_array(), place.to_array());
    Vec3::from(core::array::from_fn(|axis| {
        let (least, most) = (min[axis] - own.min[axis], max[axis] - own.max[axis]);
        if least > most { 0.5 * (least + most) } else { at[axis].clamp(least, most) }
    }))
}

/// What has no end is told by numbers that no place has.
pub(super) fn has_end(bounds: &Aabb<3>) -> bool {
    let far = |at: &f32| !at.is_finite() || at.abs() > super::live::FAR;
    !bounds.min.iter().chain(&bounds.max).any(far)
}

pub(super) fn no_room() -> EditError {
    EditError::NoRoom
}
