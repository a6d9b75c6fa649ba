//! Capsule–box: the capsule's segment against the box, then its radius.
//!
//! The squared distance to the box of a point that moves along the segment is convex and piecewise
//! quadratic; the pieces meet where the point crosses the plane of a face. Its derivative vanishes
//! in one of seven pieces; evaluating it at the six planes finds that piece. A segment that enters
//! the box is pushed out along the best of six SAT axes: the three of the box, and their cross
//! products with the segment.

use embate_geom::{
    DVec3, Pose, Vec3,
    shapes::{Capsule, Cuboid},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::cuboid::{self, other_axes};
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::pairs::segment_segment::{self, SEGMENT_ROUNDING, SegmentPair};
use crate::narrow_phase::posed::Posed;

/// Bias towards faces, as a ratio of the smaller shape's size: a face is preferred to an edge with
/// less penetration by at most this. A face gives two points and a stable normal.
const FACE_OVER_EDGE_PREFERENCE: f64 = 1e-5;

/// The segment in the frame of the box: its center, and the vector from there to its upper end.
/// Vectors are arrays because the algorithms loop over the axes of the box.
struct SegmentVsCuboid {
    center: [f64; 3],
    half_segment: [f64; 3],
    half_extents: [f64; 3],
    /// Radius of the capsule.
    radius: f64,
}

/// The axis of minimum penetration or the closest points; the normal points out of the box.
struct SegmentCuboidAxis {
    /// Parameter on the segment; −1 is its lower end, 1 its upper.
    param: f64,
    on_cuboid: [f64; 3],
    normal: [f64; 3],
    distance: f64,
    feature: FeatureId,
}

/// Interval along which a segment touches a feature of a box.
struct CuboidInterval {
    feature: FeatureId,
    ends: [CuboidIntervalEnd; 2],
}

/// End of a [`CuboidInterval`].
struct CuboidIntervalEnd {
    /// Parameter on the segment, −1 to 1.
    param: f64,
    /// Distance of that point from the box.
    distance: f64,
}

/// Half the derivative of the squared distance at a parameter on the segment.
struct SlopeSample {
    param: f64,
    slope: f64,
}

fn to_vec3(vector: [f64; 3]) -> Vec3 {
    DVec3::from(vector).as_vec3()
}

fn clamp_abs(value: f64, limit: f64) -> f64 {
    value.clamp(-limit, limit)
}

impl SegmentVsCuboid {
    fn point_at(&self, param: f64) -> [f64; 3] {
        core::array::from_fn(|axis| self.center[axis] + param * self.half_segment[axis])
    }

    /// Half the derivative of the squared distance.
    fn half_slope(&self, param: f64) -> f64 {
        let mut slope = 0.0;
        for axis in 0..3 {
            let position = self.center[axis] + param * self.half_segment[axis];
            slope +=
                self.half_segment[axis] * (position - clamp_abs(position, self.half_extents[axis]));
        }
        slope
    }

    /// Size of the smaller shape.
    fn smaller_size(&self) -> f64 {
        let (capsule_size, cuboid_size) = (
            DVec3::from(self.half_segment).length() + self.radius,
            DVec3::from(self.half_extents).length(),
        );
        if capsule_size < cuboid_size { capsule_size } else { cuboid_size }
    }

    /// Scale of the rounding errors.
    fn sum_of_norms(&self, norm: impl Fn(DVec3) -> f64) -> f64 {
        norm(self.center.into()) + norm(self.half_segment.into()) + norm(self.half_extents.into())
    }

    /// Parameter of the point closest to the box; if a whole interval is equally close, any
    /// parameter of it.
    fn closest_param(&self) -> f64 {
        // The slope is monotonic. Between the last parameter where it is negative and the first
        // where it is positive, it is linear.
        let sample = |param: f64| SlopeSample { param, slope: self.half_slope(param) };
        let (mut falling, mut rising) = (sample(-1.0), sample(1.0));
        if falling.slope >= 0.0 && rising.slope > 0.0 {
            return -1.0;
        }
        if rising.slope <= 0.0 && falling.slope < 0.0 {
            return 1.0;
        }
        for axis in 0..3 {
            if self.half_segment[axis] == 0.0 {
                continue;
            }
            for plane in [-self.half_extents[axis], self.half_extents[axis]] {
                let param = (plane - self.center[axis]) / self.half_segment[axis];
                if param > falling.param && param < rising.param {
                    let slope = self.half_slope(param);
                    if slope < 0.0 {
                        falling = SlopeSample { param, slope };
                    } else if slope > 0.0 {
                        rising = SlopeSample { param, slope };
                    } else {
                        return param;
                    }
                }
            }
        }
        if rising.slope > falling.slope {
            falling.param
                + (rising.param - falling.param) * (-falling.slope / (rising.slope - falling.slope))
        } else {
            0.5 * (falling.param + rising.param)
        }
    }

    fn axis(&self) -> SegmentCuboidAxis {
        let param = self.closest_param();
        let point = self.point_at(param);
        let on_cuboid: [f64; 3] =
            core::array::from_fn(|axis| clamp_abs(point[axis], self.half_extents[axis]));
        let offset = DVec3::from(point) - DVec3::from(on_cuboid);
        let distance = offset.length();
        // L1 norms, an upper bound, spare most pairs the three square roots.
        if distance <= 2.0 * SEGMENT_ROUNDING * self.sum_of_norms(DVec3::l1_norm) {
            let lengths = self.sum_of_norms(DVec3::length);
            if distance <= SEGMENT_ROUNDING * lengths {
                return self.min_penetration_axis(lengths);
            }
        }
        let normal = <[f64; 3]>::from(offset).map(|component| component / distance);
        SegmentCuboidAxis {
            param,
            on_cuboid,
            normal,
            distance,
            feature: cuboid::feature_along(to_vec3(normal)),
        }
    }

    /// The axis of minimum penetration.
    fn min_penetration_axis(&self, lengths: f64) -> SegmentCuboidAxis {
        let mut best = (f64::NEG_INFINITY, 0);
        for axis in 0..3 {
            let separation =
                self.center[axis].abs() - self.half_extents[axis] - self.half_segment[axis].abs();
            if separation > best.0 {
                best = (separation, axis);
            }
        }
        let length_squared = DVec3::from(self.half_segment).length_squared();
        let face_preference =
            FACE_OVER_EDGE_PREFERENCE * self.smaller_size() + SEGMENT_ROUNDING * lengths;
        let mut edge: Option<(f64, usize, [f64; 3])> = None;
        for axis in 0..3 {
            let [j, k] = other_axes(axis);
            let perpendicular_squared = self.half_segment[j] * self.half_segment[j]
                + self.half_segment[k] * self.half_segment[k];
            // A segment along the axis has no cross product with it; a face is as good then.
            if perpendicular_squared <= 1e-10 * length_squared {
                continue;
            }
            let scale = 1.0 / perpendicular_squared.sqrt();
            let mut normal = [0.0; 3];
            (normal[j], normal[k]) = (-self.half_segment[k] * scale, self.half_segment[j] * scale);
            let center_dot = DVec3::from(self.center).dot(DVec3::from(normal));
            if center_dot < 0.0 {
                normal = normal.map(|component| -component);
            }
            let separation = center_dot.abs()
                - self.half_extents[j] * normal[j].abs()
                - self.half_extents[k] * normal[k].abs();
            if separation > edge.map_or(best.0 + face_preference, |(separation, ..)| separation) {
                edge = Some((separation, axis, normal));
            }
        }
        match edge {
            Some((distance, axis, normal)) => self.edge_axis(distance, axis, normal),
            None => self.face_axis(best.0, best.1),
        }
    }

    fn face_axis(&self, distance: f64, axis: usize) -> SegmentCuboidAxis {
        let negative = self.center[axis] < 0.0;
        let mut normal = [0.0; 3];
        normal[axis] = if negative { -1.0 } else { 1.0 };
        // The lower end; of a segment nearly along the face, the end of the interval over it.
        let rise = self.half_segment[axis] * normal[axis];
        let [first, last] = self.params_over_face(axis, normal);
        let param = if first > last || rise == 0.0 {
            0.5 * (clamp_abs(first, 1.0) + clamp_abs(last, 1.0))
        } else if rise > 0.0 {
            first
        } else {
            last
        };
        let mut on_cuboid = self.point_at(param);
        on_cuboid[axis] = normal[axis] * self.half_extents[axis];
        let feature = FeatureId::face(cuboid::face_index(axis, negative));
        SegmentCuboidAxis { param, on_cuboid, normal, distance, feature }
    }

    fn edge_axis(&self, distance: f64, axis: usize, normal: [f64; 3]) -> SegmentCuboidAxis {
        let mut edge = normal.map(|component| if component < 0.0 { -1.0 } else { 1.0 });
        for (side, half) in edge.iter_mut().zip(self.half_extents) {
            *side *= half;
        }
        edge[axis] = 0.0;
        let mut edge_half_extent = [0.0; 3];
        edge_half_extent[axis] = self.half_extents[axis];
        let segments = SegmentPair {
            half_extent_a: DVec3::from(self.half_segment),
            half_extent_b: DVec3::from(edge_half_extent),
            a_to_b: DVec3::from(edge) - DVec3::from(self.center),
        };
        let params = segments.closest_params();
        edge[axis] = params.on_b * self.half_extents[axis];
        let feature = cuboid::feature_along(to_vec3(normal));
        SegmentCuboidAxis { param: params.on_a, on_cuboid: edge, normal, distance, feature }
    }

    /// Distance of a point of the segment from the box: outside, the true distance; inside, that
    /// along the normal. `None` if the vector to the box is not along the normal.
    fn distance_at(&self, point: [f64; 3], segment_axis: &SegmentCuboidAxis) -> Option<f64> {
        let offset_from = |on_cuboid: [f64; 3]| DVec3::from(point) - DVec3::from(on_cuboid);
        if segment_axis.distance <= 0.0 {
            let from_cuboid = offset_from(segment_axis.on_cuboid);
            let distance = from_cuboid.dot(DVec3::from(segment_axis.normal));
            let from_cuboid = <[f64; 3]>::from(from_cuboid);
            // Below a face every point qualifies; beside an edge, only points with the same lateral
            // offset as the deepest one.
            let is_edge =
                segment_axis.normal.iter().filter(|&&component| component != 0.0).count() > 1;
            let lateral: [f64; 3] = core::array::from_fn(|axis| {
                let component = from_cuboid[axis] - distance * segment_axis.normal[axis];
                if segment_axis.normal[axis] == 0.0 { 0.0 } else { component }
            });
            let is_beside = is_edge && DVec3::from(lateral).length() > 5e-4 * self.smaller_size();
            return (!is_beside).then_some(distance);
        }
        let on_cuboid =
            core::array::from_fn(|axis| clamp_abs(point[axis], self.half_extents[axis]));
        let from_cuboid = offset_from(on_cuboid);
        let distance = from_cuboid.length();
        segment_segment::shares_normal(
            from_cuboid,
            to_vec3(segment_axis.normal),
            0.0,
            self.smaller_size(),
        )
        .then_some(distance)
    }

    /// Parameters of the interval over a face, projected along a normal equal or close to its own;
    /// first > last if there is none.
    fn params_over_face(&self, axis: usize, normal: [f64; 3]) -> [f64; 2] {
        let (mut first, mut last) = (-1.0, 1.0);
        let height = self.center[axis] - self.half_extents[axis].copysign(normal[axis]);
        for other in other_axes(axis) {
            let slope = normal[other] / normal[axis];
            let (center, half_segment, half_size) = (
                self.center[other] - slope * height,
                self.half_segment[other] - slope * self.half_segment[axis],
                self.half_extents[other],
            );
            if half_segment == 0.0 {
                continue;
            }
            let (t0, t1) =
                ((-half_size - center) / half_segment, (half_size - center) / half_segment);
            let (entry, exit) = if t0 < t1 { (t0, t1) } else { (t1, t0) };
            first = if entry > first { entry } else { first };
            last = if exit < last { exit } else { last };
        }
        [first, last]
    }

    /// Parameters of the interval along an edge, if the segment is parallel to it.
    fn params_along_edge(&self, axis: usize, on_cuboid: [f64; 3]) -> Option<[f64; 2]> {
        let mut edge_half_extent = [0.0; 3];
        edge_half_extent[axis] = self.half_extents[axis];
        let mut edge = on_cuboid;
        edge[axis] = 0.0;
        let segments = SegmentPair {
            half_extent_a: DVec3::from(self.half_segment),
            half_extent_b: DVec3::from(edge_half_extent),
            a_to_b: DVec3::from(edge) - DVec3::from(self.center),
        };
        segments.overlap_interval().map(|ends| ends.map(|params| params.on_a))
    }

    /// The interval along which the segment touches the box, if there is one.
    fn contact_interval(&self, segment_axis: &SegmentCuboidAxis) -> Option<CuboidInterval> {
        let is_nonzero = to_vec3(segment_axis.normal).to_array().map(|component| component != 0.0);
        let axis = cuboid::max_axis(to_vec3(segment_axis.normal).abs());
        let interval = match is_nonzero {
            [true, false, false] | [false, true, false] | [false, false, true] => {
                Some(self.params_over_face(axis, segment_axis.normal))
            }
            [false, true, true] => self.params_along_edge(0, segment_axis.on_cuboid),
            [true, false, true] => self.params_along_edge(1, segment_axis.on_cuboid),
            [true, true, false] => self.params_along_edge(2, segment_axis.on_cuboid),
            _ => None,
        };
        let interval = interval.and_then(|[first, last]| {
            let end = |param: f64| {
                let distance = self.distance_at(self.point_at(param), segment_axis)?;
                Some(CuboidIntervalEnd { param, distance })
            };
            Some(CuboidInterval { feature: segment_axis.feature, ends: [end(first)?, end(last)?] })
        });
        interval.or_else(|| self.interval_from_face_border(axis, segment_axis)).filter(|interval| {
            // Ends closer than 1/2000 of the segment are one.
            interval.ends[1].param - interval.ends[0].param > 1e-3
        })
    }

    /// The interval of a segment that is closest to the border of a face and lies along that face:
    /// see [`segment_segment::ALONG_FACE_COSINE`].
    fn interval_from_face_border(
        &self,
        axis: usize,
        segment_axis: &SegmentCuboidAxis,
    ) -> Option<CuboidInterval> {
        let cosine = segment_axis.normal[axis].abs();
        if segment_axis.distance <= 0.0 || cosine < f64::from(segment_segment::ALONG_FACE_COSINE) {
            return None;
        }
        let sign = segment_axis.normal[axis].signum();
        let height = |param: f64| sign * self.point_at(param)[axis] - self.half_extents[axis];
        let ends = self.params_over_face(axis, segment_axis.normal);
        Some(CuboidInterval {
            feature: FeatureId::face(cuboid::face_index(axis, sign < 0.0)),
            ends: ends.map(|param| CuboidIntervalEnd { param, distance: height(param) / cosine }),
        })
    }
}

fn segment_in_cuboid(a: Posed<'_, Capsule>, b: Posed<'_, Cuboid>) -> SegmentVsCuboid {
    let segment_frame = b.pose.inv_mul(a.pose);
    SegmentVsCuboid {
        center: DVec3::from(segment_frame.translation).into(),
        half_segment: DVec3::from(segment_frame.basis.columns[1] * a.shape.half_height()).into(),
        half_extents: DVec3::from(b.shape.half_extents()).into(),
        radius: a.shape.radius().into(),
    }
}

/// Closest features; `None` if farther apart than `max_distance`.
pub(crate) fn closest_features(
    a: Posed<'_, Capsule>,
    b: Posed<'_, Cuboid>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let segment = segment_in_cuboid(a, b);
    let axis = segment.axis();
    let distance = (axis.distance - f64::from(a.shape.radius())) as f32;
    (distance <= max_distance)
        .then(|| closest_features_in_world(&segment, &axis, distance, a.shape.radius(), b.pose))
}

fn closest_features_in_world(
    segment: &SegmentVsCuboid,
    axis: &SegmentCuboidAxis,
    distance: f32,
    radius: f32,
    pose_b: &Pose,
) -> ClosestFeatures {
    let frame = pose_b.to_rigid_transform();
    let normal = to_vec3(axis.normal);
    let on_a = to_vec3(segment.point_at(axis.param)) - normal * radius;
    ClosestFeatures {
        normal: -(frame.basis * normal),
        distance,
        points: [frame.transform_point(on_a), frame.transform_point(to_vec3(axis.on_cuboid))],
        features: [FeatureId::on_segment(axis.param), axis.feature],
    }
}

/// One or two points: a segment over a face or along an edge touches at both ends of its interval.
pub(crate) fn contact_manifold(
    a: Posed<'_, Capsule>,
    b: Posed<'_, Cuboid>,
    margin: f32,
) -> Option<Manifold> {
    let segment = segment_in_cuboid(a, b);
    let axis = segment.axis();
    let distance = (axis.distance - f64::from(a.shape.radius())) as f32;
    if distance > margin {
        return None;
    }
    let closest = closest_features_in_world(&segment, &axis, distance, a.shape.radius(), b.pose);
    let normal = to_vec3(axis.normal);
    let Some(CuboidInterval { feature: cuboid_feature, ends }) = segment.contact_interval(&axis)
    else {
        return Some(closest.manifold());
    };
    let frame = b.pose.to_rigid_transform();
    let mut manifold = Manifold::with_normal(closest.normal);
    for (number, CuboidIntervalEnd { param, distance }) in ends.into_iter().enumerate() {
        let distance = (distance - segment.radius) as f32;
        if distance <= margin {
            let on_a = to_vec3(segment.point_at(param)) - normal * a.shape.radius();
            manifold.push(ContactPoint {
                position: frame.transform_point(on_a - normal * (distance * 0.5)),
                penetration: -distance,
                feature_id: pack_features(FeatureId::interval_end(param, number), cuboid_feature),
            });
        }
    }
    // The deepest point is an end of the interval, unless the segment is nearly along the face.
    let tolerance = 4e-5 * segment.smaller_size() as f32;
    if manifold.points().is_empty() || manifold.max_penetration() < -distance - tolerance {
        return Some(closest.manifold());
    }
    Some(manifold)
}
