//! Point containment and ray casts of a triangle mesh shape.

use core::cmp::Ordering;

use embate_geom::{
    Ray, Triangle, TriangleHit, Vec3, WatertightRay,
    predicates::{orient2d, orient3d},
    shapes::{MAX_SIZE, RayIntersection, ShapeError},
};
use embate_mesh::TriangleMesh;

use crate::shapes::TriMesh;

impl TriMesh {
    /// Whether a point lies inside or on the surface, exactly. Always `false` for an open mesh.
    ///
    /// Computes the winding number of the surface about the point, from the signed crossings of a
    /// ray along +x. Where that ray hits an edge, exactly one of the two triangles counts, by the
    /// orientation of their projections onto the plane x = 0.
    #[must_use]
    #[doc(alias = "contains")]
    pub fn contains_point(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        if !self.is_closed() || !point.is_finite() {
            return false;
        }
        let ray = Ray::new(point.to_array(), [1.0, 0.0, 0.0]);
        let mut candidates = Vec::new();
        self.bvh().cast_ray_all(&ray, &mut candidates);
        let mut winding = 0;
        for candidate in candidates {
            let triangle = self.mesh().triangle(candidate.id);
            match crossing(&triangle, point.to_array()) {
                Crossing::OnSurface => return true,
                Crossing::Winding(turns) => winding += turns,
            }
        }
        winding != 0
    }

    /// First intersection of a local-space ray, with either side unless the ray culls back faces.
    /// The normal faces the ray origin.
    #[must_use]
    #[doc(alias = "ray_hit")]
    pub fn cast_ray(&self, ray: &Ray<3>) -> Option<RayIntersection> {
        let (watertight, mut candidates) = (WatertightRay::new(ray), Vec::new());
        // Padded: by rounding, the entry of an AABB may lie beyond a hit inside it.
        self.bvh().cast_ray_all(
            &ray.with_range(ray.t_min, TriangleHit::padded_t(ray.t_max)),
            &mut candidates,
        );
        let mut first: Option<TriangleHit> = None;
        for candidate in candidates {
            let t_max = first.map_or(ray.t_max, |hit| hit.t);
            if candidate.t > TriangleHit::padded_t(t_max) {
                break;
            }
            let triangle = self.mesh().triangle(candidate.id);
            let hit = watertight.intersect_triangle(&triangle, candidate.id, t_max);
            first = match (first, hit) {
                (Some(old), Some(new)) if !new.is_before(&old) => Some(old),
                (old, new) => new.or(old),
            };
        }
        let hit = first?;
        let front = self.triangle_normal(hit.triangle)?;
        let facing = front.dot(Vec3::from(ray.direction));
        Some(RayIntersection { t: hit.t, normal: if facing > 0.0 { -front } else { front } })
    }

    /// The mesh with `map` applied to every vertex.
    ///
    /// # Errors
    /// [`ShapeError`] if a vertex is then out of range, or all triangles are degenerate.
    #[doc(alias = "mapped")]
    pub fn transformed(&self, map: impl Fn(Vec3) -> Vec3) -> Result<Self, ShapeError> {
        let mut positions = Vec::with_capacity(self.mesh().positions().len());
        for (index, &position) in self.mesh().positions().iter().enumerate() {
            let point = map(Vec3::from(position)).to_array();
            // The comparison also rejects NaN.
            if !point.iter().all(|coordinate| coordinate.abs() <= MAX_SIZE) {
                return Err(ShapeError::PointTooFar { index, point });
            }
            positions.push(point);
        }
        let triangles = self.mesh().triangles().to_vec();
        // Cannot fail: the positions are in range, and the indices are those of a valid mesh.
        let mesh = TriangleMesh::new(positions, triangles)
            .map_err(|_| ShapeError::NoTriangles { count: self.mesh().triangles().len() })?;
        Self::new(mesh)
    }
}

/// Contribution of a triangle to the winding number about a point.
enum Crossing {
    /// The point is on the triangle.
    OnSurface,
    /// Signed number of crossings of the ray from the point along +x.
    Winding(i32),
}

fn crossing(triangle: &Triangle, point: [f32; 3]) -> Crossing {
    // Projection onto the plane x = 0, as (y, z).
    let project = |p: [f32; 3]| [p[1], p[2]];
    let (vertices, origin) = (triangle.0.map(project), project(point));
    let (mut turns, mut left, mut right) = (0_i32, false, false);
    for edge in 0..3 {
        let (from, to) = (vertices[edge], vertices[(edge + 1) % 3]);
        let side = orient2d(from, to, origin);
        left |= side == Ordering::Greater;
        right |= side == Ordering::Less;
        // An edge counts if it passes the height of the origin on its right, upward or downward.
        // Its lower end is included, its upper excluded.
        if from[1] <= origin[1] && to[1] > origin[1] && side == Ordering::Greater {
            turns += 1;
        } else if to[1] <= origin[1] && from[1] > origin[1] && side == Ordering::Less {
            turns -= 1;
        }
    }
    let covers = !(left && right);
    if !covers && turns == 0 {
        return Crossing::Winding(0);
    }
    let [a, b, c] = triangle.0;
    let side = orient3d(a, b, c, point);
    if side == Ordering::Equal
        && covers
        && !triangle.is_degenerate()
        && contains_coplanar_point(triangle, point)
    {
        return Crossing::OnSurface;
    }
    // Along +x the triangle lies ahead if the point is behind its front: a counterclockwise
    // projection faces +x.
    let is_ahead = match turns.signum() {
        1 => side == Ordering::Less,
        -1 => side == Ordering::Greater,
        _ => false,
    };
    Crossing::Winding(if is_ahead { turns } else { 0 })
}

/// Whether a triangle contains a point of its plane, by the projections onto all three coordinate
/// planes: an edge-on projection excludes nothing.
fn contains_coplanar_point(triangle: &Triangle, point: [f32; 3]) -> bool {
    [[0, 1], [1, 2], [2, 0]].into_iter().all(|[x, y]| {
        let project = |p: [f32; 3]| [p[x], p[y]];
        let (mut left, mut right) = (false, false);
        for edge in 0..3 {
            let (from, to) = (project(triangle.0[edge]), project(triangle.0[(edge + 1) % 3]));
            let side = orient2d(from, to, project(point));
            left |= side == Ordering::Greater;
            right |= side == Ordering::Less;
        }
        !(left && right)
    })
}
