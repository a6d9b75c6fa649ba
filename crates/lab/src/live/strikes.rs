//! What would somebody hear of a frame?
//!
//! Objects pass through each other, so nothing strikes in truth: a strike is told with the impulse that it
//! would have if both were elastic, and as heavy as their areas. At a wall they do bounce.

use embate::broad_phase::OverlapPair;
use embate::math::scalar;

use super::now::Now;
use super::pick::Drawn;

/// Strikes of each kind that are told, at most: more would be noise.
pub(super) const MOST_OF_A_KIND: usize = 32;

/// Where it was from left to right; the size of what struck, the edge of a square as large (of two objects
/// the geometric mean); the impulse, in areas times units a second; 1 if it was a wall, else 0.
pub(super) type Strike = [f32; 4];

/// The pairs that began, then the walls that were met, in place of what `strikes` held.
pub(super) fn listen(now: &Now, begun: &[OverlapPair], strikes: &mut Vec<Strike>) {
    strikes.clear();
    strikes.extend(begun.iter().take(MOST_OF_A_KIND).map(|&pair| meeting(now, pair)));
    let walls = (0..now.drawn.len()).filter_map(|object| bounce(now, object));
    strikes.extend(walls.take(MOST_OF_A_KIND));
}

fn meeting(now: &Now, pair: OverlapPair) -> Strike {
    let pair = pair.map(|object| object as usize);
    let [a, b] = pair.map(|object| now.drawn[object]);
    let from = scalar::max(a[0][0], b[0][0]);
    let to = scalar::min(a[0][0] + a[1][0], b[0][0] + b[1][0]);
    let [mass_a, mass_b] = [a, b].map(area);
    let [v_a, v_b] = pair.map(|object| now.world.velocity(object));
    let speed = length([v_a[0] - v_b[0], v_a[1] - v_b[1]]);
    let reduced_mass = mass_a * mass_b / (mass_a + mass_b);
    let size = (mass_a.sqrt() * mass_b.sqrt()).sqrt();
    [from.midpoint(to), size, 2.0 * reduced_mass * speed, 0.0]
}

/// An object that left a wall was put exactly there, and is on its way back.
fn bounce(now: &Now, object: usize) -> Option<Strike> {
    let drawn = now.drawn[object];
    let velocity = now.world.velocity(object);
    let [corner, size] = drawn;
    let bounced = [0, 1].map(|axis| {
        let far = now.world.sides()[axis] - size[axis];
        let is_back = (corner[axis] == 0.0 && velocity[axis] > 0.0)
            || (corner[axis] == far && velocity[axis] < 0.0);
        if is_back { velocity[axis] } else { 0.0 }
    });
    let speed = length(bounced);
    let middle = corner[0] + size[0] / 2.0;
    (speed > 0.0).then(|| [middle, area(drawn).sqrt(), 2.0 * area(drawn) * speed, 1.0])
}

fn area([_, size]: Drawn) -> f32 {
    size[0] * size[1]
}

fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::catalogue::FIRST_SCENE;
    use crate::live::parameters::Parameters;

    fn heard(now: &Now, begun: &[OverlapPair]) -> Vec<Strike> {
        let mut strikes = Vec::new();
        listen(now, begun, &mut strikes);
        strikes
    }

    /// One object of 10 × 10, 100 units a second, in a world of 20: it meets a wall several times a second.
    #[test]
    fn a_wall_is_heard_once_a_bounce_and_as_loud_as_the_speed_across_it() {
        let mut now = Now::new(&Parameters {
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
            let before = now.world.velocity(0);
            now.step(false);
            let after = now.world.velocity(0);
            let turned =
                [0, 1].map(|axis| if before[axis] == after[axis] { 0.0 } else { after[axis] });
            let strikes = heard(&now, &[]);
            if turned == [0.0; 2] {
                assert!(strikes.is_empty());
            } else {
                let [[x, size, impulse, wall]] = strikes[..] else { panic!("{strikes:?}") };
                assert!((5.0..=15.0).contains(&x));
                assert_eq!((size, impulse, wall), (10.0, 200.0 * length(turned), 1.0));
                walls += 1;
            }
        }
        assert!(walls > 10, "{walls}");
    }

    #[test]
    fn two_that_meet_sound_by_their_sizes_and_by_how_fast_they_met() {
        let now = Now::new(&Parameters { objects: 2, ..FIRST_SCENE });
        let [[x, size, impulse, wall]] = heard(&now, &[[0, 1]])[..] else { panic!() };
        let [a, b] = [0, 1].map(|object| area(now.drawn[object]));
        assert!((0.0..=960.0).contains(&x) && wall == 0.0);
        assert!(scalar::min(a, b) < size * size && size * size < scalar::max(a, b));
        // Not faster than both together, not heavier than the lighter one.
        assert!(impulse > 0.0 && impulse <= 2.0 * scalar::min(a, b) * 160.0);
    }
}
