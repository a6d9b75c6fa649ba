//! Where are two segments nearest?

use embate_geom::{Vec3, Wide};

/// Rounding of a rod's end, in units of the lengths that it is made of: below that, the way between two
/// rods has no direction.
pub(super) const ROUNDING: f64 = 2.0 * f32::EPSILON as f64;

/// Rods whose directions differ by less are laid along each other: sin² of 1.8°.
const PARALLEL: f64 = 1e-3;

/// A rod whose way to a body is tilted against the normal of a face by less (as a cosine, 1.8°, the angle of
/// [`PARALLEL`]) lies along that face. Nearest to it at a rim, it is told at the rim across as well: with one alone it would
/// rock on, since once it has tilted to the other side, only that one would be told.
pub(super) const ALONG_FACE: f32 = 0.9995;

/// Whether a point at the end of a stretch, with its own way to the other body, may share the normal of the
/// contact: on the other body, which is round by `radius` or has edges if that is 0, the point then is no
/// farther from the surface than half a thousandth of `size`, that of the smaller body.
#[inline]
pub(super) fn shares(way: Wide, normal: Vec3, radius: f64, size: f64) -> bool {
    let back = way - Wide::from(normal) * (way.length() - radius);
    (back.length() - radius).abs() <= 5e-4 * size
}

/// Two segments: one from `-tip_a` to `tip_a`, the other from `between - tip_b` to `between + tip_b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rods {
    pub(super) tip_a: Wide,
    pub(super) tip_b: Wide,
    pub(super) between: Wide,
}

/// A place on both: −1 and 1 are the ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Places {
    pub(super) on_a: f64,
    pub(super) on_b: f64,
}

impl Rods {
    /// Where they are nearest.
    ///
    /// Ericson, "Real-Time Collision Detection", 5.1.9: the nearest points of the two lines, each brought
    /// back into its segment.
    pub(super) fn nearest(&self) -> Places {
        let square_a = self.tip_a.length_squared();
        let square_b = self.tip_b.length_squared();
        let across = self.tip_a.dot(self.tip_b);
        let (along_a, along_b) = (self.between.dot(self.tip_a), self.between.dot(self.tip_b));
        if square_a == 0.0 {
            return Places { on_a: 0.0, on_b: ratio(-along_b, square_b) };
        }
        // sin² of the angle between them; of parallel lines every point is nearest.
        let spread = square_a * square_b - across * across;
        let on_a = if spread > 1e-12 * square_a * square_b {
            clamped((along_a * square_b - across * along_b) / spread)
        } else {
            0.0
        };
        let on_b = ratio(on_a * across - along_b, square_b);
        Places { on_a: ratio(on_b * across + along_a, square_a), on_b }
    }

    /// From the place on A to that on B.
    #[inline]
    pub(super) fn way(&self, places: Places) -> Wide {
        self.between + self.tip_b * places.on_b - self.tip_a * places.on_a
    }

    /// The two ends of the stretch where they lie along each other; `None` if they do not.
    pub(super) fn stretch(&self) -> Option<[Places; 2]> {
        let square_a = self.tip_a.length_squared();
        let square_b = self.tip_b.length_squared();
        let product = square_a * square_b;
        if self.tip_a.cross(self.tip_b).length_squared() > PARALLEL * product || product == 0.0 {
            return None;
        }
        let across = self.tip_a.dot(self.tip_b);
        let middle = self.between.dot(self.tip_a) / square_a;
        let reach = (across / square_a).abs();
        let (first, last) = (clamped(middle - reach), clamped(middle + reach));
        // Too short a stretch is a point.
        let longer = if square_a > square_b { square_a } else { square_b };
        if (last - first) * (last - first) * square_a <= 1e-6 * longer {
            return None;
        }
        let end_of_b = if across < 0.0 { -1.0 } else { 1.0 };
        let along_b = self.between.dot(self.tip_b);
        // Where A goes on, the stretch ends with an end of B, exactly.
        let beside = |on_a: f64, end_of_b: f64| Places {
            on_a,
            on_b: if on_a.abs() < 1.0 {
                end_of_b
            } else {
                ratio(on_a * across - along_b, square_b)
            },
        };
        Some([beside(first, -end_of_b), beside(last, end_of_b)])
    }

    /// A direction square to both.
    pub(super) fn square(&self) -> Vec3 {
        let product = self.tip_a.cross(self.tip_b);
        let scale = self.tip_a.length() * self.tip_b.length();
        if product.length() > 1e-6 * scale
            && let Some(direction) = product.direction()
        {
            return direction;
        }
        let longer = if self.tip_a.length_squared() >= self.tip_b.length_squared() {
            self.tip_a
        } else {
            self.tip_b
        };
        longer.direction().map_or(Vec3::Y, Vec3::any_perpendicular)
    }

    /// Below this, the way between them has no direction.
    pub(super) fn vague(&self) -> f64 {
        ROUNDING * (self.tip_a.length() + self.tip_b.length() + self.between.length())
    }
}

#[inline]
fn clamped(place: f64) -> f64 {
    place.clamp(-1.0, 1.0)
}

/// `along / square` within the segment; its middle if the segment is a point.
#[inline]
fn ratio(along: f64, square: f64) -> f64 {
    if square > 0.0 { clamped(along / square) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rods(tip_a: [f64; 3], tip_b: [f64; 3], between: [f64; 3]) -> Rods {
        let wide = |[x, y, z]: [f64; 3]| Wide::new(x, y, z);
        Rods { tip_a: wide(tip_a), tip_b: wide(tip_b), between: wide(between) }
    }

    #[test]
    fn crossing_rods_are_nearest_where_they_cross() {
        let cross = rods([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, -1.0, 3.0]);
        assert_eq!(cross.nearest(), Places { on_a: 0.5, on_b: 0.5 });
        assert_eq!(cross.way(cross.nearest()), Wide::new(0.0, 0.0, 3.0));
        assert_eq!(cross.stretch(), None);
    }

    #[test]
    fn an_end_is_nearest_to_what_lies_beyond_it() {
        let apart = rods([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.5, 0.0]);
        assert_eq!(apart.nearest(), Places { on_a: 1.0, on_b: -0.5 });
    }

    #[test]
    fn rods_side_by_side_share_a_stretch() {
        let beside = rods([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [2.0, 1.0, 0.0]);
        let [first, last] = beside.stretch().unwrap();
        assert_eq!(first, Places { on_a: 0.5, on_b: 1.0 });
        assert_eq!(last, Places { on_a: 1.0, on_b: 0.0 });
        assert_eq!(beside.way(beside.nearest()).length(), 1.0);
    }

    #[test]
    fn points_are_rods_without_length() {
        let points = rods([0.0; 3], [0.0; 3], [0.0, 3.0, 4.0]);
        assert_eq!(points.way(points.nearest()).length(), 5.0);
        assert_eq!(points.stretch(), None);
        assert_eq!(points.square(), Vec3::Y);
        let point = rods([0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, 3.0]);
        assert_eq!(point.way(point.nearest()).length(), 2.0);
    }
}
