//! Does the engine tell the truth about bodies on meshes of many triangles?
//!
//! Hollow solids are held against the solids that they are the skins of, rough ground against each of its triangles
//! by itself. Where a body is apart, the distance is the judge's and no depth is told; where it touches, something is.

use std::ops::Range;

use embate::contacts::{Manifold, contacts, separation, touching};
use embate::shapes::{Capsule, Cuboid, Hull, MeshShape, Shape, Sphere};
use embate::{Pose, TriangleMesh, Vec3};
use embate_lab::random::Random;
use rayon::prelude::*;

use super::TOLERANCE;
use crate::contact_reference::{Form, Place, Point, Solid, parting};
use crate::contact_scenes::{FAR, Twin, any_direction, any_turn, pose, size_between};

/// What was asked about bodies on meshes, and what was wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshTally {
    /// Bodies asked about.
    pub asked: u64,
    /// More that lie inside of a hollow, and are not asked about.
    pub hidden: u64,
    /// Those that are apart from their mesh.
    pub apart: u64,
    /// The worst error of a distance, as a part of what is allowed for.
    pub distance: f64,
    /// Answers that are wrong.
    pub wrong: u64,
    /// The first of them, with their numbers.
    pub findings: Vec<(u64, String)>,
}

/// Findings that are kept.
const KEPT: usize = 8;

impl MeshTally {
    fn find(&mut self, number: u64, what: String) {
        self.wrong += 1;
        self.findings.push((number, what));
        self.findings.sort_by_key(|(number, _)| *number);
        self.findings.truncate(KEPT);
    }

    fn and(mut self, other: Self) -> Self {
        self.asked += other.asked;
        self.hidden += other.hidden;
        self.apart += other.apart;
        self.distance = self.distance.max(other.distance);
        self.wrong += other.wrong;
        self.findings.extend(other.findings);
        self.findings.sort_by_key(|(number, _)| *number);
        self.findings.truncate(KEPT);
        self
    }
}

/// A mesh, and what it is made of.
struct Ground {
    mesh: Shape,
    /// The solid whose skin it is, or all of its triangles.
    forms: Vec<Form>,
    size: f64,
}

impl Ground {
    fn hollow(hull: &Hull) -> Self {
        let vertices = hull.vertices().iter().map(|vertex| vertex.to_array()).collect();
        let mut triangles = Vec::new();
        for face in hull.faces() {
            let corners = hull.corners(face);
            triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]));
        }
        let mesh = TriangleMesh::new(vertices, triangles).expect("the skin of a hull");
        let mesh = MeshShape::new(mesh).expect("faces have an area").into();
        let solid = Twin::of(hull.clone().into()).form;
        Self { mesh, size: solid.size(), forms: vec![solid] }
    }

    /// Eight by eight cells, about as large as `cell`, their vertices moved about.
    fn rough(random: &mut Random, cell: f64, rough: f64) -> Self {
        const CELLS: u32 = 8;
        const ROW: u32 = CELLS + 1;
        let mut place = |along: u32, by: f64| {
            cell * (f64::from(along) - f64::from(CELLS) / 2.0
                + by * (2.0 * random.unit_f64() - 1.0))
        };
        let mut points = Vec::new();
        for z in 0..ROW {
            for x in 0..ROW {
                let (x, y, z) = (place(x, 0.3), place(CELLS / 2, rough), place(z, 0.3));
                points.push(Point::new(x, y, z).rounded().to_array());
            }
        }
        let mut triangles = Vec::new();
        for index in 0..CELLS * CELLS {
            let corner = index / CELLS * ROW + index % CELLS;
            let [a, b, c, d] = [corner, corner + 1, corner + ROW, corner + ROW + 1];
            let straight = random.below(2) == 0;
            triangles.extend(if straight {
                [[a, c, b], [b, c, d]]
            } else {
                [[a, c, d], [a, d, b]]
            });
        }
        let mesh = TriangleMesh::new(points, triangles).expect("a valid mesh");
        let mesh = MeshShape::new(mesh).expect("triangles with an area");
        let count = mesh.mesh().triangles().len() as u32;
        let forms = (0..count).map(|index| Form::triangle(mesh.triangle(index).map(Point::of)));
        Self { forms: forms.collect(), mesh: mesh.into(), size: cell }
    }

    /// Whether a body is wholly inside of a hollow, where it touches nothing: far away, coordinates may be too coarse to place
    /// a small one as wanted.
    fn hides(&self, place: &Pose, body: &Solid) -> bool {
        let [form] = &self.forms[..] else { return false };
        match (form.placed(&Place::of(place)), body) {
            (Solid::Round(hollow), Solid::Round(body)) => {
                hollow.normals.iter().all(|&out| body.reach(out) < hollow.reach(out))
            }
            _ => false,
        }
    }

    /// How far a body is from the nearest of all parts.
    fn separation(&self, place: &Pose, body: &Solid, middle: Point, reach: f64) -> f64 {
        let place = Place::of(place);
        let mut least = f64::INFINITY;
        for form in &self.forms {
            // None nearer than the ball around it is.
            let far =
                (place.point(form_middle(form)) - middle).length() - form.size() * 2.0 - reach;
            if far < least {
                least = least.min(parting(&form.placed(&place), body).separation);
            }
        }
        least
    }
}

/// A point within twice a form's size of all of it.
fn form_middle(form: &Form) -> Point {
    match form {
        Form::Round { points, .. } => points[0],
        Form::HalfSpace { .. } => Point::ZERO,
    }
}

fn hull_of(random: &mut Random, size: f64) -> Hull {
    let size = size as f32;
    let corners = |half: Vec3| {
        let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |bits: u32| Vec3::new(side(bits), side(bits >> 1), side(bits >> 2));
        (0..8).map(|bits| half.scaled_by(corner(bits))).collect::<Vec<_>>()
    };
    let hull = match random.below(5) {
        0 => Hull::new(&corners(Vec3::new(1.0, 0.7, 0.5) * size)),
        1 => Hull::cylinder(0.7 * size, 0.8 * size, 12),
        2 => Hull::cone(0.7 * size, 0.8 * size, 9),
        3 => {
            let points: Vec<Vec3> =
                (0..40).map(|_| any_direction(random).rounded() * size).collect();
            Hull::new(&points)
        }
        _ => Hull::new(&corners(Vec3::new(1.0, 0.05, 1.0) * size)),
    };
    hull.expect("a valid hull")
}

fn body_of(random: &mut Random, size: f64) -> Twin {
    let s = size as f32;
    let shape = match random.below(5) {
        0 => Sphere::new(0.5 * s).map(Shape::from),
        1 => Cuboid::new(Vec3::new(0.5, 0.3, 0.4) * s).map(Shape::from),
        2 => Capsule::new(0.4 * s, 0.2 * s).map(Shape::from),
        3 => Hull::cylinder(0.4 * s, 0.3 * s, 7).map(Shape::from),
        _ => return Twin::of(hull_of(random, 0.5 * size).into()),
    };
    Twin::of(shape.expect("a valid shape"))
}

/// Asks about bodies of these numbers.
#[must_use]
pub fn mesh_trial(seed: u64, numbers: Range<u64>) -> MeshTally {
    numbers
        .into_par_iter()
        .fold(MeshTally::default, |mut tally, number| {
            ask(seed, number, &mut tally);
            tally
        })
        .reduce(MeshTally::default, MeshTally::and)
}

fn ask(seed: u64, number: u64, tally: &mut MeshTally) {
    let mut random = Random::for_purpose(seed, &[0x6D_65_73_68, number]);
    let size = size_between(&mut random, 1e-2, 1e2);
    let ground = if random.below(2) == 0 {
        Ground::hollow(&hull_of(&mut random, size))
    } else {
        let rough = [0.05, 0.3, 1.0, 2.5][random.below(4) as usize];
        Ground::rough(&mut random, size, rough)
    };
    let own = size * [1.0, 0.3, 2.0, 0.1][random.below(4) as usize];
    let body = body_of(&mut random, own);
    let smaller = ground.size.min(own);
    let origin = if random.below(4) == 0 { any_direction(&mut random) * FAR } else { Point::ZERO };
    let common = any_turn(&mut random);
    let place = pose(common, origin);
    // From a direction, or from above, until the gap is what is wanted.
    let from = any_direction(&mut random);
    let from = if ground.forms.len() > 1 {
        Point::new(from.0[0], 3.0 + from.0[1].abs(), from.0[2]) * (2.0 * size)
    } else {
        from * (3.0 * (size + own))
    };
    let turn = any_turn(&mut random);
    let wanted = [0.01, 1e-3, 0.0, -1e-3, -0.02, -0.1][random.below(6) as usize] * smaller;
    let down = -common.turn(if ground.forms.len() > 1 {
        Point::new(0.0, 1.0, 0.0)
    } else {
        from.unit().unwrap_or(from)
    });
    let mut at = origin + common.turn(from);
    let reach = 2.0 * body.form.size();
    let truth_at = |at: Point| {
        let placed = pose(turn, at);
        let solid = body.form.placed(&Place::of(&placed));
        (placed, ground.separation(&place, &solid, Point::of(placed.position), reach))
    };
    let mut truth = truth_at(at);
    for _ in 0..24 {
        let left = truth.1 - wanted;
        if left.abs() <= 1e-4 * smaller || left < 0.0 {
            break;
        }
        at = at + down * left;
        truth = truth_at(at);
    }
    let (pose_b, truth) = truth;
    if ground.hides(&place, &body.form.placed(&Place::of(&pose_b))) {
        tally.hidden += 1;
        return;
    }
    tally.asked += 1;
    tally.apart += u64::from(truth > 0.0);
    let bodies = [(&ground.mesh, &place), (&body.shape, &pose_b)];
    let rounding = 8.0 * f64::from(f32::EPSILON) * (4.0 * size + own + (at - origin).length());
    judge(number, bodies, truth, TOLERANCE * smaller + rounding, (0.02 * smaller) as f32, tally);
}

fn judge(
    number: u64,
    [(mesh, place), (body, pose)]: [(&Shape, &Pose); 2],
    truth: f64,
    tolerance: f64,
    margin: f32,
    tally: &mut MeshTally,
) {
    let told = separation(mesh, place, body, pose);
    let touches = touching(mesh, place, body, pose);
    let mut found = Vec::new();
    contacts(mesh, place, body, pose, margin, &mut found);
    let deepest = found.iter().map(|m| f64::from(m.depth())).fold(f64::NEG_INFINITY, f64::max);
    let distance = f64::from(told.distance);
    let mut wrong = Vec::new();
    if touches != (distance <= 0.0) {
        wrong.push(format!("touching is {touches}"));
    }
    if truth.abs() > tolerance && touches != (truth < 0.0) {
        wrong.push(format!("touching is {touches}"));
    }
    if truth > tolerance {
        let off = (distance - truth).abs();
        tally.distance = tally.distance.max(off / tolerance);
        if off > tolerance {
            wrong.push(format!("distance off by {off:e}"));
        }
        if deepest > tolerance {
            wrong.push(format!("{deepest} deep, but apart"));
        }
        if truth < f64::from(margin) - tolerance && (deepest + truth).abs() > tolerance {
            wrong.push(format!("nearest contact {deepest}"));
        }
    }
    if truth < f64::from(margin) - tolerance && found.is_empty() {
        wrong.push("no contact".to_owned());
    }
    let sound = |m: &Manifold| {
        (f64::from(m.normal.length()) - 1.0).abs() < 1e-6
            && !m.points().is_empty()
            && m.points().iter().all(|point| point.point.is_finite() && point.depth.is_finite())
    };
    if !found.iter().all(sound) {
        wrong.push("a contact that is none".to_owned());
    }
    let mut round = Vec::new();
    contacts(body, pose, mesh, place, margin, &mut round);
    if !found.iter().copied().eq(round.iter().map(|m| m.turned_round())) {
        wrong.push("not the same turned round".to_owned());
    }
    if !wrong.is_empty() {
        let kind = body.kind();
        let what = format!("{}: {kind}, truly {truth:e}, {told:?}", wrong.join(", "));
        tally.find(number, what);
    }
}
