//! Conservative advancement with rotating separating axes: first fraction at which two convex parts
//! come within a distance.
//!
//! Mirtich 1996; Zhang, Lee and Kim 2006. At a fraction `t` of the sweep, a distance query (GJK)
//! gives a separating axis `n` and the gap along it. From there the gap is followed along `n(t)`,
//! which rotates at a constant rate. Each evaluation takes two support vertices instead of a
//! distance query:
//!
//! ```text
//!   gap ▲                      For a vertex p of a body, the second derivative of p·n(t) is at
//!       │╲    chord            most |p| · |ωₙ − ω| · (|ωₙ| + |ω|), with the rotation rates ωₙ of
//!       │ ╲╲                   the axis and ω of the body. The gap is a minimum of such terms, so
//!       │  ╲ ╲╲                it lies above its chord minus a parabola:
//!       │   ╲__ ╲╲___•
//!       └──────╳─────┴──► t    gap(t + s) ≥ chord(s) − C s (h − s) / 2
//!         safe ┘     h
//!                              Up to the first root of the right-hand side there is no contact.
//! ```
//!
//! An axis that follows the face, edge or vertex it came from keeps its gap, so few distance
//! queries are needed. The bound holds for any axis: the choice affects the cost, not the result.
//!
//! Guarantee: the returned fraction is not later than the first contact, except for rounding in
//! f64.

use embate_geom::{DMat3, DVec3};

use crate::narrow_phase::convex::simplex::{Simplex, SimplexVertex};
use crate::narrow_phase::toi::convex_part::{ConvexPart, Core, PosedPart};
use crate::narrow_phase::toi::sweep::{RotationRate, SweepF64};

/// Parts within the target distance plus this fraction of their sizes are in contact: small enough
/// that grazing bodies are not reported much too early.
const CONTACT_TOLERANCE: f64 = 1e-10;

/// Distance queries of one pair. When they are used up, the impact is reported at the last fraction
/// known to be free of contact. Few pairs need more than ten.
const MAX_DISTANCE_QUERIES: u32 = 256;

/// Evaluations of the gap along one axis between two distance queries.
const MAX_STEPS_PER_AXIS: u32 = 16;

/// The gap along an axis is followed down to this fraction of its initial value; then a distance
/// query finds a better axis.
const AXIS_REUSE_GAP_RATIO: f64 = 0.25;

/// A step of the sweep fraction below the resolution of f32.
const MIN_FRACTION_STEP: f64 = 1e-12;

/// Iterations of the distance query between two cores; see `gjk`.
const MAX_GJK_ITERATIONS: usize = 64;

/// A convex part of a body with its sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingPart<'a> {
    pub(crate) part: ConvexPart<'a>,
    pub(crate) sweep: SweepF64,
    max_radius: f64,
    /// Zero if rotation does not change the part.
    rotation: RotationRate,
}

impl<'a> MovingPart<'a> {
    pub(crate) fn new(part: ConvexPart<'a>, sweep: SweepF64) -> Self {
        let max_radius = part.max_radius();
        let is_half_space = matches!(part.core, Core::HalfSpace(_));
        let rotation =
            if max_radius > 0.0 || is_half_space { sweep.rotation } else { RotationRate::NONE };
        Self { part, sweep, max_radius, rotation }
    }

    /// Sphere about the center of rotation that contains the part at all rotations; a half-space is
    /// returned unchanged.
    pub(crate) fn bounding_sphere(&self) -> Self {
        if let Core::HalfSpace(_) = self.part.core {
            return *self;
        }
        let radius = self.max_radius + self.part.radius;
        let part =
            ConvexPart { core: Core::Point, radius, basis: DMat3::IDENTITY, offset: DVec3::ZERO };
        Self::new(part, self.sweep)
    }

    /// Rotation angle over a span of the sweep, in radians.
    pub(crate) fn rotation_angle(&self, span: f64) -> f64 {
        self.rotation.rate * span
    }

    fn support_distance(&self, fraction: f64, direction: DVec3) -> f64 {
        if self.rotation.rate == 0.0 && self.max_radius == 0.0 {
            return self.part.radius;
        }
        self.part.support_distance(self.sweep.inverse_rotate_at(fraction, direction))
    }

    fn posed(&self, fraction: f64) -> PosedPart<'_> {
        self.part.posed(&self.sweep.basis_at(fraction))
    }

    /// Upper bound of the second derivative of the support distance along a rotating axis.
    fn curvature_bound(&self, axis_rotation: &RotationRate) -> f64 {
        let relative_rate = (axis_rotation.vector - self.rotation.vector).length();
        self.max_radius * relative_rate * (axis_rotation.rate + self.rotation.rate)
    }
}

/// Two moving parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovingPair<'a> {
    a: &'a MovingPart<'a>,
    b: &'a MovingPart<'a>,
    /// From the center of rotation of A to that of B at fraction 0.
    center_offset: DVec3,
    /// Change of `center_offset` over the whole sweep.
    relative_translation: DVec3,
}

/// Separation of two cores at one fraction of the sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoreSeparation {
    /// From A to B, of length 1.
    pub(crate) axis: DVec3,
    /// Gap between the surfaces along the axis, a lower bound of their distance.
    pub(crate) gap: f64,
    /// Witness points on the cores, relative to the center of A, along the axes of the world.
    pub(crate) points: [DVec3; 2],
    /// Whether the axis is the normal of a face of A, of B.
    from_face: [bool; 2],
    /// Vertices of the simplex, to warm-start the next distance query.
    cache: SimplexCache,
}

/// Simplex cache (compare `b2SimplexCache`): up to three vertices of A, each with one of B.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SimplexCache {
    indices: [[u32; 2]; 3],
    count: usize,
}

impl SimplexCache {
    fn from_simplex(simplex: &Simplex) -> Self {
        let mut cache = Self::default();
        for vertex in simplex.vertices().iter().take(3) {
            cache.indices[cache.count] = vertex.indices;
            cache.count += 1;
        }
        cache
    }
}

/// First contact of two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartImpact {
    pub(crate) fraction: f64,
    /// From A to B, of length 1; `None` if the cores overlap.
    pub(crate) normal: Option<DVec3>,
    /// Witness points on the surfaces, in the world.
    pub(crate) points: [DVec3; 2],
}

impl<'a> MovingPair<'a> {
    pub(crate) fn new(a: &'a MovingPart<'a>, b: &'a MovingPart<'a>) -> Self {
        let center_offset = b.sweep.center - a.sweep.center;
        Self {
            a,
            b,
            center_offset,
            relative_translation: b.sweep.translation - a.sweep.translation,
        }
    }

    /// First fraction in `from..until` at which the parts come within `target`; `None` if they do
    /// not. Each distance query is deducted from `query_budget`. When it is used up, the impact is
    /// reported at the last fraction known to be free of contact.
    pub(crate) fn first_fraction_within(
        &self,
        target: f64,
        from: f64,
        until: f64,
        query_budget: &mut u32,
    ) -> Option<PartImpact> {
        let max_offset = self.offset_at(from).length().max(self.offset_at(until).length());
        let tolerance =
            CONTACT_TOLERANCE * (self.a.part.size() + self.b.part.size()) + 1e-14 * max_offset;
        let mut fraction = from;
        if let (Core::Point, Core::Point, true) = self.cores() {
            return self.spheres_first_fraction(target + 0.5 * tolerance, from, until);
        }
        let mut previous: Option<(f64, CoreSeparation)> = None;
        for _ in 0..MAX_DISTANCE_QUERIES {
            *query_budget = query_budget.saturating_sub(1);
            let Some(separation) =
                self.separation_at(fraction, previous.as_ref().map(|(_, separation)| separation))
            else {
                return Some(self.impact(fraction, self.just_before(fraction, previous.as_ref())));
            };
            // Half of the tolerance is reserved for rounding.
            let clearance = separation.gap - target - 0.5 * tolerance;
            if clearance <= 0.5 * tolerance {
                return Some(self.impact(fraction, Some(separation)));
            }
            let axis_rotation = self.choose_axis_rotation(fraction, &separation, previous.as_ref());
            let next =
                self.advance_along_axis(fraction, until, &separation, clearance, &axis_rotation);
            if next >= until {
                return None;
            }
            if next - fraction < MIN_FRACTION_STEP || *query_budget == 0 {
                return Some(self.impact(fraction, Some(separation)));
            }
            previous = Some((fraction, separation));
            fraction = next;
        }
        Some(self.impact(fraction, previous.map(|(_, separation)| separation)))
    }

    /// Separation of cores that overlap at `fraction`. After the start only rounding can make them
    /// overlap; slightly earlier they are separated.
    fn just_before(
        &self,
        fraction: f64,
        previous: Option<&(f64, CoreSeparation)>,
    ) -> Option<CoreSeparation> {
        let (earlier, last) = previous?;
        let separation_before =
            |ratio: f64| self.separation_at(fraction - (fraction - earlier) * ratio, Some(last));
        [1e-6, 1e-4, 1e-2].into_iter().find_map(separation_before).or(Some(*last))
    }

    fn offset_at(&self, fraction: f64) -> DVec3 {
        self.center_offset + self.relative_translation * fraction
    }

    fn impact(&self, fraction: f64, separation: Option<CoreSeparation>) -> PartImpact {
        let center = self.a.sweep.center + self.a.sweep.translation * fraction;
        let Some(separation) = separation else {
            return PartImpact { fraction, normal: None, points: [center; 2] };
        };
        let [on_a, on_b] = separation.points;
        let points = [
            center + on_a + separation.axis * self.a.part.radius,
            center + on_b - separation.axis * self.b.part.radius,
        ];
        PartImpact { fraction, normal: Some(separation.axis), points }
    }

    /// Rotation of the axis that best preserves its gap: with the body whose face it belongs to,
    /// otherwise at the rate since the previous query.
    fn choose_axis_rotation(
        &self,
        fraction: f64,
        separation: &CoreSeparation,
        previous: Option<&(f64, CoreSeparation)>,
    ) -> RotationRate {
        let max_body_rate = self.a.rotation.rate + self.b.rotation.rate;
        if max_body_rate == 0.0 {
            return RotationRate::NONE;
        }
        match (separation.from_face, previous) {
            ([true, _], _) => self.a.rotation,
            ([_, true], _) => self.b.rotation,
            (_, Some((earlier, last))) => {
                let axis_rate = last.axis.cross(separation.axis) * (1.0 / (fraction - earlier));
                // Bound of the speed of a point of one body relative to one of the other.
                let (a, b) = (self.a, self.b);
                let point_speed = a.max_radius * a.rotation.rate
                    + b.max_radius * b.rotation.rate
                    + self.relative_translation.length();
                let lever = a.part.radius + b.part.radius + 0.1 * a.part.size().min(b.part.size());
                // At a higher rate the axis has jumped to another feature.
                let max_rate = max_body_rate + point_speed / lever;
                if axis_rate.length() <= max_rate {
                    RotationRate::new(axis_rate)
                } else {
                    RotationRate::NONE
                }
            }
            _ => RotationRate::NONE,
        }
    }

    /// Gap along an axis at a fraction of the sweep.
    fn gap(&self, fraction: f64, axis: DVec3) -> f64 {
        axis.dot(self.offset_at(fraction))
            - self.a.support_distance(fraction, axis)
            - self.b.support_distance(fraction, -axis)
    }

    /// Upper bound, from a fraction to `until`, of the second derivative of the offset between the
    /// bodies along a rotating axis.
    fn offset_curvature(&self, until: f64, axis_rotation: &RotationRate) -> impl Fn(f64) -> f64 {
        let (pair, rate) = (*self, axis_rotation.rate);
        let (length_at_end, translation) = if rate == 0.0 {
            (0.0, 0.0)
        } else {
            (pair.offset_at(until).length(), pair.relative_translation.length())
        };
        move |from| {
            if rate == 0.0 {
                return 0.0;
            }
            let max_offset = pair.offset_at(from).length().max(length_at_end);
            rate * (rate * max_offset + 2.0 * translation)
        }
    }

    /// Fraction up to which the gap along an axis cannot have closed. `clearance`, above 0, is the
    /// part of the gap that may close.
    fn advance_along_axis(
        &self,
        from: f64,
        until: f64,
        separation: &CoreSeparation,
        clearance: f64,
        axis_rotation: &RotationRate,
    ) -> f64 {
        let (mut fraction, mut axis, mut remaining) = (from, separation.axis, clearance);
        let target_gap = separation.gap - clearance;
        let curvature =
            self.a.curvature_bound(axis_rotation) + self.b.curvature_bound(axis_rotation);
        let offset_curvature = self.offset_curvature(until, axis_rotation);
        for _ in 0..MAX_STEPS_PER_AXIS {
            // The constant C of the module documentation: curvature of both bodies and of the
            // offset between them.
            let curvature = curvature + offset_curvature(fraction);
            let rest = until - fraction;
            // The span at which the parabola takes half of the clearance.
            let span = if curvature * rest * rest > 4.0 * remaining {
                (4.0 * remaining / curvature).sqrt()
            } else {
                rest
            };
            let ahead = if axis_rotation.rate == 0.0 {
                axis
            } else {
                axis_rotation.over(span).rotate(axis)
            };
            let remaining_ahead = self.gap(fraction + span, ahead) - target_gap;
            let slope = (remaining_ahead - remaining) / span - 0.5 * curvature * span;
            let discriminant = slope * slope - 2.0 * curvature * remaining;
            let reaches_zero = slope < 0.0 && discriminant >= 0.0;
            let step =
                if reaches_zero { 2.0 * remaining / (discriminant.sqrt() - slope) } else { span };
            if step < span {
                fraction += step;
                axis = if axis_rotation.rate == 0.0 {
                    axis
                } else {
                    axis_rotation.over(step).rotate(axis)
                };
                remaining = self.gap(fraction, axis) - target_gap;
            } else if span == rest {
                return until;
            } else {
                (fraction, axis, remaining) = (fraction + span, ahead, remaining_ahead);
            }
            if remaining <= AXIS_REUSE_GAP_RATIO * clearance {
                break;
            }
        }
        fraction
    }

    /// Cores of both parts, and whether both lie at their centers of rotation.
    fn cores(&self) -> (Core<'_>, Core<'_>, bool) {
        (self.a.part.core, self.b.part.core, self.a.max_radius == 0.0 && self.b.max_radius == 0.0)
    }

    /// First fraction at which two spheres come within `target`: a quadratic equation.
    fn spheres_first_fraction(&self, target: f64, from: f64, until: f64) -> Option<PartImpact> {
        let contact_distance = self.a.part.radius + self.b.part.radius + target;
        let offset = self.offset_at(from);
        let (translation_squared, closing) =
            (self.relative_translation.length_squared(), -offset.dot(self.relative_translation));
        let excess = offset.length_squared() - contact_distance * contact_distance;
        let fraction = if excess <= 0.0 {
            from
        } else {
            let discriminant = closing * closing - translation_squared * excess;
            if closing <= 0.0 || discriminant < 0.0 {
                return None;
            }
            // The smaller root, in the form without cancellation.
            from + excess / (closing + discriminant.sqrt())
        };
        if fraction > until {
            return None;
        }
        let separation = self.separation_at(fraction, None);
        Some(self.impact(fraction, separation))
    }

    /// Fraction up to which the plane of a triangle, one of the parts, separates it from the other
    /// part by more than `target`.
    pub(crate) fn plane_clear_until(&self, target: f64, from: f64, until: f64) -> f64 {
        let (triangle, vertices) = match (self.a.part.core, self.b.part.core) {
            // A half-space is on both sides of every plane that is not parallel to its own.
            (Core::HalfSpace(_), _) | (_, Core::HalfSpace(_)) => return from,
            (_, Core::Triangle(vertices)) => (self.b, vertices),
            (Core::Triangle(vertices), _) => (self.a, vertices),
            _ => return from,
        };
        let normal = (vertices[1] - vertices[0]).cross(vertices[2] - vertices[0]);
        let normal = triangle.posed(from).basis.mul_vec3(normal * (1.0 / normal.length()));
        let tolerance = CONTACT_TOLERANCE * (self.a.part.size() + self.b.part.size());
        for axis in [normal, -normal] {
            let gap = self.gap(from, axis);
            let clearance = gap - target - tolerance;
            if clearance > 0.0 {
                let separation = CoreSeparation {
                    axis,
                    gap,
                    points: [DVec3::ZERO; 2],
                    from_face: [false; 2],
                    cache: SimplexCache::default(),
                };
                return self.advance_along_axis(
                    from,
                    until,
                    &separation,
                    clearance,
                    &triangle.rotation,
                );
            }
        }
        from
    }

    /// Separation of the parts at a fraction; `None` if their cores overlap. A previous result
    /// warm-starts the distance query.
    fn separation_at(
        &self,
        fraction: f64,
        warm_start: Option<&CoreSeparation>,
    ) -> Option<CoreSeparation> {
        let (a, b, offset) =
            (self.a.posed(fraction), self.b.posed(fraction), self.offset_at(fraction));
        let radii = self.a.part.radius + self.b.part.radius;
        if let Core::HalfSpace(normal) = b.core {
            let axis = -b.basis.mul_vec3(normal);
            let (_, lowest) = a.support_vertex(axis);
            let gap = axis.dot(b.origin + offset - lowest);
            let points = [lowest, lowest + axis * gap];
            return Some(CoreSeparation {
                axis,
                gap: gap - radii,
                points,
                from_face: [false, true],
                cache: SimplexCache::default(),
            });
        }
        if let Core::HalfSpace(normal) = a.core {
            let axis = a.basis.mul_vec3(normal);
            let (_, lowest) = b.support_vertex(-axis);
            let lowest = lowest + offset;
            let gap = axis.dot(lowest - a.origin);
            let points = [lowest - axis * gap, lowest];
            return Some(CoreSeparation {
                axis,
                gap: gap - radii,
                points,
                from_face: [true, false],
                cache: SimplexCache::default(),
            });
        }
        let mut separation =
            gjk_separation(&a, &b, offset, warm_start.map(|previous| previous.cache))?;
        separation.gap -= radii;
        Some(separation)
    }
}

/// Support vertex of the Minkowski difference `A − B` towards B.
fn minkowski_support(
    a: &PosedPart<'_>,
    b: &PosedPart<'_>,
    offset: DVec3,
    towards_b: DVec3,
) -> SimplexVertex {
    let (index_a, on_a) = a.support_vertex(towards_b);
    let (index_b, on_b) = b.support_vertex(-towards_b);
    SimplexVertex {
        difference: on_a - (on_b + offset),
        on_a,
        indices: [index_a, index_b],
        weight: 0.0,
    }
}

/// As `gjk::distance`, but entirely in f64: the axis of the widest gap, and the witness points. The
/// gap is that of the cores. `offset` is from the center of A to that of B.
pub(crate) fn gjk_separation(
    a: &PosedPart<'_>,
    b: &PosedPart<'_>,
    offset: DVec3,
    warm_start: Option<SimplexCache>,
) -> Option<CoreSeparation> {
    let vertex_pair = |[index_a, index_b]: [u32; 2]| {
        let (on_a, on_b) = (a.vertex(index_a), b.vertex(index_b));
        SimplexVertex {
            difference: on_a - (on_b + offset),
            on_a,
            indices: [index_a, index_b],
            weight: 0.0,
        }
    };
    let warm_start = warm_start.unwrap_or_default();
    let first = if warm_start.count > 0 {
        vertex_pair(warm_start.indices[0])
    } else {
        minkowski_support(a, b, offset, offset)
    };
    let mut simplex = Simplex::new(first);
    let mut nearest = first.difference;
    for &indices in warm_start.indices[..warm_start.count].iter().skip(1) {
        nearest = simplex.add_and_reduce(vertex_pair(indices), true)?;
    }
    let scale = offset.length() + nearest.length() + a.origin.length() + first.on_a.length();
    let zero_distance = 1e-14 * scale;
    let mut widest = (f64::NEG_INFINITY, DVec3::ZERO);
    for _ in 0..MAX_GJK_ITERATIONS {
        let length = nearest.length();
        if length <= zero_distance {
            return None;
        }
        let axis = nearest * (-1.0 / length);
        let support = minkowski_support(a, b, offset, axis);
        let gap = -axis.dot(support.difference);
        if gap > widest.0 {
            widest = (gap, axis);
        }
        let is_known = simplex.vertices().iter().any(|kept| kept.indices == support.indices);
        if is_known || length - gap <= 1e-13 * length + zero_distance {
            break;
        }
        let previous = simplex;
        let point = simplex.add_and_reduce(support, gap > 0.0)?;
        if point.length_squared() >= nearest.length_squared() {
            simplex = previous;
            break;
        }
        nearest = point;
    }
    let (gap, axis) = widest;
    // No axis separates the cores: rounding ended the iteration before it detected the overlap.
    if gap <= 0.0 {
        return None;
    }
    let on_a = simplex.point_on_a();
    let from_face = [0, 1].map(|side| {
        let vertices = simplex.vertices();
        simplex.count == 3 && {
            let [p, q, r] = [0, 1, 2].map(|vertex: usize| vertices[vertex].indices[side]);
            p != q && q != r && r != p
        }
    });
    let cache = SimplexCache::from_simplex(&simplex);
    Some(CoreSeparation { axis, gap, points: [on_a, on_a - nearest], from_face, cache })
}
