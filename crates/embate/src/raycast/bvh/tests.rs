//! What the tree promises, whatever it is made of and whichever machine walks it.

use super::*;
use crate::rays::noise::{Noise, soup};

/// A bumpy floor of `side` × `side` squares.
fn floor(side: u32) -> TriangleMesh {
    let height = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as f32 / 256.0;
    let points = (0..(side + 1) * (side + 1))
        .map(|i| [(i % (side + 1)) as f32, (i / (side + 1)) as f32, height(i)]);
    let squares = (0..side * side).flat_map(|i| {
        let a = i / side * (side + 1) + i % side;
        [[a, a + 1, a + side + 2], [a, a + side + 2, a + side + 1]]
    });
    TriangleMesh::new(points.collect(), squares.collect()).unwrap()
}

#[test]
fn the_tree_does_not_depend_on_the_number_of_threads() {
    for mesh in [floor(100), soup(6_000)] {
        for preset in Preset::ALL {
            let built = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let bvh = pool.install(|| Bvh::with(&mesh, preset));
                let words = bvh.lines.as_slice().iter().flatten().flatten().copied();
                (bvh.root, words.map(f32::to_bits).collect::<Vec<_>>())
            };
            assert!(built(1) == built(3), "{}", preset.name());
        }
    }
}

#[test]
fn a_triangle_takes_less_than_a_hundred_bytes_and_less_than_half_if_compact() {
    let mesh = floor(100);
    let bytes = |preset| Bvh::with(&mesh, preset).bytes() / mesh.triangles().len();
    assert!((40..100).contains(&bytes(Preset::Balanced)), "{}", bytes(Preset::Balanced));
    assert!((20..46).contains(&bytes(Preset::Compact)), "{}", bytes(Preset::Compact));
}

/// Every triangle overlaps nearly every other, and cutting would never end.
#[test]
fn a_soup_is_cut_only_as_far_as_there_is_room() {
    let mesh = soup(2_000);
    let bytes = |preset| Bvh::with(&mesh, preset).bytes();
    let whole = bytes(Preset::Fast);
    assert!(bytes(Preset::Balanced) < whole * 5 / 4, "{}", bytes(Preset::Balanced));
    assert!(bytes(Preset::Best) < whole * 2, "{}", bytes(Preset::Best));
}

#[test]
fn large_triangles_among_small_ones_are_cut_and_a_ray_looks_at_less() {
    // A bumpy floor under a roof of a few slanted triangles as large as all of it.
    let low = floor(40);
    let mut positions = low.positions().to_vec();
    let mut triangles = low.triangles().to_vec();
    for roof in 0..30_u8 {
        let (first, lift) = (positions.len() as u32, f32::from(roof) * 0.03);
        positions.extend([[0.0, 0.0, -1.0 + lift], [40.0, 0.0, 3.0], [0.0, 40.0, 3.0 + lift]]);
        triangles.push([first, first + 1, first + 2]);
    }
    let mesh = TriangleMesh::new(positions, triangles).unwrap();
    let boxes = |preset| {
        let (bvh, mut counts) = (Bvh::with(&mesh, preset), crate::rays::RayCounts::default());
        for step in 0..400_u16 {
            let place = f32::from(step) * 0.1;
            let ray = Ray::new([place, 40.0 - place, 9.0], [0.1, 0.2, -1.0]);
            bvh.closest_hit_observed(&ray, &mut counts);
        }
        counts.boxes + counts.tests
    };
    assert!(boxes(Preset::Best) < boxes(Preset::Fast));
}

/// Products of origin and inverse that overflow, NaNs and infinities on several axes at once had the boxes that are not
/// there crossed, and the search began anew at the root for ever.
#[test]
fn rays_out_of_all_measure_come_to_an_end_and_hit_what_brute_force_hits() {
    let mesh = floor(20);
    let brute = crate::rays::Brute::new(&mesh);
    let odd = [1e20, -1e20, 1e38, f32::NAN, f32::INFINITY, 0.0, -0.0, 0.5, 1e-45];
    let small = [1e-19, -1e-19, 1e-38, f32::NAN, f32::NEG_INFINITY, 0.0, -0.0, 1.0, 3e38];
    let mut rays = Vec::new();
    for origin in odd {
        for direction in small {
            for along in 0..3 {
                let (mut from, mut to) = ([origin; 3], [direction; 3]);
                (from[along], to[along]) = (0.5, 1.0);
                let ray = Ray::new(from, to);
                rays.extend([ray, Ray::new([origin; 3], [direction; 3]), ray.within(-9.0, 9.0)]);
                rays.push(ray.within(0.0, f32::NAN));
            }
        }
    }
    let bits = |hit: Option<Hit>| hit.map(|hit| (hit.t.to_bits(), hit.triangle));
    for level in [Level::new(), Level::baseline()] {
        let bvh = layout::build(&mesh, Preset::Balanced, level);
        let (batch, any) = (bvh.closest_hits(&rays), bvh.any_hits(&rays));
        for (number, ray) in rays.iter().enumerate() {
            let expected = bits(brute.closest_hit(ray));
            assert_eq!(bits(bvh.closest_hit(ray)), expected, "{ray:?}");
            assert_eq!(bits(batch[number]), expected, "{ray:?}");
            assert_eq!([bvh.any_hit(ray), any[number]], [expected.is_some(); 2], "{ray:?}");
            let mut counts = crate::rays::RayCounts::default();
            assert_eq!(bits(bvh.closest_hit_observed(ray, &mut counts)), expected, "{ray:?}");
        }
    }
}

/// Rays every which way, every fifth along an axis, every seventh with a range before its origin.
fn mixed_rays(count: u32) -> Vec<Ray<3>> {
    let mut noise = Noise(7);
    let mut between = |low, high| noise.between(low, high);
    let ray = |number: u32| {
        let origin = [between(-1.0, 21.0), between(-1.0, 21.0), between(-3.0, 3.0)];
        let mut direction = core::array::from_fn(|_| between(-1.0, 1.0));
        if number.is_multiple_of(5) {
            direction = [0.0, -0.0, direction[2]];
        }
        let ray = Ray::new(origin, direction);
        if number.is_multiple_of(7) { ray.within(-2.0, 3.0) } else { ray }
    };
    (0..count).map(ray).collect()
}

/// Both kinds of batches, on a tree of one leaf, an ordinary and a compact one, with the widest vectors that
/// there are and with the narrowest.
#[test]
fn a_batch_of_any_size_answers_each_ray_in_order_on_any_machine() {
    let bits = |hit: Option<Hit>| hit.map(|hit| (hit.t.to_bits(), hit.triangle));
    let rays = mixed_rays(2_055);
    for (mesh, preset) in
        [(floor(1), Preset::Fast), (floor(20), Preset::Balanced), (floor(20), Preset::Compact)]
    {
        let brute = crate::rays::Brute::new(&mesh);
        let expected: Vec<_> = rays.iter().map(|ray| bits(brute.closest_hit(ray))).collect();
        for level in [Level::new(), Level::baseline()] {
            let bvh = layout::build(&mesh, preset, level);
            for size in [0, 1, 7, 8, 9, 31, 32, 33, 2_047, 2_048, 2_049, 2_055] {
                let (rays, expected) = (&rays[..size], &expected[..size]);
                let closest = bvh.closest_hits(rays);
                assert!(closest.into_iter().map(bits).eq(expected.iter().copied()), "{size}");
                let any = bvh.any_hits(rays);
                assert!(any.into_iter().eq(expected.iter().map(Option::is_some)), "{size}");
            }
            for (ray, &expected) in rays.iter().zip(&expected) {
                assert_eq!(bits(bvh.closest_hit(ray)), expected, "{ray:?}");
                assert_eq!(bvh.any_hit(ray), expected.is_some(), "{ray:?}");
            }
        }
    }
}

/// More wait than there is room for in place: slivers in one heap, so that every box is crossed, and beside nearly
/// all of them the ray passes.
#[test]
fn a_ray_that_crosses_every_box_of_a_heap_loses_nothing() {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for number in 0..40_000_u32 {
        let (first, tilt) = (positions.len() as u32, number as f32 * 1e-4);
        let far = if number == 31_234 { [9.0, -9.0, 0.0] } else { [9.0, 9.0 + tilt, 9.0] };
        positions.extend([[-9.0, -9.0 - tilt, -9.0], [9.0, 9.0, 9.0 + tilt], far]);
        triangles.push([first, first + 1, first + 2]);
    }
    let mesh = TriangleMesh::new(positions, triangles).unwrap();
    let (bvh, brute) = (Bvh::new(&mesh), crate::rays::Brute::new(&mesh));
    let rays = vec![Ray::new([4.0, -3.0, -8.0], [0.01, 0.02, 1.0]); 40];
    let expected = brute.closest_hit(&rays[0]);
    assert_eq!(expected.map(|hit| hit.triangle), Some(31_234));
    assert_eq!(bvh.closest_hit(&rays[0]), expected);
    assert!(bvh.any_hit(&rays[0]) && bvh.any_hits(&rays).into_iter().all(|hit| hit));
    assert!(bvh.closest_hits(&rays).into_iter().all(|hit| hit == expected));
}

#[test]
fn a_ray_down_on_a_floor_looks_at_few_nodes() {
    let bvh = Bvh::new(&floor(100));
    let mut counts = crate::rays::RayCounts::default();
    let hit = bvh.closest_hit_observed(&Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]), &mut counts);
    assert!(hit.is_some_and(|hit| hit.t > 7.0));
    assert!((1..20).contains(&counts.boxes) && counts.tests < 100, "{counts:?}");
}
