//! Where can a moving body be between two times, as another sees it?
//!
//! Promise: no point of the body is outside of the box that is told.

use embate_geom::{Aabb, Pose, Vec3, Wide};

use super::impact::Body;
use super::impact_advance::Mover;
use super::impact_motion::Axes;
use crate::shapes::Shape;

/// Stretches into which the way past a mesh is cut, at most.
const MAX_STRETCHES: u32 = 32;

/// A box in a frame.
#[derive(Clone, Copy)]
pub(super) struct Box3 {
    middle: Wide,
    half: Wide,
}

impl Box3 {
    fn of(bounds: &Aabb<3>) -> Self {
        let (min, max) = (Wide::from(Vec3::from(bounds.min)), Wide::from(Vec3::from(bounds.max)));
        Self { middle: (min + max) * 0.5, half: (max - min) * 0.5 }
    }
}

/// The box of a body in its own frame.
pub(super) fn own_box(body: &Body<'_>) -> Box3 {
    Box3::of(&body.shape.aabb(&Pose::IDENTITY))
}

/// The box of a part in its body's frame.
pub(super) fn box_of(body: &Body<'_>, mover: &Mover<'_>) -> Box3 {
    if body.single().is_some() {
        return own_box(body);
    }
    let centre = Wide::from(body.motion.centre);
    let reach = |direction: Wide| mover.part.reach_along(direction);
    let [x, y, z] = Axes::IDENTITY.columns;
    let (high, low) =
        (Wide::new(reach(x), reach(y), reach(z)), Wide::new(reach(-x), reach(-y), reach(-z)));
    Box3 { middle: (high - low) * 0.5 + centre, half: (high + low) * 0.5 }
}

/// A box seen from a frame that is turned and moved within its own.
pub(super) fn seen_from(bounds: &Aabb<3>, axes: &Axes, origin: Wide) -> Aabb<3> {
    let Box3 { middle, half } = Box3::of(bounds);
    grown(axes.transposed_times(middle - origin), turned_half(axes, half), 0.0)
}

/// Half the extent of a box along axes of another frame.
fn turned_half(axes: &Axes, half: Wide) -> Wide {
    let [x, y, z] = axes
        .columns
        .map(|axis| (axis.x * half.x).abs() + (axis.y * half.y).abs() + (axis.z * half.z).abs());
    Wide::new(x, y, z)
}

/// A box in f32, larger by `margin` and by what rounding may take.
fn grown(middle: Wide, half: Wide, margin: f64) -> Aabb<3> {
    let size = middle.length() + half.length();
    let half = half + Wide::new(1.0, 1.0, 1.0) * (margin + 1e-6 * size);
    // What is out of f32's range reaches everywhere.
    let clamped = |vector: Wide| vector.narrow().to_array().map(|c| c.clamp(-1e18, 1e18));
    Aabb { min: clamped(middle - half), max: clamped(middle + half) }
}

/// A box around all places where the box of one body can be between two times, in the other's frame.
pub(super) fn swept(
    body: &Body<'_>,
    bounds: &Box3,
    viewer: &Body<'_>,
    times: [f64; 2],
    distance: f32,
) -> Aabb<3> {
    if let Shape::HalfSpace(_) = body.shape {
        return Aabb { min: [-1e18; 3], max: [1e18; 3] };
    }
    let centre = Wide::from(body.motion.centre);
    let drift = body.path.velocity - viewer.path.velocity;
    let mut far = 0.0_f64;
    let ends = times.map(|time| {
        let way = body.path.centre - viewer.path.centre + drift * time;
        far = far.max(way.length());
        let (own, views) = (body.path.axes_at(time), viewer.path.axes_at(time));
        let middle = views.transposed_times(way + own.times(bounds.middle - centre));
        // The viewer's axes in the body's frame.
        let seen = Axes { columns: views.columns.map(|axis| own.transposed_times(axis)) };
        grown(middle + Wide::from(viewer.motion.centre), turned_half(&seen, bounds.half), 0.0)
    });
    // Between the two, no point leaves the line between its places by more than this: see the head of
    // `impact_advance`.
    let (spin, turn) = (&body.path.spin, &viewer.path.spin);
    let reach = (bounds.middle - centre).length() + bounds.half.length();
    let bend = reach * (spin.vector - turn.vector).length() * (spin.rate + turn.rate)
        + turn.rate * (turn.rate * far + 2.0 * drift.length());
    let span = times[1] - times[0];
    // No farther, either, than twice its way round.
    let aside = (bend * span * span / 8.0).min(2.0 * (reach + far));
    let both = Box3::of(&ends[0].joined(&ends[1]));
    grown(both.middle, both.half, aside + f64::from(distance))
}

/// Into how many stretches the way of two bodies is cut: as many as the smaller one is long, if a mesh is
/// there whose tree can tell them apart.
pub(super) fn stretches(a: &Body<'_>, b: &Body<'_>) -> u32 {
    if !(a.holds_a_mesh() || b.holds_a_mesh()) {
        return 1;
    }
    let size = |body: &Body<'_>| own_box(body).half.length();
    let (size_a, size_b) = (size(a), size(b));
    let turned = (size_a + size_b) * (a.path.spin.rate + b.path.spin.rate);
    let way = (b.path.velocity - a.path.velocity).length() + turned;
    // Saturates.
    ((way / (2.0 * size_a.min(size_b))).ceil() as u32).clamp(1, MAX_STRETCHES)
}
