//! Impact events of a frame, for sound.
//!
//! Objects pass through each other: an impact has the impulse of an elastic collision between
//! masses proportional to the areas. At a wall objects bounce.

use embate::broad_phase::OverlapPair;
use embate::math::scalar;

use super::frame_state::FrameState;
use super::pick::ObjectRect;

/// Maximum number of impacts of each kind: more would be noise.
pub(super) const MAX_PER_KIND: usize = 32;

/// Where it was from left to right; the size of what struck, the edge of a square as large (of two
/// objects the geometric mean); the impulse, in areas times units a second; 1 if it was a wall,
/// else 0.
pub(super) type Impact = [f32; 4];

/// The pairs that began, then the walls that were met, in place of what `impacts` held.
pub(super) fn impacts_of_frame(
    state: &FrameState,
    began: &[OverlapPair],
    impacts: &mut Vec<Impact>,
) {
    impacts.clear();
    impacts.extend(began.iter().take(MAX_PER_KIND).map(|&pair| pair_impact(state, pair)));
    let walls = (0..state.object_rects.len()).filter_map(|object| wall_impact(state, object));
    impacts.extend(walls.take(MAX_PER_KIND));
}

fn pair_impact(state: &FrameState, pair: OverlapPair) -> Impact {
    let pair = pair.map(|object| object as usize);
    let [a, b] = pair.map(|object| state.object_rects[object]);
    let from = scalar::max(a[0][0], b[0][0]);
    let to = scalar::min(a[0][0] + a[1][0], b[0][0] + b[1][0]);
    let [mass_a, mass_b] = [a, b].map(area);
    let [v_a, v_b] = pair.map(|object| state.world.velocity(object));
    let speed = length([v_a[0] - v_b[0], v_a[1] - v_b[1]]);
    let reduced_mass = mass_a * mass_b / (mass_a + mass_b);
    let size = (mass_a.sqrt() * mass_b.sqrt()).sqrt();
    [from.midpoint(to), size, 2.0 * reduced_mass * speed, 0.0]
}

/// An object that left a wall was put exactly there, and is on its way back.
fn wall_impact(state: &FrameState, object: usize) -> Option<Impact> {
    let object_rects = state.object_rects[object];
    let velocity = state.world.velocity(object);
    let [corner, size] = object_rects;
    let bounced = [0, 1].map(|axis| {
        let far = state.world.sides()[axis] - size[axis];
        let is_back = (corner[axis] == 0.0 && velocity[axis] > 0.0)
            || (corner[axis] == far && velocity[axis] < 0.0);
        if is_back { velocity[axis] } else { 0.0 }
    });
    let speed = length(bounced);
    let middle = corner[0] + size[0] / 2.0;
    (speed > 0.0)
        .then(|| [middle, area(object_rects).sqrt(), 2.0 * area(object_rects) * speed, 1.0])
}

fn area([_, size]: ObjectRect) -> f32 {
    size[0] * size[1]
}

fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad_phase_viewer::catalog::FIRST_SCENE;
    use crate::broad_phase_viewer::parameters::Parameters;

    fn impacts_of(state: &FrameState, began: &[OverlapPair]) -> Vec<Impact> {
        let mut impacts = Vec::new();
        impacts_of_frame(state, began, &mut impacts);
        impacts
    }

    /// One object of 10 × 10, 100 units a second, in a world of 20: it meets a wall several times a
    /// second.
    #[test]
    fn each_bounce_is_one_impact_proportional_to_the_normal_speed() {
        let mut state = FrameState::new(&Parameters {
            width: 20.0,
            height: 20.0,
            objects: 1,
            min_size: 10.0,
            max_size: 10.0,
            min_speed: 100.0,
            max_speed: 100.0,
            ..FIRST_SCENE
        });
        let mut walls = 0;
        for _ in 0..120 {
            let before = state.world.velocity(0);
            state.step(false);
            let after = state.world.velocity(0);
            let turned =
                [0, 1].map(|axis| if before[axis] == after[axis] { 0.0 } else { after[axis] });
            let impacts = impacts_of(&state, &[]);
            if turned == [0.0; 2] {
                assert!(impacts.is_empty());
            } else {
                let [[x, size, impulse, wall]] = impacts[..] else { panic!("{impacts:?}") };
                assert!((5.0..=15.0).contains(&x));
                assert_eq!((size, impulse, wall), (10.0, 200.0 * length(turned), 1.0));
                walls += 1;
            }
        }
        assert!(walls > 10, "{walls}");
    }

    #[test]
    fn impact_of_a_pair_depends_on_sizes_and_relative_speed() {
        let state = FrameState::new(&Parameters { objects: 2, ..FIRST_SCENE });
        let [[x, size, impulse, wall]] = impacts_of(&state, &[[0, 1]])[..] else { panic!() };
        let [a, b] = [0, 1].map(|object| area(state.object_rects[object]));
        assert!((0.0..=960.0).contains(&x) && wall == 0.0);
        assert!(scalar::min(a, b) < size * size && size * size < scalar::max(a, b));
        // Not faster than both together, not heavier than the lighter one.
        assert!(impulse > 0.0 && impulse <= 2.0 * scalar::min(a, b) * 160.0);
    }
}
