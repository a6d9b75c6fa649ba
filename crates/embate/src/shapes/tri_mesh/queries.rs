//! Is a point inside a mesh, and where does a ray meet it?

use core::cmp::Ordering;

use embate_geom::{
    Hit, Ray, ShearedRay, Triangle, Vec3,
    predicates::{side_of_line, side_of_plane},
    shapes::{InvalidShape, MAX_SIZE, ShapeHit},
};
use embate_mesh::TriangleMesh;

use super::MeshShape;

impl MeshShape {
    /// Whether a point lies inside or on the surface, exactly; an open mesh has no inside.
    ///
    /// Counts how often the surface winds about the point, along a line to the right of it. Where that
    /// line meets an edge, only one of the two triangles counts, as their shadows on the plane x = 0 say.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        if !self.is_closed() || !point.is_finite() {
            return false;
        }
        let line = Ray::new(point.to_array(), [1.0, 0.0, 0.0]);
        let mut crossed = Vec::new();
        self.tree().along_ray(&line, &mut crossed);
        let mut winding = 0;
        for crossing in crossed {
            let triangle = self.mesh().triangle(crossing.id);
            match meets(&triangle, point.to_array()) {
                Meets::At => return true,
                Meets::Beyond(turns) => winding += turns,
            }
        }
        winding != 0
    }

    /// Where a ray first meets a triangle, from either side unless it is blind to back faces. The normal
    /// is the one against the ray.
    #[must_use]
    pub fn ray_hit(&self, ray: &Ray<3>) -> Option<ShapeHit> {
        let (sheared, mut crossed) = (ShearedRay::new(ray), Vec::new());
        // A box may begin a few roundings behind a hit in it.
        self.tree().along_ray(&ray.within(ray.t_min, Hit::beyond(ray.t_max)), &mut crossed);
        let mut first: Option<Hit> = None;
        for crossing in crossed {
            let t_max = first.map_or(ray.t_max, |hit| hit.t);
            if crossing.t > Hit::beyond(t_max) {
                break;
            }
            let triangle = self.mesh().triangle(crossing.id);
            let hit = sheared.hit(&triangle, crossing.id, t_max);
            first = match (first, hit) {
                (Some(old), Some(new)) if !new.precedes(&old) => Some(old),
                (old, new) => new.or(old),
            };
        }
        let hit = first?;
        let front = self.normal(hit.triangle)?;
        let along = front.dot(Vec3::from(ray.direction));
        Some(ShapeHit { t: hit.t, normal: if along > 0.0 { -front } else { front } })
    }

    /// With every vertex elsewhere.
    ///
    /// # Errors
    /// [`InvalidShape`] if a vertex leaves the range, or no triangle keeps an area.
    pub fn mapped(&self, map: impl Fn(Vec3) -> Vec3) -> Result<Self, InvalidShape> {
        let mut positions = Vec::with_capacity(self.mesh().positions().len());
        for (index, &position) in self.mesh().positions().iter().enumerate() {
            let point = map(Vec3::from(position)).to_array();
            // No NaN passes.
            if !point.iter().all(|coordinate| coordinate.abs() <= MAX_SIZE) {
                return Err(InvalidShape::TooFar { index, point });
            }
            positions.push(point);
        }
        let triangles = self.mesh().triangles().to_vec();
        // Positions were checked just now, and the indices are those of a mesh.
        let mesh = TriangleMesh::new(positions, triangles)
            .map_err(|_| InvalidShape::NoTriangles { count: self.mesh().triangles().len() })?;
        Self::new(mesh)
    }
}

/// How a triangle lies to a point.
enum Meets {
    /// The point is on it.
    At,
    /// How often it turns about the line to the right of the point, where it meets it.
    Beyond(i32),
}

fn meets(triangle: &Triangle, point: [f32; 3]) -> Meets {
    let shadow = |p: [f32; 3]| [p[1], p[2]];
    let (corners, eye) = (triangle.0.map(shadow), shadow(point));
    let (mut turns, mut left, mut right) = (0_i32, false, false);
    for edge in 0..3 {
        let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
        let side = side_of_line(from, to, eye);
        left |= side == Ordering::Greater;
        right |= side == Ordering::Less;
        // An edge counts where it passes the eye's height upwards to the right of it, or downwards; its
        // lower end belongs to it, its upper does not.
        if from[1] <= eye[1] && to[1] > eye[1] && side == Ordering::Greater {
            turns += 1;
        } else if to[1] <= eye[1] && from[1] > eye[1] && side == Ordering::Less {
            turns -= 1;
        }
    }
    let covers = !(left && right);
    if !covers && turns == 0 {
        return Meets::Beyond(0);
    }
    let [a, b, c] = triangle.0;
    let side = side_of_plane(a, b, c, point);
    if side == Ordering::Equal
        && covers
        && !triangle.is_degenerate()
        && in_own_plane(triangle, point)
    {
        return Meets::At;
    }
    // Seen from the point along +x, the triangle lies ahead if the point is behind its front (a shadow
    // turning left faces the viewer's right: +x).
    let ahead = match turns.signum() {
        1 => side == Ordering::Less,
        -1 => side == Ordering::Greater,
        _ => false,
    };
    Meets::Beyond(if ahead { turns } else { 0 })
}

/// Whether a point in the plane of a triangle lies in it, by the shadows on all three planes: one edge-on
/// says nothing.
fn in_own_plane(triangle: &Triangle, point: [f32; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]].into_iter().all(|[x, y]| {
        let flat = |p: [f32; 3]| [p[x], p[y]];
        let (mut left, mut right) = (false, false);
        for edge in 0..3 {
            let (from, to) = (flat(triangle.0[edge]), flat(triangle.0[(edge + 1) % 3]));
            let side = side_of_line(from, to, flat(point));
            left |= side == Ordering::Greater;
            right |= side == Ordering::Less;
        }
        !(left && right)
    })
}
