//! A capsule and a box: the capsule's segment against the box, then its radius.
//!
//! The square of the distance from a point that runs along the segment to the box is convex and made of
//! parabolas, whose pieces meet where the point passes a plane of a face. Its slope is zero in one of
//! seven pieces; evaluating it at the six planes finds which. A segment that enters the box leaves it
//! along the best of six axes: the three of the box, and their products with the segment.

use embate_geom::{
    Pose, Vec3, Wide,
    shapes::{Capsule, Cuboid},
};

use super::cuboid::{self, others};
use super::feature::{Part, feature};
use super::manifold::{ContactPoint, Manifold};
use super::nearest::Nearest;
use super::rods::{self, ROUNDING, Rods};

/// A face wins over a product of edges that is better by no more than this part of the smaller one's size: a
/// face gives two points, and its normal does not flutter.
const FACE_PREFERENCE: f64 = 1e-5;

/// The segment in the frame of the box: its middle, and from there to its upper end.
struct Segment {
    middle: [f64; 3],
    tip: [f64; 3],
    half: [f64; 3],
    /// Of the capsule.
    radius: f64,
}

/// Where the segment is nearest to or deepest in the box. Normals point out of the box.
struct Found {
    /// −1 is its lower end, 1 its upper.
    place: f64,
    on_box: [f64; 3],
    normal: [f64; 3],
    distance: f64,
    part: Part,
}

/// Where a segment touches a part of a box from one place to another.
struct Stretch {
    part: Part,
    /// Where on the segment it begins and ends, and how far from the box that is.
    ends: [(f64, f64); 2],
}

fn array(vector: Vec3) -> [f64; 3] {
    vector.to_array().map(f64::from)
}

fn narrow([x, y, z]: [f64; 3]) -> Vec3 {
    Wide::new(x, y, z).narrow()
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn clamped(value: f64, limit: f64) -> f64 {
    value.clamp(-limit, limit)
}

impl Segment {
    fn at(&self, place: f64) -> [f64; 3] {
        core::array::from_fn(|axis| self.middle[axis] + place * self.tip[axis])
    }

    /// Half the slope of the square of the distance.
    fn slope(&self, place: f64) -> f64 {
        let mut slope = 0.0;
        for axis in 0..3 {
            let at = self.middle[axis] + place * self.tip[axis];
            slope += self.tip[axis] * (at - clamped(at, self.half[axis]));
        }
        slope
    }

    /// The size of the smaller of the two.
    fn smaller(&self) -> f64 {
        let (capsule, cuboid) =
            (dot(self.tip, self.tip).sqrt() + self.radius, dot(self.half, self.half).sqrt());
        if capsule < cuboid { capsule } else { cuboid }
    }

    /// The place nearest to the box; where a whole stretch is as near, some place of it.
    fn nearest_place(&self) -> f64 {
        // The slope rises from end to end: between the last place where it falls and the first where it
        // rises, it is a straight line.
        let (mut falls, mut rises) = ((-1.0, self.slope(-1.0)), (1.0, self.slope(1.0)));
        if falls.1 >= 0.0 && rises.1 > 0.0 {
            return -1.0;
        }
        if rises.1 <= 0.0 && falls.1 < 0.0 {
            return 1.0;
        }
        for axis in 0..3 {
            if self.tip[axis] == 0.0 {
                continue;
            }
            for plane in [-self.half[axis], self.half[axis]] {
                let place = (plane - self.middle[axis]) / self.tip[axis];
                if place > falls.0 && place < rises.0 {
                    let slope = self.slope(place);
                    if slope < 0.0 {
                        falls = (place, slope);
                    } else if slope > 0.0 {
                        rises = (place, slope);
                    } else {
                        return place;
                    }
                }
            }
        }
        if rises.1 > falls.1 {
            falls.0 + (rises.0 - falls.0) * (-falls.1 / (rises.1 - falls.1))
        } else {
            0.5 * (falls.0 + rises.0)
        }
    }

    fn found(&self) -> Found {
        let place = self.nearest_place();
        let at = self.at(place);
        let on_box: [f64; 3] = core::array::from_fn(|axis| clamped(at[axis], self.half[axis]));
        let out: [f64; 3] = core::array::from_fn(|axis| at[axis] - on_box[axis]);
        let distance = dot(out, out).sqrt();
        let lengths = dot(self.middle, self.middle).sqrt()
            + dot(self.tip, self.tip).sqrt()
            + dot(self.half, self.half).sqrt();
        if distance <= ROUNDING * lengths {
            return self.deepest(lengths);
        }
        let normal = out.map(|component| component / distance);
        Found { place, on_box, normal, distance, part: cuboid::part_along(narrow(normal)) }
    }

    /// The shortest way out of the box.
    fn deepest(&self, lengths: f64) -> Found {
        let mut best = (f64::NEG_INFINITY, 0);
        for axis in 0..3 {
            let apart = self.middle[axis].abs() - self.half[axis] - self.tip[axis].abs();
            if apart > best.0 {
                best = (apart, axis);
            }
        }
        let square = dot(self.tip, self.tip);
        let preference = FACE_PREFERENCE * self.smaller() + ROUNDING * lengths;
        let mut edge: Option<(f64, usize, [f64; 3])> = None;
        for axis in 0..3 {
            let [j, k] = others(axis);
            let across = self.tip[j] * self.tip[j] + self.tip[k] * self.tip[k];
            // A segment along the axis has no product with it; a face is then as good.
            if across <= 1e-10 * square {
                continue;
            }
            let scale = 1.0 / across.sqrt();
            let mut normal = [0.0; 3];
            (normal[j], normal[k]) = (-self.tip[k] * scale, self.tip[j] * scale);
            let along = dot(self.middle, normal);
            if along < 0.0 {
                normal = normal.map(|component| -component);
            }
            let apart =
                along.abs() - self.half[j] * normal[j].abs() - self.half[k] * normal[k].abs();
            if apart > edge.map_or(best.0 + preference, |(apart, ..)| apart) {
                edge = Some((apart, axis, normal));
            }
        }
        match edge {
            Some((distance, axis, normal)) => self.deepest_at_edge(distance, axis, normal),
            None => self.deepest_at_face(best.0, best.1),
        }
    }

    fn deepest_at_face(&self, distance: f64, axis: usize) -> Found {
        let negative = self.middle[axis] < 0.0;
        let mut normal = [0.0; 3];
        normal[axis] = if negative { -1.0 } else { 1.0 };
        // The lower end; of a segment nearly along the face, as far as the face goes.
        let falling = self.tip[axis] * normal[axis];
        let [first, last] = self.stretch_over_face(axis, normal);
        let place = if first > last || falling == 0.0 {
            0.5 * (clamped(first, 1.0) + clamped(last, 1.0))
        } else if falling > 0.0 {
            first
        } else {
            last
        };
        let mut on_box = self.at(place);
        on_box[axis] = normal[axis] * self.half[axis];
        let part = Part::face(cuboid::face_index(axis, negative));
        Found { place, on_box, normal, distance, part }
    }

    fn deepest_at_edge(&self, distance: f64, axis: usize, normal: [f64; 3]) -> Found {
        let mut edge = normal.map(|component| if component < 0.0 { -1.0 } else { 1.0 });
        for (side, half) in edge.iter_mut().zip(self.half) {
            *side *= half;
        }
        edge[axis] = 0.0;
        let mut tip_b = [0.0; 3];
        tip_b[axis] = self.half[axis];
        let wide = |[x, y, z]: [f64; 3]| Wide::new(x, y, z);
        let rods = Rods {
            tip_a: wide(self.tip),
            tip_b: wide(tip_b),
            between: wide(core::array::from_fn(|axis| edge[axis] - self.middle[axis])),
        };
        let places = rods.nearest();
        edge[axis] = places.on_b * self.half[axis];
        let part = cuboid::part_along(narrow(normal));
        Found { place: places.on_a, on_box: edge, normal, distance, part }
    }

    /// From a point of the segment to the box: the true distance outside, along the normal inside; `None`
    /// if its way to the box is not along the normal.
    fn distance_at(&self, at: [f64; 3], found: &Found) -> Option<f64> {
        let from = |on_box: [f64; 3]| core::array::from_fn(|axis| at[axis] - on_box[axis]);
        if found.distance <= 0.0 {
            let way = from(found.on_box);
            let distance = dot(way, found.normal);
            // Under a face all of it is; beside an edge, what is beside it by as much as the deepest place.
            let edge = found.normal.iter().filter(|&&component| component != 0.0).count() > 1;
            let aside = core::array::from_fn(|axis| {
                let across = way[axis] - distance * found.normal[axis];
                if found.normal[axis] == 0.0 { 0.0 } else { across }
            });
            let beside = edge && dot(aside, aside).sqrt() > 5e-4 * self.smaller();
            return (!beside).then_some(distance);
        }
        let on_box = core::array::from_fn(|axis| clamped(at[axis], self.half[axis]));
        let [x, y, z] = from(on_box);
        let way = Wide::new(x, y, z);
        let distance = way.length();
        rods::shares(way, narrow(found.normal), 0.0, self.smaller()).then_some(distance)
    }

    /// The ends of the stretch of the segment that lies over a face as seen along a normal, its own or nearly; the
    /// first beyond the last if there is none.
    fn stretch_over_face(&self, axis: usize, normal: [f64; 3]) -> [f64; 2] {
        let (mut first, mut last) = (-1.0, 1.0);
        let height = self.middle[axis] - self.half[axis].copysign(normal[axis]);
        for other in others(axis) {
            let lean = normal[other] / normal[axis];
            let (middle, tip, half) = (
                self.middle[other] - lean * height,
                self.tip[other] - lean * self.tip[axis],
                self.half[other],
            );
            if tip == 0.0 {
                continue;
            }
            let (one, two) = ((-half - middle) / tip, (half - middle) / tip);
            let (enter, leave) = if one < two { (one, two) } else { (two, one) };
            first = if enter > first { enter } else { first };
            last = if leave < last { leave } else { last };
        }
        [first, last]
    }

    /// The ends of the stretch that lies along an edge, if it does.
    fn stretch_along_edge(&self, axis: usize, on_box: [f64; 3]) -> Option<[f64; 2]> {
        let mut tip_b = [0.0; 3];
        tip_b[axis] = self.half[axis];
        let wide = |[x, y, z]: [f64; 3]| Wide::new(x, y, z);
        let mut edge = on_box;
        edge[axis] = 0.0;
        let rods = Rods {
            tip_a: wide(self.tip),
            tip_b: wide(tip_b),
            between: wide(core::array::from_fn(|axis| edge[axis] - self.middle[axis])),
        };
        rods.stretch().map(|ends| ends.map(|places| places.on_a))
    }

    /// The stretch along which the segment touches the box, if it does along one.
    fn stretch(&self, found: &Found) -> Option<Stretch> {
        let lean = narrow(found.normal).to_array().map(|component| component != 0.0);
        let axis = cuboid::greatest(narrow(found.normal).abs());
        let along = match lean {
            [true, false, false] | [false, true, false] | [false, false, true] => {
                Some(self.stretch_over_face(axis, found.normal))
            }
            [false, true, true] => self.stretch_along_edge(0, found.on_box),
            [true, false, true] => self.stretch_along_edge(1, found.on_box),
            [true, true, false] => self.stretch_along_edge(2, found.on_box),
            _ => None,
        };
        let along = along.and_then(|[first, last]| {
            let end = |place: f64| Some((place, self.distance_at(self.at(place), found)?));
            Some(Stretch { part: found.part, ends: [end(first)?, end(last)?] })
        });
        along.or_else(|| self.stretch_from_rim(axis, found)).filter(|stretch| {
            // Ends closer than a thousandth of the segment are one.
            stretch.ends[1].0 - stretch.ends[0].0 > 1e-3
        })
    }

    /// Of what is nearest at the rim of a face and lies along that face: see [`rods::ALONG_FACE`].
    fn stretch_from_rim(&self, axis: usize, found: &Found) -> Option<Stretch> {
        let steepness = found.normal[axis].abs();
        if found.distance <= 0.0 || steepness < f64::from(rods::ALONG_FACE) {
            return None;
        }
        let upwards = found.normal[axis].signum();
        let height = |place: f64| upwards * self.at(place)[axis] - self.half[axis];
        let ends = self.stretch_over_face(axis, found.normal);
        Some(Stretch {
            part: Part::face(cuboid::face_index(axis, upwards < 0.0)),
            ends: ends.map(|place| (place, height(place) / steepness)),
        })
    }
}

fn segment((a, pose_a): (&Capsule, &Pose), (b, pose_b): (&Cuboid, &Pose)) -> Segment {
    let seen = pose_b.seen(pose_a);
    Segment {
        middle: array(seen.origin),
        tip: array(seen.axes.columns[1] * a.half_height()),
        half: array(b.half()),
        radius: a.radius().into(),
    }
}

/// Where they are nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Cuboid, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let segment = segment((a, pose_a), (b, pose_b));
    let found = segment.found();
    let distance = (found.distance - f64::from(a.radius())) as f32;
    (distance <= beyond).then(|| in_world(&segment, &found, distance, a.radius(), pose_b))
}

fn in_world(
    segment: &Segment,
    found: &Found,
    distance: f32,
    radius: f32,
    pose_b: &Pose,
) -> Nearest {
    let frame = pose_b.frame();
    let normal = narrow(found.normal);
    let on_a = narrow(segment.at(found.place)) - normal * radius;
    Nearest {
        normal: -(frame.axes * normal),
        distance,
        points: [frame.point(on_a), frame.point(narrow(found.on_box))],
        parts: [Part::of_rod(found.place), found.part],
    }
}

/// One or two points: a segment over a face or along an edge touches with both ends of its stretch.
pub(super) fn contact(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Cuboid, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let segment = segment((a, pose_a), (b, pose_b));
    let found = segment.found();
    let distance = (found.distance - f64::from(a.radius())) as f32;
    if distance > margin {
        return None;
    }
    let nearest = in_world(&segment, &found, distance, a.radius(), pose_b);
    let normal = narrow(found.normal);
    let Some(Stretch { part, ends }) = segment.stretch(&found) else {
        return Some(nearest.manifold());
    };
    let frame = pose_b.frame();
    let mut manifold = Manifold::along(nearest.normal);
    for (number, (place, distance)) in ends.into_iter().enumerate() {
        let distance = (distance - segment.radius) as f32;
        if distance <= margin {
            let on_a = narrow(segment.at(place)) - normal * a.radius();
            manifold.push(ContactPoint {
                point: frame.point(on_a - normal * (distance * 0.5)),
                depth: -distance,
                feature: feature(Part::of_stretch(place, number), part),
            });
        }
    }
    // The deepest place is an end of the stretch, but where the segment is nearly along the face.
    let tolerance = 4e-5 * segment.smaller() as f32;
    if manifold.points().is_empty() || manifold.depth() < -distance - tolerance {
        return Some(nearest.manifold());
    }
    Some(manifold)
}
