//! Limits of a world, checked once before anything is generated.

use embate_scene::generators::Span;

use crate::runner::config::ConfigError;

/// Objects of a world, at most: brute force checks every frame, and takes seconds for this many.
pub const MAX_OBJECTS: u32 = 200_000;
/// Longest edge of a world. Beyond it the spacing of f32 reaches the path of a slow object.
const MAX_SIDE: f32 = 1e6;
/// Pairs of a frame, at most: those of a turn of frames are stored for comparison, 8 bytes each.
pub const MAX_PAIRS: f64 = 1e6;

/// Checks the parameters of a world of any dimension.
pub(crate) fn check<const D: usize>(
    sides: [f32; D],
    objects: u32,
    size: Span,
    speed: Span,
) -> Result<(), ConfigError> {
    for side in sides {
        if !(side > 0.0 && side <= MAX_SIDE) {
            return Err(ConfigError::WorldSide { side, max: MAX_SIDE });
        }
        if size.max > side {
            return Err(ConfigError::SizeExceedsWorld { size: size.max, side });
        }
    }
    if !(size.min > 0.0 && size.min <= size.max) {
        return Err(ConfigError::SizeOrder { min: size.min, max: size.max });
    }
    if !(speed.min >= 0.0 && speed.min <= speed.max && speed.max <= MAX_SIDE) {
        return Err(ConfigError::SpeedOrder { min: speed.min, max: speed.max, limit: MAX_SIDE });
    }
    if objects == 0 || objects > MAX_OBJECTS {
        let [value, min, max] = [objects, 1, MAX_OBJECTS].map(u64::from);
        return Err(ConfigError::OutOfRange { option: "objects", value, min, max });
    }
    let pairs = expected_pairs(sides, objects, size);
    if pairs > MAX_PAIRS {
        let (pairs, max) = (pairs as u64, MAX_PAIRS as u64);
        return Err(ConfigError::TooManyPairs { objects, pairs, max });
    }
    Ok(())
}

/// Overlapping pairs of a frame, if objects are spread evenly.
#[must_use]
pub fn expected_pairs<const D: usize>(sides: [f32; D], objects: u32, size: Span) -> f64 {
    let mean = f64::from(size.min).midpoint(f64::from(size.max));
    let share = |side: f32| {
        let room = f64::from(side) - mean;
        if room > 2.0 * mean { 2.0 * mean / room } else { 1.0 }
    };
    let objects = f64::from(objects);
    objects * objects / 2.0 * sides.map(share).iter().product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Span = Span { min: 5.0, max: 50.0 };

    #[test]
    fn worlds_of_the_study_are_accepted() {
        assert_eq!(check([2000.0; 2], 5_000, SIZE, SIZE), Ok(()));
        assert_eq!(check([2000.0; 2], 1_000, Span { min: 50.0, max: 50.0 }, SIZE), Ok(()));
    }

    #[test]
    fn invalid_worlds_are_rejected_with_their_flag() {
        let zero = Span { min: 0.0, max: 50.0 };
        let upside_down = Span { min: 50.0, max: 5.0 };
        let nan = Span { min: f32::NAN, max: 5.0 };
        for (sides, objects, size, speed, flag) in [
            ([0.0, 100.0], 10, SIZE, SIZE, "--world"),
            ([f32::NAN, 100.0], 10, SIZE, SIZE, "--world"),
            ([100.0, 1e30], 10, SIZE, SIZE, "--world"),
            ([40.0, 100.0], 10, SIZE, SIZE, "--size"),
            ([100.0; 2], 10, zero, SIZE, "--size"),
            ([100.0; 2], 10, upside_down, SIZE, "--size"),
            ([100.0; 2], 10, nan, SIZE, "--size"),
            ([100.0; 2], 10, SIZE, upside_down, "--speed"),
            ([100.0; 2], 10, SIZE, nan, "--speed"),
            ([2000.0; 2], 0, SIZE, SIZE, "--objects"),
            ([2000.0; 2], 4_000_000_000, SIZE, SIZE, "--objects"),
            ([100.0; 2], 100_000, SIZE, SIZE, "--objects"),
        ] {
            let line = check(sides, objects, size, speed).unwrap_err().to_string();
            assert!(line.starts_with(flag), "{line}");
            assert!(!line.contains('\n'), "{line}");
        }
    }
}
